# SPDX-License-Identifier: Apache-2.0
"""The documents are those of the built program's schemas, and values of JSON become them."""

import subprocess
import sys
import unittest
from datetime import datetime, timezone
from typing import Union

from milepost.documents.comparison import DelayAnswer, Distances, Untested
from milepost.documents.events import AppEvent, DeliverEvent, EndEvent, ReplayEvent
from milepost.documents.reading import read
from milepost.errors import ProtocolViolation

from . import ROOT
from .commands import PROGRAM

DISTANCES = {"median": 1, "p95": None, "max": 2.5, "count": 3, "missed": 0}
APP = {"seq": 1, "time": "2026-03-17T23:00:00.250Z", "event": "app", "app": 1, "from": "suspended", "to": "background",
       "reason": "woken by visit"}


class SchemaTests(unittest.TestCase):
    def test_the_dataclasses_are_those_of_the_schemas(self):
        done = subprocess.run([sys.executable, str(ROOT / "Tools/make-python-documents"), "--check", PROGRAM],
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


class ReadingTests(unittest.TestCase):
    def test_a_number_may_be_whole_and_one_may_be_unknown(self):
        self.assertEqual(read(Distances, DISTANCES), Distances(1.0, None, 2.5, 3.0, 0.0))

    def test_a_member_of_a_later_release_is_left_out(self):
        self.assertEqual(read(Distances, {**DISTANCES, "p99": 4}), read(Distances, DISTANCES))

    def test_a_python_keyword_has_a_line_behind_it_and_a_time_is_utc(self):
        event = read(ReplayEvent, APP)
        self.assertIsInstance(event, AppEvent)
        self.assertEqual((event.from_, event.time), ("suspended", datetime(2026, 3, 17, 23, 0, 0, 250000, timezone.utc)))

    def test_a_choice_is_decided_by_its_constant_word_or_by_its_members(self):
        self.assertEqual(read(Union[DelayAnswer, Untested], {"untested": "no stay"}), Untested("no stay"))
        with self.assertRaises(ProtocolViolation):
            read(ReplayEvent, {**APP, "event": "unheard of"})

    def test_what_is_missing_or_wrong_is_said_with_its_place(self):
        for value, words in (
            ({**DISTANCES, "count": "three"}, "count: 'three' should be a number"),
            ({**DISTANCES, "count": True}, "count: True should be a number"),
            ({k: v for k, v in DISTANCES.items() if k != "max"}, "max is missing in a Distances"),
            ([], "[] should be an object"),
        ):
            with self.assertRaises(ProtocolViolation) as raised:
                read(Distances, value)
            self.assertEqual(str(raised.exception), words)
        with self.assertRaises(ProtocolViolation) as raised:
            read(AppEvent, {**APP, "time": "-0044-03-15T12:00:00.000Z"})
        self.assertEqual(str(raised.exception), "time: '-0044-03-15T12:00:00.000Z' should be a time of the years 1 to 9999")

    def test_each_event_of_a_replay_is_read_as_its_kind(self):
        self.assertEqual({DeliverEvent, EndEvent} - set(ReplayEvent.__args__), set())
