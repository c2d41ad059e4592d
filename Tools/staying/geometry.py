# SPDX-License-Identifier: Apache-2.0
"""Positions as a server has them, and their distances."""

import math
from collections import namedtuple

# Seconds of UTC; (latitude, longitude) in degrees; metres, None is unknown; metres per second, None is unknown.
Point = namedtuple("Point", "time place accuracy speed")
# From when to when, and where.
Stay = namedtuple("Stay", "start end place")


def metres(a, b):
    """Between two (latitude, longitude), on a sphere."""
    (p, l), (q, m) = ([math.radians(x) for x in place] for place in (a, b))
    h = math.sin((q - p) / 2) ** 2 + math.cos(p) * math.cos(q) * math.sin((m - l) / 2) ** 2
    return 2 * 6_371_008.8 * math.asin(min(1, math.sqrt(h)))


class Centre:
    """The mean place of points that become more."""

    def __init__(self, points=()):
        self.count, self.latitude, self.longitude = 0, 0.0, 0.0
        for point in points:
            self.take(point)

    def take(self, point):
        self.count += 1
        self.latitude += point.place[0]
        self.longitude += point.place[1]

    @property
    def place(self):
        return self.latitude / self.count, self.longitude / self.count


def stay_of(points):
    return Stay(points[0].time, points[-1].time, Centre(points).place)
