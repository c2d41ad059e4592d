# SPDX-License-Identifier: Apache-2.0
import asyncio
import json
import os
import socket
import unittest

from milepost import (
    Accuracy,
    AccuracyChanged,
    AppState,
    Authorization,
    ConnectionLost,
    DaemonError,
    DeferralEnd,
    DeferralEnded,
    Disconnected,
    FetchResult,
    HeadingChanged,
    HeadingSource,
    Lost,
    Milepost,
    Motion,
    NotAuthorized,
    Refused,
    Region,
    RegionRefused,
    RegionState,
    RequestFailed,
    StateChanged,
    Unavailable,
    Wake,
    WakeReason,
    Welcome,
)

from .scripted import ScriptedDaemon, location, region


class Broken(Exception):
    pass


class ClientTests(unittest.IsolatedAsyncioTestCase):
    def connect(self, daemon, **options):
        return Milepost.connect("walker", path=daemon.path, **options)

    async def next(self, stream):
        return await asyncio.wait_for(stream.__anext__(), 10)

    # Connecting

    async def test_it_says_who_it_is_first(self):
        async with ScriptedDaemon() as daemon, self.connect(daemon) as app:
            self.assertEqual(daemon.heard[0], ("HELLO", {"app": "walker"}))
            self.assertEqual(app.state, AppState.ACTIVE)
            self.assertIsNone(app.launch_reason)

    async def test_no_daemon_and_a_refusal_are_errors_with_their_words(self):
        with self.assertRaises(Unavailable) as caught:
            await Milepost.connect("walker", path="/nowhere/socket").open()
        self.assertEqual(
            str(caught.exception),
            "/nowhere/socket: no milepostd listens here; start it (milepostd), or say where it listens with "
            "path= or MILEPOST_SOCKET",
        )
        with self.assertRaises(Unavailable) as caught:
            await Milepost.connect("walker", path="/" + "x" * 107).open()
        self.assertTrue(
            str(caught.exception).endswith("has 1 to 107 bytes, and this has 108"), caught.exception
        )
        async with ScriptedDaemon() as daemon:
            daemon.answers["HELLO"] = [
                {"class": "ERROR", "message": "'walker' is connected already", "code": "already_connected"}
            ]
            with self.assertRaises(Refused) as refused:
                await self.connect(daemon).open()
            self.assertEqual(refused.exception.code, "already_connected")
            self.assertEqual(str(refused.exception), "'walker' is connected already")
            # The previous process may just have ended.
            self.assertEqual(daemon.connections, 4)
            opening = asyncio.ensure_future(self.connect(daemon).open())
            await daemon.hears("HELLO", 6)
            del daemon.answers["HELLO"]
            await (await asyncio.wait_for(opening, 10)).close()

    async def test_with_wait_it_tries_until_there_is_a_daemon(self):
        daemon = ScriptedDaemon()
        opening = asyncio.ensure_future(self.connect(daemon, wait=True).open())
        await asyncio.sleep(0.05)
        self.assertFalse(opening.done())
        async with daemon:
            app = await asyncio.wait_for(opening, 10)
            await app.close()

    async def test_after_a_loss_all_that_it_wants_is_said_again(self):
        async with ScriptedDaemon() as daemon, self.connect(daemon) as app:
            told = []
            app.on(Disconnected, told.append)
            app.on(Welcome, told.append)
            stream = app.standard_updates(distance_filter_m=50)
            await stream.begin()
            await app.monitor_region(Region("home", 52, 5, 200))
            await app.begin_task(7, "upload")
            before = {name: daemon.said(name) for name in ("START", "REGION", "BEGIN_TASK")}
            daemon.drop()
            await daemon.hears("BEGIN_TASK", 2)
            for name, members in before.items():
                self.assertEqual(daemon.said(name), members * 2)
            self.assertEqual(
                daemon.said("START")[0],
                {
                    "service": "standard",
                    "desired_accuracy_m": -1.0,
                    "distance_filter_m": 50,
                    "pauses_automatically": False,
                    "allows_background_updates": True,
                },
            )
            self.assertEqual([type(each) for each in told], [Disconnected, Welcome])
            self.assertEqual(told[0].reason, "the daemon closed the connection")

    async def test_what_is_no_message_ends_the_connection_and_another_one_begins(self):
        async with ScriptedDaemon() as daemon, self.connect(daemon) as app:
            told = []
            app.on(Disconnected, told.append)
            daemon.say(b"hello?\n")
            await daemon.hears("HELLO", 2)
            self.assertTrue(told[0].reason.startswith("'hello?' is no message"), told)

    async def test_unknown_classes_and_members_are_passed_over(self):
        async with ScriptedDaemon() as daemon, self.connect(daemon) as app:
            stream = app.significant_changes()
            await stream.begin()
            daemon.say({"class": "TIDES"}, {**location(1), "mood": "good"})
            self.assertEqual((await self.next(stream)).sequence, 1)
            self.assertEqual(daemon.connections, 1)

    # Events

    async def test_asking_for_the_next_event_acknowledges_the_one_before(self):
        async with ScriptedDaemon() as daemon, self.connect(daemon) as app:
            stream = app.significant_changes()
            await stream.begin()
            daemon.say(location(1), location(2))
            self.assertEqual((await self.next(stream)).sequence, 1)
            self.assertEqual(daemon.said("ACK"), [])
            self.assertEqual((await self.next(stream)).sequence, 2)
            self.assertEqual(await daemon.hears("ACK"), {"sequence": 1})

    async def test_what_a_loop_raised_over_is_not_acknowledged_and_comes_to_the_next_loop(self):
        async with ScriptedDaemon() as daemon:
            with self.assertRaises(Broken):
                async with self.connect(daemon) as app:
                    await app.significant_changes().begin()
                    daemon.say(location(1), location(2))
                    with self.assertRaises(Broken):
                        async for event in app.significant_changes():
                            raise Broken
                    again = app.significant_changes()
                    self.assertEqual((await self.next(again)).sequence, 1)
                    raise Broken
            await daemon.hears("START")
            self.assertEqual(daemon.said("ACK"), [])

    async def test_an_event_can_be_acknowledged_by_hand(self):
        async with ScriptedDaemon() as daemon, self.connect(daemon) as app:
            await app.significant_changes().begin()
            daemon.say(location(1))
            async for event in app.significant_changes():
                app.acknowledge(event)
                break
            self.assertEqual(await daemon.hears("ACK"), {"sequence": 1})

    async def test_an_event_of_another_kind_that_is_open_holds_the_acknowledgement_back(self):
        async with ScriptedDaemon() as daemon, self.connect(daemon) as app:
            regions, changes = app.region_events(), app.significant_changes()
            await regions.begin()
            await changes.begin()
            daemon.say(region(1), location(2))
            entry = await self.next(regions)
            self.assertTrue(entry.entered)
            app.acknowledge(await self.next(changes))
            await changes.stop()
            self.assertEqual(daemon.said("ACK"), [])
            app.acknowledge(entry)
            self.assertEqual(await daemon.hears("ACK"), {"sequence": 2})

    async def test_what_comes_again_after_a_reconnection_is_acknowledged_and_not_told_twice(self):
        async with ScriptedDaemon() as daemon, self.connect(daemon) as app:
            stream = app.significant_changes()
            await stream.begin()
            daemon.say(location(1), location(2))
            app.acknowledge(await self.next(stream))
            second = await self.next(stream)
            await daemon.hears("ACK")
            daemon.drop()
            await daemon.hears("START", 2)
            # The acknowledgement was lost, and the second one is being worked on.
            daemon.say(location(1), location(2), location(3))
            self.assertEqual(await daemon.hears("ACK", 2), {"sequence": 1})
            app.acknowledge(second)
            self.assertEqual((await self.next(stream)).sequence, 3)
            self.assertEqual(await daemon.hears("ACK", 3), {"sequence": 2})

    async def test_what_nobody_asks_for_never_blocks_the_rest(self):
        async with ScriptedDaemon() as daemon, self.connect(daemon) as app:
            lost = []
            app.on(Lost, lost.append)
            daemon.say(*(location(number) for number in range(1, 34)))
            self.assertEqual(await daemon.hears("ACK"), {"sequence": 1})
            self.assertEqual([each.count for each in lost], [1])
            stream = app.significant_changes()
            self.assertEqual((await self.next(stream)).sequence, 2)

    async def test_one_region_event_that_no_loop_reads_does_not_make_the_app_deaf(self):
        async with ScriptedDaemon() as daemon, self.connect(daemon) as app:
            lost = []
            app.on(Lost, lost.append)
            stream = app.significant_changes()
            await stream.begin()
            daemon.say(region(1))
            # As the daemon does, which sends at most 64 ahead of the acknowledgement.
            for number in range(2, 103):
                daemon.say(location(number))
                self.assertEqual((await self.next(stream)).sequence, number)
            await stream.stop()
            while daemon.said("ACK")[-1:] != [{"sequence": 102}]:
                await daemon.hears("ACK", len(daemon.said("ACK")) + 1)
            # Locations 2 to 9 are finished behind it: no more than 8 are held back.
            self.assertEqual(daemon.said("ACK")[0], {"sequence": 9})
            self.assertEqual([each.count for each in lost], [1])

    async def test_a_region_event_from_before_its_loop_is_kept_while_others_are_finished(self):
        async with ScriptedDaemon() as daemon, self.connect(daemon) as app:
            changes = app.significant_changes()
            await changes.begin()
            daemon.say(region(1), *(location(number) for number in range(2, 9)))
            for _ in range(7):
                app.acknowledge(await self.next(changes))
            regions = app.region_events()
            event = await self.next(regions)
            self.assertEqual(event.sequence, 1)
            self.assertEqual(daemon.said("ACK"), [])
            # A requested event is never dropped, however many are finished behind it.
            daemon.say(*(location(number) for number in range(9, 60)))
            for _ in range(51):
                app.acknowledge(await self.next(changes))
            app.acknowledge(event)
            self.assertEqual(await daemon.hears("ACK"), {"sequence": 59})

    async def test_a_stream_that_is_left_in_order_stops_its_service(self):
        async with ScriptedDaemon() as daemon, self.connect(daemon) as app:
            async with app.standard_updates() as updates:
                daemon.say(location(1, "standard"), location(2, "standard"))
                await self.next(updates)
            self.assertEqual(await daemon.hears("STOP"), {"service": "standard"})
            self.assertEqual(daemon.said("ACK")[-1], {"sequence": 2})
            # It was under way.
            daemon.say(location(3, "standard"))
            await daemon.hears("ACK", len(daemon.said("ACK")) + 1)
            self.assertEqual(daemon.said("ACK")[-1], {"sequence": 3})

    # Questions

    async def test_one_location(self):
        async with ScriptedDaemon() as daemon, self.connect(daemon) as app:
            daemon.answers["REQUEST"] = [location(1, "standard")]
            update = await app.request_location(100)
            self.assertEqual(update.fix.latitude, 45.5231)
            self.assertEqual(daemon.said("REQUEST"), [{"desired_accuracy_m": 100}])
            self.assertEqual(await daemon.hears("ACK"), {"sequence": 1})
            daemon.answers["REQUEST"] = [{"class": "REQUEST_FAILED", "reason": "none came"}]
            with self.assertRaises(RequestFailed) as caught:
                await app.request_location()
            self.assertEqual(str(caught.exception), "none came")
            daemon.answers["REQUEST"] = [{"class": "AUTHORIZATION", "authorization": "denied"}]
            with self.assertRaises(NotAuthorized):
                await app.request_location()

    async def test_a_position_from_before_answers_no_request_for_one_location(self):
        async with ScriptedDaemon() as daemon, self.connect(daemon) as app:
            stream = app.standard_updates()
            await stream.begin()
            daemon.answers["REQUEST"] = [
                {**location(1, "standard"), "cached": True},
                location(2, "standard", latitude=46.5),
            ]
            self.assertEqual((await app.request_location()).sequence, 2)
            # The updates get both.
            self.assertEqual((await self.next(stream)).sequence, 1)
            self.assertEqual((await self.next(stream)).sequence, 2)

    async def test_how_exactly_it_may_know_is_told(self):
        async with ScriptedDaemon() as daemon, self.connect(daemon) as app:
            self.assertEqual(app.accuracy, Accuracy.FULL)
            told = []
            app.on(AccuracyChanged, told.append)
            daemon.say({"class": "ACCURACY", "accuracy": "reduced"})
            await app.monitor_motion()
            self.assertEqual(app.accuracy, Accuracy.REDUCED)
            self.assertEqual([each.accuracy for each in told], [Accuracy.REDUCED])
            daemon.drop()
            await daemon.hears("MOTION", 2)
            # WELCOME does not mention it: it is full.
            self.assertEqual(app.accuracy, Accuracy.FULL)

    async def test_headings_and_what_is_kept_back(self):
        async with ScriptedDaemon() as daemon, self.connect(daemon) as app:
            told = []
            app.on(HeadingChanged, told.append)
            app.on(DeferralEnded, told.append)
            await app.monitor_heading(filter_deg=5)
            await app.defer_updates(distance_m=1000, timeout_s=300)
            self.assertEqual(daemon.said("HEADING"), [{"enable": True, "filter_deg": 5}])
            self.assertEqual(
                daemon.said("DEFER"), [{"enable": True, "distance_m": 1000, "timeout_s": 300}]
            )
            # The requests are sent to the next daemon too.
            daemon.drop()
            await daemon.hears("DEFER", 2)
            heading = {"class": "HEADING", "source": "course", "true_deg": 271.5}
            heading |= {"magnetic_deg": None, "accuracy_deg": 8, "time": None}
            daemon.say(heading | {"received": "2026-05-04T07:08:09.750Z"})
            daemon.say({"class": "DEFERRED_END", "reason": "cancelled"})
            await app.monitor_motion()
            self.assertEqual((told[0].source, told[0].true_deg), (HeadingSource.COURSE, 271.5))
            self.assertIsNone(told[0].magnetic_deg)
            self.assertEqual(told[1].reason, DeferralEnd.CANCELLED)
            # Finished ones are not begun again; headings are.
            daemon.drop()
            await daemon.hears("HEADING", 3)
            await daemon.hears("MOTION", 2)
            self.assertEqual(len(daemon.said("DEFER")), 2)
            await app.stop_deferring()
            self.assertEqual(daemon.said("DEFER")[-1], {"enable": False})

    async def test_regions(self):
        async with ScriptedDaemon() as daemon, self.connect(daemon) as app:
            answer = {"class": "REGION", "identifier": "home", "event": "state", "state": "inside"}
            daemon.answers["REGION_STATE"] = [answer]
            self.assertEqual(await app.region_state("home"), RegionState.INSIDE)
            daemon.answers["REGION"] = [
                {"class": "REGION_FAILED", "identifier": "home", "reason": "too many"}
            ]
            with self.assertRaises(RegionRefused) as caught:
                await app.monitor_region(Region("home", 52, 5, 200))
            self.assertEqual(str(caught.exception), "the region 'home' is not monitored: too many")

    async def test_an_error_is_raised_where_it_was_caused_and_told_where_nobody_asked(self):
        async with ScriptedDaemon() as daemon, self.connect(daemon) as app:
            told = []
            app.on(DaemonError, told.append)
            error = {"class": "ERROR", "message": "interval_s is 5", "code": "malformed"}
            daemon.answers["KEEP_ALIVE"] = [error]
            with self.assertRaises(Refused) as caught:
                await app.set_keep_alive(5)
            self.assertEqual(caught.exception.code, "malformed")
            self.assertEqual(told, [])
            daemon.say({"class": "ERROR", "message": "storage is full", "code": "storage"})
            await app.monitor_motion()
            self.assertEqual([each.message for each in told], ["storage is full"])

    async def test_what_is_asked_without_a_connection_is_asked_at_the_next_one(self):
        async with ScriptedDaemon() as daemon, self.connect(daemon) as app:
            daemon.answers["AUTHORIZE"] = [{"class": "AUTHORIZATION", "authorization": "always"}]
            daemon.drop()
            level = await asyncio.wait_for(app.request_authorization(Authorization.ALWAYS), 10)
            self.assertEqual(level, Authorization.ALWAYS)
            await app.close()
            with self.assertRaises(ConnectionLost):
                await app.time_remaining()

    async def test_who_waits_for_an_answer_when_the_app_is_closed_is_told(self):
        async with ScriptedDaemon() as daemon, self.connect(daemon) as app:
            waiting = [
                asyncio.ensure_future(app.request_location()),
                asyncio.ensure_future(app.region_state("home")),
            ]
            await daemon.hears("REQUEST")
            await daemon.hears("REGION_STATE")
            await app.close()
            for each in [*waiting, app.request_location(), app.region_state("home")]:
                with self.assertRaises(ConnectionLost):
                    await asyncio.wait_for(each, 10)

    async def test_a_handler_that_raises_ends_the_wait_for_an_answer(self):
        async with ScriptedDaemon() as daemon:
            with self.assertRaises(Broken):
                async with self.connect(daemon) as app:

                    def state(message):
                        raise Broken

                    app.on(StateChanged, state)
                    daemon.answers["REGION_STATE"] = [{"class": "STATE", "state": "background"}]
                    await asyncio.wait_for(app.region_state("home"), 10)

    async def test_the_state_of_a_region_is_asked_for_again_after_a_loss(self):
        async with ScriptedDaemon() as daemon, self.connect(daemon) as app:
            question = asyncio.ensure_future(app.region_state("home"))
            # The daemon has received the question, and goes before it can answer.
            await daemon.hears("VERSION")
            daemon.drop()
            await daemon.hears("REGION_STATE", 2)
            daemon.say(
                {"class": "REGION", "identifier": "home", "event": "state", "state": "outside"}
            )
            self.assertEqual(await asyncio.wait_for(question, 10), RegionState.OUTSIDE)

    async def test_a_stop_is_said_again_where_the_daemon_still_has_the_region_and_forgotten_elsewhere(self):
        async with ScriptedDaemon() as daemon, self.connect(daemon) as app:
            for number in range(1, 301):
                await app.stop_monitoring_region(f"r{number}")
            members = {"latitude": 52, "longitude": 5, "radius_m": 200}
            region = {"identifier": "r300", **members, "notify_on_entry": True, "notify_on_exit": True}
            daemon.welcome["places"] = {"regions": [region], "visits": False}
            daemon.drop()
            await daemon.hears("STOP_REGION", 301)
            self.assertEqual(daemon.said("STOP_REGION")[300:], [{"identifier": "r300"}])
            del daemon.welcome["places"]
            daemon.drop()
            await daemon.hears("HELLO", 3)
            await app.monitor_motion(False)
            self.assertEqual(len(daemon.said("STOP_REGION")), 301)

    # The background

    async def test_a_call_is_returned_from_with_what_its_handler_says(self):
        async with ScriptedDaemon(state="background", launch_reason="fetch") as daemon:
            async with self.connect(daemon) as app:
                calls = []

                async def fetch(wake):
                    calls.append(wake.reason)
                    return FetchResult.NEW_DATA

                # The call that launched it waits for the handler.
                app.on(Wake, fetch)
                said = {"reason": "fetch", "result": "new_data"}
                self.assertEqual(await daemon.hears("RETURN"), said)
                daemon.say({"class": "WAKE", "reason": "keep_alive", "remaining_s": 30})
                self.assertEqual((await daemon.hears("RETURN", 2))["reason"], "keep_alive")
                self.assertEqual(calls, [WakeReason.FETCH, WakeReason.KEEP_ALIVE])
                daemon.say({"class": "WAKE", "reason": "location_push", "remaining_s": 30})
                self.assertEqual((await daemon.hears("RETURN", 3))["reason"], "location_push")

    async def test_the_end_of_work_without_a_connection_is_said_at_the_next_welcome(self):
        welcome = {"state": "background", "launch_reason": "location"}
        async with ScriptedDaemon(**welcome) as daemon, self.connect(daemon) as app:
            gone, over = asyncio.Event(), asyncio.Event()
            app.on(Disconnected, lambda _: gone.set())

            async def fetch(wake):
                await over.wait()
                return FetchResult.NO_DATA

            app.on(Wake, fetch)
            stream = app.significant_changes()
            await stream.begin()
            daemon.say(location(1), {"class": "WAKE", "reason": "fetch", "remaining_s": 30})
            change = await self.next(stream)
            daemon.drop()
            await asyncio.wait_for(gone.wait(), 10)
            app.acknowledge(change)
            over.set()
            self.assertEqual(
                await daemon.hears("RETURN"), {"reason": "fetch", "result": "no_data"}
            )
            await daemon.hears("DONE")
            # Each is said once.
            daemon.drop()
            await daemon.hears("HELLO", 3)
            await app.monitor_motion(False)
            self.assertEqual((len(daemon.said("RETURN")), len(daemon.said("DONE"))), (1, 1))

    async def test_a_handler_that_raises_ends_the_app(self):
        async with ScriptedDaemon() as daemon:
            with self.assertRaises(Broken):
                async with self.connect(daemon) as app:

                    def state(message):
                        raise Broken

                    app.on(StateChanged, state)
                    daemon.say({"class": "STATE", "state": "background"}, location(1))
                    async for _ in app.significant_changes():
                        pass
            self.assertEqual(daemon.said("ACK"), [])

    async def test_it_says_that_it_is_done_when_the_work_of_a_wake_is(self):
        welcome = {"state": "background", "launch_reason": "location"}
        async with ScriptedDaemon(**welcome) as daemon, self.connect(daemon) as app:
            stream = app.significant_changes()
            await stream.begin()
            self.assertEqual(daemon.said("DONE"), [])
            daemon.say(location(1))
            app.acknowledge(await self.next(stream))
            await daemon.hears("DONE")
            names = [name for name, _ in daemon.heard]
            self.assertLess(names.index("ACK"), names.index("DONE"))

    async def test_while_updates_or_a_task_go_on_it_is_not_done(self):
        welcome = {"state": "background", "launch_reason": "location"}
        async with ScriptedDaemon(**welcome) as daemon, self.connect(daemon) as app:
            stream = app.significant_changes()
            await app.begin_task(1)
            await stream.begin()
            daemon.say(location(1))
            app.acknowledge(await self.next(stream))
            await daemon.hears("ACK")
            await app.monitor_motion(False)
            self.assertEqual(daemon.said("DONE"), [])
            await app.end_task(1)
            await daemon.hears("DONE")

    async def test_a_handler_for_calls_does_not_end_the_wait_for_the_event_of_the_launch(self):
        welcome = {"state": "background", "launch_reason": "location"}
        async with ScriptedDaemon(**welcome) as daemon, self.connect(daemon) as app:
            app.on(Wake, lambda wake: None)
            stream = app.significant_changes()
            await stream.begin()
            daemon.say({"class": "STATE", "state": "background"})
            await app.monitor_motion(False)
            self.assertEqual(daemon.said("DONE"), [])
            daemon.say(location(1))
            app.acknowledge(await self.next(stream))
            await daemon.hears("DONE")

    async def test_a_process_that_was_launched_for_a_motion_is_done_when_that_was_told(self):
        welcome = {"state": "background", "launch_reason": "motion"}
        async with ScriptedDaemon(**welcome) as daemon, self.connect(daemon) as app:
            told = []
            app.on(Motion, told.append)
            await app.monitor_motion()
            self.assertEqual(daemon.said("DONE"), [])
            daemon.say({"class": "MOTION"})
            await daemon.hears("DONE")
            self.assertEqual(len(told), 1)

    async def test_a_socket_is_handed_over(self):
        async with ScriptedDaemon() as daemon, self.connect(daemon) as app:
            ours, theirs = socket.socketpair()
            courier = socket.socket(socket.AF_UNIX)
            courier.bind(daemon.path + ".handover")
            courier.listen()
            answers = [b"ok\n", b"the app does not declare voip\n", b""]
            got = []

            def serve():
                for answer in answers:
                    client, _ = courier.accept()
                    with client:
                        _, descriptors, _, _ = socket.recv_fds(client, 1, 1)
                        got.extend(descriptors)
                        client.sendall(answer)

            serving = asyncio.get_running_loop().run_in_executor(None, serve)
            await app.hand_over(ours)
            self.assertEqual(daemon.said("SOCKET"), [{"enable": True}])
            with self.assertRaises(Refused) as caught:
                await app.hand_over(ours)
            self.assertEqual(str(caught.exception), "the app does not declare voip")
            with self.assertRaises(ConnectionLost) as lost:
                await app.hand_over(ours)
            self.assertEqual(
                str(lost.exception),
                f"{daemon.path}.handover: milepostd closed the line before it answered; hand the socket over again",
            )
            await serving
            # The daemon's descriptor is the same socket.
            theirs.sendall(b"x")
            self.assertEqual(os.read(got[0], 1), b"x")
            for each in (ours, theirs, courier):
                each.close()
            for descriptor in got:
                os.close(descriptor)

    def test_what_launched_the_process_stands_in_its_environment(self):
        line = json.dumps(location(4))
        event = Milepost.launch_event({"MILEPOST_LAUNCH_LOCATION": line})
        self.assertEqual(event.sequence, 4)
        self.assertIsNone(Milepost.launch_event({}))
