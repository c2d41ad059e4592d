# SPDX-License-Identifier: Apache-2.0
"""A long log for `Tools/bench`, and the same track as GPX: a receiver's output at 1 Hz, day after day."""

from dataclasses import replace

from . import catalogue, formats, routes
from .receiver import Receiver

# The size of the log that the goals were measured with; the next whole epoch ends it.
NMEA_BYTES = 99_400_000


def epochs(seed, name):
    """Endless: instant, the device's position, the receiver's report."""
    rng, start = catalogue.generator(seed, name), formats.instant("2026-09-14T00:00:00Z")
    motion, receiver = routes.mixed_day(rng), Receiver(rng, 1_900)
    seconds = 0
    while True:
        state = motion.at(seconds % 86_400)
        report = replace(receiver.report(float(seconds), state), seconds=float(seconds % 86_400))
        yield formats.utc(start, seconds), state, report
        seconds += 1


def sentences(moment, state, report):
    """GGA, RMC, GSA, three GSV and VTG: the default output of a u-blox 6, without GLL."""
    rmc, gga, gsa = catalogue.nmea_epoch("GP", moment, state, report, False)
    return [gga, rmc, gsa, *formats.gsv("GP", report.seconds, state.sky),
            formats.vtg("GP", report)]


def point(moment, state, report):
    latitude, longitude = formats.seen(state, report)
    return (f'<trkpt lat="{latitude:.6f}" lon="{longitude:.6f}"><ele>{report.altitude:.1f}</ele>'
            f"<time>{moment:%Y-%m-%dT%H:%M:%SZ}</time></trkpt>\n")


def write(folder, seed, size=NMEA_BYTES):
    """Writes `long.nmea` and `long.gpx` into a folder."""
    written = 0
    with open(folder / "long.nmea", "w", encoding="ascii", newline="") as nmea, \
            open(folder / "long.gpx", "w", encoding="ascii", newline="") as gpx:
        gpx.write('<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" '
                  'creator="milepost make-traces" xmlns="http://www.topografix.com/GPX/1/1">\n'
                  "<trk><trkseg>\n")
        for moment, state, report in epochs(seed, "long.nmea"):
            text = "".join(line + "\r\n" for line in sentences(moment, state, report))
            nmea.write(text)
            if report.valid:
                gpx.write(point(moment, state, report))
            written += len(text)
            if written >= size:
                break
        gpx.write("</trkseg></trk>\n</gpx>\n")
