# SPDX-License-Identifier: Apache-2.0
"""Three ways from positions to stays: each takes points in order of time and returns stays.

Dawarich's rules are those of its release of August 2026 (its pull request 3329; app/services/visits/detection), without
the tracks whose movement may veto a stay or shift its ends by up to 15 min: they need a classifier of travel. Up to its
release 1.7.5 each silence above 30 min ended a visit, whatever a sender says."""

from staying.geometry import Centre, Stay, metres, stay_of
from staying.geopulse import by_geopulse

# Metres: positions coarser than that a way drops, or are farther from the place than it takes.
FINE = {"trackintel": 100.0, "Dawarich": 100.0, "GeoPulse": 60.0}


def by_trackintel(points):
    import geopandas  # noqa: PLC0415
    import pandas  # noqa: PLC0415
    import trackintel  # noqa: PLC0415
    if len(points) < 2:
        return []
    frame = geopandas.GeoDataFrame(
        {"user_id": 1, "tracked_at": [pandas.Timestamp(p.time, unit="s", tz="UTC") for p in points]},
        geometry=geopandas.points_from_xy([p.place[1] for p in points], [p.place[0] for p in points]),
        crs="EPSG:4326")
    _, found = trackintel.Positionfixes(frame).generate_staypoints(
        dist_threshold=100, time_threshold=10, gap_threshold=90, include_last=True)
    return [
        Stay(row.started_at.timestamp(), row.finished_at.timestamp(), (row.geometry.y, row.geometry.x))
        for row in found.itertuples()]


def joined(runs, near, gap):
    merged = []
    for run in runs:
        if (merged and run[0].time - merged[-1][-1].time <= gap
                and metres(Centre(merged[-1]).place, Centre(run).place) <= near):
            merged[-1] = merged[-1] + run
        else:
            merged.append(run)
    return merged


def by_dawarich(points):
    runs, centre = [], Centre()
    for point in points:
        run = runs[-1] if runs else None
        if (run and point.time - run[-1].time <= 3_600 and metres(centre.place, point.place) <= 100
                and metres(run[0].place, point.place) <= 150):
            run.append(point)
        else:
            runs.append([point])
            centre = Centre()
        centre.take(point)
    runs = joined(joined(runs, 100, 7 * 86_400), 100, 900)
    return [stay_of(r) for r in runs if r[-1].time - r[0].time >= 300 and len(r) >= 3]


def ways():
    """By name; without trackintel where it is not installed."""
    found = {"Dawarich": by_dawarich, "GeoPulse": by_geopulse}
    try:
        import trackintel  # noqa: F401, PLC0415
    except ImportError:
        return found
    return {"trackintel": by_trackintel, **found}
