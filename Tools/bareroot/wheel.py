# SPDX-License-Identifier: Apache-2.0
"""The wheel: installed by pip from the file, asked about a trip, and removed."""

import os
import re
import shutil
import subprocess
import zipfile
from pathlib import Path

from .driver import Driver
from .words import expect, say

ROOT = Path(__file__).resolve().parents[2]
#: Megabytes of the file; an index takes 100, and who waits for an answer about a trip less.
LIMIT_MB = 25
#: The same answer twice: of the command's words, and of the values of the package.
ASK = """
import milepost
answer = milepost.compare("trip.gpx", worlds=2)
print(milepost.__file__, answer.trace.name, len(answer.runs), answer.runs[0].mode)
try:
    milepost.compare("no-trip.gpx")
except milepost.CommandFailed as error:
    print(error)
"""


def check_contents(path):
    """The file's size, and that no path of the machine that built it is in the program."""
    size = path.stat().st_size / 1e6
    expect(size <= LIMIT_MB, f"{path.name} has at most {LIMIT_MB} MB: {size:.1f}")
    with zipfile.ZipFile(path) as archive:
        program = archive.read("milepost/bin/milepost")
        names = archive.namelist()
    expect(str(ROOT).encode() not in program, f"the program does not name {ROOT}")
    for name in ("LICENSE", "NOTICE-third-party.txt"):
        expect(any(n.endswith(f".dist-info/{name}") for n in names), f"{path.name} has {name}")
    return size, re.search(r"-((?:many)?linux\w+)\.whl$", path.name).group(1)


def check_wheel(machine, path):
    size, tag = check_contents(path)
    say(f"contents   {path.name}, {size:.1f} MB")
    machine.install("python3-venv")
    driver = Driver(machine)
    found = subprocess.run(["find", machine.root, "-xdev", "-name", "libswift*"], stdout=subprocess.PIPE, text=True)
    expect(found.stdout == "", f"nothing of Swift is in the root: {found.stdout}")
    shutil.copy(path, machine.root / "packages")
    shutil.copy(ROOT / "Traces/car-commute.gpx", driver.folder / "trip.gpx")
    os.chmod(driver.folder / "trip.gpx", 0o644)
    venv = f"{driver.HOME}/venv/bin"

    def run(*words, **more):
        return machine.run(*words, **driver.here, **more)

    run("python3", "-m", "venv", f"{driver.HOME}/venv")
    before = left(machine)
    run(f"{venv}/pip", "install", "--quiet", "--no-index", f"/packages/{path.name}")
    say(f"install    pip, of {tag}, for {run('python3', '--version').strip()}")
    answer = run(f"{venv}/milepost", "trip.gpx", "--worlds", "2")
    expect(answer.startswith("trip.gpx · "), f"the command answers of a trip: {answer}")
    expect(run(f"{venv}/python3", "-m", "milepost", "trip.gpx", "--worlds", "2") == answer,
           "python3 -m milepost answers the same")
    libraries = run("ldd", run("find", f"{driver.HOME}/venv", "-path", "*/milepost/bin/milepost").strip())
    say(f"command    {answer.splitlines()[0]}; it loads "
        + ", ".join(sorted(re.findall(r"^\s*(?:/\S*/)?(\S+\.so\S*)", libraries, re.MULTILINE))))
    said = run(f"{venv}/python3", "-c", ASK).splitlines()
    expect(len(said) == 2 and "/site-packages/milepost/__init__.py trip.gpx " in said[0], f"the package answers: {said}")
    expect("no-trip.gpx" in said[1], f"an error has the command's words: {said[1]}")
    say(f"package    import milepost: {said[1]}")
    # Without an installation: pipx has the wheel in a place of its own for as long as the command runs.
    machine.install("pipx")
    said = run("env", "PIP_NO_INDEX=1", "pipx", "run", "--spec", f"/packages/{path.name}", "milepost", "trip.gpx",
               "--worlds", "2")
    # Debian 12's pipx says before it that without an index it cannot renew its own pip.
    expect(said.endswith(answer), f"pipx run answers the same: {said}")
    say("pipx       pipx run --spec answers the same")
    shutil.rmtree(driver.home / ".local", ignore_errors=True)
    shutil.rmtree(driver.home / ".cache", ignore_errors=True)
    run(f"{venv}/pip", "uninstall", "--quiet", "--yes", "milepost")
    rest = left(machine) - before
    expect(not rest, f"nothing is left after pip uninstall: {sorted(rest)}")
    say("uninstall  nothing is left")


def left(machine):
    """Every path of the user's home that names Milepost."""
    home = machine.root / "srv/driver"
    return {str(p.relative_to(home)) for p in home.rglob("*milepost*")}
