# SPDX-License-Identifier: Apache-2.0
# Made by Tools/make-python-documents from `milepost schema info`: change that, and make it again.
"""One line of milepost info --json: what is in a trace. read = used + the sum of skipped."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Dict, List, Literal, Optional


@dataclass(frozen=True)
class Gap:
    """``gaps`` of ``milepost schema info``."""

    start: datetime
    end: datetime
    gap_s: float
    line: int
    """The first fix after it."""
    cause: Literal["segment_end", "no_data"]


@dataclass(frozen=True)
class Spread:
    """Null where no fix states it."""

    count: int
    least: Optional[float]
    mean: float
    greatest: Optional[float]


@dataclass(frozen=True)
class Finding:
    """``findings`` of ``milepost schema info``."""

    kind: str
    """Stable word."""
    text: str
    count: int
    lines: List[int]
    """The first places; of jumps all."""


@dataclass(frozen=True)
class TraceInfo:
    """One line of milepost info --json: what is in a trace. read = used + the sum of skipped."""

    schema: Literal['milepost.info/1']
    name: str
    format: str
    """The name of a trace format."""
    unit: Literal["lines", "points"]
    read: int
    used: int
    skipped: Dict[str, int]
    """By reason."""
    fixes: int
    no_fix_epochs: int
    fixes_without_time: int
    repeated_times: int
    backward_times: int
    dated: bool
    """Whether any date was seen or given."""
    start: Optional[datetime]
    end: Optional[datetime]
    duration_s: Optional[float]
    """Of several recordings one after another, their sum."""
    recordings: int
    """A step back of more than a minute begins another one."""
    distance_m: Optional[float]
    """Along the path, straight across gaps, without jumps; null where times run backwards."""
    across_gaps_m: float
    """The part of it that compare leaves out."""
    median_interval_s: Optional[float]
    gap_threshold_s: float
    gap_count: int
    gap_s: float
    gaps: List[Gap]
    """In order; of very many the longest."""
    silent_stay_count: int
    """Holes whose two ends are one place: no gaps, the device is taken to have stayed."""
    silent_stay_s: float
    silent_stay_longest_s: float
    """0 without any."""
    silent_stay_certainty: float
    """The chance that the device was in one place for all of the longest one, 0 to 1."""
    accuracy_m: Optional[Spread]
    """Null where no fix states it."""
    speed_mps: Optional[Spread]
    """Null where no fix states it."""
    satellites: Optional[Spread]
    """Null where no fix states it."""
    satellites_in_view: Optional[Spread]
    """Null where no fix states it."""
    signal_dbhz: Optional[Spread]
    """Null where no fix states it."""
    types: Dict[str, int]
    """Sentences or messages by type."""
    findings: List[Finding]
