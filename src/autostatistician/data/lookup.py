"""New inputs in the caller's terms, found on the axis of a data set that is there already."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.axes import Axis
from autostatistician.data.cells import Column, as_times
from autostatistician.data.frames import column_from_array, columns_of, frame_of
from autostatistician.errors import InputError

__all__ = ["has_dates", "positions_of"]


def has_dates(X: Any) -> bool:
    """Whether any column of a frame, series or array holds dates, or text that may stand for some."""
    if isinstance(X, np.ndarray | list | tuple):
        return np.asarray(X).dtype.kind == "M"
    if frame_of(X) is None:
        return False
    return any(isinstance(column.values, tuple) or column.values.dtype.kind == "M" for column in columns_of(X))


def positions_of(X: Any, axis: Axis) -> NDArray[np.float64]:
    """Model positions (n,) of the dates in ``X``: the column of the axis's name, else the first with dates.

    Raises
    ------
    InputError
        When there are none.

    Examples
    --------
    >>> axis = Axis("month", "year", "month", 1 / 12)
    >>> positions_of(np.array(["1949-07"], dtype="M8[M]"), axis).tolist()
    [1949.5]
    """
    columns = columns_of(X) if frame_of(X) is not None else (column_from_array(axis.column, np.asarray(X).reshape(-1)),)
    ranked = sorted(columns, key=lambda column: column.name != axis.column)
    for column in ranked:
        times = _times(column)
        if times is not None:
            return axis.positions(times)
    names = [column.name for column in columns]
    raise InputError.of(f"dates in a column {axis.column!r}", f"the columns {names}", "give the times to predict at")


def _times(column: Column) -> NDArray[np.datetime64] | None:
    found = as_times(column)
    return None if found is None else found.times
