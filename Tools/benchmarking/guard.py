# SPDX-License-Identifier: Apache-2.0
"""Guards of the speed: instructions and allocations over a fixed input, which no other work on the machine
changes.

The limits are a fifth above what was counted by this file on 2026-11-24 (Swift 6.3, release, x86-64, valgrind
3.19), so that another compiler or C library passes and a lost optimisation does not. A guard that takes less than
half of its limit says so: it no longer holds anything. To count by the fix is to run the program twice, over a log
and over its first tenth, so that start and recognition cancel out.
"""

import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tracemaking import benchmark  # noqa: E402

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
    Limit("eight rows of compare, instructions per fix", COMPARE, "long.gpx", instructions, 31_000),
    Limit("eight rows of compare, allocations per fix", COMPARE, "long.gpx", allocations, 0.16),
    Limit("start of milepost, instructions", ["--version"], None, instructions, 19_500_000),
]


def fixes(log):
    wanted = b"<trkpt" if log.suffix == ".gpx" else b"RMC"
    return log.read_bytes().count(wanted)


def first(log, part):
    """The first tenth of a log in whole lines, closed if it is GPX."""
    lines = log.read_bytes().splitlines(keepends=True)
    head = b"".join(lines[:len(lines) // 10])
    part.write_bytes(head + (b"</trkseg></trk>\n</gpx>\n" if log.suffix == ".gpx" else b""))
    return part


def measured(limit, program, folder):
    if limit.log is None:
        return limit.count([program, *limit.command])
    log = folder / limit.log
    part = first(log, folder / f"part{log.suffix}")
    more = limit.count([program, *limit.command, log]) - limit.count([program, *limit.command, part])
    return more / (fixes(log) - fixes(part))


def run(milepost):
    worst = 0
    with tempfile.TemporaryDirectory(prefix="milepost-guard-") as name:
        folder = Path(name)
        benchmark.write(folder, SEED, BYTES)
        # valgrind stumbles over Swift's debugging information.
        program = folder / "milepost"
        subprocess.run(["strip", "--strip-debug", "-o", program, milepost], check=True)
        for limit in LIMITS:
            value = measured(limit, program, folder)
            is_met = value <= limit.most
            worst = max(worst, 0 if is_met else 1)
            loose = "; lower the limit" if 2 * value < limit.most else ""
            print(f"{'ok  ' if is_met else 'MORE'} {limit.work}: {value:,.2f}, at most {limit.most:,}{loose}",
                  flush=True)
    return worst
