# SPDX-License-Identifier: Apache-2.0
"""The rules that a daemon keeps, each checked against a running one."""

import json
import time

from . import examples
from .app_rules import AppRules
from .report import equal, expect
from .station import Station, free_port, until
from .talk import Talk, said

LIMIT = 65_536
#: A value that each type refuses.
FOREIGN = [{"no": "such"}, "no such", -3]


class DaemonRules(AppRules):
    """Runs the checks; each method is a rule, or a set of them."""

    def __init__(self, report, messages):
        self._report = report
        self._messages = messages
        self._gpsd_port = free_port()
        self._station = None

    def run(self):
        listener = f"gpsd_listeners: [{{port: {self._gpsd_port}, service: standard}}]"
        with Station(f"significant_interval_s: 2\n{listener}") as station:
            self._station = station
            self._report.title("How messages are cut")
            self._framing()
            self._report.title("What is wrong, and how it is said")
            self._errors()
            self._report.title("An app")
            self._apps()
            self._report.title("Events and acknowledgements")
            self._events()
            self._report.title("The user, and gpsd's clients")
            self._others()

    def _talk(self):
        return Talk(self._station.socket, self._messages)

    def _app(self, name):
        """A line that has said HELLO, and its WELCOME."""
        end = time.monotonic() + 5
        while True:
            line = self._talk()
            line.send(said("HELLO", {"app": name}) + "\n")
            welcome = line.hear()
            if welcome and welcome["class"] == "WELCOME":
                return line, welcome
            line.__exit__()
            # The end of the previous connection may not be known yet.
            is_early = welcome and welcome.get("code") == "already_connected"
            expect(is_early and time.monotonic() < end, f"?HELLO was answered by {welcome}")
            time.sleep(0.05)

    def _allow(self, name, level="always", accuracy="full"):
        with self._talk() as user:
            members = {"app": name, "authorization": level, "accuracy": accuracy}
            equal(user.answer("SET", members)["class"], "OK", "?SET")

    # Framing ----------------------------------------------------------------------------------------------

    def _framing(self):
        rule = self._report.rule
        version = '?VERSION={"id":"%s"}'

        def ids(data):
            with self._talk() as line:
                return [answer.get("id") for answer in line.ask(data)]

        rule(
            "A message ends with ;, with a line end, or with its object",
            lambda: equal(
                ids("?VERSION;" + version % "a" + version % "b" + "\n?VERSION\r\n" + version % "c" + ";\n"),
                [None, "a", "b", None, "c"],
                "ids",
            ),
        )
        rule(
            "White space and surplus ; between messages mean nothing",
            lambda: equal(ids(f" ;;\n\t{version % 'a'} ; \r\n;;\n{version % 'b'}"), ["a", "b"], "ids"),
        )
        rule(
            "Braces, ; and quotation marks within a text are text",
            lambda: equal(ids(version % r"};{\"}"), ['};{"}'], "ids"),
        )

        def split():
            data = f"{version % 'a'};\r\n{version % 'é}'}\n".encode()
            for at in range(1, len(data)):
                with self._talk() as line:
                    line.send(data[:at])
                    equal([a.get("id") for a in line.ask(data[at:])], ["a", "é}"], f"split at {at}")
            with self._talk() as line:
                for byte in data:
                    line.send(bytes([byte]))
                equal([a.get("id") for a in line.ask(b"")], ["a", "é}"], "byte by byte")

        rule("Wherever the bytes are split, the answers are the same", split)

        def broken():
            with self._talk() as line:
                answers = line.ask('?HELLO={"app":"wal\n' + version % "a" + "\n")
                equal([(a["class"], a.get("id")) for a in answers], [("ERROR", None), ("VERSION", "a")], "")

        rule("A line end always ends a message: a broken one costs its line only", broken)

        def long():
            # `?VERSION={"id":"…"}` of exactly this number of bytes; an id of more than 64 bytes is not returned.
            frame = len('?VERSION={"id":""}')
            with self._talk() as line:
                full = '?VERSION={"id":"%s"}' % ("x" * (LIMIT - frame))
                equal([a["class"] for a in line.ask(full + "\n")], ["VERSION"], f"of {LIMIT} bytes")
                more = '?VERSION={"id":"%s"}' % ("x" * (LIMIT - frame + 1))
                error = line.error(more + ";?STATUS;\n")
                equal(error.get("code"), "too_long", "code")
                error = line.error("y" * 3 * LIMIT + "\n")
                equal(error.get("code"), "too_long", "code of what is no message at all")

        rule("65,536 bytes are a message; one more is too_long, and costs its line", long)

        def order():
            with self._talk() as line:
                names = ["STATUS", "VERSION", "APPS", "NONSENSE", "DEVICES"] * 40
                line.send("".join(said(n, {"id": i}) for i, n in enumerate(names)) + "\n")
                equal([line.hear()["id"] for _ in names], [str(i) for i in range(len(names))], "ids")

        rule("Answers come in the order of the questions, and errors take their turn", order)

        def rate():
            with self._talk() as line:
                begun = time.monotonic()
                line.send("".join(version % i + "\n" for i in range(2_200)))
                for number in range(2_200):
                    equal(line.hear()["id"], str(number), "id")
                seconds = time.monotonic() - begun
                # 2,000 at once, and 200 at 200 a second.
                expect(0.8 < seconds, f"2,200 messages were read in {seconds:.1f} s, within 1 s")

        rule("2,000 messages are read at once, and then 200 a second; none is lost", rate)

    # Errors -----------------------------------------------------------------------------------------------

    def _errors(self):
        rule = self._report.rule

        def malformed(data, words):
            with self._talk() as line:
                error = line.error(data + "\n")
                equal(error.get("code"), "malformed", "code")
                expect(words in error["message"], f"{error['message']!r} does not say {words!r}")

        rule("What is no message is malformed", lambda: malformed("hello", "'hello' is no message"))
        rule(
            "An unknown message is malformed, and the answer says which there are",
            lambda: malformed("?STRAT;", "there is no message ?STRAT; there are HELLO, START"),
        )
        rule(
            "What is no JSON is malformed, and the answer says where",
            lambda: malformed('?STOP={"service":x}', "at byte 18"),
        )
        rule("Bytes that are no UTF-8 are malformed", lambda: self._no_text())
        rule(
            "A number that no double holds is malformed",
            lambda: malformed('?REQUEST={"desired_accuracy_m":1e999}', "at byte 32"),
        )

        def ids():
            with self._talk() as line:
                for id, borne in [("é", "é"), (17, "17"), ("x" * 64, "x" * 64)]:
                    answers = line.ask(said("VERSION", {"id": id}) + said("STRAT", {"id": id}) + "\n")
                    equal([a.get("id") for a in answers], [borne, borne], f"id {id!r}")
                for id in ("x" * 65, "", 1.5, None, True):
                    answers = line.ask(said("VERSION", {"id": id}) + "\n")
                    expect("id" not in answers[0], f"id {id!r} was borne: {answers}")

        rule("An id is a text or a whole number of at most 64 bytes; answers and errors bear it", ids)
        rule("There is an example of each message, and each fits its schema", self._examples)
        rule("A member that a message does not have is malformed", self._unknown_members)
        rule("A member that is missing is malformed; one that may be null may be missing", self._missing)
        rule("A member of another type is malformed", self._foreign)

        def survives():
            with self._talk() as line:
                line.send(bytes(range(256)) * 64 + b"\n")
                while line.hear(0.3) is not None:
                    pass
                equal([a["class"] for a in line.ask("?VERSION;")], ["VERSION"], "after all bytes")

        rule("After any bytes whatever the connection goes on", survives)

    def _no_text(self):
        with self._talk() as line:
            equal(line.error(b'?EXPLAIN={"app":"\xff\xfe"};\n').get("code"), "malformed", "code")

    def _examples(self):
        equal(set(examples.ALL), set(self._messages.client), "names")
        for name, (members, _) in examples.ALL.items():
            wrong = self._messages.errors_of_client(name, members)
            expect(not wrong, f"{name}: {wrong}")

    def _refuses(self, line, name, members, what):
        error = line.error(said(name, {**members, "id": "i"}) + "\n")
        equal((error.get("code"), error.get("id")), ("malformed", "i"), f"?{name} with {what}")
        expect(f"?{name}" in error["message"], f"{error['message']!r} does not name ?{name}")

    def _unknown_members(self):
        with self._talk() as line:
            for name, (members, _) in examples.ALL.items():
                if name != "WATCH":
                    self._refuses(line, name, {**members, "misspelt": 1}, "misspelt")

    def _missing(self):
        with self._talk() as line:
            for name, (members, _) in examples.ALL.items():
                for member in self._messages.client[name]["required"]:
                    rest = {key: value for key, value in members.items() if key != member}
                    if self._messages.errors_of_client(name, rest):
                        self._refuses(line, name, rest, f"no {member}")
                    else:
                        answers = line.ask(said(name, {**rest, "id": "i"}) + "\n")
                        codes = [a.get("code") for a in answers if a["class"] == "ERROR"]
                        expect("malformed" not in codes, f"?{name} without {member}: {answers}")

    def _foreign(self):
        with self._talk() as line:
            for name, (members, _) in examples.ALL.items():
                for member in members:
                    for value in FOREIGN:
                        said_wrong = {**members, member: value}
                        if self._messages.errors_of_client(name, said_wrong):
                            self._refuses(line, name, said_wrong, f"{member} {value!r}")

    # Others -----------------------------------------------------------------------------------------------

    def _others(self):
        rule = self._report.rule

        def user():
            with self._talk() as line:
                for name, (members, answer) in examples.USER.items():
                    equal(line.answer(name, members)["class"], answer, f"answer to ?{name}")

        rule("Each message of the user is answered by its document or by OK", user)

        def refused():
            with self._talk() as line:
                for name in ("APP", "REMOVE", "EXPLAIN", "EVENTS", "RESEND", "DISCARD"):
                    error = line.error(said(name, {"app": "nobody"}) + "\n")
                    equal(error["code"], "unknown_app", f"?{name} of nobody")
                wrong = examples.manifest("name: x\n", "x.yaml")
                equal(line.error(said("ADD", wrong) + "\n")["code"], "bad_manifest", "?ADD")
                line.answer("ADD", examples.manifest())
                again = said("ADD", examples.manifest())
                equal(line.error(again + "\n")["code"], "duplicate_app", "?ADD again")
                number = said("RESEND", {"app": "registered", "sequence": 1})
                equal(line.error(number + "\n")["code"], "not_possible", "?RESEND of what is not there")
                purge = said("CONTROL", {"app": "registered", "action": "purge"})
                equal(line.error(purge + "\n")["code"], "not_possible", "?CONTROL in the wrong state")
                line.answer("REMOVE", {"app": "registered"})

        rule("What cannot be is refused, each with its code", refused)

        def port():
            with Talk(self._gpsd_port, self._messages) as line:
                equal(line.hear()["class"], "VERSION", "what is said first")
                for name, (members, answer) in {**examples.GPSD, **examples.WATCH}.items():
                    answers = [a["class"] for a in line.ask(said(name, members) + "\n")]
                    expect(answer in answers, f"?{name} was answered by {answers}")
                for name, (members, _) in {**examples.APP, **examples.USER}.items():
                    error = line.error(said(name, members) + "\n")
                    equal(error["code"], "denied", f"?{name} on a gpsd port")

        rule("A gpsd port says VERSION first, and knows VERSION, DEVICES, WATCH and POLL only", port)

        def reports():
            with Talk(self._gpsd_port, self._messages) as line:
                line.send('?WATCH={"enable":true,"json":true};\n')
                report = line.heard("TPV", 20)
                expect(abs(report["lat"] - 52) < 0.1, json.dumps(report))
                line.send('?WATCH={"enable":false};\n')
                line.heard("WATCH")
                while line.hear(0.5) is not None:
                    pass

        rule("WATCH switches reports on and off", reports)

        def leaves():
            state = lambda: self._station.document("apps", "show", "walker")["state"]  # noqa: E731
            line, _ = self._app("walker")
            with line:
                equal(state(), "active", "state")
            until("it is not running", lambda: state() == "not_running", 5)

        rule("An app that was started by hand runs for as long as its connection stands", leaves)
