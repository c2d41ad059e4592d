# SPDX-License-Identifier: Apache-2.0
"""The faults of receivers: each takes epochs and a generator, and gives other epochs.

The numbers are severe, but seen in the field [estimate]; a user report that gave the idea is named. Faults at random
times leave the first minute alone, so that a replay has a beginning; drift, duplicates and disorder are everywhere.
"""

import math
from dataclasses import replace

from . import earth

QUIET = 60.0  # seconds at the beginning without faults


def gauss(rng):
    u = 1 - rng.random()
    return math.sqrt(-2 * math.log(u)) * math.cos(2 * math.pi * rng.random())


def places(epochs):
    """Indices of the fixes that may be changed."""
    start = epochs[0].seconds + QUIET
    return [index for index, epoch in enumerate(epochs) if epoch.valid and epoch.seconds > start]


def span(epochs):
    return max(1.0, max(e.seconds for e in epochs) - min(e.seconds for e in epochs))


def stretches(epochs, rng, count, shortest, longest):
    """`count` stretches of time (start, end), each at most a tenth of the trace."""
    begin, length = epochs[0].seconds + QUIET, span(epochs)
    for _ in range(count):
        seconds = min(rng.uniform(shortest, longest), length / 10)
        start = begin + rng.random() * max(0.0, length - QUIET - seconds)
        yield start, start + seconds


def jumps(epochs, rng, amount):
    """Positions 300 m to 15 km off for 1 to 4 fixes (owntracks/android#2034: miles off while parked)."""
    candidates = places(epochs)
    for _ in range(max(1, round(amount * span(epochs) / 3_600))):
        first = rng.choice(candidates)
        angle, metres = rng.random() * 2 * math.pi, 300 * 50 ** rng.random()
        for index in range(first, min(len(epochs), first + rng.randint(1, 4))):
            shift(epochs[index], metres * math.sin(angle), metres * math.cos(angle))
    return epochs


def drift(epochs, rng, amount):
    """An error that wanders: Gauss-Markov, `amount` metres per axis, correlated over two minutes."""
    error, last = [gauss(rng), gauss(rng)], epochs[0].seconds
    for epoch in epochs:
        keep = math.exp(-max(0.0, epoch.seconds - last) / 120)
        last = max(last, epoch.seconds)
        error = [keep * one + math.sqrt(1 - keep * keep) * gauss(rng) for one in error]
        shift(epoch, error[0] * amount, error[1] * amount)
    return epochs


def tunnels(epochs, rng, amount):
    """No epochs for one to six minutes, and 40 m of error that fades within seconds of the exit."""
    for start, end in list(stretches(epochs, rng, max(1, round(amount)), 60, 360)):
        epochs = [e for e in epochs if not start <= e.seconds < end]
        east, north = 40 * gauss(rng), 40 * gauss(rng)
        for epoch in epochs:
            since = epoch.seconds - end
            if 0 <= since < 20:
                shift(epoch, east * math.exp(-since / 6), north * math.exp(-since / 6))
    return epochs


def loss(epochs, rng, amount):
    """A share of the epochs is missing, in bursts of five on the average."""
    kept, losing = [], False
    start = epochs[0].seconds + QUIET
    for epoch in epochs:
        losing = rng.random() < (0.8 if losing else amount / (1 - amount) / 5)
        if not losing or epoch.seconds <= start:
            kept.append(epoch)
    return kept


def duplicates(epochs, rng, amount):
    """A share of the epochs comes twice, half of them with a position that differs by metres."""
    made = []
    for epoch in epochs:
        made.append(epoch)
        if rng.random() < amount:
            again = replace(epoch, before="")
            if rng.random() < 0.5:
                shift(again, 3 * gauss(rng), 3 * gauss(rng))
            made.append(again)
    return made


def reordering(epochs, rng, amount):
    """A share of the epochs comes up to ten places late, as from a queue."""
    order = []
    for index, epoch in enumerate(epochs):
        late = rng.randint(1, 10) + 0.5 if rng.random() < amount and index > 5 else 0
        order.append((index + late, index, epoch))
    return [epoch for _, _, epoch in sorted(order, key=lambda one: one[:2])]


def clock_steps(epochs, rng, amount):
    """The receiver's clock is wrong by 2 s to an hour, either way, and after a while right again."""
    for start, end in list(stretches(epochs, rng, max(1, round(amount)), 30, 900)):
        wrong = rng.choice([-3_600, -61, -30, -2, 2, 30, 61, 3_600])
        for epoch in epochs:
            if start <= epoch.seconds < end:
                epoch.seconds += wrong
    return epochs


def frozen(epochs, rng, amount):
    """The same position again and again, with a fresh time (owntracks/android#1928)."""
    for start, end in list(stretches(epochs, rng, max(1, round(amount)), 30, 900)):
        held = None
        for epoch in epochs:
            if start <= epoch.seconds < end and epoch.valid:
                held = held or epoch.place
                epoch.move(held)
    return epochs


def accuracies(epochs, rng, amount):
    """A share of the claims is absurd: 0, negative, a thousand kilometres, a tenth of a millimetre."""
    for index in places(epochs):
        if rng.random() < amount:
            epochs[index].accuracy = rng.choice(["0", "-1", "1000000", "0.0001", "99.99"])
    return epochs


def shift(epoch, east, north):
    if epoch.valid:
        latitude, longitude = earth.moved(epoch.latitude, epoch.longitude, east, north)
        epoch.move((max(-90.0, min(90.0, latitude)), longitude))


# name: (fault, usual amount, what the amount is)
FAULTS = {
    "jumps": (jumps, 3, "per hour"),
    "drift": (drift, 15, "metres per axis"),
    "tunnels": (tunnels, 2, "of them"),
    "loss": (loss, 0.2, "share of the epochs, up to 0.8"),
    "duplicates": (duplicates, 0.05, "share of the epochs"),
    "reordering": (reordering, 0.02, "share of the epochs"),
    "clock-steps": (clock_steps, 2, "of them"),
    "frozen": (frozen, 2, "stretches"),
    "accuracies": (accuracies, 0.05, "share of the fixes"),
}
