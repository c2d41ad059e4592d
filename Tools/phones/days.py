# SPDX-License-Identifier: Apache-2.0
"""The days of a folder: trips with their truth, the composite track of a day, and what the phones told.

A folder has `trips.csv`, `events.csv`, `tracks/MANIFEST.csv` and `truth/` as in `../shared/mobilitynet`, whose README
says what each column is. The *composite* is the reference of the trips, the place of rest in between (a position every
30 s), and straight ways between the two.
"""
import csv
import math
import os
from collections import defaultdict
from datetime import datetime, timezone

MARGIN = 600  # seconds from a track's ends within which nothing is counted
EARLY = 60  # seconds before the true start or end from which an event counts


def seconds(text):
    form = "%Y-%m-%dT%H:%M:%S.%fZ" if "." in text else "%Y-%m-%dT%H:%M:%SZ"
    return datetime.strptime(text, form).replace(tzinfo=timezone.utc).timestamp()


def text(instant):
    time = datetime.fromtimestamp(round(instant, 3), timezone.utc)
    return time.strftime("%Y-%m-%dT%H:%M:%S.") + "%03dZ" % (time.microsecond // 1000)


def rows(path):
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(file))


def metres(a, b):
    north = (a[0] - b[0]) * 111_195
    return math.hypot(north, (a[1] - b[1]) * 111_195 * math.cos(math.radians(a[0])))


def quantile(values, share):
    ordered = sorted(values)
    place = (len(ordered) - 1) * share
    low = int(place)
    if low + 1 >= len(ordered):
        return ordered[low]
    return ordered[low] + (ordered[low + 1] - ordered[low]) * (place - low)


class Trip:
    def __init__(self, row):
        self.name = row["trip_id"]
        self.starts, self.ends = seconds(row["truth_start_utc"]), seconds(row["truth_end_utc"])
        self.origin = (float(row["start_lat"]), float(row["start_lon"]))
        self.goal = (float(row["end_lat"]), float(row["end_lon"]))


class Day:
    """One run of a timeline: its trips, and the phone whose track was kept."""

    def __init__(self, folder, manifest, trips):
        self.folder, self.manifest, self.trips = folder, manifest, trips
        self.name = manifest["file"][:-4]
        self.run = int(self.name.rsplit("-run", 1)[1])
        self.begins = seconds(manifest["period_start_utc"])
        self.ends = seconds(manifest["period_end_utc"])

    @property
    def track(self):
        return os.path.join(self.folder, "tracks", self.manifest["file"])

    def composite(self):
        reference = [
            (seconds(r["time"]), float(r["latitude"]), float(r["longitude"]))
            for r in rows(os.path.join(self.folder, "truth", self.name + ".csv"))
        ]
        points = []

        def hold(start, end, place, step=30):
            while start < end:
                points.append((start, *place))
                start += step

        def line(start, a, end, b):
            walk = max(metres(a, b) / 1.4, 1)
            if end - start > walk + 60:
                line(start, a, start + walk, b)
                return hold(start + walk, end, b, 10)
            count = max(1, int((end - start) // 5))
            for i in range(count):
                part = i / count
                points.append(
                    (start + (end - start) * part, a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part)
                )

        last = self.begins
        for trip in self.trips:
            hold(last, trip.starts, trip.origin)
            at, place = trip.starts, trip.origin
            for r in reference:
                if not trip.starts < r[0] < trip.ends:
                    continue
                if r[0] - at > 3:
                    line(at, place, r[0], r[1:])
                points.append(r)
                at, place = r[0], r[1:]
            line(at, place, trip.ends, trip.goal)
            last = trip.ends
        hold(last, self.ends, self.trips[-1].goal)
        points.append((self.ends, *self.trips[-1].goal))
        track = []
        for point in sorted(points):
            if not track or point[0] - track[-1][0] >= 0.5:
                track.append(point)
        return track

    def each_second(self):
        """The composite once a second."""
        track, second, i = self.composite(), [], 0
        at = track[0][0]
        while at <= track[-1][0]:
            while i + 1 < len(track) and track[i + 1][0] < at:
                i += 1
            p, q = track[i], track[min(i + 1, len(track) - 1)]
            part = 0 if q[0] == p[0] else min(1, max(0, (at - p[0]) / (q[0] - p[0])))
            second.append((at, p[1] + (q[1] - p[1]) * part, p[2] + (q[2] - p[2]) * part))
            at += 1
        return second


def read(folder):
    """The days of a folder, in the order of their names."""
    trips = defaultdict(list)
    for row in rows(os.path.join(folder, "trips.csv")):
        trips[f"{row['timeline']}-run{row['run']}"].append(Trip(row))
    days = rows(os.path.join(folder, "tracks", "MANIFEST.csv"))
    return [Day(folder, day, trips[day["file"][:-4]]) for day in sorted(days, key=lambda d: d["file"])]


def measured(folder, days):
    """What the phones told: (platform, regime, kind) -> seconds late, None where it was missed."""
    spans = {day.name: (day.begins, day.ends) for day in days}
    told = defaultdict(list)
    for row in rows(os.path.join(folder, "events.csv")):
        day = f"{row['timeline']}-run{row['run']}"
        if row["censored"] == "yes" or day not in spans or row["kind"].endswith("_other"):
            continue
        reference = seconds(row["reference_utc"])
        if not spans[day][0] + MARGIN <= reference <= spans[day][1] - MARGIN:
            continue
        late = float(row["late_s"]) if row["late_s"] else None
        told[row["platform"], row["regime"], row["kind"]].append(late)
    return told


def first_fixes(days):
    """Seconds from an iPhone's call of an app that waited without the receiver to the first position with a speed, which
    no network position has. Calls after which the track has no position for two minutes are left out."""
    found = {}
    for day in days:
        if day.manifest["platform"] != "ios" or day.manifest["duty"] != "geofence":
            continue
        track = [(seconds(r["time"]), r["speed"] != "" and float(r["accuracy"]) <= 100) for r in rows(day.track)]
        for row in rows(os.path.join(day.folder, "events.csv")):
            if (f"{row['timeline']}-run{row['run']}", row["phone"], row["app_state"]) != (
                    day.name, day.manifest["phone"], "idle") or not row["told_utc"]:
                continue
            told = seconds(row["told_utc"])
            after = [(at, tracked) for at, tracked in track if at > told]
            fixes = [at for at, tracked in after if tracked]
            runs_already = any(tracked and told - 60 < at <= told for at, tracked in track)
            if fixes and after[0][0] < told + 120 and not runs_already:
                found.setdefault(fixes[0], fixes[0] - told)
    return sorted(found.values())


def late(events, day, begins, ends):
    """What one replay told, (seconds, what, region): kind -> seconds late, None where it was missed.

    An exit or departure counts from 60 s before the true start to the true end, an arrival from 60 s before the true end
    to 60 s before the next start; a departure only where a visit was open.
    """
    result = defaultdict(list)
    for i, trip in enumerate(day.trips):
        after = day.trips[i + 1].starts if i + 1 < len(day.trips) else None
        before = day.trips[i - 1].ends if i else begins
        if begins + MARGIN <= trip.starts <= ends - MARGIN:
            exits = [t for t, what, region in events
                     if what == "exited" and region == f"t{i + 1}" and trip.starts - EARLY <= t <= trip.ends]
            result["geofence_exit"].append(exits[0] - trip.starts if exits else None)
            visits = [(t, what) for t, what, _ in events if what in ("arrived", "departed")]
            open_ = [what for t, what in visits if before - EARLY <= t < trip.starts - EARLY]
            if open_ and open_[-1] == "arrived":
                first = [v for v in visits if trip.starts - EARLY <= v[0] <= trip.ends][:1]
                gone = first and first[0][1] == "departed"
                result["visit_departure"].append(first[0][0] - trip.starts if gone else None)
                if gone and exits:
                    result["order"].append(first[0][0] - exits[0])
            if exits:
                result["told_at_exit"].append(exits[0])
        if begins + MARGIN <= trip.ends <= ends - MARGIN:
            limit = after - EARLY if after else ends
            come = [t for t, what, _ in events if what == "arrived" and trip.ends - EARLY <= t <= limit]
            result["visit_arrival"].append(come[0] - trip.ends if come else None)
    return result
