# SPDX-License-Identifier: Apache-2.0
"""Tests of the Python client; `python3 -m unittest discover -s Sources/python-client/tests -t Sources/python-client`."""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[3]
# The daemon that tests speak to is started as Tools/check-protocol does it.
sys.path.insert(0, str(ROOT / "Tools"))
