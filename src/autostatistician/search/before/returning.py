"""Values far off that the calendar brings again: on a date, a weekday of a month, a month's end, each year or month."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from autostatistician.data.times.axes import Axis
from autostatistician.data.times.calendar_days import NUMBER_OF_DAYS, CalendarDay, DaysOfAxis, has_days

__all__ = ["returning"]

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

FEWEST_RETURNS = 2  # that lie far out
RETURNS_FROM = 0.35  # of the size of those far out: then a value is off to the same side
LEAST_SHARE_OFF = 0.75  # of all values on such a day
MOST_ROWS = 0.05  # of the rows: more are a cycle, which the search finds
CHANCE = 0.03  # that values off at random are so on any day


def returning(axis: Axis | None, x: Floats, errors: Floats, out: Flags) -> list[tuple[CalendarDay, Flags]]:
    """The days on which values are off each time, the plainest first, and the rows (n,) of each.

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
    if axis is None or not has_days(axis) or np.count_nonzero(out) < FEWEST_RETURNS:
        return []
    days, unexplained = DaysOfAxis(axis, x), out.copy()
    named = sorted({day for row in np.flatnonzero(out) for day in days.of(int(row))})
    candidates = [(day, rows) for day in named if _is_off_each_time(errors, out, rows := days.are(day))]
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


def _is_off_each_time(errors: Floats, out: Flags, rows: Flags) -> bool:
    """Whether the values on a day lie off to one side, most of them, and some of them far."""
    if np.count_nonzero(out & rows) < FEWEST_RETURNS:
        return False
    typical = float(np.median(errors[out & rows]))
    off = errors[rows] * np.sign(typical) > RETURNS_FROM * abs(typical)
    return bool(np.mean(off) >= LEAST_SHARE_OFF)
