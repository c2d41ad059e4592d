# SPDX-License-Identifier: Apache-2.0
"""milepostd with a gpsd of its own kind and apps that acknowledge: what a fix takes.

The gpsd speaks gpsd's JSON on a loopback port and knows when it sent each report. The apps are connections of
this one process.
"""

import datetime
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass, field

from .programs import Trouble


class FakeGPSD:
    """Serves one report at a time to each watcher."""

    def __init__(self):
        self.listener = socket.socket()
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen(8)
        self.port = self.listener.getsockname()[1]
        self.watchers = []
        self.watches = 0
        self.lock = threading.Lock()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            client.sendall(b'{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}\n')
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        buffer = b""
        try:
            while data := client.recv(4096):
                buffer += data
                if b'"enable":true' in buffer:
                    buffer = b""
                    client.sendall(
                        b'{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/fake"}]}\n'
                        b'{"class":"WATCH","enable":true,"json":true}\n')
                    with self.lock:
                        self.watchers.append(client)
                        self.watches += 1
                if b'"enable":false' in buffer:
                    buffer = b""
                    with self.lock:
                        self.watchers = [w for w in self.watchers if w is not client]
        except OSError:
            pass
        with self.lock:
            self.watchers = [w for w in self.watchers if w is not client]

    def report(self, latitude):
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
        line = json.dumps({
            "class": "TPV", "device": "/dev/fake", "mode": 3, "time": now, "lat": latitude, "lon": 5.0,
            "altHAE": 55.0, "altMSL": 10.0, "eph": 5.0, "speed": 0.0, "track": 0.0, "climb": 0.0,
        }, separators=(",", ":")) + "\n"
        with self.lock:
            sent = time.monotonic()
            for watcher in self.watchers:
                try:
                    watcher.sendall(line.encode())
                except OSError:
                    pass
        return sent


class Service:
    def __init__(self, command, port, settings=""):
        """`command`: the words before the service's options."""
        self.folder = tempfile.mkdtemp(prefix="mp-")
        config = os.path.join(self.folder, "milepostd.yaml")
        with open(config, "w") as file:
            file.write("gpsd_host: 127.0.0.1\ngpsd_port: %d\nnew_apps: always\n%s\n" % (port, settings))
        self.socket = os.path.join(self.folder, "run", "socket")
        self.log = open(os.path.join(self.folder, "log"), "wb")
        self.process = subprocess.Popen(
            [*command, "serve", "--config", config, "--state",
             os.path.join(self.folder, "state"), "--runtime", os.path.join(self.folder, "run"), "--socket",
             self.socket, "--log-level", "warning"], stderr=self.log)
        # Under valgrind it takes its time.
        deadline = time.monotonic() + 60
        while True:
            try:
                self.connect().close()
                return
            except OSError:
                if time.monotonic() > deadline or self.process.poll() is not None:
                    raise Trouble(self.said() or "milepostd does not answer")
                time.sleep(0.05)

    def said(self):
        """What it wrote to its standard error."""
        with open(os.path.join(self.folder, "log"), errors="replace") as log:
            return log.read()

    def connect(self):
        line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        line.connect(self.socket)
        return line

    def usage(self):
        """CPU seconds, voluntary and involuntary switches of all threads, resident KiB."""
        pid = self.process.pid
        voluntary = involuntary = 0
        for task in os.listdir(f"/proc/{pid}/task"):
            for text in open(f"/proc/{pid}/task/{task}/status"):
                if text.startswith("voluntary"):
                    voluntary += int(text.split()[1])
                if text.startswith("nonvoluntary"):
                    involuntary += int(text.split()[1])
        # The process's own processor clock, which counts ended threads too (clock_getcpuclockid(3)); the ticks of
        # /proc/PID/stat are 10 ms.
        cpu = time.clock_gettime(~pid << 3 | 2)
        resident = next(int(t.split()[1]) for t in open(f"/proc/{pid}/status") if t.startswith("VmRSS"))
        return cpu, voluntary, involuntary, resident

    def io(self):
        """The counts of /proc/PID/io, all threads: calls of read and write, bytes of pages sent to the disk."""
        lines = [line.split() for line in open(f"/proc/{self.process.pid}/io")]
        counts = {name.rstrip(":"): int(count) for name, count in lines}
        return counts["syscr"], counts["syscw"], counts["write_bytes"]

    def stored(self):
        """Bytes of all files that it keeps."""
        state = os.path.join(self.folder, "state")
        return sum(os.stat(os.path.join(folder, name)).st_size
                   for folder, _, names in os.walk(state) for name in names)

    def stop(self):
        """Ends it; returns what it wrote to its standard error."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(20)
        said = self.said()
        shutil.rmtree(self.folder, ignore_errors=True)
        return said


@dataclass
class Told:
    """The cost of sending fixes to apps; per fix unless stated otherwise."""
    # Seconds of the daemon's processor, all threads.
    processor: float
    # How often a thread slept and was woken, and its calls of read and write.
    wakeups: float
    reads: float
    writes: float
    # The growth of its files, bytes, and the bytes of the pages that the kernel wrote for it (0 if the folder for
    # temporary files is in memory).
    stored: float
    pages: float
    # The memory at the end, KiB.
    resident: int
    # What it wrote to its standard error.
    said: str
    # Seconds from the report to each app, all but the first report's.
    delays: list = field(default_factory=list)
    # The number of fixes that did not reach an app within 5 s, in all.
    missed: int = 0


def told(command, count, reports, rate):
    """Sends `reports` fixes to `count` apps of the service that `command` starts, at a given rate per second."""
    gpsd = FakeGPSD()
    service = Service(command, gpsd.port)
    poll = select.epoll()
    apps = {}
    for number in range(count):
        app = service.connect()
        app.sendall(b'?HELLO={"app":"app-%d"};\n?START={"service":"standard"};\n' % number)
        apps[app.fileno()] = app
        poll.register(app, select.EPOLLIN)
    deadline = time.monotonic() + 30
    while not gpsd.watchers and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(1)
    drain(poll, apps, 1)
    delays, latitude, missed = [], 52.0, 0
    used, io, stored = service.usage(), service.io(), service.stored()
    for number in range(reports):
        latitude += 0.0001
        sent = gpsd.report(latitude)
        got = set()
        until = sent + 5
        while len(got) < count and time.monotonic() < until:
            for descriptor, _ in poll.poll(1):
                data = apps[descriptor].recv(65536)
                arrived = time.monotonic()
                for text in data.split(b"\n"):
                    if b'"LOCATION"' in text:
                        if number > 0 and descriptor not in got:
                            delays.append(arrived - sent)
                        got.add(descriptor)
                        message = json.loads(text)
                        apps[descriptor].sendall(b'?ACK={"sequence":%d};\n' % message["sequence"])
        missed += count - len(got)
        time.sleep(max(0, 1 / rate - (time.monotonic() - sent)))
    used = [now - then for then, now in zip(used, service.usage())] + [service.usage()[3]]
    reads, writes, pages = (now - then for then, now in zip(io, service.io()))
    stored = service.stored() - stored
    # The service ends first: else the ends of some apps would be counted, or of none.
    said = service.stop()
    for app in apps.values():
        app.close()
    return Told(
        used[0] / reports, used[1] / reports, reads / reports, writes / reports, stored / reports,
        pages / reports, used[-1], said, delays, missed)


def at_rest(command, seconds):
    """How often a thread of the service is woken in that time without apps and reports."""
    service = Service(command, FakeGPSD().port)
    # Threads of its start end within 5 s.
    time.sleep(7)
    before = service.usage()[1]
    time.sleep(seconds)
    woken = service.usage()[1] - before
    service.stop()
    return woken


def drain(poll, apps, seconds):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for descriptor, _ in poll.poll(0.1):
            apps[descriptor].recv(65536)
