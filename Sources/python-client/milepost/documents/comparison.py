# SPDX-License-Identifier: Apache-2.0
# Made by Tools/make-python-documents from `milepost schema compare`: change that, and make it again.
"""One line of milepost compare --json: one trace, or with total_of the sum over several."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Dict, List, Literal, Optional, Union


@dataclass(frozen=True)
class Thinned:
    """Far-apart fixes: in how many worlds, and one of how many stretches is lived and judged."""

    worlds: int
    one_of: int
    stretch_s: float


@dataclass(frozen=True)
class ComparedTrace:
    """``trace`` of ``milepost schema compare``."""

    name: str
    """File name; stdin for standard input, total for several traces."""
    format: Optional[str]
    """Null in a total over several formats."""
    fixes: int
    start: Optional[datetime]
    end: Optional[datetime]
    duration_s: float
    """First to last fix; of several recordings, their sum."""
    judged_s: float
    """Seconds of which the truth is known: all figures are over these."""
    distance_m: float
    """True metres travelled in the judged time."""
    gaps: int
    """Of the truth."""
    gap_s: float
    skipped: Dict[str, int]
    """Lines or points that were not used, by reason."""
    truth: Optional[str]
    """trace, or the name of the truth file; null in a total where they differ."""
    thinned: Optional[Thinned] = None
    """Far-apart fixes: in how many worlds, and one of how many stretches is lived and judged."""


@dataclass(frozen=True)
class WayTurn:
    """``answers.track.turns`` of ``milepost schema compare``."""

    within_m: float
    mode: Literal["standard", "significant", "continuous", "cycled", "visits", "regions"]
    scenario: Literal["pocket", "foreground"]
    policy: Optional[str]
    auto_pause: bool
    name: str
    """As the table has it."""


@dataclass(frozen=True)
class Choice:
    """What most of the other worlds say, or what all of them allow as well."""

    mode: Literal["standard", "significant", "continuous", "cycled", "visits", "regions"]
    scenario: Literal["pocket", "foreground"]
    policy: Optional[str]
    auto_pause: bool
    name: str
    """As the table has it."""


@dataclass(frozen=True)
class WayAnswer:
    """``answers.track`` of ``milepost schema compare``."""

    mode: Literal["standard", "significant", "continuous", "cycled", "visits", "regions"]
    scenario: Literal["pocket", "foreground"]
    policy: Optional[str]
    auto_pause: bool
    name: str
    """As the table has it."""
    call: str
    """What to write in code or configuration."""
    within_m: float
    """The tolerance: metres off in 95 % of the way, seconds until 95 % of the events are known, or the share of the
    time in which the known area is right to 1 km."""
    figure: Optional[float]
    """The same of the mode, in the middle world; a missed event counts with 1800 s."""
    keeps: bool
    """Whether that is within the tolerance; else the mode is the nearest."""
    judged: float
    """Events of a world that were judged, or seconds."""
    certainty: Literal["sure", "likely", "open"]
    """sure: other worlds would say the same, as all but one in twenty of these do; likely: three in five do; open:
    fewer. Fewer than three events, or less than 10 min, make nothing sure."""
    agrees_in: int
    """Worlds that by themselves allow this answer, mode and whether it keeps: modes that cost the same, within a
    tenth, are equals."""
    fails_in: int
    """Worlds in which the mode is not within the tolerance, or with a budget too dear."""
    turns: List[WayTurn]
    """From the loosest to the tightest: the tolerances from which on a mode is the choice."""
    call_android: Optional[str] = None
    """The same on Android; phones only."""
    otherwise: Optional[Choice] = None
    """What most of the other worlds say, or what all of them allow as well."""
    safer: Optional[Choice] = None
    """The cheapest mode that is so in fewer worlds, and in at most one of twenty."""
    budget_j: Optional[float] = None
    """What a mode may cost (--budget): the answer is then the best one that does not cost more, or the cheapest."""
    affordable: Optional[bool] = None
    """With a budget: whether the mode is within it."""
    against: Optional[Choice] = None
    """The mode that the ratio is to."""
    ratio: Optional[float] = None
    """energy_j of against over energy_j of the answer; low and high hold the middle 90 % of the draws of worlds and
    numbers."""
    ratio_low: Optional[float] = None
    ratio_high: Optional[float] = None


@dataclass(frozen=True)
class Untested:
    """``answers.track`` of ``milepost schema compare``."""

    untested: str
    """Why this trace has no answer."""


@dataclass(frozen=True)
class DelayTurn:
    """``answers.arrival.turns`` of ``milepost schema compare``."""

    within_s: float
    mode: Literal["standard", "significant", "continuous", "cycled", "visits", "regions"]
    scenario: Literal["pocket", "foreground"]
    policy: Optional[str]
    auto_pause: bool
    name: str
    """As the table has it."""


@dataclass(frozen=True)
class DelayAnswer:
    """``answers.arrival`` of ``milepost schema compare``."""

    mode: Literal["standard", "significant", "continuous", "cycled", "visits", "regions"]
    scenario: Literal["pocket", "foreground"]
    policy: Optional[str]
    auto_pause: bool
    name: str
    """As the table has it."""
    call: str
    """What to write in code or configuration."""
    within_s: float
    """The tolerance: metres off in 95 % of the way, seconds until 95 % of the events are known, or the share of the
    time in which the known area is right to 1 km."""
    figure: Optional[float]
    """The same of the mode, in the middle world; a missed event counts with 1800 s."""
    keeps: bool
    """Whether that is within the tolerance; else the mode is the nearest."""
    judged: float
    """Events of a world that were judged, or seconds."""
    certainty: Literal["sure", "likely", "open"]
    """sure: other worlds would say the same, as all but one in twenty of these do; likely: three in five do; open:
    fewer. Fewer than three events, or less than 10 min, make nothing sure."""
    agrees_in: int
    """Worlds that by themselves allow this answer, mode and whether it keeps: modes that cost the same, within a
    tenth, are equals."""
    fails_in: int
    """Worlds in which the mode is not within the tolerance, or with a budget too dear."""
    turns: List[DelayTurn]
    """From the loosest to the tightest: the tolerances from which on a mode is the choice."""
    call_android: Optional[str] = None
    """The same on Android; phones only."""
    otherwise: Optional[Choice] = None
    """What most of the other worlds say, or what all of them allow as well."""
    safer: Optional[Choice] = None
    """The cheapest mode that is so in fewer worlds, and in at most one of twenty."""
    budget_j: Optional[float] = None
    """What a mode may cost (--budget): the answer is then the best one that does not cost more, or the cheapest."""
    affordable: Optional[bool] = None
    """With a budget: whether the mode is within it."""
    against: Optional[Choice] = None
    """The mode that the ratio is to."""
    ratio: Optional[float] = None
    """energy_j of against over energy_j of the answer; low and high hold the middle 90 % of the draws of worlds and
    numbers."""
    ratio_low: Optional[float] = None
    ratio_high: Optional[float] = None


@dataclass(frozen=True)
class AreaTurn:
    """``answers.area.turns`` of ``milepost schema compare``."""

    within_share: float
    mode: Literal["standard", "significant", "continuous", "cycled", "visits", "regions"]
    scenario: Literal["pocket", "foreground"]
    policy: Optional[str]
    auto_pause: bool
    name: str
    """As the table has it."""


@dataclass(frozen=True)
class AreaAnswer:
    """``answers.area`` of ``milepost schema compare``."""

    mode: Literal["standard", "significant", "continuous", "cycled", "visits", "regions"]
    scenario: Literal["pocket", "foreground"]
    policy: Optional[str]
    auto_pause: bool
    name: str
    """As the table has it."""
    call: str
    """What to write in code or configuration."""
    within_share: float
    """The tolerance: metres off in 95 % of the way, seconds until 95 % of the events are known, or the share of the
    time in which the known area is right to 1 km."""
    figure: Optional[float]
    """The same of the mode, in the middle world; a missed event counts with 1800 s."""
    keeps: bool
    """Whether that is within the tolerance; else the mode is the nearest."""
    judged: float
    """Events of a world that were judged, or seconds."""
    certainty: Literal["sure", "likely", "open"]
    """sure: other worlds would say the same, as all but one in twenty of these do; likely: three in five do; open:
    fewer. Fewer than three events, or less than 10 min, make nothing sure."""
    agrees_in: int
    """Worlds that by themselves allow this answer, mode and whether it keeps: modes that cost the same, within a
    tenth, are equals."""
    fails_in: int
    """Worlds in which the mode is not within the tolerance, or with a budget too dear."""
    turns: List[AreaTurn]
    """From the loosest to the tightest: the tolerances from which on a mode is the choice."""
    call_android: Optional[str] = None
    """The same on Android; phones only."""
    otherwise: Optional[Choice] = None
    """What most of the other worlds say, or what all of them allow as well."""
    safer: Optional[Choice] = None
    """The cheapest mode that is so in fewer worlds, and in at most one of twenty."""
    budget_j: Optional[float] = None
    """What a mode may cost (--budget): the answer is then the best one that does not cost more, or the cheapest."""
    affordable: Optional[bool] = None
    """With a budget: whether the mode is within it."""
    against: Optional[Choice] = None
    """The mode that the ratio is to."""
    ratio: Optional[float] = None
    """energy_j of against over energy_j of the answer; low and high hold the middle 90 % of the draws of worlds and
    numbers."""
    ratio_low: Optional[float] = None
    ratio_high: Optional[float] = None


@dataclass(frozen=True)
class Answers:
    """What to call by what the app must know."""

    track: Union[WayAnswer, Untested]
    """To record the way."""
    arrival: Union[DelayAnswer, Untested]
    """To notice arrivals and departures."""
    fence: Union[DelayAnswer, Untested]
    """To notice that the border of a place was crossed."""
    area: Union[AreaAnswer, Untested]
    """To know the place to 1 km."""


@dataclass(frozen=True)
class UnknowableStretch:
    """``unknowable`` of ``milepost schema compare``."""

    start: datetime
    end: datetime
    duration_s: float
    reason: Literal["no_sky", "before_first_fix", "gap"]
    """no_sky: the receiver saw nothing while the device went on, as in a tunnel; before_first_fix: the same; gap:
    the trace says nothing of it."""
    distance_m: float
    """Way made in it; 0 for a gap."""


@dataclass(frozen=True)
class EnergyRow:
    """``baseline`` of ``milepost schema compare``."""

    component: str
    """gnss, cell, wifi, soc, sensor or flash; in a baseline also floor."""
    state: str
    """State or event as the profile names it."""
    seconds: float
    energy_j: float


@dataclass(frozen=True)
class Distances:
    """Metres from the known position to the true one, over the way; what nobody could know is left out."""

    median: Optional[float]
    p95: Optional[float]
    max: Optional[float]
    count: float
    """Metres of way judged in a world."""
    missed: float
    """Metres on which it was blind, hidden ones included."""


@dataclass(frozen=True)
class Delays:
    """From arrivals to the first right position that is known after them, or to the event that tells; 0 if one from
    before stayed right. Missed ones count with 1800 s."""

    median: Optional[float]
    p95: Optional[float]
    max: Optional[float]
    count: int
    """Judged ones, of all worlds together: the same for all modes."""
    missed: int
    """Of these."""


@dataclass(frozen=True)
class Waste:
    """Part of energy_j that was for nothing."""

    fixless_searches_j: float
    """Searches of the receiver that ended without a fix."""
    unheard_sessions_j: float
    """Sessions of the receiver in which nothing was delivered, without those searches."""
    tails_j: float
    """Radios that stayed up behind a transfer, and the receiver's lingering."""


@dataclass(frozen=True)
class Dependence:
    """``runs.depends_on`` of ``milepost schema compare``."""

    number: str
    """A row of the device or network profile: component,state,quantity."""
    share: float
    """Of the variance over the draws."""
    rises: bool
    """Whether the result grows with it."""


@dataclass(frozen=True)
class Energy:
    """``runs.curves.energy`` of ``milepost schema compare``."""

    step_s: float
    energy_j: List[Optional[float]]


@dataclass(frozen=True)
class Distance:
    """``runs.curves.distance`` of ``milepost schema compare``."""

    step_s: float
    distance_m: List[Optional[float]]


@dataclass(frozen=True)
class Track:
    """``runs.curves.track`` of ``milepost schema compare``."""

    latitude: float
    longitude: float
    leg: str


@dataclass(frozen=True)
class Rouse:
    """``runs.curves.rouses`` of ``milepost schema compare``."""

    time: datetime
    launch: bool
    reason: Literal["location", "motion", "region", "visit", "fetch", "keep_alive", "socket", "push", "location_push", "newsstand", "accessory", "bluetooth", "boot", "crash"]
    latitude: float
    longitude: float
    distance_m: float
    moved_m: Optional[float]
    since_s: Optional[float]
    accuracy_m: Optional[float]


@dataclass(frozen=True)
class Crossing:
    """``runs.curves.crossings`` of ``milepost schema compare``."""

    at_s: float
    time: datetime
    lasted_s: float
    distance_m: float
    furthest_m: float
    ending: Literal["delivered", "returned", "unknown"]


@dataclass(frozen=True)
class Day:
    """``runs.curves.days`` of ``milepost schema compare``."""

    date: str
    judged_s: float
    energy_j: float
    deliveries: int
    wakes: int
    launches: int
    blind_s: float
    blind_m: float


@dataclass(frozen=True)
class Curves:
    """What the report draws of the run (--details): bounded curves on a grid of step_s from the start, unknown is
    null; lists hold the first ones, their counts all."""

    start: Optional[datetime]
    energy: Energy
    distance: Distance
    track: List[Track]
    delivered_at: List[List[float]]
    rouse_count: int
    rouses: List[Rouse]
    crossing_count: int
    answered_count: int
    crossings: List[Crossing]
    days_utc_offset_h: float
    days: List[Day]


@dataclass(frozen=True)
class Run:
    """``runs`` of ``milepost schema compare``."""

    mode: Literal["standard", "significant", "continuous", "cycled", "visits", "regions"]
    scenario: Literal["pocket", "foreground"]
    policy: Optional[str]
    """Strategy of significant change; null for the other modes."""
    auto_pause: bool
    """Updates pause while the device is still; where the system does not resume them, and no phone's does, they end
    there."""
    energy_j: float
    """Above the baseline; the exact sum of the components' energy_j."""
    energy_low_j: float
    """The least of: the 5th percentile over the draws of worlds and of the profile's numbers, energy_j, and energy_j
    times the least that a measured device drew over the model."""
    energy_high_j: float
    """The greatest of: the 95th percentile over the draws, energy_j, and the same by the most."""
    average_mw: Optional[float]
    """energy_j over trace.judged_s."""
    battery_percent: Optional[float]
    """Of a full battery, for the judged time."""
    battery_percent_per_day: Optional[float]
    """Null where less than 20 h were judged."""
    battery_life_h: Optional[float]
    """Of a full battery at the mean power of this mode and the baseline alone; whole devices draw more, and last
    shorter."""
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
    sessions: int
    """Times that the receiver was switched on."""
    events_moving: int
    sessions_per_event: Optional[float]
    """Of these while the device truly moved, per delivery while it did; null without one."""
    receiver_on_share: Optional[float]
    """Of the judged time."""
    blind_s: float
    """Seconds with the true position at least the blind distance from the last delivered one."""
    blind_m: float
    """Metres travelled in them."""
    way_off_m: Distances
    """Metres from the known position to the true one, over the way; what nobody could know is left out."""
    arrival_delay_s: Delays
    """From arrivals to the first right position that is known after them, or to the event that tells; 0 if one from
    before stayed right. Missed ones count with 1800 s."""
    departure_delay_s: Delays
    """From departures to the first right position after them, or to the event that tells."""
    fence_delay_s: Delays
    """From crossings of the border around a place of the trip to the first position that shows the device beyond it,
    or to the event that tells."""
    area_right_share: Optional[float]
    """Of the time, in which the known position is right to 1 km."""
    crossings: int
    """Judged crossings: 500 m or more from the true position at the last delivery, and 300 s since."""
    crossings_missed: int
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
    components: List[EnergyRow]
    """Above the baseline."""
    waste: Waste
    """Part of energy_j that was for nothing."""
    depends_on: List[Dependence]
    """The numbers that the result depends on most, the strongest first."""
    interval_s: Optional[float] = None
    """From one session or position to the next, as asked for; absent if that is not."""
    distance_m: Optional[float] = None
    """From one position to the next, as asked for; absent if that is not."""
    armed_by: Optional[Literal["region", "visits", "changes", "motion"]] = None
    """What starts updates again that the app ended at a stay; absent if it does not."""
    curves: Optional[Curves] = None
    """What the report draws of the run (--details): bounded curves on a grid of step_s from the start, unknown is
    null; lists hold the first ones, their counts all."""


@dataclass(frozen=True)
class Ratio:
    """Energy of the first continuous run over that of the first significant one, over draws that are common to both;
    absent where there is no such ratio."""

    policy: Optional[str]
    """Of the significant change that missed the smallest share of crossings, then the cheapest."""
    p5: float
    p50: float
    p95: float
    depends_on: List[Dependence]
    """The numbers that the result depends on most, the strongest first."""


@dataclass(frozen=True)
class SharingApp:
    """``together.apps`` of ``milepost schema compare``."""

    mode: Literal["standard", "significant", "continuous", "cycled", "visits", "regions"]
    alone_j: float
    adds_j: float
    adds: List[EnergyRow]


@dataclass(frozen=True)
class SharedDevice:
    """The modes' apps on one device at once (--details): adds is energy with an app minus energy without it."""

    energy_j: float
    apps: List[SharingApp]


@dataclass(frozen=True)
class Comparison:
    """One line of milepost compare --json: one trace, or with total_of the sum over several."""

    schema: Literal['milepost.compare/3']
    trace: ComparedTrace
    profile: str
    network: Optional[str]
    era: str
    seed: int
    """Of the first world."""
    worlds: int
    """Simulated worlds, with seeds from seed on. A run's figures are those of the world in which its energy is the
    median."""
    answers: Answers
    """What to call by what the app must know."""
    unknowable: List[UnknowableStretch]
    """The first stretches, a thousand at most, in which nobody could know where the device was: no mode is judged by
    them."""
    settings: Dict[str, str]
    """Options and keys of the world file, as they would be written; for --baseline, which says which differ."""
    baseline: List[EnergyRow]
    """What the device takes anyway."""
    runs: List[Run]
    receiver_hold_s: Optional[float] = None
    continuous_to_significant: Optional[Ratio] = None
    """Energy of the first continuous run over that of the first significant one, over draws that are common to both;
    absent where there is no such ratio."""
    together: Optional[SharedDevice] = None
    """The modes' apps on one device at once (--details): adds is energy with an app minus energy without it."""
    total_of: Optional[List[str]] = None
    """Only in the last document over several traces: the first 20 of their names."""
    traces: Optional[int] = None
    """Only there: their number. Figures are then the mean of all worlds, and energies those of the world in the
    middle."""
