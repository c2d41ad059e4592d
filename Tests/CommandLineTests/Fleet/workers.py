#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What Tools/streaming does with programs that end, hang, or have no time: workers.py TOOLS"""

import collections
import json
import os
import sys
import tempfile
import textwrap
import unittest
import unittest.mock

sys.path.insert(0, sys.argv.pop(1))
from streaming import worker  # noqa: E402

# Speaks as `milepost --stream` does; its sums are the names. A trip's content is what happens at it.
PROGRAM = textwrap.dedent("""
    import json, os, signal, sys, time
    there, names = sys.argv[1], []

    def die():
        os.kill(os.getpid(), signal.SIGKILL)

    def first(what):
        try:
            return bool(os.close(os.open(f"{there}/{what}", os.O_CREAT | os.O_EXCL)) or True)
        except FileExistsError:
            return False

    def use(seconds):
        while time.process_time() < begun + seconds:
            pass

    def answer(**line):
        print(json.dumps(line), flush=True)

    if os.path.exists(f"{there}/reads nothing"):
        time.sleep(60)
    while line := sys.stdin.buffer.readline():
        begun = time.process_time()
        if not line.strip():
            if os.path.exists(f"{there}/dies at sums") or os.path.exists(f"{there}/dies at sums once") and first("s"):
                die()
            print(" ".join(names), flush=True)
            names = []
            continue
        head = json.loads(line)
        content = sys.stdin.buffer.read(head["bytes"]).decode()
        failed = "no time in it" if content == "fails" else None
        exec({"dies": "die()", "dies once": "if first('d'): die()", "sleeps": "time.sleep(60)", "spins": "use(60)",
              "waits": "time.sleep(1.5)", "talks": "sys.stderr.write('x' * 1_000_000)", "says": "sys.exit('no room')"
              }.get(content, ""))
        answer(name=head["name"], failed=failed)
        if failed is None:
            names.append(head["name"])
    """)


class WorkerTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.started = 0

    def judge(self, contents, *marks, seconds=1.0):
        """Rows, rejects with their reasons, and the names in the sums, in order."""
        for mark in marks:
            open(os.path.join(self.folder.name, mark), "w").close()
        trips = [(f"{number}-{content}", "", {"trace": content.encode()}) for number, content in enumerate(contents)]

        def start():
            self.started += 1
            return worker.Worker([sys.executable, "-c", PROGRAM, self.folder.name], seconds)
        results = list(worker.judged(trips, start, lambda sums: [" ".join(sums)]))
        rows = [path for kind, path, *_ in results if kind == "row"]
        rejects = {path: text for kind, path, _, _, text in results if kind == "reject"}
        sums = " ".join(text for kind, *_, text in results if kind == "sums").split("  ")
        return rows, rejects, sorted(" ".join(sums).split())

    def assertWhole(self, rows, sums, wanted):
        self.assertEqual(rows, wanted)
        self.assertEqual(sums, sorted(" ".join(wanted).split()))

    def test_one_process_for_all(self):
        rows, rejects, sums = self.judge(["good"] * 100)
        self.assertWhole(rows, sums, [f"{number}-good" for number in range(100)])
        self.assertEqual((rejects, self.started), ({}, 1))

    def test_a_trip_at_which_it_died_once_counts_once(self):
        rows, rejects, sums = self.judge(["good", "dies once", "good"])
        self.assertWhole(rows, sums, ["0-good", "1-dies once", "2-good"])
        self.assertEqual((rejects, self.started), ({}, 2))

    def test_a_trip_at_which_it_dies_is_rejected_alone(self):
        rows, rejects, sums = self.judge(["good", "dies", "good", "fails", "says"])
        self.assertWhole(rows, sums, ["0-good", "2-good"])
        self.assertEqual(rejects, {
            "1-dies": "the program ended with -9", "3-fails": "no time in it",
            "4-says": "the program ended with 1: no room"})

    def test_a_program_that_sleeps_hangs(self):
        rows, rejects, sums = self.judge(["good", "sleeps", "good"])
        self.assertWhole(rows, sums, ["0-good", "2-good"])
        self.assertEqual(rejects, {"1-sleeps": "hung: asleep for 1 s"})

    def test_a_program_that_does_not_read_hangs(self):
        # More than a pipe holds.
        rows, rejects, sums = self.judge(["x" * 1_000_000], "reads nothing")
        self.assertEqual((rows, sums, [*rejects.values()]), ([], [], ["hung: asleep for 1 s"]))

    def test_a_program_that_never_ends_hangs(self):
        rows, rejects, sums = self.judge(["good", "spins"], seconds=0.5)
        self.assertWhole(rows, sums, ["0-good"])
        self.assertRegex(rejects["1-spins"], r"^hung: used [2-9] s of the processor$")

    def test_a_program_that_waits_for_the_processor_does_not_hang(self):
        # As /proc tells of one for which a busy machine has no time: it wants to run, and does not.
        with unittest.mock.patch.object(worker, "processor", lambda process: (0, True)):
            rows, rejects, _ = self.judge(["waits"], seconds=0.5)
        self.assertEqual((rows, rejects), (["0-waits"], {}))
        rows, rejects, _ = self.judge(["waits"], seconds=0.5)
        self.assertEqual((rows, rejects), ([], {"0-waits": "hung: asleep for 0.5 s"}))

    def test_what_it_says_does_not_block_it(self):
        rows, rejects, _ = self.judge(["talks", "good"])
        self.assertEqual((rows, rejects), (["0-talks", "1-good"], {}))

    def test_sums_are_asked_for_twice(self):
        rows, _, sums = self.judge(["good", "good"], "dies at sums once")
        self.assertWhole(rows, sums, ["0-good", "1-good"])
        with self.assertRaisesRegex(worker.Ended, "^the program ended with -9$"):
            self.judge(["good"], "dies at sums")

    def test_nothing_stays_behind(self):
        before = collections.Counter(os.listdir(tempfile.gettempdir()))
        self.judge(["good", "dies", "sleeps"])
        left = [name for name in collections.Counter(os.listdir(tempfile.gettempdir())) - before]
        self.assertEqual(left, [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
