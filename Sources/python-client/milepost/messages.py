# SPDX-License-Identifier: Apache-2.0
"""The daemon's messages to an app, one class for each class of message."""

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
    """Any message of the daemon."""

    #: The client's name for the message that this answers; ``None`` if it answers none.
    id: Optional[str] = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Welcome(Message):
    """The connection is established. It comes first, and again after each reconnection."""

    release: str = ""
    app: str = ""
    state: AppState = AppState.NOT_RUNNING
    authorization: Authorization = Authorization.NOT_DETERMINED
    #: The reason why the daemon started this process; ``None`` if its user did.
    launch_reason: Optional[WakeReason] = None
    monitors_significant_changes: bool = False
    #: The number of the last acknowledged event; 0 before the first.
    acknowledged: int = 0
    #: The monitored services and places, also from earlier processes.
    regions: Tuple[Region, ...] = ()
    monitors_visits: bool = False
    #: The device's last position, if the app may know it.
    location: Optional[Fix] = None
    #: The accuracy that the app is allowed.
    accuracy: Accuracy = Accuracy.FULL


@dataclass(frozen=True)
class Event(Message):
    """A numbered event, which comes again until its number is acknowledged."""

    #: Counted by the daemon for the app, from 1.
    sequence: int = 0
    #: The time of the daemon's decision, UTC of its host.
    received: Optional[datetime] = None


@dataclass(frozen=True)
class LocationUpdate(Event):
    """A position."""

    service: Service = Service.STANDARD
    fix: Fix = Fix(None, 0.0, 0.0)
    #: Whether the position is older than the request for it.
    cached: bool = False
    #: Metres and seconds since the last position of this service.
    moved_m: Optional[float] = None
    since_s: Optional[float] = None


@dataclass(frozen=True)
class RegionEvent(Event):
    """A region was entered or left."""

    identifier: str = ""
    #: Whether the device entered; else it left.
    entered: bool = False
    #: The time of the position that showed it.
    time: Optional[datetime] = None


@dataclass(frozen=True)
class VisitEvent(Event):
    """A stay began or ended."""

    #: Whether it ended.
    departed: bool = False
    latitude: float = 0.0
    longitude: float = 0.0
    #: Horizontal 68 % radius, metres.
    accuracy_m: Optional[float] = None
    #: ``None`` if unknown.
    arrival: Optional[datetime] = None
    #: ``None`` while the device is there.
    departure: Optional[datetime] = None


@dataclass(frozen=True)
class RegionAnswer(Message):
    """The device's position relative to a region: the answer to a question."""

    identifier: str = ""
    state: RegionState = RegionState.UNKNOWN


@dataclass(frozen=True)
class StateChanged(Message):
    """The app came to the foreground, or left it. As on a phone, a suspension is not reported."""

    state: AppState = AppState.NOT_RUNNING


@dataclass(frozen=True)
class WillTerminate(Message):
    """The app will be ended after these seconds."""

    remaining_s: float = 0.0


@dataclass(frozen=True)
class AuthorizationChanged(Message):
    """The authorization from now on."""

    authorization: Authorization = Authorization.NOT_DETERMINED


@dataclass(frozen=True)
class AccuracyChanged(Message):
    """The accuracy that the app is allowed from now on."""

    accuracy: Accuracy = Accuracy.FULL


@dataclass(frozen=True)
class HeadingChanged(Message):
    """The device's direction, or without a compass its course; comes if ``monitor_heading`` requested it."""

    source: HeadingSource = HeadingSource.COMPASS
    #: Degrees clockwise from true and from magnetic north, 0 to 360; ``None`` is unknown.
    true_deg: Optional[float] = None
    magnetic_deg: Optional[float] = None
    #: The possible error, degrees; ``None`` is unknown.
    accuracy_deg: Optional[float] = None
    #: The time of the heading; ``None`` if unknown.
    time: Optional[datetime] = None
    #: The time of the daemon's decision, UTC of its host.
    received: Optional[datetime] = None


@dataclass(frozen=True)
class DeferralEnded(Message):
    """A deferral ended or cannot begin; the deferred updates came before."""

    reason: DeferralEnd = DeferralEnd.FINISHED


@dataclass(frozen=True)
class Paused(Message):
    """Standard updates paused, since the device rests; the app must start them again."""


@dataclass(frozen=True)
class Motion(Message):
    """The device moves; comes if ``monitor_motion`` requested it."""


@dataclass(frozen=True)
class Lost(Message):
    """This number of the oldest events was dropped unseen: more waited than are kept."""

    count: int = 0


@dataclass(frozen=True)
class Reasoned(Message):
    """Something is unavailable, with the reason, for people."""

    reason: str = ""


class NoFix(Reasoned):
    """There is no location now; the daemon keeps trying."""


class RequestFailedMessage(Reasoned):
    """The request of one location ended without one."""


@dataclass(frozen=True)
class RegionFailed(Message):
    """A region is not monitored, with the reason."""

    identifier: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Wake(Message):
    """The app is called for another reason than a location."""

    reason: WakeReason = WakeReason.FETCH
    #: Seconds until a handler must have returned; ``None`` if there is no limit or it is unknown.
    remaining_s: Optional[float] = None


@dataclass(frozen=True)
class TasksExpire(Message):
    """These background tasks must end within these seconds, or the app is ended."""

    tasks: Tuple[int, ...] = ()
    remaining_s: float = 0.0


@dataclass(frozen=True)
class TimeRemaining(Message):
    """The remaining run time of the app, seconds; ``None`` is without a limit."""

    remaining_s: Optional[float] = None


@dataclass(frozen=True)
class AudioStopped(Message):
    """The app's audio was stopped: its manifest does not declare the mode."""


@dataclass(frozen=True)
class NotificationDue(Message):
    """A notification that is due while the app is in the foreground, in place of an alert."""

    notification: Notification = Notification("")


@dataclass(frozen=True)
class Notifications(Message):
    """The pending notifications."""

    notifications: Tuple[Notification, ...] = ()


@dataclass(frozen=True)
class Complaint(Message):
    """``code`` is for programs, ``message`` for people."""

    code: str = "malformed"
    message: str = ""


class DaemonError(Complaint):
    """A message of the app was wrong, or cannot be performed."""


class DaemonWarning(Complaint):
    """The request was performed, but with a problem."""


class Disconnected(Reasoned):
    """The connection is lost; reported once per loss. The client connects again by itself."""


@dataclass(frozen=True)
class Answered(Message):
    """An answer without any other content."""


def read_message(line: Union[bytes, str]) -> Optional[Message]:
    """The message of one line; ``None`` for a class that is unknown to this release.

    Unknown members are skipped: a newer daemon may send more. Raises ``ProtocolViolation`` for an invalid message.
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
