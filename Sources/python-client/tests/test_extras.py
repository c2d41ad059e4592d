# SPDX-License-Identifier: Apache-2.0
"""Tables for pandas, geopandas and Parquet, and the examples with other libraries, each where it is installed."""

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from datetime import timezone
from pathlib import Path
from unittest import mock

import milepost
from milepost import rows

from .commands import TRACES

DAY = TRACES / "commute-day.gpx"
EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def needs(*modules):
    missing = [name for name in modules if importlib.util.find_spec(name) is None]
    return unittest.skipIf(missing, f"not installed: {', '.join(missing)}")


class WithoutExtras(unittest.TestCase):
    def test_a_missing_extra_is_said_with_the_line_that_installs_it(self):
        table = milepost.Rows(milepost.Stay, [])
        for name, extra, ask in (("pandas", "pandas", table.to_dataframe), ("geopandas", "geo", table.to_geodataframe),
                                 ("pyarrow", "parquet", lambda: table.to_parquet("none.parquet"))):
            with mock.patch.dict(sys.modules, {name: None}), self.assertRaises(milepost.ExtraMissing) as raised:
                ask()
            self.assertRegex(str(raised.exception), rf'^{name} is not installed \(.*\): pip install "milepost\[{extra}\]"$')

    def test_a_member_of_a_member_is_a_column_and_a_list_is_none(self):
        run = milepost.compare(DAY, worlds=1).runs[0]
        row = rows.flat(run)
        self.assertEqual(row["way_off_m_p95"], run.way_off_m.p95)
        self.assertEqual(row["waste_tails_j"], run.waste.tails_j)
        self.assertNotIn("components", row)


@needs("pandas")
class PandasTests(unittest.TestCase):
    def test_columns_have_their_types_also_where_nothing_is_known(self):
        frame = milepost.replay(DAY).to_dataframe()
        self.assertEqual(str(frame["time"].dt.tz), "UTC")
        self.assertEqual(frame["lateness_s"].dtype, "float64")
        empty = milepost.Rows(milepost.Delivery, []).to_dataframe()
        self.assertEqual(list(empty.columns), list(frame.columns))
        self.assertEqual(list(empty.dtypes[["time", "lateness_s"]]), list(frame.dtypes[["time", "lateness_s"]]))


@needs("geopandas", "pyarrow")
class GeoTests(unittest.TestCase):
    def test_geoparquet_has_the_points_in_wgs_84(self):
        import geopandas

        deliveries = milepost.replay(DAY).deliveries
        with tempfile.TemporaryDirectory() as folder:
            for method in (deliveries.to_geoparquet, deliveries.to_parquet):
                method(Path(folder) / "d.parquet")
                frame = geopandas.read_parquet(Path(folder) / "d.parquet")
                self.assertEqual(frame.crs.to_epsg(), 4326)
                self.assertEqual([(p.x, p.y) for p in frame.geometry], [(d.longitude, d.latitude) for d in deliveries])
                self.assertEqual(frame["time"].iloc[0].astimezone(timezone.utc), deliveries[0].time)

    def test_rows_without_a_place_are_refused(self):
        with self.assertRaisesRegex(milepost.MilepostError, "^rows of TripRun have no latitude and longitude$"):
            milepost.compare_all([]).to_geodataframe()


class ExampleTests(unittest.TestCase):
    def example(self, name, *words):
        environment = {**os.environ, "PYTHONPATH": str(EXAMPLES.parent)}
        done = subprocess.run([sys.executable, "-W", "ignore", str(EXAMPLES / name), *map(str, words)],
                              capture_output=True, text=True, env=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    @needs("duckdb", "pandas", "pyarrow")
    def test_a_folder_becomes_one_file_that_duckdb_reads(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("car-commute.gpx", "train.gpx"):
                shutil.copy(TRACES / name, folder)
            said = self.example("folder_to_parquet.py", folder, Path(folder) / "all.parquet")
        for words in ("milliwatts", "significant", "continuous"):
            self.assertIn(words, said)

    @needs("geopandas", "trackintel")
    def test_trackintel_finds_stays_in_what_was_delivered(self):
        # Home, work, home, and home again after a walk: what the truth file shows.
        self.assertRegex(self.example("stays_trackintel.py", DAY), r"(?s)^visits told of 4 stays; .* for \d+ times the energy\n$")

    @needs("geopandas", "movingpandas")
    def test_movingpandas_measures_the_way(self):
        said = self.example("speed_movingpandas.py", DAY)
        # milepost info says 49.94 km of the same fixes.
        self.assertRegex(said, r"^the way is 49\.\d\d km, what significant change told of it \d\d\.\d\d km\n$")
