"""Lengths along the axis and slopes, in the unit that reads best."""

from __future__ import annotations

from math import isfinite

from babel.units import format_unit

from autostatistician.describe.axis.units import DAY, SECONDS, YEAR, Units, axis_seconds
from autostatistician.wording.messages import language
from autostatistician.wording.names import clean_name, measured
from autostatistician.wording.numbers import amount

__all__ = [
    "about", "along", "axis_title", "counted_unit", "length", "rate", "reading_unit", "rough_length", "step_name",
]  # fmt: skip

_TIMES = frozenset(("seconds", "minutes", "hours", "days", "weeks", "months", "quarters", "years"))
_NO_NAMES = ("", "x", "t", "ds")  # of columns that hold the time
# From which length on (in seconds) a unit reads well.
_LADDER = (
    ("year", 0.95 * YEAR), ("month", 2 / 12 * YEAR), ("week", 2 * 7 * DAY), ("day", 2 * DAY),
    ("hour", 2 * 3600.0), ("minute", 120.0), ("second", 0.0),
)  # fmt: skip
_ADVERBS = {
    "year": "yearly", "quarter": "quarterly", "month": "monthly", "week": "weekly", "day": "daily",
    "business day": "business-day", "hour": "hourly", "minute": "per-minute", "second": "per-second",
}  # fmt: skip


FEWEST_WHOLE, MOST_WHOLE = 2.5, 9.5  # units that are told as a whole number


def length(value: float, units: Units, digits: int = 2) -> str:
    """A length along the axis in words ("6.7 months"); plain numbers carry the name of the column."""
    if not isfinite(value):
        return "an unlimited length"
    if units.axis.unit == "business day" and value < 5.0:
        return f"{amount(value, digits)} business day{'' if amount(value, digits) == '1' else 's'}"
    seconds = axis_seconds(units)
    if seconds is None:
        return _plain_length(value, units, digits)
    unit = reading_unit(value * seconds)
    return counted_unit(value * seconds / SECONDS[unit], unit, digits)


def rough_length(value: float, units: Units) -> str:
    """A length that is known roughly only: few units are whole ones ("6 years" for 6.3, "13 years", "1.3 years")."""
    seconds = axis_seconds(units)
    shown = value if seconds is None else value * seconds / SECONDS[reading_unit(value * seconds)]
    return length(value, units, 1 if FEWEST_WHOLE <= shown < MOST_WHOLE else 2)


def about(value: float, units: Units) -> str:
    """A length that is told roughly; none below a step, of which the data tell nothing."""
    return f"about {length(value, units)}" if value >= units.gap else "less than one step of the data"


def _plain_length(value: float, units: Units, digits: int) -> str:
    text = amount(value, digits)
    if units.axis.unit:
        return f"{text} {units.axis.unit}"
    name, symbol = _measured(units.axis.column)
    symbol = symbol.removesuffix("s") if symbol in _TIMES and text == "1" else symbol
    return f"{text} {symbol}" if symbol else f"{text} {'unit' if text == '1' else 'units'} of '{name}'"


def _measured(column: str) -> tuple[str, str]:
    """A column name and its unit of measurement; a column of minutes is measured in these."""
    name, symbol = measured(column)
    times = f"{name.lower().removesuffix('s')}s"
    return name, symbol or (times if times in _TIMES else "")


def reading_unit(seconds: float) -> str:
    """The unit in which a length of so many seconds reads best."""
    return next(unit for unit, least in _LADDER if seconds >= least or unit == "second")


def counted_unit(value: float, unit: str, digits: int) -> str:
    """A length with its unit in full: "6.7 months"."""
    shown = float(f"{value:.{digits - 1}e}") if value else 0.0
    return format_unit(shown, f"duration-{unit}", length="long", format="#,##0.############", locale=language())


def rate(value: float, units: Units) -> tuple[float, str]:
    """A slope per unit of the axis as a number and the words after it ("per year")."""
    seconds = axis_seconds(units)
    if seconds is None:
        name, symbol = _measured(units.axis.column)
        symbol = symbol.removesuffix("s") if symbol in _TIMES else symbol
        unnamed = f"unit of '{name}'"
        return value, f"per {units.axis.unit or symbol or unnamed}"
    span = units.span * seconds
    unit = next(
        name
        for name in ("year", "month", "day", "hour", "minute", "second")
        if span >= 2 * SECONDS[name] or name == "second"
    )
    return value * SECONDS[unit] / seconds, f"per {unit}"


def along(units: Units) -> str:
    """How the axis passes: "over time" or, for plain numbers, "as 'x' increases"."""
    return "over time" if units.axis.is_calendar else f"as '{measured(units.axis.column)[0]}' increases"


def step_name(units: Units) -> str:
    """How often there is an observation, before its noun ("monthly", "30-minute"); "" when irregular or unknown."""
    frequency = units.axis.frequency
    count, _, unit = frequency.partition(" ")
    return f"{count}-{unit.removesuffix('s')}" if count.isdigit() else _ADVERBS.get(frequency, frequency)


def axis_title(units: Units) -> str:
    """The label of the horizontal axis of a figure; a letter is no name for time."""
    name = clean_name(units.axis.column)
    if units.axis.is_calendar and name.lower() in _NO_NAMES:
        return "time"
    return name or "position"
