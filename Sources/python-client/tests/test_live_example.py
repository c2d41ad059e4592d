# SPDX-License-Identifier: Apache-2.0
import asyncio
import os
import subprocess
import sys
import unittest

from conformance.station import programs, until

from . import ROOT
from .live import LiveCase

CLIENT = ROOT / "Sources/python-client"
EXAMPLE = CLIENT / "examples/location_example.py"



class ExampleTests(LiveCase):
    async def test_the_example_behaves_as_the_one_in_swift(self):
        """Both are launched, suspended, purged, and relaunched by a significant change; both say the same."""
        station = self.station
        swift = str(programs() / "location-example")
        python = [sys.executable, str(EXAMPLE)]
        logs = {}
        for name, command in (("swift", [swift]), ("python", python)):
            words = ", ".join(f'"{w}"' for w in [*command, "--latitude", "52", "--longitude", "5"])
            environment = f'environment: {{PYTHONPATH: "{CLIENT}", PYTHONDONTWRITEBYTECODE: "1"}}'
            manifest = ["kind: connected", f"command: [{words}]", environment]
            await asyncio.to_thread(station.add, name, *manifest, "authorization: always")
            logs[name] = lambda name=name: station.text(f"run/logs/{name}.log").splitlines()

        def state(name):
            return station.document("apps", "show", name)["state"]

        def purged():
            for name in logs:
                if state(name) == "suspended":
                    station.milepost("apps", "purge", name)
            return all(state(name) == "not_running" for name in logs)

        def all_have(count, after):
            """Whether each log has this number of lines from `after` on."""

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
            # An app that is launched while the service knows a position gets that one first.
            for line in lines[1:-2]:
                self.assertRegex(line, place % r"0\.0")
            self.assertEqual(lines[-2], "launched by location", said)
            self.assertRegex(lines[-1], place % r"0\.[5-7]")


class UsageTests(unittest.TestCase):
    def test_the_example_says_what_is_wrong(self):
        environment = {**os.environ, "PYTHONPATH": str(CLIENT), "PYTHONDONTWRITEBYTECODE": "1"}
        words = [sys.executable, str(EXAMPLE), "--latitude", "north"]
        done = subprocess.run(words, env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("argument --latitude: invalid float value: 'north'", done.stderr)
