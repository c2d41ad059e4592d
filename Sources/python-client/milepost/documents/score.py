# SPDX-License-Identifier: Apache-2.0
# Made by Tools/make-python-documents from `milepost schema score`: change that, and make it again.
"""milepost score --json: a list of deliveries against a trace as the truth."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Dict, List, Literal, Optional


@dataclass(frozen=True)
class ScoredTrace:
    """``trace`` of ``milepost schema score``."""

    name: str
    format: Optional[str]
    """Null in a total over several."""
    truth: Optional[str]
    """trace, or the name of the truth file; null in a total where they differ."""
    judged_s: float
    distance_m: float
    gaps: int
    gap_s: float


@dataclass(frozen=True)
class ScoredEvents:
    """``events`` of ``milepost schema score``."""

    name: str
    format: Optional[str]
    """milepost-replay, owntracks, overland, json, or a trace format; null in a total over several."""
    deliveries: int
    """Fresh deliveries of which the true position is known."""
    cached: int
    """Deliveries of an old position."""
    outside: int
    """Fresh deliveries in gaps or outside the trace's time."""
    skipped: Dict[str, int]
    """By reason."""


@dataclass(frozen=True)
class Optimum:
    """What a clairvoyant would have needed from the same first delivery on, with the same costs."""

    delay_s: float
    """Each crossing is delivered within so many seconds, judged or not, save where its segment ends before."""
    events: int
    """Deliveries, the first one included."""
    energy_j: float
    """Above the baseline."""
    bound_events: int
    """The same for judged crossings alone, where deliveries at any time are allowed."""
    bound_energy_j: float
    """No run that misses nothing and is never later than delay_s needs less."""
    bound_receiver_s: float
    """Seconds that the receiver is on for that many deliveries."""


@dataclass(frozen=True)
class Causal:
    """The causal bound: the quickest policy that knows the past only and lets its receiver sleep while the device
    stands. Per crossing its first fix from the crossing on, never later than the run's own."""

    crossings: int
    """Judged crossings of which the bound speaks; on a device that hears nothing, those on the way."""
    unreachable: int
    """Of these: no honest policy could have delivered them."""
    missed_unreachable: int
    """Of these: missed."""
    latency_p50_s: Optional[float]
    """From the crossing to the earliest honest delivery."""
    latency_p95_s: Optional[float]
    """The same, 95th percentile."""
    overshoot_p50_m: Optional[float]
    """Metres beyond the distance then, where distance decided."""
    overshoot_p95_m: Optional[float]
    """The same, 95th percentile."""
    excess_latency_p50_s: Optional[float]
    """From the earliest honest delivery to the one that was."""
    excess_latency_p95_s: Optional[float]
    """The same, 95th percentile."""
    excess_overshoot_p50_m: Optional[float]
    """Metres between the two, where distance decided; below 0 where the device was coming back."""
    excess_overshoot_p95_m: Optional[float]
    """The same, 95th percentile."""
    looks: int
    """Sessions between these deliveries that a never-late policy needs which knows the past and its odometer."""
    looks_moving: int
    """Of these: begun while the device moved."""
    looks_in_vain: int
    """Of all: those that find no sky."""
    first_fix_s: Optional[float]
    """From the beginning to the first fix that anybody could have."""
    energy_j: float
    """The optimum with these looks and that search."""


@dataclass(frozen=True)
class Crossing:
    """``list`` of ``milepost schema score``."""

    anchored: datetime
    """The last delivery before it."""
    crossing: datetime
    decided_by: Literal["distance", "interval", "gap"]
    outcome: Literal["detected", "missed"]
    latency_s: Optional[float]
    overshoot_m: Optional[float]
    """Null where distance did not decide."""
    after_stay: bool
    """Whether the device stood since the last delivery."""
    earliest_s: Optional[float]
    """From the crossing to the earliest honest delivery; null where there was none."""
    earliest_m: Optional[float]
    """Metres beyond the distance then; null where distance did not decide."""


@dataclass(frozen=True)
class ScoredPair:
    """``total_of`` of ``milepost schema score``."""

    trace: str
    events: str


@dataclass(frozen=True)
class Score:
    """milepost score --json: a list of deliveries against a trace as the truth."""

    schema: Literal['milepost.score/1']
    trace: ScoredTrace
    events: ScoredEvents
    distance_m: float
    """Metres that make a crossing."""
    interval_s: float
    """Seconds between a delivery and the next crossing."""
    crossings: int
    """Judged crossings: 500 m or more from the true position at the last delivery, and 300 s since."""
    missed: int
    """Of these: came back, or 30 min passed, without a delivery."""
    spurious: int
    """Deliveries nearer than that, less what both claimed accuracies explain (at most 100 m)."""
    early: int
    """Deliveries between the two; where the 300 s were over, crossings detected with latency 0."""
    latency_p50_s: Optional[float]
    """Median of the seconds from crossing to delivery; null where none was detected."""
    latency_p95_s: Optional[float]
    """The same, 95th percentile."""
    latency_moving_p50_s: Optional[float]
    """Of crossings before which the device moved on ever since the last delivery."""
    latency_moving_p95_s: Optional[float]
    """The same, 95th percentile."""
    departures: int
    """Detected crossings after a stay: 180 s within 50 m of one point since the last delivery."""
    latency_departing_p50_s: Optional[float]
    """Of these."""
    latency_departing_p95_s: Optional[float]
    """The same, 95th percentile."""
    overshoot_p50_m: Optional[float]
    """Median of the metres beyond 500 m at delivery, of crossings that distance decided."""
    overshoot_p95_m: Optional[float]
    """The same, 95th percentile."""
    unjudged: int
    """Crossings less than 300 s before a gap or the end."""
    profile: Optional[str]
    """Device profile of the optimum."""
    optimum: Optional[Optimum]
    """What a clairvoyant would have needed from the same first delivery on, with the same costs."""
    causal: Optional[Causal]
    """The causal bound: the quickest policy that knows the past only and lets its receiver sleep while the device
    stands. Per crossing its first fix from the crossing on, never later than the run's own."""
    list: Optional[List[Crossing]] = None
    """Every judged crossing; with --list."""
    total_of: Optional[List[ScoredPair]] = None
    """Only in the total of several lists: the first 20 of them."""
    lists: Optional[int] = None
    """Only there: their number."""
