# SPDX-License-Identifier: Apache-2.0
"""Runs all tests: `cd Sources/python-client && python3 -m tests`.

Each file is a separate process beside the others: those with a real daemon wait most of the time. A skipped test counts
as a failure.
"""

import subprocess
import sys
from pathlib import Path


def main():
    folder = Path(__file__).resolve().parent
    names = [f"tests.{path.stem}" for path in sorted(folder.glob("test_*.py"))]
    runs = [
        subprocess.Popen(
            [sys.executable, "-W", "error", "-m", "unittest", name],
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
        is_right = run.returncode == 0 and said.endswith("OK\n")
        failed += not is_right
        last = said.strip().splitlines()[-1] if is_right else said
        print(f"{name}: {last}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
