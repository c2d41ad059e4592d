# SPDX-License-Identifier: Apache-2.0
"""One app's connection to the daemon, with automatic reconnection.

           +------------> connecting --ok--> HELLO said --WELCOME--> greeted ---+
           |                  | failed           | ERROR                | closed or broken
           +---- pause <------+------------------+----------------------+

Pauses double from 0.1 s to 30 s, each shortened at random by up to half, so that the apps of a restarted daemon do not
all come at once; a welcome resets them. Without messages nothing runs.
"""

from __future__ import annotations

import asyncio
import random
import socket
from typing import Any, Callable, Dict, Mapping, Optional

from .errors import ConnectionLost, MilepostError, ProtocolViolation, Refused, Unavailable
from .messages import Answered, DaemonError, Message, Welcome
from .wire import Lines, encode

#: Seconds.
SHORTEST_PAUSE = 0.1
LONGEST_PAUSE = 30.0
#: The number of first attempts if the app is connected already: within a second.
EARLY_ATTEMPTS = 4
#: The limit of the path of a Unix socket, bytes (unix(7): 108 with the final zero).
PATH_LIMIT = 107


class Connection:
    """Sends and receives messages; each ``ask`` has its answer or an exception."""

    def __init__(
        self,
        app: str,
        path: str,
        hear: Callable[[Message], None],
        lost: Callable[[str], None],
        failed: Callable[[BaseException], None],
    ) -> None:
        self.path = path
        self._app = app
        self._hear = hear
        self._lost = lost
        self._failed = failed
        self._writer: Optional[asyncio.StreamWriter] = None
        self._is_greeted = False
        self._pending: Dict[str, "asyncio.Future[Message]"] = {}
        self._last_id = 0
        self._pause = SHORTEST_PAUSE
        self._task: Optional["asyncio.Task[None]"] = None

    async def open(self, wait: bool) -> None:
        """Returns after the first welcome. Raises the reason of a failure, or with ``wait`` keeps trying."""
        first: "asyncio.Future[None]" = asyncio.get_running_loop().create_future()
        self._task = asyncio.ensure_future(self._guarded(first, wait))
        try:
            await first
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Ends the connection; earlier messages are still written."""
        task, self._task = self._task, None
        writer = self._writer
        if writer is not None and self._is_greeted:
            try:
                await asyncio.wait_for(writer.drain(), 1)
            except (OSError, asyncio.TimeoutError):
                pass
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    # Saying -----------------------------------------------------------------------------------------------

    def say(self, name: str, members: Mapping[str, Any]) -> bool:
        """Sends a message that has no answer; returns whether there is a connection, else nothing is sent."""
        if self._writer is None or not self._is_greeted:
            return False
        self._writer.write(encode(name, members))
        return True

    async def ask(
        self, name: str, members: Mapping[str, Any], is_answered: bool = False
    ) -> Message:
        """Sends a message and waits until the daemon has handled it.

        Most messages have no answer on success. A ``VERSION`` that follows directly has one, and answers come in the
        order of the questions. Raises ``Refused`` and ``ConnectionLost``.
        """
        if self._writer is None or not self._is_greeted:
            raise ConnectionLost("there is no connection to milepostd now")
        self._last_id += 1
        id = str(self._last_id)
        answer: "asyncio.Future[Message]" = asyncio.get_running_loop().create_future()
        question = encode(name, members, id)
        self._pending[id] = answer
        self._writer.write(question if is_answered else question + encode("VERSION", {}, id))
        try:
            return await answer
        finally:
            self._pending.pop(id, None)

    # Hearing ----------------------------------------------------------------------------------------------

    async def _guarded(self, first: "asyncio.Future[None]", wait: bool) -> None:
        """Lets no exception here pass unnoticed."""
        try:
            await self._run(first, wait)
        except Exception as error:
            if first.done():
                self._failed(error)
            else:
                first.set_exception(error)

    async def _run(self, first: "asyncio.Future[None]", wait: bool) -> None:
        attempts = 0
        while True:
            trouble: MilepostError = ConnectionLost("the daemon closed the connection")
            try:
                await self._converse(first)
            except MilepostError as error:
                trouble = error
            except OSError as error:
                trouble = ConnectionLost(f"the connection to the daemon broke: {error}")
            finally:
                self._end(trouble)
            # Another process of the app may just have ended, unknown to the daemon.
            is_early = isinstance(trouble, Refused) and trouble.code == "already_connected"
            attempts += 1
            if not first.done() and not wait and not (is_early and attempts < EARLY_ATTEMPTS):
                first.set_exception(trouble)
                return
            if first.done() or wait:
                self._lost(str(trouble))
            await asyncio.sleep(self._pause * (1 - 0.5 * random.random()))
            self._pause = min(self._pause * 2, LONGEST_PAUSE)

    async def _converse(self, first: "asyncio.Future[None]") -> None:
        reader, self._writer = await self._connect()
        lines = Lines()
        self._writer.write(encode("HELLO", {"app": self._app}))
        while True:
            data = await reader.read(65_536)
            if not data:
                return
            for message in lines.feed(data):
                self._take(message)
                if self._is_greeted and not first.done():
                    first.set_result(None)

    async def _connect(self) -> "tuple[asyncio.StreamReader, asyncio.StreamWriter]":
        size = len(self.path.encode())
        if not 1 <= size <= PATH_LIMIT:
            raise Unavailable(
                f"{self.path}: the path of a socket has 1 to {PATH_LIMIT} bytes, and this has {size}"
            )
        try:
            return await asyncio.open_unix_connection(self.path)
        except (FileNotFoundError, NotADirectoryError, ConnectionRefusedError):
            raise Unavailable(
                f"{self.path}: no milepostd listens here; start it (milepostd), or say where it listens "
                "with path= or MILEPOST_SOCKET"
            ) from None
        except PermissionError:
            raise Unavailable(
                f"{self.path}: permission denied; the socket belongs to another user, and each user runs "
                "a milepostd"
            ) from None

    def _take(self, message: Message) -> None:
        if isinstance(message, Welcome):
            self._is_greeted = True
            self._pause = SHORTEST_PAUSE
        elif isinstance(message, DaemonError) and not self._is_greeted:
            raise Refused(message.code, message.message)
        elif not self._is_greeted:
            raise ProtocolViolation(
                f"milepostd said {type(message).__name__} before it said WELCOME"
            )
        answer = self._pending.get(message.id) if message.id is not None else None
        if isinstance(message, DaemonError) and answer is not None:
            if not answer.done():
                answer.set_exception(Refused(message.code, message.message))
            return
        if not isinstance(message, Answered):
            self._hear(message)
        if answer is not None and not answer.done():
            answer.set_result(message)

    def _end(self, trouble: MilepostError) -> None:
        if self._writer is not None:
            self._writer.close()
        self._writer = None
        self._is_greeted = False
        for answer in self._pending.values():
            if not answer.done():
                answer.set_exception(ConnectionLost(str(trouble)))
        self._pending.clear()


def hand_over(path: str, line: socket.socket) -> str:
    """Gives the daemon a descriptor (unix(7), SCM_RIGHTS); returns ``ok`` or the reason of a failure. Blocks."""
    with socket.socket(socket.AF_UNIX) as courier:
        courier.settimeout(10)
        courier.connect(path)
        socket.send_fds(courier, [b"s"], [line.fileno()])
        answer = b""
        while not answer.endswith(b"\n"):
            data = courier.recv(4_096)
            if not data:
                break
            answer += data
    return answer.decode().strip()
