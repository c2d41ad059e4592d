# SPDX-License-Identifier: Apache-2.0
"""The part between the daemon's messages and the program: it distributes messages, and ends the work of wakes.

Wishes (services, regions, tasks under way, …) are kept and repeated at each welcome. Events go into the inbox of their
kind, and each is acknowledged when it and all before it are processed. After a wake the daemon waits for the end of the
work: that is reported when nothing is open any more and nothing else keeps the app busy.
"""

from __future__ import annotations

import asyncio
import inspect
import os
import sys
from functools import partial
from typing import (
    AbstractSet,
    Any,
    Awaitable,
    Callable,
    Dict,
    List,
    Mapping,
    Optional,
    Set,
    Tuple,
    Type,
    TypeVar,
    Union,
)

from .background import DELIVERED, RETURNING, Calls
from .connection import Connection
from .deliveries import Arrival, Deliveries
from .errors import ConnectionLost, NotAuthorized, Refused, RequestFailed
from .messages import (
    AccuracyChanged,
    AudioStopped,
    AuthorizationChanged,
    DeferralEnded,
    Disconnected,
    Event,
    LocationUpdate,
    Lost,
    Message,
    Motion,
    RegionAnswer,
    RegionEvent,
    RegionFailed,
    RequestFailedMessage,
    StateChanged,
    VisitEvent,
    Wake,
    Welcome,
)
from .streams import Inbox
from .values import Accuracy, AppState, Authorization, FetchResult, RegionState, Service, WakeReason
from .wire import default_path

M = TypeVar("M", bound=Message)
Handler = Callable[[M], Union[Awaitable[Any], Any]]
Wish = Tuple[str, Dict[str, Any]]

#: The error for waiting callers when the app is closed.
CLOSED = "the app was closed, and milepostd had not answered"
#: The limit of events that wait although this process never requested their kind; then the oldest are dropped. Less
#: than the 64 that the daemon sends ahead of an acknowledgement, so that they never block the others.
UNASKED_LIMIT = 32
#: The limit of finished events behind an event whose kind this process never requested; then that one is dropped, for
#: it alone holds their acknowledgement back. A loop that begins right after the launch still gets its events.
BEHIND_LIMIT = 8
#: The limit of stops of regions that are remembered until a welcome shows that the daemon has deleted the region: more
#: than the 20 that it can have.
STOPPED_LIMIT = 256


class Session:
    """The part of ``Milepost`` that the daemon drives."""

    def __init__(
        self,
        app: Optional[str] = None,
        *,
        path: Optional[str] = None,
        wait: bool = False,
        ends_work_itself: bool = False,
    ) -> None:
        name = app or os.environ.get("MILEPOST_APP") or os.path.basename(sys.argv[0])
        #: The name under which the daemon knows the app.
        self.name = name
        self.state: Optional[AppState] = None
        self.authorization: Optional[Authorization] = None
        #: The accuracy that the app is allowed.
        self.accuracy = Accuracy.FULL
        #: The reason why the daemon launched this process; ``None`` if its user did.
        self.launch_reason: Optional[WakeReason] = None
        #: The newest welcome.
        self.welcome: Optional[Welcome] = None
        self._wait = wait
        self._ends_work_itself = ends_work_itself
        self._connection = Connection(
            name, path or default_path(), self._hear, self._lost, self._fail
        )
        self._deliveries = Deliveries()
        self._significant: Inbox[LocationUpdate] = Inbox()
        self._standard: Inbox[LocationUpdate] = Inbox()
        self._regions: Inbox[RegionEvent] = Inbox()
        self._visits: Inbox[VisitEvent] = Inbox()
        self._wishes: Dict[str, Wish] = {}
        self._handlers: Dict[Type[Message], List[Callable[[Any], Any]]] = {}
        self._tasks: Set["asyncio.Task[None]"] = set()
        self._calls = Calls()
        #: The ends of calls that there was no connection for, the newest of each reason, and that of the wake's work.
        self._unsaid: Dict[Optional[WakeReason], Wish] = {}
        self._requests: List["asyncio.Future[LocationUpdate]"] = []
        self._questions: Dict[str, List["asyncio.Future[RegionState]"]] = {}
        self._refused_regions: Dict[str, str] = {}
        self._owes_done = False
        #: Launched for an event that has not arrived yet.
        self._awaits_work = False
        self._has_complained = False
        self._greeted: Optional["asyncio.Future[None]"] = None
        self._failure: Optional[BaseException] = None
        self._closed: Optional["asyncio.Future[None]"] = None

    # Saying -----------------------------------------------------------------------------------------------

    async def _wish(self, key: str, name: str, members: Mapping[str, Any]) -> None:
        """Sends a lasting setting; without a connection the next welcome sends it."""
        self._wishes[key] = (name, dict(members))
        try:
            await self._connection.ask(name, members)
        except ConnectionLost:
            pass
        except Refused:
            self._wishes.pop(key, None)
            raise

    async def _ask(
        self, name: str, members: Mapping[str, Any], is_answered: bool = True
    ) -> Message:
        """Sends a request once, and again if the connection ends before it is answered."""
        while True:
            try:
                return await self._connection.ask(name, members, is_answered)
            except ConnectionLost:
                if not self._check():
                    raise
                await self._greeting()

    async def _greeting(self) -> None:
        """Returns at the next welcome, or when the app is closed."""
        if self._greeted is None or self._greeted.done():
            self._greeted = asyncio.get_running_loop().create_future()
        await asyncio.shield(self._greeted)

    # Hearing ----------------------------------------------------------------------------------------------

    def _hear(self, message: Message) -> None:
        if isinstance(message, Event):
            return self._arrived(message)
        if isinstance(message, Welcome):
            self._welcomed(message)
        elif isinstance(message, StateChanged):
            self.state = message.state
        elif isinstance(message, AuthorizationChanged):
            self._authorized(message.authorization)
        elif isinstance(message, AccuracyChanged):
            self.accuracy = message.accuracy
        elif isinstance(message, DeferralEnded):
            self._wishes.pop("deferral", None)
        elif isinstance(message, RequestFailedMessage):
            self._answer_requests(RequestFailed(message.reason))
        elif isinstance(message, RegionFailed):
            self._refused_regions[message.identifier] = message.reason
        elif isinstance(message, RegionAnswer):
            for question in self._questions.get(message.identifier, []):
                if not question.done():
                    question.set_result(message.state)
        elif isinstance(message, Motion):
            self._awaits_work = False
            self._owes_done = self._owes_done or self.state == AppState.BACKGROUND
        elif isinstance(message, AudioStopped):
            self._wishes.pop("audio", None)
        elif isinstance(message, Wake):
            self._calls.came(message)
            return self._call()
        self._tell(message)
        self._say_done()

    def _welcomed(self, welcome: Welcome) -> None:
        is_first = self.welcome is None
        self._has_complained = False
        self.welcome = welcome
        self.state = welcome.state
        self._deliveries.greeted(welcome.acknowledged)
        if is_first:
            self.launch_reason = welcome.launch_reason
            self._awaits_work = welcome.launch_reason is not None
            self._owes_done = self._awaits_work and welcome.launch_reason not in RETURNING
        self.accuracy = welcome.accuracy
        self._authorized(welcome.authorization)
        self._forget_stops({region.identifier for region in welcome.regions})
        for key, (name, members) in list(self._wishes.items()):
            if key != "authorize" or welcome.authorization == Authorization.NOT_DETERMINED:
                self._connection.say(name, members)
        for identifier, waiting in self._questions.items():
            if waiting:
                self._connection.say("REGION_STATE", {"identifier": identifier})
        for name, members in self._unsaid.values():
            self._connection.say(name, members)
        self._unsaid.clear()
        if is_first and welcome.launch_reason not in (None, *DELIVERED):
            assert welcome.launch_reason is not None
            # The call came before any handler existed.
            self._calls.came(Wake(reason=welcome.launch_reason))
            self._call()
        if self._greeted is not None and not self._greeted.done():
            self._greeted.set_result(None)

    def _forget_stops(self, monitored: AbstractSet[str]) -> None:
        """Keeps the stops of regions that the daemon still has: they are sent again."""
        for key, (name, members) in list(self._wishes.items()):
            if name == "STOP_REGION" and members["identifier"] not in monitored:
                del self._wishes[key]

    def _authorized(self, authorization: Authorization) -> None:
        self.authorization = authorization
        if authorization in (Authorization.DENIED, Authorization.RESTRICTED):
            self._answer_requests(
                NotAuthorized(f"the user does not allow locations ({authorization.value})")
            )

    def _answer_requests(self, answer: Union[LocationUpdate, Exception]) -> None:
        for request in self._requests:
            if request.done():
                continue
            if isinstance(answer, Exception):
                request.set_exception(answer)
            else:
                request.set_result(answer)
        self._wishes.pop("request", None)

    def _lost(self, reason: str) -> None:
        """Reports once that the connection is gone, or an attempt failed."""
        if not self._has_complained:
            self._has_complained = True
            self._tell(Disconnected(reason=reason))

    # Events -----------------------------------------------------------------------------------------------

    def _arrived(self, event: Event) -> None:
        arrival = self._deliveries.arrived(event)
        if arrival is Arrival.FINISHED:
            self._connection.say("ACK", {"sequence": self._deliveries.acknowledged})
        if arrival is not Arrival.NEW:
            return
        self._awaits_work = False
        inbox = self._inbox(event)
        is_for_request = False
        if inbox is not self._standard:
            self._owes_done = self._owes_done or self.state == AppState.BACKGROUND
        elif isinstance(event, LocationUpdate) and not event.cached:
            is_for_request = bool(self._requests)
            self._answer_requests(event)
        if inbox.is_wanted is False or (is_for_request and not inbox.is_wanted):
            # Stopped while it was under way; or it was for a single request, which has it.
            return self._finish(event)
        inbox.put(event)
        self._give_up_unasked()

    def _give_up_unasked(self) -> None:
        """Drops the oldest unrequested events, if they are too many or hold too many finished ones back."""
        unasked = [e for box in self._inboxes() if box.is_wanted is None for e in box.queue]
        unasked.sort(key=lambda event: event.sequence)
        while unasked and (
            len(unasked) > UNASKED_LIMIT
            or self._deliveries.held_back_by(unasked[0]) >= BEHIND_LIMIT
        ):
            oldest = unasked.pop(0)
            self._inbox(oldest).queue.remove(oldest)
            self._acknowledge(oldest)
            self._tell(Lost(count=1))

    def _inbox(self, event: Event) -> "Inbox[Any]":
        if isinstance(event, RegionEvent):
            return self._regions
        if isinstance(event, VisitEvent):
            return self._visits
        is_significant = isinstance(event, LocationUpdate) and event.service == Service.SIGNIFICANT
        return self._significant if is_significant else self._standard

    def _inboxes(self) -> "Tuple[Inbox[Any], ...]":
        return (self._significant, self._standard, self._regions, self._visits)

    def _finish(self, event: Event) -> None:
        self._acknowledge(event)
        self._give_up_unasked()
        self._say_done()

    def _acknowledge(self, event: Event) -> None:
        number = self._deliveries.finished(event)
        if number is not None:
            self._connection.say("ACK", {"sequence": number})

    def _say_done(self) -> None:
        if not self._owes_done or self._ends_work_itself or self._awaits_work:
            return
        is_busy = self._deliveries.open_count > 0 or self._calls.is_busy or bool(self._tasks)
        keeps_running = self._standard.is_wanted or self._requests or self._has_task
        if not is_busy and not keeps_running:
            # Without a connection the next welcome sends it.
            self._owes_done = not self._connection.say("DONE", {})

    @property
    def _has_task(self) -> bool:
        return any(name == "BEGIN_TASK" for name, _ in self._wishes.values())

    # Handlers ---------------------------------------------------------------------------------------------

    def _tell(self, message: Message) -> None:
        for handler in self._handlers.get(type(message), []):
            self._start(handler, message, lambda _: None)

    def _call(self) -> None:
        """Begins the waiting calls, if there is a handler for them."""
        handlers = self._handlers.get(Wake)
        if not handlers:
            return
        for wake in self._calls.begin():
            self._awaits_work = False
            self._start(handlers[-1], wake, partial(self._returned, wake))

    def _returned(self, wake: Wake, result: object) -> None:
        said = self._calls.returned(wake, result if isinstance(result, FetchResult) else None)
        if said is not None:
            if not self._connection.say(*said):
                self._unsaid[wake.reason] = said
        elif wake.reason not in RETURNING:
            self._owes_done = True
        self._say_done()

    def _start(
        self, handler: Callable[[Any], Any], message: Message, then: Callable[[object], None]
    ) -> None:
        try:
            result = handler(message)
            if not inspect.isawaitable(result):
                return then(result)
        except Exception as error:
            then(FetchResult.FAILED)
            return self._fail(error)

        async def finish(work: Awaitable[Any]) -> None:
            try:
                value = await work
            except Exception as error:
                then(FetchResult.FAILED)
                self._fail(error)
            else:
                then(value)

        task = asyncio.ensure_future(finish(result))
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        self._say_done()

    def _fail(self, error: BaseException) -> None:
        """Ends the app after an exception in a handler, like a crashing process."""
        if self._failure is None:
            self._failure = error
        self._end()

    def _end(self) -> None:
        """Ends the app: all waits for the daemon end."""
        if self._closed is not None and not self._closed.done():
            self._closed.set_result(None)
        for inbox in self._inboxes():
            inbox.wake()
        if self._greeted is not None and not self._greeted.done():
            self._greeted.set_result(None)
        waiting: List["asyncio.Future[Any]"] = list(self._requests)
        for questions in self._questions.values():
            waiting += questions
        for answer in waiting:
            if not answer.done():
                answer.set_exception(self._failure or ConnectionLost(CLOSED))

    def _check(self) -> bool:
        """Checks that the app is open; raises the exception of a handler."""
        if self._failure is not None:
            raise self._failure
        return self._closed is not None and not self._closed.done()
