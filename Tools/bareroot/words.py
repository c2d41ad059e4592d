# SPDX-License-Identifier: Apache-2.0
"""The check's output, and its end."""

import sys


def fail(words):
    print(f"check-package: {words}", file=sys.stderr)
    sys.exit(1)


def say(words):
    print(words, flush=True)


def expect(holds, words):
    if not holds:
        fail(f"this does not hold: {words}")
