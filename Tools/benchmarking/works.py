# SPDX-License-Identifier: Apache-2.0
"""The rows of the table: what is done, beside whom, and how good it must be.

The musts and goals are those of the project's issue 18, of November 2026.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from . import service
from .programs import peak, run


@dataclass
class Row:
    work: str
    ours: str
    # One cell per peer: its name and its result.
    peers: list = field(default_factory=list)
    ratio: str = ""
    must: str = ""
    goal: str = ""
    # None if it was not measured.
    is_met: bool | None = None
    is_reached: bool | None = None
    # The reason why a peer, or all of it, is left out.
    notes: list = field(default_factory=list)


class Bound:
    """Ours against one peer: at most `most` times as much, or at least `least` times as fast."""

    def __init__(self, peer, most=None, least=None):
        self.peer, self.most, self.least = peer, most, least

    def text(self):
        return f"≤ {self.most} × {self.peer}" if self.most else f"≥ {self.least} × faster than {self.peer}"

    def holds(self, ratios):
        """Whether it is kept; None if there is no ratio to this peer."""
        if self.peer not in ratios:
            return None
        ratio = ratios[self.peer]
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
    row = Row(work, "", must=must.text(), goal=goal.text())
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
    row.is_met, row.is_reached = must.holds(ratios), goal.holds(ratios)
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
    memory = peak([milepost, "--version"])
    row.ours = f"{taken(times['ours'])}, {memory:.1f} MiB, {size(milepost):.0f} MB of program"
    if gpsbabel:
        ratio = statistics.median(a / b for a, b in zip(times["ours"], times["gpsbabel"]))
        row.peers = [("gpsbabel", taken(times["gpsbabel"]))]
        row.ratio = f"{ratio:.2f} × gpsbabel"
        row.is_met = ratio <= 1
    row.is_reached = statistics.median(times["ours"]) <= 0.005 and memory <= 10
    return row


def size(program):
    """Megabytes of a program without its symbols, as packages ship it."""
    with tempfile.TemporaryDirectory() as folder:
        bare = Path(folder) / "bare"
        subprocess.run(["strip", "-o", bare, program], check=True)
        return bare.stat().st_size / 1e6


def memory(milepost, folder):
    row = Row("memory, 99 MB of NMEA", "", must="≤ 25 MiB, whatever the size", goal="")
    large = peak([milepost, "info", folder / "long.nmea"])
    with tempfile.TemporaryDirectory() as scratch:
        short = Path(scratch) / "short.nmea"
        with open(folder / "long.nmea", "rb") as file:
            short.write_bytes(file.read(9_940_000).rpartition(b"\n")[0] + b"\n")
        small = peak([milepost, "info", short])
    row.ours = f"{large:.1f} MiB; of a tenth of it {small:.1f} MiB"
    row.is_met = max(large, small) <= 25
    return row


def on_one_core(command):
    return ["taskset", "-c", str(min(os.sched_getaffinity(0))), *command]


def side_by_side(work, command, rounds):
    """Files, or worlds, side by side: the number of busy processors, by the clock."""
    row = Row(work, "", must="≥ 1.8 × by the clock", goal="")
    cores = len(os.sched_getaffinity(0))
    if cores < 2:
        row.notes.append(f"{work}: there is one core")
        return row
    runs = paired({"all": command, "one": on_one_core(command)}, rounds)
    clocks = {name: [each.clock for each in of] for name, of in runs.items()}
    faster = statistics.median(b / a for a, b in zip(clocks["all"], clocks["one"]))
    row.ours = taken(clocks["all"])
    row.peers = [("one core", taken(clocks["one"]))]
    row.ratio = f"{faster:.2f} × faster on {cores} cores"
    row.is_met = faster >= 1.8
    return row


def compare(milepost, day, rounds):
    """A world of the usual rows, beside the cost of decoding its trace.

    The issue asks for six rows; the usual ones are eight by now, and all of them are measured.
    """
    ours = [milepost, "compare", "--worlds", "1", "--json", day]
    runs = paired({"ours": ours, "decoding": [milepost, "info", day]}, rounds)
    times = {name: [one.processor for one in of] for name, of in runs.items()}
    ratio = statistics.median(a / b for a, b in zip(times["ours"], times["decoding"]))
    return Row(
        "`compare`, a day at 1 Hz, one world", taken(times["ours"]),
        [("decoding (`info`)", taken(times["decoding"]))], f"{ratio:.2f} × decoding",
        must="≤ 3 × decoding", goal="≤ 1.5 × decoding", is_met=ratio <= 3,
        is_reached=ratio <= 1.5)


# Worlds measured beside one; the difference is the cost of a world alone.
MORE_WORLDS = 8


def worlds(milepost, day, rounds):
    """Engine, world and meter alone: the cost of further worlds over the same truth, by fix and row."""
    def command(count):
        return on_one_core([milepost, "compare", "--worlds", str(count), "--json", day])

    document = json.loads(subprocess.run(
        command(1), stdin=subprocess.DEVNULL, capture_output=True, check=True).stdout)
    steps = MORE_WORLDS * document["trace"]["fixes"] * len(document["runs"])
    runs = paired({"many": command(1 + MORE_WORLDS), "one": command(1)}, rounds)
    times = [(a.processor - b.processor) / steps * 1e9 for a, b in zip(runs["many"], runs["one"])]
    took = statistics.median(times)
    return Row(
        "engine, world and meter, per fix and row",
        f"{took:.0f} ns ({min(times):.0f}–{max(times):.0f})", must="≤ 300 ns", goal="≤ 100 ns",
        is_met=took <= 300, is_reached=took <= 100)


# The apps that receive a fix, with the limit of processor milliseconds.
DAEMON = {1: 0.1, 100: 1}
# The limit of bytes written for a fix in continuous mode, for one app.
WRITTEN = 200


def daemon(milepostd, peers, count, rounds):
    """The service's cost of each fix for this number of apps; with one app also the growth of its files.

    One position a second, as receivers send them: between two of them the caches go cold, and a figure at a higher
    rate would be better than that of any user. A minute, so that every run has two of the snapshots of the engine that
    are written every 30 s. Most of the time is the kernel's and that of cold caches: a loop in C that makes the same
    system calls takes turns with it.
    """
    work = f"`milepostd`, per fix, {count} app{'s' * (count > 1)}"
    row = Row(work, "", must=f"≤ {DAEMON[count]} ms of processor")
    rows = [row]
    added = Row("`milepostd`, written per fix, one app", "", must=f"≤ {WRITTEN} bytes")
    if count == 1:
        rows.append(added)
    if not milepostd.is_file():
        row.notes.append(f"{work}: {milepostd} is not there; Tools/setup service, then build all products")
        return rows
    runs, floor = [], []
    for _ in range(rounds):
        runs.append(service.told([milepostd], count, reports=60, rate=1))
        floor.append(service.told(peers.command("bare C, service"), count, reports=20, rate=1))
    times, least = ([one.processor * 1e3 for one in of] for of in (runs, floor))
    row.ours = f"{milliseconds(times)}, {statistics.median(one.wakeups for one in runs):.1f} wake-ups"
    row.peers = [("bare C", milliseconds(least))]
    row.ratio = f"{statistics.median(a / b for a, b in zip(times, least)):.1f} × bare C"
    row.is_met = statistics.median(times) <= DAEMON[count]
    bytes_added, pages = (statistics.median(values) for values in
                          zip(*[(one.stored, one.pages) for one in runs]))
    added.ours = f"{bytes_added:.0f} bytes; {pages:.0f} in the kernel's whole pages"
    added.is_met = bytes_added <= WRITTEN
    return rows


def milliseconds(times):
    return f"{statistics.median(times):.2f} ms ({min(times):.2f}–{max(times):.2f})"


def measured(milepost, peers, folder, only, rounds):
    """All rows whose work contains `only`."""
    nmea, gpx, day = (folder / name for name in ["long.nmea", "long.gpx", "day.nmea"])
    milepostd = milepost.parent / "milepostd"
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
        "eight files at once (`info`)": lambda work: side_by_side(work, [milepost, "info", *[gpx] * 8], rounds),
        "20 worlds at once (`compare`)": lambda work: side_by_side(
            work, [milepost, "compare", "--worlds", "20", "--json", day], min(rounds, 3)),
        "compare": lambda work: compare(milepost, day, rounds),
        "engine, world and meter": lambda work: worlds(milepost, day, min(rounds, 3)),
        "milepostd, 1 app, written": lambda work: daemon(milepostd, peers, 1, min(rounds, 3)),
        "milepostd, 100 apps": lambda work: daemon(milepostd, peers, 100, min(rounds, 3)),
    }
    rows_done = []
    for work, measure in rows.items():
        if only.lower() in work.lower():
            print(f"bench: {work}", file=sys.stderr)
            done = measure(work)
            rows_done += done if isinstance(done, list) else [done]
    return rows_done
