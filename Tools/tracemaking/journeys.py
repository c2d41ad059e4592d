# SPDX-License-Identifier: Apache-2.0
"""Other journeys over the same ground: a trace turned in time, and begun later.

A trace of an hour has a dozen events, and the first one determines the places of all others. Eight journeys over it
have a hundred.
"""

import csv
import io
import subprocess

from . import catalogue, epochs, formats
from .epochs import Unreadable

# Seconds omitted at the beginning: no multiples of 300 or of each other.
ORDER = (("", 0), ("-turned", 170), ("", 410), ("-turned", 730),
         ("-turned", 0), ("", 170), ("-turned", 410), ("", 730))
SHORTEST = 1_800.0


def write(program, path, folder, count=8):
    """Writes this number, at most eight, as CSV, each with its truth if the trace has one; returns their paths."""
    log = converted(program, path)
    beside = path.with_name(catalogue.truth_name(path.name))
    truth = rows_of(beside.read_text(encoding="ascii")) if beside.is_file() else None
    first, last = moment(log[0]), moment(log[-1])
    stem = path.name.split(".")[0]
    ways = {
        "": (log, truth),
        "-turned": (turned(log, first, last), truth and turned(truth, first, last)),
    }
    written = []
    for direction, later in ORDER:
        if len(written) == count or later and last - first - later < SHORTEST:
            continue
        of_log, of_truth = ways[direction]
        target = folder / f"{stem}{direction}-{later}.csv"
        save(target, from_second(of_log, first + later))
        if of_truth:
            save(target.with_name(catalogue.truth_name(target.name)),
                 from_second(of_truth, first + later))
        written.append(target)
    return written


def converted(program, path):
    answer = subprocess.run(
        [str(program), "convert", "--to", "csv", "--quiet", "--fix-week-rollover", str(path)],
        capture_output=True, text=True, check=False)
    rows = rows_of(answer.stdout)
    if answer.returncode or not rows:
        raise Unreadable(answer.stderr.strip() or "nothing in it")
    if any(not row["time"] for row in rows):
        raise Unreadable("points without a time")
    if any(moment(a) > moment(b) for a, b in zip(rows, rows[1:])):
        raise Unreadable("its times go backwards")
    return rows


def turned(rows, first, last):
    """The same places, the last one first."""
    segments = [int(row["segment"]) for row in rows if row.get("segment")]
    result = []
    for row in reversed(rows):
        row = dict(row, time=formats.rfc3339(epochs.moment(first + last - moment(row))))
        if row.get("course_deg"):
            row["course_deg"] = f"{(float(row['course_deg']) + 180) % 360:.1f}"
        if row.get("segment"):
            row["segment"] = str(max(segments) - int(row["segment"]))
        result.append(row)
    return result


def from_second(rows, begin):
    return [row for row in rows if moment(row) >= begin]


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def save(path, rows):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def moment(row):
    return epochs.parse_time(row["time"])
