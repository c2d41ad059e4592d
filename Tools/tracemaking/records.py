# SPDX-License-Identifier: Apache-2.0
"""Traces of four formats as epochs, and back."""

import csv
import io
import json
import re

from . import formats, nmea
from .epochs import Epoch, Log, Unreadable, moment, parse_time


def read(text, name):
    """Recognizes the format by content, as the reader of the trace will."""
    start = text.lstrip("\ufeff \r\n\t")
    if start.startswith("<"):
        log = read_gpx(text)
    elif start.startswith("{"):
        log = read_gpsd(text)
    elif re.search(r"^[$!][A-Z]{5},", text, re.M):
        log = nmea.read(text)
    elif "latitude" in start.partition("\n")[0]:
        log = read_csv(text)
    else:
        raise Unreadable(f"{name}: neither GPX, NMEA, gpsd JSON nor CSV with a header line")
    if sum(epoch.valid for epoch in log.epochs) < 20:
        raise Unreadable(f"{name}: fewer than 20 fixes with a time; a variant of it would show nothing")
    return log


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
    raw = epoch.raw
    if epoch.retimed:
        raw = TIME.sub("<time>" + formats.rfc3339(moment(epoch.seconds)) + "</time>", raw, count=1)
    if epoch.moved:
        raw = LAT.sub(f'lat="{epoch.latitude:.7f}', raw, count=1)
        raw = LON.sub(f'lon="{epoch.longitude:.7f}', raw, count=1)
    if epoch.accuracy is not None:
        raw = CLAIM.sub(lambda match: (match.group(1) or match.group(2)) + epoch.accuracy, raw)
    return raw


# CSV ------------------------------------------------------------------------------------------------


def read_csv(text):
    rows = text.splitlines(keepends=True)
    names = next(csv.reader([rows[0]]))
    at = {name: index for index, name in enumerate(names)}
    if "time" not in at or "longitude" not in at:
        raise Unreadable("a CSV without the columns time, latitude and longitude")
    log = Log(render=lambda epoch: write_csv(epoch, at), head=rows[0])
    for row in rows[1:]:
        values = next(csv.reader([row]), [])
        if len(values) != len(names):
            continue
        place = (values[at["latitude"]], values[at["longitude"]])
        known = all(place)
        log.epochs.append(Epoch(parse_time(values[at["time"]]), float(place[0]) if known else None,
                                float(place[1]) if known else None, row))
    return log


def write_csv(epoch, at):
    if not (epoch.retimed or epoch.moved or epoch.accuracy is not None):
        return epoch.raw
    values = next(csv.reader([epoch.raw]))
    if epoch.retimed:
        values[at["time"]] = formats.rfc3339(moment(epoch.seconds))
    if epoch.moved:
        values[at["latitude"]] = f"{epoch.latitude:.7f}"
        values[at["longitude"]] = f"{epoch.longitude:.7f}"
    if epoch.accuracy is not None and "accuracy_m" in at:
        values[at["accuracy_m"]] = epoch.accuracy
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(values)
    return out.getvalue()


# gpsd JSON ------------------------------------------------------------------------------------------


def read_gpsd(text):
    """All lines of one time are one epoch; lines without a time belong to the following ones."""
    log, waiting, current = Log(render=write_gpsd), [], None
    for line in text.splitlines():
        try:
            report = json.loads(line)
        except ValueError:
            report = {}
        if report.get("class") != "TPV" or "time" not in report:
            waiting.append(line)
            continue
        seconds = parse_time(report["time"])
        if current is None or current.seconds != seconds:
            current = Epoch(seconds, None, None, [], "".join(one + "\n" for one in waiting))
            waiting = []
            log.epochs.append(current)
        current.raw += [(one, None) for one in waiting] + [(line, report)]
        waiting = []
        if "lat" in report and "lon" in report:
            current.latitude, current.longitude = report["lat"], report["lon"]
    log.tail = "".join(line + "\n" for line in waiting)
    return log


def write_gpsd(epoch):
    lines = []
    for line, report in epoch.raw:
        if report is None or not (epoch.retimed or epoch.moved or epoch.accuracy is not None):
            lines.append(line)
            continue
        report = dict(report)
        if epoch.retimed:
            report["time"] = formats.rfc3339(moment(epoch.seconds))
        if epoch.moved and "lat" in report:
            report["lat"], report["lon"] = round(epoch.latitude, 9), round(epoch.longitude, 9)
        if epoch.accuracy is not None and "eph" in report:
            report["eph"] = float(epoch.accuracy)
        lines.append(json.dumps(report, separators=(",", ":")))
    return "".join(line + "\n" for line in lines)
