# SPDX-License-Identifier: Apache-2.0
import asyncio
import signal

from milepost import Disconnected, Welcome

from .live import LiveCase, within


class DaemonTests(LiveCase):
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
