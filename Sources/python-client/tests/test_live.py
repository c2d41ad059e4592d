# SPDX-License-Identifier: Apache-2.0
"""Against a real milepostd, which listens to a real gpsd, which reads a receiver that the test moves."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import unittest

from conformance.station import Station, programs, until
from milepost import (
    Authorization,
    AuthorizationChanged,
    Disconnected,
    Milepost,
    NotAuthorized,
    Refused,
    Region,
    RegionRefused,
    RegionState,
    Service,
    Welcome,
)

from . import ROOT

CLIENT = ROOT / "Sources/python-client"
EXAMPLE = CLIENT / "examples/location_example.py"
WHY_NOT = None if shutil.which("gpsd", path="/usr/sbin:/usr/bin:/usr/local/sbin") else "no gpsd"


async def within(awaitable, seconds=30):
    return await asyncio.wait_for(awaitable, seconds)


@unittest.skipIf(WHY_NOT, WHY_NOT)
class LiveTests(unittest.IsolatedAsyncioTestCase):
    def setUp(self):
        # Two seconds instead of five minutes between significant changes.
        self.station = Station("significant_interval_s = 2")
        self.station.__enter__()
        self.addCleanup(self.station.close)

    def connect(self, name="walker"):
        return Milepost.connect(name, path=self.station.socket)

    def allow(self, name, level="always"):
        self.station.milepost("apps", "authorize", name, level)

    async def test_from_the_first_question_to_the_events(self):
        async with self.connect() as app:
            allowed = asyncio.get_running_loop().create_future()
            app.on(AuthorizationChanged, lambda m: m.authorization == "always" and allowed.set_result(m))
            level = await app.request_authorization(Authorization.ALWAYS)
            self.assertEqual(level, Authorization.NOT_DETERMINED)
            await asyncio.to_thread(self.allow, "walker")
            await within(allowed)

            update = await within(app.request_location())
            self.assertAlmostEqual(update.fix.latitude, 52.0, 3)
            self.assertEqual(update.service, Service.STANDARD)

            await app.monitor_region(Region("start", 52.0, 5.0, 200))
            with self.assertRaises(RegionRefused) as refused:
                await app.monitor_region(Region("continent", 52.0, 5.0, 2e6))
            self.assertIn("its radius is from ", refused.exception.reason)
            with self.assertRaises(Refused) as caught:
                await app.monitor_region(Region("", 52.0, 5.0, 200))
            self.assertEqual(
                str(caught.exception), '?REGION: identifier is "", not a text of 1 to 256 bytes'
            )
            self.assertEqual(await within(app.region_state("start"), 61), RegionState.INSIDE)

            regions, changes = app.region_events(), app.significant_changes()
            first = await within(changes.__anext__())
            self.assertEqual(first.service, Service.SIGNIFICANT)
            # A cached one never anchors: the way is counted from the first fresh one.
            while first.cached:
                first = await within(changes.__anext__())
            self.station.feed.move(900, 60)
            second = await within(changes.__anext__())
            self.assertGreaterEqual(second.moved_m, 500)
            left = await within(regions.__anext__(), 60)
            self.assertEqual((left.identifier, left.entered), ("start", False))
            app.acknowledge(left)
            app.acknowledge(second)
            # Everything that was acknowledged is stored as such.
            await app.monitor_motion(False)
            document = await asyncio.to_thread(self.station.document, "apps", "show", "walker")
            self.assertEqual(document["acknowledged"], document["last_sequence"])

            async with app.standard_updates(distance_filter_m=0) as updates:
                # An app without a manifest counts as one that declares the mode.
                self.assertEqual((await within(updates.__anext__())).service, Service.CONTINUOUS)

    async def test_what_was_not_worked_off_comes_again_to_the_next_process(self):
        with self.assertRaises(ZeroDivisionError):
            async with self.connect() as app:
                await asyncio.to_thread(self.allow, "walker")
                async for event in app.significant_changes():
                    number = event.sequence
                    raise ZeroDivisionError
        async with self.connect() as app:
            assert app.welcome is not None
            self.assertLess(app.welcome.acknowledged, number)
            self.assertTrue(app.welcome.monitors_significant_changes)
            event = await within(app.significant_changes().__anext__())
            self.assertEqual(event.sequence, number)

    async def test_it_outlives_the_daemon(self):
        async with self.connect() as app:
            await asyncio.to_thread(self.allow, "walker")
            changes = app.significant_changes()
            await within(changes.__anext__())
            told = asyncio.Queue()
            app.on(Disconnected, told.put_nowait)
            app.on(Welcome, told.put_nowait)
            await asyncio.to_thread(self.station.stop_daemon, signal.SIGKILL)
            self.assertIsInstance(await within(told.get()), Disconnected)
            await asyncio.to_thread(self.station.start_daemon)
            self.assertIsInstance(await within(told.get()), Welcome)
            self.station.feed.move(700, 60)
            self.assertIsNotNone((await within(changes.__anext__())).fix)

    async def test_the_words_of_the_daemon_are_the_exceptions(self):
        async with self.connect() as app:
            await asyncio.to_thread(self.allow, "walker", "denied")
            with self.assertRaises(NotAuthorized):
                await within(app.request_location())
            with self.assertRaises(Refused) as caught:
                await app.set_keep_alive(5)
            self.assertEqual(caught.exception.code, "malformed")
            self.assertEqual(
                caught.exception.message,
                "?KEEP_ALIVE: interval_s is 5, not a number from 600 to 1000000000",
            )
            with self.assertRaises(Refused) as caught:
                await within(self.connect().open())
            self.assertEqual(caught.exception.code, "already_connected")
            self.assertEqual(str(caught.exception), "'walker' is connected already")

    async def test_the_example_behaves_as_the_one_in_swift(self):
        """Both are launched, suspended, purged, and relaunched by a significant change; both say the same."""
        station = self.station
        swift = str(programs() / "location-example")
        python = [sys.executable, str(EXAMPLE)]
        logs = {}
        for name, command in (("swift", [swift]), ("python", python)):
            words = ", ".join(f'"{w}"' for w in [*command, "--latitude", "52", "--longitude", "5"])
            environment = f'environment = {{ PYTHONPATH = "{CLIENT}", PYTHONDONTWRITEBYTECODE = "1" }}'
            manifest = ['kind = "connected"', f"command = [{words}]", environment]
            await asyncio.to_thread(station.add, name, *manifest, 'authorization = "always"')
            logs[name] = lambda name=name: station.text(f"run/logs/{name}.log").splitlines()

        def state(name):
            return station.document("apps", "show", name)["state"]

        def purged():
            for name in logs:
                if state(name) == "suspended":
                    station.milepost("apps", "purge", name)
            return all(state(name) == "not_running" for name in logs)

        def all_have(count, after):
            """Whether each log has so many lines from `after` on."""

            def has():
                texts = ["\n".join(log()).rpartition(after) for log in logs.values()]
                return all(t[1] and len((t[1] + t[2]).splitlines()) >= count for t in texts)

            return has

        where = all_have(2, "launched by the user")
        await asyncio.to_thread(until, "both say where they are", where, 40)
        await asyncio.to_thread(until, "both are purged", purged, 40)
        station.feed.move(700, 60)
        relaunched = all_have(2, "launched by location")
        await asyncio.to_thread(until, "both are relaunched", relaunched, 60)
        said = {name: log() for name, log in logs.items()}
        place = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ \d\d\.\d{5} \d\.\d{5}, within \d+ m, %s km from home$"
        for lines in said.values():
            self.assertEqual(lines[0], "launched by the user", said)
            # Who is launched while the service knows a position hears that one first.
            for line in lines[1:-2]:
                self.assertRegex(line, place % r"0\.0")
            self.assertEqual(lines[-2], "launched by location", said)
            self.assertRegex(lines[-1], place % r"0\.[5-7]")


class PackageTests(unittest.TestCase):
    def test_the_example_says_what_is_wrong(self):
        environment = {**os.environ, "PYTHONPATH": str(CLIENT), "PYTHONDONTWRITEBYTECODE": "1"}
        words = [sys.executable, str(EXAMPLE), "--latitude", "north"]
        done = subprocess.run(words, env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("argument --latitude: invalid float value: 'north'", done.stderr)
