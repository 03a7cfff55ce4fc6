"""The time axis: how positions of the model (float64) relate to the dates or numbers of the user."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.arrays import Flags, Floats, Times
from autostatistician.data.records import fields_from, reading, record_of, refuse
from autostatistician.data.times.calendar_days import ONE_MONTH, WORKING_DAYS, CalendarDay
from autostatistician.data.times.forms import DAY, DecimalYears
from autostatistician.data.times.occurring import ALWAYS, Calendar
from autostatistician.errors import InputError
from autostatistician.i18n.numbers import as_written

__all__ = [
    "CLOCK_UNITS",
    "LAST_DAY",
    "MEAN_MONTH",
    "UNITS",
    "Axis",
    "label_text",
    "month_parts",
    "plain_axis",
    "with_gap",
]  # fmt: skip


# In microseconds: all date arithmetic is exact integer arithmetic in this unit.
CLOCK_UNITS = ("hour", "minute", "second")  # whose steps are over before anybody looks, and show when clocks change
UNITS = {"day": DAY, "hour": 3_600_000_000, "minute": 60_000_000, "second": 1_000_000}

LAST_DAY = 31  # as a day of the month: whichever day is the last one

MEAN_MONTH = 30.4375  # days

# By the unit of the axis: the cycles that people's calendars have.
NATURAL_PERIODS = {
    "year": (1.0,),
    "day": (7.0, 365.2425),
    "business day": (5.0, 260.9),
    "hour": (24.0, 168.0, 8765.82),
    "minute": (60.0, 1440.0, 10080.0),
    "second": (60.0, 3600.0, 86400.0),
}


@dataclass(frozen=True)
class Axis:
    """One input axis of a data set.

    Calendar axes are measured in ``unit`` ("year", "day", "hour", "minute", "second" or "business day") so that
    calendar steps are an exact grid: monthly, quarterly and yearly series in years of twelve equal months
    (position = year + (month - 1 + within) / 12), the others in units since ``origin``. Number axes keep the
    user's numbers and have the unit "" (unknown).

    >>> month = Axis("month", "year", "month", 1 / 12)
    >>> month.times(np.array([1949.0, 1949.25])).astype(str).tolist()
    ['1949-01-01T00:00:00', '1949-04-01T00:00:00']
    >>> month.positions(np.array(["1949-04-16"], dtype="M8[s]")).tolist()
    [1949.2916666666667]
    """

    column: str  # name of the column as the user wrote it
    unit: str  # unit of the model positions; "" for plain numbers
    frequency: str  # "month", "quarter", "week", "business day", "15 minutes", ...; "" when irregular or plain numbers
    step: float | None  # distance of neighbouring grid positions in model units; None when there is no grid
    origin: str = ""  # ISO 8601 time of model position 0 for axes in days, hours, ...; "" for years and numbers
    within: float = 0.0  # where in its month a monthly observation sits, as a fraction (0 start, 0.5 middle)
    day: float = 0.0  # day of the month of the dates as written (31: the last; fractions: time of day); 0: by `within`
    gap: float = 1.0  # median distance of neighbouring observations in model units
    labels: str = ""  # how the user writes positions: "" dates (or plain numbers), "year" decimal years in equal
    # months, "<days of a year>:<number of the first day>" such as "365:1": year + day of the year / 365
    calendar: Calendar = ALWAYS  # which places of the week, the month and the year occur

    @property
    def is_calendar(self) -> bool:
        """Whether positions stand for dates or times."""
        return self.unit != ""

    def times(self, x: Floats) -> Times | Floats:
        """The dates at model positions, to the second; plain numbers are returned unchanged.

        Any year from 1 to 9999 works and leap years count. Between two dates of a grid (two month starts, Friday and
        Monday of a business-day axis) time runs evenly, so `positions` is the inverse.
        """
        x = np.asarray(x, dtype=np.float64)
        if not self.is_calendar:
            return x
        fine = self.unit == "second" and (self.step is None or self.step % 1 != 0)
        return _rounded(_times_at(self, x), 1_000 if fine else 1_000_000).astype("M8[ms]" if fine else "M8[s]")

    def positions(self, times: Times | Floats) -> Floats:
        """The model positions of dates (or of plain numbers): the inverse of `times`."""
        values = np.asarray(times)
        if not self.is_calendar:
            if values.dtype.kind == "M":
                raise InputError.of(f"numbers for the axis {self.column!r}", "dates", "give numbers as in the data")
            return np.asarray(values, dtype=np.float64)
        if values.dtype.kind != "M":
            raise InputError.of(f"dates for the axis {self.column!r}", "numbers", "give dates as in the data")
        return _positions_at(self, values.astype("M8[us]").astype(np.int64))

    def future(self, last_x: float, steps: int) -> Floats:
        """The next ``steps`` positions after ``last_x`` that the calendar has; before it where they are negative.

        An axis without a grid goes on in steps of its median gap.

        >>> Axis("x", "", "", 2.0).future(10.0, 3).tolist()
        [12.0, 14.0, 16.0]
        >>> shop = Axis("t", "hour", "hour", 1.0, "2024-01-01T09", calendar=Calendar(((32_400, 61_200),)))
        >>> shop.future(7.0, 3).tolist(), shop.future(168.0, -1).tolist()
        ([8.0, 168.0, 169.0], [8.0])
        """
        reach = steps
        while True:
            ahead = self._steps_from(last_x, reach)
            ahead = ahead[self.are_open(ahead)]
            if len(ahead) >= abs(steps):
                return ahead[: abs(steps)]
            reach *= 2

    def _steps_from(self, x: float, steps: int) -> Floats:
        ahead = np.sign(steps) * np.arange(1, abs(steps) + 1, dtype=np.float64)
        step = self.gap if self.step is None else self.step
        if self.unit == "year" and self.step is not None:
            # in whole months, so that twelve steps of a month are exactly one year
            each = 12 * self.days_of_month
            return np.asarray((np.round(x * each - self.offset) + ahead * np.round(step * each) + self.offset) / each)
        return np.asarray(x + ahead * step)

    def are_open(self, x: Floats) -> Flags:
        """Which positions (m,) lie at places that the calendar has."""
        if not (self.calendar.week or self.calendar.closed):
            return np.ones(len(x), dtype=bool)
        return self.calendar.are_open(np.asarray(self.times(x)))

    def are_constant(self, x: Floats) -> Flags:
        """Which positions (m,) lie at places of the calendar whose values are always one number."""
        if not self.calendar.varying:
            return np.zeros(len(x), dtype=bool)
        return self.calendar.are_constant(np.asarray(self.times(x)))

    def grid(self, first: float, last: float) -> Floats:
        """All positions from ``first``, which is one, to ``last`` that the calendar has, and whose values vary."""
        steps = round((last - first) / (self.step or self.gap))
        ahead = np.concatenate([[first], self._steps_from(first, steps)]) if steps > 0 else np.array([first])
        return np.asarray(ahead[self.are_open(ahead) & ~self.are_constant(ahead)])

    def lacking(self, x: Floats, first: float) -> Floats:
        """The positions of the grid from the ``first``, which is one, to the last of x (n,) that are not among them.

        >>> Axis("t", "day", "day", 1.0, "2020-01-01").lacking(np.array([1.0, 4.0]), 0.0).tolist()
        [0.0, 2.0, 3.0]
        """
        if not self.step:
            return np.zeros(0)
        grid = self.grid(first, float(x.max()))
        return grid[~np.isin(np.round((grid - first) / self.step), np.round((x - first) / self.step))]

    @property
    def has_days(self) -> bool:
        """Whether its steps are days, or business days.

        >>> Axis("t", "day", "day", 1.0, "2020-01-01").has_days, Axis("t", "day", "week", 7.0, "2020-01-01").has_days
        (True, False)
        """
        return self.unit in ("day", "business day") and self.step == 1.0

    def are(self, day: CalendarDay, x: Floats) -> Flags:
        """Which positions (m,) of an axis of days are a day of the calendar.

        >>> axis, days = Axis("t", "day", "day", 1.0, "2020-11-25"), np.arange(40.0)
        >>> [np.flatnonzero(axis.are(day, days)).tolist() for day in (CalendarDay("date", 12, 25), CalendarDay("end"))]
        [[30], [5, 36]]
        """
        dates = np.asarray(self.times(x)).astype("M8[D]")
        return day.are(dates, WORKING_DAYS if self.unit == "business day" else self.calendar.open_days)

    @property
    def days_of_month(self) -> int:
        """How many days of each month are steps: one unless the calendar names several."""
        return max(1, len(self.calendar.month))

    @property
    def offset(self) -> float:
        """Where in its step an observation of months sits, as a fraction."""
        return self.within * self.days_of_month

    def written(self, x: Floats) -> NDArray[Any]:
        """Positions as the user writes them: dates, decimal years, whole years or plain numbers."""
        x = np.asarray(x, dtype=np.float64)
        if not self.labels:
            return self.times(x)
        if ":" in self.labels:
            return DecimalYears.of(self.labels).written(np.asarray(self.times(x)))
        whole = np.round(x)
        return whole.astype(np.int64) if self.unit == "year" and np.allclose(x, whole, rtol=0, atol=1e-9) else x

    def label(self, x: float) -> str:
        """A position as messages name it.

        >>> Axis("month", "year", "month", 1 / 12).label(1949.5), Axis("x", "", "", 1.0).label(3.0)
        ('1949-07-01', '3')
        """
        return label_text(self.written(np.array([x]))[0])

    def read(self, values: NDArray[Any]) -> Floats:
        """Positions of values written as the user writes them (the inverse of `written`); dates always work."""
        values = np.asarray(values)
        if values.dtype.kind == "M" or not self.is_calendar or not self.labels:
            return self.positions(values)
        numbers = np.asarray(values, dtype=np.float64)
        if ":" not in self.labels:
            return numbers
        return _snapped(self, self.positions(DecimalYears.of(self.labels).times(numbers)))

    @property
    def natural_periods(self) -> tuple[float, ...]:
        """Lengths of the calendar's own cycles (year, week, day, hour) in model units; none for plain numbers.

        >>> Axis("month", "year", "month", 1 / 12).natural_periods
        (1.0,)
        """
        return NATURAL_PERIODS.get(self.unit, ())

    def to_json(self) -> dict[str, Any]:
        """A JSON-ready record of all fields; the calendar is one of them where it lacks places."""
        return record_of(self, *(["calendar"] if self.calendar == ALWAYS else []))

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> Axis:
        """The axis of a record made by `to_json`.

        >>> axis = Axis("month", "year", "month", 1 / 12)
        >>> Axis.from_json(axis.to_json()) == axis
        True
        """
        unknown = sorted(set(record) - {field.name for field in fields(cls)})
        with reading("an axis"):
            if unknown:
                raise ValueError(f"the unknown fields {unknown}")
            axis = cls(**fields_from(cls, record))
            _check(axis)
        return axis


def label_text(value: Any) -> str:
    """A time, or a number, as it is written in a table.

    >>> label_text(np.datetime64("1949-07-01T00:00:00")), label_text(1949.0)
    ('1949-07-01', '1949')
    """
    if isinstance(value, np.datetime64):
        return str(value).removesuffix("T00:00:00").removesuffix(":00")
    return as_written(value) if isinstance(value, float) else str(value)


def plain_axis(column: str, x: Floats) -> Axis:
    """The axis of plain numbers ``x`` (n,) of which nothing is known but how far they lie apart.

    >>> plain_axis("depth", np.array([0.0, 2.0, 3.0, 5.0])).gap
    2.0
    """
    return with_gap(Axis(column, "", "", None), x)


def with_gap(axis: Axis, x: Floats) -> Axis:
    """The axis with the median distance of neighbouring observations filled in."""
    gaps = np.diff(np.unique(x))
    return replace(axis, gap=float(np.median(gaps)) if len(gaps) else axis.step or 1.0)


def _check(axis: Axis) -> None:
    """Raise a `ValueError` or `TypeError` when an axis from outside holds something that is not of its kind."""
    has_origin, sizes = axis.unit in ("business day", *UNITS), (axis.gap, 1.0 if axis.step is None else axis.step)
    wrong = {
        "steps that are no positive numbers": not all(1e-150 < size < 1e150 for size in sizes),
        "a place in the month that does not exist": not (0 <= axis.within <= 1 and 0 <= axis.day < LAST_DAY + 1),
        f"the unit {axis.unit!r}": not (has_origin or axis.unit in ("", "year")),
        f"the origin {axis.origin!r}": has_origin and bool(np.isnat(np.datetime64(axis.origin, "us"))),
        f"the labels {axis.labels!r}": not re.fullmatch(r"|year|(?:true|\d{3}(?:\.\d+)?):\d+", axis.labels),
    }
    refuse(wrong)


def _snapped(axis: Axis, x: Floats) -> Floats:
    """Positions within two hundredths of a step of the grid, as rounded decimal years are, are put on it."""
    if axis.step is None:
        return x
    phase = axis.within / 12 if axis.unit == "year" else 0.0
    grid = axis.step if axis.unit != "year" else 1 / 12
    nearest = np.round((x - phase) / grid)
    exact = (nearest + axis.within) / 12 if axis.unit == "year" else nearest * grid
    return np.asarray(np.where(np.abs(x - exact) < 0.02 * grid, exact, x))


def _rounded(micros: NDArray[np.int64], to: int) -> Times:
    return np.asarray(((micros + to // 2) // to * to).astype("M8[us]"))


def month_parts(times: Times) -> tuple[NDArray[np.int64], Floats, NDArray[np.int64]]:
    """Months since year 0, day of the month (1.5: noon of the first) and number of days of the month."""
    month = times.astype("M8[M]")
    start, end = (edge.astype("M8[us]").astype(np.int64) for edge in (month, month + ONE_MONTH))
    day = (times.astype("M8[us]").astype(np.int64) - start) / DAY + 1
    return month.astype(np.int64) + 1970 * 12, day, (end - start) // DAY


def _anchor(axis: Axis, step: NDArray[np.int64]) -> NDArray[np.int64]:
    """The time (microseconds) of a step: a business day; of months their start, a day of theirs, or a fraction."""
    if axis.unit == "business day":
        origin = np.datetime64(axis.origin, "us")
        days = np.busday_offset(origin.astype("M8[D]"), step)
        return np.asarray((days + (origin - origin.astype("M8[D]"))).astype(np.int64))
    month, which = np.divmod(step, axis.days_of_month)
    months = (month - 1970 * 12).astype("M8[M]")
    start, end = (edge.astype("M8[us]").astype(np.int64) for edge in (months, months + ONE_MONTH))
    length, clock = end - start, round((axis.day % 1) * DAY)
    if axis.calendar.month:
        dates = np.choose(which, [day.in_every(months) for day in axis.calendar.days])
        return np.asarray(dates.astype("M8[us]").astype(np.int64) + clock)
    if axis.day:
        return np.asarray(start + np.minimum((int(axis.day) - 1) * DAY, length - DAY) + clock)
    return np.asarray(start + np.round(axis.within * length / 1e6).astype(np.int64) * 1_000_000)


def _step_at(axis: Axis, micros: NDArray[np.int64]) -> NDArray[np.int64]:
    """The last step at or before times."""
    times = micros.astype("M8[us]")
    if axis.unit == "business day":
        origin = np.datetime64(axis.origin, "us")
        days = (times - (origin - origin.astype("M8[D]"))).astype("M8[D]")
        return np.asarray(np.busday_count(origin.astype("M8[D]"), np.busday_offset(days, 0, roll="backward")))
    each, month = axis.days_of_month, month_parts(times)[0]
    reached = [micros >= _anchor(axis, month * each + which) for which in range(each)]
    return np.asarray(month * each + np.sum(reached, axis=0) - 1)


def _times_at(axis: Axis, x: Floats) -> NDArray[np.int64]:
    """Times (microseconds) of positions."""
    if axis.unit in UNITS:
        origin = int(np.datetime64(axis.origin, "us").astype(np.int64))
        return np.asarray(origin + np.round(x * UNITS[axis.unit]).astype(np.int64))
    steps = x * 12 * axis.days_of_month - axis.offset if axis.unit == "year" else x
    # A position that is a step up to rounding is that step: 1949 + 1/12 must not become the last of January.
    steps = np.where(np.abs(steps - np.round(steps)) < 1e-7, np.round(steps), steps)
    whole = np.floor(steps).astype(np.int64)
    first, second = _anchor(axis, whole), _anchor(axis, whole + 1)
    return np.asarray(first + np.round((steps - whole) * (second - first)).astype(np.int64))


def _positions_at(axis: Axis, micros: NDArray[np.int64]) -> Floats:
    """Positions of times (microseconds)."""
    if axis.unit in UNITS:
        return np.asarray((micros - int(np.datetime64(axis.origin, "us").astype(np.int64))) / UNITS[axis.unit])
    step = _step_at(axis, micros)
    first, second = _anchor(axis, step), _anchor(axis, step + 1)
    steps = step + (micros - first) / (second - first)
    return np.asarray((steps + axis.offset) / (12 * axis.days_of_month) if axis.unit == "year" else steps)
