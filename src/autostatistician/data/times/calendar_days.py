"""Days that the calendar brings again: a date, a weekday of a month, the last day of a month with a value."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.times.axes import Axis
from autostatistician.wording.messages import message, note

__all__ = ["NUMBER_OF_DAYS", "CalendarDay", "DaysOfAxis", "has_days"]

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

EVERY_MONTH, LAST = 0, -1
WEEKDAYS = (
    message("Monday"), message("Tuesday"), message("Wednesday"), message("Thursday"), message("Friday"),
    message("Saturday"), message("Sunday"),
)  # fmt: skip
MONTHS = (
    message("January"), message("February"), message("March"), message("April"), message("May"), message("June"),
    message("July"), message("August"), message("September"), message("October"), message("November"),
    message("December"),
)  # fmt: skip
ORDINALS = {
    1: message("first"), 2: message("second"), 3: message("third"), 4: message("fourth"), 5: message("fifth"),
    LAST: message("last"),
}  # fmt: skip
NUMBER_OF_DAYS = (366 + 31) + 12 * 7 * len(ORDINALS) + (12 + 1)  # that can be said


@dataclass(frozen=True, slots=True, order=True)
class CalendarDay:
    """A day of each year, or of every month where ``month`` is 0 and not 1 to 12.

    Its kind is "date" (``day`` of the month), "weekday" (``day`` from 0, Monday; the ``which``-th of its month, -1 the
    last) or "end" (the last day of the month on the axis: the last business day, where it has business days).

    >>> CalendarDay("date", 12, 25).text, CalendarDay("weekday", 11, 3, 4).text, CalendarDay("end").text
    ('25 December each year', 'the fourth Thursday of November each year', 'the last day of each month')
    """

    kind: str
    month: int = EVERY_MONTH
    day: int = 0
    which: int = 0

    @property
    def text(self) -> str:
        """The day in words, a note that pages say again."""
        if self.month == EVERY_MONTH:
            if self.kind == "date":
                return note("day {day} of each month", day=self.day)
            return note("the last day of each month")
        month = note(MONTHS[self.month - 1])
        if self.kind == "date":
            return note("{day} {month} each year", day=self.day, month=month)
        if self.kind == "weekday":
            return note(
                "the {which} {weekday} of {month} each year",
                which=note(ORDINALS[self.which]), weekday=note(WEEKDAYS[self.day]), month=month,
            )  # fmt: skip
        return note("the last day of {month} each year", month=month)

    def to_text(self) -> str:
        """The day as `from_text` reads it.

        >>> CalendarDay("date", 12, 25).to_text()
        'date 12 25 0'
        """
        return f"{self.kind} {self.month} {self.day} {self.which}"

    @classmethod
    def from_text(cls, text: str) -> CalendarDay:
        """What `to_text` wrote.

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

    def __init__(self, axis: Axis, x: Floats) -> None:
        import pandas as pd

        dates, following = (pd.DatetimeIndex(np.asarray(axis.times(x + step)).astype("M8[s]")) for step in (0.0, 1.0))
        self.month, self.day, self.weekday = (np.asarray(part) for part in (dates.month, dates.day, dates.day_of_week))
        self.which = (self.day - 1) // 7 + 1
        self.is_last_weekday: Flags = np.asarray((dates + pd.Timedelta(days=7)).month != dates.month)
        self.ends_month: Flags = np.asarray(following.month != dates.month)

    def of(self, row: int) -> list[CalendarDay]:
        """All that the day of a row can be called."""
        month, day, weekday = int(self.month[row]), int(self.day[row]), int(self.weekday[row])
        names = [
            CalendarDay("date", month, day),
            CalendarDay("date", EVERY_MONTH, day),
            CalendarDay("weekday", month, weekday, int(self.which[row])),
        ]
        if self.is_last_weekday[row]:
            names.append(CalendarDay("weekday", month, weekday, LAST))
        if self.ends_month[row]:
            names += [CalendarDay("end", month), CalendarDay("end", EVERY_MONTH)]
        return names

    def are(self, day: CalendarDay) -> Flags:
        """Which positions (n,) are such a day."""
        in_month: Flags = np.asarray((self.month == day.month) | (day.month == EVERY_MONTH))
        if day.kind == "date":
            return np.asarray(in_month & (self.day == day.day))
        if day.kind == "end":
            return in_month & self.ends_month
        within = self.is_last_weekday if day.which == LAST else self.which == day.which
        return np.asarray(in_month & (self.weekday == day.day) & within)
