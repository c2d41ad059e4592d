#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""$MILEPOST with faults by a trip's name: `hangs`, `dies`, and `killed`, which ends it the first time ($FAULTS)."""

import json
import os
import signal
import subprocess
import sys
import time

program, once = os.environ["MILEPOST"], os.path.join(os.environ["FAULTS"], "once")
if "--stream" not in sys.argv:
    os.execv(program, [program, *sys.argv[1:]])
real = subprocess.Popen([program, *sys.argv[1:]], stdin=subprocess.PIPE)
while line := sys.stdin.buffer.readline():
    head = json.loads(line) if line.strip() else {"name": "", "bytes": 0}
    name, content = os.path.basename(head["name"]), sys.stdin.buffer.read(head["bytes"])
    if name.startswith("hangs"):
        # Else it would write its sums once this program is ended.
        real.kill()
        time.sleep(1000)
    if name.startswith("dies") or name.startswith("killed") and not os.path.exists(once):
        open(once, "w").close()
        real.kill()
        os.kill(os.getpid(), signal.SIGKILL)
    real.stdin.write(line + content)
    real.stdin.flush()
real.stdin.close()
sys.exit(real.wait())
