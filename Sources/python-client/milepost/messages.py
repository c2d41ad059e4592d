# SPDX-License-Identifier: Apache-2.0
"""What the daemon says to an app, one class for each class of message."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Callable, Dict, Optional, Tuple, Union

from .errors import ProtocolViolation
from .values import (
    Accuracy,
    AppState,
    Authorization,
    DeferralEnd,
    Fix,
    HeadingSource,
    Notification,
    Reader,
    Region,
    RegionState,
    Service,
    WakeReason,
)


@dataclass(frozen=True)
class Message:
    """Anything that the daemon says."""

    #: What the client called the message that this answers; ``None`` where it answers none.
    id: Optional[str] = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Welcome(Message):
    """The connection stands. It comes first, and again after each reconnection."""

    release: str = ""
    app: str = ""
    state: AppState = AppState.NOT_RUNNING
    authorization: Authorization = Authorization.NOT_DETERMINED
    #: Why the daemon started this process; ``None`` where its user did.
    launch_reason: Optional[WakeReason] = None
    monitors_significant_changes: bool = False
    #: The number of the last acknowledged event; 0 before the first.
    acknowledged: int = 0
    #: What is monitored, also from earlier processes.
    regions: Tuple[Region, ...] = ()
    monitors_visits: bool = False
    #: Where the device was last, where the app may know it.
    location: Optional[Fix] = None
    #: How exactly the app may know.
    accuracy: Accuracy = Accuracy.FULL


@dataclass(frozen=True)
class Event(Message):
    """Something that is handed over under a number, and comes again until that is acknowledged."""

    #: Counted by the daemon for the app, from 1.
    sequence: int = 0
    #: When the daemon decided it, UTC of its host.
    received: Optional[datetime] = None


@dataclass(frozen=True)
class LocationUpdate(Event):
    """A position."""

    service: Service = Service.STANDARD
    fix: Fix = Fix(None, 0.0, 0.0)
    #: Whether the position is older than the wish for it.
    cached: bool = False
    #: Metres and seconds since the last position of this service.
    moved_m: Optional[float] = None
    since_s: Optional[float] = None


@dataclass(frozen=True)
class RegionEvent(Event):
    """The border of a region was crossed."""

    identifier: str = ""
    #: Whether the device came in; else it left.
    entered: bool = False
    #: Of the position that showed it.
    time: Optional[datetime] = None


@dataclass(frozen=True)
class VisitEvent(Event):
    """A stay began, or is over."""

    #: Whether it is over.
    departed: bool = False
    latitude: float = 0.0
    longitude: float = 0.0
    #: Horizontal 68 % radius, metres.
    accuracy_m: Optional[float] = None
    #: ``None`` where nobody saw it.
    arrival: Optional[datetime] = None
    #: ``None`` while the device is there.
    departure: Optional[datetime] = None


@dataclass(frozen=True)
class RegionAnswer(Message):
    """Where the device is relative to a region: the answer to a question."""

    identifier: str = ""
    state: RegionState = RegionState.UNKNOWN


@dataclass(frozen=True)
class StateChanged(Message):
    """The app came to the front, or left it. Nothing is said before a suspension, as on a phone."""

    state: AppState = AppState.NOT_RUNNING


@dataclass(frozen=True)
class WillTerminate(Message):
    """The app is ended in so many seconds."""

    remaining_s: float = 0.0


@dataclass(frozen=True)
class AuthorizationChanged(Message):
    """What the user allows now."""

    authorization: Authorization = Authorization.NOT_DETERMINED


@dataclass(frozen=True)
class AccuracyChanged(Message):
    """How exactly the user lets the app know from now on."""

    accuracy: Accuracy = Accuracy.FULL


@dataclass(frozen=True)
class HeadingChanged(Message):
    """Where the device points to, or without a compass moves to; comes where ``monitor_heading`` asked for it."""

    source: HeadingSource = HeadingSource.COMPASS
    #: Degrees clockwise from true and from magnetic north, 0 to 360; ``None`` is unknown.
    true_deg: Optional[float] = None
    magnetic_deg: Optional[float] = None
    #: Degrees by which it may be off; ``None`` is unknown.
    accuracy_deg: Optional[float] = None
    #: When the device pointed there; ``None`` where nobody said.
    time: Optional[datetime] = None
    #: When the daemon decided it, UTC of its host.
    received: Optional[datetime] = None


@dataclass(frozen=True)
class DeferralEnded(Message):
    """Updates are kept back no longer, or cannot be; what was kept came before."""

    reason: DeferralEnd = DeferralEnd.FINISHED


@dataclass(frozen=True)
class Paused(Message):
    """Standard updates paused, since the device rests; starting them again is the app's business."""


@dataclass(frozen=True)
class Motion(Message):
    """The device moves; comes where ``monitor_motion`` asked for it."""


@dataclass(frozen=True)
class Lost(Message):
    """So many of the oldest events were given up unseen: more waited than are kept."""

    count: int = 0


@dataclass(frozen=True)
class Reasoned(Message):
    """Something is not there, and why, for people."""

    reason: str = ""


class NoFix(Reasoned):
    """There is no location now; the daemon goes on trying."""


class RequestFailedMessage(Reasoned):
    """The request of one location brought none."""


@dataclass(frozen=True)
class RegionFailed(Message):
    """A region is not monitored, and why."""

    identifier: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Wake(Message):
    """The app is called for something else than a location."""

    reason: WakeReason = WakeReason.FETCH
    #: Seconds until a handler must have returned; ``None`` where nobody counts them or it is not known.
    remaining_s: Optional[float] = None


@dataclass(frozen=True)
class TasksExpire(Message):
    """These background tasks are to end within so many seconds, or the app is ended."""

    tasks: Tuple[int, ...] = ()
    remaining_s: float = 0.0


@dataclass(frozen=True)
class TimeRemaining(Message):
    """How long the app still runs, seconds; ``None`` is without a limit."""

    remaining_s: Optional[float] = None


@dataclass(frozen=True)
class AudioStopped(Message):
    """The app plays no audio any more: its manifest does not declare the mode."""


@dataclass(frozen=True)
class NotificationDue(Message):
    """A notification that is due while the app is in front, in place of an alert."""

    notification: Notification = Notification("")


@dataclass(frozen=True)
class Notifications(Message):
    """Those that are still to come."""

    notifications: Tuple[Notification, ...] = ()


@dataclass(frozen=True)
class Complaint(Message):
    """``code`` is for programs, ``message`` for people."""

    code: str = "malformed"
    message: str = ""


class DaemonError(Complaint):
    """Something that the app said was wrong, or cannot be done."""


class DaemonWarning(Complaint):
    """What was asked for is done, but not all is well."""


class Disconnected(Reasoned):
    """There is no connection; said once for each loss. The client connects again by itself."""


@dataclass(frozen=True)
class Answered(Message):
    """An answer that has no other meaning than that it came."""


def read_message(line: Union[bytes, str]) -> Optional[Message]:
    """The message of one line; ``None`` for a class that this release does not know.

    Members that are not known are passed over: a newer daemon may say more. Raises ``ProtocolViolation``
    for what is no message.
    """
    try:
        members = json.loads(line)
    except ValueError as error:
        raise ProtocolViolation(f"{_shown(line)} is no message: {error}") from None
    name = members.get("class") if isinstance(members, dict) else None
    if not isinstance(name, str):
        raise ProtocolViolation(f"{_shown(line)} is no message: it is no object with a class")
    read = _READERS.get(name)
    if read is None:
        return None
    id = members.get("id")
    return read(Reader(members, name), {"id": id if isinstance(id, str) else None})


def _shown(line: Union[bytes, str]) -> str:
    text = line.decode("utf-8", "replace") if isinstance(line, bytes) else line
    return repr(text if len(text) <= 60 else text[:60] + "…")


Shared = Dict[str, Any]


def _welcome(r: Reader, shared: Shared) -> Message:
    places = r.optional_object("places")
    location = r.optional_object("location")
    return Welcome(
        release=r.text("release"),
        app=r.text("app"),
        state=r.word("state", AppState),
        authorization=r.word("authorization", Authorization),
        launch_reason=r.optional_word("launch_reason", WakeReason),
        monitors_significant_changes=r.truth("monitors_significant_changes"),
        acknowledged=r.whole("acknowledged"),
        regions=tuple(Region.read(region) for region in places.objects("regions")) if places else (),
        monitors_visits=places.truth("visits") if places else False,
        location=Fix.read(location) if location else None,
        accuracy=r.optional_word("accuracy", Accuracy) or Accuracy.FULL,
        **shared,
    )


def _location(r: Reader, shared: Shared) -> Message:
    return LocationUpdate(
        sequence=r.whole("sequence"),
        received=r.time("received"),
        service=r.word("service", Service),
        fix=Fix.read(r.object("fix")),
        cached=r.truth("cached"),
        moved_m=r.optional_number("moved_m"),
        since_s=r.optional_number("since_s"),
        **shared,
    )


def _region(r: Reader, shared: Shared) -> Message:
    identifier, event = r.text("identifier"), r.text("event")
    if event not in ("entered", "exited"):
        return RegionAnswer(identifier=identifier, state=r.word("state", RegionState), **shared)
    return RegionEvent(
        sequence=r.whole("sequence"),
        received=r.time("received"),
        identifier=identifier,
        entered=event == "entered",
        time=r.time("time"),
        **shared,
    )


def _visit(r: Reader, shared: Shared) -> Message:
    return VisitEvent(
        sequence=r.whole("sequence"),
        received=r.time("received"),
        departed=r.text("event") == "departed",
        latitude=r.number("latitude"),
        longitude=r.number("longitude"),
        accuracy_m=r.optional_number("accuracy_m"),
        arrival=r.time("arrival"),
        departure=r.time("departure"),
        **shared,
    )


def _complaint(kind: Callable[..., Message]) -> Callable[[Reader, Shared], Message]:
    return lambda r, shared: kind(
        code=r.optional_text("code") or "malformed", message=r.text("message"), **shared
    )


_READERS: Dict[str, Callable[[Reader, Shared], Message]] = {
    "WELCOME": _welcome,
    "LOCATION": _location,
    "REGION": _region,
    "VISIT": _visit,
    "REGION_FAILED": lambda r, s: RegionFailed(
        identifier=r.text("identifier"), reason=r.text("reason"), **s
    ),
    "STATE": lambda r, s: StateChanged(state=r.word("state", AppState), **s),
    "WILL_TERMINATE": lambda r, s: WillTerminate(remaining_s=r.number("remaining_s"), **s),
    "AUTHORIZATION": lambda r, s: AuthorizationChanged(
        authorization=r.word("authorization", Authorization), **s
    ),
    "ACCURACY": lambda r, s: AccuracyChanged(accuracy=r.word("accuracy", Accuracy), **s),
    "HEADING": lambda r, s: HeadingChanged(
        source=r.word("source", HeadingSource),
        true_deg=r.optional_number("true_deg"),
        magnetic_deg=r.optional_number("magnetic_deg"),
        accuracy_deg=r.optional_number("accuracy_deg"),
        time=r.time("time"),
        received=r.time("received"),
        **s,
    ),
    "DEFERRED_END": lambda r, s: DeferralEnded(reason=r.word("reason", DeferralEnd), **s),
    "PAUSED": lambda r, s: Paused(**s),
    "MOTION": lambda r, s: Motion(**s),
    "LOST": lambda r, s: Lost(count=r.whole("count"), **s),
    "NO_FIX": lambda r, s: NoFix(reason=r.text("reason"), **s),
    "REQUEST_FAILED": lambda r, s: RequestFailedMessage(reason=r.text("reason"), **s),
    "WAKE": lambda r, s: Wake(
        reason=r.word("reason", WakeReason), remaining_s=r.optional_number("remaining_s"), **s
    ),
    "TASKS_EXPIRE": lambda r, s: TasksExpire(
        tasks=r.wholes("tasks"),
        remaining_s=r.number("remaining_s"),
        **s,
    ),
    "TIME_REMAINING": lambda r, s: TimeRemaining(
        remaining_s=r.optional_number("remaining_s"), **s
    ),
    "AUDIO_STOPPED": lambda r, s: AudioStopped(**s),
    "NOTIFICATION": lambda r, s: NotificationDue(notification=Notification.read(r), **s),
    "NOTIFICATIONS": lambda r, s: Notifications(
        notifications=tuple(Notification.read(n) for n in r.objects("notifications")), **s
    ),
    "ERROR": _complaint(DaemonError),
    "WARNING": _complaint(DaemonWarning),
    "VERSION": lambda r, s: Answered(**s),
}
