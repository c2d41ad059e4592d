# SPDX-License-Identifier: Apache-2.0
"""``python3 -m milepost`` is the program ``milepost``."""

import os
import sys

from .errors import ProgramMissing
from .program import path

try:
    os.execv(path(), ["milepost", *sys.argv[1:]])
except ProgramMissing as error:
    sys.exit(f"milepost: error: {error}")
