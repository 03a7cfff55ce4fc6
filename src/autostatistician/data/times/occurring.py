"""The calendar of a series: which places of the week and of the year its times take, and which days of each month.

Places of the week without any times are closed, and so are those whose values are always one number, as zero on the
Sundays of a shop: these are no observations of a model, and known for all times to come.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr

from autostatistician.data.arrays import Flags, Floats, Times
from autostatistician.data.records import Record, record_of
from autostatistician.data.times.calendar_days import EVERY_DAY, ONE_DAY, CalendarDay

__all__ = ["ALWAYS", "Calendar", "runs"]

Seconds = NDArray[np.int64]
Ranges = tuple[tuple[int, int], ...]

HOURS_24, WEEK = 86_400, 604_800  # seconds
MONDAY = 3 * HOURS_24  # from the Monday before to the beginning of 1970, a Thursday
BY_CHANCE = 0.001  # that no value lies at any place that is called closed
SELDOM = 0.025  # the chance of another value where a place has one number: its range of 95 % is that number
LONGEST_OUTAGE, LONGEST_STEP = 14, 31  # days
BESIDE = 30  # days before and after a closure, of which as many may be absent by chance


@dataclass(frozen=True)
class Calendar(Record):
    """The places of the calendar that occur; all of them where a part is empty.

    Attributes
    ----------
    week : tuple of pairs
        The first and the last second of the week, counted from Monday, of each stretch with values.
    closed : tuple of pairs
        The first and the last day (month times 100 plus day) of each stretch of the year without any.
    month : tuple of str
        The days of each month, as `CalendarDay.to_text` has them, where each of these is a step.
    varying : tuple of pairs
        The same as ``week`` of each stretch whose values are not always one number; all of them where it is empty.
    value : float
        That number.

    Examples
    --------
    >>> shop = Calendar(week=((32_400, 61_200),))
    >>> shop.are_open(np.array(["2024-01-01T09", "2024-01-01T18", "2024-01-02T09"], dtype="M8[s]")).tolist()
    [True, False, False]
    """

    week: Ranges = ()
    closed: Ranges = ()
    month: tuple[str, ...] = ()
    varying: Ranges = ()
    value: float = 0.0

    @property
    def days(self) -> tuple[CalendarDay, ...]:
        """The days of each month."""
        return tuple(CalendarDay.from_text(text) for text in self.month)

    @property
    def open_days(self) -> str:
        """A mark for each day of the week, from Monday on, as `numpy.busday_offset` has them: 1 where it occurs."""
        if not self.week:
            return EVERY_DAY
        held = {day for low, high in self.week for day in range(low // HOURS_24, high // HOURS_24 + 1)}
        return "".join(str(int(day in held)) for day in range(7))

    def are_open(self, times: Times) -> Flags:
        """Which times (n,) lie at places that occur."""
        is_open = _are_within(self.week, times)
        days = _day_of_year(times) if self.closed else np.zeros(len(times))
        for low, high in self.closed:
            after, before = days >= low, days <= high
            is_open &= ~(after & before if low <= high else after | before)
        return np.asarray(is_open)

    def are_constant(self, times: Times) -> Flags:
        """Which times (n,) lie at places whose values are always one number.

        >>> shop = Calendar(varying=((0, 6 * 86_400 - 1),))
        >>> shop.are_constant(np.array(["2024-01-06", "2024-01-07"], dtype="M8[D]")).tolist()
        [False, True]
        """
        return ~_are_within(self.varying, times)

    @property
    def constant_weekdays(self) -> tuple[int, ...]:
        """The whole days of the week, counted from Monday, at which values are always one number.

        >>> Calendar(varying=((0, 6 * 86_400 - 1),)).constant_weekdays, Calendar().constant_weekdays
        ((6,), ())
        """
        if not self.varying:
            return ()
        quarters = np.datetime64("2024-01-01T00:00") + np.arange(7 * 96) * np.timedelta64(15, "m")  # from a Monday on
        days = self.are_constant(quarters).reshape(7, 96).all(axis=1)
        return tuple(np.flatnonzero(days).tolist())

    def to_json(self) -> dict[str, Any]:
        """A JSON-ready record; what is constant is part of it where there is any."""
        return record_of(self, *([] if self.varying else ["varying", "value"]))

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Calendar:
        """What `to_json` wrote; a `ValueError` or `TypeError` where it is none.

        >>> shop = Calendar(((32_400, 61_200),), ((701, 831),), ("end 0 0 0",))
        >>> Calendar.from_json(shop.to_json()) == shop
        True
        """
        calendar = super().from_json(record)
        hours = np.datetime64("2024-01-01T00", "s") + np.arange(366 * 24) * np.timedelta64(3600, "s")
        starts = [np.datetime64("2024-01-01", "s") + np.timedelta64(low, "s") for low, _ in calendar.week]
        weeks = [np.asarray(start) + np.arange(53) * np.timedelta64(WEEK, "s") for start in starts] or [hours]
        if len(calendar.days) > LONGEST_STEP or not calendar.are_open(np.concatenate(weeks)).any():
            raise ValueError("a calendar that is always closed")
        return calendar

    @classmethod
    def of(cls, times: Times, step: float) -> Calendar:
        """The calendar of distinct times (n,) in order, ``step`` seconds or more apart.

        A place is closed where chance leaves it without a value less than once in a thousand calendars.

        >>> hours = np.arange("2024-01-01", "2024-02-01", dtype="M8[h]")
        >>> Calendar.of(hours[np.isin(hours.astype(int) % 24, [9, 10, 11])], 3600.0).week[:2]
        ((32400, 39600), (118800, 126000))
        """
        times = times.astype("M8[s]")
        opened = cls(_ranges(*_closed_slots(_seconds(times), int(step)))) if _divides_day(step) else cls()
        return replace(opened, closed=_closed(np.unique(times.astype("M8[D]")), opened.open_days))

    def with_values(self, times: Times, values: Floats, step: float) -> Calendar:
        """The same with the places of the week where values (n,) at times (n,) are always one number.

        Of so many values there another one is less probable than one in forty; a few may have been others.

        >>> days, sold = np.arange("2024-01-01", "2024-07-01", dtype="M8[D]"), np.arange(182.0)
        >>> shop = ALWAYS.with_values(days, np.where(np.arange(182) % 7 == 6, 0.0, sold), 86_400.0)
        >>> shop.varying, shop.value
        (((0, 432000),), 0.0)
        """
        numbers, counts = np.unique(values, return_counts=True)
        others, seconds = values != numbers[np.argmax(counts)], _seconds(times)
        if not _divides_day(step) or not 0 < np.count_nonzero(others) < len(values):
            return self
        places, days = seconds % WEEK // int(step), seconds // HOURS_24
        dates, of_date = np.unique(days, return_inverse=True)
        some = np.bincount(of_date, others) > 0
        seldom = _are_seldom(places % (HOURS_24 // int(step)), others) | _are_seldom(dates % 7, some)[of_date]
        seldom[~seldom] = _are_seldom(places[~seldom], others[~seldom])
        closed, length, phase = _closed_slots(seconds[others & ~seldom], int(step))
        closed &= np.bincount(places[seldom], minlength=closed.size) > 0
        return replace(self, varying=_ranges(closed, length, phase), value=float(numbers[np.argmax(counts)]))


ALWAYS = Calendar()


def _seconds(times: Times) -> Seconds:
    """Times (n,) in seconds from a Monday on."""
    return np.asarray(times.astype("M8[s]").astype(np.int64) + MONDAY)


def _divides_day(step: float) -> bool:
    return step <= HOURS_24 and step == int(step) and HOURS_24 % int(step) == 0


def _are_within(week: Ranges, times: Times) -> Flags:
    """Which times (n,) lie in stretches of the week; all of them where there are none."""
    seconds = _seconds(times) % WEEK
    inside = [(low <= seconds) & (seconds <= high) for low, high in week]
    return np.asarray(np.logical_or.reduce(inside)) if inside else np.ones(len(times), dtype=bool)


def _are_seldom(places: Seconds, others: Flags) -> Flags:
    """Which rows (n,), in order of time, lie at places where other values than the usual one are seldom, by no chance.

    How seldom is Jeffreys' estimate of a share, and chance that of so few among all rows elsewhere. The last value of a
    place must be the usual one: others may have begun.
    """
    found, seen = np.bincount(places, others), np.bincount(places)
    elsewhere = (others.sum() - found) / np.maximum(len(others) - seen, 1)
    by_chance = bdtr(found, seen, elsewhere) * np.count_nonzero(seen)
    ends = np.zeros(len(seen), dtype=bool)
    ends[places] = others  # of equal places the last counts
    return np.asarray(((found + 0.5) / (seen + 1.0) < SELDOM) & (by_chance < BY_CHANCE) & ~ends)[places]


def _closed_slots(seconds: Seconds, step: int) -> tuple[Flags, int, int]:
    """Which steps of the week are closed, by times (n,) in seconds from a Monday on; the step, and where it begins."""
    phase, per_day = int(seconds[0] % step), HOURS_24 // step
    dates, slots = np.unique(seconds // HOURS_24), seconds % WEEK // step
    held = np.bincount(slots, minlength=7 * per_day).reshape(7, per_day) > 0
    of_weekday = np.bincount(dates % 7, minlength=7)  # how many of each there are
    hours, days = held.any(axis=0), held.any(axis=1)
    weeks = (dates[-1] - dates[0]) // 7 + 1
    among_days = len(dates) / (weeks * days.sum() + 1.0)
    within_day = len(seconds) / (len(dates) * hours.sum() + 1.0)
    least = BY_CHANCE / (7 * per_day)
    shut_hours = ~hours & ((1.0 - within_day) ** len(dates) < least)
    shut_days = ~days & ((1.0 - among_days) ** weeks < BY_CHANCE / 7)
    rare = (1.0 - within_day) ** of_weekday < least
    closed = shut_days[:, None] | shut_hours | (~held & hours & (days & rare)[:, None])
    return closed.ravel(), step, phase


def _ranges(closed: Flags, step: int, phase: int) -> Ranges:
    """The first and the last second of each stretch of the week that is not closed; none where nothing is."""
    if not closed.any():
        return ()
    return tuple((first * step + phase, last * step + phase) for first, last in runs(~closed))


def _closed(dates: Times, open_days: str) -> Ranges:
    """The stretches of the year, from a day on, that hold none of the dates (n,) in all of at least two years.

    How many are absent by chance is what is absent elsewhere, or beside the stretch, if that is more. Of few days in a
    row there is one outage in each year, not one for each day.
    """
    days = dates.astype(np.int64)
    gap = int(np.median(np.diff(days))) if len(days) > 2 else 0
    if not 0 < gap <= LONGEST_STEP or days[-1] - days[0] < 366:
        return ()
    reach = 0 if gap == 1 else gap // 2
    near = np.unique((days[:, None] + np.arange(-reach, gap - reach)).ravel()).astype("M8[D]")
    every = np.arange(dates[0], dates[-1] + ONE_DAY)
    passed = _places_of_year(every[np.is_busday(every, weekmask=open_days)])
    held = gap * _places_of_year(dates)
    runs = [run for run in map(partial(_within, passed > 0), _circular_runs(_places_of_year(near) == 0)) if len(run)]
    apart = np.ones(len(YEAR), dtype=bool)
    apart[[place for run in runs for place in run]] = False
    absent = max(1.0 - held.sum() / max(passed[apart].sum(), 1), 1.0 / (len(days) + 1.0))
    return tuple(
        (int(YEAR[run[0]]), int(YEAR[run[-1]])) for run in runs if _is_no_chance(run, absent, passed, held, apart, gap)
    )


def _is_no_chance(run: NDArray[np.intp], absent: float, passed: Seconds, held: Seconds, apart: Flags, gap: int) -> bool:
    """Whether a stretch of places of the year without a date is no accident, given the share of dates ``absent``."""
    years = int(passed[run].max())
    away = np.arange(gap, gap + BESIDE)  # nearer steps may be of the stretch in some years
    beside = np.concatenate([run[0] - away, run[-1] + away]) % len(YEAR)
    beside = beside[apart[beside]]
    local = 1.0 - held[beside].sum() / max(passed[beside].sum(), 1)
    trials = min(passed[run].sum() / gap, years * max(1.0, len(run) / LONGEST_OUTAGE))
    return years >= 2 and bool(max(absent, local) ** trials < BY_CHANCE * gap / len(YEAR))


def _within(flags: Flags, run: NDArray[np.intp]) -> NDArray[np.intp]:
    """The run of places without those at its ends that are not set."""
    places = np.flatnonzero(flags[run])
    return run[places[0] : places[-1] + 1] if places.size else run[:0]


def _places_of_year(dates: Times) -> Seconds:
    """How many dates (n,) lie on each day of the year."""
    return np.bincount(np.searchsorted(YEAR, _day_of_year(dates)), minlength=len(YEAR))


def _day_of_year(times: Times) -> NDArray[np.int64]:
    """Month times 100 plus day of times (n,)."""
    dates, months = times.astype("M8[D]"), times.astype("M8[M]")
    return np.asarray((months.astype(np.int64) % 12 + 1) * 100 + (dates - months).astype(np.int64) + 1)


YEAR = _day_of_year(np.arange("2024-01-01", "2025-01-01", dtype="M8[D]"))  # its days


def runs(flags: Flags) -> list[tuple[int, int]]:
    """First and last index of every run of neighbours that are set.

    >>> runs(np.array([True, True, False, True]))
    [(0, 1), (3, 3)]
    """
    edges = np.flatnonzero(np.diff(np.concatenate(([0], flags.astype(np.int8), [0]))))
    return [(int(first), int(end) - 1) for first, end in zip(edges[::2], edges[1::2], strict=True)]


def _circular_runs(flags: Flags) -> list[NDArray[np.intp]]:
    """The runs of neighbours that are set on a circle; none where all are."""
    if flags.all() or not flags.any():
        return []
    places = (np.arange(len(flags)) + int(np.argmin(flags))) % len(flags)
    return [places[first : last + 1] for first, last in runs(flags[places])]
