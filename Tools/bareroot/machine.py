# SPDX-License-Identifier: Apache-2.0
"""The bare root, its network, and commands in it."""

import os
import shutil
import subprocess
import time
from pathlib import Path

from .words import fail

# The environment of an ordinary service.
PLAIN = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"}


class Machine:
    """A bare root with a separate network; packages come over the real one."""

    ADDRESS = "10.9.0.2"

    def __init__(self, folder, options):
        self.root = folder / "root"
        self.options = options
        # The processes of `start`, and other programs of this machine that serve in the root's network.
        self.children = []
        self.helpers = []
        self.make()
        self.network = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])
        # Separate once the link of the namespace differs from ours.
        self.wait("a network of its own", lambda: os.readlink(
            f"/proc/{self.network.pid}/ns/net") != os.readlink("/proc/self/ns/net"), 10)
        # A network without a route out: a service that sees no route sends nothing. Servers of the check have its
        # address, which is not the loopback's.
        for words in ("link set lo up", "link add way type bridge", f"addr add {self.ADDRESS}/24 dev way",
                      "link set way up", f"route add default via {self.ADDRESS}"):
            subprocess.run([*self.enter(), "ip", *words.split()], check=True)

    def make(self):
        base = self.options.base
        if base and base.exists():
            self.root.mkdir()
            subprocess.run(["tar", "-xpf", base, "-C", self.root], check=True)
        else:
            log = self.root.parent / "debootstrap.log"
            with open(log, "w") as output:
                made = subprocess.run(
                    ["debootstrap", "--variant=minbase", self.options.suite, self.root,
                     self.options.mirror], stdout=output, stderr=subprocess.STDOUT)
            if made.returncode != 0:
                fail(f"debootstrap could not make {self.options.suite}:\n{log.read_text()[-2000:]}")
            if base:
                subprocess.run(["tar", "-cpf", base, "-C", self.root, "."], check=True)
        # Devices are those that debootstrap made: nothing of this machine is bound into a root that will be deleted.
        self.mount_kernel()
        shutil.copy("/etc/resolv.conf", self.root / "etc/resolv.conf")
        # An installation starts nothing: there is no systemd to do so.
        (self.root / "usr/sbin/policy-rc.d").write_text("#!/bin/sh\nexit 101\n")
        (self.root / "usr/sbin/policy-rc.d").chmod(0o755)

    def mount_kernel(self):
        """The file systems of the kernel, separate from this machine's."""
        subprocess.run(["mount", "-t", "proc", "proc", self.root / "proc"], check=True)
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", self.root / "run"], check=True)
        # Separate terminals.
        (self.root / "dev/pts").mkdir(exist_ok=True)
        subprocess.run(["mount", "-t", "devpts", "-o", "newinstance,ptmxmode=0666,mode=620", "devpts",
                        self.root / "dev/pts"], check=True)
        (self.root / "dev/ptmx").unlink(missing_ok=True)
        (self.root / "dev/ptmx").symlink_to("pts/ptmx")
        # As written by Debian's installer.
        (self.root / "etc/hosts").write_text("127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n")

    def enter(self):
        return ["nsenter", f"--net=/proc/{self.network.pid}/ns/net"]

    def command(self, words, user=None, environment=None, folder="/"):
        chroot = ["chroot"] + ([f"--userspec={user}"] if user else [])
        variables = [f"{k}={v}" for k, v in {**PLAIN, **(environment or {})}.items()]
        return [*self.enter(), *chroot, str(self.root), "env", "-i", f"--chdir={folder}",
                *variables, *words]

    def run(self, *words, code=0, **more):
        """Runs a command in the root, in its network; returns its output."""
        done = subprocess.run(
            self.command(words, **more), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if code is not None and done.returncode != code:
            fail(f"{' '.join(words)} ended with {done.returncode} and said:\n{done.stdout[-3000:]}")
        return done.stdout

    def start(self, *words, log, **more):
        with open(log, "a") as output:
            child = subprocess.Popen(
                self.command(words, **more), stdout=output, stderr=subprocess.STDOUT)
        self.children.append(child)
        return child

    def named(self, *hosts):
        """Resolves these names to servers of the check's network."""
        with open(self.root / "etc/hosts", "a") as table:
            table.writelines(f"{self.ADDRESS} {host}\n" for host in hosts)

    def install(self, *packages):
        """Installs Debian's packages, without recommended ones."""
        self.apt("install", "--no-install-recommends", *packages)

    def apt(self, *words):
        done = subprocess.run(
            ["chroot", self.root, "env", "-i", *[f"{k}={v}" for k, v in PLAIN.items()],
             "DEBIAN_FRONTEND=noninteractive", "apt-get", "--yes", "--quiet", *words],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            fail(f"apt-get {' '.join(words)} ended with {done.returncode}:\n{done.stdout[-3000:]}")
        return done.stdout

    def version(self, package):
        """Debian's version of an installed package, without its revision."""
        have = self.run("dpkg-query", "--show", "--showformat=${Version}", package)
        return have.split(":")[-1].split("-")[0]

    def end(self, child):
        """Ends the processes of `start`."""
        child.kill()
        child.wait()
        self.children.remove(child)

    def wait(self, what, condition, seconds, context=lambda: ""):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                fail(f"after {seconds} s still not: {what}\n{context()}")
            time.sleep(0.2)

    def paths(self):
        """Every path of the root that names Milepost, except in homes and sessions."""
        found = set()
        for folder, folders, files in os.walk(self.root):
            inside = Path(folder).relative_to(self.root)
            if inside == Path("."):
                folders[:] = [f for f in folders if f not in ("proc", "sys", "dev", "home", "srv", "packages")]
            if inside == Path("run"):
                folders[:] = [f for f in folders if f != "user"]
            found |= {str(inside / n) for n in folders + files if "milepost" in n}
        return found


class ThisMachine(Machine):
    """A copy of this machine's root, in memory, with built programs in the places of the packages'."""

    class Impossible(Exception):
        """This machine lets nobody make such a copy."""

    def make(self):
        folder = self.root.parent
        for name in ("root", "changes", "work"):
            (folder / name).mkdir()
        made = subprocess.run(
            ["mount", "-t", "overlay", "overlay", "-o",
             f"lowerdir=/,upperdir={folder}/changes,workdir={folder}/work", self.root],
            stderr=subprocess.PIPE, text=True)
        if made.returncode != 0:
            raise self.Impossible(made.stderr.strip())
        subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", self.root / "dev"], check=True)
        for name, minor in (("null", 3), ("zero", 5), ("full", 7), ("random", 8), ("urandom", 9)):
            subprocess.run(["mknod", "-m", "666", self.root / "dev" / name, "c", "1", str(minor)], check=True)
        self.mount_kernel()
        built = self.options.here
        for program, place in (("milepost", "usr/bin"), ("milepostd", "usr/bin"),
                               ("milepost-keeper", "usr/libexec/milepost")):
            (self.root / place).mkdir(parents=True, exist_ok=True)
            shutil.copy(built / program, self.root / place)

    def install(self, *packages):
        """Nothing is installed here: Tools/setup test has done it."""
        missing = [name for name in packages if not self.has(name)]
        if missing:
            fail(f"{' '.join(missing)}: not installed here (Tools/setup test does it)")

    def has(self, package):
        shown = self.run("dpkg-query", "--show", "--showformat=${db:Status-Status}", package, code=None)
        return shown == "installed"
