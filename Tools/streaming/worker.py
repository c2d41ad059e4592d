# SPDX-License-Identifier: Apache-2.0
"""Trips, judged by a `milepost --stream` that stays, whatever ends it."""

import collections
import itertools
import json
import os
import subprocess
import tempfile
import threading
import time

# Trips between two requests for the sums: those that are judged again if the program ends.
BATCH = 32
# Seconds between two looks at it.
TICK = 0.25


class Ended(Exception):
    """The program ended, or was ended because it hung."""


class Worker:
    """A `milepost --stream` that stays. A second thread watches it, and ends it if it hangs."""

    def __init__(self, words, seconds):
        self.seconds, self.hung, self.questions = seconds, None, 0
        self.folder = tempfile.TemporaryDirectory()
        self.errors = open(f"{self.folder.name}/errors", "w+b")
        self.process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors,
            env={**os.environ, "TMPDIR": self.folder.name})
        threading.Thread(target=self.watch, daemon=True).start()

    def ask(self, data):
        """The line that it answers; raises `Ended`."""
        self.questions += 1
        try:
            self.process.stdin.write(data)
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # It ended: there is no line.
        line = self.process.stdout.readline()
        self.questions += 1
        # What a child of a program that was ended still writes is no answer.
        if line.endswith(b"\n") and not self.hung:
            return line.decode().strip()
        code, said = self.stop()
        raise Ended(self.hung or f"the program ended with {code}: {said}".rstrip(": "))

    def judge(self, path, parts):
        """Its line for a trip, and why the trip failed, or None."""
        kinds = [kind for kind in ("trace", "truth", "events") if kind in parts]
        head = {"bytes" if kind == "trace" else f"{kind}_bytes": len(parts[kind]) for kind in kinds}
        head = json.dumps({"name": path, **head}).encode() + b"\n"
        line = self.ask(b"".join([head, *map(parts.get, kinds)]))
        return line, json.loads(line)["failed"]

    def watch(self):
        """Who was asked hangs if he neither uses the processor nor waits for it, or uses too much of it."""
        asleep, question, begun, last = 0, None, 0, 0
        while self.process.poll() is None:
            time.sleep(TICK)
            try:
                used, wants = processor(self.process.pid)
            except OSError:
                continue  # It ends, or one of its threads did.
            if question != self.questions:
                question, begun, asleep = self.questions, used, 0
            asleep = 0 if question % 2 == 0 or wants or used > last else asleep + TICK
            last = used
            if asleep >= self.seconds:
                self.hung = f"hung: asleep for {self.seconds:g} s"
            elif question % 2 and used - begun > 2 * self.seconds + 1:
                self.hung = f"hung: used {used - begun:.0f} s of the processor"
            if self.hung:
                self.process.kill()

    def stop(self):
        """Its exit code, and what it said."""
        self.process.kill()
        self.process.communicate()
        with self.errors:
            self.errors.seek(0)
            said = self.errors.read().decode(errors="replace").strip()
        self.folder.cleanup()
        return self.process.returncode, said


def processor(process):
    """Seconds of the processor that a process has used, and whether a thread of it runs, wants to, or awaits a disk."""
    def fields(path):
        with open(path, errors="replace") as file:
            return file.read().rpartition(")")[2].split()
    used = sum(map(int, fields(f"/proc/{process}/stat")[11:13])) / os.sysconf("SC_CLK_TCK")
    threads = os.listdir(f"/proc/{process}/task")
    return used, any(fields(f"/proc/{process}/task/{thread}/stat")[0] in "RD" for thread in threads)


def judged(trips, start, total):
    """(kind, path, sha256, bytes, text) of trips (path, sha256, parts): rows, rejects, and the sums of the rows."""
    trips, worker, sums = iter(trips), None, []
    while batch := list(itertools.islice(trips, BATCH)):
        reasons, endings, answers = {}, collections.Counter(), None
        while answers is None:
            worker, answers, asked = worker or start(), {}, None
            try:
                for asked, (path, _, parts) in enumerate(batch):
                    if asked not in reasons:
                        answers[asked] = worker.judge(path, parts)
                asked = None
                if any(failed is None for _, failed in answers.values()):
                    sums = total(sums + [worker.ask(b"\n")])
            except Ended as error:
                endings[asked] += 1
                if worker.hung or endings[asked] == 2:
                    if asked is None:
                        raise
                    reasons[asked] = str(error)
                worker, answers = None, None
        for place, (path, sha256, parts) in enumerate(batch):
            line, failed = answers.get(place, (None, reasons.get(place)))
            yield "reject" if failed else "row", path, sha256, len(parts["trace"]), failed or line
    if worker:
        worker.stop()
    for line in sums:
        yield "sums", None, None, None, line
