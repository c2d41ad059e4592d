#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a command on a terminal of its own, makes it smaller, and ends it.

    terminal.py KEY|SIGNAL COMMAND...

KEY is one character that is typed; a SIGNAL is a name as in INT, which is sent. On standard output stands one JSON object:
`first` and `second` (the last whole frame before and after the terminal went from 100 by 30 to 50 by 12), `end` (what was
written after the key), `status` (exit code, or minus the signal), and `restored` (whether the terminal is as before).
"""

import fcntl
import json
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
import time


def main():
    what, *command = sys.argv[1:]
    master, slave = pty.openpty()

    def size(columns, rows):
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    size(100, 30)
    before = termios.tcgetattr(slave)
    process = subprocess.Popen(
        command, stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(slave, termios.TIOCSCTTY, 0),
        env=dict(os.environ, TERM="xterm"))
    os.set_blocking(master, False)
    text = ""

    def read(until):
        nonlocal text
        end = time.monotonic() + 15
        while time.monotonic() < end and not until():
            try:
                text += os.read(master, 65536).decode()
            except BlockingIOError:
                time.sleep(0.02)

    def frame():
        return text.split("\x1b[H")[-1] if "\x1b[H" in text else ""

    read(lambda: "\x1b[J" in frame())
    entered, first = text.split("\x1b[H")[0], frame()
    text = ""
    # The kernel notifies the foreground group.
    size(50, 12)
    read(lambda: "\x1b[H" in text and len(frame().split("\r\n")) >= 12)
    second, text = frame(), ""
    if len(what) == 1:
        os.write(master, what.encode())
    else:
        os.kill(process.pid, getattr(signal, "SIG" + what))
    read(lambda: process.poll() is not None)
    read(lambda: "\x1b[?1049l" in text)
    print(json.dumps({
        "entered": entered, "first": first, "second": second, "end": text, "status": process.poll(),
        "restored": termios.tcgetattr(slave) == before}))


main()
