# SPDX-License-Identifier: Apache-2.0
"""True stays of traces, and what somebody who knew all could say of them."""

import csv
import math
from bisect import bisect
from datetime import datetime

from staying.geometry import Point, Stay, metres

LEAST = 600.0
# Seconds between the points of one who tells all; what a place is for longer, without a position, nobody knows.
STEP, HOLE = 5, 300.0


def seconds(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def overlap(a, b):
    return max(0.0, min(a[1], b[1]) - max(a[0], b[0]))


def path_of(trace):
    """Where the device was, by its truth file or the track itself."""
    truth = trace.with_suffix(".truth.csv")
    with open(truth if truth.exists() else trace, encoding="utf-8") as file:
        return [(seconds(r["time"]), (float(r["latitude"]), float(r["longitude"]))) for r in csv.DictReader(file)]


def drawn_truth(trace):
    """Stays by the truth file: within 100 m of their first place, over once 200 m away."""
    rows = path_of(trace)
    found, first, last = [], 0, 0
    for index in range(1, len(rows) + 1):
        away = math.inf if index == len(rows) else metres(rows[first][1], rows[index][1])
        if away <= 100:
            last = index
        elif away > 200 or rows[last][0] - rows[first][0] < LEAST:
            if rows[last][0] - rows[first][0] >= LEAST:
                found.append(Stay(rows[first][0], rows[last][0], rows[first][1]))
            first = last = index
    return found


def net_truth(trace):
    """The hours between the trips of a run, while its track lasts. A stay for half of which the track has no
    position, and has moved meanwhile, is left out: nobody could know it from the track."""
    name, run = trace.stem.rsplit("-run", 1)
    fixes = path_of(trace)
    with open(trace.parent.parent / "trips.csv", encoding="utf-8") as file:
        trips = [r for r in csv.DictReader(file) if r["timeline"] == name and r["run"] == run]
    trips.sort(key=lambda r: r["truth_start_utc"])
    place = lambda r, end: (float(r[f"{end}_lat"]), float(r[f"{end}_lon"]))
    stays = [Stay(fixes[0][0], seconds(trips[0]["truth_start_utc"]), place(trips[0], "start"))]
    stays += [
        Stay(seconds(a["truth_end_utc"]), seconds(b["truth_start_utc"]), place(a, "end"))
        for a, b in zip(trips, trips[1:])]
    stays.append(Stay(seconds(trips[-1]["truth_end_utc"]), fixes[-1][0], place(trips[-1], "end")))
    holes = [
        (a, b) for (a, p), (b, q) in zip(fixes, fixes[1:]) if b - a > HOLE and metres(p, q) > 100]
    return [
        stay for stay in stays if stay.end - stay.start >= LEAST
        and sum(overlap(stay, hole) for hole in holes) < (stay.end - stay.start) / 2]


class Path:
    """Where the device was at each instant, and how fast."""

    def __init__(self, rows):
        self.rows, self.times = rows, [time for time, _ in rows]

    def place(self, time):
        """Between two positions in proportion to time; within a hole that of its begin."""
        after = bisect(self.times, time)
        if after == 0 or after == len(self.rows):
            return self.rows[max(0, after - 1)][1]
        (start, a), (end, b) = self.rows[after - 1], self.rows[after]
        part = 0 if end - start > HOLE else (time - start) / (end - start)
        return a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part

    def speed(self, time):
        """Of the 10 s around."""
        return metres(self.place(time - STEP), self.place(time + STEP)) / (2 * STEP)

    def point(self, time):
        return Point(time, self.place(time), 0.0, self.speed(time))

    def all(self):
        """What one says who tells all: each 5 s place and speed."""
        first, last = math.ceil(self.times[0]), math.floor(self.times[-1])
        return [self.point(time) for time in range(first, last, STEP)]

    def known(self, looks):
        """The most that a sender with these looks can say: the true place and speed at each look, and each minute until
        the next one the place again."""
        points = []
        for time, until in zip(looks, looks[1:] + [self.times[-1]]):
            if points and until - points[-1].time < 60:
                continue
            seen = self.point(time)
            points.append(seen)
            points += [seen._replace(time=at, speed=None) for at in range(math.ceil(time) + 1, math.floor(until), 60)]
            points.append(seen._replace(time=until - 1, speed=None))
        return sorted(points, key=lambda point: point.time)
