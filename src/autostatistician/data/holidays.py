"""Holidays, own events and working days as columns that are known at every date of an axis, past or to come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.arrays import Days, Floats
from autostatistician.data.common_season import CommonSeason
from autostatistician.data.covariates import CalendarColumns, Covariate
from autostatistician.data.records import Record, reading
from autostatistician.data.times.axes import Axis
from autostatistician.data.times.calendar_days import ONE_DAY, ONE_MONTH, ONE_YEAR
from autostatistician.data.times.periods import dates_of, days_from, days_within, has_months, period_days, periods_of
from autostatistician.errors import InputError
from autostatistician.i18n.messages import note
from autostatistician.i18n.names import counted

__all__ = ["CalendarDays", "Event", "Holidays", "calendar_from_json", "checked_years"]


GROUP = "holidays"
WINDOW = (3, 1)  # days before a holiday and after it that have an effect of their own, where steps are days
Offset = tuple[str, int]  # the name of an event, and days after it (before: negative)


@dataclass(frozen=True, eq=False)
class Event:
    """What comes again under one name, from the days ``starts`` to the days ``ends`` (k,), in order and apart.

    >>> days = np.array(["2024-04-01", "2024-03-31", "2025-04-20"], dtype="M8[D]")
    >>> Event.of("Easter", days).ends.astype(str).tolist()
    ['2024-04-01', '2025-04-20']
    """

    name: str
    starts: Days
    ends: Days
    before: int | None = None  # days of its own window; None: that of the calendar
    after: int | None = None

    @classmethod
    def of(cls, name: str, days: Days, before: int | None = None, after: int | None = None) -> Self:
        """The event of single days in any order; days that follow each other are one occurrence."""
        days = np.unique(days.astype("M8[D]"))
        breaks = np.diff(days).astype(np.int64) > 1
        starts = days[np.concatenate([[True], breaks])[: days.size]]
        ends = days[np.concatenate([breaks, [True]])[: days.size]]
        return cls(name, starts, ends, before, after)

    @property
    def days(self) -> Days:
        """All its days, in order."""
        lengths = (self.ends - self.starts).astype(np.int64) + 1
        since = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        return np.asarray(np.repeat(self.starts, lengths) + since)

    def to_json(self) -> dict[str, Any]:
        """A JSON-ready record."""
        spans = [[str(start), str(end)] for start, end in zip(self.starts, self.ends, strict=True)]
        window = {"before": self.before, "after": self.after}
        return {"name": self.name, "spans": spans} | {key: days for key, days in window.items() if days is not None}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Self:
        """The event of a record made by `to_json`."""
        spans = np.array(record["spans"], dtype="M8[D]").reshape(-1, 2)
        return cls(str(record["name"]), spans[:, 0], spans[:, 1], record.get("before"), record.get("after"))


@dataclass(frozen=True, eq=False)
class Holidays(Record):
    """Events as columns of one group: flags where steps are days or shorter, else days of the event in each step.

    Of a country each day belongs to the holidays nearest to it: 24 December is the day before Christmas and not two
    days before the day after. Where steps are longer than days, windows do not count.

    >>> axis = Axis("day", "day", "day", 1.0, "2023-12-20")
    >>> feast = Event.of("feast", np.array(["2023-12-25", "2024-12-25"], dtype="M8[D]"))
    >>> columns = Holidays(axis, (feast,)).fitted(np.arange(400.0)).columns(np.arange(3.0, 6.0))
    >>> [(column.name, column.values.tolist()) for column in columns if column.values.any()]
    [('feast', [0.0, 0.0, 1.0]), ('feast, 1 day before', [0.0, 1.0, 0.0]), ('feast, 2 days before', [1.0, 0.0, 0.0])]
    """

    KIND = "holidays"

    axis: Axis
    events: tuple[Event, ...]
    source: str = ""  # as the user named it: "DE-BY", "events.csv"
    span: tuple[int, int] | None = None  # first and last year that are known; None: what is not listed does not happen
    nearest: bool = True  # whether a day belongs to the nearest events alone
    kept: tuple[Offset, ...] | None = None  # the columns that the data can tell something about; None: all

    def __post_init__(self) -> None:
        _check_calendar(self.axis)

    def columns(self, x: Floats) -> tuple[Covariate, ...]:
        """The columns at positions (m,) of the axis; of years that are not known an `InputError`."""
        if self.span is not None and np.size(x):
            checked_years(self.axis, x, self.span, self.source)
        wanted = None if self.kept is None else set(self.kept)
        return tuple(
            Covariate(_title(name, days), values, group=GROUP, event=name, days=days, calendar=self.source)
            for (name, days), values in self._candidates(np.asarray(x, dtype=np.float64))
            if wanted is None or (name, days) in wanted
        )

    def fitted(self, x: Floats, fewest: int = 2) -> Self:
        """The same with those columns alone of which data at positions (n,) can tell something.

        The day occurs at least ``fewest`` times in the data. It moves: a holiday that lies in the same month each year
        is a part of the season where steps are months or quarters. And no earlier column is equal.
        """
        x = np.asarray(x, dtype=np.float64)
        occurrences = {event.name: self._occurrences(event, x) for event in self.events}
        kept: list[Offset] = []
        seen: set[bytes] = set()
        for (name, days), values in self._candidates(x):
            times = np.unique(occurrences[name][values > 0.0]).size
            moves = not has_months(self.axis) or _moves_between_months(self.axis, x, values > 0.0)
            if times >= fewest and np.ptp(values) > 0.0 and moves and values.tobytes() not in seen:
                kept.append((name, days))
                seen.add(values.tobytes())
        return replace(self, kept=tuple(kept))

    @property
    def note(self) -> str:
        """A sentence where nothing of the calendar can be used, else nothing."""
        if self.kept != ():
            return ""
        return note(
            "No day of {source} varies enough in these data to have an effect of its own.", source=repr(self.source)
        )

    def _candidates(self, x: Floats) -> Iterator[tuple[Offset, Floats]]:
        """Every column, by event and days from it."""
        if period_days(self.axis) > 1:
            first, last = periods_of(self.axis, x)
            for event in self.events:
                yield (event.name, 0), days_within(event.days, first, last)
            return
        dates = dates_of(self.axis, x)
        distances = [days_from(event.starts, event.ends, dates, self.axis) for event in self.events]
        reach = np.min(np.abs(distances), axis=0) if self.nearest and distances else np.full(len(x), np.inf)
        for event, distance in zip(self.events, distances, strict=True):
            before, after = self._window(event)
            for days in (0, *range(-1, -before - 1, -1), *range(1, after + 1)):
                yield (event.name, days), ((distance == days) & (abs(days) <= reach)).astype(np.float64)

    def _window(self, event: Event) -> tuple[int, int]:
        before, after = WINDOW if self.axis.unit in ("day", "business day") else (0, 0)
        return before if event.before is None else event.before, after if event.after is None else event.after

    def _occurrences(self, event: Event, x: Floats) -> NDArray[np.int64]:
        """Which occurrence of an event each position is the nearest to."""
        dates = dates_of(self.axis, x) if period_days(self.axis) <= 1 else periods_of(self.axis, x)[0]
        middles = event.starts.astype(np.int64) + event.ends.astype(np.int64)
        return np.searchsorted((middles[1:] + middles[:-1]) / 2, 2 * dates.astype(np.int64))


@dataclass(frozen=True, eq=False)
class CalendarDays(Record):
    """What steps of months hold: their working days, and whether the leap day is among them.

    >>> month = Axis("month", "year", "month", 1 / 12)
    >>> days, leap = CalendarDays(month).columns(np.array([2024.0, 2024 + 1 / 12]))
    >>> days.name, days.values.tolist(), leap.name, leap.values.tolist()
    ('working days', [23.0, 21.0], 'leap day', [0.0, 1.0])
    """

    KIND = "calendar days"

    axis: Axis
    weekend: tuple[int, ...] = (5, 6)  # days of the week, Monday is 0
    free: Days = field(default_factory=lambda: np.zeros(0, dtype="M8[D]"))  # holidays
    source: str = ""
    span: tuple[int, int] | None = None
    leap: bool = True  # whether the leap day is a column

    def __post_init__(self) -> None:
        _check_calendar(self.axis)
        if not has_months(self.axis):
            steps = f"steps of {self.axis.frequency or 'no fixed length'}"
            raise InputError.of("steps of a month or quarter to count working days in", steps, "leave working days out")

    def columns(self, x: Floats) -> tuple[Covariate, ...]:
        """The columns at positions (m,) of the axis; of years that are not known an `InputError`."""
        if self.span is not None and np.size(x):
            checked_years(self.axis, x, self.span, self.source)
        first, last = periods_of(self.axis, np.asarray(x, dtype=np.float64))
        mask, end = [day not in self.weekend for day in range(7)], last + ONE_DAY
        working = np.busday_count(first, end, weekmask=mask, holidays=self.free).astype(np.float64)
        source = self.source or "workdays"
        columns = (Covariate("working days", working, calendar=source),)
        leap = Covariate("leap day", _leap_days(first, last), calendar=source)
        return (*columns, leap) if self.leap else columns

    def fitted(self, x: Floats) -> Self:
        """The same, without the leap day where it comes less than twice in data at positions (n,)."""
        return replace(self, leap=bool(_leap_days(*periods_of(self.axis, x)).sum() >= 2))


def calendar_from_json(record: Mapping[str, Any]) -> CalendarColumns:
    """The columns of a record that `Holidays`, `CalendarDays` or `CommonSeason` made.

    >>> record = CalendarDays(Axis("month", "year", "month", 1 / 12)).to_json()
    >>> type(calendar_from_json(record)).__name__
    'CalendarDays'
    """
    kinds = {kind.KIND: kind for kind in (Holidays, CalendarDays, CommonSeason)}
    with reading("a calendar"):
        calendar = kinds[record["kind"]].from_json(record)
    return calendar


def _title(name: str, days: int) -> str:
    return name if days == 0 else f"{name}, {counted(abs(days), 'day')} {'before' if days < 0 else 'after'}"


def _check_calendar(axis: Axis) -> None:
    months = (axis.step or 0.0) * 12 * axis.days_of_month
    if not axis.is_calendar:
        what, remedy = "numbers", "name a column of dates, or leave holidays out"
    elif axis.unit == "year" and not (axis.step and abs(months - round(months)) < 1e-6):
        what, remedy = "decimal years without a step", "write the times as dates"
    else:
        return
    raise InputError.of("dates, for which holidays are known", f"{what} in column {axis.column!r}", remedy)


def checked_years(axis: Axis, x: Floats, known: tuple[int, int], source: str) -> tuple[int, int]:
    """The first and the last year of positions (m,), or an `InputError` where the holidays of one are not known.

    >>> checked_years(Axis("month", "year", "month", 1 / 12), np.array([2020.0, 2022.5]), (2000, 2050), "DE")
    (2020, 2022)
    """
    first, last = (int(str(date)[:4]) for date in dates_of(axis, np.array([np.min(x), np.max(x)])))
    if first < known[0] or last > known[1]:
        year, remedy = (last, "forecast fewer steps") if last > known[1] else (first, "give later rows")
        expected = f"years from {known[0]} to {known[1]}, for which the holidays of {source!r} are known"
        raise InputError.of(expected, f"{year}", f"{remedy}, or a file of your own events")
    return first, last


def _leap_days(first: Days, last: Days) -> Floats:
    """How many 29ths of February lie in each step."""
    if not first.size:
        return np.zeros(0)
    years = np.arange(first.min().astype("M8[Y]"), last.max().astype("M8[Y]") + ONE_YEAR)
    eve = (years.astype("M8[M]") + 2 * ONE_MONTH).astype("M8[D]") - ONE_DAY
    return days_within(eve[(eve - eve.astype("M8[M]")).astype("m8[D]").astype(np.int64) == 28], first, last)


def _moves_between_months(axis: Axis, x: Floats, here: NDArray[np.bool_]) -> bool:
    """Whether any month of the year has an event in some years and none in others."""
    month = dates_of(axis, x).astype("M8[M]").astype(np.int64) % 12
    return any(here[month == number].any() and not here[month == number].all() for number in np.unique(month))
