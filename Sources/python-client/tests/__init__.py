# SPDX-License-Identifier: Apache-2.0
"""Tests of the Python client: `cd Sources/python-client && python3 -m tests`."""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[3]
# The tests' daemon is started as in Tools/check-protocol.
sys.path.insert(0, str(ROOT / "Tools"))
