"""Columns found by the names that users give."""

from __future__ import annotations

from difflib import get_close_matches

from autostatistician.data.columns import DataColumn
from autostatistician.errors import InputError
from autostatistician.wording.lists import listed

__all__ = ["find_column"]


def find_column(columns: tuple[DataColumn, ...], name: str, role: str) -> DataColumn:
    """The column of that name; upper and lower case are told apart only where needed."""
    for fold in (str, str.lower):
        for column in columns:
            if fold(column.name) == fold(str(name).strip()):
                return column
    names = [column.name for column in columns]
    close = get_close_matches(str(name), names, n=1)
    remedy = f"did you mean {close[0]!r}?" if close else "name one of these"
    raise InputError.of(f"a column {str(name)!r} for the {role}", f"the columns {listed(names)}", remedy)
