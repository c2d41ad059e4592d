# SPDX-License-Identifier: Apache-2.0
"""Epochs as GPX, NMEA 0183 and gpsd JSON. Each line is written from the format's own description."""

import json
import math
from datetime import datetime, timedelta, timezone

from . import earth


def utc(start, seconds):
    return start + timedelta(milliseconds=round(seconds * 1000))


def rfc3339(moment):
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def instant(text):
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc)


def seen(state, report):
    """The position that the receiver reports: the truth plus its error."""
    return earth.moved(state.latitude, state.longitude, report.east, report.north)


# Truth ----------------------------------------------------------------------------------------------


def truth_csv(start, truth):
    """`truth` is [(seconds, State)]; while the device stands still every 30 s are enough."""
    lines = ["time,latitude,longitude"]
    kept = None
    for index, (seconds, state) in enumerate(truth):
        here = (state.latitude, state.longitude)
        around = [truth[i][1] for i in (index - 1, index + 1) if 0 <= i < len(truth)]
        still = len(around) == 2 and all((s.latitude, s.longitude) == here for s in around)
        if still and kept is not None and seconds - kept < 30:
            continue
        kept = seconds
        lines.append(f"{rfc3339(utc(start, seconds))},{here[0]:.7f},{here[1]:.7f}")
    return "\n".join(lines) + "\n"


# GPX ------------------------------------------------------------------------------------------------


def gpx(name, said, start, epochs, detail, new_segment_after=None):
    """`detail` is "full" (speed, course, accuracy), "plain" (hdop, sat) or "bare" (hdop only)."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<!-- {said} -->"]
    lines.append(
        '<gpx version="1.1" creator="milepost make-traces"'
        ' xmlns="http://www.topografix.com/GPX/1/1"'
        ' xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2"'
        ' xmlns:milepost="urn:milepost:gpx:1">')
    lines.append(f"<metadata><name>{name}</name><desc>{said}</desc>"
                 f"<time>{rfc3339(start)}</time></metadata>")
    lines.append(f"<trk><name>{name}</name><trkseg>")
    last = None
    for seconds, state, report in epochs:
        if not report.valid:
            continue
        if new_segment_after and last is not None and seconds - last > new_segment_after:
            lines.append("</trkseg><trkseg>")
        last = seconds
        lines.append(_trkpt(utc(start, seconds), seen(state, report), report, detail))
    lines.append("</trkseg></trk>")
    lines.append("</gpx>")
    return "\n".join(lines) + "\n"


def _trkpt(moment, point, report, detail):
    time = moment.strftime("%Y-%m-%dT%H:%M:%SZ")
    text = f'<trkpt lat="{point[0]:.6f}" lon="{point[1]:.6f}"><ele>{report.altitude:.1f}</ele>'
    text += f"<time>{time}</time>"
    if detail != "bare":
        text += f"<sat>{report.satellites}</sat>"
    text += f"<hdop>{report.hdop:.1f}</hdop>"
    if detail == "full":
        text += "<extensions><gpxtpx:TrackPointExtension>"
        text += f"<gpxtpx:speed>{report.speed:.2f}</gpxtpx:speed>"
        if report.speed > 0.5:
            text += f"<gpxtpx:course>{report.course:.1f}</gpxtpx:course>"
        text += "</gpxtpx:TrackPointExtension>"
        text += f"<milepost:accuracy>{report.accuracy:.1f}</milepost:accuracy></extensions>"
    return text + "</trkpt>"


# NMEA 0183 ------------------------------------------------------------------------------------------


def sentence(body):
    checksum = 0
    for byte in body.encode("ascii"):
        checksum ^= byte
    return f"${body}*{checksum:02X}"


def _angle(value, width, positive, negative):
    """Degrees as the `ddmm.mmmmm,N` of NMEA, rounded once so that 60.00000 minutes never appear."""
    units = round(abs(value) * 6_000_000)
    degrees, rest = divmod(units, 6_000_000)
    minutes, fraction = divmod(rest, 100_000)
    hemisphere = positive if value >= 0 else negative
    return f"{degrees:0{width}d}{minutes:02d}.{fraction:05d},{hemisphere}"


def position(point):
    return _angle(point[0], 2, "N", "S") + "," + _angle(point[1], 3, "E", "W")


def time_of_day(moment):
    return moment.strftime("%H%M%S.") + f"{moment.microsecond // 10_000:02d}"


def rmc(talker, moment, point, report):
    knots = report.speed / 1852 * 3600
    course = f"{report.course:.1f}" if report.speed > 0.5 else ""
    return sentence(
        f"{talker}RMC,{time_of_day(moment)},A,{position(point)},{knots:.2f},{course},"
        f"{moment:%d%m%y},,,A")


def gga(talker, moment, point, report):
    return sentence(
        f"{talker}GGA,{time_of_day(moment)},{position(point)},1,{report.satellites:02d},"
        f"{report.hdop:.1f},{report.altitude:.1f},M,0.0,M,,")


def vtg(talker, report):
    if not report.valid:
        return sentence(f"{talker}VTG,,T,,M,,N,,K,N")
    knots, kilometres = report.speed / 1852 * 3600, report.speed * 3.6
    course = f"{report.course:.1f}" if report.speed > 0.5 else ""
    return sentence(f"{talker}VTG,{course},T,,M,{knots:.2f},N,{kilometres:.2f},K,A")


def void_rmc(talker, moment, date=None):
    date = f"{moment:%d%m%y}" if date is None else date
    return sentence(f"{talker}RMC,{time_of_day(moment)},V,,,,,,,{date},,,N")


def void_gga(talker, moment):
    return sentence(f"{talker}GGA,{time_of_day(moment)},,,,,0,00,99.9,,,,,,")


# A plausible sky over any place: (satellite, elevation, azimuth), slowly turning.
_SKY = [(2, 68, 40), (5, 24, 120), (7, 51, 310), (9, 15, 205), (11, 77, 190), (13, 33, 75),
        (15, 44, 260), (18, 12, 340), (20, 58, 150), (26, 29, 10), (29, 38, 225), (30, 9, 95)]


def _sky_at(seconds):
    turn = seconds / 240
    return [(prn, max(5, min(88, round(elevation + 6 * math.sin(turn / 20 + prn)))),
             round(azimuth + turn / 2) % 360) for prn, elevation, azimuth in _SKY]


def _signal(elevation, prn, seconds, sky):
    dimmed = {"open": 0, "street": 3, "canyon": 9, "cutting": 7, "cabin": 8, "indoor": 14,
              "bedroom": 13}.get(sky, 30)
    return max(0, round(30 + elevation / 5 + 2 * math.sin(seconds / 30 + prn) - dimmed))


def _used(seconds, report):
    best = sorted(_sky_at(seconds), key=lambda satellite: -satellite[1])
    return sorted(prn for prn, _, _ in best[:report.satellites])


def gsa(talker, report):
    used = _used(report.seconds, report) if report.valid else []
    slots = ",".join([f"{prn:02d}" for prn in used] + [""] * (12 - len(used)))
    vdop, mode = report.hdop * 1.5, 3 if report.valid else 1
    if not report.valid:
        return sentence(f"{talker}GSA,A,1,{slots},99.9,99.9,99.9")
    pdop = math.hypot(report.hdop, vdop)
    return sentence(f"{talker}GSA,A,{mode},{slots},{pdop:.1f},{report.hdop:.1f},{vdop:.1f}")


def gsv(talker, seconds, sky):
    satellites = _sky_at(seconds)
    pages = [satellites[i:i + 4] for i in range(0, len(satellites), 4)]
    lines = []
    for number, page in enumerate(pages, 1):
        text = f"{talker}GSV,{len(pages)},{number},{len(satellites):02d}"
        for prn, elevation, azimuth in page:
            signal = _signal(elevation, prn, seconds, sky)
            text += f",{prn:02d},{elevation:02d},{azimuth:03d}," + (f"{signal:02d}" if signal else "")
        lines.append(sentence(text))
    return lines


# gpsd -----------------------------------------------------------------------------------------------


def gpsd_greeting(said):
    device = {"class": "DEVICE", "path": "/dev/ttyUSB0", "driver": "NMEA0183", "native": 0,
              "bps": 9600, "parity": "N", "stopbits": 1, "cycle": 1.0}
    return [
        _json({"class": "VERSION", "release": "3.22", "rev": f"3.22 ({said})", "proto_major": 3,
               "proto_minor": 14}),
        _json({"class": "DEVICES", "devices": [device]}),
        _json({"class": "WATCH", "enable": True, "json": True, "nmea": False, "raw": 0,
               "scaled": False, "timing": False, "split24": False, "pps": False}),
    ]


def gpsd_epoch(moment, state, report, with_sky):
    """As gpsd 3.22 does it: a first TPV after RMC, a fuller one after GGA and GSA, now and then SKY."""
    tpv = {"class": "TPV", "device": "/dev/ttyUSB0", "mode": 1}
    if not report.valid:
        lines = [_json(dict(tpv, time=rfc3339(moment)))]
    else:
        point = seen(state, report)
        flat = {"time": rfc3339(moment), "ept": 0.005, "lat": round(point[0], 9),
                "lon": round(point[1], 9)}
        move = {"speed": round(report.speed, 3)}
        if report.speed > 0.5:
            move["track"] = round(report.course, 4)
        error = round(report.accuracy, 3)
        full = {"altHAE": round(report.altitude, 3), "altMSL": round(report.altitude, 3),
                "alt": round(report.altitude, 3), "epx": round(error / 1.5, 3),
                "epy": round(error / 1.5, 3), "epv": round(error * 1.5, 3), "eph": error}
        lines = [_json(dict(tpv, mode=2) | flat | move), _json(dict(tpv, mode=3) | flat | full | move)]
    if with_sky:
        used = _used(report.seconds, report) if report.valid else []
        satellites = [
            {"PRN": prn, "el": float(elevation), "az": float(azimuth),
             "ss": float(_signal(elevation, prn, report.seconds, state.sky)), "used": prn in used}
            for prn, elevation, azimuth in _sky_at(report.seconds)]
        sky = {"class": "SKY", "device": "/dev/ttyUSB0"}
        if report.valid:
            sky |= {"hdop": round(report.hdop, 2), "vdop": round(report.hdop * 1.5, 2)}
        lines.insert(0, _json(sky | {"satellites": satellites}))
    return lines


def _json(value):
    return json.dumps(value, separators=(",", ":"))
