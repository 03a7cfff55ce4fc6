"""New rows for a data set that is there already, from a table that has its columns."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.categories import input_matrix
from autostatistician.data.columns import Column, Table
from autostatistician.data.dataset import Dataset, Kind, time_labels
from autostatistician.data.sources import read_source
from autostatistician.data.times.placing import positions_of
from autostatistician.errors import InputError
from autostatistician.wording.lists import listed

__all__ = ["NewRows", "extended", "new_rows", "rows_of_table"]

Floats = NDArray[np.float64]

SAME_VALUE, SAME_PLACE = 1e-9, 1e-6  # relative to the size of the values, and to the spacing of the places


@dataclass(frozen=True, eq=False)
class NewRows:
    """Inputs (m, d) on the model axis or in codes, values (m,) as the caller has them; how many were there already."""

    X: Floats
    values: Floats
    known: int = 0


def rows_of_table(dataset: Dataset, data: Any, unseen: str = "error") -> NewRows:
    """The rows of a file or frame that has the columns of the data set, also those without a value (NaN).

    Raises
    ------
    InputError
        When it is an array, which has no names, a column is missing, or a cell cannot be read.
    """
    if isinstance(data, np.ndarray | list | tuple):
        raise InputError.of("y beside X", "X alone", "give both, or a frame with the columns of the data")
    source = read_source(data, None, dataset.target)
    if isinstance(source, Dataset):
        raise InputError.of("a table", "numbers without names", "give X and y")
    columns = source.table.columns
    values = _column(columns, dataset.target).numbers.values
    return NewRows(_inputs(dataset, source.table, unseen), np.array(values))


def _inputs(dataset: Dataset, table: Table, unseen: str) -> Floats:
    axis = dataset.axis
    if axis is None:
        return input_matrix(table.columns, dataset.columns, dataset.levels, unseen=unseen)
    if all(column.name != axis.column for column in table.columns) and axis.column == "row":
        return np.asarray(dataset.x.max() + 1.0 + np.arange(float(table.size))[:, None])
    return positions_of(axis, _column(table.columns, axis.column))[:, None]


def _column(columns: tuple[Column, ...], name: str) -> Column:
    for column in columns:
        if column.name == name:
            return column
    found = f"only {listed([one.name for one in columns])}"
    raise InputError.of(f"a column {name!r}, as in the data of the model", found, "give a table with the same columns")


def new_rows(dataset: Dataset, found: NewRows) -> NewRows:
    """The rows that can be added: those with a value, of a series in order and without those that it has already.

    Raises
    ------
    InputError
        When there are none, or a series has another value at the same time.
    """
    whole = np.isfinite(found.values)
    rows = replace(found, X=found.X[whole], values=found.values[whole])
    if dataset.kind is Kind.SERIES and len(rows.values):
        order = np.argsort(rows.X[:, 0], kind="stable")
        rows = _unknown(dataset, replace(rows, X=rows.X[order], values=rows.values[order]))
    if not len(rows.values):
        what = f"{rows.known} that the model has already" if rows.known else "none with a value"
        raise InputError.of("new rows with values", what, "give later ones")
    return rows


def _unknown(dataset: Dataset, rows: NewRows) -> NewRows:
    """Without rows that the series has already, in time and value."""
    order = np.argsort(dataset.x, kind="stable")
    x, y = dataset.x[order], dataset.y[order] + dataset.offset
    place = np.clip(np.searchsorted(x, rows.X[:, 0] - _near(x)), 0, len(x) - 1)
    same_place = np.abs(x[place] - rows.X[:, 0]) <= _near(x)
    differs = same_place & (np.abs(y[place] - rows.values) > SAME_VALUE * max(float(np.abs(y).max()), 1e-300))
    if differs.any() and dataset.axis is not None and dataset.axis.is_calendar:
        (when,) = time_labels(dataset, rows.X[differs][:1, 0])
        value, known = rows.values[differs][0], y[place][differs][0]
        raise InputError.of(f"the value {known:g} of the model at {when}", f"{value:g}", "fit a model to all rows anew")
    known_already = same_place & ~differs
    return NewRows(rows.X[~known_already], rows.values[~known_already], int(known_already.sum()))


def _near(x: Floats) -> float:
    gaps = np.diff(x)
    return SAME_PLACE * float(gaps[gaps > 0.0].min(initial=1.0))


def extended(dataset: Dataset, rows: NewRows) -> Dataset:
    """The data with new rows, those of a series in the order of their places where they were before.

    >>> data = Dataset(np.array([[1.0], [3.0]]), np.array([5.0, 7.0]), ("x",), "y", None)
    >>> extended(data, NewRows(np.array([[2.0]]), np.array([6.0]))).y.tolist()
    [5.0, 6.0, 7.0]
    """
    X, y = np.vstack([dataset.X, rows.X]), np.append(dataset.y, rows.values - dataset.offset)
    if dataset.kind is Kind.SERIES and not dataset.shuffled:
        order = np.argsort(X[:, 0], kind="stable")
        X, y = X[order], y[order]
    return replace(dataset, X=X, y=y)
