# SPDX-License-Identifier: Apache-2.0
# Made by Tools/make-python-documents from `milepost schema replay-event`: change that, and make it again.
"""One line of milepost replay --format jsonl."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import List, Literal, Optional, Union


@dataclass(frozen=True)
class DeliverEvent:
    """``replay-event`` of ``milepost schema replay-event``."""

    seq: int
    """Counts from 1."""
    time: datetime
    event: Literal['deliver']
    app: Union[int, str]
    """Its name in a recording, 1 in a trace."""
    mode: Literal["standard", "significant", "continuous"]
    latitude: float
    longitude: float
    accuracy_m: Optional[float]
    fix_time: Optional[datetime]
    cached: bool
    moved_m: Optional[float]
    """From the anchor of this service."""
    since_s: Optional[float]
    """Since the anchor's delivery."""


@dataclass(frozen=True)
class AppEvent:
    """``replay-event`` of ``milepost schema replay-event``."""

    seq: int
    """Counts from 1."""
    time: datetime
    event: Literal['app']
    app: Union[int, str]
    """Its name in a recording, 1 in a trace."""
    from_: Literal["not_running", "inactive", "active", "background", "suspended"]
    to: Literal["not_running", "inactive", "active", "background", "suspended"]
    reason: str


@dataclass(frozen=True)
class CallbacksEvent:
    """``replay-event`` of ``milepost schema replay-event``."""

    seq: int
    """Counts from 1."""
    time: datetime
    event: Literal['callbacks']
    app: Union[int, str]
    """Its name in a recording, 1 in a trace."""
    callbacks: List[str]
    """What the app is told of its own life at the transition before, in order; a launch option in brackets."""


@dataclass(frozen=True)
class Options:
    """Launch options by key."""

    location: Optional[Literal[True]] = None
    motion: Optional[Literal[True]] = None
    region: Optional[Literal[True]] = None
    visit: Optional[Literal[True]] = None
    fetch: Optional[Literal[True]] = None
    keep_alive: Optional[Literal[True]] = None
    socket: Optional[Literal[True]] = None
    push: Optional[Literal[True]] = None
    location_push: Optional[Literal[True]] = None
    newsstand: Optional[Literal[True]] = None
    accessory: Optional[Literal[True]] = None
    bluetooth: Optional[Literal[True]] = None
    boot: Optional[Literal[True]] = None
    crash: Optional[Literal[True]] = None


@dataclass(frozen=True)
class LaunchEvent:
    """``replay-event`` of ``milepost schema replay-event``."""

    seq: int
    """Counts from 1."""
    time: datetime
    event: Literal['launch']
    app: Union[int, str]
    """Its name in a recording, 1 in a trace."""
    reason: Literal["location", "motion", "region", "visit", "fetch", "keep_alive", "socket", "push", "location_push", "newsstand", "accessory", "bluetooth", "boot", "crash"]
    options: Options
    """Launch options by key."""


@dataclass(frozen=True)
class RadioEvent:
    """``replay-event`` of ``milepost schema replay-event``."""

    seq: int
    """Counts from 1."""
    time: datetime
    event: Literal['radio']
    app: None
    component: Literal["gnss", "cell", "wifi", "soc", "sensor", "device", "flash", "meter"]
    state: str


@dataclass(frozen=True)
class VerdictEvent:
    """``replay-event`` of ``milepost schema replay-event``."""

    seq: int
    """Counts from 1."""
    time: datetime
    event: Literal['verdict']
    app: Union[int, str]
    """Its name in a recording, 1 in a trace."""
    fix_time: Optional[datetime]
    verdict: Literal["delivered", "too_close", "too_soon", "inaccurate", "invalid", "duplicate", "late", "jump_unconfirmed", "not_running", "suspended", "unauthorized", "withheld", "receiver_off"]
    moved_m: Optional[float]
    since_s: Optional[float]
    accuracy_m: Optional[float]


@dataclass(frozen=True)
class GapEvent:
    """``replay-event`` of ``milepost schema replay-event``."""

    seq: int
    """Counts from 1."""
    time: datetime
    event: Literal['gap']
    app: None
    start: datetime
    end: datetime
    cause: str


@dataclass(frozen=True)
class EndEvent:
    """``replay-event`` of ``milepost schema replay-event``."""

    seq: int
    """Counts from 1."""
    time: datetime
    event: Literal['end']
    app: None
    energy_j: float
    """Above the baseline; the exact sum of the components' energy_j."""
    energy_low_j: float
    """The least of: the 5th percentile over the draws of worlds and of the profile's numbers, energy_j, and energy_j
    times the least that a measured device drew over the model."""
    energy_high_j: float
    """The greatest of: the 95th percentile over the draws, energy_j, and the same by the most."""
    judged_s: float
    gnss_on_s: float
    """Seconds that the receiver searched or tracked."""
    fixes_seen: int
    """Positions that the system was given, of receiver and network."""
    deliveries: int
    wakes: int
    """The system made the suspended app run."""
    launches: int
    """The system started the app."""
    uploads: int
    unsent: int
    """Deliveries that were not sent when the trace ended; their cost is not in energy_j."""
    unsent_oldest_s: float
    """How long the first of them had waited; 0 without any."""
    blind_s: float
    """Seconds with the true position at least the blind distance from the last delivered one."""
    blind_m: float
    """Metres travelled in them."""


@dataclass(frozen=True)
class ReceiverEvent:
    """``replay-event`` of ``milepost schema replay-event``."""

    seq: int
    """Counts from 1."""
    time: datetime
    event: Literal['receiver']
    app: None
    plan: Literal["off", "session", "continuous"]
    reason: Optional[str]
    """Null where it is on."""
    until: Optional[datetime]


@dataclass(frozen=True)
class DecidedEvent:
    """``replay-event`` of ``milepost schema replay-event``."""

    seq: int
    """Counts from 1."""
    time: datetime
    event: Literal['decided']
    app: None
    same: bool
    inputs: int
    effects: int
    deliveries: int
    wakes: int
    launches: int
    receiver_wanted_s: float
    line: Optional[int]
    """Of the recording, where the first other decision stands."""
    recorded: Optional[str]
    now: Optional[str]


@dataclass(frozen=True)
class BackgroundEvent:
    """``replay-event`` of ``milepost schema replay-event``."""

    seq: int
    """Counts from 1."""
    time: datetime
    event: Literal['background']
    app: Union[int, str]
    """Its name in a recording, 1 in a trace."""
    what: Literal["called", "not_woken", "unreachable", "tasks_expire", "notification", "audio_stopped", "memory_taken"]
    reason: Literal["location", "motion", "region", "visit", "fetch", "keep_alive", "socket", "push", "location_push", "newsstand", "accessory", "bluetooth", "boot", "crash", None]
    """What it was called, or would have been woken, by; null for all else."""
    text: str


@dataclass(frozen=True)
class UserEvent:
    """``replay-event`` of ``milepost schema replay-event``."""

    seq: int
    """Counts from 1."""
    time: datetime
    event: Literal['user']
    app: None
    what: str
    """What user, system or world do, of a scenario."""


@dataclass(frozen=True)
class DidEvent:
    """``replay-event`` of ``milepost schema replay-event``."""

    seq: int
    """Counts from 1."""
    time: datetime
    event: Literal['did']
    app: Union[int, str]
    """Its name in a recording, 1 in a trace."""
    what: str
    """What the app does by itself, of a scenario."""


@dataclass(frozen=True)
class ToldPosition:
    """``events.positions`` of ``milepost schema replay-event``."""

    time: datetime
    latitude: float
    longitude: float
    accuracy_m: Optional[float]
    speed_mps: Optional[float]
    """Of a position of the device."""


@dataclass(frozen=True)
class SentPosition:
    """``events`` of ``milepost schema replay-event``."""

    number: int
    """Of the event to its sink."""
    what: Literal["position", "entered", "exited", "arrived", "departed", "heartbeat"]
    latitude: float
    longitude: float
    fix_time: Optional[datetime]
    """Of the position."""
    decided: datetime
    """When it became an event; of a heartbeat the time of the message."""
    arrival: Optional[datetime]
    """Of a visit."""
    departure: Optional[datetime]
    """Of a visit that is over."""
    positions: List[ToldPosition]
    """What a protocol of positions with one time each says, in order."""


@dataclass(frozen=True)
class SentEvent:
    """``replay-event`` of ``milepost schema replay-event``."""

    seq: int
    """Counts from 1."""
    time: datetime
    event: Literal['sent']
    app: Union[int, str]
    """Its name in a recording, 1 in a trace."""
    bytes: int
    """0 where no network is needed."""
    events: List[SentPosition]
    """That the other side of a sink took, in order."""


@dataclass(frozen=True)
class RefusedEvent:
    """``replay-event`` of ``milepost schema replay-event``."""

    seq: int
    """Counts from 1."""
    time: datetime
    event: Literal['refused']
    app: None
    reason: str
    """Why what the user did before could not be done."""


@dataclass(frozen=True)
class NotPlayedEvent:
    """``replay-event`` of ``milepost schema replay-event``."""

    seq: int
    """Counts from 1."""
    time: datetime
    event: Literal['not_played']
    app: None
    what: str
    """A line of a scenario whose moment has not come."""


@dataclass(frozen=True)
class PlaceEvent:
    """``replay-event`` of ``milepost schema replay-event``."""

    seq: int
    """Counts from 1."""
    time: datetime
    event: Literal['place']
    app: Union[int, str]
    """Its name in a recording, 1 in a trace."""
    what: Literal["entered", "exited", "arrived", "departed"]
    region: Optional[str]
    """Null of a visit."""
    latitude: float
    longitude: float
    fix_time: Optional[datetime]
    """Of the position that showed it."""
    arrival: Optional[datetime]
    """Of a visit; null where the device was there from the beginning."""
    departure: Optional[datetime]
    """Of a visit that is over."""


@dataclass(frozen=True)
class RegionVerdictEvent:
    """``replay-event`` of ``milepost schema replay-event``."""

    seq: int
    """Counts from 1."""
    time: datetime
    event: Literal['region_verdict']
    app: Union[int, str]
    """Its name in a recording, 1 in a trace."""
    region: str
    fix_time: Optional[datetime]
    verdict: Literal["delivered", "too_close", "too_soon", "inaccurate", "invalid", "duplicate", "late", "jump_unconfirmed", "not_running", "suspended", "unauthorized", "withheld", "receiver_off"]
    moved_m: Optional[float]
    """Beyond the border, as seen from the side on which the app believes the device to be."""
    moved_required_m: Optional[float]
    since_s: Optional[float]
    """Since the device is so far beyond it."""
    since_required_s: Optional[float]
    accuracy_m: Optional[float]


@dataclass(frozen=True)
class Delays:
    """Of the truth, and how late they were told."""

    count: int
    missed: int
    delay_p50_s: Optional[float]
    delay_max_s: Optional[float]


@dataclass(frozen=True)
class RegionScoreEvent:
    """``replay-event`` of ``milepost schema replay-event``."""

    seq: int
    """Counts from 1."""
    time: datetime
    event: Literal['region_score']
    app: None
    region: str
    exits: Delays
    """Of the truth, and how late they were told."""
    entries: Delays
    """The same of entries."""
    unfounded: int
    """Events that the truth does not know."""


@dataclass(frozen=True)
class VisitScoreEvent:
    """``replay-event`` of ``milepost schema replay-event``."""

    seq: int
    """Counts from 1."""
    time: datetime
    event: Literal['visit_score']
    app: None
    arrivals: Delays
    """Of the truth, and how late they were told: 300 s of it make a stay."""
    departures: Delays
    """The same of departures."""
    unfounded: int
    """Events that the truth does not know."""


@dataclass(frozen=True)
class SharedWakesEvent:
    """``replay-event`` of ``milepost schema replay-event``."""

    seq: int
    """Counts from 1."""
    time: datetime
    event: Literal['shared_wakes']
    app: None
    calls: int
    """Fetches and keep-alives."""
    wakes: int
    """Of a processor that slept."""
    saved_j: float
    saved_low_j: float
    saved_high_j: float


@dataclass(frozen=True)
class AndroidEvent:
    """``replay-event`` of ``milepost schema replay-event``."""

    seq: int
    """Counts from 1."""
    time: datetime
    event: Literal['android']
    app: Union[int, str]
    """Its name in a recording, 1 in a trace."""
    what: Literal["state", "woken", "not_woken", "start_refused", "told", "geofence", "activity", "work_lost"]
    """What happened to the app."""
    text: str
    state: Optional[Literal["foreground", "visible", "foreground_service", "background", "cached", "frozen", "not_running", "stopped"]] = None
    wake: Optional[Literal["geofence", "activity", "location", "boot", "job", "alarm", "exact_alarm", "push", "high_priority_push", "user_action"]] = None
    """What it was run for, or not."""
    locations: Optional[int] = None
    accuracy_m: Optional[float] = None
    """Of the latest location."""
    transition: Optional[Literal["enter", "exit", "dwell"]] = None


@dataclass(frozen=True)
class AndroidPhoneEvent:
    """``replay-event`` of ``milepost schema replay-event``."""

    seq: int
    """Counts from 1."""
    time: datetime
    event: Literal['android_phone']
    app: None
    what: Literal["radios", "doze"]
    """What the phone did, or its radios were asked for."""
    text: str


@dataclass(frozen=True)
class AndroidAppEvent:
    """``replay-event`` of ``milepost schema replay-event``."""

    seq: int
    """Counts from 1."""
    time: datetime
    event: Literal['android_app']
    app: Union[int, str]
    """Its name in a recording, 1 in a trace."""
    locations: int
    wakes: int
    """Events for which it was run."""
    not_woken: int
    """Events for which it was not."""
    refused_starts: int


@dataclass(frozen=True)
class AndroidEndEvent:
    """``replay-event`` of ``milepost schema replay-event``."""

    seq: int
    """Counts from 1."""
    time: datetime
    event: Literal['android_end']
    app: None
    energy_j: Optional[float]
    energy_low_j: Optional[float]
    energy_high_j: Optional[float]
    gnss_on_s: Optional[float]


#: One line of milepost replay --format jsonl.
ReplayEvent = Union[
    DeliverEvent,
    AppEvent,
    CallbacksEvent,
    LaunchEvent,
    RadioEvent,
    VerdictEvent,
    GapEvent,
    EndEvent,
    ReceiverEvent,
    DecidedEvent,
    BackgroundEvent,
    UserEvent,
    DidEvent,
    SentEvent,
    RefusedEvent,
    NotPlayedEvent,
    PlaceEvent,
    RegionVerdictEvent,
    RegionScoreEvent,
    VisitScoreEvent,
    SharedWakesEvent,
    AndroidEvent,
    AndroidPhoneEvent,
    AndroidAppEvent,
    AndroidEndEvent,
]
