# SPDX-License-Identifier: Apache-2.0
"""Rows of one kind, and their way into pandas, geopandas and Parquet.

pandas, geopandas and pyarrow are extras: ``pip install "milepost[geo]"`` has all three. They are imported when a method
needs them.
"""

from __future__ import annotations

import dataclasses
import importlib
from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, Any, Dict, Generic, Iterable, Iterator, List, Sequence, TypeVar, Union, get_type_hints

from .errors import MilepostError

if TYPE_CHECKING:
    import os

    import geopandas
    import pandas

Row = TypeVar("Row")


class ExtraMissing(MilepostError, ImportError):
    """A package that is an extra of this one is not installed; the text has the line that installs it."""


def _extra(module: str, extra: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ExtraMissing(f'{module} is not installed ({error}): pip install "milepost[{extra}]"') from None


def flat(value: Any, prefix: str = "") -> Dict[str, Any]:
    """A dataclass as one row: a member of a member is ``member_member``; lists and tables are left out."""
    row: Dict[str, Any] = {}
    for field in dataclasses.fields(value):
        member = getattr(value, field.name)
        if dataclasses.is_dataclass(member):
            row.update(flat(member, f"{prefix}{field.name}_"))
        elif not isinstance(member, (list, dict)):
            row[prefix + field.name] = member.value if isinstance(member, Enum) else member
    return row


class Rows(Sequence[Row], Generic[Row]):
    """A list of dataclasses of one kind that can become a table; ``rows[0].time`` is typed."""

    def __init__(self, kind: type[Row], rows: Iterable[Row]) -> None:
        self.kind = kind
        self._rows: List[Row] = list(rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, index: Any) -> Any:
        return self._rows[index]

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows)

    def __repr__(self) -> str:
        return f"<{len(self)} rows of {self.kind.__name__}>"

    def records(self) -> List[Dict[str, Any]]:
        """Each row as a dictionary by column; needs no other package."""
        return [flat(row) for row in self._rows]

    def to_dataframe(self) -> "pandas.DataFrame":
        """A table of pandas: times are UTC, what is unknown is ``NaN`` or ``NaT``. Extra ``pandas``."""
        module = _extra("pandas", "pandas")
        columns = None if self._rows else self._columns()
        frame: "pandas.DataFrame" = module.DataFrame.from_records(self.records(), columns=columns)
        for name in self._times() & set(frame.columns):
            frame[name] = module.to_datetime(frame[name], utc=True).astype("datetime64[us, UTC]")
        # A column in which nothing is known would have no type: numbers have one.
        for name in self._numbers() & set(frame.columns):
            frame[name] = frame[name].astype("float64")
        return frame

    def to_geodataframe(self) -> "geopandas.GeoDataFrame":
        """The same with a point for each row, in WGS-84 (EPSG:4326). Extra ``geo``.

        Raises ``MilepostError`` for rows that have no place.
        """
        if not {"latitude", "longitude"} <= set(self._columns()):
            raise MilepostError(f"rows of {self.kind.__name__} have no latitude and longitude")
        geopandas = _extra("geopandas", "geo")
        frame = self.to_dataframe()
        points = geopandas.points_from_xy(frame["longitude"].astype(float), frame["latitude"].astype(float))
        return geopandas.GeoDataFrame(frame, geometry=points, crs="EPSG:4326")

    def to_parquet(self, path: "Union[str, os.PathLike[str]]") -> None:
        """Writes Parquet; rows that have a place become GeoParquet where geopandas is installed. Extra ``parquet``."""
        _extra("pyarrow", "parquet")
        try:
            frame: Any = self.to_geodataframe()
        except MilepostError:
            frame = self.to_dataframe()
        frame.to_parquet(path, index=False)

    def to_geoparquet(self, path: "Union[str, os.PathLike[str]]") -> None:
        """Writes GeoParquet 1.0 or later, with the points as WKB. Extra ``geo``."""
        _extra("pyarrow", "geo")
        self.to_geodataframe().to_parquet(path, index=False)

    def _columns(self) -> List[str]:
        return [field.name for field in dataclasses.fields(self.kind)]  # type: ignore[arg-type]

    def _typed(self, *kinds: Any) -> "set[str]":
        return {name for name, hint in get_type_hints(self.kind).items() if hint in kinds}

    def _times(self) -> "set[str]":
        return self._typed(datetime, Union[datetime, None])

    def _numbers(self) -> "set[str]":
        return self._typed(float, Union[float, None])
