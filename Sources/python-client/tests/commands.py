# SPDX-License-Identifier: Apache-2.0
"""The built program that the tests of the commands ask."""

import os

from conformance.station import programs

from . import ROOT

PROGRAM = str(programs() / "milepost")
os.environ["MILEPOST"] = PROGRAM
TRACES = ROOT / "Traces"
