# SPDX-License-Identifier: Apache-2.0
"""The rules of an app's connection, and of its events."""

from . import examples
from .report import equal, expect
from .talk import NEWS, said


class AppRules:
    """A part of `DaemonRules`, which has the station and the report."""

    # Apps -------------------------------------------------------------------------------------------------

    def _apps(self):
        rule = self._report.rule

        def nobody():
            with self._talk() as line:
                for name, (members, _) in {**examples.APP, **examples.WATCH}.items():
                    if name != "HELLO":
                        error = line.error(said(name, members) + "\n")
                        equal(error.get("code"), "not_an_app", f"?{name}")

        rule("Before HELLO whatever an app says is not_an_app", nobody)

        def hello():
            line, welcome = self._app("walker")
            with line:
                equal(welcome["app"], "walker", "app")
                equal(welcome["acknowledged"], 0, "acknowledged")
                equal(welcome["launch_reason"], None, "launch_reason")
                equal(line.answer("HELLO", {"app": "walker"})["class"], "WELCOME", "HELLO again")
                error = line.error(said("HELLO", {"app": "other"}) + "\n")
                equal(error["code"], "not_possible", "another name on the same connection")
                with self._talk() as second:
                    error = second.error(said("HELLO", {"app": "walker"}) + "\n")
                    equal(error["code"], "already_connected", "another connection of the name")
                    equal(second.ask("?VERSION;")[0]["class"], "VERSION", "it goes on")

        rule("WELCOME comes first; an app has one connection, and a connection one app", hello)

        def names():
            with self._talk() as line:
                for name in ("", ".hidden", "a b", "x" * 65, "ä"):
                    error = line.error(said("HELLO", {"app": name}) + "\n")
                    equal(error["code"], "malformed", repr(name))
            for name in ("a", "A-z_0.9", "x" * 64):
                self._app(name)[0].__exit__()

        rule("A name has 1 to 64 of a-z, A-Z, 0-9, . _ - and begins with no dot", names)

        def forms():
            line, _ = self._app("walker")
            with line:
                for name, (members, answer) in examples.APP.items():
                    if answer is None:
                        answers = line.ask(said(name, members) + "\n")
                        others = [a for a in answers if a["class"] not in NEWS]
                        equal(others, [], f"answers to ?{name}")
                    else:
                        equal(line.answer(name, members)["class"], answer, f"answer to ?{name}")

        rule("Each message of an app is taken, and answered as the page says", forms)

        def notifications():
            line, _ = self._app("walker")
            with line:
                members, _ = examples.APP["NOTIFY"]
                line.ask(said("NOTIFY", members))
                equal(line.answer("NOTIFICATIONS")["notifications"], [members], "notifications")
                line.ask(said("CANCEL", {"identifier": None}))
                equal(line.answer("NOTIFICATIONS")["notifications"], [], "notifications")

        rule("A notification is kept as it was said, until it is cancelled", notifications)

        def regions():
            line, _ = self._app("walker")
            with line:
                self._allow("walker")
                for number in range(21):
                    region = {"identifier": f"r{number}", "latitude": 10, "longitude": number}
                    answers = line.ask(said("REGION", {**region, "radius_m": 200}))
                    failed = [a["identifier"] for a in answers if a["class"] == "REGION_FAILED"]
                    equal(failed, ["r20"] if number == 20 else [], f"region {number + 1}")
                far = {"identifier": "r0", "latitude": 10, "longitude": 0, "radius_m": 100_001}
                equal(line.ask(said("REGION", far))[-1]["class"], "REGION_FAILED", "100,001 m")
                line.ask(said("REGION", {**far, "latitude": 52, "longitude": 5, "radius_m": 200}))
                line.send(said("REGION_STATE", {"identifier": "r0"}) + "\n")
                answer = line.heard("REGION")
                equal((answer["event"], answer["state"]), ("state", "inside"), "REGION_STATE")
                expect("sequence" not in answer, f"an answer has no number: {answer}")
            again, welcome = self._app("walker")
            with again:
                kept = [r["identifier"] for r in welcome["places"]["regions"]]
                equal(sorted(kept), sorted(f"r{n}" for n in range(20)), "regions of the next connection")
                for identifier in kept:
                    again.ask(said("STOP_REGION", {"identifier": identifier}))

        rule("At most 20 regions are monitored; they outlive the connection; their state is told", regions)

    # Events -----------------------------------------------------------------------------------------------

    def _events(self):
        rule = self._report.rule

        def forbidden():
            line, _ = self._app("stranger")
            with line:
                self._allow("stranger", "denied")
                line.ask("")
                answers = line.ask(said("START", {"service": "significant"}))
                told = [a["authorization"] for a in answers if a["class"] == "AUTHORIZATION"]
                equal(told, ["denied"], "AUTHORIZATION after START")

        rule("An app that may know no location is told so when it asks for some", forbidden)

        def accuracy():
            line, welcome = self._app("vague")
            with line:
                expect("accuracy" not in welcome, f"it is full, and not said: {welcome}")
                for level in ("reduced", "full", "reduced"):
                    self._allow("vague", "always", level)
                    equal(line.heard("ACCURACY")["accuracy"], level, "ACCURACY")
            line, welcome = self._app("vague")
            with line:
                equal(welcome["accuracy"], "reduced", "accuracy of the next connection")

        rule("WELCOME says how exactly an app may know, and ACCURACY that this has changed", accuracy)

        def request():
            line, _ = self._app("once")
            with line:
                self._allow("once")
                line.send("?REQUEST;\n")
                event = line.heard("LOCATION", 15)
                expect(abs(event["fix"]["latitude"] - 52) < 0.1, f"{event}")
                line.ask(said("ACK", {"sequence": event["sequence"]}))

        rule("REQUEST brings one location", request)
        rule("At most 64 events are on the way; an acknowledgement lets more come, in order", self._window)
        rule("What is not acknowledged comes again on the next connection, what is never", self._again)
        rule("An acknowledgement of a number that was never sent changes nothing", self._never_sent)

        def outlives():
            line, _ = self._app("walker")
            with line:
                line.ask(said("START", {"service": "significant"}))
            line, welcome = self._app("walker")
            with line:
                equal(welcome["monitors_significant_changes"], True, "monitors_significant_changes")
                line.ask(said("STOP", {"service": "significant"}))

        rule("Significant changes outlive the connection, and WELCOME says so", outlives)

    def _window(self):
        line, _ = self._app("runner")
        with line:
            self._allow("runner")
            # Not `ask`: the first one may come before its fence.
            line.send(said("START", {"service": "standard"}) + "\n")
            numbers = [line.heard("LOCATION", 20)["sequence"] for _ in range(64)]
            equal(numbers, list(range(1, 65)), "numbers")
            expect(not line.hears("LOCATION", 1), "more than 64 came without an acknowledgement")
            line.send(said("ACK", {"sequence": 10}) + "\n")
            equal([line.heard("LOCATION")["sequence"] for _ in range(10)], list(range(65, 75)), "numbers")
            line.ask(said("STOP", {"service": "standard"}))

    def _again(self):
        line, welcome = self._app("runner")
        with line:
            equal(welcome["acknowledged"], 10, "acknowledged")
            numbers = [line.heard("LOCATION")["sequence"] for _ in range(64)]
            equal(numbers, list(range(11, 75)), "numbers")
            expect(not line.hears("LOCATION", 0.5), "more than 64 came without an acknowledgement")
            # One covers all before it.
            line.ask(said("ACK", {"sequence": 74}))
            line.ask(said("ACK", {"sequence": 20}))
        line, welcome = self._app("runner")
        with line:
            equal(welcome["acknowledged"], 74, "acknowledged")

    def _never_sent(self):
        line, _ = self._app("runner")
        with line:
            line.ask(said("ACK", {"sequence": 10_000_000}))
            welcome = line.answer("HELLO", {"app": "runner"})
            expect(welcome["acknowledged"] < 10_000_000, f"it was believed: {welcome}")
