# SPDX-License-Identifier: Apache-2.0
"""A folder of traces to one Parquet file, a row for each mode over each trip, and a question to it by DuckDB.

    python3 folder_to_parquet.py FOLDER FILE.parquet

It needs ``milepost[parquet]`` and ``duckdb``.
"""

import sys
from pathlib import Path

import duckdb

import milepost

folder, file = Path(sys.argv[1]), sys.argv[2]
milepost.compare_all(sorted(folder.glob("*.gpx")), worlds=5).to_parquet(file)

answer = duckdb.sql(
    f"""
    SELECT mode, count(*) AS trips, round(avg(average_mw), 2) AS milliwatts, max(arrival_delay_s_p95) AS arrival_known_s
    FROM '{file}' WHERE scenario = 'pocket' GROUP BY mode ORDER BY milliwatts
    """
)
print(answer)
