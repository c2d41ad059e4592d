# SPDX-License-Identifier: Apache-2.0
"""The reading of events by a program: one at a time, each finished before the next.

     queue ---next---> out ---next---> finished (acknowledged)
       ^                |
       +---- closed ----+     put back in front: whoever reads next gets it again

A loop that is left by ``break`` or by an exception does not ask for a next event, so its last one stays
unfinished, unless ``Milepost.acknowledge`` says otherwise.
"""

from __future__ import annotations

import asyncio
from collections import deque
from types import TracebackType
from typing import AsyncIterator, Awaitable, Callable, Deque, Generic, Optional, Type, TypeVar

from .messages import Event

E = TypeVar("E", bound=Event)


class Inbox(Generic[E]):
    """The events of one kind that wait for the program."""

    def __init__(self) -> None:
        self.queue: Deque[E] = deque()
        #: The current reader.
        self.stream: Optional["EventStream[E]"] = None
        #: Whether the program has requested such events, and not stopped since; ``None``: never.
        self.is_wanted: Optional[bool] = None
        self._waiter: Optional["asyncio.Future[None]"] = None

    def put(self, event: E) -> None:
        self.queue.append(event)
        self.wake()

    def wake(self) -> None:
        """Lets the reader check again."""
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def change(self) -> None:
        """Returns when there may be something new."""
        self._waiter = asyncio.get_running_loop().create_future()
        try:
            await self._waiter
        finally:
            self._waiter = None

    def read_by(self, stream: Optional["EventStream[E]"]) -> None:
        """Sets another reader, or none: the previous one ends, and returns its event."""
        if self.stream is not None and self.stream is not stream:
            held = self.stream.give_back()
            if held is not None:
                self.queue.appendleft(held)
        self.stream = stream
        self.wake()


class EventStream(AsyncIterator[E]):
    """Events as they come: ``async for event in stream``.

    Requesting the next event marks the previous one as processed; it is acknowledged, and never comes again. ``async
    with`` around the loop stops the service after it.
    """

    def __init__(
        self,
        inbox: Inbox[E],
        begin: Callable[[], Awaitable[None]],
        end: Callable[[], Awaitable[None]],
        finish: Callable[[Event], None],
        check: Callable[[], bool],
        outlives_process: bool = True,
    ) -> None:
        self._inbox = inbox
        self._begin = begin
        self._end = end
        self._finish = finish
        self._check = check
        self._outlives_process = outlives_process
        self._out: Optional[E] = None
        self._has_begun = False

    def __aiter__(self) -> "EventStream[E]":
        return self

    async def __anext__(self) -> E:
        if not self._has_begun:
            await self.begin()
        out, self._out = self._out, None
        if out is not None:
            self._finish(out)
        while True:
            # Raises the exception that ended the app, if there is one.
            is_open = self._check()
            if self._inbox.stream is not self or not is_open:
                raise StopAsyncIteration
            if self._inbox.queue:
                self._out = self._inbox.queue.popleft()
                return self._out
            await self._inbox.change()

    async def begin(self) -> None:
        """Requests such events from the daemon; reading the first one does it too."""
        self._has_begun = True
        self._inbox.is_wanted = True
        self._inbox.read_by(self)
        await self._begin()

    async def stop(self) -> None:
        """Ends the daemon's delivery of such events, and the stream.

        The last event read counts as processed; unread ones are dropped.
        """
        out, self._out = self._out, None
        if out is not None:
            self._finish(out)
        if self._inbox.stream is self:
            self._inbox.read_by(None)
            self._inbox.is_wanted = False
            while self._inbox.queue:
                self._finish(self._inbox.queue.popleft())
            await self._end()

    def give_back(self) -> Optional[E]:
        out, self._out = self._out, None
        return out

    def forget(self, event: Event) -> None:
        """Forgets the event: it was acknowledged by hand."""
        if self._out is event:
            self._out = None

    async def __aenter__(self) -> "EventStream[E]":
        await self.begin()
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        if error is None:
            await self.stop()
        elif self._inbox.stream is self:
            # Unprocessed events stay so; a service that relaunches the app continues.
            self._inbox.read_by(None)
            if not self._outlives_process:
                await self._end()
