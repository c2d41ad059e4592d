# SPDX-License-Identifier: Apache-2.0
"""An ordinary user of the bare root."""

import json
import re
import signal
from pathlib import Path

from .words import expect

ROOT = Path(__file__).resolve().parents[2]


class Driver:
    """An ordinary user with a session, who follows the guides."""

    HOME = "/srv/driver"
    VAN = HOME + "/van"

    def __init__(self, machine):
        self.machine = machine
        machine.run("useradd", "--non-unique", "--create-home", "--home-dir", self.HOME, "--uid", "1000", "driver")
        self.home = machine.root / self.HOME.lstrip("/")
        self.folder = self.home / "van"
        self.daemon = None
        self.here = {"user": "driver:driver", "folder": self.VAN, "environment": {
            "HOME": self.HOME, "XDG_RUNTIME_DIR": "/run/user/1000"}}
        machine.run("install", "-d", "-m", "700", "-o", "driver", "-g", "driver",
                    "/run/user/1000", self.VAN)
        self.log = machine.root.parent / "milepostd.log"

    def write(self, path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        self.machine.run("chown", "-R", "driver:driver", self.HOME)

    def milepost(self, *words, **more):
        return self.machine.run("milepost", *words, **self.here, **more)

    def configure(self, text):
        """Writes the configuration of the user's service, and has a service that runs take it up."""
        self.write(self.home / ".config/milepost/milepostd.yaml", text)
        if self.daemon is not None and self.daemon.poll() is None:
            self.daemon.send_signal(signal.SIGHUP)

    def restart(self):
        self.stop()
        self.start()

    def start(self):
        self.daemon = self.machine.start("milepostd", log=self.log, **self.here)
        self.machine.wait(
            "the service answers", lambda: "gpsd" in self.milepost("status", code=None), 20, self.said)

    def stop(self):
        # The child is nsenter, which became chroot, env and then milepostd itself.
        self.daemon.terminate()
        expect(self.daemon.wait(20) == 0, f"the service ends in order; it said:\n{self.said()}")

    def said(self):
        return self.log.read_text()[-3000:] if self.log.exists() else ""

    def document(self, *words):
        return json.loads(self.milepost(*words, "--json"))

    def sink(self, name):
        return next((row for row in self.document("sinks", "list")["sinks"] if row["name"] == name), None)

    def secret(self, name, text):
        """A secret as the guides have it made."""
        self.machine.run("sh", "-c", f"install -D -m 600 /dev/null ~/.config/milepost/{name}"
                         f" && printf '%s\\n' '{text}' > ~/.config/milepost/{name}", **self.here)

    def events(self):
        """What the handler has written down."""
        path = self.folder / "moved.jsonl"
        if not path.exists():
            return []
        return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]

    def row(self):
        document = json.loads(self.milepost("apps", "list", "--json"))
        return next(row for row in document["apps"] if row["name"] == "moved")

    def pending(self):
        return self.row()["pending"]


def first_manifest():
    """The handler of the first guide, word for word."""
    return guide_block("Install", "name: moved")


def guide_block(page, beginning):
    """The first block of a page whose first line begins so, word for word."""
    return block(ROOT / f"Sources/Programs/milepost/Milepost.docc/{page}.md", beginning)


def block(file, beginning):
    found = re.search(r"\n\n(    " + re.escape(beginning) + r".*\n(?:(?:    .*)?\n)*)", file.read_text())
    expect(found, f"{file.name} has a block that begins with '{beginning}'")
    return re.sub(r"(?m)^    ", "", found.group(1)).rstrip() + "\n"
