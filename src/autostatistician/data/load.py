"""Load data of any kind as a `Dataset`: files, examples, frames, series and arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from autostatistician.data.categories import is_category, table_of
from autostatistician.data.cells import Column, Floats, Numbers, as_numbers, as_times
from autostatistician.data.checks import checked_length, checked_size, checked_spread, far_from_zero, remarks
from autostatistician.data.dataset import Dataset, Kind, from_arrays
from autostatistician.data.examples import example, example_bytes, example_names, unknown_example
from autostatistician.data.files.read import RawTable, clean_names, read_cells
from autostatistician.data.missing import unmasked
from autostatistician.data.roles.assignment import Roles, assign_roles, guess_target
from autostatistician.data.roles.column_names import find_column
from autostatistician.data.roles.keys import rows_where
from autostatistician.data.times.decimal_years import TIME_NAMES
from autostatistician.data.times.placing import AxisMode, place_times
from autostatistician.errors import InputError
from autostatistician.wording.lists import counted, listed

__all__ = ["load", "load_example"]

FEW = 0.05  # up to this part of the cells may be unreadable and are left out
MIN_ROWS = 3
HUGE = 1e150  # the squares of larger numbers are infinite in float64


def load(
    data: Any,
    y: Any = None,
    *,
    time: str | None = None,
    target: str | None = None,
    inputs: Sequence[str] | None = None,
    name: str | None = None,
    axis: AxisMode = "calendar",
    where: Mapping[str, object] | None = None,
) -> Dataset:
    """Load data of any kind for modelling.

    Parameters
    ----------
    data : path, "-", name of an example, data frame, series, or array
        A file (CSV, TSV, Parquet, Excel), standard input, a bundled example, a frame or series of pandas, Polars or
        another library (dates as a column or as the index), or an array: of times when ``y`` is given, else of values.
    y : array or series of shape (n,), optional
        The values, when ``data`` holds only the inputs. With several columns of numbers or categories in ``data``
        and no dates, all of them are inputs.
    time, target : str, optional
        Names of the columns; guessed and said when left out. Where no column orders the rows in time, and there are
        others of numbers or categories beside the target, those are the inputs.
    inputs : sequence of str, optional
        Names of the columns that explain the target, of numbers or categories, instead of a time; ``["*"]`` for all
        others.
    name : str, optional
        Name of the data set.
    axis : {"calendar", "raw"}
        Whether numbers that are decimal years become a calendar axis, or stay exactly as they are.
    where : mapping of column to value, optional
        Use only the rows in which these columns hold these values: one series of a table with several of them under
        each other.

    Returns
    -------
    Dataset
        Sorted by time (of several inputs: as they came), float64; ``warnings`` lists in plain sentences all that was
        guessed, dropped or changed (``choice``, the first, what was chosen where more was possible), ``levels`` the
        categories behind the codes of such columns.

    Raises
    ------
    InputError
        When the data cannot be used: one line with what was expected, what was found and what to do.

    Notes
    -----
    Equal times with different values are kept. Rows equal in time and value are kept on number axes and left out,
    all but one, where times are dates: there they are copies, not measurements.

    Examples
    --------
    >>> data = load({"month": ["1949-01", "1949-02", "1949-03"], "sales": [1.0, 2.0, 4.0]})
    >>> data
    Dataset 'data': 3 rows of 'sales' over 'month' (month, 1949-01-01 to 1949-03-01)
    """
    if axis not in ("calendar", "raw"):
        raise InputError.of("axis='calendar' or axis='raw'", f"axis={axis!r}", "choose one of them")
    if isinstance(data, Dataset):
        return data
    if isinstance(data, str | Path) and _is_example(data):
        return load_example(str(data))
    table = _table(data, y, target)
    if isinstance(table, Dataset):
        return table
    if target is None:
        target = y if isinstance(y, str) else table.target
    raw = _chosen_rows(table.raw, where)
    if inputs is not None:
        return _in_order(_with_inputs(raw, name or raw.name, inputs, time, target))
    if not raw.columns or raw.columns[0].size == 0:
        raise InputError.of("a table with rows", "a table without rows", "give a table with data")
    roles = assign_roles(raw.columns, time, target, raw.comma)
    with np.errstate(over="ignore", invalid="ignore"):  # numbers beyond float64 are infinite, and left out below
        if roles.inputs:
            notes = (*raw.notes, *roles.notes)
            found = _in_order(table_of(roles.inputs, roles.target, name=name or raw.name, notes=notes, comma=raw.comma))
        else:
            found = _assembled(raw, name or raw.name, roles, axis)
    if found.n < MIN_ROWS:
        raise InputError.of(f"at least {MIN_ROWS} whole rows of a table", f"{found.n}", "give more data")
    said = tuple(dict.fromkeys(filter(None, (roles.choice, *found.warnings))))
    return replace(found, choice=roles.choice, warnings=said)


@dataclass(frozen=True, eq=False)
class _Source:
    raw: RawTable
    target: str | None = None  # known without asking, because the values came apart from the inputs


def load_example(name: str) -> Dataset:
    """A bundled series, ready for modelling.

    Raises
    ------
    InputError
        When there is no example of that name.

    Examples
    --------
    >>> load_example("airline")
    Dataset 'airline': 144 rows of 'passengers' over 'month' (month, 1949-01-01 to 1960-12-01)
    """
    chosen = example(name)
    data = load(BytesIO(example_bytes(name)), time=chosen.time, target=chosen.target, name=name)
    return replace(data, warnings=tuple(note for note in data.warnings if "holds years" not in note))


def _is_example(data: str | Path) -> bool:
    return str(data) in example_names() and not Path(data).exists()


def _table(data: Any, y: Any, target: str | None) -> _Source | Dataset:
    if isinstance(data, str | Path) or hasattr(data, "read"):
        return _Source(_read(data))
    import narwhals.stable.v2 as nw

    from autostatistician.data.frames import columns_of, frame_of

    data = _as_frame(data)
    view = frame_of(data)
    checked_length(data if view is None else view)
    columns = columns_of(data) if view is not None else _array_columns(data, has_y=_is_values(y))
    if not _is_values(y):
        is_series = len(columns) <= 2 and isinstance(frame_of(data), nw.Series)
        return _Source(_named(columns), columns[-1].name if is_series else None)
    values = _values_column(y, target, columns)
    if len(columns) > 1 and all(isinstance(c.values, np.ndarray) and c.values.dtype.kind == "f" for c in columns):
        inputs = np.column_stack([np.asarray(column.values, dtype=np.float64) for column in columns])
        levels = {column.name: column.levels for column in columns if column.levels}
        names = tuple(column.name for column in columns)
        return from_arrays(inputs, as_numbers(values).values, names, target=values.name, levels=levels)
    if _is_table(columns):  # the names of the rows say nothing about other rows
        return table_of(columns_of(data, index=False) if frame_of(data) is not None else columns, values)
    return _Source(_named((*columns, values)), values.name)


def _is_table(columns: tuple[Column, ...]) -> bool:
    """Whether there are categories among the columns and no times: no series, then."""
    if not any(is_category(column) for column in columns) or any(_is_times(column) for column in columns):
        return False
    return len(columns) > 1 or bool(columns[0].levels) or columns[0].name.strip().lower() not in TIME_NAMES


def _is_times(column: Column) -> bool:
    if column.levels:
        return False
    return column.values.dtype.kind == "M" if isinstance(column.values, np.ndarray) else as_times(column) is not None


def _is_values(y: Any) -> bool:
    return y is not None and not isinstance(y, str)


def _read(data: Any) -> RawTable:
    path = Path(data) if isinstance(data, str) and data != "-" else None
    if path is not None and not path.exists() and path.suffix == "" and len(path.parts) == 1:
        raise unknown_example(str(data))
    return read_cells(data)


def _as_frame(data: Any) -> Any:
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
        found = f"an array of shape {array.shape} and type {array.dtype}"
        raise InputError.of("data of shape (n,) or (n, d)", found, "give a path, a frame or an array of numbers")
    return array


def _array_columns(data: Any, *, has_y: bool) -> tuple[Column, ...]:
    from autostatistician.data.frames import column_from_array

    array = _array(data)
    array = array[:, None] if array.ndim == 1 else array
    if has_y:
        names = ["x"] if array.shape[1] == 1 else [f"x{k + 1}" for k in range(array.shape[1])]
    else:
        names = {1: ["y"], 2: ["x", "y"]}.get(array.shape[1]) or [f"column{k + 1}" for k in range(array.shape[1])]
    return tuple(column_from_array(name, array[:, k]) for k, name in enumerate(names))


def _values_column(y: Any, target: str | None, columns: tuple[Column, ...]) -> Column:
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
        found = f"{columns[0].size} and {values.size} rows"
        raise InputError.of("inputs and values of the same length", found, "give one value for each row")
    return replace(values, name=name)


def _named(columns: tuple[Column, ...]) -> RawTable:
    names, said = clean_names([column.name for column in columns])
    renamed = tuple(replace(column, name=name) for name, column in zip(names, columns, strict=True))
    return RawTable(renamed, "data", False, said)


# --- from columns to a data set ------------------------------------------------------------------------------------


def _chosen_rows(table: RawTable, where: Mapping[str, object] | None) -> RawTable:
    if not where:
        return table
    columns, said = rows_where(table.columns, where)
    return replace(table, columns=columns, notes=(*said, *table.notes))


def _with_inputs(table: RawTable, name: str, inputs: Sequence[str], time: str | None, target: str | None) -> Dataset:
    """A data set of the columns that are named as inputs; the target is guessed among the others if it must be."""
    if time is not None:
        raise InputError.of("a time or inputs", "both", f"add {time!r} to the inputs as a number, or leave it out")
    if isinstance(inputs, str):
        raise InputError.of("inputs as a list of names", repr(inputs), f"write [{inputs!r}]")
    named = [] if list(inputs) == ["*"] else [find_column(table.columns, one, "inputs") for one in inputs]
    rest = tuple(column for column in table.columns if all(column is not one for one in named))
    notes: tuple[str, ...] = ()
    if target is None:
        if not rest:
            raise InputError.of("a column to model besides the inputs", "none", "name fewer inputs")
        chosen = guess_target(rest, table.comma)
        notes = (f"Column {chosen.name!r} is modelled.",)
    else:
        chosen = find_column(table.columns, target, "target")
    if any(column is chosen for column in named):
        raise InputError.of("different columns for inputs and target", f"{chosen.name!r} for both", "name others")
    if not named:
        named, dated = _without_times([column for column in table.columns if column is not chosen])
        notes = (*notes, *dated)
    return table_of(named, chosen, name=name, notes=(*table.notes, *notes), comma=table.comma)


def _in_order(data: Dataset) -> Dataset:
    """A curve in the order of its places, like every series that is read; a table as it came."""
    if data.kind is Kind.TABLE:
        return data
    order = np.argsort(data.x, kind="stable")
    return replace(data, X=data.X[order], y=data.y[order], shuffled=bool(np.any(np.diff(order) < 0)))


def _without_times(columns: list[Column]) -> tuple[list[Column], tuple[str, ...]]:
    """The columns that are no dates, which explain nothing by themselves, and a sentence on the others."""
    dated = [column for column in columns if not column.levels and as_times(column) is not None]
    said = (f"Not used, because they hold times: {listed([column.name for column in dated])}.",) if dated else ()
    return [column for column in columns if all(column is not one for one in dated)], said


def _assembled(table: RawTable, name: str, roles: Roles, mode: AxisMode) -> Dataset:
    numbers = _target_numbers(roles.target, table.comma)
    usable, dropped = _usable_values(numbers, roles.target)
    placed, kept = place_times(roles.time, usable, mode, table.comma)
    if kept.sum() < MIN_ROWS:
        why = (note for note in (*placed.notes, *dropped) if "left out" in note)
        found = f"{int(kept.sum())} of {kept.size} ({' '.join(why).rstrip('.')})".replace(" ()", "")
        raise InputError.of(f"at least {MIN_ROWS} rows with a time and a value", found, "give more data")
    x, y = placed.x, numbers.values[kept]
    x, y, ordering = _ordered(x, y, placed.axis.is_calendar)
    if x[0] == x[-1]:
        raise InputError.of("at least two different times", "only one", f"check column {placed.axis.column!r}")
    checked_spread(x[:, None], (placed.axis.column,))
    offset, said = far_from_zero(y)
    notes = (*table.notes, *roles.notes, *placed.notes, *numbers.notes, *dropped, *ordering, *said)
    notes = (*notes, *remarks(y, roles.target.name), *checked_size(y, offset, roles.target.name))
    return Dataset(
        x[:, None], y - offset, (placed.axis.column,), roles.target.name, placed.axis, name, offset,
        tuple(dict.fromkeys(notes)),
    )  # fmt: skip


def _target_numbers(column: Column, comma: bool) -> Numbers:
    numbers = as_numbers(column, comma=comma)
    if len(numbers.bad) > FEW * max(column.size - numbers.missing, 1):
        row = numbers.bad[0]
        found = f"{column.text(row)!r} in row {row + 1} ({len(numbers.bad)} cells are not numbers)"
        raise InputError.of(f"numbers in column {column.name!r}", found, "clean the column, or name another target")
    return numbers


def _usable_values(numbers: Numbers, column: Column) -> tuple[np.ndarray[Any, np.dtype[np.bool_]], tuple[str, ...]]:
    """Which rows have a finite value, and a sentence on the others."""
    notes = []
    if numbers.missing:
        notes.append(f"{counted(numbers.missing, 'row')} without a value in column {column.name!r} left out.")
    if numbers.bad:
        row = numbers.bad[0]
        cells = f"{counted(len(numbers.bad), 'row')} without a number in column {column.name!r} left out"
        notes.append(f"{cells} (the first is {column.text(row)!r} in row {row + 1}).")
    infinite = int((np.abs(numbers.values) > HUGE).sum())
    if infinite:
        kind = "an infinite value" if np.isinf(numbers.values).any() else "a value beyond 1e150"
        notes.append(f"{counted(infinite, 'row')} with {kind} in column {column.name!r} left out.")
    return np.abs(numbers.values) <= HUGE, tuple(notes)


def _ordered(x: Floats, y: Floats, dates: bool) -> tuple[Floats, Floats, tuple[str, ...]]:
    """Sort by time; of rows equal in date and value only one is kept; other repeated times are counted."""
    notes = []
    steps = np.diff(x)
    if np.any(steps < 0):
        notes.append("The rows ran backwards in time and were turned round." if np.all(steps <= 0) else
                     "The rows were not in the order of time and were sorted.")  # fmt: skip
    order = np.argsort(x, kind="stable")
    x, y = x[order], y[order]
    if dates and np.any(np.diff(x) == 0):
        first = np.sort(np.unique(np.column_stack([x, y]), axis=0, return_index=True)[1])
        if first.size < x.size:
            notes.append(f"{counted(x.size - first.size, 'row')} with the date and value of another row left out.")
        x, y = x[first], y[first]
    repeated = int(np.sum(np.diff(x) == 0))
    repeat = "1 row repeats" if repeated == 1 else f"{repeated} rows repeat"
    if repeated:
        notes.append(f"{repeat} a date with another value; all are kept." if dates else
                     f"{repeat} an earlier position; all are kept.")  # fmt: skip
    return x, y, tuple(notes)
