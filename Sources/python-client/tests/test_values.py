# SPDX-License-Identifier: Apache-2.0
import json
import re
import unittest
from datetime import datetime, timezone

from milepost import (
    Fix,
    LocationUpdate,
    Notification,
    ProtocolViolation,
    Service,
    WakeReason,
    Welcome,
    ZoneOffset,
    distance_m,
)
from milepost.deliveries import Arrival, Deliveries
from milepost.messages import read_message
from milepost.wire import Lines, default_path, encode

from . import ROOT
from .scripted import location

PAGE = ROOT / "Sources/Programs/milepost/Milepost.docc/ControlProtocol.md"
#: The answers to gpsd's clients, which this client does not use. Nor does it use the documents for the user's commands;
#: those name their schema.
OF_GPSD = "OK DEVICES WATCH TPV SKY POLL".split()


class MessageTests(unittest.TestCase):
    def test_every_line_of_the_page_is_read(self):
        lines = re.findall(r"^< (\{.*\})$", PAGE.read_text(), re.MULTILINE)
        self.assertGreater(len(lines), 10)
        for line in lines:
            with self.subTest(line):
                message = json.loads(line)
                is_known = message["class"] not in OF_GPSD and "schema" not in message
                self.assertEqual(read_message(line) is not None, is_known)

    def test_a_location_has_the_values_of_its_line(self):
        event = read_message(json.dumps(location(13)))
        self.assertIsInstance(event, LocationUpdate)
        self.assertEqual(event.sequence, 13)
        self.assertEqual(event.service, Service.SIGNIFICANT)
        time = datetime(2026, 5, 4, 7, 8, 9, 500_000, tzinfo=timezone.utc)
        self.assertEqual(event.fix.time, time)
        self.assertEqual(event.fix.course_deg, 271.0)
        self.assertIsNone(event.fix.ellipsoidal_height_m)
        self.assertIsNone(event.fix.speed_accuracy_mps)
        self.assertIsNone(event.fix.course_accuracy_deg)

    def test_a_location_says_how_far_off_speed_and_course_may_be(self):
        event = read_message(json.dumps(location(13, speed_accuracy_mps=0.82, course_accuracy_deg=21.5)))
        self.assertEqual(event.fix.speed_accuracy_mps, 0.82)
        self.assertEqual(event.fix.course_accuracy_deg, 21.5)

    def test_unknown_members_classes_and_words_are_no_errors(self):
        self.assertIsNone(read_message('{"class":"TIDES","height_m":2}'))
        wake = read_message('{"class":"WAKE","reason":"tide","remaining_s":null,"of":"moon"}')
        self.assertEqual(wake.reason, "tide")
        self.assertEqual(read_message('{"class":"WAKE","reason":"push"}').reason, WakeReason.PUSH)

    def test_what_is_no_message_says_so(self):
        for line, words in [
            ("{", "'{' is no message: "),
            ("[]", "'[]' is no message: it is no object with a class"),
            (
                '{"class":"TASKS_EXPIRE","tasks":["one"],"remaining_s":5}',
                "TASKS_EXPIRE: tasks is 'one', and should be a whole number",
            ),
            ('{"class":"LOST"}', "LOST: count is missing, and should be a whole number"),
            ('{"class":"LOST","count":true}', "LOST: count is True, and should be a whole number"),
            (
                json.dumps(location(1, time="noon")),
                "LOCATION.fix: time is 'noon', and should be a time as 2026-05-04T07:08:09.500Z",
            ),
        ]:
            with self.subTest(line), self.assertRaises(ProtocolViolation) as caught:
                read_message(line)
            self.assertTrue(str(caught.exception).startswith(words), caught.exception)

    def test_a_year_that_datetime_does_not_have_is_unknown(self):
        for year in ("0000", "-0044", "12026"):
            event = read_message(json.dumps(location(1, time=f"{year}-05-04T07:08:09.500Z")))
            self.assertIsNone(event.fix.time)

    def test_places_of_a_welcome(self):
        line = (
            '{"class":"WELCOME","release":"0.2.0","app":"a","state":"background",'
            '"authorization":"always","launch_reason":"region","monitors_significant_changes":true,'
            '"acknowledged":12,"places":{"regions":[{"identifier":"home","latitude":52,"longitude":5,'
            '"radius_m":200,"notify_on_exit":false}],"visits":true}}'
        )
        welcome = read_message(line)
        self.assertIsInstance(welcome, Welcome)
        self.assertTrue(welcome.monitors_visits)
        self.assertEqual(welcome.regions[0].members()["notify_on_exit"], False)
        self.assertEqual(welcome.regions[0].notify_on_entry, True)

    def test_a_notification_comes_back_as_it_was_said(self):
        spring = datetime(2026, 3, 29, 1, tzinfo=timezone.utc)
        said = Notification(
            "wake up",
            fire=datetime(2026, 5, 4, 5, tzinfo=timezone.utc),
            repeats="day",
            body="Stand up",
            badge=0,
            zone="Europe/Berlin",
            zone_offsets=(ZoneOffset(spring, 7_200),),
        )
        line = json.dumps({"class": "NOTIFICATION", **said.members()})
        self.assertEqual(read_message(line).notification, said)
        with self.assertRaises(ValueError):
            Notification("naive", fire=datetime(2026, 5, 4)).members()

    def test_distance(self):
        # New York to London from the manual of GeodSolve (GeographicLib): 5551759.400 m.
        fix = Fix(None, 40.6, -73.8)
        self.assertAlmostEqual(fix.distance_to_m(51.6, -0.5), 5_551_759.400, 3)
        # One degree of the equator: 6378137 pi / 180.
        self.assertAlmostEqual(distance_m(0, 0, 0, 1), 111_319.491, 3)
        self.assertEqual(distance_m(10, 20, 10, 20), 0)


class WireTests(unittest.TestCase):
    def test_a_message_is_one_line(self):
        self.assertEqual(encode("DONE", {}), b"?DONE;\n")
        self.assertEqual(encode("ACK", {"sequence": 3}, "7"), b'?ACK={"sequence":3,"id":"7"};\n')
        self.assertEqual(encode("X", {"a": 'é;"}'}), '?X={"a":"é;\\"}"};\n'.encode())
        with self.assertRaises(ValueError):
            encode("REGION", {"radius_m": float("nan")})

    def test_wherever_bytes_are_split_the_messages_are_the_same(self):
        data = b"".join(json.dumps(m).encode() + b"\r\n" for m in (location(1), {"class": "MOTION"}))
        whole = list(Lines().feed(data))
        self.assertEqual(len(whole), 2)
        for at in range(len(data)):
            lines = Lines()
            self.assertEqual([*lines.feed(data[:at]), *lines.feed(data[at:])], whole)

    def test_a_line_without_end_does_not_fill_the_memory(self):
        with self.assertRaises(ProtocolViolation) as caught:
            list(Lines(limit=100).feed(b"x" * 101))
        self.assertEqual(
            str(caught.exception), "a message of milepostd is longer than 100 bytes"
        )

    def test_where_the_daemon_listens(self):
        self.assertEqual(default_path({"MILEPOST_SOCKET": "/a"}), "/a")
        self.assertEqual(
            default_path({"MILEPOST_SOCKET": "", "XDG_RUNTIME_DIR": "/r"}), "/r/milepost/socket"
        )
        self.assertRegex(default_path({"XDG_RUNTIME_DIR": ""}), r"^/run/user/\d+/milepost/socket$")


def event(number, latitude=45.0):
    return read_message(json.dumps(location(number, latitude=latitude)))


class DeliveryTests(unittest.TestCase):
    def test_an_acknowledgement_goes_no_further_than_the_oldest_open_one(self):
        deliveries = Deliveries()
        one, two, three = event(1), event(2), event(3)
        for each in (one, two, three):
            self.assertEqual(deliveries.arrived(each), Arrival.NEW)
        self.assertIsNone(deliveries.finished(two))
        self.assertEqual(deliveries.finished(one), 2)
        self.assertEqual(deliveries.finished(three), 3)
        self.assertIsNone(deliveries.finished(three))

    def test_what_comes_again_is_open_or_finished_and_not_new(self):
        deliveries = Deliveries()
        one = event(1)
        deliveries.arrived(one)
        self.assertEqual(deliveries.arrived(event(1)), Arrival.OPEN)
        deliveries.finished(one)
        self.assertEqual(deliveries.arrived(event(1)), Arrival.FINISHED)
        self.assertEqual(deliveries.acknowledged, 1)

    def test_a_daemon_that_lost_its_memory_counts_anew(self):
        deliveries = Deliveries()
        old = event(5)
        deliveries.arrived(old)
        fresh = event(5, latitude=46)
        self.assertEqual(deliveries.arrived(fresh), Arrival.NEW)
        self.assertIsNone(deliveries.finished(old))
        self.assertEqual(deliveries.finished(fresh), 5)
        deliveries.greeted(0)
        first = event(1, latitude=46)
        self.assertEqual(deliveries.arrived(first), Arrival.NEW)
        self.assertEqual(deliveries.finished(first), 1)

    def test_what_another_process_acknowledged_is_not_waited_for(self):
        deliveries = Deliveries()
        deliveries.greeted(12)
        thirteen = event(13)
        deliveries.arrived(thirteen)
        self.assertEqual(deliveries.finished(thirteen), 13)
