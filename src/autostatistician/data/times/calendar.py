"""Recognise the calendar grid on which dates lie: from years down to seconds, with gaps allowed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.arrays import Flags, Floats, Times
from autostatistician.data.times.axes import CLOCK_UNITS, LAST_DAY, MEAN_MONTH, UNITS, Axis, month_parts, with_gap
from autostatistician.data.times.calendar_days import EVERY_DAY, WORKING_DAYS, CalendarDay, days_of_month
from autostatistician.data.times.forms import DAY
from autostatistician.data.times.occurring import Calendar
from autostatistician.i18n.messages import note_some

__all__ = ["Placed", "months_name", "place", "place_numbers", "with_constants"]


LEAST_COVERAGE = 0.05  # share of a grid of days or shorter steps: dates that fill less are called irregular
LARGEST_GRID = 10_000_000  # places that are counted to see how many of them have a value
USUAL_DAY, FEWEST_MOVED = 0.7, 8  # share of the dates on the day of their step, and how many show which it is
FEWEST_NAMED = 4  # dates on a day of the month
DAYS_OF_MONTH = {2: "half-month", 3: "third of a month"}  # steps by how many days of each month there are
WEEKDAYS_BY_CHANCE = 20  # so many dates without a weekend are no accident: (5/7)**20 = 0.1 %


@dataclass(frozen=True, eq=False)
class Placed:
    """Positions of all rows on their axis, and what there is to say about it."""

    axis: Axis
    x: Floats
    notes: tuple[str, ...] = ()


def place(times: Times, column: str) -> Placed:
    """Put dates (none missing, any order) on the coarsest calendar grid that holds them all.

    >>> dates = np.array(["2020-01-31", "2020-02-29", "2020-04-30"], dtype="M8[D]")
    >>> placed = place(dates, "month")
    >>> placed.axis.frequency, (placed.x[1:] * 12 - placed.x[0] * 12).round(9).tolist()
    ('month', [1.0, 3.0])
    """
    unique = np.unique(times.astype("M8[us]"))
    if unique.size < 2:
        return Placed(Axis(column, "day", "", None, _iso(unique[0])), np.zeros(times.size))
    axis, notes = _months(unique, column) or _days(unique, column) or (_clock_grid(unique, column), ())
    calendar = Calendar.of(unique, _seconds(axis))
    if axis.unit == "business day":
        calendar = replace(calendar, week=())
    axis = replace(axis, calendar=replace(calendar, month=axis.calendar.month))
    x = _on_grid(axis, times.astype("M8[us]"))
    if axis.unit != "year" and _is_sparse(axis, np.unique(x)):
        gap = float(np.median(np.diff(unique.astype(np.int64))))
        axis = Axis(column, "day" if axis.unit not in CLOCK_UNITS else _unit_of(gap), "", None, axis.origin)
        x = axis.positions(times)
    return Placed(with_gap(axis, x), x, notes)


def with_constants(axis: Axis, x: Floats, y: Floats) -> Axis:
    """The axis with the places of its calendar where values y (n,) at x (n,) are always one number.

    >>> axis, x = Axis("day", "day", "day", 1.0, "2024-01-01"), np.arange(182.0)
    >>> np.flatnonzero(with_constants(axis, x, np.where(x % 7 == 6, 0.0, x)).are_constant(x))[:3].tolist()
    [6, 13, 20]
    """
    if not axis.is_calendar or axis.step is None:
        return axis
    return replace(axis, calendar=axis.calendar.with_values(np.asarray(axis.times(x)), y, _seconds(axis)))


def _seconds(axis: Axis) -> float:
    """The length of a step; of months, a month."""
    return (axis.step or 1.0) * UNITS.get(axis.unit, DAY) / 1e6 if axis.unit != "year" else MEAN_MONTH * DAY / 1e6


def _on_grid(axis: Axis, times: Times) -> Floats:
    """Positions of dates: those beside the usual day of their month or week are the step's."""
    if axis.unit == "year" and axis.days_of_month == 1:
        return np.asarray((month_parts(times)[0] + axis.within) / 12)
    x = axis.positions(times)
    if axis.unit == "year":
        each = 12 * axis.days_of_month
        return np.asarray((np.round(x * each - axis.offset) + axis.offset) / each)
    return np.asarray(np.round(x / 7) * 7 if axis.frequency.endswith(("week", "weeks")) else x)


def _is_sparse(axis: Axis, x: Floats) -> bool:
    """Whether distinct positions (n,) in order fill too little of their grid to be one."""
    if x.size <= 2 or axis.step is None or axis.frequency.endswith(("week", "weeks")):
        return False
    places = (x[-1] - x[0]) / axis.step + 1
    if x.size >= LEAST_COVERAGE * places:
        return False
    return places > LARGEST_GRID or x.size < LEAST_COVERAGE * axis.grid(x[0], x[-1]).size


def place_numbers(x: Floats, column: str) -> Placed:
    """Plain numbers keep their values; a regular spacing, with or without gaps, is noted as the step.

    >>> place_numbers(np.array([0.0, 0.5, 2.0]), "x").axis.step
    0.5
    """
    unique = np.unique(x)
    axis = Axis(column, "", "", None)
    if unique.size > 1:
        gaps = np.diff(unique)
        step = float(gaps.min())
        with np.errstate(over="ignore", invalid="ignore"):
            steps = (unique - unique[0]) / step
            regular = bool(np.all(np.abs(steps - np.round(steps)) < 1e-6 * np.maximum(1.0, steps * 1e-6)))
            dense = unique.size >= LEAST_COVERAGE * (steps[-1] + 1)
        if regular and dense:
            step = float(unique[-1] - unique[0]) / float(np.round(steps[-1]))
            axis = Axis(column, "", "", float(f"{step:.12g}"))
    return Placed(with_gap(axis, x), x)


def _iso(time: np.datetime64) -> str:
    return str(time.astype("M8[us]")).removesuffix(".000000").removesuffix("T00:00:00")


def _common(values: NDArray[np.int64]) -> int:
    """The greatest common divisor of the distances between sorted distinct values."""
    return int(np.gcd.reduce(np.diff(values))) if values.size > 1 else 0


# --- months, quarters, years ---------------------------------------------------------------------------------------


def _months(unique: Times, column: str) -> tuple[Axis, tuple[str, ...]] | None:
    month, day, _ = month_parts(unique)
    if _common(month) == 0 or np.ptp(day % 1) > 0:
        return None
    once = np.unique(month).size == unique.size
    names, usual, is_plain = _days_by_name(unique, once)
    if not names:
        return None
    label_day = _label_day(names, day[usual])
    within = 0.0 if label_day == 1 else min((label_day - 1) / MEAN_MONTH, (MEAN_MONTH - 1) / MEAN_MONTH)
    calendar = Calendar(month=() if is_plain else tuple(name.to_text() for name in names))
    if len(names) > 1:
        step = 1 / (12 * len(names))
        return Axis(column, "year", DAYS_OF_MONTH[len(names)], step, "", within, label_day, calendar=calendar), ()
    step = _common(month)
    axis = Axis(column, "year", months_name(step), step / 12, "", within, label_day, calendar=calendar)
    return axis, _moved(unique, ~usual)


def _label_day(names: Sequence[CalendarDay], day: Floats) -> float:
    """The day of the month, with the time of the day, that stands for days by name."""
    first = names[0]
    last = first.kind == "end" or first.which < 0
    usual = first.day if first.kind == "date" and len(names) == 1 else np.floor(np.median(day))
    return float(LAST_DAY if last else usual) + float(day[0] % 1)


def _days_by_name(unique: Times, once: bool) -> tuple[tuple[CalendarDay, ...], Flags, bool]:
    """The days of each month that the dates (n,) are, in order, and which of these they are; () where they are none.

    A few dates of those that come once a month may lie on another day of it. Last, whether all are of one number, or
    the last of their months.
    """
    dates = unique.astype("M8[D]")
    left, names = np.ones(dates.size, dtype=bool), list[CalendarDay]()
    short = np.unique(np.diff(dates)).size == 1 or dates.size < FEWEST_NAMED
    numbers = [CalendarDay("end"), *(day for day in days_of_month() if day.kind == "date")]
    days = [*(numbers if once else []), *([] if short else days_of_month())]
    candidates = [(day, day.in_every(dates.astype("M8[M]")) == dates) for day in days]
    while candidates and left.any() and len(names) < (1 if once else max(DAYS_OF_MONTH)):
        day, rows = max(candidates, key=lambda candidate: int(np.count_nonzero(left & candidate[1])))
        if np.count_nonzero(left & rows) < min(FEWEST_NAMED, dates.size):
            break
        left &= ~rows
        names.append(day)
    is_plain = once and not left.any() and names[0] in numbers
    enough = once and dates.size >= FEWEST_MOVED and left.mean() <= 1.0 - USUAL_DAY
    months = int(np.ptp(dates.astype("M8[M]").astype(np.int64))) + 1
    if (left.any() and (short or not enough)) or (2 * dates.size < months * len(names) and not is_plain):
        return (), ~left, False
    some = np.arange("2024-01", "2024-02", dtype="M8[M]")
    return tuple(sorted(names, key=lambda day: str(day.dates(some)[0]))), ~left, is_plain


def _moved(unique: Times, moved: Flags) -> tuple[str, ...]:
    """That some dates (n,) lie beside the usual day of their step."""
    return note_some(
        int(moved.sum()), "{n} date lies beside the usual day of its step ({first}); it is read as that step.",
        "{n} dates lie beside the usual day of their step (the first is {first}); they are read as these steps.",
        first=_iso(unique[np.argmax(moved)]),
    )  # fmt: skip


def months_name(step: int) -> str:
    """What a step of so many months is called.

    >>> months_name(3), months_name(24), months_name(5)
    ('quarter', '2 years', '5 months')
    """
    names = {1: "month", 3: "quarter", 6: "half-year", 12: "year"}
    return names.get(step) or (f"{step // 12} years" if step % 12 == 0 else f"{step} months")


# --- weeks, days, business days ------------------------------------------------------------------------------------


def _days(unique: Times, column: str) -> tuple[Axis, tuple[str, ...]] | None:
    micros = unique.astype(np.int64)
    if np.any((micros - micros[0]) % DAY):
        return None
    days = (micros - micros[0]) // DAY
    weekday = np.bincount(days % 7, minlength=7)
    usual = days % 7 == np.argmax(weekday)
    weeks = (days - np.argmax(weekday) + 3) // 7
    if np.all(usual) or (
        unique.size >= FEWEST_MOVED and usual.mean() >= USUAL_DAY and np.unique(weeks).size == unique.size
    ):
        step, origin = _common(weeks), _iso(unique[usual][0])
        name = "week" if step == 1 else f"{step} weeks"
        return Axis(column, "day", name, float(7 * step), origin), _moved(unique, ~usual)
    of_week = Calendar.of(unique, DAY / 1e6).open_days
    if _is_business(unique.astype("M8[D]")) and of_week in (EVERY_DAY, WORKING_DAYS):
        return Axis(column, "business day", "business day", 1.0, _iso(unique[0])), ()
    step = _common(days)
    return _counted(days, step, column, "day", _iso(unique[0])), ()


def _is_business(days: Times) -> bool:
    if not np.all(np.is_busday(days)) or int(days[-1].astype(int) - days[0].astype(int)) < 7:
        return False
    coverage = days.size / (int(np.busday_count(days[0], days[-1])) + 1)
    return days.size >= WEEKDAYS_BY_CHANCE or (days.size >= 6 and coverage >= 0.8)


def _counted(values: NDArray[np.int64], step: int, column: str, unit: str, origin: str) -> Axis:
    """An axis that counts units from its first date; the step of two dates has no name."""
    frequency = unit if step == 1 else f"{step} {unit}s"
    return Axis(column, unit, "" if values.size == 2 else frequency, float(step), origin)


# --- hours, minutes, seconds ---------------------------------------------------------------------------------------


def _clock_grid(unique: Times, column: str) -> Axis:
    micros = unique.astype(np.int64)
    values = micros - micros[0]
    step = _common(values)
    unit = next((name for name in ("hour", "minute", "second") if step % UNITS[name] == 0), "second")
    if step % UNITS[unit]:
        size = step / UNITS[unit]
        return Axis(column, unit, f"{size:g} seconds", size, _iso(unique[0]))
    return _counted(values // UNITS[unit], step // UNITS[unit], column, unit, _iso(unique[0]))


def _unit_of(gap: float) -> str:
    return next((name for name in ("day", "hour", "minute") if gap >= UNITS[name] / 2), "second")
