# SPDX-License-Identifier: Apache-2.0
"""A trace as epochs that can be moved, retimed, dropped and doubled.

An epoch keeps its original text; writing it replaces only position, time and claimed accuracy in it, so that unknown
parts stay unchanged.
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


class Unreadable(Exception):
    """The reason why a trace cannot be varied, in words for people."""


@dataclass
class Epoch:
    """A receiver's report of one time. `seconds` since 1970; no `latitude`: no position."""

    seconds: float
    latitude: float | None
    longitude: float | None
    raw: object
    before: str = ""  # text of the file that stands before it
    accuracy: str | None = None  # a claim to write instead of the trace's own
    moved: bool = False
    said: float | None = None  # the time in the trace

    def __post_init__(self):
        if self.said is None:
            self.said = self.seconds

    @property
    def retimed(self):
        return self.seconds != self.said

    @property
    def valid(self):
        return self.latitude is not None

    @property
    def place(self):
        return (self.latitude, self.longitude)

    def move(self, place):
        self.latitude, self.longitude = place
        self.moved = True


@dataclass
class Log:
    """Epochs in the order of the file, with the text around them."""

    render: object
    head: str = ""
    tail: str = ""
    epochs: list = field(default_factory=list)

    def text(self):
        body = "".join(epoch.before + self.render(epoch) for epoch in self.epochs)
        return self.head + body + self.tail


def moment(seconds):
    return EPOCH + timedelta(milliseconds=round(seconds * 1000))


def parse_time(text):
    text = text.strip().replace("Z", "+00:00")
    return (datetime.fromisoformat(text) - EPOCH).total_seconds()
