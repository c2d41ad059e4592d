# SPDX-License-Identifier: Apache-2.0
"""A package's life: installed, used, upgraded, run by the machine, purged, and reinstalled."""

import json
import math
import re
import shutil
import subprocess
import sys
from pathlib import Path

from . import feed
from .driver import ROOT, first_manifest
from .packages import PREVIOUS, field
from .words import expect, fail, say


def check_install(machine, previous):
    machine.apt("update")
    machine.apt("install", *[f"/packages/{p.name}" for p in previous])
    for package in ("milepost", "milepostd"):
        have = machine.run("dpkg-query", "--show", "--showformat=${Version} ${Status}", package)
        expect(have == f"{PREVIOUS} install ok installed", f"{package} is installed: {have}")
    version = machine.run("milepost", "--version").strip()
    expect(machine.run("milepostd", "--version").strip() == version, "both programs are one release")
    for path in ("usr/share/man/man1/milepost.1.gz", "usr/share/man/man8/milepostd.8.gz",
                 "usr/share/bash-completion/completions/milepostd",
                 "usr/share/zsh/vendor-completions/_milepost",
                 "usr/share/fish/vendor_completions.d/milepost.fish",
                 "usr/share/doc/milepostd/examples/milepost-geoclue.conf",
                 "usr/libexec/milepost/milepost-keeper", "usr/sbin/gpsd"):
        # dpkg of a small image may leave out manual pages, and documentation.
        if ("/man/" in path or "/doc/" in path) and list((machine.root / "etc/dpkg/dpkg.cfg.d").glob("*exclud*")):
            continue
        expect((machine.root / path).exists(), f"/{path} is there")
    for wants in machine.root.glob("etc/systemd/*/*.wants/milepostd.*"):
        fail(f"an installation enabled {wants.relative_to(machine.root)}")
    for program in ("usr/bin/milepost", "usr/bin/milepostd", "usr/libexec/milepost/milepost-keeper"):
        expect(str(ROOT).encode() not in (machine.root / program).read_bytes(),
               f"/{program} does not name {ROOT}, where it was built")
    shown = machine.run("milepost", "/usr/share/doc/milepost/examples/commute-day.gpx")
    expect("The way within 100 m:" in shown, "the first command of the README answers on the packaged trace")
    say(f"install    milepost and milepostd {version} and gpsd on {machine.options.suite}; "
        "nothing is enabled; the packaged trace is compared")


def check_live(machine, driver):
    machine.feed = subprocess.Popen([*machine.enter(), sys.executable, Path(__file__).parent / "feed.py"])
    machine.start("gpsd", "-N", f"tcp://127.0.0.1:{feed.PORT}", log=machine.root.parent / "gpsd.log")
    driver.write(driver.folder / "moved.yaml", first_manifest())
    # The guide's 500 m and 300 s would take hours here.
    driver.write(driver.home / ".config/milepost/milepostd.yaml",
                 "significant_distance_m: 100\nsignificant_interval_s: 4\n")
    driver.start()
    driver.milepost("apps", "add", "moved.yaml")
    machine.wait("three events reach the guide's handler", lambda: len(driver.events()) >= 3, 120,
                 lambda: driver.said() + driver.milepost("explain", "moved", code=None))
    events = driver.events()
    for event in events:
        expect(event["class"] == "LOCATION" and event["service"] == "significant", f"{event}")
        fix = event["fix"]
        metres = abs(fix["longitude"] - 5) * math.cos(math.radians(52)) * 111_320
        expect(52 <= fix["latitude"] < 53 and metres < 50, f"it was there: {fix}")
    doctor = driver.milepost("doctor", code=None)
    expect("gpsd" in doctor, f"milepost doctor speaks of gpsd: {doctor}")
    moved = events[-1]["moved_m"]
    say(f"live       the guide's handler has {len(events)} events of a real gpsd, the last after {moved:.0f} m")


def check_upgrade(machine, driver, packages):
    settings = machine.root / "etc/milepost/milepostd.yaml"
    settings.write_text(settings.read_text() + "# changed by its administrator\n")
    # The handler fails from here on: it cannot write.
    (driver.folder / "moved.jsonl").chmod(0o444)
    told = driver.events()[-1]["sequence"]
    machine.wait("three events wait", lambda: driver.pending() >= 3, 120, driver.said)
    machine.apt("install", *[f"/packages/{p.name}" for p in packages])
    for package in packages:
        name, version = field(package, "Package"), field(package, "Version")
        have = machine.run("dpkg-query", "--show", "--showformat=${Version}", name)
        expect(have == version, f"{name} is {version} after the upgrade: {have}")
    expect(driver.daemon.poll() is None, f"the service runs through the upgrade:\n{driver.said()}")
    expect("changed by its administrator" in settings.read_text(), "the changed configuration stays")
    driver.stop()
    driver.start()
    waiting = driver.pending()
    expect(waiting >= 3, f"the new service knows of what waits: {waiting}")
    (driver.folder / "moved.jsonl").chmod(0o644)
    machine.wait("what waited is told", lambda: driver.events()[-1]["sequence"] >= told + waiting, 120,
                 driver.said)
    sequences = [event["sequence"] for event in driver.events()]
    first, last = sequences[0], sequences[-1]
    expect(list(dict.fromkeys(sequences)) == list(range(first, last + 1)),
           f"no event is lost or out of order: {sequences}")
    kept = json.loads(driver.milepost("apps", "events", "moved", "--json"))
    expect(not kept.get("failed"), f"none was given up: {kept}")
    say(f"upgrade    from {machine.origin}, the service running, {waiting} events waiting: all {last - first + 1} came, "
        f"in order, {len(sequences) - len(set(sequences))} twice; the changed /etc/milepost/milepostd.yaml stayed")


def check_system(machine):
    entry = machine.run("getent", "passwd", "_milepost")
    expect(entry.strip().endswith("nologin") and "/var/lib/milepost" in entry, entry)
    unit = next(p for p in ("usr/lib/systemd/system", "lib/systemd/system")
                if (machine.root / p / "milepostd.service").exists())
    text = (machine.root / unit / "milepostd.service").read_text()
    command = re.search(r"(?m)^ExecStart=(.*)$", text).group(1).split()
    for folder in ("/run/milepost", "/var/lib/milepost"):
        machine.run("install", "-d", "-m", "700", "-o", "_milepost", "-g", "_milepost", folder)
    log = machine.root.parent / "system.log"
    service = machine.start(*command, log=log, user="_milepost:_milepost", environment={
        "RUNTIME_DIRECTORY": "/run/milepost", "STATE_DIRECTORY": "/var/lib/milepost"})
    root = {"environment": {"MILEPOST_SOCKET": "/run/milepost/socket"}}
    machine.wait("the system's service answers root",
                 lambda: "gpsd" in machine.run("milepost", "status", code=None, **root), 20, log.read_text)
    refused = machine.run("milepost", "status", code=None, user="driver:driver", **root)
    expect("permission denied; the socket belongs to another user" in refused, f"another user is refused: {refused}")
    service.terminate()
    expect(service.wait(20) == 0, f"it ends in order:\n{log.read_text()[-2000:]}")
    if not shutil.which("systemd-analyze", path=str(machine.root / "usr/bin")):
        machine.install("systemd")
    for kind in ("--system", "--user"):
        place = unit if kind == "--system" else "usr/lib/systemd/user"
        machine.run("systemd-analyze", kind, "--man=no", "verify", f"/{place}/milepostd.service",
                    environment={"XDG_RUNTIME_DIR": "/run"})
    shown = machine.run("systemd-analyze", "security", "--offline=yes",
                        f"/{unit}/milepostd.service", code=None)
    level = re.search(r"exposure level for \S+: ([\d.]+)", shown)
    expect(level and float(level.group(1)) < 2.5, f"the system's unit is not exposed: {shown[-300:]}")
    verified = f"systemd-analyze: both units verified, exposure {level.group(1)} of 10"
    say(f"system     its command runs as _milepost, root may ask it and others not; {verified}")


def check_purge(machine, driver, before):
    driver.stop()
    machine.apt("purge", "milepost", "milepostd")
    left = machine.paths() - before
    expect(not left, f"nothing is left after a purge: {sorted(left)}")
    expect((driver.home / ".local/state/milepost").is_dir(), "what the user's service kept stays")
    say("purge      no path with our name is left outside of homes; the user's own state stays")


def check_reinstall(machine, driver, packages):
    machine.apt("install", *[f"/packages/{p.name}" for p in packages])
    count, last = len(driver.events()), driver.events()[-1]["sequence"]
    driver.start()
    expect(driver.row()["authorization"] == "always", "the app is known, with its authorization")
    machine.wait("the next event comes", lambda: len(driver.events()) > count, 120, driver.said)
    following = driver.events()[count]["sequence"]
    expect(following == last + 1, f"the next event is number {last + 1}: {following}")
    driver.stop()
    say(f"reinstall  the app is known, and its events go on with number {following}")
