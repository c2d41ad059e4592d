# SPDX-License-Identifier: Apache-2.0
"""How long the way is, and how much of it the positions keep that an app was given. By MovingPandas.

    python3 speed_movingpandas.py TRACE

It needs ``milepost[geo]`` and ``movingpandas``.
"""

import sys
from typing import Any

import movingpandas

import milepost


def way(rows: "milepost.Rows[Any]") -> Any:
    frame = rows.to_geodataframe().dropna(subset=["time"]).set_index("time")
    return movingpandas.Trajectory(frame.tz_localize(None), traj_id=1)


true = way(milepost.fixes(sys.argv[1]))
told = way(milepost.replay(sys.argv[1]).deliveries)
print(f"the way is {true.get_length() / 1000:.2f} km, what significant change told of it {told.get_length() / 1000:.2f} km")
