"""A table as it was read: columns of cells, each of which is parsed once, when it is first asked what it means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from autostatistician.data.arrays import Floats, Rows, Times
from autostatistician.data.measured import Measured
from autostatistician.data.missing import is_missing, is_missing_category
from autostatistician.data.numbers import TRUTH, ParsedNumbers, parse_lengths, parse_numbers
from autostatistician.data.scales import in_their_order
from autostatistician.data.times.dates import HALF, ParsedTimes, parse_times
from autostatistician.data.times.numeric_times import counted_times, written_times
from autostatistician.errors import InputError
from autostatistician.i18n.messages import Number, message, note, note_count
from autostatistician.i18n.names import did_you_mean, listed
from autostatistician.i18n.numbers import as_written

__all__ = ["DataColumn", "DataTable", "Floats", "Times", "checked_numbers", "find_column", "place_of"]

BAD_CELLS = 0.05  # up to this part of the cells of a column may be unreadable; their rows are left out
LENGTHS = {  # by their unit
    1.0: message("Durations such as {cell} in column {name} were read in seconds: it is {number}."),
    60.0: message("Durations such as {cell} in column {name} were read in minutes: it is {number}."),
}
ERA_NAME = re.compile("民[國国]")  # of the Republic of China, in the name of a column of its years
LONGEST_QUOTE = 40  # characters of a cell in a message


@dataclass(frozen=True, eq=False)
class DataColumn:
    """One column: times (datetime64), numbers (float64, NaN missing) or text (a tuple of cells, None missing).

    What its cells mean (`numbers`, `times`, `texts`, `categories`) is worked out at the first question and kept.

    >>> DataColumn("size", ("1.234,5", "?", "7,25")).numbers.values.tolist()
    [1234.5, nan, 7.25]
    """

    name: str
    values: Times | Floats | tuple[str | None, ...]
    notes: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()  # of a column that says itself that it holds categories
    order: str = ""  # of day and month where it is settled ("DMY", "MDY") or usual in the language ("dmy", "mdy")
    points: bool = False  # other columns of the file show that points separate thousands
    comma: bool = False  # the file shows that commas are decimal commas
    measured: Measured | None = None  # what is known of the errors of its numbers

    @property
    def size(self) -> int:
        """The number of rows."""
        return len(self.values)

    def text(self, row: int) -> str:
        """A cell as text, for messages: at most 40 characters."""
        cell = self.values[row]
        text = "" if cell is None else str(cell)
        return text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 3] + "..."

    @property
    def is_numeric(self) -> bool:
        """Whether all cells but a few mistakes are numbers."""
        return self.numbers.share >= 1.0 - BAD_CELLS

    @property
    def has_bad_numbers(self) -> bool:
        """Whether more cells than a few mistakes, whose rows can be left out, are no numbers."""
        return len(self.numbers.bad) > BAD_CELLS * max(self.size - self.numbers.missing, 1)

    def told(self, rows: Sequence[int]) -> str:
        """The first of some cells with its row, and how many there are, for messages."""
        n, cell = len(rows), note("{cell} in row {row}", cell=repr(self.text(rows[0])), row=rows[0] + 1)
        return note_count(n, "{cell} ({n} such cell)", "{cell} ({n} such cells)", cell=cell, n=n)

    @property
    def first_bad(self) -> str:
        """The first cell that is no number and its row, for messages."""
        row = self.numbers.bad[0]
        return note("{cell} in row {row}", cell=repr(self.text(row)), row=row + 1)

    def at(self, rows: Rows) -> DataColumn:
        """The column of some rows alone.

        >>> DataColumn("shop", ("A", "B", "C")).at(np.array([2, 0])).values
        ('C', 'A')
        """
        values = self.values
        parsed = self.__dict__.get("times_of_most")  # what all rows have settled holds for some of them
        return replace(
            self,
            values=tuple(values[row] for row in rows) if isinstance(values, tuple) else values[rows],
            order=(parsed and parsed.order) or self.order,
            measured=self.measured and self.measured.at(rows),
        )

    def renamed(self, name: str) -> DataColumn:
        """The same column under another name."""
        return self if name == self.name else replace(self, name=name)

    @cached_property
    def numbers(self) -> ParsedNumbers:
        """The cells as numbers; dates are none."""
        values = self.values
        if isinstance(values, tuple):
            parsed = parse_numbers(values, comma=self.comma, points=self.points)
            told = tuple(note("In column {name} {said}.", name=repr(self.name), said=said) for said in parsed.notes)
            return replace(parsed, notes=self.notes + told)
        if values.dtype.kind == "M":
            rows = tuple(np.flatnonzero(~np.isnat(values)).tolist())
            return ParsedNumbers(np.full(values.size, np.nan), rows, values.size - len(rows))
        plain = np.asarray(values, dtype=np.float64).view()
        return ParsedNumbers(plain, (), int(np.isnan(plain).sum()), self.notes)

    def as_lengths(self) -> DataColumn:
        """A column of lengths of time as numbers, with a sentence on their unit; any other as it is.

        >>> DataColumn("run", ("1:02:33", "59:10")).as_lengths().notes
        ("Durations such as '1:02:33' in column 'run' were read in seconds: it is 3753.",)
        """
        lengths = None if self.is_numeric or not isinstance(self.values, tuple) else parse_lengths(self.texts)
        if lengths is None:
            return self
        values, unit = lengths
        row = int(np.argmax(np.isfinite(values)))
        told = {"cell": repr(self.text(row)), "name": repr(self.name), "number": Number(values[row])}
        return replace(self, values=values, notes=(*self.notes, note(LENGTHS[unit], **told)))

    @cached_property
    def times_of_most(self) -> ParsedTimes | None:
        """The cells as dates, None where less than half of them are dates."""
        values = self.values
        if isinstance(values, tuple):
            if (era := ERA_NAME.search(self.name)) is not None:  # cells may have the number of the year alone
                values = tuple(cell and f"{era[0]}{cell.removeprefix(era[0])}" for cell in values)
            parsed = parse_times(values, HALF, self.order) or counted_times(self.numbers.values, self.name)
            return parsed and replace(parsed, notes=self.notes + parsed.notes)
        if values.dtype.kind == "M":
            return ParsedTimes(values.astype("M8[us]"), (), int(np.isnat(values).sum()), self.notes)
        return counted_times(self.numbers.values, self.name) or written_times(self.numbers.values)

    @property
    def times(self) -> ParsedTimes | None:
        """The cells as dates, None where not (nearly) all of them are such."""
        parsed = self.times_of_most
        return parsed if parsed is not None and parsed.share >= 1.0 - BAD_CELLS else None

    @property
    def is_dated(self) -> bool:
        """Whether it holds times, and is none of categories."""
        return not self.levels and self.times is not None

    @property
    def are_years(self) -> bool:
        """Whether its cells are years, as 2020 or FY2020, and no days.

        >>> DataColumn("year", ("FY2020", "FY2021")).are_years, DataColumn("day", ("1.2.2020",)).are_years
        (True, False)
        """
        times = self.times.times if isinstance(self.values, tuple) and self.times is not None else np.zeros(0, "M8[us]")
        if not np.all(np.isnat(times) | (times == times.astype("M8[Y]"))):
            return False
        digits = max((sum(map(str.isdigit, self.text(row))) for row in range(times.size)), default=0)
        return 0 < digits <= len("2020")

    @cached_property
    def texts(self) -> tuple[str | None, ...]:
        """The cells as text without blanks around them; None where they are missing."""
        values = self.values
        if isinstance(values, tuple):
            is_empty = is_missing if self.is_numeric else is_missing_category
            return tuple(None if cell is None or is_empty(cell) else cell.strip() for cell in values)
        if len(self.levels) == 2 and values.dtype.kind == "f":  # truth values
            return tuple(None if np.isnan(value) else self.levels[int(value != 0)] for value in values)
        return tuple(None if value != value else as_written(value) for value in values)

    @cached_property
    def is_category(self) -> bool:
        """Whether it holds categories: it says so (its ``levels``), or it is text that means no numbers or times.

        >>> DataColumn("colour", ("red", "blue")).is_category, DataColumn("size", ("1,5", "2,0")).is_category
        (True, False)
        """
        if self.levels or not isinstance(self.values, tuple):
            return bool(self.levels)
        if self.is_numeric:
            values = self.numbers.values
            two_valued = bool(np.isin(values[~np.isnan(values)], (0.0, 1.0)).all())
            return two_valued and all(text is None or text.lower() in TRUTH for text in self.texts)
        return self.times_of_most is None

    @cached_property
    def categories(self) -> tuple[str, ...]:
        """The categories that occur, in the order that the column or their own words state, else sorted.

        >>> DataColumn("size", ("small", "large", None, "small")).categories
        ('small', 'large')
        """
        present = {text for text in self.texts if text is not None}
        return tuple(level for level in self.levels if level in present) or in_their_order(present)


@dataclass(frozen=True, eq=False)
class DataTable:
    """A table as it was read: its columns, its name, and what was done to it.

    ``written`` is when its file was last written, in seconds since 1970; None where there is no file.
    """

    columns: tuple[DataColumn, ...]
    name: str = "data"
    notes: tuple[str, ...] = ()
    written: float | None = None

    @property
    def size(self) -> int:
        """The number of rows."""
        return self.columns[0].size if self.columns else 0


def checked_numbers(column: DataColumn, remedy: str) -> ParsedNumbers:
    """The numbers of a column; an `InputError` where more than a few of its cells are none."""
    if column.has_bad_numbers:
        expected = note("numbers in column {column}", column=repr(column.name))
        raise InputError.of(expected, column.told(column.numbers.bad), remedy)
    return column.numbers


ROLES = (
    message("time axis"), message("time"), message("target"), message("inputs"),
    message("clusters"), message("rows to choose"), message("sums"), message("ids"), message("totals"),
    message("exposure"),
)  # fmt: skip


def place_of(name: str, names: Sequence[str]) -> int | None:
    """Where a name stands among others; upper and lower case are told apart only where needed.

    >>> place_of("Price", ("price", "PRICE")), place_of("price", ("Price", "price")), place_of("cost", ("price",))
    (0, 1, None)
    """
    return next((k for fold in (str, str.lower) for k, other in enumerate(names) if fold(other) == fold(name)), None)


def find_column(columns: Sequence[DataColumn], name: str, role: str) -> DataColumn:
    """The column of that name; upper and lower case are told apart only where needed."""
    names = [column.name for column in columns]
    place = place_of(str(name).strip(), names)
    if place is not None:
        return columns[place]
    remedy = did_you_mean(str(name), names, note("name one of these"))
    expected = note("a column {name} for the {role}", name=repr(str(name)), role=note(role))
    raise InputError.of(expected, note("the columns {columns}", columns=listed(names)), remedy)
