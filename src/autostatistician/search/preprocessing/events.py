"""Rows that stand out because something happened there: of a run that lies off together, or next to a lasting step."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom, norm, rankdata

from autostatistician.data.outliers import off_alike
from autostatistician.data.times.axes import Axis
from autostatistician.data.times.calendar_days import (
    NUMBER_OF_DAYS,
    CalendarDay,
    days_of_month,
    days_of_year,
    weekdays_of,
)

__all__ = ["overshoots", "returning", "runs", "together", "turns_of_months"]


Flags = NDArray[np.bool_]

FEWEST_RETURNS = 2  # that lie far out

LEAST_SHARE_OFF = 0.75  # of all values on such a day

MOST_ROWS = 0.05  # of the rows: more are a cycle, which the search finds

MOST_ROWS_OF_MONTH = 0.2  # of the rows

FEWEST_MONTHS = 6  # with a day

TURN = 7  # days at the start of a month

CHANCE_OF_MONTH = 0.02  # that values without any are so on a day of the month

CHANCE = 0.03  # that values off at random are so on any day

Array = NDArray[np.float64]

BESIDE, FEWEST_BESIDE = 12, 3  # rows on either side that an event is compared with

ENDS_TRIED = 3  # on either side of a row

FEWEST_ROWS = 3  # of an event: fewer may be single values

LONGEST_EVENT = 0.3  # of the rows

APART = 1.0 / 3.0  # of the distance of the medians: so far apart are all rows of an event from all beside it

CLEAR_STEP = 3.5  # standard errors

OF_OUTLIER = 0.5  # of how far a value lies off: so large is the step that it belongs to

USUAL_STEPS, LARGER = 0.9, 1.5  # quantile of the steps elsewhere, and how many times as large it is


def together(y: Array, out: Flags) -> Flags:
    """Which rows (n,) of a series belong to runs that lie off together, by the rows that are ``out``.

    >>> y = np.where((np.arange(60) >= 30) & (np.arange(60) < 40), 9.0, 0.0)
    >>> np.flatnonzero(together(y, np.arange(60) == 31)).tolist()
    [30, 31, 32, 33, 34, 35, 36, 37, 38, 39]
    """
    rows = np.zeros(len(y), dtype=bool)
    for row in np.flatnonzero(out):
        if not rows[row]:
            first, last = _event(y, int(row))
            rows[first : last + 1] = True
    return rows


def overshoots(y: Array, expected: Array, out: Flags) -> Flags:
    """Which of the rows (n,) that are ``out`` lie at a step, beyond the level that it leads to."""
    rows = np.zeros(len(y), dtype=bool)
    for first, last in runs(out):
        rows[first : last + 1] = _overshoots(y, expected, out, first, last)
    return rows


def runs(flags: Flags) -> list[tuple[int, int]]:
    """First and last index of every run of neighbours that are set.

    >>> runs(np.array([True, True, False, True]))
    [(0, 1), (3, 3)]
    """
    edges = np.flatnonzero(np.diff(np.concatenate(([0], flags.astype(np.int8), [0]))))
    return [(int(first), int(end) - 1) for first, end in zip(edges[::2], edges[1::2], strict=True)]


def _event(y: Array, row: int) -> tuple[int, int]:
    """The first and last row of the longest run around a row that lies off together; an empty one where there is none.

    From one row to the next it moves by less than to the rows beside it: its ends are the largest moves.
    """
    longest = int(LONGEST_EVENT * len(y))
    low, high = max(FEWEST_BESIDE, row - longest + 1), min(len(y) - FEWEST_BESIDE, row + longest) - 1
    moves = np.abs(np.diff(y))
    firsts = low + np.argsort(-moves[low - 1 : row])[:ENDS_TRIED]
    lasts = row + np.argsort(-moves[row : high + 1])[:ENDS_TRIED]
    pairs = [(int(a), int(b)) for a in firsts for b in lasts if FEWEST_ROWS <= b - a + 1 <= longest]
    return max((pair for pair in pairs if _is_off(y, *pair)), key=lambda pair: pair[1] - pair[0], default=(1, 0))


def _is_off(y: Array, first: int, last: int) -> bool:
    """Whether all rows from one to another lie clearly above, or below, all those beside them."""
    inside = y[first : last + 1]
    beside = np.concatenate([y[max(0, first - BESIDE) : first], y[last + 1 : last + 1 + BESIDE]])
    least = APART * abs(float(np.median(inside) - np.median(beside)))
    return bool(max(inside.min() - beside.max(), beside.min() - inside.max()) > least > 0.0)


def _overshoots(y: Array, expected: Array, out: Flags, first: int, last: int) -> bool:
    """Whether rows that are out lie at a step of the others to the same side, clearly larger than steps elsewhere."""
    off = (y - expected)[first : last + 1]
    sizes, errors = zip(*(_step(y, out, row) for row in range(len(y))), strict=True)
    steps, near = np.array(sizes) * np.sign(off[0]), np.abs(np.arange(len(y)) - first) <= BESIDE
    usual = float(np.quantile(np.abs(steps[~near]), USUAL_STEPS)) if not near.all() else np.inf
    least = max(OF_OUTLIER * float(np.abs(off).max()), LARGER * usual)
    at = slice(max(0, first - 1), first + 1)  # or one row before them
    return bool(np.any((steps[at] > least) & (steps[at] > CLEAR_STEP * np.array(errors)[at])))


def _step(y: Array, out: Flags, row: int) -> tuple[float, float]:
    """The step at a row beside a line through the rows around it that are not out, with its standard error."""
    rows = np.arange(max(0, row - BESIDE), min(len(y), row + BESIDE))
    rows = rows[~out[rows]]
    after = rows >= row
    if min(after.sum(), (~after).sum()) < BESIDE // 2:
        return 0.0, np.inf
    design = np.stack([np.ones(len(rows)), rows - row, after], axis=1)
    inverse = np.linalg.inv(design.T @ design)
    coefficients = inverse @ design.T @ y[rows]
    variance = float(np.sum((y[rows] - design @ coefficients) ** 2)) / (len(rows) - 3)
    return float(coefficients[2]), float(np.sqrt(variance * inverse[2, 2]))


# --- Values far off that the calendar brings again ------------------------------------------------------------------


def returning(axis: Axis | None, x: Array, errors: Array, out: Flags) -> list[tuple[CalendarDay, Flags]]:
    """The days on which values are off each time, those of every month first, and the rows (n,) of each.

    Parameters
    ----------
    axis : Axis or None
        That of the series; only where its steps are days, there are any.
    x, errors : array (n,)
        Positions, and how far values are off, in standard deviations.
    out : array (n,) of bool
        Which of them are further off than chance would have it.

    Examples
    --------
    >>> days = np.arange(730.0)
    >>> out = np.isin(days, [100, 358, 723])
    >>> found = returning(Axis("day", "day", "day", 1.0, "2021-01-01"), days, np.where(out, -9.0, 0.0), out)
    >>> [(day.text, np.flatnonzero(rows).tolist()) for day, rows in found]
    [('25 December each year', [358, 723])]
    """
    if axis is None or not axis.has_days:
        return []
    monthly = _each_month(axis, x, errors)
    taken = np.logical_or.reduce([rows for _, rows in monthly]) if monthly else np.zeros_like(out)
    return [*monthly, *_each_year(axis, x, errors, out & ~taken)]


def turns_of_months(axis: Axis | None, x: Array) -> Flags:
    """Which positions (n,) are among the first or last days of months; none on axes without days, or in few months."""
    if axis is None or not axis.has_days or np.count_nonzero(axis.are(CalendarDay("end"), x)) < FEWEST_MONTHS:
        return np.zeros(len(x), dtype=bool)
    turns = [day for day in days_of_month() if day.kind == "end" or (day.kind == "date" and day.day <= TURN)]
    return np.asarray(np.logical_or.reduce([axis.are(day, x) for day in turns]))


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


def _each_year(axis: Axis, x: Array, errors: Array, out: Flags) -> list[tuple[CalendarDay, Flags]]:
    """The days of the year on which values are off each time, the plainest first, and the rows (n,) of each."""
    dates, unexplained = np.asarray(axis.times(x)).astype("M8[D]"), out.copy()
    named = sorted({day for date in dates[out] for day in days_of_year(date)})
    candidates = [(day, rows) for day in named if _is_off_each_time(errors, out, rows := axis.are(day, x))]
    every = np.logical_or.reduce([rows for _, rows in candidates]) if candidates else np.zeros_like(out)
    by_chance = (np.count_nonzero(out & ~every) + 1.0) / len(x)
    returns: list[tuple[CalendarDay, Flags]] = []
    taken = np.zeros_like(out)
    while candidates:
        # the day that explains most, and among such days the one with the fewest rows beside these
        day, rows = max(
            candidates,
            key=lambda candidate: (np.count_nonzero(unexplained & candidate[1]), -np.count_nonzero(candidate[1])),
        )
        hits = np.count_nonzero(unexplained & rows)
        if hits < FEWEST_RETURNS or binom.sf(hits - 1, np.count_nonzero(rows), by_chance) * NUMBER_OF_DAYS > CHANCE:
            break
        returns.append((day, rows & ~taken))
        taken, unexplained = taken | rows, unexplained & ~rows
        candidates = [candidate for candidate in candidates if candidate[0] != day]
    return returns if np.count_nonzero(taken) <= MOST_ROWS * len(x) else []


def _is_off_each_time(errors: Array, out: Flags, rows: Flags) -> bool:
    """Whether the values on a day lie off to one side, most of them, and some of them far."""
    if np.count_nonzero(out & rows) < FEWEST_RETURNS:
        return False
    typical = float(np.median(errors[out & rows]))
    return bool(np.mean(off_alike(errors[rows], typical)) >= LEAST_SHARE_OFF)
