# SPDX-License-Identifier: Apache-2.0
"""One line for each rule."""

import time


class Wrong(Exception):
    """A rule does not hold; the text says why."""


class Report:
    """Prints whether each rule holds, and counts those that do not."""

    def __init__(self):
        self.count = 0
        self.failed = 0
        self._begun = time.monotonic()

    def title(self, text):
        print(f"== {text}", flush=True)

    def rule(self, sentence, check):
        """Runs `check`; its exception is the reason why the rule does not hold."""
        self.count += 1
        try:
            check()
        except (Wrong, OSError, RuntimeError, AssertionError) as error:
            self.failed += 1
            print(f"FAILED  {sentence}\n        {error}", flush=True)
        else:
            print(f"ok      {sentence}", flush=True)

    def finish(self):
        seconds = time.monotonic() - self._begun
        held = self.count - self.failed
        print(f"{held} of {self.count} rules hold ({seconds:.0f} s)", flush=True)
        return 1 if self.failed else 0


def expect(condition, why):
    if not condition:
        raise Wrong(why)


def equal(value, expected, what):
    expect(value == expected, f"{what}: {value!r}, and should be {expected!r}")
