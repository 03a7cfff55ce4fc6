"""What the calendar brings again: a date, a weekday of a month, its last or a working day; weeks, months of a year."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.arrays import Flags, Times
from autostatistician.i18n.messages import message, note

__all__ = [
    "EVERY_DAY",
    "FROM_EASTER",
    "MONTHS",
    "NUMBER_OF_DAYS",
    "NUMBER_OF_WEEKS",
    "ONE_DAY",
    "ONE_MONTH",
    "ONE_YEAR",
    "WEEKDAYS",
    "WORKING_DAYS",
    "CalendarDay",
    "days_of_month",
    "days_of_year",
    "weekdays_of",
    "weeks_of_year",
]


EVERY_MONTH, LAST = 0, -1
EVERY_DAY, WORKING_DAYS = "1111111", "1111100"  # of a week, from Monday on
ONE_DAY, ONE_MONTH, ONE_YEAR = (np.timedelta64(1, unit) for unit in ("D", "M", "Y"))  # NumPy adds no bare integers
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
OF_YEAR = {
    "date": message("{day} {month} each year"),
    "weekday": message("the {which} {weekday} of {month} each year"),
    "end": message("the last day of {month} each year"),
    "week": message("the week of {day} {month} each year"),
    "month": message("{month} each year"),
}
FROM_EASTER = {  # by days after Easter Sunday
    -2: message("the week of Good Friday each year"), 0: message("the week of Easter Sunday each year"),
    1: message("the week of Easter Monday each year"), 39: message("the week of Ascension Day each year"),
    50: message("the week of Whit Monday each year"),
}  # fmt: skip
OF_MONTH = {
    "date": message("day {day} of each month"),
    "weekday": message("the {which} {weekday} of each month"),
    "working": message("the {which} working day of each month"),
    "before": message("day {day} of each month or the working day before"),
    "after": message("day {day} of each month or the working day after"),
}
MOVED = range(3, 27)  # dates whose nearest working days lie in the same month
NUMBER_OF_DAYS = 366 + 12 * 7 * len(ORDINALS) + 12  # of a year that can be said
FROM_END = (  # of a month, by how many days follow
    message("the last day of each month"), message("the second-to-last day of each month"),
    message("the third-to-last day of each month"), message("the fourth-to-last day of each month"),
    message("the fifth-to-last day of each month"), message("the sixth-to-last day of each month"),
    message("the seventh-to-last day of each month"),
)  # fmt: skip
MOST_FROM_END = len(FROM_END) - 1
NUMBER_OF_WEEKS = 53 + len(FROM_EASTER)


@dataclass(frozen=True, slots=True, order=True)
class CalendarDay:
    """A day of each year, or of every month where ``month`` is 0 and not 1 to 12.

    Its kind is "date" (``day`` of the month), "weekday" (``day`` from 0, Monday; the ``which``-th of its month, -1 the
    last), "end" (so many days before the last one of the month, of days that a series has), "working" (the ``which``-th
    from Monday to Friday, -1 the last), or "before" and "after" (the date, moved to such a day where it is none). Of
    longer steps it is "week" (that of a date), "easter" (that of so many days after Easter Sunday) or "month".

    >>> CalendarDay("date", 12, 25).text, CalendarDay("weekday", 11, 3, 4).text, CalendarDay("end").text
    ('25 December each year', 'the fourth Thursday of November each year', 'the last day of each month')
    >>> CalendarDay("working", which=-1).dates(np.array(["2026-01", "2026-02"], dtype="M8[M]")).astype(str).tolist()
    ['2026-01-30', '2026-02-27']
    """

    kind: str
    month: int = EVERY_MONTH
    day: int = 0
    which: int = 0

    @property
    def text(self) -> str:
        """The day in words, a note that pages say again."""
        if self.kind == "end" and self.month == EVERY_MONTH:
            return note(FROM_END[self.day])
        if self.kind == "easter":
            return note(FROM_EASTER[self.day])
        text = (OF_MONTH if self.month == EVERY_MONTH else OF_YEAR)[self.kind]
        words = {"which": ORDINALS.get(self.which), "weekday": WEEKDAYS[self.day % 7], "month": MONTHS[self.month - 1]}
        told: dict[str, object] = {name: note(word) for name, word in words.items() if word and f"{{{name}}}" in text}
        return note(text, **told, **({"day": self.day} if "{day}" in text else {}))

    @property
    def step(self) -> str:
        """What comes again: a "day", a "week" or a "month"."""
        return {"week": "week", "easter": "week", "month": "month"}.get(self.kind, "day")

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
            "date": 1 <= day <= 31 and which == 0,
            "weekday": 0 <= day < 7 and which in ORDINALS,
            "end": 0 <= day <= (MOST_FROM_END if month == EVERY_MONTH else 0) and which == 0,
            "working": month == EVERY_MONTH and day == 0 and which in ORDINALS,
            "before": month == EVERY_MONTH and day in MOVED and which == 0,
            "after": month == EVERY_MONTH and day in MOVED and which == 0,
            "week": month != EVERY_MONTH and 1 <= day <= 31 and which == 0,
            "easter": month == EVERY_MONTH and day in FROM_EASTER and which == 0,
            "month": month != EVERY_MONTH and day == which == 0,
        }
        if not (there.get(kind, False) and 0 <= month <= 12):
            raise ValueError(f"the day {text!r}")
        return cls(kind, month, day, which)

    def dates(self, months: Times, open_days: str = EVERY_DAY) -> Times:
        """The date (n,) of the day in months (n,), whichever these are; NaT in those without one.

        ``open_days`` are those of the week that a series has (`Calendar.open_days`).
        """
        first: Times = months.astype("M8[D]")
        last = _last_days(months)
        match self.kind:
            case "end":
                return np.busday_offset(last, -self.day, roll="backward", weekmask=open_days)
            case "before" | "after":
                dates = first + (self.day - 1) * ONE_DAY
                return np.busday_offset(dates, 0, roll="backward" if self.kind == "before" else "forward")
            case "weekday" | "working":
                days = WORKING_DAYS if self.kind == "working" else "".join(str(int(k == self.day)) for k in range(7))
                if self.which == LAST:
                    return np.busday_offset(last, 0, roll="backward", weekmask=days)
                dates = np.busday_offset(first, self.which - 1, roll="forward", weekmask=days)
            case "easter":
                dates = easter_sundays(months) + self.day * ONE_DAY
            case "month":
                dates = first
            case _:
                dates = first + (self.day - 1) * ONE_DAY
        return np.where((first <= dates) & (dates <= last), dates, np.datetime64("NaT", "D"))

    def in_every(self, months: Times) -> Times:
        """The date (n,) of the day in months (n,), the last one in those that are too short for it."""
        dates = self.dates(months)
        return np.where(np.isnat(dates), _last_days(months), dates)

    def are(self, dates: Times, open_days: str = EVERY_DAY) -> Flags:
        """Which dates (n,) are such a day."""
        months = dates.astype("M8[M]")
        right = (months.astype(np.int64) % 12 + 1 == self.month) | (self.month == EVERY_MONTH)
        return np.asarray(right & (self.dates(months, open_days) == dates))


def _last_days(months: Times) -> Times:
    following: Times = (months + ONE_MONTH).astype("M8[D]")
    return following - ONE_DAY


def easter_sundays(months: Times) -> Times:
    """Easter Sunday (n,) of the years of months (n,), by the Gregorian rule (Meeus 1991, chapter 8).

    >>> easter_sundays(np.array(["2019-01", "2024-12", "2027-06"], dtype="M8[M]")).astype(str).tolist()
    ['2019-04-21', '2024-03-31', '2027-03-28']
    """
    years = months.astype("M8[Y]").astype(np.int64) + 1970
    golden, century = years % 19, years // 100
    leap = (century - (century + 8) // 25 + 1) // 3
    epact = (19 * golden + century - century // 4 - leap + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (years % 100 // 4) - epact - years % 100 % 4) % 7
    late = (golden + 11 * epact + 22 * weekday) // 451
    march = months.astype("M8[Y]").astype("M8[M]") + 2 * ONE_MONTH
    earliest = march.astype("M8[D]") + 21 * ONE_DAY
    return np.asarray(earliest + epact + weekday - 7 * late)


def weekdays_of(dates: Times) -> NDArray[np.int64]:
    """The weekday of each date (n,), 0 for Monday."""
    return np.asarray((dates.astype("M8[D]").astype(np.int64) + 3) % 7)


def days_of_year(date: np.datetime64) -> list[CalendarDay]:
    """All that a date can be called as a day of each year.

    >>> [day.text for day in days_of_year(np.datetime64("2020-11-26"))]
    ['26 November each year', 'the fourth Thursday of November each year', 'the last Thursday of November each year']
    """
    month, day = int(date.astype("M8[M]").astype(np.int64)) % 12 + 1, int((date - date.astype("M8[M]")).astype(int)) + 1
    weekday = (int(date.astype(np.int64)) + 3) % 7
    ways = [CalendarDay("weekday", month, weekday, which) for which in ORDINALS]
    there = [way for way in (*ways, CalendarDay("end", month)) if way.are(np.array([date])).all()]
    return [CalendarDay("date", month, day), *there]


def weeks_of_year(first: np.datetime64) -> list[CalendarDay]:
    """All that the week from a ``first`` day on can be called as a week of each year.

    >>> [week.text for week in weeks_of_year(np.datetime64("2024-03-25"))[6:]]
    ['the week of 31 March each year', 'the week of Good Friday each year', 'the week of Easter Sunday each year']
    """
    dates = first + np.arange(7)
    fixed = [replace(days_of_year(date)[0], kind="week") for date in dates]
    easter = easter_sundays(dates[:1].astype("M8[M]"))
    near = [days for days in FROM_EASTER if easter + days * ONE_DAY in dates]
    return [*fixed, *(CalendarDay("easter", day=days) for days in near)]


def days_of_month() -> list[CalendarDay]:
    """All days that every month can have."""
    return [
        *(CalendarDay("date", day=day) for day in range(1, 32)),
        *(CalendarDay("end", day=day) for day in range(MOST_FROM_END + 1)),
        *(CalendarDay("working", which=which) for which in ORDINALS),
        *(CalendarDay("weekday", day=day, which=which) for day in range(7) for which in ORDINALS),
        *(CalendarDay(kind, day=day) for kind in ("before", "after") for day in MOVED),
    ]
