# SPDX-License-Identifier: Apache-2.0
"""Do the positions that an app was given still show where its user stayed? By trackintel.

    python3 stays_trackintel.py TRACE

It needs ``milepost[geo]`` and ``trackintel``.
"""

import sys

import trackintel

import milepost


def stays(rows: milepost.Rows[milepost.Delivery]) -> int:
    """How many stays of 10 min within 150 m the positions show."""
    frame = rows.to_geodataframe().rename(columns={"time": "tracked_at"}).assign(user_id=1)
    positions = trackintel.Positionfixes(frame[["user_id", "tracked_at", "geometry"]])
    _, found = positions.generate_staypoints(dist_threshold=150, time_threshold=10, gap_threshold=24 * 60)
    return len(found)


told = milepost.replay(sys.argv[1], visits=True)
print(f"visits told of {len(told.stays)} stays; the positions of significant change show {stays(told.deliveries)},")
continuous = milepost.replay(sys.argv[1], mode="continuous")
print(f"those of continuous updates {stays(continuous.deliveries)}, for",
      f"{continuous.end.energy_j / told.end.energy_j:.0f} times the energy")
