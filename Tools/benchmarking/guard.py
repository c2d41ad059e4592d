# SPDX-License-Identifier: Apache-2.0
"""Guards of the speed: instructions and allocations over a fixed input, which no other work on the machine
changes.

The limits are a fifth above what was counted by this file on 2026-11-24 to 27 (Swift 6.3, release, x86-64, valgrind
3.19), so that another compiler or C library passes and a lost optimisation does not. A guard that takes less than
half of its limit says so: it no longer holds anything. To count by the fix is to run the program twice, over a log
and over its first half, so that start, recognition and what an app does once in a trace cancel out.

Of the service, if it is built, what one position costs is counted too: instructions, and what the kernel counts of its
wake-ups and its calls of read and write. With one app it is woken twice, by the report and by the app's answer; it
reads each, and writes each to its file. At rest it is not woken at all.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tracemaking import benchmark  # noqa: E402

from . import service  # noqa: E402
from .programs import Trouble  # noqa: E402

SEED = 20260504
BYTES = 2_000_000


@dataclass
class Limit:
    work: str
    command: list
    # The log that is read; None for counts per run.
    log: str | None
    count: object
    most: float


def counted(tool, words, pattern, command):
    command = ["valgrind", f"--tool={tool}", *words, *command]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    found = re.search(pattern, done.stderr)
    if done.returncode != 0 or not found:
        raise Trouble(f"{' '.join(map(str, command))}: {done.stderr.strip()[-400:]}")
    return int(found.group(1).replace(",", ""))


def instructions(command):
    return counted("callgrind", ["--callgrind-out-file=/dev/null"], r"Collected : ([\d,]+)", command)


def allocations(command):
    return counted("memcheck", ["--undef-value-errors=no", "--leak-check=no"],
                   r"total heap usage: ([\d,]+) allocs", command)


COMPARE = ["compare", "--worlds", "1", "--json"]
CONVERT = ["convert", "--quiet", "--to", "gpx", "-o", "/dev/null"]

LIMITS = [
    Limit("NMEA → fixes, instructions per fix", ["info"], "long.nmea", instructions, 11_500),
    Limit("GPX → fixes, instructions per fix", ["info"], "long.gpx", instructions, 7_400),
    Limit("NMEA → GPX, instructions per fix", CONVERT, "long.nmea", instructions, 23_700),
    Limit("eight rows of compare, instructions per fix", COMPARE, "long.gpx", instructions, 16_500),
    Limit("eight rows of compare, allocations per fix", COMPARE, "long.gpx", allocations, 0.1),
    Limit("start of milepost, instructions", ["--version"], None, instructions, 22_000_000),
]


def fixes(log):
    wanted = b"<trkpt" if log.suffix == ".gpx" else b"RMC"
    return log.read_bytes().count(wanted)


def first(log, part):
    """The first half of a log in whole lines, closed if it is GPX."""
    lines = log.read_bytes().splitlines(keepends=True)
    head = b"".join(lines[:len(lines) // 2])
    part.write_bytes(head + (b"</trkseg></trk>\n</gpx>\n" if log.suffix == ".gpx" else b""))
    return part


def measured(limit, program, folder):
    if limit.log is None:
        return limit.count([program, *limit.command])
    log = folder / limit.log
    part = first(log, folder / f"part{log.suffix}")
    more = limit.count([program, *limit.command, log]) - limit.count([program, *limit.command, part])
    return more / (fixes(log) - fixes(part))


HERE = Path(__file__).resolve().parent

# Instructions of the service by the number of apps that a position goes to, and the positions of the short run. Both
# runs must have the snapshots of the engine that the first positions cause, and end before the next: one snapshot is
# 4.6 million instructions, and under valgrind the last of the first ones comes some ten seconds after the start. One
# snapshot more in the long run is 29,000 instructions a position, and on a slow machine there are some: of a fix with
# 100 apps 3.61 and 3.72 million were counted. So these limits are a tenth above the largest count.
SERVICE_INSTRUCTIONS = {1: (180_000, 300), 100: (4_100_000, 100)}
# What the long run has more.
MORE = 160


def service_instructions(milepostd, folder, count, few):
    """Instructions for each position, without the service's start and end."""
    shim = folder / "sigsuspend.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", shim, HERE / "sigsuspend.c"], check=True)
    command = ["env", f"LD_PRELOAD={shim}", "valgrind", "--tool=callgrind",
               "--callgrind-out-file=/dev/null", milepostd]

    def collected(reports):
        said = service.told(command, count, reports, rate=20).said
        found = re.search(r"Collected : ([\d,]+)", said)
        if not found:
            raise Trouble(f"milepostd under valgrind: {said.strip()[-400:]}")
        return int(found.group(1).replace(",", ""))

    return (collected(few + MORE) - collected(few)) / MORE


def of_service(milepostd, folder):
    """The work, its count and its limit, one after the other."""
    if not milepostd.is_file():
        print(f"     the service is left out: {milepostd} is not there", flush=True)
        return
    stripped = folder / "milepostd"
    subprocess.run(["strip", "--strip-debug", "-o", stripped, milepostd], check=True)
    keeper = milepostd.parent / "milepost-keeper"
    if keeper.is_file():
        shutil.copy(keeper, folder)
    for count, (most, few) in SERVICE_INSTRUCTIONS.items():
        value = service_instructions(stripped, folder, count, few)
        yield f"milepostd, instructions per fix, {count} app{'s' * (count > 1)}", value, most
    told = service.told([stripped], 1, reports=50, rate=10)
    yield "milepostd, wake-ups per fix, 1 app", told.wakeups, 2.2
    yield "milepostd, calls of read per fix, 1 app", told.reads, 2.4
    yield "milepostd, calls of write per fix, 1 app", told.writes, 2.4
    yield "milepostd, wake-ups in 5 s at rest", service.at_rest([stripped], 5), 0


def says(work, value, most):
    """Says whether a limit is kept; returns 1 if it is not."""
    loose = "; lower the limit" if 2 * value < most else ""
    print(f"{'ok  ' if value <= most else 'MORE'} {work}: {value:,.2f}, at most {most:,}{loose}", flush=True)
    return 0 if value <= most else 1


def run(milepost):
    worst = 0
    with tempfile.TemporaryDirectory(prefix="milepost-guard-") as name:
        folder = Path(name)
        benchmark.write(folder, SEED, BYTES)
        # valgrind stumbles over Swift's debugging information.
        program = folder / "milepost"
        subprocess.run(["strip", "--strip-debug", "-o", program, milepost], check=True)
        for limit in LIMITS:
            worst = max(worst, says(limit.work, measured(limit, program, folder), limit.most))
        for work, value, most in of_service(milepost.parent / "milepostd", folder):
            worst = max(worst, says(work, value, most))
    return worst
