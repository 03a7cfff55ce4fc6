"""Positions and lengths along the axis, and amounts of the target, in words.

Lengths are told in the unit that reads best, dates as finely as the span of the data calls for, and a
period that the data cannot tell from a calendar cycle by the name of that cycle.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from math import ceil, floor, inf, isfinite

import numpy as np
from babel.dates import format_datetime
from babel.units import format_unit
from numpy.typing import NDArray

from autostatistician.data.times.axes import Axis
from autostatistician.wording.names import clean_name, measured
from autostatistician.wording.numbers import LOCALE, amount, decimals_for, fixed

__all__ = [
    "Cycle",
    "Units",
    "along",
    "axis_title",
    "calendar_cycle",
    "cycle",
    "instants",
    "length",
    "of_weekdays",
    "phase_kind",
    "phase_text",
    "phases",
    "place",
    "position_text",
    "rate",
    "rows_around",
    "stamp",
    "step_name",
    "units_of",
]

_NO_NAMES = ("", "x", "t", "ds")  # of columns that hold the time
_VISIBLE, _ROUNDING = 1.5, 1e-6  # times what could be seen at least, and the spread of the values
_ON_ROW = 1e-3  # of a step: a place that is no nearer lies between rows
_DAY = 86400.0
_YEAR = 365.25 * _DAY
_SECONDS = {
    "year": _YEAR, "quarter": _YEAR / 4, "month": _YEAR / 12, "week": 7 * _DAY, "day": _DAY, "business day": 1.4 * _DAY,
    "hour": 3600.0, "minute": 60.0, "second": 1.0,
}  # fmt: skip
# From which length on (in seconds) a unit reads well.
_LADDER = (
    ("year", 0.95 * _YEAR), ("month", 2 / 12 * _YEAR), ("week", 2 * 7 * _DAY), ("day", 2 * _DAY),
    ("hour", 2 * 3600.0), ("minute", 120.0), ("second", 0.0),
)  # fmt: skip
# Cycles with a name of their own: length in seconds, adjective, what "every ..." is called.
_NAMED = (
    (_YEAR, "yearly", "year"), (_YEAR / 2, "half-yearly", "half year"), (_YEAR / 4, "quarterly", "quarter of a year"),
    (_YEAR / 12, "monthly", "month"), (7 * _DAY, "weekly", "week"), (_DAY, "daily", "day"),
    (_DAY / 2, "half-daily", "half day"), (3600.0, "hourly", "hour"), (60.0, "minutely", "minute"),
)  # fmt: skip
_ADVERBS = {
    "year": "yearly", "quarter": "quarterly", "month": "monthly", "week": "weekly", "day": "daily",
    "business day": "business-day", "hour": "hourly", "minute": "per-minute", "second": "per-second",
}  # fmt: skip


_FOLD, _MOST_WAVES = 0.5, 12  # of the tolerance of names; waves of a cycle of the calendar, beyond which any fits


@dataclass(frozen=True)
class Units:
    """What the words need to know about the data: axis, span, target, spread of the values.

    ``gap`` is the typical distance of neighbouring observations. Where the logarithm of the target is modelled,
    ``level`` is the geometric mean of the values and ``spread`` that of their logarithms; else ``level`` is None.
    Noise with a standard deviation of ``noise_floor`` or less could not be seen.
    """

    axis: Axis
    first: float
    last: float
    gap: float
    target: str
    spread: float
    level: float | None = None
    noise_floor: float = 0.0

    @property
    def span(self) -> float:
        """Length of the data along the axis."""
        return self.last - self.first

    def shows_noise(self, sd: float) -> bool:
        """Whether noise of this standard deviation can be seen, or is as small as the search lets it be."""
        return sd >= max(_VISIBLE * self.noise_floor, _ROUNDING * self.spread)


@dataclass(frozen=True)
class Cycle:
    """A period in words: as an adjective before a noun, after "every", and as a length."""

    adjective: str  # "yearly", "10.8-year"; "" on axes without a unit
    every: str  # "year", "10.8 years", "12.5 units of 'x'"
    named: bool
    scale: float = 1.0  # of the unit in words, how many there are in one of the axis


def units_of(
    axis: Axis, x: NDArray[np.float64], y: NDArray[np.float64], target: str, level: float | None = None
) -> Units:
    """The units of a data set with positions ``x`` and values ``y`` (as they are modelled)."""
    gaps = np.diff(np.unique(x))
    gap = axis.step if axis.step else float(np.median(gaps)) if gaps.size else 1.0
    spread = float(np.std(y)) or abs(float(np.mean(y)))
    return Units(axis, float(x[0]), float(x[-1]), gap, clean_name(target), spread, level)


def _seconds(units: Units) -> float | None:
    """Seconds in one unit of the axis; None on axes without a time unit."""
    return _SECONDS.get(units.axis.unit)


def length(value: float, units: Units, digits: int = 2) -> str:
    """A length along the axis in words ("6.7 months"); plain numbers carry the name of the column."""
    if not isfinite(value):
        return "an unlimited length"
    if units.axis.unit == "business day" and value < 5.0:
        return f"{amount(value, digits)} business day{'' if amount(value, digits) == '1' else 's'}"
    seconds = _seconds(units)
    if seconds is None:
        return _plain_length(value, units, digits)
    unit = _unit_for(value * seconds)
    return _with_unit(value * seconds / _SECONDS[unit], unit, digits)


def _plain_length(value: float, units: Units, digits: int) -> str:
    text = amount(value, digits)
    if units.axis.unit:
        return f"{text} {units.axis.unit}"
    name, symbol = measured(units.axis.column)
    return f"{text} {symbol}" if symbol else f"{text} {'unit' if text == '1' else 'units'} of '{name}'"


def _unit_for(seconds: float) -> str:
    return next(unit for unit, least in _LADDER if seconds >= least or unit == "second")


def _with_unit(value: float, unit: str, digits: int) -> str:
    shown = float(f"{value:.{digits - 1}e}") if value else 0.0
    return format_unit(shown, f"duration-{unit}", length="long", format="#,##0.############", locale=LOCALE)


def cycle(period: float, units: Units) -> Cycle:
    """A period in words; it takes the name of a calendar cycle that the data cannot tell it from.

    Over a span R, periods closer than p^2/R differ by less than one turn; a quarter of that (at least
    0.2 %, at most 3 % of the period) is taken as "the same".
    """
    seconds = _seconds(units)
    if seconds is None:
        return Cycle("", length(period, units, 3), False)
    if units.axis.unit == "business day" and abs(period - 5.0) <= _tolerance(period, units):
        return Cycle("weekly", "week of five business days", True)
    for exact, adjective, every in _NAMED:
        if abs(period - exact / seconds) <= _tolerance(period, units):
            return Cycle(adjective, every, True)
    return _numbered_cycle(period * seconds, _tolerance(period, units) * seconds, period, units)


def calendar_cycle(period: float, units: Units) -> tuple[float, int]:
    """The cycle of the calendar that a period is a fraction of, and how many of its waves make one.

    What repeats every 2.5 business days takes the same values again only after a week: where the values lie on a grid
    and a period is no whole number of its steps, the cycle of the calendar is what a reader sees. Other periods are
    returned as they are, once.
    """
    step, tolerance = units.axis.step, _FOLD * _tolerance(period, units)
    if not step or abs(period - step * round(period / step)) <= tolerance:
        return period, 1
    for natural in units.axis.natural_periods:
        waves, steps = round(natural / period), natural / step
        whole = abs(steps - round(steps)) < 1e-6 and natural <= units.span
        if whole and 1 < waves <= _MOST_WAVES and abs(period * waves - natural) <= tolerance * waves:
            return period * waves, waves
    return period, 1


def of_weekdays(period: float, units: Units) -> bool:
    """Whether sums over months have a wave of this period because the number of each weekday in a month changes.

    A month has 4.348 weeks on average, so the week and its half come back after 1 / 0.348 and 1 / 0.304 months.
    """
    if units.axis.frequency != "month":
        return False
    weeks = _SECONDS["month"] / _SECONDS["week"]
    rests = (abs(k * weeks - round(k * weeks)) for k in (1, 2))
    return any(abs(period - units.gap / rest) <= _FOLD * _tolerance(period, units) for rest in rests)


def phase_kind(period: float, units: Units) -> str:
    """What the place within a period is called by: "month", "weekday" or "hour"; "" where it has no name."""
    seconds = _seconds(units)
    if seconds is None or not units.axis.is_calendar:
        return ""
    name, gap = cycle(period, units).adjective, units.gap * seconds
    finest = {"yearly": ("month", 31.5 * _DAY), "weekly": ("weekday", 1.5 * _DAY), "daily": ("hour", 3 * 3600.0)}
    kind, widest = finest.get(name, ("", 0.0))
    return kind if gap <= widest else ""


def phases(x: NDArray[np.float64], kind: str, units: Units) -> tuple[NDArray[np.int64], int]:
    """For each position its month (1 to 12), weekday (0: Monday) or hour, and how many of these there are."""
    times = np.asarray(units.axis.times(x), dtype="datetime64[s]")
    match kind:
        case "month":
            return times.astype("datetime64[M]").astype(np.int64) % 12 + 1, 12
        case "weekday":
            return (times.astype("datetime64[D]").astype(np.int64) + 3) % 7, 7
        case _:
            return times.astype("datetime64[h]").astype(np.int64) % 24, 24


def phase_text(kind: str, values: tuple[int, ...]) -> str:
    """Neighbouring places within a period in words.

    >>> phase_text("month", (7,)), phase_text("weekday", (5, 6)), phase_text("hour", (15,))
    ('in July', 'on Saturdays and Sundays', 'around 15:00')
    >>> phase_text("month", (12, 1, 2)), phase_text("hour", (22, 23, 0))
    ('from December to February', 'between 22:00 and 00:00')
    """
    names = [_phase_name(kind, value) for value in values]
    alone, between = {"month": ("in", "from {} to {}"), "weekday": ("on", "from {} to {}")}.get(
        kind, ("around", "between {} and {}")
    )
    return between.format(names[0], names[-1]) if len(names) > 2 else f"{alone} {' and '.join(names)}"


def _phase_name(kind: str, value: int) -> str:
    match kind:
        case "month":
            return str(format_datetime(datetime(2001, value, 1), "MMMM", locale=LOCALE))
        case "weekday":
            return f"{format_datetime(datetime(2001, 1, 1 + value), 'EEEE', locale=LOCALE)}s"
        case _:
            return f"{value:02d}:00"


def _numbered_cycle(seconds: float, tolerance: float, period: float, units: Units) -> Cycle:
    if units.axis.unit == "business day" and period < 5.0:
        return Cycle(f"{amount(period)}-business-day", length(period, units, 3), False)
    unit = _unit_for(seconds)
    value = seconds / _SECONDS[unit]
    whole = round(value)
    if unit == "week" and abs(value - whole) * _SECONDS[unit] > tolerance:
        unit, value = "day", seconds / _DAY  # an 18-day cycle rather than one of 2.57 weeks
        whole = round(value)
    shown = float(whole) if whole >= 1 and abs(value - whole) * _SECONDS[unit] <= tolerance else value
    return Cycle(f"{amount(shown)}-{unit}", _with_unit(shown, unit, 3), False, seconds / period / _SECONDS[unit])


def _tolerance(period: float, units: Units) -> float:
    resolution = period**2 / units.span if units.span > 0 else inf
    return float(np.clip(0.25 * resolution, 0.002 * period, 0.03 * period))


def instants(axis: Axis, x: NDArray[np.float64]) -> NDArray[np.float64] | NDArray[np.datetime64]:
    """Model positions as the user's times (datetime64) or, for plain numbers, unchanged."""
    return axis.times(x) if axis.is_calendar else x


def _moment(position: float, units: Units) -> datetime | None:
    """A position as a date; None where there is none (plain numbers, far outside the calendar)."""
    reach = 3.0 * max(units.span, units.gap)
    if not units.axis.is_calendar or not units.first - reach <= position <= units.last + reach:
        return None
    try:
        moment = np.asarray(units.axis.times(np.array([position])), dtype="datetime64[s]")[0].item()
    except (OverflowError, ValueError):
        return None
    return moment if isinstance(moment, datetime) else None


_PATTERNS = {
    "year": "y", "month": "MMMM y", "day": "d MMMM y", "minute": "d MMMM y, HH:mm", "second": "d MMMM y, HH:mm:ss",
}  # fmt: skip
_ORDER = ("year", "month", "day", "minute", "second")


def place(position: float, units: Units) -> str:
    """A position in words, as finely as the span of the data calls for ("1943", "May 1943", ...)."""
    moment = _moment(position, units)
    if moment is None:
        return _plain_place(position, units)
    finest = min(_ORDER.index(_by_span(units)), _ORDER.index(_by_step(units)))
    return moment_text(moment, _ORDER[finest])


def rows_around(position: float, units: Units) -> tuple[float, float]:
    """The last row at or before a position, and the first after it; the position itself where rows lie on no grid.

    What changes between July and August applies until July, and from August on.

    >>> units = Units(Axis("year", "year", "year", 1.0), 1871.0, 1970.0, 1.0, "y", 1.0)
    >>> rows_around(1898.5, units), rows_around(1899.0, units)
    ((1898.0, 1899.0), (1899.0, 1899.0))
    """
    step = units.axis.step
    if not step or not isfinite(position):
        return position, position
    rows = (position - units.first) / step
    near = round(rows)
    low, high = (near, near) if abs(rows - near) < _ON_ROW else (floor(rows), ceil(rows))
    return units.first + low * step, units.first + high * step


def stamp(position: float, units: Units) -> str:
    """A position in words as finely as the observations lie ("January 1961" for monthly data)."""
    moment = _moment(position, units)
    if moment is None:
        return _bare(position, units)
    if units.axis.frequency == "quarter":
        return f"quarter {(moment.month - 1) // 3 + 1} of {moment.year}"
    return moment_text(moment, _by_step(units))


def position_text(position: float, units: Units) -> str:
    """A position for a table cell: a date where there is one, else the bare number."""
    moment = _moment(position, units)
    return (
        _ungrouped(fixed(position, decimals_for(position, 6), trim=True)) if moment is None else place(position, units)
    )


def moment_text(moment: datetime, resolution: str) -> str:
    """A date to the given resolution.

    >>> moment_text(datetime(1943, 5, 1), "month")
    'May 1943'
    """
    return format_datetime(moment, _PATTERNS[resolution], locale=LOCALE)


def _plain_place(position: float, units: Units) -> str:
    if units.axis.is_calendar:
        return _bare(position, units)
    name, symbol = measured(units.axis.column)
    return f"'{name}' = {_bare(position, units)} {symbol}".rstrip()


def _bare(position: float, units: Units) -> str:
    """A position that is no date, as a number."""
    if units.axis.is_calendar:
        unit = units.axis.unit
        return f"{unit} {fixed(position, 0).replace(',', '')}" if unit == "year" else f"{unit} {amount(position)}"
    decimals = max(0, int(2 - np.floor(np.log10(units.span)))) if units.span > 0 else 3
    return _ungrouped(fixed(position, decimals, trim=True))


def _ungrouped(text: str) -> str:
    return text.replace(",", "") if len(text.split(".")[0].lstrip("-\N{MINUS SIGN}")) <= 5 else text  # 1949, not 1,949


def _by_span(units: Units) -> str:
    seconds = _seconds(units) or 1.0
    span = units.span * seconds
    steps = (("year", 20 * _YEAR), ("month", 2 * _YEAR), ("day", _YEAR / 6), ("minute", 1800.0), ("second", -inf))
    return next(name for name, least in steps if span > least)


def _by_step(units: Units) -> str:
    seconds = units.gap * (_seconds(units) or 1.0)
    steps = (("year", 0.9 * _YEAR), ("month", 28 * _DAY), ("day", 0.9 * _DAY), ("minute", 60.0), ("second", -inf))
    return next(name for name, least in steps if seconds >= least)


def rate(value: float, units: Units) -> tuple[float, str]:
    """A slope per unit of the axis as a number and the words after it ("per year")."""
    seconds = _seconds(units)
    if seconds is None:
        name, symbol = measured(units.axis.column)
        unnamed = f"unit of '{name}'"
        return value, f"per {units.axis.unit or symbol or unnamed}"
    span = units.span * seconds
    unit = next(
        name
        for name in ("year", "month", "day", "hour", "minute", "second")
        if span >= 2 * _SECONDS[name] or name == "second"
    )
    return value * _SECONDS[unit] / seconds, f"per {unit}"


def along(units: Units) -> str:
    """How the axis passes: "over time" or, for plain numbers, "as 'x' increases"."""
    return "over time" if units.axis.is_calendar else f"as '{measured(units.axis.column)[0]}' increases"


def step_name(units: Units) -> str:
    """How often there is an observation ("monthly"); "" when irregular or unknown."""
    return _ADVERBS.get(units.axis.frequency, units.axis.frequency)


def axis_title(units: Units) -> str:
    """The label of the horizontal axis of a figure; a letter is no name for time."""
    name = clean_name(units.axis.column)
    if units.axis.is_calendar and name.lower() in _NO_NAMES:
        return "time"
    return name or "position"
