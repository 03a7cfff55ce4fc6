"""New inputs in the caller's terms, found on the axis or among the columns of a data set that is there already."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.categories import input_matrix
from autostatistician.data.columns import DataColumn
from autostatistician.data.dataset import Dataset
from autostatistician.data.frames import column_from_array, columns_of, frame_of
from autostatistician.data.missing import unmasked
from autostatistician.data.times.dates import zone_notes
from autostatistician.data.times.placing import positions_of
from autostatistician.errors import InputError
from autostatistician.wording.lists import listed

__all__ = ["columns_in_order", "has_dates", "inputs_of", "model_positions", "named_columns"]

Floats = NDArray[np.float64]


def has_dates(X: Any) -> bool:
    """Whether any column of a frame, series or array holds dates, or text that may stand for some."""
    if isinstance(X, np.ndarray):
        return bool(X.dtype.kind == "M")
    if isinstance(X, list | tuple):
        return any(_is_date(cell) for cell in X)
    if _is_date_index(X) or _is_date(X):
        return True
    if frame_of(X) is None:
        return False
    return any(isinstance(column.values, tuple) or column.values.dtype.kind == "M" for column in columns_of(X))


def _is_date(cell: Any) -> bool:
    """One cell: a date of any library, or text."""
    return isinstance(cell, str | np.datetime64) or hasattr(cell, "isoformat")


def _is_date_index(X: Any) -> bool:
    return type(X).__name__ in ("DatetimeIndex", "PeriodIndex")


def model_positions(dataset: Dataset, times: Any) -> Floats:
    """Model positions (n,) of times as the caller has them: dates, text, numbers; arrays, indexes, series, frames.

    Of several columns the one with the name of the axis is taken, else the first with dates.

    >>> from autostatistician.data.load import load
    >>> data = load({"month": ["1949-01", "1949-02", "1949-03"], "sales": [1.0, 2.0, 4.0]})
    >>> model_positions(data, ["1950-01"]).tolist()
    [1950.0]
    """
    assert dataset.axis is not None, "only data with an axis have positions"
    columns = _columns(times, dataset.axis.column)
    named = [column for column in columns if column.name == dataset.axis.column]
    dated = [column for column in columns if column.times is not None]
    chosen = next(iter([*named, *dated, *columns[: len(columns) == 1]]), None)
    if chosen is None:
        names = f"the columns {[column.name for column in columns]}"
        raise InputError.of(f"times in a column {dataset.axis.column!r}", names, "give the times to predict at")
    _compare_zones(dataset, chosen)
    return positions_of(dataset.axis, chosen)


def _compare_zones(dataset: Dataset, times: DataColumn) -> None:
    """Warn where new times were read by another clock than those of the data."""
    parsed = times.times
    ours, theirs = zone_notes(dataset.warnings), zone_notes(parsed.notes if parsed else ())
    if theirs and ours != theirs:
        then = f"Of the data it was said: {' '.join(ours)}" if ours else "Those of the data carried none."
        text = f"{' '.join(theirs)} {then} Give both in one time zone."
        warnings.warn(text, UserWarning, stacklevel=4)


def inputs_of(dataset: Dataset, X: Any, unseen: str = "error") -> Any:
    """The columns of a frame that are inputs of the data set, as an array (n, d); anything else as it is.

    Of data with categories the cells become codes, also those of an array of objects (by their order); ``unseen``
    says what becomes of new categories (see `categories.coded`).
    """
    if dataset.levels:
        return input_matrix(columns_in_order(X, dataset.columns), dataset.columns, dataset.levels, unseen=unseen)
    if frame_of(X) is None:
        return X
    columns = columns_of(X)
    missing = [name for name in dataset.columns if all(column.name != name for column in columns)]
    if len(missing) == len(dataset.columns):  # a frame of someone who knows the order alone
        return np.asarray(X)
    if missing:
        expected = f"the columns {listed(dataset.columns)}"
        raise InputError.of(expected, f"none called {listed(missing)}", "give a frame with all of them")
    return input_matrix(columns, dataset.columns, {})


def named_columns(X: Any, names: tuple[str, ...]) -> dict[str, DataColumn]:
    """The columns of a frame or mapping by name; none of an array, whose columns have no names.

    >>> sorted(named_columns({"day": [1, 2], "price": [5.0, 6.0]}, ("day",))), named_columns([[1], [2]], ("day",))
    (['day', 'price'], {})
    """
    if not isinstance(X, dict) and frame_of(X) is None:
        return {}
    return {column.name: column for column in columns_in_order(X, names)}


def columns_in_order(X: Any, names: tuple[str, ...]) -> tuple[DataColumn, ...]:
    """The columns of a frame or mapping, or those of an array, which get the names by their order.

    >>> [column.values for column in columns_in_order([["red", 1], ["blue", 2]], ("colour", "size"))]
    [('red', 'blue'), array([1., 2.])]
    """
    if isinstance(X, dict) or frame_of(X) is not None:
        return _columns(X, names[0])
    cells = np.asarray(X, dtype=object)
    cells = cells[:, None] if cells.ndim == 1 and len(names) == 1 else cells
    if cells.ndim != 2 or cells.shape[1] != len(names):
        expected = f"rows with the columns {listed(names)}"
        raise InputError.of(expected, f"an array of shape {cells.shape}", "give a frame with these columns")
    return tuple(column_from_array(name, cells[:, k]) for k, name in enumerate(names))


def _columns(times: Any, name: str) -> tuple[DataColumn, ...]:
    """The columns of a frame or series; a plain list, array or index becomes one column of the given name."""
    if isinstance(times, dict):
        return tuple(column_from_array(str(key), np.asarray(values)) for key, values in times.items())
    if type(times).__name__ == "PeriodIndex":
        times = times.to_timestamp()
    if not _is_date_index(times) and frame_of(times) is not None:
        return columns_of(times)
    array = np.atleast_1d(np.asarray(unmasked(times)))
    array = array[:, None] if array.ndim == 1 else array
    if array.shape[1] == 1:
        return (column_from_array(name, array[:, 0]),)
    return tuple(column_from_array(f"column {k + 1}", array[:, k]) for k in range(array.shape[1]))
