# SPDX-License-Identifier: Apache-2.0
"""Small steps on the WGS-84 ellipsoid (NIMA TR8350.2, table 3.1)."""

import math

EQUATORIAL_RADIUS = 6_378_137.0
FLATTENING = 1 / 298.257223563
ECCENTRICITY_SQUARED = FLATTENING * (2 - FLATTENING)


def metres_per_degree(latitude):
    """(north, east) metres per degree at a latitude, from the radii of curvature."""
    sine = math.sin(math.radians(latitude))
    w = 1 - ECCENTRICITY_SQUARED * sine * sine
    prime_vertical = EQUATORIAL_RADIUS / math.sqrt(w)
    meridional = prime_vertical * (1 - ECCENTRICITY_SQUARED) / w
    east = prime_vertical * math.cos(math.radians(latitude))
    return math.radians(meridional), math.radians(east)


def wrapped(longitude):
    return (longitude + 180) % 360 - 180


def moved(latitude, longitude, east, north):
    """The point that lies `east` and `north` metres away; meant for a few kilometres."""
    per_north, _ = metres_per_degree(latitude)
    middle = latitude + north / per_north / 2
    per_north, per_east = metres_per_degree(middle)
    return latitude + north / per_north, wrapped(longitude + east / per_east)


def stepped(latitude, longitude, heading, metres):
    """The point `metres` further along `heading` (degrees from true north)."""
    angle = math.radians(heading)
    return moved(latitude, longitude, metres * math.sin(angle), metres * math.cos(angle))


def great_circle_heading(start, end):
    """The initial course of the great circle from one (latitude, longitude) to another."""
    a, b = math.radians(start[0]), math.radians(end[0])
    turn = math.radians(wrapped(end[1] - start[1]))
    y = math.sin(turn) * math.cos(b)
    x = math.cos(a) * math.sin(b) - math.sin(a) * math.cos(b) * math.cos(turn)
    return math.degrees(math.atan2(y, x)) % 360


def great_circle_metres(start, end):
    a, b = math.radians(start[0]), math.radians(end[0])
    turn = math.radians(wrapped(end[1] - start[1]))
    h = math.sin((b - a) / 2) ** 2 + math.cos(a) * math.cos(b) * math.sin(turn / 2) ** 2
    return 2 * 6_371_008.8 * math.asin(math.sqrt(h))
