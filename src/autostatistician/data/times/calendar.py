"""Recognise the calendar grid on which dates lie: from years down to seconds, with gaps allowed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.times.axes import DAY, LAST_DAY, MEAN_MONTH, UNITS, Axis, month_parts, with_gap
from autostatistician.wording.messages import message, note

__all__ = ["Placed", "describe_span", "months_name", "place", "place_numbers"]

Floats = NDArray[np.float64]
Times = NDArray[np.datetime64]

LEAST_COVERAGE = 0.05  # share of a grid of days or shorter steps: dates that fill less are called irregular
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
    if axis.unit == "year":  # a month's last working day is not always its last day: every date keeps to its month
        x = np.asarray((month_parts(times.astype("M8[us]"))[0] + axis.within) / 12)
    else:
        x = axis.positions(times)
    return Placed(with_gap(axis, x), x, notes)


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


_MONTHS = (
    message("Jan"), message("Feb"), message("Mar"), message("Apr"), message("May"), message("Jun"), message("Jul"),
    message("Aug"), message("Sep"), message("Oct"), message("Nov"), message("Dec"),
)  # fmt: skip


def describe_span(times: Times, frequency: str) -> str:
    """First and last date in words that fit the grid: "Jan 1949 to Dec 1960".

    >>> describe_span(np.array(["1949-01-01", "1960-12-01"], dtype="M8[s]"), "month")
    'Jan 1949 to Dec 1960'
    """
    first, last = _words(times.min(), frequency), _words(times.max(), frequency)
    return note("{first} to {last}", first=first, last=last)


def _words(time: np.datetime64, frequency: str) -> str:
    year, month, day, clock = *str(time.astype("M8[D]")).split("-"), str(time.astype("M8[m]"))[-5:]
    name = note(_MONTHS[int(month) - 1])
    if "year" in frequency and "half" not in frequency:
        return str(int(year))
    if "month" in frequency or "quarter" in frequency or "half" in frequency:
        return note("{month} {year}", month=name, year=int(year))
    told = {"day": int(day), "month": name, "year": int(year)}
    if clock == "00:00" and "hour" not in frequency:
        return note("{day} {month} {year}", **told)
    return note("{day} {month} {year} {clock}", clock=clock, **told)


def _iso(time: np.datetime64) -> str:
    text = str(time.astype("M8[us]"))
    return text.removesuffix(".000000").removesuffix("T00:00:00")


def _common(values: NDArray[np.int64]) -> int:
    """The greatest common divisor of the distances between sorted distinct values."""
    return int(np.gcd.reduce(np.diff(values))) if values.size > 1 else 0


# --- months, quarters, years ---------------------------------------------------------------------------------------


def _months(unique: Times, column: str) -> tuple[Axis, tuple[str, ...]] | None:
    month, day, length = month_parts(unique)
    if _common(month) == 0 or np.unique(month).size < unique.size:
        return None
    labelled = _day_of_month(unique, day, length)
    if labelled is None:
        return None
    label_day, notes = labelled
    within = 0.0 if label_day == 1 else min((label_day - 1) / MEAN_MONTH, (MEAN_MONTH - 1) / MEAN_MONTH)
    step = _common(month)
    return Axis(column, "year", months_name(step), step / 12, "", within, label_day), notes


def _day_of_month(unique: Times, day: Floats, length: NDArray[np.int64]) -> tuple[float, tuple[str, ...]] | None:
    clock = day % 1
    if np.ptp(clock) > 0:
        return None
    if np.ptp(day) == 0 and day[0] < 28:
        return float(day[0]), ()
    if np.all(np.floor(day) == length):
        return LAST_DAY + float(clock[0]), ()
    latest = np.floor(day.max())
    if (latest > 28 and np.all(np.floor(day) == np.minimum(latest, length))) or np.ptp(day) == 0:
        return float(day.max()), ()
    return _working_day(unique) if unique.size >= 4 else None


def _working_day(unique: Times) -> tuple[float, tuple[str, ...]] | None:
    """Whether all dates are the first, or all the last, working days of their months."""
    days, month = unique.astype("M8[D]"), unique.astype("M8[M]")
    first = np.busday_offset(month.astype("M8[D]"), 0, roll="forward")
    last = np.busday_offset((month + 1).astype("M8[D]") - 1, 0, roll="backward")
    if np.all(days == first):
        return 1.0, (note("Dates on the first working day of a month are read as its first day."),)
    if np.all(days == last):
        return float(LAST_DAY), (note("Dates on the last working day of a month are read as its last day."),)
    return None


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
    step, origin = _common(days), _iso(unique[0])
    if step % 7 == 0:
        return Axis(column, "day", "week" if step == 7 else f"{step // 7} weeks", float(step), origin), ()
    if _is_business(unique.astype("M8[D]")):
        return Axis(column, "business day", "business day", 1.0, origin), ()
    return _counted(days, step, column, "day", origin), ()


def _is_business(days: Times) -> bool:
    if not np.all(np.is_busday(days)) or int(days[-1].astype(int) - days[0].astype(int)) < 7:
        return False
    coverage = days.size / (int(np.busday_count(days[0], days[-1])) + 1)
    return days.size >= WEEKDAYS_BY_CHANCE or (days.size >= 6 and coverage >= 0.8)


def _counted(values: NDArray[np.int64], step: int, column: str, unit: str, origin: str) -> Axis:
    """An axis that counts units from its first date; irregular when the dates fill too little of the grid."""
    if values.size == 2 or values.size < LEAST_COVERAGE * (values[-1] / step + 1):
        return Axis(column, unit, "", None, origin) if values.size > 2 else Axis(column, unit, "", float(step), origin)
    return Axis(column, unit, unit if step == 1 else f"{step} {unit}s", float(step), origin)


# --- hours, minutes, seconds ---------------------------------------------------------------------------------------


def _clock_grid(unique: Times, column: str) -> Axis:
    micros = unique.astype(np.int64)
    values = micros - micros[0]
    step = _common(values)
    if values.size < LEAST_COVERAGE * (values[-1] / step + 1):
        return Axis(column, _unit_of(float(np.median(np.diff(values)))), "", None, _iso(unique[0]))
    unit = next((name for name in ("hour", "minute", "second") if step % UNITS[name] == 0), "second")
    if step % UNITS[unit]:
        size = step / UNITS[unit]
        return Axis(column, unit, f"{size:g} seconds", size, _iso(unique[0]))
    return _counted(values // UNITS[unit], step // UNITS[unit], column, unit, _iso(unique[0]))


def _unit_of(gap: float) -> str:
    return next((name for name in ("day", "hour", "minute") if gap >= UNITS[name] / 2), "second")
