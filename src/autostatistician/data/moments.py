"""Times that users name, as positions of a series: a date, or a month or year with all rows in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Literal

import numpy as np

from autostatistician.data.arrays import Floats
from autostatistician.data.dataset import Dataset
from autostatistician.data.new_rows import model_positions
from autostatistician.data.times.axes import Axis
from autostatistician.errors import InputError

__all__ = ["check_steps", "most_steps", "positions_at", "steps_at_most", "stretch_of"]


MOST_STEPS = 10_000  # of a forecast: 27 years of days; more would take memory for numbers that tell nothing

_MOST: ContextVar[int] = ContextVar("most steps", default=MOST_STEPS)

NEAR = 1e-3  # of a step, within which a row is at a position

SPAN = r"\d{4}(?:-\d\d)?"  # a year, or a month of one


def positions_at(dataset: Dataset, when: Any, last: float) -> Floats:
    """The positions (m,) of a time that a user names; beyond the ``last`` value those of steps that come.

    A month or year stands for all rows in it, if they are nearer together.

    Raises
    ------
    InputError
        When it is no time, lies before the data or too far beyond them, or has no row.

    Examples
    --------
    >>> from autostatistician.data.load import load
    >>> data = load({"week": ["2024-01-01", "2024-01-08", "2024-01-15"], "sales": [1.0, 2.0, 4.0]})
    >>> positions_at(data, "2024-01", 14.0).tolist(), positions_at(data, "2024-01-08", 14.0).tolist()
    ([0.0, 7.0, 14.0, 21.0, 28.0], [7.0])
    """
    axis, rows = _axis_of(dataset), np.unique(dataset.x)
    first, end = _ends(dataset, when)
    near, step = NEAR * axis.gap, axis.step or axis.gap
    if end > last:
        steps = check_steps(int(np.ceil((end - last) / step)))
        rows = np.concatenate([rows, axis.future(last, steps + 1)])
    inside = rows[(rows >= first - near) & (rows <= end + near)]
    if not inside.size:  # the steps are longer than the month or year that was named
        inside = rows[np.abs(rows - first) <= near]
    if not inside.size:
        there = axis.label(rows[np.abs(rows - first).argmin()])
        expected, remedy = "a time of the series, or one to come", f"give its date: the nearest row is {there}"
        raise InputError.of(expected, repr(str(when).strip()), remedy)
    return np.asarray(inside)


def stretch_of(dataset: Dataset, start: Any, stop: Any) -> tuple[float, float]:
    """The stretch of the axis from one time that a user names to another; None is that of the first or last row.

    A month or year is all of it.

    Raises
    ------
    InputError
        When one is no time, or the first is later than the last.

    Examples
    --------
    >>> from autostatistician.data.load import load
    >>> data = load({"day": ["2024-01-01", "2024-01-02", "2024-01-03"], "sales": [1.0, 2.0, 4.0]})
    >>> stretch_of(data, "2024-01-02", None), round(stretch_of(data, None, "2024-01")[1])
    ((1.0, 2.0), 31)
    """
    axis, rows = _axis_of(dataset), dataset.x
    low = float(rows.min()) if start is None else _ends(dataset, start)[0]
    high = float(rows.max()) if stop is None else _ends(dataset, stop)[1]
    if low > high + NEAR * axis.gap:
        ends = f"{start or 'the first row'} to {stop or 'the last row'}"
        raise InputError.of("a stretch that begins before it ends", ends, "name other times")
    return low, high


def _axis_of(dataset: Dataset) -> Axis:
    if dataset.axis is None or not dataset.is_ordered:
        raise InputError.of("a series in time", "a model of a table", "ask for its effects")
    return dataset.axis


def _ends(dataset: Dataset, when: Any) -> tuple[float, float]:
    """Where a time that a user names begins and ends: a moment, or a month or year up to the next one."""
    axis, text = _axis_of(dataset), str(when).strip()
    if not (axis.is_calendar and not axis.labels and re.fullmatch(SPAN, text)):
        (position,) = model_positions(dataset, [text] if isinstance(when, str) else [when])
        return float(position), float(position)
    unit: Literal["M", "Y"] = "M" if "-" in text else "Y"
    try:
        begin = np.datetime64(text, unit)
    except ValueError:
        raise InputError.of("a month from 01 to 12", repr(text), "write it as 2024-07") from None
    first, end = axis.positions(np.array([begin, begin + np.timedelta64(1, unit)]).astype("M8[s]"))
    return float(first), float(end) - 2.0 * NEAR * axis.gap


# --- How many steps beyond the data may be asked for ----------------------------------------------------------------


def most_steps() -> int:
    """How many steps can be asked for: `MOST_STEPS`, or fewer inside of `steps_at_most`."""
    return _MOST.get()


@contextmanager
def steps_at_most(most: int) -> Iterator[None]:
    """Refuse what reaches further in all that is asked inside of it: a server answers many.

    >>> with steps_at_most(1000):
    ...     most_steps()
    1000
    """
    token = _MOST.set(min(most, MOST_STEPS))
    try:
        yield
    finally:
        _MOST.reset(token)


def check_steps(steps: object, least: int = 1) -> int:
    """A number of forecast steps as an int.

    >>> check_steps(24)
    24
    """
    most = most_steps()
    if not isinstance(steps, int | np.integer) or isinstance(steps, bool) or not least <= steps <= most:
        expected = f"steps as a whole number from {least} to {most}"
        raise InputError.of(expected, repr(steps), "change the number of steps")
    return int(steps)
