#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a GTK program that is written in Python, and prints the texts of its windows once they hold a pattern.

    window.py PATTERN PROGRAM ARGUMENT...

Exit code 0; 1 where they do not within 15 s, with the texts as they are then.
"""

import os
import re
import runpy
import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # noqa: E402

STEP = 0.1


def texts(widget):
    for name in ("get_text", "get_label"):
        if hasattr(widget, name):
            yield getattr(widget, name)() or ""
            break
    if isinstance(widget, Gtk.Container):
        for child in widget.get_children():
            yield from texts(child)


def main():
    pattern, program = re.compile(sys.argv[1]), sys.argv[2]
    sys.argv = sys.argv[2:]
    looks = 0

    def look():
        nonlocal looks
        looks += 1
        text = "\n".join(t for window in Gtk.Window.list_toplevels() for t in texts(window) if t)
        found = pattern.search(text)
        if found or looks * STEP > 15:
            print(text, flush=True)
            # The program's own loop continues otherwise.
            os._exit(0 if found else 1)
        return True

    GLib.timeout_add(int(STEP * 1000), look)
    runpy.run_path(program, run_name="__main__")


main()
