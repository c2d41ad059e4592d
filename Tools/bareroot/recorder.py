# SPDX-License-Identifier: Apache-2.0
"""The server behind the web server of the guide: an OwnTracks Recorder of this machine, or, where none is named,
what answers as one does. As a program it is the latter, and serves until it is ended.

A Recorder answers `[]` to each message at /pub, has the last position of a device at /api/0/last (`{}` of one
that it does not know), its page below /last, and a web socket at /ws [owntracks/recorder, http.c].
"""

import json
import shutil
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

PORT = 8083


class Answers(BaseHTTPRequestHandler):
    last = {}

    def answer(self, body, kind="application/json"):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/pub" and message.get("_type") == "location":
            self.last[self.headers["X-Limit-U"], self.headers["X-Limit-D"]] = message
        self.answer("[]")

    def do_GET(self):
        url = urlsplit(self.path)
        if url.path == "/api/0/last":
            asked = parse_qs(url.query)
            found = self.last.get((asked["user"][0], asked["device"][0]))
            self.answer(json.dumps([found] if found else {}))
        elif url.path == "/ws/last" and self.headers.get("Upgrade") == "websocket":
            self.send_response_only(101, "Switching Protocols")
            self.send_header("Upgrade", "websocket")
            self.send_header("Connection", "Upgrade")
            self.end_headers()
            self.close_connection = True
        elif url.path == "/last/index.html":
            self.answer("<!DOCTYPE html><title>last</title>", "text/html")
        else:
            self.send_error(404)

    def log_message(self, *_):
        pass


def start(machine, program):
    """Starts it in the root's network; returns its description, in words."""
    if program is None:
        machine.helpers.append(subprocess.Popen([*machine.enter(), sys.executable, __file__]))
        return "a server that answers as a Recorder does (none was named)"
    place = machine.root / "opt/recorder"
    place.mkdir(parents=True)
    shutil.copy(program, place / "ot-recorder")
    for line in subprocess.run(["ldd", program], check=True, text=True, stdout=subprocess.PIPE).stdout.splitlines():
        words = line.split()
        # The root's own files belong to the release.
        if "=>" in words and Path(words[2]).exists() and not (machine.root / words[2].lstrip("/")).exists():
            shutil.copy(words[2], place)
    pages = next((p for p in (program.parent / "docroot", Path("/var/spool/owntracks/recorder/htdocs"))
                  if p.is_dir()), None)
    if pages:
        shutil.copytree(pages, place / "htdocs")
    store = "/var/lib/recorder"
    machine.run("install", "-d", store)
    environment = {"LD_LIBRARY_PATH": "/opt/recorder"}
    machine.run("/opt/recorder/ot-recorder", "--initialize", "-S", store, environment=environment)
    machine.start("/opt/recorder/ot-recorder", "-S", store, "--doc-root", "/opt/recorder/htdocs", "--norevgeo",
                  "--port", "0", "--http-host", "127.0.0.1", "--http-port", str(PORT), "owntracks/#",
                  log=machine.root.parent / "recorder.log", environment=environment)
    return "a real OwnTracks Recorder"


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", PORT), Answers).serve_forever()
