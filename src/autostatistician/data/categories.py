"""The codes that stand for categories in a matrix of inputs.

A code is the place of a level in the list of its column. No order or distance of codes means anything.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from autostatistician.data.arrays import Floats
from autostatistician.data.columns import DataColumn
from autostatistician.data.gaps import EMPTY, INDICATOR, indicator_of
from autostatistician.data.missing import checked_finite
from autostatistician.errors import InputError
from autostatistician.i18n.names import counted, listed

__all__ = ["checked_whole", "coded", "has_categories", "input_matrix"]


def has_categories(X: Any) -> bool:
    """Whether any column of a frame or series holds categories; arrays and lists have none."""
    from autostatistician.data.frames import columns_of

    return any(column.is_category for column in columns_of(X, index=False))


def coded(column: DataColumn, levels: Sequence[str], *, unseen: str = "error") -> Floats:
    """The code of every cell (n,).

    Other cells than the ``levels`` are refused, or ("new") get codes of their own behind those; so are missing ones
    where these are no level.

    >>> coded(DataColumn("size", ("b", "a", "c")), ("a", "b"), unseen="new").tolist()
    [1.0, 0.0, 2.0]
    """
    codes = {None if level == EMPTY else level: code for code, level in enumerate(levels)}
    new = [row for row, text in enumerate(column.texts) if text not in codes]
    if new and unseen == "error":
        raise _unknown(column, new[0], levels)
    return np.array([codes.setdefault(text, len(codes)) for text in column.texts], dtype=np.float64)


def checked_whole(column: DataColumn) -> DataColumn:
    """The same column of categories, when no cell of it is missing."""
    empty = [row for row, text in enumerate(column.texts) if text is None]
    if empty:
        more = f" and in {counted(len(empty) - 1, 'other row')}" if len(empty) > 1 else ""
        gap, remedy = f"nothing in row {empty[0] + 1}{more}", "fill them in or leave such rows out"
        raise InputError.of(f"a category in column {column.name!r} of every row", gap, remedy)
    return column


def _unknown(column: DataColumn, row: int, levels: Sequence[str]) -> InputError:
    cell = column.texts[row]
    value = f"{'nothing' if cell is None else repr(cell[:40])} in row {row + 1}"
    remedy = "leave such rows out, or set unseen='new' to predict it as a category of which nothing is known"
    return InputError.of(f"a category of column {column.name!r} that the data had ({listed(levels)})", value, remedy)


def input_matrix(
    columns: Sequence[DataColumn], names: Sequence[str], levels: Mapping[str, tuple[str, ...]], *,
    unseen: str = "error", incomplete: Collection[str] = (),
) -> Floats:  # fmt: skip
    """Rows of inputs as numbers (m, d) in the order of the names; those with ``levels`` become codes.

    Empty cells of numbers are refused but in ``incomplete`` columns, where they are NaN.
    """
    by_name = {column.name: column for column in columns}
    told = {indicator_of(name): name for name in incomplete if levels.get(indicator_of(name)) == INDICATOR}
    if absent := [name for name in names if told.get(name, name) not in by_name]:
        present = f"only {listed(list(by_name))}"
        raise InputError.of(f"the columns {listed(list(names))}", present, f"add {listed(absent)}")
    gaps = {name: np.isnan(by_name[of].numbers.values).astype(np.float64) for name, of in told.items() if name in names}
    rest = {
        name: _values(by_name[name], levels.get(name), unseen, name in incomplete) for name in names if name not in gaps
    }
    return np.column_stack([(gaps | rest)[name] for name in names])


def _values(column: DataColumn, levels: tuple[str, ...] | None, unseen: str, may_be_empty: bool) -> Floats:
    if levels is not None:
        return coded(column, levels, unseen=unseen)
    numbers = column.as_lengths().numbers
    if numbers.bad:
        remedy = "make numbers of such cells, or leave the column out"
        raise InputError.of(f"numbers in column {column.name!r}", column.first_bad, remedy)
    values = np.asarray(numbers.values)
    checked_finite(np.where(np.isnan(values) & may_be_empty, 0.0, values)[:, None], (column.name,))
    return values
