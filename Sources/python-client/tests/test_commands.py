# SPDX-License-Identifier: Apache-2.0
"""The commands about a trip, as functions, against the program itself."""

import csv
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import milepost
from milepost import program
from milepost.documents.comparison import DelayAnswer

from .commands import PROGRAM, TRACES

DAY = TRACES / "commute-day.gpx"


def said(*words):
    return subprocess.run([PROGRAM, *words], check=True, capture_output=True, text=True).stdout


class CommandTests(unittest.TestCase):
    def test_compare_has_what_the_command_prints(self):
        answer = milepost.compare(DAY, for_="arrival", within="20min", worlds=2, seed=3)
        printed = json.loads(said("compare", "--json", "--for", "arrival", "--within", "20min", "--worlds", "2",
                                  "--seed", "3", str(DAY)))
        self.assertEqual((answer.trace.name, answer.worlds, answer.seed), ("commute-day.gpx", 2, 3))
        self.assertIsInstance(answer.answers.arrival, DelayAnswer)
        self.assertEqual(answer.answers.arrival.mode, printed["answers"]["arrival"]["mode"])
        self.assertEqual(answer.answers.arrival.within_s, 1200)
        self.assertEqual([run.energy_j for run in answer.runs], [run["energy_j"] for run in printed["runs"]])

    def test_its_rows_are_the_lines_of_csv(self):
        rows = milepost.compare(TRACES / "car-commute.gpx", worlds=1).rows.records()
        lines = said("compare", "--csv", "--worlds", "1", str(TRACES / "car-commute.gpx")).splitlines()
        told = list(csv.DictReader(lines))
        self.assertEqual(len(rows), len(told))
        for row, line in zip(rows, told):
            self.assertEqual(str(row["mode"]), line["mode"])
            for name in ("energy_j", "blind_s", "wakes", "deliveries"):
                self.assertEqual(float(row[name]), float(line[name]), name)

    def test_many_trips_are_rows_of_one_table(self):
        pair = [TRACES / "car-commute.gpx", TRACES / "train.gpx"]
        rows = milepost.compare_all(pair, worlds=1)
        self.assertEqual({row.trace for row in rows}, {"car-commute.gpx", "train.gpx"})
        self.assertEqual(len(rows), sum(len(milepost.compare(one, worlds=1).runs) for one in pair))
        self.assertEqual(len(milepost.compare_all([])), 0)

    def test_a_replay_has_deliveries_with_their_reason_and_lateness(self):
        replay = milepost.replay(DAY)
        rows = replay.deliveries
        self.assertEqual(len(rows), replay.end.deliveries)
        # The app is launched by the user, left, ended for want of memory overnight, and launched by the first move.
        self.assertEqual([row.reason for row in rows[:3]], ["running", "launched by location", "woken by location"])
        detected = [one for one in replay.score.list if one.outcome == "detected"]
        self.assertEqual([row.lateness_s for row in rows if row.lateness_s is not None], [o.latency_s for o in detected])

    def test_energies_of_deliveries_add_up_to_what_the_meter_has_then(self):
        for trace, mode, many in ((DAY, "significant", False), (TRACES / "car-commute.gpx", "continuous", True)):
            replay = milepost.replay(trace, mode=mode, energy=True)
            rows = replay.deliveries
            self.assertEqual(len(rows) > 64, many)
            self.assertTrue(all(row.energy_j >= 0 for row in rows), mode)
            total = sum(row.energy_j for row in rows)
            self.assertAlmostEqual(total, replay.energies_j[-1], 6)
            # After the last delivery the night is spent.
            self.assertTrue(0 < total <= replay.end.energy_j, (total, replay.end.energy_j))
        self.assertIsNone(milepost.replay(DAY).deliveries[0].energy_j)

    def test_stays_are_those_that_visits_told(self):
        stays = milepost.replay(DAY, visits=True).stays
        told = [json.loads(line) for line in said("replay", "--format", "jsonl", "--visits", str(DAY)).splitlines()]
        arrived = [one for one in told if one["event"] == "place" and one["what"] == "arrived"]
        self.assertEqual(len(stays), len(arrived))
        self.assertEqual(sum(stay.departure is None for stay in stays), 1)
        self.assertTrue(all(stay.arrival_told >= stay.arrival for stay in stays))
        self.assertEqual(len(milepost.replay(DAY).stays), 0)

    def test_info_and_fixes_are_of_the_trace(self):
        info = milepost.info(TRACES / "walk.nmea")
        fixes = milepost.fixes(TRACES / "walk.nmea")
        self.assertEqual((info.format, info.fixes), ("nmea", len(fixes)))
        self.assertEqual((fixes[0].time, fixes[-1].time), (info.start, info.end))

    def test_score_judges_the_list_of_another(self):
        with tempfile.TemporaryDirectory() as folder:
            events = Path(folder) / "events.gpx"
            events.write_text(said("replay", "--format", "gpx", str(DAY)))
            score = milepost.score(DAY, events)
        self.assertEqual((score.events.name, score.events.format), ("events.gpx", "gpx"))
        self.assertEqual(score.crossings, milepost.replay(DAY).score.crossings)


class ErrorTests(unittest.TestCase):
    def test_an_error_has_the_commands_words(self):
        for ask, words in (
            (lambda: milepost.compare("no-such.gpx"), "no-such.gpx: no such file; check the path"),
            (lambda: milepost.info("--version"), "./--version: no such file; check the path"),
        ):
            with self.assertRaises(milepost.CommandFailed) as raised:
                ask()
            self.assertEqual((raised.exception.message, raised.exception.status), (words, 2))
        with self.assertRaisesRegex(milepost.CommandFailed, "^there is no device profile 'abacus'; known: phone-2010-3g"):
            milepost.compare(DAY, profile="abacus")

    def test_without_a_program_it_says_where_it_looked(self):
        with mock.patch.dict(os.environ, {"PATH": "/nonexistent"}), self.assertRaises(milepost.ProgramMissing) as raised:
            del os.environ["MILEPOST"]
            milepost.info(DAY)
        self.assertEqual(
            str(raised.exception),
            "there is no program milepost: this installation carries none, and PATH has none; install the wheel for this "
            "machine, the Debian package, or name a built program with MILEPOST")
        with mock.patch.dict(os.environ, {"MILEPOST": "/nonexistent/milepost"}):
            with self.assertRaisesRegex(milepost.ProgramMissing, "^/nonexistent/milepost: No such file or directory$"):
                milepost.info(DAY)

    def test_options_are_those_of_the_command(self):
        self.assertEqual(
            program.words({"for_": "arrival", "fix_week_rollover": True, "why": False, "date": None,
                           "region": ["home=1,2,150", "work=3,4,150"], "world": Path("w.yaml"), "seed": 7}),
            ["--for", "arrival", "--fix-week-rollover", "--region", "home=1,2,150", "--region", "work=3,4,150",
             "--world", "w.yaml", "--seed", "7"])
