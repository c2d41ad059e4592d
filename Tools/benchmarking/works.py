# SPDX-License-Identifier: Apache-2.0
"""The rows of the table: what is done, beside whom, and how good it must be.

The musts and goals are those of the project's issue 18, of November 2026.
"""

import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from .programs import run


@dataclass
class Row:
    work: str
    ours: str
    # One cell per peer: its name and what it took.
    peers: list = field(default_factory=list)
    ratio: str = ""
    must: str = ""
    goal: str = ""
    fails: bool = False
    reaches: bool = False
    # Why a peer is left out.
    notes: list = field(default_factory=list)


class Bound:
    """Ours against one peer: at most `most` times as much, or at least `least` times as fast."""

    def __init__(self, peer, most=None, least=None):
        self.peer, self.most, self.least = peer, most, least

    def text(self):
        return f"≤ {self.most} × {self.peer}" if self.most else f"≥ {self.least} × faster than {self.peer}"

    def is_met(self, ratio):
        return ratio <= self.most if self.most else 1 / ratio >= self.least


def taken(seconds):
    """A time with its least and greatest, three digits."""
    middle, least, most = statistics.median(seconds), min(seconds), max(seconds)
    if middle < 0.1:
        return f"{middle * 1e3:.1f} ms ({least * 1e3:.1f}–{most * 1e3:.1f})"
    return f"{middle:.2f} s ({least:.2f}–{most:.2f})"


def paired(commands, rounds):
    """Runs of each command, one after the other in each round; the first round only warms up."""
    runs = {name: [] for name in commands}
    for number in range(rounds + 1):
        for name, command in commands.items():
            one = run(command)
            if number > 0:
                runs[name].append(one)
    return runs


def compared(work, command, peers, names, must, goal, rounds):
    """A row of processor time. `names` are peers with the words behind them."""
    row = Row(work, "", must=must.text() if must else "", goal=goal.text() if goal else "")
    commands = {"ours": command}
    for name, words in names:
        other = peers.command(name, *words)
        if other is None:
            row.notes.append(f"{name}: {peers.why_missing(name)}")
        else:
            commands[name] = other
    runs = paired(commands, rounds)
    times = {name: [one.processor for one in of] for name, of in runs.items()}
    row.ours = taken(times["ours"])
    row.peers = [(name, taken(times[name])) for name in commands if name != "ours"]
    ratios = {name: statistics.median(a / b for a, b in zip(times["ours"], times[name]))
              for name in times if name != "ours"}
    row.ratio = ", ".join(f"{ratio:.2f} × {name}" for name, ratio in ratios.items())
    row.fails = must is not None and must.peer in ratios and not must.is_met(ratios[must.peer])
    row.reaches = goal is not None and goal.peer in ratios and goal.is_met(ratios[goal.peer])
    return row


def start(milepost, peers, rounds):
    """Start: twenty runs of each in a round, as one is too short for the system's clock."""
    def many(command):
        words = " ".join(f"'{word}'" for word in command)
        return ["sh", "-c", f"for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do {words} >/dev/null; done"]

    row = Row("start (`milepost --version`)", "", must="≤ 1 × gpsbabel", goal="≤ 5 ms, ≤ 10 MiB")
    commands = {"ours": many([str(milepost), "--version"]), "a shell's loop": many(["true"])}
    gpsbabel = peers.command("gpsbabel", "-V")
    if gpsbabel:
        commands["gpsbabel"] = many(gpsbabel)
    else:
        row.notes.append(f"gpsbabel: {peers.why_missing('gpsbabel')}")
    runs = paired(commands, rounds)
    times = {name: [one.processor / 20 for one in of] for name, of in runs.items()}
    memory = run([str(milepost), "--version"]).memory
    row.ours = f"{taken(times['ours'])}, {memory:.1f} MiB, {size(milepost):.0f} MB of program"
    if gpsbabel:
        ratio = statistics.median(a / b for a, b in zip(times["ours"], times["gpsbabel"]))
        row.peers = [("gpsbabel", taken(times["gpsbabel"]))]
        row.ratio = f"{ratio:.2f} × gpsbabel"
        row.fails = ratio > 1
    row.reaches = statistics.median(times["ours"]) <= 0.005 and memory <= 10
    return row


def size(program):
    """Megabytes of a program without its symbols, as packages ship it."""
    with tempfile.TemporaryDirectory() as folder:
        bare = Path(folder) / "bare"
        subprocess.run(["strip", "-o", bare, program], check=True)
        return bare.stat().st_size / 1e6


def memory(milepost, folder):
    row = Row("memory, 99 MB of NMEA", "", must="≤ 25 MiB, whatever the size", goal="")
    large = run([milepost, "info", folder / "long.nmea"]).memory
    with tempfile.TemporaryDirectory() as scratch:
        short = Path(scratch) / "short.nmea"
        with open(folder / "long.nmea", "rb") as file:
            short.write_bytes(file.read(9_940_000).rpartition(b"\n")[0] + b"\n")
        small = run([milepost, "info", short]).memory
    row.ours = f"{large:.1f} MiB; of a tenth of it {small:.1f} MiB"
    row.fails = large > 25 or large > small + 2
    return row


def many_files(milepost, folder, rounds):
    """Files side by side: how many processors were busy, by the clock."""
    row = Row("eight files at once (`info`)", "", must="≥ 1.8 × by the clock", goal="")
    cores = len(os.sched_getaffinity(0))
    if cores < 2:
        row.ours, row.must = "left out: one core", ""
        return row
    one = ["taskset", "-c", str(min(os.sched_getaffinity(0))), milepost, "info"]
    files = [folder / "long.gpx"] * 8
    runs = paired({"both": [milepost, "info", *files], "one": [*one, *files]}, rounds)
    clocks = {name: [each.clock for each in of] for name, of in runs.items()}
    faster = statistics.median(b / a for a, b in zip(clocks["both"], clocks["one"]))
    row.ours = taken(clocks["both"])
    row.peers = [("one core", taken(clocks["one"]))]
    row.ratio = f"{faster:.2f} × faster on {cores} cores"
    row.fails = faster < 1.8
    return row


def measured(milepost, peers, folder, only, rounds):
    """All rows whose work has `only` in it."""
    nmea, gpx = folder / "long.nmea", folder / "long.gpx"
    rich = folder / "rich.gpx"
    if not rich.is_file():
        run([milepost, "convert", "-q", nmea, "-o", rich])
    c_peers = [("libxml2 SAX", [gpx]), ("expat", [gpx]), ("bare C, GPX", [gpx])]
    rich_peers = [(name, [rich]) for name, _ in c_peers]
    babel = ["-i", "nmea", "-f", nmea, "-o", "gpx", "-F", "/dev/null"]
    rows = {
        "NMEA → fixes (`info`)": lambda work: compared(
            work, [milepost, "info", nmea], peers,
            [("lwgps", [nmea]), ("minmea", [nmea]), ("bare C", [nmea])],
            Bound("lwgps", most=0.8), Bound("bare C", most=2), rounds),
        "NMEA → GPX (`convert`)": lambda work: compared(
            work, [milepost, "convert", "-q", nmea, "--to", "gpx", "-o", "/dev/null"], peers,
            [("gpsbabel", babel)], Bound("gpsbabel", least=15), Bound("gpsbabel", least=30),
            min(rounds, 3)),
        "GPX → fixes (`info`)": lambda work: compared(
            work, [milepost, "info", gpx], peers, c_peers, Bound("libxml2 SAX", most=1),
            Bound("libxml2 SAX", most=0.5), rounds),
        "GPX with extensions → fixes (`info`)": lambda work: compared(
            work, [milepost, "info", rich], peers, rich_peers, Bound("libxml2 SAX", most=1),
            Bound("libxml2 SAX", most=0.5), rounds),
        "start": lambda work: start(milepost, peers, rounds),
        "memory": lambda work: memory(milepost, folder),
        "many files": lambda work: many_files(milepost, folder, rounds),
    }
    rows_done = []
    for work, measure in rows.items():
        if only.lower() in work.lower():
            print(f"bench: {work}", file=sys.stderr)
            rows_done.append(measure(work))
    return rows_done
