# SPDX-License-Identifier: Apache-2.0
"""The packages before installation: their metadata, lintian's findings, and the previous packages."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from .words import expect, fail, say

# The version under which the previous packages are installed: lower than all real ones.
PREVIOUS = "0.0.1"


def field(package, name):
    return subprocess.run(["dpkg-deb", "--field", package, name], check=True, text=True,
                          stdout=subprocess.PIPE).stdout.strip()


def lowered(packages, folder):
    """The same packages with a lower version."""
    made = []
    for package in packages:
        tree = folder / f"tree-{package.name}"
        subprocess.run(["dpkg-deb", "--raw-extract", package, tree], check=True)
        control = tree / "DEBIAN/control"
        version = re.search(r"(?m)^Version: (.*)$", control.read_text()).group(1)
        control.write_text(control.read_text().replace(version, PREVIOUS))
        path = folder / package.name.replace(version, PREVIOUS)
        subprocess.run(["dpkg-deb", "--root-owner-group", "-Znone", "--build", tree, path],
                       check=True, stdout=subprocess.DEVNULL)
        shutil.rmtree(tree)
        made.append(path)
    return made


def built(commit, root):
    """Packages of an earlier commit, by its own Tools/package; kept below .build by the commit's name."""
    def git(*words, **more):
        return subprocess.run(["git", "-C", root, *words], check=True, stdout=subprocess.PIPE, **more).stdout

    name = git("rev-parse", "--verify", f"{commit}^{{commit}}", text=True).strip()
    folder = root / ".build/package/previous" / name[:12]

    def found():
        return sorted(p for p in (folder / "out").glob(f"*_{PREVIOUS}_*.deb") if "-dbgsym_" not in p.name)

    if len(found()) != 2:
        shutil.rmtree(folder / "out", ignore_errors=True)
        (folder / "tree").mkdir(parents=True, exist_ok=True)
        subprocess.run(["tar", "-x", "-C", folder / "tree"], input=git("archive", name), check=True)
        epoch = git("log", "-1", "--format=%ct", name, text=True).strip()
        subprocess.run(
            [folder / "tree/Tools/package", "--version", PREVIOUS, "--output", folder / "out"], check=True,
            stdout=subprocess.DEVNULL, env={**os.environ, "SOURCE_DATE_EPOCH": epoch})
    return found()


def check_contents(machine, packages):
    """Checks the names and dependencies of the packages against this release; needs the root's package lists."""
    release = re.search(r'(?m)^VERSION_ID="?([\d.]+)', (machine.root / "etc/os-release").read_text()).group(1)
    libraries = re.findall(r"^(libgps\d+) ", machine.run("apt-cache", "search", "--names-only", "^libgps[0-9]+$"),
                           re.MULTILINE)
    expect(len(libraries) == 1, f"{machine.options.suite} has one libgps: {libraries}")
    for package in packages:
        version = field(package, "Version")
        expect(version.endswith(f"+deb{release}"), f"{package.name} bears its release, {release}: {version}")
    depends = field(next(p for p in packages if "milepostd_" in p.name), "Depends")
    expect(re.search(rf"\b{libraries[0]}\b", depends), f"milepostd depends on {libraries[0]}: {depends}")
    say(f"contents   {field(packages[0], 'Version')} on {machine.options.suite}, with its {libraries[0]}")


def check_lintian(machine, packages):
    machine.install("lintian")
    found = machine.run("lintian", "--fail-on=none", "--allow-root", "--show-overrides",
                        *[f"/packages/{p.name}" for p in packages])
    errors = [line for line in found.splitlines() if line.startswith("E:")]
    if errors:
        fail("lintian finds errors:\n" + "\n".join(errors))
    warnings = [line for line in found.splitlines() if line.startswith("W:")]
    overridden = [line for line in found.splitlines() if line.startswith("O:")]
    say(f"lintian    no error, {len(warnings)} warnings, {len(overridden)} overridden with a reason"
        + "".join(f"\n           {line}" for line in warnings))
