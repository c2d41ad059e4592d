# SPDX-License-Identifier: Apache-2.0
"""Against a real milepostd, which listens to a real gpsd, which reads a receiver that the test moves."""

import asyncio
import shutil
import unittest

from conformance.station import Station
from milepost import Milepost

WHY_NOT = None if shutil.which("gpsd", path="/usr/sbin:/usr/bin:/usr/local/sbin") else "no gpsd"


async def within(awaitable, seconds=30):
    return await asyncio.wait_for(awaitable, seconds)


async def read(updates):
    async for _ in updates:
        pass


@unittest.skipIf(WHY_NOT, WHY_NOT)
class LiveCase(unittest.IsolatedAsyncioTestCase):
    def setUp(self):
        # Two seconds instead of five minutes between significant changes.
        self.station = Station("significant_interval_s: 2")
        self.station.__enter__()
        self.addCleanup(self.station.close)

    async def asyncSetUp(self):
        # An app in the foreground keeps the receiver on, so that no test waits for its next look.
        driver = await self.connect("driver").open()
        self.addAsyncCleanup(driver.close)
        await asyncio.to_thread(self.allow, "driver")
        updates = driver.standard_updates()
        await updates.begin()
        reading = asyncio.ensure_future(read(updates))
        self.addCleanup(reading.cancel)

    def connect(self, name="walker"):
        return Milepost.connect(name, path=self.station.socket)

    def allow(self, name, level="always"):
        self.station.milepost("apps", "authorize", name, level)
