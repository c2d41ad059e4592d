# SPDX-License-Identifier: Apache-2.0
"""What the commands answer: the documents, and the tables that are in them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Iterable, List, Optional

from . import documents
from .documents.events import AppEvent, DeliverEvent, EndEvent, LaunchEvent, PlaceEvent
from .documents.comparison import Run
from .rows import Rows, flat

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class TripRun:
    """One mode over one trip: the columns of ``milepost compare --csv``, and how late places were known."""

    #: The trace's file name.
    trace: str
    profile: str
    era: str
    run: Run

    @property
    def mode(self) -> str:
        return self.run.mode


class Runs(Rows[TripRun]):
    """Modes over trips, a row for each; the run's members are columns by their own names."""

    def __init__(self, rows: Iterable[TripRun]) -> None:
        super().__init__(TripRun, rows)

    def records(self) -> List[Any]:
        return [
            {"trace": row.trace, "profile": row.profile, "era": row.era, **flat(row.run)}
            for row in self
        ]


@dataclass(frozen=True)
class Comparison(documents.Comparison):
    """The answer of ``milepost compare``."""

    @property
    def rows(self) -> Runs:
        """The modes of this trip."""
        return Runs(TripRun(self.trace.name, self.profile, self.era, run) for run in self.runs)

    def to_dataframe(self) -> "pandas.DataFrame":
        """A row for each mode. Extra ``pandas``."""
        return self.rows.to_dataframe()


@dataclass(frozen=True)
class Delivery:
    """A position that the app was given."""

    time: datetime
    mode: str
    latitude: float
    longitude: float
    #: Horizontal 68 % radius, metres; ``None`` if unknown.
    accuracy_m: Optional[float]
    #: The position's own time.
    fix_time: Optional[datetime]
    #: An old position, given at once.
    cached: bool
    #: Metres and seconds from the delivery before; ``None`` of the first.
    moved_m: Optional[float]
    since_s: Optional[float]
    #: Why the app ran then: that it was woken or launched, and by what; ``running`` where it ran already.
    reason: str
    #: Seconds since the device had moved on by 500 m and 300 s had passed, by ``milepost score``; ``None`` of a delivery
    #: that answers no such crossing.
    lateness_s: Optional[float]
    #: Joules above the baseline since the delivery before, or since the beginning; ``None`` without ``energy=True``.
    energy_j: Optional[float]


@dataclass(frozen=True)
class Stay:
    """A stay that the app was told of as a visit."""

    latitude: float
    longitude: float
    #: ``None`` where the device was there from the beginning.
    arrival: Optional[datetime]
    #: ``None`` of a stay that lasts to the trace's end.
    departure: Optional[datetime]
    #: When the app was told of each; ``None`` if it was not.
    arrival_told: Optional[datetime]
    departure_told: Optional[datetime]


@dataclass(frozen=True)
class Replay:
    """The answer of ``milepost replay``: every event of the app's life, in order."""

    events: List[documents.ReplayEvent] = field(repr=False)
    #: How the deliveries answered the device's moves, by ``milepost score --list``.
    score: documents.Score = field(repr=False)
    #: Joules up to each delivery, by ``milepost meter``; ``None`` if they were not asked for.
    energies_j: Optional[List[float]] = field(default=None, repr=False)

    @property
    def end(self) -> EndEvent:
        """The totals: energy in joules, wakes, deliveries."""
        return next(event for event in reversed(self.events) if isinstance(event, EndEvent))

    @property
    def deliveries(self) -> Rows[Delivery]:
        """The positions that the app was given, with the reason, and how late each was."""
        late = {
            round(one.crossing.timestamp() + one.latency_s, 3): one.latency_s
            for one in self.score.list or []
            if one.latency_s is not None
        }
        rows: List[Delivery] = []
        reason = "running"
        for event in self.events:
            if isinstance(event, LaunchEvent):
                reason = f"launched by {event.reason}"
            elif isinstance(event, AppEvent):
                if event.to in ("suspended", "not_running") or event.from_ in ("inactive", "active"):
                    reason = "running"
                elif event.from_ == "suspended":
                    reason = event.reason
            elif isinstance(event, DeliverEvent):
                rows.append(
                    Delivery(
                        event.time, event.mode, event.latitude, event.longitude, event.accuracy_m, event.fix_time,
                        event.cached, event.moved_m, event.since_s, reason,
                        late.get(round(event.time.timestamp(), 3)), self._energy_j(len(rows)),
                    )
                )
        return Rows(Delivery, rows)

    def _energy_j(self, place: int) -> Optional[float]:
        if self.energies_j is None:
            return None
        return self.energies_j[place] - (self.energies_j[place - 1] if place else 0.0)

    @property
    def stays(self) -> Rows[Stay]:
        """The stays that the app was told of; ``replay(…, visits=True)`` makes it ask for them."""
        stays: List[Stay] = []
        for event in self.events:
            if not isinstance(event, PlaceEvent) or event.region is not None:
                continue
            told = event.time
            if event.what == "arrived":
                stays.append(Stay(event.latitude, event.longitude, event.arrival, None, told, None))
            elif event.what == "departed":
                arrived = stays.pop().arrival_told if stays and stays[-1].departure is None else None
                stays.append(
                    Stay(event.latitude, event.longitude, event.arrival, event.departure, arrived, told)
                )
        return Rows(Stay, stays)

    def to_dataframe(self) -> "pandas.DataFrame":
        """The deliveries, a row for each. Extra ``pandas``."""
        return self.deliveries.to_dataframe()
