# SPDX-License-Identifier: Apache-2.0
"""The app as milepostd knows it: the API for programs."""

from __future__ import annotations

import asyncio
import os
import socket
from types import TracebackType
from typing import Any, Dict, Mapping, Optional, Tuple, Type, cast

from .connection import hand_over
from .errors import ConnectionLost, Refused, RegionRefused
from .messages import (
    AuthorizationChanged,
    Event,
    LocationUpdate,
    Message,
    Notifications,
    RegionEvent,
    TimeRemaining,
    VisitEvent,
    Wake,
    read_message,
)
from .session import CLOSED, STOPPED_LIMIT, Handler, M, Session
from .streams import EventStream, Inbox
from .values import (
    ACCURACY_BEST,
    Authorization,
    Notification,
    Region,
    RegionState,
    Service,
)


class Milepost(Session):
    """A connection to milepostd as one app, which reconnects by itself after the daemon was gone.

    ::

        async with Milepost.connect("commuter") as app:
            await app.request_authorization(Authorization.ALWAYS)
            async for event in app.significant_changes():
                print(event.fix.latitude, event.fix.longitude)

    Requests are repeated after each reconnection. Methods raise ``Refused`` with the daemon's words; a method that is
    called without a connection takes effect with the next one.

    An exception in a handler ends the app: the ``async with`` block, and each loop in it, raises it.
    """

    @classmethod
    def connect(
        cls,
        app: Optional[str] = None,
        *,
        path: Optional[str] = None,
        wait: bool = False,
        ends_work_itself: bool = False,
    ) -> "Milepost":
        """The app of this name, to be used with ``async with``.

        Without a name it is ``MILEPOST_APP``, which the daemon sets for the programs that it starts, else the
        program's. ``path`` is the daemon's socket, by default the one of ``milepost``. If no daemon listens, opening
        raises ``Unavailable``; with ``wait`` it tries until there is one. After a wake the client reports the work as
        done when all events are processed; with ``ends_work_itself`` the program does (``done``).
        """
        return cls(app, path=path, wait=wait, ends_work_itself=ends_work_itself)

    async def open(self) -> "Milepost":
        """Connects. Raises ``Unavailable``, or ``Refused`` if the daemon does not accept the app."""
        self._closed = asyncio.get_running_loop().create_future()
        await self._connection.open(self._wait)
        return self

    async def close(self) -> None:
        """Ends the connection. Unprocessed events come again to the next process."""
        for task in list(self._tasks):
            if task is not asyncio.current_task():
                task.cancel()
        self._end()
        await self._connection.close()

    async def __aenter__(self) -> "Milepost":
        return await self.open()

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        await self.close()
        if error is None and self._failure is not None:
            raise self._failure

    async def run(self) -> None:
        """Waits until ``close`` is called, for a program that has only handlers; raises the exception of a handler."""
        if self._closed is not None:
            await asyncio.shield(self._closed)
        self._check()

    @staticmethod
    def launch_event(environment: Optional[Mapping[str, str]] = None) -> Optional[Message]:
        """The event that this process was launched for, from its environment; it is delivered too."""
        line = (os.environ if environment is None else environment).get("MILEPOST_LAUNCH_LOCATION")
        return read_message(line) if line else None

    # Locations --------------------------------------------------------------------------------------------

    async def request_authorization(self, level: Authorization) -> Authorization:
        """Asks the user for ``WHEN_IN_USE`` or ``ALWAYS``; returns the current authorization.

        The user decides later, with ``milepost apps authorize``: ``AuthorizationChanged`` reports it.
        """
        members = {"authorization": level.value}
        self._wishes["authorize"] = ("AUTHORIZE", members)
        answer = await self._ask("AUTHORIZE", members)
        return cast(AuthorizationChanged, answer).authorization

    def significant_changes(self) -> "EventStream[LocationUpdate]":
        """Positions after each significant change, also those that wake or relaunch the app.

        The service outlives the loop and the process; ``stop`` on the stream, or ``async with``, ends it.
        """
        return self._location_stream(self._significant, Service.SIGNIFICANT, {})

    def standard_updates(
        self,
        *,
        desired_accuracy_m: float = ACCURACY_BEST,
        distance_filter_m: Optional[float] = None,
        pauses_automatically: bool = False,
        allows_background_updates: bool = True,
    ) -> "EventStream[LocationUpdate]":
        """Positions for as long as the app runs; with the mode ``location`` they keep it running.

        ``distance_filter_m`` is the distance between two positions, ``None`` delivers every one. With
        ``pauses_automatically`` they pause while the device rests (``Paused``, and ``Motion`` afterwards). An app has
        one such service: another call changes it, and takes over its events.
        """
        members: Dict[str, Any] = {
            "desired_accuracy_m": desired_accuracy_m,
            "distance_filter_m": distance_filter_m,
            "pauses_automatically": pauses_automatically,
            "allows_background_updates": allows_background_updates,
        }
        return self._location_stream(self._standard, Service.STANDARD, members)

    def continuous_updates(
        self, *, desired_accuracy_m: float = ACCURACY_BEST, distance_filter_m: Optional[float] = None
    ) -> "EventStream[LocationUpdate]":
        """Standard updates that continue in the background; the app's manifest declares the mode ``location``."""
        return self.standard_updates(
            desired_accuracy_m=desired_accuracy_m, distance_filter_m=distance_filter_m
        )

    async def request_location(self, desired_accuracy_m: float = ACCURACY_BEST) -> LocationUpdate:
        """One position, within about 10 s.

        Raises ``RequestFailed`` and ``NotAuthorized``, and ``ConnectionLost`` if the app is closed meanwhile.
        """
        answer: "asyncio.Future[LocationUpdate]" = asyncio.get_running_loop().create_future()
        self._requests.append(answer)
        try:
            await self._wish("request", "REQUEST", {"desired_accuracy_m": desired_accuracy_m})
            if self._closed is not None and not self._check():
                raise ConnectionLost(CLOSED)
            return await answer
        finally:
            self._requests.remove(answer)
            if not self._requests:
                self._wishes.pop("request", None)
            self._say_done()

    async def monitor_motion(self, enable: bool = True) -> None:
        """Sets whether the app is woken (``Motion``) when the device begins to move."""
        await self._wish("motion", "MOTION", {"enable": enable})

    async def monitor_heading(
        self, enable: bool = True, *, filter_deg: Optional[float] = None
    ) -> None:
        """Sets whether headings are reported (``HeadingChanged``), each time that one differs by ``filter_deg`` (0 to
        180; ``None``: every heading) from the last reported one."""
        members: Dict[str, Any] = {"enable": enable}
        if filter_deg is not None:
            members["filter_deg"] = filter_deg
        await self._wish("heading", "HEADING", members)

    async def defer_updates(
        self, *, distance_m: Optional[float] = None, timeout_s: Optional[float] = None
    ) -> None:
        """Defers continuous updates in the background, up to a distance and a time (``None``: no limit), while the app
        is suspended. Ends with one ``DeferralEnded``, at once if the daemon cannot defer."""
        members: Dict[str, Any] = {"enable": True}
        if distance_m is not None:
            members["distance_m"] = distance_m
        if timeout_s is not None:
            members["timeout_s"] = timeout_s
        await self._wish("deferral", "DEFER", members)

    async def stop_deferring(self) -> None:
        """Requests the deferred updates now."""
        await self._wish("deferral", "DEFER", {"enable": False})
        self._wishes.pop("deferral", None)

    # Places -----------------------------------------------------------------------------------------------

    async def monitor_region(self, region: Region) -> None:
        """Reports entries and exits from now on, also to a process that is launched for them.

        Raises ``RegionRefused``, as for the 21st region or a radius beyond the limits.
        """
        self._refused_regions.pop(region.identifier, None)
        key = f"region {region.identifier}"
        await self._wish(key, "REGION", region.members())
        reason = self._refused_regions.pop(region.identifier, None)
        if reason is not None:
            self._wishes.pop(key, None)
            raise RegionRefused(region.identifier, reason)

    async def stop_monitoring_region(self, identifier: str) -> None:
        """Stops monitoring the region."""
        await self._wish(f"region {identifier}", "STOP_REGION", {"identifier": identifier})
        stops = [key for key, (name, _) in self._wishes.items() if name == "STOP_REGION"]
        for key in stops[:-STOPPED_LIMIT]:
            del self._wishes[key]

    async def region_state(self, identifier: str) -> RegionState:
        """The device's position relative to a monitored region; ``UNKNOWN`` after 60 s.

        Raises ``ConnectionLost`` if the app is closed meanwhile.
        """
        answer: "asyncio.Future[RegionState]" = asyncio.get_running_loop().create_future()
        waiting = self._questions.setdefault(identifier, [])
        waiting.append(answer)
        try:
            await self._ask("REGION_STATE", {"identifier": identifier}, is_answered=False)
            return await answer
        finally:
            waiting.remove(answer)
            if not waiting:
                self._questions.pop(identifier, None)

    def region_events(self) -> "EventStream[RegionEvent]":
        """Entries and exits of the regions of ``monitor_region``, until ``stop_monitoring_region``."""
        return EventStream(self._regions, _nothing, _nothing, self._finish, self._check)

    def visits(self) -> "EventStream[VisitEvent]":
        """Arrivals and departures. The service outlives the loop and the process, as significant changes do."""

        async def enable(isOn: bool) -> None:
            await self._wish("visits", "VISITS", {"enable": isOn})

        return EventStream(
            self._visits, lambda: enable(True), lambda: enable(False), self._finish, self._check
        )

    # In the background ------------------------------------------------------------------------------------

    async def begin_task(self, task: int, name: str = "") -> None:
        """Begins a background task with a number chosen by the app: it keeps the app running until ``end_task``."""
        members: Dict[str, Any] = {"task": task}
        if name:
            members["name"] = name
        await self._wish(f"task {task}", "BEGIN_TASK", members)

    async def end_task(self, task: int) -> None:
        """Ends the task of this number."""
        self._wishes.pop(f"task {task}", None)
        await self._ask("END_TASK", {"task": task}, is_answered=False)
        self._say_done()

    async def time_remaining(self) -> Optional[float]:
        """The remaining run time of the app, seconds; ``None`` is without a limit."""
        return cast(TimeRemaining, await self._ask("TIME_REMAINING", {})).remaining_s

    async def set_fetch_interval(self, interval_s: Optional[float]) -> None:
        """Sets the interval of fetch calls (``Wake``), seconds; ``None`` is never. Needs the mode ``fetch``."""
        await self._wish("fetch", "FETCH", {"interval_s": interval_s})

    async def set_keep_alive(self, interval_s: Optional[float]) -> None:
        """Sets the interval of keep-alive calls, 600 s or more; ``None`` is never. Needs the mode ``voip``."""
        await self._wish("keep_alive", "KEEP_ALIVE", {"interval_s": interval_s})

    async def hand_over(self, line: socket.socket) -> None:
        """Has the daemon watch the app's signalling socket while the app is frozen: data on it thaws the app
        (``Wake`` with the reason ``SOCKET``). Needs the mode ``voip``, and an era that has it.

        The app keeps its own descriptor, and reads the data. After a restart of the daemon (``Welcome``) it must be
        handed over again. Raises ``Refused`` with the daemon's words.
        """
        await self._wish("socket", "SOCKET", {"enable": True})
        path = f"{self._connection.path}.handover"
        loop = asyncio.get_running_loop()
        try:
            answer = await loop.run_in_executor(None, hand_over, path, line)
        except OSError as error:
            raise ConnectionLost(f"{path}: the socket cannot be handed over: {error}") from None
        if not answer:
            raise ConnectionLost(
                f"{path}: milepostd closed the line before it answered; hand the socket over again"
            )
        if answer != "ok":
            self._wishes.pop("socket", None)
            raise Refused("not_possible", answer)

    async def stop_watching_socket(self) -> None:
        """Stops watching the socket that was handed over."""
        await self._wish("socket", "SOCKET", {"enable": False})

    async def play_audio(self, enable: bool) -> None:
        """Sets whether the app plays audio, which keeps it running if its manifest declares ``audio``."""
        await self._wish("audio", "AUDIO", {"enable": enable})

    async def notify(self, notification: Notification) -> None:
        """Notifies the user, now or at a given time."""
        await self._ask("NOTIFY", notification.members(), is_answered=False)

    async def cancel_notification(self, identifier: Optional[str]) -> None:
        """Cancels a notification; ``None`` cancels all."""
        await self._ask("CANCEL", {"identifier": identifier}, is_answered=False)

    async def notifications(self) -> Tuple[Notification, ...]:
        """The pending notifications."""
        return cast(Notifications, await self._ask("NOTIFICATIONS", {})).notifications

    def done(self) -> None:
        """Ends the work for which the app was woken: it may be suspended."""
        self._owes_done = False
        if not self._connection.say("DONE", {}):
            self._unsaid[None] = ("DONE", {})

    # Being told -------------------------------------------------------------------------------------------

    def on(self, kind: Type[M], handler: Handler[M]) -> None:
        """Calls ``handler`` with each message of this kind, as in ``app.on(StateChanged, print)``.

        An ``async`` handler runs as a task. ``Wake`` has one handler, the last one given; its result (a
        ``FetchResult``, or nothing) is sent to the daemon, and calls from before it was set come then.
        """
        self._handlers.setdefault(kind, []).append(handler)
        if kind is Wake:
            self._call()

    def acknowledge(self, event: Event) -> None:
        """Marks the event as processed, so that it never comes again: for a loop that is left before the next one."""
        for inbox in self._inboxes():
            if inbox.stream is not None:
                inbox.stream.forget(event)
        self._finish(event)

    def _location_stream(
        self, inbox: "Inbox[LocationUpdate]", service: Service, members: Dict[str, Any]
    ) -> "EventStream[LocationUpdate]":
        key = f"start {service.value}"

        async def begin() -> None:
            await self._wish(key, "START", {"service": service.value, **members})

        async def end() -> None:
            await self._wish(key, "STOP", {"service": service.value})
            self._say_done()

        return EventStream(
            inbox, begin, end, self._finish, self._check, service is Service.SIGNIFICANT
        )


async def _nothing() -> None:
    """Does nothing: regions are requested one by one."""
