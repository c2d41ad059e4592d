# SPDX-License-Identifier: Apache-2.0
"""The environment of a check: a receiver on a port of this machine, a real gpsd on it, and a daemon.

The counterpart of Tests/LiveTests/Harness for tests in Swift.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: The limit of each wait, seconds.
PATIENCE_S = 20.0


def programs():
    """The paths of the built programs: MILEPOST_PROGRAMS, else the release build, else the debug build."""
    given = os.environ.get("MILEPOST_PROGRAMS")
    places = [Path(given)] if given else [ROOT / ".build/release", ROOT / ".build/debug"]
    for place in places:
        if (place / "milepostd").exists():
            return place
    raise SystemExit(
        f"{', '.join(map(str, places))}: there is no milepostd; build it with `swift build`, or say where it "
        "is with MILEPOST_PROGRAMS"
    )


def until(what, condition, limit_s=PATIENCE_S):
    """The result of `condition` as soon as that is true; the error names the awaited condition."""
    end = time.monotonic() + limit_s
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise TimeoutError(f"{limit_s:.0f} s went by, and not: {what}")
        time.sleep(0.02)


class Feed:
    """A receiver: ten epochs a second of RMC and GGA, at a place that the check moves to the north."""

    def __init__(self):
        self.latitude, self.longitude = 52.0, 5.0
        self._metres_left, self._speed = 0.0, 0.0
        self._is_over = False
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def move(self, metres, speed):
        """Moves from here on, at this number of metres a second."""
        with self._lock:
            self._metres_left, self._speed = metres, speed

    def close(self):
        self._is_over = True
        self._listener.close()

    def _serve(self):
        while not self._is_over:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            with client:
                try:
                    while not self._is_over:
                        client.sendall(self._epoch())
                        time.sleep(0.1)
                except OSError:
                    pass

    def _epoch(self):
        with self._lock:
            step = min(self._speed * 0.1, self._metres_left)
            self._metres_left -= step
            # One minute of latitude is nearly a nautical mile.
            self.latitude += step / 111_200
            latitude, longitude = self.latitude, self.longitude
        now = time.time()
        clock = time.strftime("%H%M%S", time.gmtime(now)) + f".{int(now % 1 * 100):02d}"
        date = time.strftime("%d%m%y", time.gmtime(now))
        place = ",".join(
            [
                f"{int(latitude):02d}{latitude % 1 * 60:08.5f},N",
                f"{int(longitude):03d}{longitude % 1 * 60:08.5f},E",
            ]
        )
        knots = f"{step * 10 / 0.514444:.2f}"
        return sentence(f"GPRMC,{clock},A,{place},{knots},0.0,{date},,,A") + sentence(
            f"GPGGA,{clock},{place},1,09,0.9,10.0,M,45.0,M,,"
        )


def sentence(body):
    checksum = 0
    for byte in body.encode():
        checksum ^= byte
    return f"${body}*{checksum:02X}\r\n".encode()


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class Station:
    """A feed, a gpsd and a daemon; `with Station() as station` ends them all."""

    def __init__(self, settings="", with_gpsd=True):
        self.folder = Path(tempfile.mkdtemp(prefix="mp-")).resolve()
        self.socket = str(self.folder / "run/socket")
        self.feed = Feed()
        self.gpsd_port = free_port()
        self._settings = settings
        self._with_gpsd = with_gpsd
        self._gpsd = self._daemon = None

    def __enter__(self):
        try:
            if self._with_gpsd:
                self._start_gpsd()
            self.start_daemon()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.stop_daemon()
        end(self._gpsd, signal.SIGKILL)
        self.feed.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _start_gpsd(self):
        gpsd = shutil.which("gpsd", path="/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/sbin:/usr/local/bin")
        if gpsd is None:
            raise SystemExit("gpsd is not installed; Tools/setup test does it")
        address = f"tcp://127.0.0.1:{self.feed.port}"
        words = [gpsd, "-N", "-S", str(self.gpsd_port), address]
        self._gpsd = self._start(words, "gpsd.log", {})

    def start_daemon(self):
        configuration = self.folder / "milepostd.yaml"
        lines = ["gpsd_host: 127.0.0.1", f"gpsd_port: {self.gpsd_port}", "modem: off"]
        lines += ["memory_pressure: false", self._settings]
        # A sink that writes here.
        lines += ["sinks: {days: {kind: file, folder: .}}"]
        configuration.write_text("\n".join(lines) + "\n")
        words = [str(programs() / "milepostd"), "serve", "--config", str(configuration)]
        words += ["--state", str(self.folder / "state"), "--runtime", str(self.folder / "run")]
        words += ["--socket", self.socket]
        self._daemon = self._start(words, "daemon.log", {})
        until("milepostd answers", self._answers)

    def _answers(self):
        if self._daemon.poll() is not None:
            raise RuntimeError(f"milepostd ended: {self.text('daemon.log')}")
        try:
            with socket.socket(socket.AF_UNIX) as line:
                line.connect(self.socket)
        except OSError:
            return False
        return True

    def stop_daemon(self, number=signal.SIGTERM):
        end(self._daemon, number)
        self._daemon = None

    def environment(self):
        """The environment of a program that connects to this daemon."""
        return {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C", "MILEPOST_SOCKET": self.socket}

    def _start(self, words, log, more):
        with open(self.folder / log, "ab") as output:
            return subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env={**self.environment(), **more},
            )

    def milepost(self, *words):
        """Runs `milepost`; its output. A status other than 0 is an error."""
        done = subprocess.run(
            [str(programs() / "milepost"), *words],
            env=self.environment(),
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
        )
        if done.returncode != 0:
            raise RuntimeError(f"milepost {' '.join(words)}: {done.stdout}{done.stderr}")
        return done.stdout

    def document(self, *words):
        return json.loads(self.milepost(*words, "--json"))

    def add(self, name, *lines):
        """Registers an app by a manifest of these lines."""
        manifest = self.folder / f"{name}.yaml"
        manifest.write_text("\n".join([f"name: {name}", *lines]) + "\n")
        self.milepost("apps", "add", str(manifest))

    def text(self, name):
        path = self.folder / name
        return path.read_text() if path.exists() else ""


def end(child, number, limit_s=15):
    """Ends a process, by force after this number of seconds."""
    if child is None or child.poll() is not None:
        return
    child.send_signal(number)
    try:
        child.wait(limit_s)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
