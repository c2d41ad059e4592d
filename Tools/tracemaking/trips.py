# SPDX-License-Identifier: Apache-2.0
"""The trips for judging a policy, by kind, in two halves: one to fit on, one held back.

Recordings of the public corpus are used as *journeys*: turned in time and begun later, about `HOURS` of each,
so that none outweighs the others. Made trips are the ways of `Traces`, drawn anew for each number: the
city, the stations and the stops of one have nothing to do with those of the next.

The split. Tuning uses only `fit`; `held` shows whether the result was luck. Made trips of the two halves have separate
seeds. Recordings are split by name below: those of a kind are ordered by the length of their way and alternate, the
longest one held back, so that both halves have long and short ones. The days of MobilityNet, whose true ways are known
second by second, go by the same streets each time: of those on one route every other one is held back, so that no day is
in both.
"""

import zlib
from dataclasses import dataclass

from . import catalogue, journeys
from .epochs import Unreadable

KINDS = ("vehicle", "rail", "foot", "day", "still")
HOURS = 8.0

# Trace, number made for each half. A flight is no kind: in 300 s it covers 70 km.
MADE = {
    "vehicle": {"car-commute.gpx": 10, "bus.gpsd.json": 5, "new-year-night.nmea": 5,
                "week-rollover.nmea": 4, "cold-start.nmea": 2},
    "rail": {"train.gpx": 28},
    "foot": {"hike.gpx": 10, "walk.nmea": 6},
    "day": {"mixed-day.gpx": 11},
    "still": {"home-day.gpx": 8},
}

# Kind, kilometres, hours, half. Recordings of less than 20 minutes, of which no event is judged, and those without
# times are left out. A bicycle is a vehicle; train rides with walks in between count as a day.
RECORDED = {
    "gpxanimator-bikeride.gpx": ("vehicle", 123, 7.0, "held"),
    "dotmorten-drive-2005.nmea": ("vehicle", 138, 2.5, "fit"),
    "gpsbabel-sbn13-car.gpx": ("vehicle", 37, 1.0, "held"),
    "genivi-geko-regensburg.nmea": ("vehicle", 18, 0.4, "fit"),
    "gpsbabel-m241-car.gpx": ("vehicle", 10, 0.5, "held"),
    "onebusaway-bus-trip13.gpx": ("vehicle", 7, 0.7, "fit"),
    "georust-garmin-run.gpx": ("foot", 13, 1.5, "held"),
    "gpxgo-korita-hike.gpx": ("foot", 6, 2.4, "fit"),
    "gpxgo-visnjan-run.gpx": ("foot", 4, 0.5, "held"),
    "coregpx-walk-tokyo.gpx": ("day", 31, 6.5, "held"),
    "phpgpx-endomondo.gpx": ("day", 7, 2.9, "fit"),
    "car_scooter_brex_san_jose-run1.csv": ("day", 44, 5.7, "fit"),
    "car_scooter_brex_san_jose-run3.csv": ("day", 44, 5.7, "held"),
    "car_scooter_brex_san_jose-run5.csv": ("day", 44, 5.7, "fit"),
    "car_scooter_brex_san_jose-run7.csv": ("day", 44, 5.7, "held"),
    "train_bus_ebike_mtv_ucb-run1.csv": ("day", 171, 11.5, "fit"),
    "train_bus_ebike_mtv_ucb-run3.csv": ("day", 171, 11.5, "held"),
    "train_bus_ebike_mtv_ucb-run5.csv": ("day", 171, 11.5, "fit"),
    "train_bus_ebike_mtv_ucb-run7.csv": ("day", 171, 11.5, "held"),
    "train_bus_ebike_mtv_ucb-run9.csv": ("day", 171, 11.5, "fit"),
    "train_bus_ebike_mtv_ucb-run11.csv": ("day", 171, 11.5, "held"),
    "unimodal_trip_car_bike_mtv_la-run1.csv": ("day", 8, 1.7, "fit"),
    "unimodal_trip_car_bike_mtv_la-run3.csv": ("day", 8, 1.7, "held"),
    "unimodal_trip_car_bike_mtv_la-run5.csv": ("day", 8, 1.7, "fit"),
}
HALVES = ("fit", "held")


@dataclass(frozen=True)
class Trip:
    """One trip: its source, and its half."""

    name: str
    kind: str
    half: str
    number: int = 0  # of a made trip; 0: a recording
    hours: float = 0.0

    @property
    def label(self):
        return f"{self.name.split('.')[0]}-{self.half}-{self.number}" if self.number else self.name

    @property
    def runs(self):
        """The number of replays made of it, each with a separate seed."""
        return 1 if self.number else max(2, min(8, round(HOURS / self.hours)))

    def write(self, program, corpus, folder):
        """Writes the traces, each with its truth if there is one; returns paths and seeds."""
        luck = zlib.crc32(self.label.encode()) % 1_000_000
        if not self.number:
            source = recording(corpus, self.name)
            try:
                paths = journeys.write(program, source, folder, self.runs)
            except Unreadable:
                # It cannot be turned; then only luck differs.
                paths = [source] * self.runs
            return [(path, luck + index) for index, path in enumerate(paths)]
        maker = (catalogue.TRACES | catalogue.UNKEPT)[self.name]
        made = maker(f"{self.half}-{self.number}", self.name)
        path = folder / f"{self.label}.{self.name.partition('.')[2]}"
        path.write_text(made.trace, encoding="utf-8", newline="")
        path.with_name(catalogue.truth_name(path.name)).write_text(made.truth, encoding="ascii")
        return [(path, luck)]


def recording(corpus, name):
    """Its file: of the corpus, or a day of MobilityNet beside it."""
    return corpus / name if not name.endswith(".csv") else corpus.parent.parent / "mobilitynet/truth" / name


def trips(halves, corpus, share=1.0):
    """All trips of these halves; `share` leaves out the last ones of each kind."""
    found = []
    for half in halves:
        for kind in KINDS:
            made = [Trip(name, kind, half, number)
                    for name, count in MADE[kind].items()
                    for number in range(1, max(1, round(share * count)) + 1)]
            recorded = [Trip(name, kind, half, hours=hours)
                        for name, (its, _, hours, where) in RECORDED.items()
                        if (its, where) == (kind, half) and corpus and recording(corpus, name).is_file()]
            found += made + recorded[:max(1, round(share * len(recorded)))]
    return found
