# SPDX-License-Identifier: Apache-2.0
"""The documents of the command ``milepost`` as dataclasses, made from its JSON Schemas.

Units stand in the names: ``energy_j`` joules, ``way_off_m`` metres, ``gnss_on_s`` seconds; times are UTC.
"""

from .comparison import Comparison
from .events import ReplayEvent
from .info import TraceInfo
from .score import Score

__all__ = ["Comparison", "ReplayEvent", "Score", "TraceInfo"]
