# SPDX-License-Identifier: Apache-2.0
"""Guards of the speed: instructions over a fixed input, which no other work on the machine
changes.

What `info` took on 2026-11-23, counted by this file (Swift 6.3, release, x86-64, valgrind 3.19): 19,828 a fix of NMEA
and 8,671 a fix of GPX. The limits are a quarter and a seventh above that, so that another compiler or C library passes
and a lost optimisation does not. To count is to run the program twice, over a log and over its first hundredth, so that
the start cancels out.
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
BYTES = 4_000_000


@dataclass
class Limit:
    work: str
    command: list
    log: str
    # Instructions per fix.
    instructions: int


LIMITS = [
    Limit("NMEA → fixes", ["info"], "long.nmea", 25_000),
    Limit("GPX → fixes", ["info"], "long.gpx", 10_000),
]


def counted(tool, words, pattern, program, arguments):
    command = ["valgrind", f"--tool={tool}", *words, program, *arguments]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    found = re.search(pattern, done.stderr)
    if done.returncode != 0 or not found:
        raise Trouble(f"{' '.join(map(str, command))}: {done.stderr.strip()[-400:]}")
    return int(found.group(1).replace(",", ""))


def instructions(program, arguments):
    return counted("callgrind", ["--callgrind-out-file=/dev/null"], r"Collected : ([\d,]+)",
                   program, arguments)


def fixes(log):
    wanted = b"<trkpt" if log.suffix == ".gpx" else b"RMC"
    return log.read_bytes().count(wanted)


def first(log, part):
    """The first hundredth of a log, whole lines of it, and closed where it is GPX."""
    lines = log.read_bytes().splitlines(keepends=True)
    head = b"".join(lines[:len(lines) // 100])
    part.write_bytes(head + (b"</trkseg></trk>\n</gpx>\n" if log.suffix == ".gpx" else b""))
    return part


def run(root, milepost):
    worst = 0
    with tempfile.TemporaryDirectory(prefix="milepost-guard-") as name:
        folder = Path(name)
        benchmark.write(folder, SEED, BYTES)
        # valgrind stumbles over Swift's debugging information.
        program = folder / "milepost"
        subprocess.run(["strip", "--strip-debug", "-o", program, milepost], check=True)
        rows = []
        for limit in LIMITS:
            log = folder / limit.log
            part = first(log, folder / f"part{log.suffix}")
            count = fixes(log) - fixes(part)
            rest = (instructions(program, [*limit.command, log])
                    - instructions(program, [*limit.command, part]))
            rows.append((f"{limit.work}, instructions per fix", rest / count, limit.instructions))
    for what, value, most in rows:
        is_met = value <= most
        worst = max(worst, 0 if is_met else 1)
        print(f"{'ok  ' if is_met else 'MORE'} {what}: {value:,.2f}, at most {most:,}")
    return worst
