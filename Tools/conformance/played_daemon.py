# SPDX-License-Identifier: Apache-2.0
"""A daemon that is played for one client, and keeps its messages."""

import json
import os
import shutil
import socket
import tempfile
import time

from .report import Wrong

#: The limit of each wait, seconds.
PATIENCE_S = 10.0
NAME = "under-test"
TIME = "2026-05-04T07:08:09.500Z"
FIX = {
    "time": TIME,
    "latitude": 45.5231,
    "longitude": 13.5688,
    "accuracy_m": 4.5,
    "altitude_m": 12.25,
    "ellipsoidal_height_m": 57.5,
    "vertical_accuracy_m": 8,
    "speed_mps": 1.5,
    "course_deg": 271,
    "hdop": 0.9,
    "satellites": 9,
    "source": "gnss",
}


def cut(data):
    """The messages of complete lines, as (name, members); raises `Wrong` for an invalid one."""
    messages = []
    for line in data.decode().splitlines():
        rest = line.strip("; \t")
        while rest:
            if not rest.startswith("?"):
                raise Wrong(f"{rest[:80]!r} is no message; one is ?NAME; or ?NAME={{...}};")
            head, brace, _ = rest.partition("{")
            if ";" in head or not brace:
                name, _, rest = rest[1:].partition(";")
                members = {}
            else:
                name = head[1:].rstrip("=")
                try:
                    members, length = json.JSONDecoder().raw_decode(rest, len(head))
                except ValueError as error:
                    raise Wrong(f"{rest[:80]!r} has no JSON object: {error}") from None
                rest = rest[length:]
            messages.append((name, members))
            rest = rest.lstrip("; \t")
    return messages


class Daemon:
    """Plays the daemon for one client, one connection at a time."""

    def __init__(self, messages):
        self._messages = messages
        self.folder = tempfile.mkdtemp(prefix="mp-")
        self.path = os.path.join(self.folder, "socket")
        self._listener = None
        self._line = None
        self._rest = b""
        #: All its messages, with the number of the connection.
        self.heard = []
        #: The messages that do not fit their schema, with the reason.
        self.misfits = []
        self.connections = 0
        self.service = "significant"

    def listen(self):
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(self.path)
        self._listener.listen(8)

    def stop_listening(self):
        self._listener.close()
        os.unlink(self.path)

    def accept(self, limit_s=PATIENCE_S):
        """Waits for the client."""
        self._listener.settimeout(limit_s)
        try:
            self._line, _ = self._listener.accept()
        except socket.timeout:
            raise Wrong(f"it did not connect within {limit_s:.0f} s") from None
        self._rest = b""
        self.connections += 1

    def hang_up(self):
        if self._line is not None:
            self._line.close()
            self._line = None

    def close(self):
        self.hang_up()
        self._listener.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def say(self, *messages):
        self.send("".join(json.dumps(message) + "\n" for message in messages).encode())

    def send(self, data):
        self._line.settimeout(PATIENCE_S)
        self._line.sendall(data)

    def welcome(self, **members):
        self.say(
            {
                "class": "WELCOME",
                "release": "0.2.0",
                "app": NAME,
                "state": "active",
                "authorization": "always",
                "launch_reason": None,
                "monitors_significant_changes": False,
                "acknowledged": 0,
                **members,
            }
        )

    def location(self, number, fix=None, **members):
        return {
            "class": "LOCATION",
            "sequence": number,
            "service": self.service,
            "received": TIME,
            "cached": False,
            "moved_m": 612.5,
            "since_s": 420,
            "fix": {**FIX, "latitude": 45 + number / 1_000, **(fix or {})},
            **members,
        }

    def listen_for(self, limit_s):
        """Reads the client's messages; returns `False` if there are none in that time."""
        self._line.settimeout(limit_s)
        try:
            data = self._line.recv(65_536)
        except socket.timeout:
            return False
        if not data:
            raise Wrong("the client closed the connection")
        whole, _, self._rest = (self._rest + data).rpartition(b"\n")
        try:
            messages = cut(whole)
        except Wrong as error:
            self.misfits.append(str(error))
            messages = []
        for name, members in messages:
            wrong = self._messages.errors_of_client(name, members)
            if wrong:
                self.misfits.append(f"?{name}={json.dumps(members)}: {'; '.join(wrong)}")
            self.heard.append((self.connections, name, members))
            self._answer(name, members)
        return True

    def _answer(self, name, members):
        """Answers as a daemon does, so that the client can continue."""
        answer = {
            "AUTHORIZE": {"class": "AUTHORIZATION", "authorization": "always"},
            "TIME_REMAINING": {"class": "TIME_REMAINING", "remaining_s": None},
            "NOTIFICATIONS": {"class": "NOTIFICATIONS", "notifications": []},
            "VERSION": {
                "class": "VERSION",
                "release": "0.2.0",
                "rev": "milepost-0.2.0",
                "proto_major": 3,
                "proto_minor": 14,
            },
        }.get(name)
        if answer:
            id = {"id": str(members["id"])} if "id" in members else {}
            self.say({**answer, **id})

    def said(self, name):
        """The members of its messages of that name on this connection."""
        return [m for number, n, m in self.heard if (number, n) == (self.connections, name)]

    def until(self, what, condition, limit_s=PATIENCE_S):
        end_s = time.monotonic() + limit_s
        while not condition():
            left = end_s - time.monotonic()
            if left <= 0:
                names = [n for number, n, _ in self.heard if number == self.connections]
                raise Wrong(f"{what} did not come within {limit_s:.0f} s; it said {names}")
            self.listen_for(left)

    def acknowledged(self):
        return max([m["sequence"] for m in self.said("ACK")], default=0)

    def until_acknowledged(self, number):
        self.until(f"ACK of {number}", lambda: self.acknowledged() >= number)
