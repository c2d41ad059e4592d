# SPDX-License-Identifier: Apache-2.0
"""The values in messages: fixes, regions, notifications, and the protocol's words.

Names end in their unit. Times are ``datetime`` in UTC. Unknown is ``None`` and never 0 or -1.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timezone
from enum import Enum
from typing import Any, Dict, Mapping, Optional, Tuple, Type, TypeVar

from .errors import ProtocolViolation
from .geodesy import distance_m

#: As ``desired_accuracy_m``: the best that the receiver can do.
ACCURACY_BEST = -1.0
#: As ``desired_accuracy_m``: the same, for navigation.
ACCURACY_BEST_FOR_NAVIGATION = -2.0


class Word(str, Enum):
    """A word of the protocol. An unknown one of a newer daemon is kept, and equals its text."""

    @classmethod
    def _missing_(cls, value: object) -> Optional["Word"]:
        if not isinstance(value, str):
            return None
        word = str.__new__(cls, value)
        word._name_ = value.upper()
        word._value_ = value
        return word


class Service(Word):
    """A kind of location updates."""

    STANDARD = "standard"
    SIGNIFICANT = "significant"
    CONTINUOUS = "continuous"


class AppState(Word):
    """The state of an app. A suspended app is frozen and is not told of it."""

    NOT_RUNNING = "not_running"
    INACTIVE = "inactive"
    ACTIVE = "active"
    BACKGROUND = "background"
    SUSPENDED = "suspended"


class Authorization(Word):
    """The user's authorization for an app."""

    NOT_DETERMINED = "not_determined"
    RESTRICTED = "restricted"
    DENIED = "denied"
    WHEN_IN_USE = "when_in_use"
    ALWAYS = "always"


class Accuracy(Word):
    """The accuracy that the user allows an app."""

    FULL = "full"
    #: To a square of 5 km.
    REDUCED = "reduced"


class HeadingSource(Word):
    """The source of a heading."""

    COMPASS = "compass"
    #: The course.
    COURSE = "course"


class DeferralEnd(Word):
    """The reason why a deferral ended, or cannot begin."""

    FINISHED = "finished"
    CANCELLED = "cancelled"
    #: The daemon's era has no deferral.
    UNSUPPORTED = "unsupported"
    NOT_UPDATING = "not_updating"
    #: Only updates of the best accuracy can be deferred.
    ACCURACY_TOO_LOW = "accuracy_too_low"
    DISTANCE_FILTERED = "distance_filtered"


class WakeReason(Word):
    """The reason why the daemon launches or wakes an app."""

    LOCATION = "location"
    MOTION = "motion"
    REGION = "region"
    VISIT = "visit"
    FETCH = "fetch"
    KEEP_ALIVE = "keep_alive"
    LOCATION_PUSH = "location_push"
    SOCKET = "socket"
    PUSH = "push"
    NEWSSTAND = "newsstand"
    ACCESSORY = "accessory"
    BLUETOOTH = "bluetooth"
    BOOT = "boot"
    CRASH = "crash"


class FetchResult(Word):
    """The result of a fetch."""

    NEW_DATA = "new_data"
    NO_DATA = "no_data"
    FAILED = "failed"


class RegionState(Word):
    """The device's position relative to a region."""

    INSIDE = "inside"
    OUTSIDE = "outside"
    UNKNOWN = "unknown"


class Source(Word):
    """The source of a position: satellites, or Wi-Fi and cell towers looked up by the network."""

    GNSS = "gnss"
    NETWORK = "network"


W = TypeVar("W", bound=Word)


@dataclass(frozen=True)
class Fix:
    """One position of the device, WGS-84."""

    #: The time by the source; ``None`` if unknown, or beyond the years 1 to 9999.
    time: Optional[datetime]
    #: Degrees north, -90 to 90.
    latitude: float
    #: Degrees east, -180 to 180.
    longitude: float
    #: Horizontal 68 % radius, metres, above 0.
    accuracy_m: Optional[float] = None
    #: Metres above mean sea level.
    altitude_m: Optional[float] = None
    #: Metres above the WGS-84 ellipsoid; another height than ``altitude_m``.
    ellipsoidal_height_m: Optional[float] = None
    #: Vertical 68 % half interval, metres, above 0.
    vertical_accuracy_m: Optional[float] = None
    #: Ground speed, metres per second, 0 or more.
    speed_mps: Optional[float] = None
    #: Direction of movement, degrees clockwise from true north, 0 to 360.
    course_deg: Optional[float] = None
    #: Horizontal dilution of precision, above 0.
    hdop: Optional[float] = None
    #: Satellites used.
    satellites: Optional[int] = None
    source: Source = Source.GNSS
    #: The possible error of ``speed_mps``, metres per second; few receivers report it.
    speed_accuracy_mps: Optional[float] = None
    #: The possible error of ``course_deg``, degrees, up to 180; few receivers report it.
    course_accuracy_deg: Optional[float] = None

    def distance_to_m(self, latitude: float, longitude: float) -> float:
        """Metres to a place, along the WGS-84 ellipsoid."""
        return distance_m(self.latitude, self.longitude, latitude, longitude)

    @classmethod
    def read(cls, reader: "Reader") -> "Fix":
        return cls(
            time=reader.time("time"),
            latitude=reader.number("latitude"),
            longitude=reader.number("longitude"),
            accuracy_m=reader.optional_number("accuracy_m"),
            altitude_m=reader.optional_number("altitude_m"),
            ellipsoidal_height_m=reader.optional_number("ellipsoidal_height_m"),
            vertical_accuracy_m=reader.optional_number("vertical_accuracy_m"),
            speed_mps=reader.optional_number("speed_mps"),
            course_deg=reader.optional_number("course_deg"),
            hdop=reader.optional_number("hdop"),
            satellites=reader.optional_whole("satellites"),
            source=reader.word("source", Source),
            speed_accuracy_mps=reader.optional_number("speed_accuracy_mps"),
            course_accuracy_deg=reader.optional_number("course_accuracy_deg"),
        )


@dataclass(frozen=True)
class Region:
    """A circle that the daemon watches for the app: at most 20 of an app, and they outlive its process."""

    #: 1 to 256 bytes; a region of the same name is replaced.
    identifier: str
    #: Degrees north and east of the middle.
    latitude: float
    longitude: float
    #: Metres.
    radius_m: float
    notify_on_entry: bool = True
    notify_on_exit: bool = True

    def members(self) -> Dict[str, Any]:
        """The members of the message ``REGION``."""
        return dict(vars(self))

    @classmethod
    def read(cls, reader: "Reader") -> "Region":
        return cls(
            identifier=reader.text("identifier"),
            latitude=reader.number("latitude"),
            longitude=reader.number("longitude"),
            radius_m=reader.number("radius_m"),
            notify_on_entry=reader.truth("notify_on_entry", default=True),
            notify_on_exit=reader.truth("notify_on_exit", default=True),
        )


@dataclass(frozen=True)
class ZoneOffset:
    """The time from which a zone's clock has this offset east of UTC, seconds."""

    start: datetime
    offset_s: int


@dataclass(frozen=True)
class Notification:
    """A notification by the daemon in the app's name, also while the app is suspended or has no process."""

    #: At most 256 bytes; a notification of the same name is replaced.
    identifier: str
    #: The due time; ``None`` is now.
    fire: Optional[datetime] = None
    #: ``minute``, ``hour``, ``day``, ``week``, ``month`` or ``year``; ``None`` is once.
    repeats: Optional[str] = None
    #: At most 4,096 bytes.
    body: str = ""
    #: The number on the app's icon; 0 removes it.
    badge: Optional[int] = None
    #: At most 256 bytes; ``None`` is silent.
    sound: Optional[str] = None
    #: Returned unchanged; at most 4,096 bytes.
    user_info: Optional[str] = None
    #: The zone by whose calendar it repeats, with its offsets in order; ``None`` is UTC.
    zone: Optional[str] = None
    zone_offsets: Tuple[ZoneOffset, ...] = ()

    def members(self) -> Dict[str, Any]:
        """The members of the message ``NOTIFY``, without unknown ones."""
        members: Dict[str, Any] = {"identifier": self.identifier}
        for name in ("repeats", "badge", "sound", "user_info"):
            if getattr(self, name) is not None:
                members[name] = getattr(self, name)
        if self.body:
            members["body"] = self.body
        if self.fire is not None:
            members["fire"] = rfc3339(self.fire)
        if self.zone is not None:
            offsets = [{"from": rfc3339(o.start), "offset_s": o.offset_s} for o in self.zone_offsets]
            members["zone"] = {"name": self.zone, "offsets": offsets}
        return members

    @classmethod
    def read(cls, reader: "Reader") -> "Notification":
        zone = reader.optional_object("zone")
        offsets = zone.objects("offsets") if zone else []
        starts = [(offset.time("from"), offset.whole("offset_s")) for offset in offsets]
        return cls(
            identifier=reader.text("identifier"),
            fire=reader.time("fire"),
            repeats=reader.optional_text("repeats"),
            body=reader.optional_text("body") or "",
            badge=reader.optional_whole("badge"),
            sound=reader.optional_text("sound"),
            user_info=reader.optional_text("user_info"),
            zone=zone.text("name") if zone else None,
            zone_offsets=tuple(ZoneOffset(start, s) for start, s in starts if start is not None),
        )


def rfc3339(instant: datetime) -> str:
    """UTC with milliseconds, in the protocol's form. A ``datetime`` without a zone is an error."""
    if instant.tzinfo is None:
        raise ValueError(f"{instant!r} has no time zone; say datetime(…, tzinfo=timezone.utc)")
    text = instant.astimezone(timezone.utc).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")


class Reader:
    """Takes the members of one object; a missing or wrong one is a ``ProtocolViolation``."""

    def __init__(self, members: Mapping[str, Any], name: str) -> None:
        self.members = members
        self.name = name

    def _take(self, name: str, kind: Any, expected: str) -> Any:
        value = self.members.get(name)
        # A truth value is a whole number in Python, but not in JSON.
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            said = "is missing" if name not in self.members else f"is {value!r}"
            raise ProtocolViolation(f"{self.name}: {name} {said}, and should be {expected}")
        return value

    def _has(self, name: str) -> bool:
        return self.members.get(name) is not None

    def text(self, name: str) -> str:
        return str(self._take(name, str, "a text"))

    def optional_text(self, name: str) -> Optional[str]:
        return self.text(name) if self._has(name) else None

    def number(self, name: str) -> float:
        return float(self._take(name, (int, float), "a number"))

    def optional_number(self, name: str) -> Optional[float]:
        return self.number(name) if self._has(name) else None

    def whole(self, name: str) -> int:
        return int(self._take(name, int, "a whole number"))

    def wholes(self, name: str) -> Tuple[int, ...]:
        return tuple(
            Reader({name: value}, self.name).whole(name) for value in self._take(name, list, "an array")
        )

    def optional_whole(self, name: str) -> Optional[int]:
        return self.whole(name) if self._has(name) else None

    def truth(self, name: str, default: Optional[bool] = None) -> bool:
        if default is not None and name not in self.members:
            return default
        return bool(self._take(name, bool, "true or false"))

    def word(self, name: str, kind: Type[W]) -> W:
        return kind(self.text(name))

    def optional_word(self, name: str, kind: Type[W]) -> Optional[W]:
        return self.word(name, kind) if self._has(name) else None

    def time(self, name: str) -> Optional[datetime]:
        text = self.optional_text(name)
        if text is None:
            return None
        try:
            return datetime.fromisoformat(text.rstrip("Z")).replace(tzinfo=timezone.utc)
        except ValueError:
            year = text.split("-")[0 if text[:1] != "-" else 1]
            if text[:1] == "-" or len(year) > 4 or year == "0000":
                return None
            raise ProtocolViolation(
                f"{self.name}: {name} is {text!r}, and should be a time as 2026-05-04T07:08:09.500Z"
            ) from None

    def object(self, name: str) -> "Reader":
        return Reader(self._take(name, dict, "an object"), f"{self.name}.{name}")

    def optional_object(self, name: str) -> Optional["Reader"]:
        return self.object(name) if self._has(name) else None

    def objects(self, name: str) -> Tuple["Reader", ...]:
        values = self._take(name, list, "an array")
        return tuple(Reader({name: v}, f"{self.name}.{name}").object(name) for v in values)
