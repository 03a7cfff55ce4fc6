"""Values far off that the calendar brings again: on a day of each month, or a day, week or month of each year."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import median_filter
from scipy.stats import binom, norm, rankdata

from autostatistician.data.outliers import off_alike
from autostatistician.data.times.axes import Axis
from autostatistician.data.times.calendar_days import (
    FROM_EASTER,
    NUMBER_OF_DAYS,
    NUMBER_OF_WEEKS,
    CalendarDay,
    days_of_month,
    days_of_year,
    weekdays_of,
    weeks_of_year,
)
from autostatistician.data.times.periods import has_months, has_weeks, hold, periods_of

__all__ = ["log_density_together", "may_return", "returning"]


Array = NDArray[np.float64]

Flags = NDArray[np.bool_]

FEWEST_RETURNS = 2  # that lie far out

LEAST_SHARE_OFF = 0.75  # of all values on such a day

MOST_ROWS = 0.05  # of the rows: more are a cycle, which the search finds

MOST_ROWS_OF_STEPS = 0.1  # the same of weeks and months

AROUND, SPIKES_FROM = 7, 8.0  # rows of a running median, and how far off it, in usual distances, a place of the year is

FEASTS = ((12, 25), (1, 1))  # that most calendars have

MOST_ROWS_OF_MONTH = 0.2  # of the rows

FEWEST_MONTHS = 6  # with a day

TURN = 7  # days at the start of a month

CHANCE_OF_MONTH = 0.02  # that values without any are so on a day of the month

CHANCE = 0.03  # that values off at random are so on any day


def may_return(axis: Axis | None, x: Array, y: Array) -> Flags:
    """Which rows (n,) the calendar may have brought: they are judged by the others alone, as they hide each other.

    Of days these are the first and last of months, in several of them. Of weeks and months those whose place in the
    year is off the running median to one side each year, however a yearly pattern would describe it.
    """
    if axis is not None and axis.has_days and np.count_nonzero(axis.are(CalendarDay("end"), x)) >= FEWEST_MONTHS:
        turns = [day for day in days_of_month() if day.kind == "end" or (day.kind == "date" and day.day <= TURN)]
        return np.asarray(np.logical_or.reduce([axis.are(day, x) for day in turns]))
    rows = np.zeros(len(x), dtype=bool)
    if axis is None or axis.has_days or not _number_of_names(axis):
        return rows
    off = y - median_filter(y, AROUND, mode="mirror")
    usual = float(np.median(np.abs(off[off != 0.0]))) if off.any() else np.inf
    for some in _places(axis, x):
        typical = float(np.median(off[some]))
        alike = np.mean(off_alike(off[some], typical)) >= LEAST_SHARE_OFF
        if len(some) >= FEWEST_RETURNS and alike and abs(typical) * np.sqrt(len(some)) > SPIKES_FROM * usual:
            rows[some] = True
    return rows


def returning(axis: Axis | None, x: Array, errors: Array, out: Flags, may_be: Flags) -> list[tuple[CalendarDay, Flags]]:
    """The days on which values are off each time, those of every month first, and the rows (n,) of each.

    Parameters
    ----------
    axis : Axis or None
        That of the series; only where its steps are days, weeks or months, there are any.
    x, errors : array (n,)
        Positions, and how far values are off, in standard deviations.
    out : array (n,) of bool
        Which of them are further off than chance would have it.
    may_be : array (n,) of bool
        Which weeks or months `may_return`: others that are off are at an edge of a season.

    Examples
    --------
    >>> days = np.arange(730.0)
    >>> out = np.isin(days, [100, 358, 723])
    >>> found = returning(Axis("day", "day", "day", 1.0, "2021-01-01"), days, np.where(out, -9.0, 0.0), out, out)
    >>> [(day.text, np.flatnonzero(rows).tolist()) for day, rows in found]
    [('25 December each year', [358, 723])]
    >>> weeks = np.arange(0.0, 730.0, 7.0)
    >>> out = np.isin(weeks, [133.0, 357.0, 721.0])
    >>> found = returning(Axis("day", "day", "week", 7.0, "2021-01-04"), weeks, np.where(out, -9.0, 0.0), out, out)
    >>> [(day.text, np.flatnonzero(rows).tolist()) for day, rows in found]
    [('the week of 1 January each year', [51, 103])]
    """
    if axis is None or not _number_of_names(axis):
        return []
    monthly = _each_month(axis, x, errors) if axis.has_days else []
    taken = np.logical_or.reduce([rows for _, rows in monthly]) if monthly else np.zeros_like(out)
    may_be = ~taken if axis.has_days else may_be
    return [*monthly, *_each_year(axis, x, errors, out & ~taken, may_be)]


def log_density_together(errors: Array, count: int) -> float:
    """The log density of errors (k,) that are off by one size, of a series of so many rows.

    The size and how much the errors differ cost half the logarithm of the rows each, as in the Bayesian criterion.

    >>> alike, unlike = np.array([-9.0, -10.0, -9.5]), np.array([-9.0, 10.0, -9.5])
    >>> [round(log_density_together(errors, 150)) for errors in (alike, unlike)]
    [-8, -16]
    """
    spread = max(1.0, float(np.std(errors, ddof=1)))
    return float(norm.logpdf(errors, errors.mean(), spread).sum()) - float(np.log(count))


def _each_month(axis: Axis, x: Array, errors: Array) -> list[tuple[CalendarDay, Flags]]:
    """The days of the month on which values lie off to one side, the most certain first, and the rows (n,) of each.

    By normal scores (van der Waerden 1952) less their means by weekday: a few far values are no day of the month. Days
    are added one by one as long as the next one is less probable by chance than `CHANCE` among all that there could be.
    """
    weekdays = weekdays_of(np.asarray(axis.times(x)))
    free, found = np.ones(len(x), dtype=bool), list[tuple[CalendarDay, Flags]]()
    candidates = [(day, axis.are(day, x)) for day in days_of_month()]
    while np.count_nonzero(~free) <= MOST_ROWS_OF_MONTH * len(x):
        scores = np.zeros(len(x))
        scores[free] = norm.ppf(rankdata(errors[free]) / (np.count_nonzero(free) + 1.0))
        for weekday in range(7):
            these = free & (weekdays == weekday)
            scores[these] -= scores[these].mean() if these.any() else 0.0
        tried = [(day, rows & free) for day, rows in candidates if np.count_nonzero(rows & free) >= FEWEST_MONTHS]
        sure = [abs(float(scores[rows].sum())) / np.sqrt(np.count_nonzero(rows)) for _, rows in tried]
        if not tried or 2.0 * norm.sf(max(sure)) * len(tried) > CHANCE_OF_MONTH:
            return found
        found.append(tried[int(np.argmax(sure))])
        free &= ~found[-1][1]
    return []  # more are a cycle within the month


def _number_of_names(axis: Axis) -> int:
    """How many steps of a year have a name; none where steps are neither days, weeks nor months."""
    if axis.has_days:
        return NUMBER_OF_DAYS
    if has_weeks(axis):
        return NUMBER_OF_WEEKS
    return 12 if has_months(axis) and round(12 * (axis.step or 0.0) * axis.days_of_month) == 1 else 0


def _names(axis: Axis, x: Array) -> list[list[CalendarDay]]:
    """All that each step (n,) can be called as one of each year."""
    first, _ = periods_of(axis, x)
    if axis.has_days:
        return [days_of_year(date) for date in first]
    if has_weeks(axis):
        return [weeks_of_year(date) for date in first]
    return [[CalendarDay("month", int(month) % 12 + 1)] for month in first.astype("M8[M]").astype(np.int64)]


def _places(axis: Axis, x: Array) -> list[NDArray[np.intp]]:
    """The rows (k,) of every week or month that has a name in the year."""
    dates = periods_of(axis, x)[0] + np.arange(7 if has_weeks(axis) else 1)[:, None]
    months = dates.astype("M8[M]")
    keys = (months.astype(np.int64) % 12 * 31 + (dates - months).astype(np.int64)).ravel()
    order = np.argsort(keys, kind="stable")
    fixed = np.split(order % len(x), np.flatnonzero(np.diff(keys[order])) + 1)
    moving = [CalendarDay("easter", day=days) for days in FROM_EASTER] if has_weeks(axis) else []
    return [*fixed, *(np.flatnonzero(hold(axis, day, x)) for day in moving)]


def _each_year(axis: Axis, x: Array, errors: Array, out: Flags, may_be: Flags) -> list[tuple[CalendarDay, Flags]]:
    """The days of the year on which values are off each time, the plainest first, and the rows (n,) of each."""
    unexplained, number = out & may_be, _number_of_names(axis)
    named = sorted({day for names in _names(axis, x[unexplained]) for day in names})
    candidates = [(day, rows) for day in named if _is_off_each_time(errors, unexplained, rows := hold(axis, day, x))]
    every = np.logical_or.reduce([rows for _, rows in candidates]) if candidates else np.zeros_like(out)
    by_chance = (np.count_nonzero(out & ~every) + 1.0) / len(x)
    returns: list[tuple[CalendarDay, Flags]] = []
    taken = np.zeros_like(out)
    while candidates:
        # the day that explains most, and among such days the one with the fewest rows beside these
        best = max((np.count_nonzero(unexplained & rows), -np.count_nonzero(rows)) for _, rows in candidates)
        alike = [
            (day, rows)
            for day, rows in candidates
            if (np.count_nonzero(unexplained & rows), -np.count_nonzero(rows)) == best
        ]
        day, rows = _plainest(alike)
        if best[0] < FEWEST_RETURNS or binom.sf(best[0] - 1, -best[1], by_chance) * number > CHANCE:
            break
        returns.append((day, rows & ~taken))
        taken, unexplained = taken | rows, unexplained & ~rows
        candidates = [candidate for candidate in candidates if candidate[0] != day]
    most = MOST_ROWS if axis.has_days else MOST_ROWS_OF_STEPS
    return returns if np.count_nonzero(taken) <= most * len(x) else []


def _plainest(alike: list[tuple[CalendarDay, Flags]]) -> tuple[CalendarDay, Flags]:
    """Of days that the data do not tell apart the first; of the dates in a week a feast, else the middle one.

    A week lies up to six days earlier or later in the next year: the middle date stays in it the surest.
    """
    if alike[0][0].step != "week":
        return alike[0]
    same = [candidate for candidate in alike if (candidate[1] == alike[0][1]).all()]
    feasts = (candidate for candidate in same if (candidate[0].month, candidate[0].day) in FEASTS)
    return next(feasts, same[len(same) // 2])


def _is_off_each_time(errors: Array, out: Flags, rows: Flags) -> bool:
    """Whether the values on a day lie off to one side, most of them, and some of them far."""
    if np.count_nonzero(out & rows) < FEWEST_RETURNS:
        return False
    typical = float(np.median(errors[out & rows]))
    return bool(np.mean(off_alike(errors[rows], typical)) >= LEAST_SHARE_OFF)
