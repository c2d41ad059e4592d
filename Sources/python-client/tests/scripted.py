# SPDX-License-Identifier: Apache-2.0
"""A daemon that sends the messages of a test."""

import asyncio
import json
import os
import shutil
import tempfile

WELCOME = {
    "class": "WELCOME",
    "release": "0.2.0",
    "app": "walker",
    "state": "active",
    "authorization": "always",
    "launch_reason": None,
    "monitors_significant_changes": False,
    "acknowledged": 0,
}
FIX = {
    "time": "2026-05-04T07:08:09.500Z",
    "latitude": 45.5231,
    "longitude": 13.5688,
    "accuracy_m": 4.5,
    "altitude_m": 12.25,
    "ellipsoidal_height_m": None,
    "vertical_accuracy_m": None,
    "speed_mps": 1.5,
    "course_deg": 271,
    "hdop": 0.9,
    "satellites": 9,
    "source": "gnss",
}


def location(sequence, service="significant", **fix):
    return {
        "class": "LOCATION",
        "sequence": sequence,
        "service": service,
        "received": "2026-05-04T07:08:09.750Z",
        "cached": False,
        "moved_m": None,
        "since_s": None,
        "fix": {**FIX, **fix},
    }


def region(sequence, identifier="home"):
    return {
        "class": "REGION",
        "sequence": sequence,
        "identifier": identifier,
        "event": "entered",
        "state": "inside",
        "time": None,
        "received": "2026-05-04T07:08:09.750Z",
    }


class ScriptedDaemon:
    """Welcomes every client, answers VERSION, and keeps the received messages."""

    def __init__(self, **welcome):
        self.folder = tempfile.mkdtemp(prefix="mp-")
        self.path = os.path.join(self.folder, "s")
        self.welcome = {**WELCOME, **welcome}
        #: Answers by the message's name, instead of none: a list of objects, or a function that makes one.
        self.answers = {}
        self.heard = []
        self.connections = 0
        self._writer = None
        self._server = None
        self._news = asyncio.Event()

    async def __aenter__(self):
        await self.listen()
        return self

    async def listen(self):
        self._server = await asyncio.start_unix_server(self._serve, self.path)

    async def __aexit__(self, *_):
        await self.hang_up()
        shutil.rmtree(self.folder)

    async def hang_up(self):
        """Ends like a stopped daemon."""
        self._server.close()
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def drop(self):
        """Ends the connection; the client may come again."""
        self._writer.close()

    async def _serve(self, reader, writer):
        self.connections += 1
        self._writer = writer
        try:
            async for line in reader:
                for text in line.decode().split(";\n"):
                    if text:
                        self._take(text)
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    def _take(self, text):
        name, _, members = text[1:].partition("=")
        said = json.loads(members) if members else {}
        self.heard.append((name, {k: v for k, v in said.items() if k != "id"}))
        self._news.set()
        answers = self.answers.get(name)
        if name == "HELLO" and answers is None:
            answers = [self.welcome]
        if name == "VERSION":
            answers = [{"class": "VERSION", "release": "0.2.0"}]
        for answer in answers or []:
            self.say({**answer, "id": said["id"]} if "id" in said else answer)

    def say(self, *messages):
        for message in messages:
            line = message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n"
            self._writer.write(line)

    def said(self, name):
        """The members of each message of this name, in order."""
        return [members for heard, members in self.heard if heard == name]

    async def hears(self, name, count=1):
        """Waits until the client has sent that, this number of times; at most 10 s."""

        async def wait():
            while len(self.said(name)) < count:
                self._news.clear()
                await self._news.wait()
            return self.said(name)[count - 1]

        return await asyncio.wait_for(wait(), 10)
