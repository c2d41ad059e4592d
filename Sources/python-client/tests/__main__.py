# SPDX-License-Identifier: Apache-2.0
"""Runs all tests: `cd Sources/python-client && python3 -m tests`.

Each file is a separate process beside the others: those with a real daemon wait most of the time. A skipped test counts
as a failure, except of the extras: pandas and others may be missing, and it says which.
"""

import subprocess
import sys
from pathlib import Path


#: Files whose tests need packages that are extras.
OF_EXTRAS = {"tests.test_extras"}


def main():
    folder = Path(__file__).resolve().parent
    names = [f"tests.{path.stem}" for path in sorted(folder.glob("test_*.py"))]
    runs = [
        subprocess.Popen(
            [sys.executable, "-W", "error", "-m", "unittest", *(["-v"] if name in OF_EXTRAS else []), name],
            cwd=folder.parent,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for name in names
    ]
    failed = 0
    for name, run in zip(names, runs):
        said, _ = run.communicate()
        last = said.strip().splitlines()[-1] if said.strip() else ""
        is_right = run.returncode == 0 and (last == "OK" or name in OF_EXTRAS and last.startswith("OK (skipped="))
        failed += not is_right
        if not is_right:
            last = said
        elif last != "OK":
            last += "".join(f"\n  {line}" for line in said.splitlines() if " ... skipped " in line)
        print(f"{name}: {last}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
