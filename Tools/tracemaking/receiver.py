# SPDX-License-Identifier: Apache-2.0
"""A receiver's report of a true position: correlated error, dropouts, dilution, satellites.

The error of each axis is a Gauss–Markov process (an AR(1) of unit variance with time constant τ), followed by the few
seconds of smoothing in receivers, times a σ that depends on the sky. White noise would be wrong: a receiver's error of
this second is nearly that of the last one, and filters that are tested on white noise look better than they are.
"""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Sky:
    sigma: float  # metres per axis
    tau: float  # seconds
    losses_per_hour: float
    loss: float  # mean length of a loss, seconds
    satellites: int


SKIES = {
    "open": Sky(2.0, 100, 0.0, 0, 11),
    "street": Sky(4.0, 80, 1.5, 8, 9),
    "canyon": Sky(9.0, 60, 50.0, 12, 6),
    "cutting": Sky(5.0, 60, 150.0, 14, 6),
    "cabin": Sky(3.5, 120, 2.0, 20, 7),
    "indoor": Sky(9.0, 120, 4.0, 90, 6),
    "bedroom": Sky(15.0, 120, 0.0, 0, 6),
    "tunnel": Sky(8.0, 60, 0.0, 0, 0),
}
SMOOTHING = 4.0
AGAIN = 15.0  # seconds in which the error after a loss falls back to the sky's own


@dataclass(frozen=True)
class Report:
    """One epoch. If `valid` is false only `seconds` and the sky are meaningful."""

    seconds: float
    valid: bool
    east: float
    north: float
    accuracy: float
    hdop: float
    speed: float
    course: float
    satellites: int
    altitude: float


class Receiver:
    def __init__(self, rng, altitude=120.0):
        self.rng = rng
        self.raw = [self.gauss(), self.gauss()]
        self.smooth = list(self.raw)
        self.climb = self.gauss()
        self.sigma = None
        self.last = None
        self.lost_until = None
        self.lost_at = None
        self.altitude = altitude

    def gauss(self):
        """Box and Muller: the generator's own algorithm is not guaranteed to stay the same."""
        u = 1 - self.rng.random()
        return math.sqrt(-2 * math.log(u)) * math.cos(2 * math.pi * self.rng.random())

    def report(self, seconds, state, height=0.0):
        sky = SKIES[state.sky]
        step = 1.0 if self.last is None else seconds - self.last
        self.last = seconds
        self._drift(sky, step)
        if sky.satellites == 0 or self._loses(sky, seconds, step):
            self.lost_at = seconds
            return Report(seconds, False, 0, 0, 0, 99.0, 0, 0, 0, 0)
        worse = 1.0
        if self.lost_at is not None:
            worse += 2.5 * math.exp(-(seconds - self.lost_at) / AGAIN)
        sigma = self.sigma * worse
        accuracy = max(1.5, 1.51 * sigma * (1 + 0.12 * self.gauss()))
        satellites = max(4, min(12, sky.satellites + round(0.8 * self.gauss())))
        speed = max(0.0, state.speed + 0.12 * worse * self.gauss())
        spread = math.degrees(0.12 * worse / max(0.5, state.speed))
        course = (state.course + min(60.0, spread) * self.gauss()) % 360
        return Report(
            seconds, True, self.smooth[0] * sigma, self.smooth[1] * sigma, accuracy,
            max(0.6, accuracy / 5), speed, course, satellites,
            self.altitude + height + self.climb * sigma * 1.6)

    def _drift(self, sky, step):
        keep = math.exp(-step / sky.tau)
        follow = 1 - math.exp(-step / SMOOTHING)
        scale = math.sqrt(1 + SMOOTHING / sky.tau)
        for axis in (0, 1):
            self.raw[axis] = keep * self.raw[axis] + math.sqrt(1 - keep * keep) * self.gauss()
            self.smooth[axis] += follow * (self.raw[axis] * scale - self.smooth[axis])
        self.climb = keep * self.climb + math.sqrt(1 - keep * keep) * self.gauss()
        if self.sigma is None:
            self.sigma = sky.sigma
        self.sigma += (sky.sigma - self.sigma) * (1 - math.exp(-step / 10))

    def _loses(self, sky, seconds, step):
        if self.lost_until is not None:
            if seconds < self.lost_until:
                return True
            self.lost_until = None
        if self.rng.random() < sky.losses_per_hour * step / 3600:
            self.lost_until = seconds - sky.loss * math.log(1 - self.rng.random())
            return True
        return False
