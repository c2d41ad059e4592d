# SPDX-License-Identifier: Apache-2.0
"""A client's connection to a daemon, with control of every byte."""

import itertools
import json
import socket
import time

from . import examples
from .report import Wrong

#: The limit of a wait for an answer, seconds.
PATIENCE_S = 10.0


def said(name, members=None):
    """One message without its line end."""
    return f"?{name}={json.dumps(members)};" if members else f"?{name};"


class Talk:
    """Sends bytes and receives messages; each line is checked against its schema as it comes."""

    _numbers = itertools.count(1)

    def __init__(self, address, messages):
        self._messages = messages
        if isinstance(address, int):
            self._line = socket.create_connection(("127.0.0.1", address))
        else:
            self._line = socket.socket(socket.AF_UNIX)
            self._line.connect(address)
        self._rest = b""
        #: Received, and not requested yet.
        self._waiting = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._line.close()

    def send(self, data):
        self._line.settimeout(PATIENCE_S)
        self._line.sendall(data.encode() if isinstance(data, str) else data)

    def hear(self, limit_s=PATIENCE_S):
        """The next message; `None` if none comes in that time. The end of the connection is an error."""
        end = time.monotonic() + limit_s
        while not self._waiting:
            left = end - time.monotonic()
            if left <= 0:
                return None
            self._line.settimeout(left)
            try:
                data = self._line.recv(65_536)
            except socket.timeout:
                return None
            if not data:
                raise Wrong("the daemon closed the connection")
            *lines, self._rest = (self._rest + data).split(b"\n")
            self._waiting += [self._read(line) for line in lines]
        return self._waiting.pop(0)

    def _read(self, line):
        try:
            message = json.loads(line)
        except ValueError as error:
            raise Wrong(f"{line[:80]!r} is no JSON: {error}") from None
        wrong = self._messages.errors_of_daemon(message)
        if wrong:
            raise Wrong(f"{line[:200]!r} does not fit its schema: {'; '.join(wrong)[:300]}")
        return message

    def heard(self, name, limit_s=PATIENCE_S):
        """The next message of a class; others before it are skipped."""
        end = time.monotonic() + limit_s
        passed = []
        while True:
            message = self.hear(max(0.001, end - time.monotonic()))
            if message is None:
                raise Wrong(f"no {name} came within {limit_s:.0f} s, but {passed}")
            if message["class"] == name:
                return message
            passed.append(message["class"])

    def hears(self, name, limit_s):
        """Whether a message of that class comes in that time."""
        end = time.monotonic() + limit_s
        while True:
            message = self.hear(max(0.001, end - time.monotonic()))
            if message is None or message["class"] == name:
                return message is not None

    def ask(self, data):
        """Sends it, and returns everything before the answer of the VERSION that follows it directly."""
        number = f"fence-{next(self._numbers)}"
        self.send(data if isinstance(data, bytes) else data.encode())
        self.send(said("VERSION", {"id": number}) + "\n")
        answers = []
        while True:
            message = self.hear()
            if message is None:
                raise Wrong(f"no answer to {data[:80]!r} within {PATIENCE_S:.0f} s, but {answers}")
            if message["class"] == "VERSION" and message.get("id") == number:
                return answers
            answers.append(message)

    def error(self, data):
        """The one ERROR in answer to it."""
        answers = [a for a in self.ask(data) if a["class"] not in NEWS]
        if len(answers) != 1 or answers[0]["class"] != "ERROR":
            raise Wrong(f"{data[:80]!r} was answered by {answers}, not by one ERROR")
        return answers[0]

    def answer(self, name, members=None):
        """The one answer to a question, with its id."""
        number = f"ask-{next(self._numbers)}"
        answers = self.ask(said(name, {**(members or {}), "id": number}))
        own = [answer for answer in answers if answer.get("id") == number]
        if not own and name in examples.LATE:
            own = [late for late in [self.hear()] if late is not None and late.get("id") == number]
        if len(own) != 1:
            raise Wrong(f"?{name} was answered by {answers}, not by one message with its id")
        return own[0]

    def is_closed(self, limit_s=PATIENCE_S):
        """Whether the other side ends the connection in that time."""
        try:
            while self.hear(limit_s) is not None:
                pass
        except Wrong:
            return True
        return False


#: The messages that may come to an app at any time, between two answers.
NEWS = {
    "STATE",
    "AUTHORIZATION",
    "ACCURACY",
    "LOCATION",
    "REGION",
    "VISIT",
    "NO_FIX",
    "PAUSED",
    "MOTION",
    "HEADING",
    "DEFERRED_END",
    "WAKE",
    "NOTIFICATION",
}
