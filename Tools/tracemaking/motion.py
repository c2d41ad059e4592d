# SPDX-License-Identifier: Apache-2.0
"""The true state of a device at any second: a route, the speeds it allows, and the stops on it.

A route is drawn like a turtle's: go, turn, stop. Every few metres there is a knot with its allowed speed. A forward
pass limits the speed by the vehicle's acceleration, a backward pass by its braking; between two knots the acceleration
is constant.
"""

import bisect
import math
from dataclasses import dataclass

from . import earth

KMH = 1 / 3.6


@dataclass(frozen=True)
class Vehicle:
    """Accelerations in m/s²: along the way, when braking, and sideways in a bend."""

    accelerates: float
    brakes: float
    sideways: float


CAR = Vehicle(1.5, 1.9, 2.0)
BUS = Vehicle(1.0, 1.2, 1.3)
TRAIN = Vehicle(0.5, 0.6, 0.8)
FEET = Vehicle(0.7, 0.9, 1.0)
AIRLINER = Vehicle(1.9, 1.6, 2.0)


@dataclass(frozen=True)
class State:
    """The truth at one instant."""

    latitude: float
    longitude: float
    speed: float
    course: float
    sky: str


class Route:
    def __init__(self, start, heading, rng, step=5.0, wander=0.6):
        self.points = [start]
        self.limits = [0.0]
        self.skies = ["open"]
        self.stops = {}
        self.heading = heading
        self.rng = rng
        self.step = step
        self.wander = wander

    def go(self, metres, kmh, sky="street", bend=0.0):
        """Straight on, or along a curve that turns by `bend` degrees in all."""
        count = max(1, round(metres / self.step))
        length = metres / count
        for _ in range(count):
            self.heading += bend / count
            sway = self.rng.uniform(-self.wander, self.wander)
            self._add(earth.stepped(*self.points[-1], self.heading + sway, length), kmh * KMH, sky)
        return self

    def turn(self, degrees, vehicle, radius=12.0, sky="street"):
        """A corner, at the speed that its radius allows."""
        speed = math.sqrt(vehicle.sideways * radius)
        arc = math.radians(abs(degrees)) * radius
        count = max(2, round(arc / 4))
        for _ in range(count):
            self.heading += degrees / count
            self._add(earth.stepped(*self.points[-1], self.heading, arc / count), speed, sky)
        return self

    def stop(self, seconds):
        self.stops[len(self.points) - 1] = seconds
        return self

    def toward(self, goal, metres, kmh, sky="open"):
        """Along the great circle to `goal`, for `metres` or until it is reached."""
        left = min(metres, earth.great_circle_metres(self.points[-1], goal))
        while left > 1:
            length = min(self.step, left)
            self.heading = earth.great_circle_heading(self.points[-1], goal)
            self._add(earth.stepped(*self.points[-1], self.heading, length), kmh * KMH, sky)
            left -= length
        return self

    def back(self):
        """The same way in the other direction, with the same stops."""
        other = Route(self.points[-1], 0, self.rng, self.step, self.wander)
        last = len(self.points) - 1
        other.points = self.points[::-1]
        other.limits = [0.0] + self.limits[:0:-1]
        other.skies = [self.skies[-1]] + self.skies[:0:-1]
        other.stops = {last - index: seconds for index, seconds in self.stops.items()}
        return other

    def _add(self, point, limit, sky):
        self.points.append(point)
        self.limits.append(limit)
        self.skies.append(sky)


class Motion:
    """Stays and routes one after another; `at(seconds)` returns the state at any instant since the start."""

    def __init__(self):
        self.times = []
        self.cells = []  # (start, end, speed at start, speed at end, course, sky)
        self.duration = 0.0

    def stay(self, point, seconds, sky):
        course = self.cells[-1][4] if self.cells else 0.0
        self._add(point, point, 0.0, 0.0, course, sky, seconds)
        return self

    def ride(self, route, vehicle, rng, haste=0.05):
        """Drives a route; `haste` is the variation of the driver's pace around the allowed speed."""
        lengths = [_distance(a, b) for a, b in zip(route.points, route.points[1:])]
        speeds = self._speeds(route, lengths, vehicle, rng, haste)
        for index, length in enumerate(lengths):
            start, end = route.points[index], route.points[index + 1]
            course = math.degrees(math.atan2(*_offset(start, end))) % 360
            mean = max(0.15, (speeds[index] + speeds[index + 1]) / 2)
            sky = route.skies[index + 1]
            self._add(start, end, speeds[index], speeds[index + 1], course, sky, length / mean)
            if index + 1 in route.stops:
                self.stay(end, route.stops[index + 1], sky)
        return self

    def at(self, seconds):
        index = max(0, bisect.bisect_right(self.times, seconds) - 1)
        start, end, v0, v1, course, sky = self.cells[index]
        after = self.times[index + 1] if index + 1 < len(self.times) else self.duration
        span = after - self.times[index]
        f = min(1.0, max(0.0, (seconds - self.times[index]) / span)) if span > 0 else 0.0
        speed = v0 + (v1 - v0) * f
        along = (v0 * f + (v1 - v0) * f * f / 2) / ((v0 + v1) / 2) if v0 + v1 > 0 else f
        turn = earth.wrapped(end[1] - start[1])
        return State(
            start[0] + (end[0] - start[0]) * along, earth.wrapped(start[1] + turn * along),
            speed, course, sky)

    def _add(self, start, end, v0, v1, course, sky, seconds):
        self.times.append(self.duration)
        self.cells.append((start, end, v0, v1, course, sky))
        self.duration += seconds

    @staticmethod
    def _speeds(route, lengths, vehicle, rng, haste):
        pace, speeds = 0.0, []
        for index, limit in enumerate(route.limits):
            pace += (rng.uniform(-1, 1) * haste - pace) * 0.04 * math.sqrt(route.step)
            speeds.append(0.0 if index in route.stops else limit * (1 + pace))
        speeds[0] = speeds[-1] = 0.0
        for index, length in enumerate(lengths):
            reach = math.sqrt(speeds[index] ** 2 + 2 * vehicle.accelerates * length)
            speeds[index + 1] = min(speeds[index + 1], reach)
        for index in range(len(lengths) - 1, -1, -1):
            reach = math.sqrt(speeds[index + 1] ** 2 + 2 * vehicle.brakes * lengths[index])
            speeds[index] = min(speeds[index], reach)
        return speeds


def _offset(start, end):
    north, east = earth.metres_per_degree((start[0] + end[0]) / 2)
    return earth.wrapped(end[1] - start[1]) * east, (end[0] - start[0]) * north


def _distance(start, end):
    return math.hypot(*_offset(start, end))
