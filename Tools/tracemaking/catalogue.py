# SPDX-License-Identifier: Apache-2.0
"""The content of Traces/: one function per trace, each from the seed and its own name."""

import hashlib
import random
from dataclasses import dataclass, replace
from datetime import timedelta

from . import formats, routes
from .receiver import Receiver


@dataclass(frozen=True)
class Made:
    """A trace, its truth, and its row in the table in Traces/README.md."""

    trace: str
    truth: str
    about: str


def generator(seed, name):
    """One stream of numbers per trace, so that changing one trace leaves the others as they are."""
    digest = hashlib.sha256(f"{seed}/{name}".encode()).digest()
    return random.Random(int.from_bytes(digest[:8], "big"))


def header(seed, name, about):
    return f"Synthetic trace, made by Tools/make-traces (seed {seed}): {about}. Nobody was recorded."


def every(motion, step):
    seconds, instants = 0.0, []
    while seconds <= motion.duration:
        instants.append(seconds)
        seconds += step
    return instants


def record(motion, instants, rng, altitude=120.0, height=lambda seconds: 0.0):
    receiver = Receiver(rng, altitude)
    epochs = []
    for seconds in instants:
        state = motion.at(seconds)
        epochs.append((seconds, state, receiver.report(seconds, state, height(seconds))))
    return epochs


def truth(start, epochs):
    return formats.truth_csv(start, [(seconds, state) for seconds, state, _ in epochs])


def comments(said, start):
    return [f"# {said}", "# WGS-84 position, receiver's clock in UTC.",
            f"# Date: {start:%Y-%m-%d}"]


def car_commute(seed, name):
    about = "car commute of about 45 minutes, with a tunnel and a motorway, 1 Hz"
    rng, start = generator(seed, name), formats.instant("2026-03-17T06:31:10Z")
    motion = routes.car_commute(rng)
    epochs = record(motion, every(motion, 1.0), rng, 640)
    text = formats.gpx("Car commute", header(seed, name, about), start, epochs, "full")
    return Made(text, truth(start, epochs), about)


def home_day(seed, name):
    about = "24 hours still at home: correlated drift (15 m per axis) and three jumps of 1 km, every 15 s"
    rng, start = generator(seed, name), formats.instant("2026-05-09T00:00:00Z")
    motion = routes.home_day(rng)
    epochs = record(motion, every(motion, 15.0), rng, 610)
    for hour, points in ((3.4, 3), (11.7, 4), (20.2, 5)):
        first = round(hour * 3_600 / 15)
        east, north = rng.choice([(600, 800), (-800, 600), (960, -280), (-280, -960)])
        for index in range(first, first + points):
            seconds, state, report = epochs[index]
            report = replace(report, east=report.east + east, north=report.north + north)
            epochs[index] = (seconds, state, report)
    text = formats.gpx("A day at home", header(seed, name, about), start, epochs, "bare")
    return Made(text, truth(start, epochs), about)


def walk(seed, name):
    about = "walk of about 40 minutes with a stop for coffee, 1 Hz, RMC GGA GSA, GSV every 5 s"
    rng, start = generator(seed, name), formats.instant("2026-04-11T14:02:30Z")
    motion = routes.walk(rng)
    epochs = record(motion, every(motion, 1.0), rng, 3_660)
    lines = comments(header(seed, name, about), start)
    for seconds, state, report in epochs:
        lines += nmea_epoch("GP", formats.utc(start, seconds), state, report, seconds % 5 == 0)
    return Made(joined(lines), truth(start, epochs), about)


def nmea_epoch(talker, moment, state, report, with_view):
    if not report.valid:
        lines = [formats.void_rmc(talker, moment), formats.void_gga(talker, moment)]
    else:
        point = formats.seen(state, report)
        lines = [formats.rmc(talker, moment, point, report),
                 formats.gga(talker, moment, point, report)]
    lines.append(formats.gsa(talker, report))
    return lines + (formats.gsv("GP", report.seconds, state.sky) if with_view else [])


def joined(lines):
    """NMEA ends its lines with CR LF; the `#` lines of the header do too."""
    return "\r\n".join(lines) + "\r\n"


def train(seed, name):
    about = "regional train at 160 km/h with stations, cuttings and a tunnel, 1 Hz"
    rng, start = generator(seed, name), formats.instant("2026-02-20T16:47:05Z")
    motion = routes.train(rng)
    epochs = record(motion, every(motion, 1.0), rng, 90)
    said = header(seed, name, about)
    text = formats.gpx("Regional train", said, start, epochs, "plain", new_segment_after=60)
    return Made(text, truth(start, epochs), about)


def flight(seed, name):
    about = "flight eastwards across the antimeridian, 1 Hz on the ground, every 10 s in the air"
    rng, start = generator(seed, name), formats.instant("2026-06-02T21:10:00Z")
    motion = routes.flight(rng)
    instants = [s for s in every(motion, 1.0)
                if s < 540 or s > motion.duration - 300 or s % 10 == 0]
    epochs = record(motion, instants, rng, 20,
                    lambda seconds: routes.flight_height(seconds, motion.duration))
    said = header(seed, name, about)
    text = formats.gpx("Across the antimeridian", said, start, epochs, "full")
    return Made(text, truth(start, epochs), about)


def cold_start(seed, name):
    about = "cold start: void sentences with impossible dates and coordinates, a fix, a drive, 1 Hz"
    rng, start = generator(seed, name), formats.instant("2026-01-15T05:20:00Z")
    motion = routes.cold_drive(rng)
    epochs = record(motion, every(motion, 1.0), rng, 1_080)
    lines, kept = comments(header(seed, name, about), start), []
    for seconds, state, report in epochs:
        moment = formats.utc(start, seconds)
        if seconds < 95:
            lines += cold_epoch(seconds, moment)
        else:
            lines += nmea_epoch("GN", moment, state, report, seconds % 5 == 0)
        kept.append((seconds, state, report))
    return Made(joined(lines), truth(start, kept), about)


def cold_epoch(seconds, moment):
    """A receiver without any knowledge: first no time, then its own, then the right time of day."""
    if seconds < 20:
        lines = ["GNRMC,,V,,,,,,,,,,N", "GNGGA,,,,,,0,00,99.9,,,,,,"]
    elif seconds < 60:
        clock = f"0004{int(seconds):02d}.00"
        lines = [f"GNRMC,{clock},V,9999.00000,N,18100.00000,E,0.00,,000000,,,N",
                 f"GNGGA,{clock},9999.00000,N,18100.00000,E,0,00,99.9,-17.0,M,0.0,M,,"]
    elif seconds < 80:
        clock = f"0004{int(seconds) - 60:02d}.00"
        lines = [f"GNRMC,{clock},V,0000.00000,N,00000.00000,E,0.00,,320199,,,N",
                 f"GNGGA,{clock},0000.00000,N,00000.00000,E,0,00,99.9,0.0,M,0.0,M,,"]
    else:
        return [formats.void_rmc("GN", moment), formats.void_gga("GN", moment),
                formats.sentence("GNGSA,A,1,,,,,,,,,,,,,99.9,99.9,99.9")]
    lines.append("GNGSA,A,1,,,,,,,,,,,,,99.9,99.9,99.9")
    return [formats.sentence(line) for line in lines]


def new_year_night(seed, name):
    about = ("drive over midnight of 31 December, GGA each second, RMC (and so a date) in half of "
             "them and in none around midnight")
    rng, start = generator(seed, name), formats.instant("2026-12-31T23:10:00Z")
    motion = routes.night_drive(rng)
    epochs = record(motion, every(motion, 1.0), rng, 1_310)
    midnight = 50 * 60
    lines = comments(header(seed, name, about), start)[:-1]
    for seconds, state, report in epochs:
        moment = formats.utc(start, seconds)
        dated = seconds % 2 == 0 and abs(seconds - midnight) > 45
        if report.valid:
            point = formats.seen(state, report)
            lines.append(formats.gga("GP", moment, point, report))
            lines += [formats.rmc("GP", moment, point, report)] if dated else []
        else:
            lines.append(formats.void_gga("GP", moment))
            lines += [formats.void_rmc("GP", moment)] if dated else []
    return Made(joined(lines), truth(start, epochs), about)


def week_rollover(seed, name):
    about = "drive in which the receiver's dates fall back by 1024 weeks half-way, 1 Hz"
    rng, start = generator(seed, name), formats.instant("2026-10-04T09:40:00Z")
    motion = routes.desert_drive(rng)
    epochs = record(motion, every(motion, 1.0), rng, 1_240)
    lines = comments(header(seed, name, about), start)
    for seconds, state, report in epochs:
        moment = formats.utc(start, seconds)
        if seconds >= motion.duration // 2:
            moment -= timedelta(days=7_168)
        lines += nmea_epoch("GP", moment, state, report, False)[:2]
    return Made(joined(lines), truth(start, epochs), about)


def bus(seed, name):
    about = "city bus as gpspipe -w logs it from gpsd: two TPV per second, SKY every 5 s"
    rng, start = generator(seed, name), formats.instant("2026-08-24T11:15:20Z")
    motion = routes.bus_line(rng)
    epochs = record(motion, every(motion, 1.0), rng, 720)
    lines = formats.gpsd_greeting(header(seed, name, about))
    lines.append('{"class":"TPV","device":"/dev/ttyUSB0","mode":1}')
    for seconds, state, report in epochs:
        moment = formats.utc(start, seconds)
        lines += formats.gpsd_epoch(moment, state, report, seconds % 5 == 0)
    return Made("\n".join(lines) + "\n", truth(start, epochs), about)


def thinned(motion, moving_s, still_s):
    """Instants that far apart while the device moves, or did or will soon, and while it lies still."""
    instants, last = [], None
    for seconds in every(motion, 1.0):
        moving = any(motion.at(seconds + ahead).speed > 0.2 for ahead in (-90, -45, 0, 1, 30))
        if last is None or seconds - last >= (moving_s if moving else still_s):
            instants.append(seconds)
            last = seconds
    return instants


def commute_day(seed, name):
    about = ("24 hours with two places: home, by car through a tunnel to work and back, a walk; every 5 s moving, "
             "120 s still")
    rng, start = generator(seed, name), formats.instant("2026-03-17T23:00:00Z")
    motion = routes.commute_day(rng)
    epochs = record(motion, thinned(motion, 5, 120), rng, 640)
    text = formats.gpx("A day with a commute", header(seed, name, about), start, epochs, "bare")
    return Made(text, truth(start, epochs), about)


def mixed_day(seed, name):
    about = "24 hours of a weekday: home, car, office, a walk at lunch; 1 Hz moving, 30 s still"
    rng, start = generator(seed, name), formats.instant("2026-09-16T07:00:00Z")
    motion = routes.mixed_day(rng)
    epochs = record(motion, thinned(motion, 1, 30), rng, 1_900)
    text = formats.gpx("A weekday", header(seed, name, about), start, epochs, "bare")
    return Made(text, truth(start, epochs), about)


def hike(seed, name):
    about = "hike of about three hours with a rest, 1 Hz"
    rng, start = generator(seed, name), formats.instant("2026-07-05T08:15:00Z")
    epochs = record(motion := routes.hike(rng), every(motion, 1.0), rng, 540)
    text = formats.gpx("A hike", header(seed, name, about), start, epochs, "plain")
    return Made(text, truth(start, epochs), about)


# Made only for measurements (`trips`), and not kept.
UNKEPT = {"hike.gpx": hike}

TRACES = {
    "commute-day.gpx": commute_day,
    "car-commute.gpx": car_commute,
    "home-day.gpx": home_day,
    "walk.nmea": walk,
    "train.gpx": train,
    "flight-antimeridian.gpx": flight,
    "cold-start.nmea": cold_start,
    "new-year-night.nmea": new_year_night,
    "week-rollover.nmea": week_rollover,
    "bus.gpsd.json": bus,
    "mixed-day.gpx": mixed_day,
}


def truth_name(name):
    """`walk.nmea` → `walk.truth.csv`, `bus.gpsd.json` → `bus.gpsd.truth.csv`: the names that `compare` looks for."""
    return name.rpartition(".")[0] + ".truth.csv"


def day_1hz(seed, days):
    """Lines of a log of whole days at 1 Hz (RMC, GGA, GSA), for benchmarks; no truth beside it."""
    name = "day-1hz.nmea"
    rng, start = generator(seed, name), formats.instant("2026-09-14T00:00:00Z")
    yield from comments(header(seed, name, f"{days} x 24 hours at 1 Hz"), start)
    motion, receiver = routes.mixed_day(rng), Receiver(rng, 1_900)
    for seconds in range(86_400 * days):
        state = motion.at(seconds % 86_400)
        report = replace(receiver.report(float(seconds), state), seconds=float(seconds % 86_400))
        yield from nmea_epoch("GP", formats.utc(start, seconds), state, report, False)
