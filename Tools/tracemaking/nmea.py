# SPDX-License-Identifier: Apache-2.0
"""NMEA 0183 as epochs: sentences of one time of day belong together, others to those before them."""

import re
from datetime import datetime, timedelta, timezone

from . import formats
from .epochs import EPOCH, Epoch, Log, moment

# The fields of time, latitude, status and date in a sentence; void is the status of no position.
FIELDS = {
    "RMC": (1, 3, 2, 9, "V"),
    "GGA": (1, 2, 6, None, "0"),
    "GNS": (1, 2, 6, None, "N"),
    "GLL": (5, 1, 6, None, "V"),
}
DILUTION = {"GGA": 8, "GNS": 8}


def read(text):
    log, last = Log(render=write), None
    said = re.search(r"^# *Date: *(\d{4})-(\d\d)-(\d\d)", text, re.M)
    if said:
        day = datetime(*map(int, said.groups()), tzinfo=timezone.utc)
    else:
        day = first_date(text) or EPOCH
    head = []
    for line in text.splitlines(keepends=True):
        fields = split(line)
        where = FIELDS.get(fields[0][-3:]) if fields else None
        clock = time_of_day(fields, where) if where else None
        if clock is None:
            if log.epochs:
                log.epochs[-1].raw.append(line)
            else:
                head.append(line)
            continue
        if last is not None and clock < last - 43_200:
            day += timedelta(days=1)
        dated = date_of(fields, where)
        if dated is not None:
            day = dated
        if clock != last or not log.epochs:
            seconds = (day - EPOCH).total_seconds() + clock
            log.epochs.append(Epoch(seconds, None, None, []))
            last = clock
        epoch = log.epochs[-1]
        epoch.raw.append(line)
        # The date may come with a later sentence of the same time.
        epoch.seconds = epoch.said = (day - EPOCH).total_seconds() + clock
        if has_position(fields, where):
            place = position(fields, where[1])
            if place is not None:
                epoch.latitude, epoch.longitude = place
    log.head = "".join(head)
    return log


def write(epoch):
    return "".join(rewritten(line, epoch) for line in epoch.raw)


def rewritten(line, epoch):
    fields = split(line)
    where = FIELDS.get(fields[0][-3:]) if fields else None
    if where is None or time_of_day(fields, where) is None:
        return line
    time, latitude, _, date, _ = where
    was = list(fields)
    if epoch.retimed:
        now = moment(epoch.seconds)
        if date is not None and date_of(fields, where) is not None:
            fields[date] = f"{now:%d%m%y}"
        fields[time] = formats.time_of_day(now)
    if has_position(fields, where) and epoch.moved:
        fields[latitude:latitude + 4] = formats.position(epoch.place).split(",")
    dilution = DILUTION.get(fields[0][-3:])
    if epoch.accuracy is not None and dilution is not None and has_position(fields, where):
        fields[dilution] = epoch.accuracy
    if fields == was:
        return line
    made = formats.sentence(",".join(fields))
    if "*" not in line:
        made = made.partition("*")[0]
    return made + line[len(line.rstrip()):]


def split(line):
    body = line.strip()
    return body[1:].partition("*")[0].split(",") if body.startswith("$") else None


def time_of_day(fields, where):
    if len(fields) <= max(where[0], where[1] + 3, where[2]):
        return None
    match = re.fullmatch(r"(\d\d)(\d\d)(\d\d(?:\.\d+)?)", fields[where[0]])
    if not match:
        return None
    hours, minutes, seconds = match.groups()
    return int(hours) * 3_600 + int(minutes) * 60 + float(seconds)


def date_of(fields, where):
    text = fields[where[3]] if where[3] is not None and len(fields) > where[3] else ""
    if not re.fullmatch(r"\d{6}", text) or fields[where[2]] == where[4]:
        return None
    try:
        return datetime.strptime(text, "%d%m%y").replace(tzinfo=timezone.utc)
    except ValueError:
        return None


def first_date(text):
    for line in text.splitlines():
        fields = split(line)
        if fields and fields[0][-3:] == "RMC" and len(fields) > 9:
            date = date_of(fields, FIELDS["RMC"])
            if date is not None:
                return date
    return None


def has_position(fields, where):
    status = fields[where[2]]
    return bool(fields[where[1]]) and status != "" and set(status) != {where[4]}


def position(fields, at):
    try:
        latitude, north, longitude, east = fields[at:at + 4]
        degrees = int(latitude[:2]) + float(latitude[2:]) / 60
        turn = int(longitude[:3]) + float(longitude[3:]) / 60
    except ValueError:
        return None
    if degrees > 90 or turn > 180:
        return None
    return (-degrees if north == "S" else degrees, -turn if east == "W" else turn)
