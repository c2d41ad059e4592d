# SPDX-License-Identifier: Apache-2.0
"""The rules that a client keeps: here is a daemon that watches it.

The client under test is a program that asks for significant changes, or for standard updates, works off what
comes, and runs until it is ended. It finds the daemon by MILEPOST_SOCKET, and its name in MILEPOST_APP.
"""

import json
import os
import signal
import subprocess
import time

from .played_daemon import FIX, NAME, Daemon
from .report import Wrong, equal, expect
from .station import end


class ClientRules:
    """Runs a client and checks its messages; the rules build on each other, in their order."""

    def __init__(self, report, messages, command, environment=None):
        self._report = report
        self._daemon = Daemon(messages)
        self._command = command
        self._environment = environment or {}
        self._client = None

    def run(self):
        words = [os.path.basename(word) for word in self._command if "\n" not in word]
        self._report.title("A client: " + " ".join(words))
        self._daemon.listen()
        try:
            self._start()
            for check in (
                self._hello,
                self._start_service,
                self._acknowledges,
                self._no_more_than_came,
                self._pieces,
                self._unknown_things,
                self._unknown_values,
                self._after_an_error,
                self._is_quiet,
                self._comes_back,
                self._again,
                self._pauses,
                self._is_done,
                self._counts_anew,
                self._ends,
                self._fits,
            ):
                self._report.rule(check.__doc__, check)
        finally:
            end(self._client, signal.SIGKILL)
            self._daemon.close()

    def _start(self, **more):
        variables = {"PATH": os.environ.get("PATH", ""), "HOME": os.environ.get("HOME", "/")}
        variables.update(MILEPOST_SOCKET=self._daemon.path, MILEPOST_APP=NAME, **self._environment, **more)
        self._client = subprocess.Popen(
            self._command,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def _greet(self, **welcome):
        """Another connection, up to the client's request."""
        self._daemon.accept()
        self._daemon.until("HELLO", lambda: self._daemon.said("HELLO"))
        self._daemon.welcome(**welcome)
        self._daemon.until("START", lambda: self._daemon.said("START"))

    def _hello(self):
        """It connects to MILEPOST_SOCKET, and says first that it is MILEPOST_APP"""
        self._daemon.accept()
        self._daemon.until("HELLO", lambda: self._daemon.heard)
        _, name, members = self._daemon.heard[0]
        equal(name, "HELLO", "its first message")
        equal(members["app"], NAME, "app")

    def _start_service(self):
        """After WELCOME it asks for a service"""
        self._daemon.welcome()
        self._daemon.until("START", lambda: self._daemon.said("START"))
        self._daemon.service = self._daemon.said("START")[0]["service"]

    def _acknowledges(self):
        """What it has worked off it acknowledges"""
        daemon = self._daemon
        daemon.say(*(daemon.location(number) for number in range(1, 6)))
        # Some clients learn that an event is processed when the next one is requested: one more.
        daemon.until_acknowledged(5 - 1)

    def _no_more_than_came(self):
        """It acknowledges no number that did not come, and never goes back"""
        while self._daemon.listen_for(0.3):
            pass
        numbers = [members["sequence"] for members in self._daemon.said("ACK")]
        expect(max(numbers) <= 5, f"5 events came, and it acknowledged {numbers}")
        expect(numbers == sorted(numbers), f"it acknowledged {numbers}")

    def _pieces(self):
        """It takes a message in single bytes, and several in one piece"""
        daemon = self._daemon
        for byte in (json.dumps(daemon.location(6)) + "\n").encode():
            daemon.send(bytes([byte]))
        exact = {"speed_accuracy_mps": 0.82, "course_accuracy_deg": 21.5}
        daemon.say(daemon.location(7, exact), daemon.location(8))
        daemon.until_acknowledged(7)

    def _unknown_things(self):
        """It passes over classes and members that it does not know"""
        daemon = self._daemon
        daemon.say({"class": "TIDES", "height_m": 2}, daemon.location(9, {"mood": "good"}, weather=[1]))
        daemon.say(daemon.location(10))
        daemon.until_acknowledged(9)

    def _unknown_values(self):
        """It takes a fix of which nothing is known but the place"""
        daemon = self._daemon
        unknown = {name: None for name in FIX if name not in ("latitude", "longitude", "source")}
        daemon.say(daemon.location(11, unknown, cached=True, moved_m=None, since_s=None))
        daemon.say(daemon.location(12))
        daemon.until_acknowledged(11)

    def _after_an_error(self):
        """An ERROR, a WARNING, a NO_FIX or a WAKE that it did not expect ends nothing"""
        daemon = self._daemon
        daemon.say(
            {"class": "ERROR", "message": "a check", "code": "not_possible"},
            {"class": "ERROR", "message": "of a newer daemon", "code": "not_invented_yet"},
            {"class": "WARNING", "message": "not stored: a check", "code": "storage"},
            {"class": "NO_FIX", "reason": "a check"},
            {"class": "WAKE", "reason": "not_invented_yet", "remaining_s": 30},
            daemon.location(13),
            daemon.location(14),
        )
        daemon.until_acknowledged(13)
        equal(daemon.connections, 1, "connections")

    def _is_quiet(self):
        """While nothing happens it says nothing"""
        daemon = self._daemon
        while daemon.listen_for(0.3):
            pass
        expect(not daemon.listen_for(2), f"it said {daemon.heard[-1][1:]}")

    def _comes_back(self):
        """After the connection has ended it comes back within 2 s, and says again who it is and what it wants"""
        daemon = self._daemon
        daemon.hang_up()
        begun = time.monotonic()
        self._greet(acknowledged=12)
        expect(time.monotonic() - begun < 2, f"it took {time.monotonic() - begun:.1f} s")
        equal(daemon.said("START")[0]["service"], daemon.service, "service")

    def _again(self):
        """What comes again although it was worked off is acknowledged again"""
        daemon = self._daemon
        # Its acknowledgement of 13 was lost with the connection.
        daemon.say(daemon.location(13), daemon.location(14), daemon.location(15), daemon.location(16))
        daemon.until_acknowledged(15)

    def _pauses(self):
        """While there is no daemon it tries less and less often, and comes back once there is one"""
        daemon = self._daemon
        daemon.hang_up()
        attempts, begun = 0, time.monotonic()
        while time.monotonic() - begun < 3:
            try:
                daemon.accept(max(0.01, 3 - (time.monotonic() - begun)))
            except Wrong:
                break
            daemon.hang_up()
            attempts += 1
        # Pauses that double from 0.05 s on make six.
        expect(attempts <= 10, f"{attempts} attempts within 3 s")
        self._greet(acknowledged=16)

    def _is_done(self):
        """Woken for an event it acknowledges it; where it says DONE, then not before"""
        daemon = self._daemon
        end(self._client, signal.SIGKILL)
        daemon.hang_up()
        event = daemon.location(17)
        self._start(
            MILEPOST_LAUNCH_REASON="location",
            MILEPOST_LAUNCH_STATE="background",
            MILEPOST_LAUNCH_LOCATION=json.dumps(event),
        )
        daemon.accept()
        daemon.until("HELLO", lambda: daemon.said("HELLO"))
        # It need not ask for significant changes again: WELCOME says that it has them.
        daemon.welcome(
            state="background",
            launch_reason="location",
            acknowledged=16,
            monitors_significant_changes=True,
        )
        while daemon.listen_for(0.5):
            pass
        expect(not daemon.said("DONE"), "it said DONE before the event came")
        daemon.say(event, daemon.location(18))
        daemon.until_acknowledged(17)
        while daemon.listen_for(0.5):
            pass
        names = [n for number, n, _ in daemon.heard if number == daemon.connections]
        if "DONE" in names:
            expect(names.index("ACK") < names.index("DONE"), f"it said {names}")

    def _counts_anew(self):
        """A number that it has passed, of an event that it has never seen, is new: the daemon's store was lost"""
        daemon = self._daemon
        daemon.hang_up()
        self._greet()
        daemon.say(daemon.location(1), daemon.location(2))
        daemon.until_acknowledged(1)
        expect(daemon.acknowledged() <= 2, f"2 events came, and it acknowledged {daemon.said('ACK')}")

    def _ends(self):
        """It ends at SIGTERM within 5 s"""
        self._daemon.say({"class": "WILL_TERMINATE", "remaining_s": 5})
        time.sleep(0.2)
        if self._client.poll() is None:
            self._client.send_signal(signal.SIGTERM)
        try:
            self._client.wait(5)
        except subprocess.TimeoutExpired:
            raise Wrong("it still runs") from None

    def _fits(self):
        """Everything that it has said is a message of the protocol, and fits its schema"""
        misfits = list(dict.fromkeys(self._daemon.misfits))
        expect(not misfits, "\n        ".join(misfits[:5]))
