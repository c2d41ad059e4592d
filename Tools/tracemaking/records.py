# SPDX-License-Identifier: Apache-2.0
"""A trace as epochs that can be moved, timed anew, dropped and doubled, and written as they were.

Each format keeps what it does not understand: an epoch is the lines (or the element) that it came from,
and writing it replaces position, time and claimed accuracy in them and nothing else.
"""

import csv
import io
import json
import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone

from . import formats

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


class Unreadable(Exception):
    """Why a trace cannot be varied, in words for people."""


@dataclass
class Epoch:
    """What a receiver said at one time. `seconds` since 1970; no `latitude`: no position."""

    seconds: float
    latitude: float | None
    longitude: float | None
    raw: object
    before: str = ""  # text of the file that stands before it
    accuracy: str | None = None  # a claim to write instead of the trace's own
    moved: bool = False

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
    """Epochs in the order of the file, and what stands around them."""

    render: object
    head: str = ""
    tail: str = ""
    epochs: list = field(default_factory=list)

    def text(self):
        body = "".join(epoch.before + self.render(epoch) for epoch in self.epochs)
        return self.head + body + self.tail


def read(text, name):
    """Tells the format by content, as the reader of the trace will."""
    start = text.lstrip("\ufeff \r\n\t")
    if start.startswith("<"):
        log = read_gpx(text)
    elif start.startswith("{"):
        log = read_gpsd(text)
    elif re.search(r"^[$!][A-Z]{5},", text, re.M):
        log = read_nmea(text)
    elif "latitude" in start.partition("\n")[0]:
        log = read_csv(text)
    else:
        raise Unreadable(f"{name}: neither GPX, NMEA, gpsd JSON nor CSV with a header line")
    if sum(epoch.valid for epoch in log.epochs) < 20:
        raise Unreadable(f"{name}: fewer than 20 fixes with a time; a variant of it would show nothing")
    return log


def moment(seconds):
    return EPOCH + timedelta(milliseconds=round(seconds * 1000))


def parse_time(text):
    text = text.strip().replace("Z", "+00:00")
    return (datetime.fromisoformat(text) - EPOCH).total_seconds()


# GPX ------------------------------------------------------------------------------------------------

POINT = re.compile(r"<(trkpt|rtept|wpt)\b.*?</\1>", re.S)
LAT, LON = re.compile(r'\blat\s*=\s*["\']([^"\']*)'), re.compile(r'\blon\s*=\s*["\']([^"\']*)')
TIME = re.compile(r"<time>([^<]*)</time>")
CLAIM = re.compile(r"(<milepost:accuracy>)[^<]*|(<hdop>)[^<]*")


def read_gpx(text):
    log, end = Log(render=write_gpx), 0
    for match in POINT.finditer(text):
        raw, before = match.group(), text[end:match.start()]
        end = match.end()
        time = TIME.search(raw)
        if time is None:
            raise Unreadable("points without <time>; give them one first (milepost convert --point-interval)")
        epoch = Epoch(parse_time(time.group(1)), float(LAT.search(raw).group(1)),
                      float(LON.search(raw).group(1)), raw, before)
        log.epochs.append(epoch)
    if log.epochs:
        log.head, log.epochs[0].before = log.epochs[0].before, ""
    log.tail = text[end:]
    return log


def write_gpx(epoch):
    raw = TIME.sub("<time>" + formats.rfc3339(moment(epoch.seconds)) + "</time>", epoch.raw, count=1)
    if epoch.moved:
        raw = LAT.sub(f'lat="{epoch.latitude:.7f}', raw, count=1)
        raw = LON.sub(f'lon="{epoch.longitude:.7f}', raw, count=1)
    if epoch.accuracy is not None:
        raw = CLAIM.sub(lambda match: (match.group(1) or match.group(2)) + epoch.accuracy, raw)
    return raw


# NMEA 0183 ------------------------------------------------------------------------------------------

# Where time, latitude, status and date stand: kind → (time, latitude, status, date).
FIELDS = {"RMC": (1, 3, 2, 9), "GGA": (1, 2, 6, None), "GNS": (1, 2, 6, None),
          "GLL": (5, 1, 6, None), "ZDA": (1, None, None, 2)}
DILUTION = {"GGA": 8, "GNS": 8}
VOID = {"RMC": "V", "GLL": "V", "GGA": "0", "GNS": "N"}


def read_nmea(text):
    log, day, last, current = Log(render=write_nmea), None, None, None
    dated = re.search(r"^# Date: *(\d{4})-(\d\d)-(\d\d)", text, re.M)
    if dated:
        day = datetime(*map(int, dated.groups()), tzinfo=timezone.utc)
    for line in text.splitlines(keepends=True):
        fields = sentence_fields(line)
        kind = fields[0][-3:] if fields else None
        where = FIELDS.get(kind)
        clock = time_of_day(fields[where[0]]) if where and len(fields) > max(where[:2], key=lambda x: x or 0)[0:1][0] else None if False else None
    return log


def sentence_fields(line):
    body = line.strip()
    if not body.startswith("$"):
        return None
    return body[1:].partition("*")[0].split(",")
