"""Columns of categories: which columns are such, their levels, and the codes that stand for them in a matrix.

A code is the place of a level in the list of its column. No order or distance of codes means anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.cells import Column, as_numbers, as_times, is_missing
from autostatistician.data.checks import remarks as remarks_on
from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.data.missing import checked_finite
from autostatistician.errors import InputError
from autostatistician.wording.lists import counted, listed

__all__ = ["UNSEEN", "checked_whole", "coded", "has_categories", "input_matrix", "is_category", "levels_of", "table_of"]

Floats = NDArray[np.float64]

UNSEEN = ("error", "new")
TRUTH = ("true", "false", "yes", "no")
FEW = 0.05  # up to this part of the cells of a column of numbers may be unreadable; their rows are left out


def is_category(column: Column) -> bool:
    """Whether a column holds categories: it says so (its ``levels``), or it is text that means no numbers or times.

    >>> is_category(Column("colour", ("red", "blue"))), is_category(Column("size", ("1,5", "2,0")))
    (True, False)
    """
    if column.levels:
        return True
    if not isinstance(column.values, tuple):
        return False
    if as_numbers(column).share >= 1.0 - FEW:
        return all(text is None or text.lower() in TRUTH for text in _texts(column))
    return as_times(column, share=0.5) is None


def has_categories(X: Any) -> bool:
    """Whether any column of a frame or series holds categories; arrays and lists have none."""
    from autostatistician.data.frames import columns_of, frame_of

    return frame_of(X) is not None and any(is_category(column) for column in columns_of(X, index=False))


def levels_of(column: Column) -> tuple[str, ...]:
    """The levels that occur, in the order that the column states, else sorted.

    >>> levels_of(Column("size", ("small", "large", None, "small")))
    ('large', 'small')
    """
    present = {text for text in _texts(column) if text is not None}
    known = tuple(level for level in column.levels if level in present)
    return known or tuple(sorted(present))


def coded(column: Column, levels: Sequence[str], *, unseen: str = "error") -> Floats:
    """The code of every cell (n,).

    Parameters
    ----------
    column : Column
    levels : sequence of str
    unseen : {"error", "new"}
        What to do with other cells, missing ones among them: refuse, or give each a code of its own behind the known.

    Raises
    ------
    InputError
        When a cell is not among the levels, unless such cells are to be new.

    Examples
    --------
    >>> coded(Column("size", ("b", "a", "c")), ("a", "b"), unseen="new").tolist()
    [1.0, 0.0, 2.0]
    """
    codes: dict[str | None, int] = {level: code for code, level in enumerate(levels)}
    found = []
    for row, text in enumerate(_texts(column)):
        if text not in codes:
            if unseen == "error":
                raise _unknown(column, row, levels)
            codes[text] = len(codes)
        found.append(codes[text])
    return np.array(found, dtype=np.float64)


def checked_whole(column: Column) -> Column:
    """The same column of categories, when no cell of it is missing.

    Raises
    ------
    InputError
        When one is.
    """
    empty = [row for row, text in enumerate(_texts(column)) if text is None]
    if empty:
        more = f" and in {counted(len(empty) - 1, 'other row')}" if len(empty) > 1 else ""
        found, remedy = f"nothing in row {empty[0] + 1}{more}", "fill them in or leave such rows out"
        raise InputError.of(f"a category in column {column.name!r} of every row", found, remedy)
    return column


def _unknown(column: Column, row: int, levels: Sequence[str]) -> InputError:
    cell = _texts(column)[row]
    found = f"{'nothing' if cell is None else repr(cell[:40])} in row {row + 1}"
    remedy = "leave such rows out, or set unseen='new' to predict it as a category of which nothing is known"
    return InputError.of(f"a category of column {column.name!r} that the data had ({listed(levels)})", found, remedy)


def _texts(column: Column) -> tuple[str | None, ...]:
    """The cells as text without blanks around them; None where they are missing."""
    values = column.values
    if isinstance(values, tuple):
        return tuple(None if cell is None or is_missing(cell) else cell.strip() for cell in values)
    if len(column.levels) == 2 and values.dtype.kind == "f":  # truth values
        return tuple(None if np.isnan(value) else column.levels[int(value != 0)] for value in values)
    return tuple(None if value != value else f"{value:g}" for value in values)


def table_of(
    columns: Sequence[Column], target: Column, *, name: str = "data", notes: tuple[str, ...] = (), comma: bool = False
) -> Dataset:
    """A data set of several inputs, some of them categories, without a time axis; rows stay in their order.

    Rows with a missing cell are left out, and that is said.

    Raises
    ------
    InputError
        When a column of numbers holds something else, or no row is whole.

    Examples
    --------
    >>> size, colour = Column("size", np.array([1.0, 2.0, 3.0])), Column("colour", ("red", "blue", "red"))
    >>> data = table_of([size, colour], Column("price", np.array([5.0, 6.0, 8.0])))
    >>> data.X.tolist(), data.levels
    ([[1.0, 1.0], [2.0, 0.0], [3.0, 1.0]], {'colour': ('blue', 'red')})
    """
    if not columns:
        raise InputError.of("columns to explain the target with", "none", "name them as inputs")
    levels = {column.name: levels_of(column) for column in columns if is_category(column)}
    inputs, said = [], list(notes)
    for column in columns:
        if column.name in levels:
            missing = [text is None for text in _texts(column)]
            known = coded(column, levels[column.name], unseen="new")
            inputs.append(np.where(missing, np.nan, known))
        else:
            numbers, remarks = _numbers(column, comma)
            inputs.append(numbers)
            said += remarks
    values, remarks = _numbers(target, comma)
    names = tuple(column.name for column in columns)
    found = from_arrays(np.column_stack(inputs), values, names, target=target.name, name=name, levels=levels)
    of_target = remarks_on(found.y, target.name)
    return replace(found, warnings=tuple(dict.fromkeys([*said, *remarks, *of_target, *found.warnings])))


def _numbers(column: Column, comma: bool) -> tuple[Floats, tuple[str, ...]]:
    numbers = as_numbers(column, comma=comma)
    if len(numbers.bad) > FEW * max(column.size - numbers.missing, 1):
        row = numbers.bad[0]
        found = f"{column.text(row)!r} in row {row + 1} ({counted(len(numbers.bad), 'such cell')})"
        raise InputError.of(f"numbers in column {column.name!r}", found, "clean the column, or leave it out")
    return numbers.values, numbers.notes


def input_matrix(
    columns: Sequence[Column],
    names: Sequence[str],
    levels: Mapping[str, tuple[str, ...]],
    *,
    unseen: str = "error",
) -> Floats:
    """Rows of inputs as numbers (m, d) in the order of the names; those with ``levels`` become codes.

    Raises
    ------
    InputError
        When a column is missing, a cell of numbers is empty, or a category is not among those of the data.
    """
    by_name = {column.name: column for column in columns}
    if absent := [name for name in names if name not in by_name]:
        found = f"only {listed(list(by_name))}"
        raise InputError.of(f"the columns {listed(list(names))}", found, f"add {listed(absent)}")
    return np.column_stack([_values(by_name[name], levels.get(name), unseen) for name in names])


def _values(column: Column, levels: tuple[str, ...] | None, unseen: str) -> Floats:
    if levels is not None:
        return coded(column, levels, unseen=unseen)
    numbers = as_numbers(column)
    if numbers.bad:
        found = f"{column.text(numbers.bad[0])!r} in row {numbers.bad[0] + 1}"
        remedy = "make numbers of such cells, or leave the column out"
        raise InputError.of(f"numbers in column {column.name!r}", found, remedy)
    return checked_finite(numbers.values[:, None], (column.name,))[:, 0]
