# SPDX-License-Identifier: Apache-2.0
"""The routes of the traces. Each starts at a nameless point of desert, salt flat, sea or tundra: no one lives there,
and there is no street where the streets are drawn."""

from . import earth
from .motion import AIRLINER, BUS, CAR, FEET, TRAIN, Motion, Route


def blocks(route, rng, metres, vehicle, kmh, sky="street", lights=0.4):
    """City blocks: straight on between 120 and 420 m, then a corner or a crossing, some with lights."""
    gone, side = 0.0, 1
    while gone < metres:
        block = rng.uniform(120, 420)
        route.go(block, kmh * rng.uniform(0.85, 1.05), sky)
        gone += block
        if rng.random() < lights:
            route.stop(rng.uniform(5, 38))
        if rng.random() < 0.3:
            route.turn(90 * side, vehicle, sky=sky)
            side = -side
    return route


def commute(rng, start, heading):
    """City, a tunnel under the ridge, a motorway with a jam, a suburb. About 45 minutes."""
    route = Route(start, heading, rng)
    route.go(90, 25).turn(80, CAR).stop(4)
    blocks(route, rng, 2_400, CAR, 48)
    blocks(route, rng, 1_500, CAR, 38, sky="canyon", lights=0.65)
    route.go(500, 50).stop(35)
    route.go(300, 60).go(3_450, 62, sky="tunnel", bend=25).go(400, 80, sky="open")
    route.go(600, 90, sky="open", bend=-60).go(9_000, 110, sky="open", bend=20)
    route.go(700, 70, sky="open").go(900, 22, sky="open").go(400, 8, sky="open")
    route.go(900, 35, sky="open").go(8_800, 110, sky="open", bend=-35)
    route.go(180, 80, sky="open", bend=30).go(250, 50, sky="open", bend=60).stop(28)
    blocks(route, rng, 2_600, CAR, 50)
    route.go(200, 30).turn(-85, CAR).go(120, 15)
    return route


def car_commute(rng):
    start = (-23.4120, 15.0480)
    way = commute(rng, start, 20)
    return Motion().stay(start, 45, "street").ride(way, CAR, rng).stay(way.points[-1], 90, "street")


def home_day(rng):
    return Motion().stay((64.8613, -17.9524), 86_400, "bedroom")


def stroll(rng, start, heading, metres, pauses=0.25, sky="street"):
    route = Route(start, heading, rng, step=2.0, wander=4)
    gone = 0.0
    while gone < metres:
        leg = rng.uniform(60, 210)
        route.go(leg, 4.9 * rng.uniform(0.93, 1.07), sky, bend=rng.uniform(-25, 25))
        if rng.random() < pauses:
            route.stop(rng.uniform(5, 40))
        route.turn(rng.choice([-90, 90, -60, 45]), FEET, radius=2.0, sky=sky)
        gone += leg + 3
    return route


def walk(rng):
    start = (-20.1836, -67.5270)
    out = stroll(rng, start, 110, 1_300)
    on = stroll(rng, out.points[-1], out.heading + 90, 1_150, pauses=0.15, sky="canyon")
    motion = Motion().stay(start, 30, "street").ride(out, FEET, rng, haste=0.2)
    motion.stay(out.points[-1], 520, "indoor")  # the café
    return motion.ride(on, FEET, rng, haste=0.2).stay(on.points[-1], 60, "street")


def hike(rng):
    """Three hours in the hills: slower on steep parts, bends, one leg in three in zigzags, breathers, one rest."""
    start = (-31.4480, 138.6210)
    route = Route(start, rng.uniform(0, 360), rng, step=3.0, wander=6)
    legs = 42
    for leg in range(legs):
        kmh = rng.uniform(2.4, 5.2)
        sky, left = rng.choice(["open", "open", "street"]), rng.uniform(120, 420)
        if rng.random() < 1 / 3:
            side = rng.choice([-1, 1]) * rng.uniform(45, 65)
            route.turn(side, FEET, radius=2.0, sky=sky)
            while left > 0:
                reach = rng.uniform(20, 60)
                route.go(reach, kmh, sky).turn(-2 * side, FEET, radius=2.0, sky=sky)
                left, side = left - reach, -side
            route.turn(-side, FEET, radius=2.0, sky=sky)
        else:
            route.go(left, kmh, sky, rng.uniform(-70, 70))
        if leg == legs // 2:
            route.stop(rng.uniform(700, 1_900))
        elif rng.random() < 0.25:
            route.stop(rng.uniform(15, 180))
    motion = Motion().stay(start, 60, "open").ride(route, FEET, rng, haste=0.2)
    return motion.stay(route.points[-1], 360, "open")


def train(rng):
    start = (-30.7420, 128.3350)
    route = Route(start, 84, rng, step=25.0, wander=0.05)
    for number in range(6):
        length = rng.uniform(9_000, 16_000)
        bend = rng.uniform(-18, 18)
        route.go(900, 70, "cabin").go(length * 0.3, 160, "cabin", bend)
        route.go(rng.uniform(1_200, 2_600), 140, "cutting", -bend / 2)
        if number == 2:
            route.go(4_400, 140, "tunnel", 6)
        route.go(length * 0.4, 160, "cabin", bend / 3).go(1_100, 80, "cabin")
        if number < 5:
            route.stop(rng.uniform(45, 130))
    motion = Motion().stay(start, 120, "cabin")
    return motion.ride(route, TRAIN, rng, haste=0.02).stay(route.points[-1], 60, "cabin")


def flight(rng):
    """Taxi, climb, cruise eastwards across 180° at 250 m/s, descent, taxi."""
    start, goal = (-17.6000, 176.2000), (-14.3000, -173.1000)
    ground = Route(start, 120, rng, step=20.0, wander=0.1)
    ground.go(700, 28, "open").turn(-60, AIRLINER, 30, "open").go(1_100, 30, "open").stop(75)
    ground.turn(20, AIRLINER, 40, "open")
    ground.go(2_300, 290, "open").go(9_000, 430, "cabin").go(40_000, 640, "cabin", 15)
    for kmh, km in ((780, 60), (900, 2_000)):
        ground.step = 1_000.0
        left = earth.great_circle_metres(ground.points[-1], goal) - 95_000
        ground.toward(goal, min(km * 1_000, left), kmh, "cabin")
    ground.step = 200.0
    for kmh, km in ((700, 45), (450, 30), (280, 17)):
        ground.toward(goal, km * 1_000, kmh, "cabin")
    ground.step = 20.0
    ground.go(2_200, 120, "open").turn(90, AIRLINER, 40, "open").go(900, 28, "open")
    motion = Motion().stay(start, 240, "open")
    return motion.ride(ground, AIRLINER, rng, haste=0.005).stay(ground.points[-1], 120, "open")


def flight_height(seconds, duration):
    """Metres above the airfields: a climb of 9 m/s, a descent of 7."""
    up, down = max(0.0, seconds - 480) * 9, max(0.0, duration - 300 - seconds) * 7
    return min(10_600.0, up, down)


def cold_drive(rng):
    start = (39.1170, 83.4450)
    route = Route(start, 300, rng).go(150, 25)
    blocks(route, rng, 2_200, CAR, 48)
    route.go(4_000, 85, "open", 40).go(200, 50).stop(20)
    blocks(route, rng, 1_200, CAR, 45)
    return Motion().stay(start, 200, "street").ride(route, CAR, rng).stay(
        route.points[-1], 40, "street")


def night_drive(rng):
    start = (43.3310, 104.9120)
    out = Route(start, 200, rng).go(100, 25)
    blocks(out, rng, 2_500, CAR, 50, lights=0.3)
    out.go(17_000, 95, "open", 30).go(400, 50)
    blocks(out, rng, 1_500, CAR, 45, lights=0.3)
    party = out.points[-1]
    motion = Motion().stay(start, 60, "street").ride(out, CAR, rng).stay(party, 1_500, "street")
    return motion.ride(out.back(), CAR, rng).stay(start, 60, "street")


def desert_drive(rng):
    start = (23.2210, 5.1180)
    route = Route(start, 60, rng, step=10.0).go(300, 40, "open")
    for _ in range(5):
        route.go(rng.uniform(3_000, 7_000), rng.uniform(70, 100), "open", rng.uniform(-40, 40))
        route.stop(rng.uniform(20, 200))
    return Motion().stay(start, 60, "open").ride(route, CAR, rng).stay(route.points[-1], 60, "open")


def bus_line(rng):
    start = (-48.7730, -70.2680)
    route = Route(start, 95, rng)
    for _ in range(14):
        route.go(rng.uniform(180, 420), 42, "street", rng.uniform(-12, 12))
        if rng.random() < 0.4:
            route.stop(rng.uniform(8, 35)).turn(rng.choice([-90, 90]), BUS, 14)
            route.go(rng.uniform(100, 260), 38, rng.choice(["street", "canyon"]))
        route.stop(rng.uniform(14, 40))
    return Motion().stay(start, 30, "street").ride(route, BUS, rng).stay(
        route.points[-1], 30, "street")


def mixed_day(rng):
    """Home, car to work, a walk at lunch, car home: 24 hours of a weekday."""
    home = (39.0640, -115.9020)
    way = commute(rng, home, 330)
    work = way.points[-1]
    lunch = stroll(rng, work, 45, 1_100)
    motion = Motion().stay(home, 7.4 * 3_600, "bedroom").ride(way, CAR, rng)
    motion.stay(work, 12.25 * 3_600 - motion.duration, "indoor")
    motion.ride(lunch, FEET, rng, haste=0.2).stay(lunch.points[-1], 25 * 60, "indoor")
    motion.ride(lunch.back(), FEET, rng, haste=0.2)
    motion.stay(work, 17.1 * 3_600 - motion.duration, "indoor").ride(way.back(), CAR, rng)
    return motion.stay(home, 86_400 - motion.duration, "bedroom")


def commute_day(rng):
    """Home, half an hour by car through a tunnel to work, home again, and a walk after supper: 24 hours, two places."""
    home = (-24.0510, 15.3120)
    way = Route(home, 35, rng).go(90, 25).turn(80, CAR).stop(4)
    blocks(way, rng, 1_800, CAR, 48)
    way.go(400, 60).go(3_300, 62, sky="tunnel", bend=20).go(400, 80, sky="open")
    way.go(9_000, 110, sky="open", bend=-40).go(250, 50, sky="open", bend=60).stop(28)
    blocks(way, rng, 1_900, CAR, 50)
    way.go(120, 15)
    work, out = way.points[-1], stroll(rng, home, 200, 1_300, pauses=0.1)
    motion = Motion().stay(home, 7.2 * 3_600, "bedroom").ride(way, CAR, rng)
    motion.stay(work, 16.8 * 3_600 - motion.duration, "indoor").ride(way.back(), CAR, rng)
    motion.stay(home, 19.1 * 3_600 - motion.duration, "bedroom").ride(out, FEET, rng, haste=0.2)
    motion.ride(out.back(), FEET, rng, haste=0.2)
    return motion.stay(home, 86_400 - motion.duration, "bedroom")
