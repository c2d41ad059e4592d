# SPDX-License-Identifier: Apache-2.0
"""The measured programs: ours, its peers, the logs, and one run of a command."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent


class Trouble(Exception):
    """An error that stops the measuring, in words."""


@dataclass
class Run:
    """One run of a command."""
    # Seconds of processor, user and system, and seconds of the clock.
    processor: float
    clock: float


def run(command):
    """Runs a command to its end; its output is discarded."""
    start = time.monotonic()
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    clock = time.monotonic() - start
    if process.returncode != 0:
        words = said.decode(errors="replace").strip()
        raise Trouble(f"{' '.join(map(str, command))} ended with {process.returncode}: {words}")
    return Run(used.ru_utime + used.ru_stime, clock)


def peak(command):
    """The peak of a command's memory, MiB."""
    with tempfile.TemporaryDirectory(prefix="milepost-bench-") as folder:
        compiled = Path(folder) / "peak"
        subprocess.run(["cc", "-O2", "-o", compiled, HERE / "peak.c"], check=True)
        done = subprocess.run(
            [compiled, *command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise Trouble(f"{' '.join(map(str, command))} failed: {done.stderr.strip()}")
    return int(done.stderr.split()[-1]) / 1024


def checked(program):
    if not program.is_file():
        raise Trouble(f"{program} is not there; build it, or name the folder with --programs")
    return program


def build(root):
    """Builds the programs as in the Debian packages, and returns their paths."""
    command = ["swift", "build", "--package-path", str(root), "--scratch-path",
               str(root / ".build/package"), "--configuration", "release",
               "--static-swift-stdlib", "--disable-local-rpath", "--disable-index-store"]
    for product in ["milepost", "milepostd", "milepost-keeper"]:
        subprocess.run([*command, "--product", product], check=True, stdout=sys.stderr)
    shown = subprocess.run([*command, "--show-bin-path"], check=True, capture_output=True, text=True)
    return Path(shown.stdout.strip())


def logs(root):
    """The folder of the long logs, which are made if they are missing."""
    folder = root / ".build/bench"
    if not all((folder / name).is_file() for name in ["long.gpx", "day.nmea"]):
        print("bench: making the logs, which takes a minute", file=sys.stderr)
        making = folder.with_name("bench.making")
        shutil.rmtree(making, ignore_errors=True)
        making.mkdir(parents=True)
        subprocess.run([root / "Tools/make-traces", "--benchmark", making], check=True)
        subprocess.run(
            [root / "Tools/make-traces", "--day-1hz", making / "day.nmea"], check=True)
        shutil.rmtree(folder, ignore_errors=True)
        making.rename(folder)
    return folder


class Peers:
    """The available peers, compiled in a temporary folder, and the reasons why others are missing."""

    # Name, source, flags of pkg-config or None, and files of the peer's own sources.
    OURS = [
        ("bare C", "bare_nmea", None, []),
        ("bare C, GPX", "bare_gpx", None, []),
        ("bare C, service", "bare_service", None, []),
        ("libxml2 SAX", "libxml2_gpx", "libxml-2.0", []),
        ("expat", "expat_gpx", "expat", []),
        ("lwgps", "lwgps_nmea", None, ["lwgps/src/lwgps/lwgps.c"]),
        ("minmea", "minmea_nmea", None, ["minmea.c"]),
    ]

    # The sources of those that Debian does not have.
    HOMES = {"lwgps": "https://github.com/MaJerle/lwgps", "minmea": "https://github.com/kosma/minmea"}

    def __init__(self, sources):
        self.sources = sources
        self.programs = {}
        self.missing = {}

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="milepost-bench-")
        for name, source, package, files in self.OURS:
            self.compile(name, source, package, files)
        gpsbabel = shutil.which("gpsbabel")
        if gpsbabel:
            self.programs["gpsbabel"] = gpsbabel
        else:
            self.missing["gpsbabel"] = "not installed; Debian's package gpsbabel has it"
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def compile(self, name, source, package, files):
        flags = []
        if files:
            where = self.sources.get(name)
            if where is None:
                self.missing[name] = (
                    f"not in Debian; clone {self.HOMES[name]} and name the folder: --{name} FOLDER")
                return
            flags = [f"-I{where}", f"-I{where}/lwgps/src/include", "-DLWGPS_IGNORE_USER_OPTS"]
            flags += [str(where / file) for file in files] + ["-lm"]
        if package:
            asked = subprocess.run(
                ["pkg-config", "--cflags", "--libs", package], capture_output=True, text=True)
            if asked.returncode != 0:
                self.missing[name] = f"its header is missing ({package})"
                return
            flags = asked.stdout.split()
        program = Path(self.folder.name) / source
        made = subprocess.run(
            ["cc", "-O2", "-std=gnu11", HERE / "peers" / f"{source}.c", "-o", program, *flags],
            capture_output=True, text=True)
        if made.returncode != 0:
            raise Trouble(f"{source}.c does not compile: {made.stderr.strip()}")
        self.programs[name] = program

    def command(self, name, *words):
        """The command of a peer, or None if it is missing."""
        return [self.programs[name], *words] if name in self.programs else None

    def why_missing(self, name):
        return self.missing.get(name, "")
