"""Lengths of time as text, such as 1:02:33 or 1h 05m, as numbers."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from autostatistician.data.columns import DataColumn, DataTable, find_column
from autostatistician.data.roles.profiles import Profile
from autostatistician.data.times.forms import NAMES
from autostatistician.i18n.messages import Number, message, note

__all__ = ["as_lengths", "with_lengths"]

_DAYS = r"^P?(?:(?P<d>\d+) ?(?:d|days?|tage?|j|jours?|días?)(?![^\W\dT]),? ?)?(?:(?<=[PD])T)?"
_CLOCK = re.compile(_DAYS + r"(?:(?P<h>\d+):)?(?P<m>\d+):(?P<s>[0-5]\d(?:\.\d+)?)$", re.IGNORECASE)
_LETTERS = re.compile(
    _DAYS + r"(?:(?P<h>\d+) ?(?:h(?:(?:ou)?rs?|eures?|oras?)?|std\.?|stunden?|ore),? ?)?"
    r"(?:(?P<m>\d+) ?(?:m(?:n|ins?|in\.|inut\w+)?|'|$),? ?)?(?:(?P<s>\d+(?:\.\d+)?) ?(?:s(?:ecs?|ec\w+|ek\w*)?\.?|\"))?$",
    re.IGNORECASE,
)
SECONDS = {"d": 86_400.0, "h": 3_600.0, "m": 60.0, "s": 1.0}
HOURS_OF_DAY = 24
OF_SECONDS = message("Durations such as {cell} in column {name} were read in seconds: it is {number}.")
OF_MINUTES = message("Durations such as {cell} in column {name} were read in minutes: it is {number}.")


def with_lengths(table: DataTable, target: str | None) -> DataTable:
    """The table with numbers for the lengths of time in its target; where none is named and no column has numbers, in
    all columns that are not called times of the clock.

    >>> with_lengths(DataTable((DataColumn("run", ("1:02:33", "59:10")),)), None).columns[0].numbers.values.tolist()
    [3753.0, 3550.0]
    """
    if target is not None:
        named = find_column(table.columns, target, "target")
        columns = tuple(as_lengths(column) if column is named else column for column in table.columns)
    elif any(column.is_numeric for column in table.columns):
        return table
    else:
        clocks = NAMES["clock"] | NAMES["h"]
        columns = tuple(
            as_lengths(each) if clocks.isdisjoint(Profile(each).words) else each for each in table.columns
        )
    return table if columns == table.columns else replace(table, columns=columns)


def as_lengths(column: DataColumn) -> DataColumn:
    """A column of lengths of time as numbers, with a sentence on their unit; any other as it is.

    The unit is seconds, but minutes where no seconds are written. Two numbers as in 5:32 are hours and minutes where
    the first have two digits and are hours of a day, else minutes and seconds.

    >>> as_lengths(DataColumn("run", ("1h 05m", "2h"))).numbers.values.tolist()
    [65.0, 120.0]
    """
    if not isinstance(column.values, tuple) or column.is_numeric:
        return column
    there = {k: cell for k, cell in enumerate(column.texts) if cell is not None}
    found = {k: _CLOCK.match(cell) or _LETTERS.match(cell) for k, cell in there.items() if not cell.isdecimal()}
    matches = {k: match for k, match in found.items() if match is not None and any(match.groupdict().values())}
    if not matches or len(matches) < len(there):
        return column
    pairs = [match["m"] for match in matches.values() if match.re is _CLOCK and match["h"] is None]
    hours = len(pairs) == len(matches) and all(len(first) == 2 and int(first) < HOURS_OF_DAY for first in pairs)
    unit = 60.0 if hours or not any(match["s"] for match in matches.values()) else 1.0
    values = np.full(column.size, np.nan)
    for k, match in matches.items():
        seconds = sum(float(number) * SECONDS[part] for part, number in match.groupdict().items() if number)
        values[k] = seconds if hours else seconds / unit  # 05:32 in hours and minutes: as many minutes as else seconds
    first = next(iter(matches))
    told = {"cell": repr(there[first]), "name": repr(column.name), "number": Number(values[first], "g")}
    said = note(OF_MINUTES if unit > 1.0 else OF_SECONDS, **told)
    return replace(column, values=values, notes=(*column.notes, said))
