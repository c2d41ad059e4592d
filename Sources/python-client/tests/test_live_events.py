# SPDX-License-Identifier: Apache-2.0
import asyncio
import socket

from milepost import (
    Authorization,
    AuthorizationChanged,
    NotAuthorized,
    Refused,
    Region,
    RegionRefused,
    RegionState,
    Service,
)

from .live import LiveCase, within


class EventTests(LiveCase):
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
            # A cached one never anchors: the distance counts from the first fresh one.
            while first.cached:
                first = await within(changes.__anext__())
            self.station.feed.move(900, 60)
            second = await within(changes.__anext__())
            self.assertGreaterEqual(second.moved_m, 500)
            left = await within(regions.__anext__(), 60)
            self.assertEqual((left.identifier, left.entered), ("start", False))
            app.acknowledge(left)
            app.acknowledge(second)
            # All acknowledged events are stored as such.
            await app.monitor_motion(False)
            document = await asyncio.to_thread(self.station.document, "apps", "show", "walker")
            self.assertEqual(document["acknowledged"], document["last_sequence"])

            async with app.standard_updates(distance_filter_m=0) as updates:
                # An app without a manifest counts as one that declares the mode.
                self.assertEqual((await within(updates.__anext__())).service, Service.CONTINUOUS)

    async def test_a_socket_is_taken(self):
        async with self.connect() as app:
            ours, theirs = socket.socketpair()
            with ours, theirs:
                await within(app.hand_over(ours))
                await app.stop_watching_socket()

    async def test_the_words_of_the_daemon_are_the_exceptions(self):
        async with self.connect() as app:
            await asyncio.to_thread(self.allow, "walker", "denied")
            with self.assertRaises(NotAuthorized):
                await within(app.request_location())
            with self.assertRaises(Refused) as caught:
                await app.set_keep_alive(5)
            self.assertEqual(caught.exception.code, "not_possible")
            self.assertEqual(
                caught.exception.message,
                "a keep-alive every 5 s is refused: 600 s are the least",
            )
            with self.assertRaises(Refused) as caught:
                await within(self.connect().open())
            self.assertEqual(caught.exception.code, "already_connected")
            self.assertEqual(str(caught.exception), "'walker' is connected already")

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
