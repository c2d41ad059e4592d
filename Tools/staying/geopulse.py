# SPDX-License-Identifier: Apache-2.0
"""GeoPulse's rules for stays, by its defaults (tess1o/geopulse@2e0f54c: StreamingTimelineProcessor,
TripStopHeuristicsService, TimelineMergeAnalysisService, application.properties).

    nothing    the first point makes a stay that may be
    may be     a point beyond 50 m of the mean: on the way, its points with it; after 7 min it is one
    stay       a point beyond 50 m ends it: on the way
    on the way three points at least that are slow (2.5 m/s; unknown is 0) and 60 s apart make a stay that may be: all
               within 50 m of the newest behind one that was fast, else the last three, wherever they are
    any        silence of more than 3 h ends what there is, a stay of any length too, and begins anew

Positions coarser than 60 m are dropped. Stays at one place are joined when nothing of a way, or less than 400 m of it, is
between them, and no silence of 3 h (its limit of 15 min is compared with seconds, so it hardly counts). One place is what
its user or its geocoder calls one: here what is within 50 m, the radius of a favourite place of a user."""

from staying.geometry import Centre, metres, stay_of

NEAR, LEAST, SILENCE, FINEST = 50.0, 420.0, 10_800.0, 60.0
SLOW, STOP, STOPPED = 2.5, 60.0, 3
JOINED_WAY, JOINED_TIME = 400.0, 15.0
# Of distances, so that no rounding decides.
TOLERANCE = 0.5


def slow(point):
    return (point.speed or 0.0) <= SLOW


def stop(way):
    """The index of the first point of a stop at the end of a way, if there is one."""
    last = way[-1]
    if not slow(last) or len(way) < STOPPED:
        return None
    first = len(way) - 1
    while first > 0 and slow(way[first - 1]) and metres(way[first - 1].place, last.place) <= NEAR:
        first -= 1
    if (len(way) - first >= STOPPED and first > 0 and last.time - way[first].time >= STOP
            and any(not slow(point) for point in way[:first])):
        return first
    recent = way[-STOPPED:]
    if all(slow(point) for point in recent) and last.time - recent[0].time >= STOP:
        return len(way) - STOPPED
    return None


class Line:
    """A user's line of time while it is made: stays, ways and silences."""

    def __init__(self):
        self.mode, self.points, self.centre, self.before = "nothing", [], Centre(), None
        self.stays, self.ways, self.silences = [], [], []

    def begin(self, mode, points):
        self.mode, self.points, self.centre = mode, list(points), Centre(points)

    def add(self, point):
        self.points.append(point)
        self.centre.take(point)

    def finish(self):
        if self.mode in ("may be", "stay"):
            self.stays.append(stay_of(self.points))
        elif self.mode == "on the way" and len(self.points) > 1:
            self.ways.append(self.points)
        self.begin("nothing", [])

    def take(self, point):
        if self.before and point.time - self.before.time > SILENCE:
            self.finish()
            self.silences.append((self.before.time, point.time))
        self.before = point
        if self.mode == "nothing":
            return self.begin("may be", [point])
        if self.mode == "on the way":
            self.add(point)
            first = stop(self.points)
            if first is not None:
                if first > 0:
                    self.ways.append(self.points[:first + 1])
                self.begin("may be", self.points[first:])
        elif metres(self.centre.place, point.place) > NEAR + TOLERANCE:
            if self.mode == "stay":
                self.finish()
            self.mode = "on the way"
            self.add(point)
        else:
            self.add(point)
            if point.time - self.points[0].time >= LEAST:
                self.mode = "stay"

    def is_joined(self, a, b):
        """Two stays, one after the other."""
        between = lambda time: a.start < time < b.start
        if metres(a.place, b.place) > NEAR:
            return False
        if any(between(start) or between(end) for start, end in self.silences):
            return False
        ways = [way for way in self.ways if between(way[0].time)]
        length = sum(metres(p.place, q.place) for way in ways for p, q in zip(way, way[1:]))
        time = sum(way[-1].time - way[0].time for way in ways)
        return not ways or length < JOINED_WAY or time < JOINED_TIME


def by_geopulse(points):
    line = Line()
    for point in points:
        if (point.accuracy or 0.0) <= FINEST:
            line.take(point)
    line.finish()
    joined = []
    for stay in line.stays:
        # A stay that is joined has the place of its first one; what is compared is the newest.
        if joined and line.is_joined(joined[-1][-1], stay) and metres(joined[-1][0].place, stay.place) <= NEAR:
            joined[-1].append(stay)
        else:
            joined.append([stay])
    return [group[0]._replace(end=group[-1].end) for group in joined]
