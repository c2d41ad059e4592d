# SPDX-License-Identifier: Apache-2.0
"""The program ``milepost`` as a process: the one that the wheel carries, else the one on ``PATH``."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, List, Mapping, Tuple, Union

from .errors import CommandFailed, ProgramMissing

#: What an option takes: ``True`` is the bare option, several values are several of them, ``None`` and ``False`` none.
Option = Union[None, bool, str, int, float, "os.PathLike[str]", List[Any], Tuple[Any, ...]]


def path() -> str:
    """The program's path: ``MILEPOST`` if that is set, else the wheel's, else the one on ``PATH``.

    Raises ``ProgramMissing``.
    """
    given = os.environ.get("MILEPOST")
    if given:
        return given
    carried = Path(__file__).parent / "bin/milepost"
    found = str(carried) if carried.exists() else shutil.which("milepost")
    if found is None:
        raise ProgramMissing(
            "there is no program milepost: this installation carries none, and PATH has none; install the wheel for "
            "this machine, the Debian package, or name a built program with MILEPOST"
        )
    return found


def words(options: Mapping[str, Option]) -> List[str]:
    """Options as words of the command: ``for_="arrival"`` is ``--for arrival``."""
    said: List[str] = []
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        if value is True:
            said.append(option)
        elif isinstance(value, (list, tuple)):
            said += [word for one in value for word in (option, os.fspath(one) if hasattr(one, "__fspath__") else str(one))]
        elif value is not None and value is not False:
            said += [option, os.fspath(value) if isinstance(value, os.PathLike) else str(value)]
    return said


def run(*arguments: str) -> str:
    """What the command prints; 1, a negative answer, is an answer too.

    Raises ``CommandFailed`` with its words, and ``ProgramMissing``.
    """
    try:
        done = subprocess.run([path(), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except OSError as error:
        raise ProgramMissing(f"{path()}: {error.strerror}") from None
    if done.returncode not in (0, 1) or (done.returncode == 1 and not done.stdout):
        said = done.stderr.decode(errors="replace").strip()
        message = said.split("error: ", 1)[-1] if "error: " in said else said
        raise CommandFailed(message or f"milepost ended with {done.returncode}", done.returncode)
    return done.stdout.decode()
