"""Columns of data frames, series and arrays of any library, without changing the caller's objects."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from numbers import Real
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from narwhals.exceptions import DuplicateError

from autostatistician.data.arrays import Times
from autostatistician.data.columns import DataColumn
from autostatistician.data.missing import is_null
from autostatistician.data.times.dates import parse_times, utc_or_local
from autostatistician.data.times.forms import EARLIEST_YEAR, LATEST_YEAR
from autostatistician.errors import InputError
from autostatistician.i18n.messages import note

__all__ = ["column_from_array", "columns_of", "frame_of"]


def frame_of(data: Any) -> nw.DataFrame[Any] | nw.Series[Any] | None:
    """The narwhals view of a frame or series of any library, None for other objects; lazy frames are collected."""
    try:
        native = nw.from_native(data, pass_through=True, allow_series=True)
    except DuplicateError:
        repeated = "two columns of the same name"
        raise InputError.of("a table with distinct names of columns", repeated, "rename one of them") from None
    if isinstance(native, nw.LazyFrame):
        return native.collect()
    return native if isinstance(native, nw.DataFrame | nw.Series) else None


def columns_of(data: Any, *, index: bool = True) -> tuple[DataColumn, ...]:
    """All columns of a frame or series, the index of pandas first where it says something (unless not asked for).

    Arrays, lists and all else have none.
    """
    view = frame_of(data)
    if view is None:
        return ()
    if isinstance(view, nw.Series):
        columns = [_column("y" if view.name in (None, "") else str(view.name), view)]
    else:  # names may be numbers in pandas, so the columns are not looked up by their names
        columns = [_column(str(name), view.get_column(name)) for name in view.columns]
    return (*_index_columns(data), *columns) if index else tuple(columns)


def _index_columns(data: Any) -> tuple[DataColumn, ...]:
    """The index of a pandas object as columns, one for each of its levels."""
    index = getattr(data, "index", None)
    if index is None or callable(index):
        return ()
    kind = type(index).__name__
    if kind == "MultiIndex":
        names = [f"level_{level}" if name is None else str(name) for level, name in enumerate(index.names)]
        return columns_of(index.to_frame(index=False, name=names))
    index = index.to_timestamp() if kind == "PeriodIndex" else index
    if kind == "RangeIndex" or (index.name is None and index.dtype.kind in "iu" and not _are_years(index)):
        return ()  # it just counts the rows
    name = str(index.name) if index.name is not None else "time"
    return (_column(name, nw.from_native(index.to_series(name=name), series_only=True)),)


def _are_years(index: Any) -> bool:
    return bool(len(index) > 2 and index.min() >= EARLIEST_YEAR and index.max() < LATEST_YEAR)


def _column(name: str, series: nw.Series[Any]) -> DataColumn:
    dtype = series.dtype
    if isinstance(dtype, nw.Datetime) or dtype == nw.Date:
        return _time_column(name, series)
    if isinstance(dtype, nw.Duration):
        seconds = series.dt.total_nanoseconds().cast(nw.Float64).fill_null(float("nan")).to_numpy()
        said = note("Column {name} holds durations; they were read as seconds.", name=repr(name))
        return DataColumn(name, np.array(seconds) / 1e9, (said,))
    if dtype.is_numeric() or dtype == nw.Boolean:
        values = np.array(series.cast(nw.Float64).fill_null(float("nan")).to_numpy(), dtype=np.float64)
        return DataColumn(name, values, levels=("False", "True") if dtype == nw.Boolean else ())
    if isinstance(dtype, nw.Categorical | nw.Enum):
        cells = tuple(None if is_null(cell) else str(cell) for cell in series.to_list())
        levels = [str(level) for level in series.cat.get_categories().to_list()]
        if series.implementation.is_polars() and not isinstance(dtype, nw.Enum):
            levels.sort()  # theirs is the order in which the process met them
        return DataColumn(name, cells, levels=tuple(levels))
    return column_from_array(name, np.array(series.to_list(), dtype=object))


def _time_column(name: str, series: nw.Series[Any]) -> DataColumn:
    zone = getattr(series.dtype, "time_zone", None)
    if zone is None:
        return DataColumn(name, _naive(series))
    utc = _naive(series.dt.convert_time_zone("UTC").dt.replace_time_zone(None))
    return DataColumn(name, *utc_or_local(_naive(series.dt.replace_time_zone(None)), utc, str(zone)))


def _naive(series: nw.Series[Any]) -> Times:
    return np.array(np.asarray(series.to_numpy()).astype("M8[us]"))


def column_from_array(name: str, values: Any) -> DataColumn:
    """A column from a one-dimensional array of any kind: dates, numbers, or Python objects."""
    values = np.asarray(values)
    if values.dtype.kind == "M":
        return DataColumn(name, values.astype("M8[us]"))
    if values.dtype.kind in "biuf":
        return DataColumn(name, np.array(values, dtype=np.float64))
    if values.dtype.kind not in "OUS":
        kind = f"values of type {values.dtype}"
        raise InputError.of(f"numbers or dates in column {name!r}", kind, "give real numbers, dates or text")
    return _from_objects(name, values)


def _from_objects(name: str, values: Any) -> DataColumn:
    cells = [None if is_null(cell) else cell for cell in values]
    filled = [cell for cell in cells if cell is not None]
    if filled and all(isinstance(cell, date) for cell in filled):
        parsed = parse_times([None if cell is None else cell.isoformat() for cell in cells])  # of any zone and year
        assert parsed is not None, "ISO dates are always read"
        return DataColumn(name, parsed.times, parsed.notes)
    if filled and all(isinstance(cell, Real | Decimal | np.number | np.bool_) for cell in filled):
        return DataColumn(name, np.array([np.nan if cell is None else _float(cell) for cell in cells]))
    return DataColumn(name, tuple(None if cell is None else str(cell) for cell in cells))


def _float(cell: Any) -> float:
    try:
        return float(cell)
    except OverflowError:  # integers of Python have no end
        return float("inf") if cell > 0 else float("-inf")
