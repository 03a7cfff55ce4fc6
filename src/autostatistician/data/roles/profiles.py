"""The profile of a column: what its cells and its name say of the role that it may have."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from autostatistician.data.arrays import Floats
from autostatistician.data.columns import DataColumn
from autostatistician.data.times.dates import ParsedTimes
from autostatistician.data.times.forms import LATEST_YEAR, NAMES, TIME_NAMES, USUAL_YEAR
from autostatistician.data.words import words

__all__ = ["PARTS_OF_CALENDAR", "Profile"]

MOST_LEVELS = 0.5  # per row: a column with more categories names its rows
ROW_NAMES, KEY_WORDS = words("keys", "rows") | {""}, words("keys", "things")
PARTS_OF_CALENDAR = frozenset(("weekday", "wochentag", "dow", "hour", "stunde", "season")).union(
    *(NAMES[part] for part in "qmwd")
)
PARTS_OF_DATES = {"y": (USUAL_YEAR, LATEST_YEAR), "q": (1, 4), "m": (1, 12), "d": (1, 31)}
NAMES_OF_TIMES = TIME_NAMES.union(
    PARTS_OF_CALENDAR, ("step", "epoch", "minute", "second", "seconds", "minutes", "hours", "days", "weeks")
)
TIME_ENDINGS = ("date", "time", "timestamp", "_at", "year", "month")
LEAST_REPEATED_CELLS = 0.9  # share of the cells of a cycle that are the same as one turn before
ALIKE, LEAST_ALIKE = 2.0 + 1e-6, 0.7  # times of a step, and share of the steps


@dataclass(frozen=True, eq=False)
class Profile:
    """A column, and what can be seen of it without the others.

    >>> Profile(DataColumn("id", ("1", "2", "3"))).names_rows, Profile(DataColumn("age", ("31", "25", "31"))).is_number
    (True, True)
    """

    column: DataColumn

    @property
    def name(self) -> str:
        """The name without blanks around it, in lower case."""
        return self.column.name.strip().lower()

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of the name: "UnitPrice (USD)" has three."""
        split = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", self.column.name)
        return tuple(word.lower() for word in re.split(r"[\W_]+", split) if word)

    @cached_property
    def finite(self) -> Floats:
        """Those of the numbers that are finite."""
        return self.column.numbers.values[np.isfinite(self.column.numbers.values)]

    @property
    def times(self) -> ParsedTimes | None:
        """The cells as dates, None where they are something else."""
        return None if self.is_empty else self.column.times

    @property
    def is_empty(self) -> bool:
        """Whether no cell holds anything."""
        return self.column.numbers.missing == self.column.size

    @property
    def holds_words(self) -> bool:
        """Whether most of its cells are text that means no numbers."""
        return isinstance(self.column.values, tuple) and self.column.numbers.share < 0.5 and not self.is_empty

    @property
    def is_number(self) -> bool:
        """Whether (nearly) all cells are numbers, and no dates."""
        return self.column.is_numeric and self.times is None

    @cached_property
    def is_class(self) -> bool:
        """Whether it holds categories that several rows share."""
        return not self.is_empty and self.column.is_category and self.levels <= max(MOST_LEVELS * self.column.size, 1)

    @property
    def levels(self) -> int:
        """How many categories occur."""
        return len(self.column.categories)

    @cached_property
    def distinct(self) -> int:
        """How many different numbers occur."""
        return int(np.unique(self.finite).size)

    @property
    def varies(self) -> bool:
        """Whether not all rows have the same number or category."""
        return (self.levels if self.column.is_category else self.distinct) > 1

    @cached_property
    def names_rows(self) -> bool:
        """Whether it counts the rows, or its cells name them: called an id, whole numbers or words, each once."""
        if self.counts_rows and (self.name in ROW_NAMES or self.name.startswith("unnamed")):
            return True
        called = self.name in ROW_NAMES or (self.words and self.words[-1] == "id") or self.name.endswith("id_")
        if self.holds_words:
            return bool(called or self.is_called_key) and self.levels == self.column.size
        named = (called and self.is_whole) or (self.is_key and self.is_monotone)
        return bool(named) and self.distinct == self.column.size

    @cached_property
    def is_whole(self) -> bool:
        """Whether its numbers are whole ones."""
        return self.finite.size > 0 and bool(np.all(self.finite == np.round(self.finite)))

    @property
    def is_called_key(self) -> bool:
        """Whether it is called the names of things, such as invoices, stores or codes."""
        first, *_, last = self.words * 2 or ("", "")
        return last in KEY_WORDS or last.endswith(("nummer", "nr")) or first in ("id", "nr")

    @property
    def is_key(self) -> bool:
        """Whether it is called so, and holds whole numbers."""
        return self.is_called_key and self.is_whole

    @property
    def is_code(self) -> bool:
        """Whether its numbers are 1, 2, ... up to some, again and again."""
        if not self.is_whole or self.distinct > MOST_LEVELS * self.finite.size:
            return False
        return bool(self.finite.min() == 1.0 and self.finite.max() == self.distinct)

    @property
    def counts_rows(self) -> bool:
        """Whether its numbers are 0, 1, 2, ... or 1, 2, 3, ..., as those of index columns are."""
        values = self.column.numbers.values
        return values.size > 1 and any(np.array_equal(values, np.arange(values.size) + k) for k in (0, 1))

    @property
    def has_time_name(self) -> bool:
        """Whether its name speaks of times."""
        return self.name in NAMES_OF_TIMES or self.name.endswith(TIME_ENDINGS)

    @property
    def explains(self) -> bool:
        """Whether its cells can explain a target: numbers or categories that neither count nor name the rows."""
        return self.is_class if self.column.is_category else self.is_number and not self.names_rows

    @property
    def is_part_of_date(self) -> bool:
        """Whether it is a year, quarter, month or day of something by a word of its name and its numbers."""
        return self.is_whole and any(
            low <= self.finite.min() and self.finite.max() <= high and not NAMES[part].isdisjoint(self.words)
            for part, (low, high) in PARTS_OF_DATES.items()
        )

    @cached_property
    def is_monotone(self) -> bool:
        """Whether the numbers only rise or only fall."""
        gaps = np.diff(self.finite)
        return self.finite.size > 1 and bool(np.all(gaps > 0) or np.all(gaps < 0))

    @property
    def is_paced(self) -> bool:
        """Whether the numbers rise or fall by steps most of which are like the one before; a third is, once sorted."""
        gaps = np.abs(np.diff(self.finite))
        alike = np.maximum(gaps[1:], gaps[:-1]) <= ALIKE * np.minimum(gaps[1:], gaps[:-1])
        return alike.size == 0 or bool(np.mean(alike) >= LEAST_ALIKE)

    @cached_property
    def is_cycle(self) -> bool:
        """Whether it is a part of the calendar (month, weekday) that starts again and again along the rows."""
        if not (self.name in PARTS_OF_CALENDAR or (self.words and self.words[-1] in PARTS_OF_CALENDAR)):
            return False
        cells = [self.column.text(row).strip() for row in range(self.column.size)]
        length = len(set(cells))
        same = [cell == earlier for cell, earlier in zip(cells[length:], cells, strict=False)]
        return 1 < length < len(cells) and float(np.mean(same)) >= LEAST_REPEATED_CELLS
