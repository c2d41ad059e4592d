# SPDX-License-Identifier: Apache-2.0
"""The commands about a trip. Each runs the program ``milepost`` and gives its document as values.

Each other option of a command goes by its name: ``compare(trip, era="ios7")``, ``replay(trip, why=True)``. Errors are
``CommandFailed`` with the command's words.
"""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any, Iterable, Iterator, List, Optional, Union

from .answers import Comparison, Replay, Runs, TripRun
from .documents import ReplayEvent, Score, TraceInfo
from .documents.events import DeliverEvent
from .documents.reading import read
from .errors import CommandFailed
from .program import Option, run, words
from .rows import Rows
from .values import Fix, Reader

Trace = Union[str, "os.PathLike[str]"]


def _lines(text: str) -> Iterator[Any]:
    return (json.loads(line) for line in text.splitlines() if line)


def _one(text: str) -> Any:
    return next(_lines(text))


def _file(trace: Trace) -> str:
    """A path as the command takes it: no option, and not its word for standard input."""
    path = os.fspath(trace)
    return f"./{path}" if path.startswith("-") else path


def compare(
    trace: Trace,
    *,
    profile: Optional[str] = None,
    for_: Optional[str] = None,
    within: Optional[str] = None,
    worlds: Optional[int] = None,
    **options: Option,
) -> Comparison:
    """Which location updates an app should use on this trip, what each costs and what it misses.

    ``profile`` is a device of ``milepost profiles list`` or a file; ``for_`` a purpose (``track``, ``arrival``,
    ``fence``, ``area``), ``within`` its tolerance in words (``"5min"``, ``"100m"``).
    """
    asked = words({"profile": profile, "for": for_, "within": within, "worlds": worlds, **options})
    return read(Comparison, _one(run("compare", "--json", *asked, "--", _file(trace))))


def compare_all(traces: Iterable[Trace], **options: Option) -> Runs:
    """The modes over each of many trips, as rows of one table: ``compare_all(folder.glob("*.gpx")).to_parquet(file)``.

    One process, which reads the traces one after another. Raises ``CommandFailed`` at one that cannot be read.
    """
    rows: List[TripRun] = []
    paths = [_file(trace) for trace in traces]
    # As many as one command line holds with ease; several of them add nothing but a total.
    for begin in range(0, len(paths), 200):
        said = run("compare", "--json", *words(options), "--", *paths[begin : begin + 200])
        for one in map(lambda line: read(Comparison, line), _lines(said)):
            if one.total_of is None:
                rows += one.rows
    return Runs(rows)


def replay(
    trace: Trace,
    *,
    mode: str = "significant",
    profile: Optional[str] = None,
    energy: bool = False,
    **options: Option,
) -> Replay:
    """An app's life over this trip: every event, and tables of its deliveries and stays.

    ``mode`` is ``significant``, ``standard`` or ``continuous``. ``visits=True`` has the app told of stays. ``energy=True`` meters each delivery too, up to 64 of them; between those it is taken to grow evenly.
    """
    asked = words({"mode": mode, "profile": profile, **options})
    with tempfile.TemporaryDirectory(prefix="milepost-") as folder:
        log = Path(folder) / "radio.jsonl"
        if energy:
            asked += ["--radio-log", str(log)]
        said = run("replay", "--format", "jsonl", *asked, "--", _file(trace))
        events: List[ReplayEvent] = [read(ReplayEvent, line) for line in _lines(said)]  # type: ignore[arg-type]
        path = Path(folder) / "events.jsonl"
        path.write_text(said)
        # What decides how the trace is read.
        reading = ("truth", "date", "point_interval", "fix_week_rollover")
        judged = score(trace, path, list=True, **{name: options.get(name) for name in reading})
        device = words({"profile": profile, "network": options.get("network")})
        return Replay(events, judged, _energies(events, log, device) if energy else None)


#: The number of deliveries that are metered, each with a process of its own.
_METERED = 64


def _energies(events: List[ReplayEvent], log: Path, device: List[str]) -> List[float]:
    """Joules up to each delivery: the radio log is metered up to then, as if all were over."""
    records = ((json.loads(line), line) for line in log.read_text().splitlines())
    lines = [(record["at_s"], line) for record, line in records if "end" not in record]
    times = [
        (event.time - events[0].time).total_seconds() for event in events if isinstance(event, DeliverEvent)
    ]
    step = max(1, -(-len(times) // _METERED))
    cut = log.with_name("cut.jsonl")
    sums: List[float] = []
    for index in sorted({*range(0, len(times), step), *([len(times) - 1] if times else [])}):
        at = times[index]
        kept = [line for second, line in lines if second <= at]
        cut.write_text("\n".join([*kept, json.dumps({"at_s": at, "end": True})]) + "\n")
        joules = float(_one(run("meter", "--json", *device, "--", str(cut)))["energy_j"])
        if sums:
            begin, since = sums[-1], times[len(sums) - 1]
            share = (joules - begin) / ((at - since) or 1)
            sums += [begin + share * (when - since) for when in times[len(sums) : index]]
        sums.append(joules)
    return sums


def info(trace: Trace, **options: Option) -> TraceInfo:
    """What is in a trace, its gaps, and everything odd."""
    return read(TraceInfo, _one(run("info", "--json", *words(options), "--", _file(trace))))


def score(trace: Trace, events: Trace, **options: Option) -> Score:
    """How late and how far off a list of deliveries was, with the trace as the truth.

    ``events`` is ours or anybody's: OwnTracks, Overland, GPX, CSV, GeoJSON, JSON lines. ``list=True`` has each crossing.
    """
    return read(Score, _one(run("score", "--json", *words(options), "--", _file(trace), _file(events))))


def fixes(trace: Trace, **options: Option) -> Rows[Fix]:
    """The positions of a trace, of whatever format. An empty table of one that has none."""
    try:
        said = run("convert", "--quiet", "--to", "jsonl", *words(options), "--", _file(trace))
    except CommandFailed as error:
        if error.status != 1:
            raise
        said = ""
    # Gaps are lines too, and an epoch without a fix has its time alone.
    return Rows(Fix, (Fix.read(Reader(line, "fix")) for line in _lines(said) if line.get("latitude") is not None))
