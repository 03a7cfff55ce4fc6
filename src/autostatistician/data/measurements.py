"""A table as measurements of its rows, none of which is the target: the columns of numbers, and the whole rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import numpy as np

from autostatistician.data.arrays import Floats, Rows
from autostatistician.data.columns import DataColumn, find_column
from autostatistician.data.examples import example_bytes, example_names
from autostatistician.data.gaps import NEARLY_EMPTY
from autostatistician.data.missing import said_of_rows
from autostatistician.data.roles.profiles import Profile
from autostatistician.data.sources import read_source
from autostatistician.data.table_layouts import with_lengths
from autostatistician.errors import InputError
from autostatistician.i18n.messages import message, note
from autostatistician.i18n.names import listed

__all__ = ["Measurements", "read_table"]

FEWEST_ROWS = 5
MOST_ROWS = 2000  # each sweep of a chain takes time that grows with their number cubed


@dataclass(frozen=True, eq=False)
class Measurements:
    """Rows (n, d) of numbers, where in the table they stand (counted from 1), and what was left out, in sentences."""

    rows: Floats
    columns: tuple[str, ...]
    numbers: Rows
    name: str = "data"
    notes: tuple[str, ...] = ()


def read_table(data: Any, columns: Sequence[str] | None = None) -> Measurements:
    """The columns of numbers of a file, frame or array, and the rows that are whole in them.

    Without names all columns of numbers are taken that vary and do not just count the rows.

    Raises
    ------
    InputError
        When there is no such column, a named one is not of numbers, or too few or too many rows are whole.

    Examples
    --------
    >>> table = {"size": [1.0, 2.0, 4.0, 3.0, 9.0, 5.0], "colour": list("rgbrgb"), "row": [1, 2, 3, 4, 5, 6]}
    >>> found = read_table(table)
    >>> found.columns, found.notes
    (('size',), ("Column 'colour' is left out: it holds text.", "Column 'row' is left out: it counts the rows."))
    """
    example = isinstance(data, str) and data in example_names()
    table = read_source(BytesIO(example_bytes(data)) if example else data).table
    there = with_lengths(table, None).columns
    chosen, said = _measured(there) if columns is None else _named(there, columns)
    values = np.column_stack([column.numbers.values for column in chosen])
    whole = np.isfinite(values).all(axis=1)
    count = int(whole.sum())
    if count < FEWEST_ROWS:
        raise InputError.of(f"at least {FEWEST_ROWS} whole rows", f"{count}", "give more data, or fewer columns")
    if count > MOST_ROWS:
        raise InputError.of(f"at most {MOST_ROWS} rows", f"{count}", "draw some of the rows by chance")
    notes = (*table.notes, *(told for column in chosen for told in column.numbers.notes), *said)
    odd = any(column.numbers.bad or np.isinf(column.numbers.values).any() for column in chosen)
    cells = note("empty, unreadable or infinite cells") if odd else note("empty cells")
    notes += said_of_rows(table.size - count, message("{rows} with {cells} left out."), cells=cells)
    rows, names = values[whole], tuple(column.name for column in chosen)
    if constant := [name for name, spread in zip(names, np.ptp(rows, axis=0), strict=True) if spread == 0.0]:
        unvarying = f"one value alone in {listed(constant)} of the whole rows"
        raise InputError.of("columns that vary", unvarying, "leave such columns out of --columns")
    name = data if example else table.name
    return Measurements(rows, names, np.flatnonzero(whole) + 1, name, tuple(dict.fromkeys(notes)))


def _named(columns: tuple[DataColumn, ...], names: Sequence[str]) -> tuple[list[DataColumn], tuple[str, ...]]:
    chosen = [find_column(columns, name, "clusters") for name in dict.fromkeys(names)]
    for column in chosen:
        if why := _unfit(column):
            raise InputError.of(f"numbers in column {column.name!r}", f"that {why}", "leave it out of --columns")
    return chosen, ()


def _measured(columns: tuple[DataColumn, ...]) -> tuple[list[DataColumn], tuple[str, ...]]:
    """The columns that measure something, and why others do not."""
    reasons = [(column, _unfit(column) or _idle(column)) for column in columns]
    chosen = [column for column, why in reasons if not why]
    if not chosen:
        names = listed([column.name for column in columns])
        raise InputError.of("a column of numbers that vary", f"none among {names}", "give a table with measurements")
    return chosen, tuple(
        note("Column {name} is left out: {why}.", name=repr(column.name), why=why) for column, why in reasons if why
    )


def _unfit(column: DataColumn) -> str:
    """What a column holds instead of numbers."""
    if Profile(column).is_empty:
        return note("it is empty")
    is_dated = isinstance(column.values, tuple) or column.values.dtype.kind == "M"
    if is_dated and column.times is not None and not column.is_category:
        return note("it holds dates")
    return note("it holds text") if column.is_category or column.has_bad_numbers else ""


def _idle(column: DataColumn) -> str:
    if column.numbers.missing > NEARLY_EMPTY * column.size:
        return note("most of its cells are empty")
    if not Profile(column).varies:
        return note("it never varies")
    return note("it counts the rows") if Profile(column).counts_rows else ""
