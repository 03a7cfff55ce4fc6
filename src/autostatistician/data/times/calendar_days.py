"""Days that the calendar brings again: a date, a weekday of a month, the last day of a month with a value."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.times.axes import Axis
from autostatistician.data.times.date_forms import LONG_MONTHS

__all__ = ["NUMBER_OF_DAYS", "CalendarDay", "DaysOfAxis", "has_days"]

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

KINDS = ("date", "weekday", "end")
EVERY_MONTH, LAST = 0, -1
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
ORDINALS = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", LAST: "last"}
NUMBER_OF_DAYS = (366 + 31) + 12 * 7 * len(ORDINALS) + (12 + 1)  # that can be said


@dataclass(frozen=True, slots=True, order=True)
class CalendarDay:
    """A day of each year, or of every month where ``month`` is 0.

    Parameters
    ----------
    kind : str
        "date" (``day`` of the month), "weekday" (``day`` from 0, Monday; the ``which``-th of its month, -1 the last) or
        "end" (the last day of the month on the axis: the last business day, where it has business days).
    month : int
        From 1 to 12; 0 for every month.
    day, which : int
        See above.

    Examples
    --------
    >>> CalendarDay("date", 12, 25).text, CalendarDay("weekday", 11, 3, 4).text, CalendarDay("end").text
    ('25 December each year', 'the fourth Thursday of November each year', 'the last day of each month')
    """

    kind: str
    month: int = EVERY_MONTH
    day: int = 0
    which: int = 0

    @property
    def text(self) -> str:
        """The day in words."""
        month = "each month" if self.month == EVERY_MONTH else f"{LONG_MONTHS[self.month - 1].capitalize()} each year"
        if self.kind == "date":
            return f"day {self.day} of each month" if self.month == EVERY_MONTH else f"{self.day} {month}"
        return f"the {ORDINALS[self.which]} {WEEKDAYS[self.day]} of {month}" if self.kind == "weekday" else (
            f"the last day of {month}"
        )  # fmt: skip

    def to_text(self) -> str:
        """The day as `from_text` reads it.

        >>> CalendarDay("date", 12, 25).to_text()
        'date 12 25 0'
        """
        return f"{self.kind} {self.month} {self.day} {self.which}"

    @classmethod
    def from_text(cls, text: str) -> CalendarDay:
        """What `to_text` wrote.

        Raises
        ------
        ValueError
            When there is no such day.

        Examples
        --------
        >>> CalendarDay.from_text("weekday 5 0 -1").text
        'the last Monday of May each year'
        """
        kind, *numbers = text.split(" ")
        month, day, which = (int(number) for number in numbers)
        there = {
            "date": 0 <= month <= 12 and 1 <= day <= 31 and which == 0,
            "weekday": 1 <= month <= 12 and 0 <= day < 7 and which in ORDINALS,
            "end": 0 <= month <= 12 and day == which == 0,
        }
        if not there.get(kind, False):
            raise ValueError(f"the day {text!r}")
        return cls(kind, month, day, which)


def has_days(axis: Axis | None) -> bool:
    """Whether the steps of an axis are days, or business days.

    >>> has_days(Axis("t", "day", "day", 1.0, "2020-01-01")), has_days(Axis("t", "day", "week", 7.0, "2020-01-01"))
    (True, False)
    """
    return axis is not None and axis.unit in ("day", "business day") and axis.step == 1.0


@dataclass(frozen=True, eq=False)
class DaysOfAxis:
    """What days of the calendar positions ``x`` (n,) of an axis of days are.

    Examples
    --------
    >>> days = DaysOfAxis(Axis("t", "day", "day", 1.0, "2020-11-25"), np.arange(40.0))
    >>> np.flatnonzero(days.are(CalendarDay("date", 12, 25))), np.flatnonzero(days.are(CalendarDay("end")))
    (array([30]), array([ 5, 36]))
    >>> days.are(CalendarDay("weekday", 11, 3, 4))[:3]
    array([False,  True, False])
    """

    axis: Axis
    x: Floats

    def of(self, row: int) -> list[CalendarDay]:
        """All that the day of a row can be called."""
        month, day, weekday = int(self._month[row]), int(self._day[row]), int(self._weekday[row])
        names = [
            CalendarDay("date", month, day),
            CalendarDay("date", EVERY_MONTH, day),
            CalendarDay("weekday", month, weekday, int(self._which[row])),
        ]
        if self._last_weekday[row]:
            names.append(CalendarDay("weekday", month, weekday, LAST))
        if self._end[row]:
            names += [CalendarDay("end", month), CalendarDay("end", EVERY_MONTH)]
        return names

    def are(self, day: CalendarDay) -> Flags:
        """Which positions (n,) are such a day."""
        months = np.ones(len(self.x), dtype=bool) if day.month == EVERY_MONTH else self._month == day.month
        if day.kind == "date":
            return np.asarray(months & (self._day == day.day))
        if day.kind == "end":
            return np.asarray(months & self._end)
        within = self._last_weekday if day.which == LAST else self._which == day.which
        return np.asarray(months & (self._weekday == day.day) & within)

    @cached_property
    def _dates(self) -> NDArray[np.datetime64]:
        return np.asarray(self.axis.times(self.x)).astype("M8[D]")

    @cached_property
    def _month(self) -> NDArray[np.int64]:
        return _month_of(self._dates)

    @cached_property
    def _day(self) -> NDArray[np.int64]:
        return np.asarray((self._dates - self._dates.astype("M8[M]")).astype(np.int64) + 1)

    @cached_property
    def _weekday(self) -> NDArray[np.int64]:
        return np.asarray((self._dates.astype(np.int64) + 3) % 7)  # the first day of 1970 was a Thursday

    @cached_property
    def _which(self) -> NDArray[np.int64]:
        return np.asarray((self._day - 1) // 7 + 1)

    @cached_property
    def _last_weekday(self) -> Flags:
        return np.asarray(_month_of(self._dates + 7) != self._month)

    @cached_property
    def _end(self) -> Flags:
        following = np.asarray(self.axis.times(self.x + 1.0)).astype("M8[D]")
        return np.asarray(_month_of(following) != self._month)


def _month_of(dates: NDArray[np.datetime64]) -> NDArray[np.int64]:
    return np.asarray(dates.astype("M8[M]").astype(np.int64) % 12 + 1)
