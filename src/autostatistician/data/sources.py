"""What users hand over as a table (files, frames, series, mappings, arrays), with the values beside it or in it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from autostatistician.data.columns import DataColumn, DataTable
from autostatistician.data.examples import unknown_example
from autostatistician.data.files.read import clean_names, read_cells
from autostatistician.data.known_errors import without_marks
from autostatistician.data.missing import unmasked
from autostatistician.data.row_limits import check_length
from autostatistician.data.times.forms import TIME_NAMES
from autostatistician.errors import InputError

__all__ = ["TableSource", "as_frame", "read_source"]


@dataclass(frozen=True, eq=False)
class TableSource:
    """A table, and the name of its target where that is known without asking: the values came apart, or alone.

    Of values that came apart from columns without times, all these are ``inputs``.
    """

    table: DataTable
    target: str | None = None
    inputs: bool = False


def read_source(data: Any, y: Any = None, target: str | None = None) -> TableSource:
    """The table that some data are.

    >>> source = read_source(np.array([1.0, 2.0]), np.array([5.0, 6.0]), "sales")
    >>> [column.name for column in source.table.columns], source.target
    (['x', 'sales'], 'sales')
    """
    if isinstance(data, DataTable):
        return TableSource(data)
    if isinstance(data, str | Path) or callable(getattr(data, "read", None)):  # a column of a frame may be called so
        return TableSource(_read(data))
    import narwhals.stable.v2 as nw

    from autostatistician.data.frames import columns_of, frame_of

    data = as_frame(data)
    view = frame_of(data)
    check_length(data if view is None else view)
    columns = columns_of(data) if view is not None else _array_columns(data, has_y=_is_values(y))
    if not _is_values(y):
        is_series = len(columns) <= 2 and isinstance(view, nw.Series)
        return TableSource(_named(columns), columns[-1].name if is_series else None)
    values = without_marks(_values_column(y, target, columns))
    if is_grouped := _are_categories(columns):  # the names of the rows say nothing about other rows
        columns = columns if view is None else columns_of(data, index=False)
    are_numbers = all(isinstance(c.values, np.ndarray) and c.values.dtype.kind == "f" for c in columns)
    inputs = is_grouped or (are_numbers and len(columns) > 1)
    return TableSource(_named((*columns, values)), values.name, inputs)


def _are_categories(columns: tuple[DataColumn, ...]) -> bool:
    """Whether there are categories among the columns and no times: no series, then."""
    if not any(column.is_category for column in columns) or any(column.is_dated for column in columns):
        return False
    return len(columns) > 1 or bool(columns[0].levels) or columns[0].name.strip().lower() not in TIME_NAMES


def _is_values(y: Any) -> bool:
    return y is not None and not isinstance(y, str)


def _read(data: Any) -> DataTable:
    path = Path(data) if isinstance(data, str) and data != "-" else None
    if path is not None and not path.exists() and path.suffix == "" and len(path.parts) == 1:
        raise unknown_example(str(data))
    return read_cells(data)


def as_frame(data: Any) -> Any:
    """Mappings, and lists of them, become a frame; all else is returned as it is."""
    is_rows = isinstance(data, list) and bool(data) and all(isinstance(row, dict) for row in data)
    if not isinstance(data, dict) and not is_rows:
        return data
    import pandas as pd

    try:
        return pd.DataFrame(data)
    except OverflowError:  # of older pandas
        raise InputError.of("numbers", "integers too large for any", "give them in another unit") from None
    except (ValueError, TypeError) as error:
        raise InputError.of("columns of equal length", str(error), "give one list of values for each column") from None


def _array(data: Any) -> np.ndarray[Any, np.dtype[Any]]:
    try:
        array = np.asarray(unmasked(data))
    except (ValueError, TypeError):
        raise InputError.of("an array of shape (n,) or (n, d)", "rows of different length", "even them out") from None
    if array.ndim not in (1, 2) or array.dtype.kind not in "biufMOUS":
        shape = f"an array of shape {array.shape} and type {array.dtype}"
        raise InputError.of("data of shape (n,) or (n, d)", shape, "give a path, a frame or an array of numbers")
    return array


def _array_columns(data: Any, *, has_y: bool) -> tuple[DataColumn, ...]:
    from autostatistician.data.frames import column_from_array

    array = _array(data)
    array = array[:, None] if array.ndim == 1 else array
    if has_y:
        names = ["x"] if array.shape[1] == 1 else [f"x{k + 1}" for k in range(array.shape[1])]
    else:
        names = {1: ["y"], 2: ["x", "y"]}.get(array.shape[1]) or [f"column{k + 1}" for k in range(array.shape[1])]
    return tuple(column_from_array(name, array[:, k]) for k, name in enumerate(names))


def _values_column(y: Any, target: str | None, columns: tuple[DataColumn, ...]) -> DataColumn:
    from autostatistician.data.frames import column_from_array, columns_of, frame_of

    if frame_of(y) is not None:
        values = columns_of(y)[-1]
    else:
        array = _array(y)
        if array.ndim == 2 and array.shape[1] != 1:
            remedy = "give one column, or use MultiOutputGPRegressor"
            raise InputError.of("y of shape (n,)", f"the shape {array.shape}", remedy)
        values = column_from_array("y", array.reshape(-1))
    name = target or values.name
    name = f"{name} (values)" if any(column.name == name for column in columns) else name
    if columns and values.size != columns[0].size:
        sizes = f"{columns[0].size} and {values.size} rows"
        raise InputError.of("inputs and values of the same length", sizes, "give one value for each row")
    return values.renamed(name)


def _named(columns: tuple[DataColumn, ...]) -> DataTable:
    names, said = clean_names([column.name for column in columns])
    renamed = tuple(column.renamed(name) for name, column in zip(names, columns, strict=True))
    return DataTable(renamed, "data", said)
