"""Lengths along the axis and slopes, in the unit that reads best."""

from __future__ import annotations

from math import isfinite

from babel.units import format_unit

from autostatistician.describe.axis.units import DAY, SECONDS, YEAR, Units, axis_seconds
from autostatistician.i18n.messages import ENGLISH, language, sentence
from autostatistician.i18n.names import clean_name, measured
from autostatistician.i18n.numbers import amount, number_of

__all__ = [
    "about", "along", "axis_title", "counted_unit", "every_length", "every_unit", "length", "over_one", "rate",
    "reading_unit", "rough_length", "step_name", "uncounted",
]  # fmt: skip

_TIMES = frozenset(("seconds", "minutes", "hours", "days", "weeks", "months", "quarters", "years"))
_NO_NAMES = ("", "x", "t", "ds")  # of columns that hold the time
# From which length on (in seconds) a unit reads well.
_LADDER = (
    ("year", 0.95 * YEAR), ("month", 2 / 12 * YEAR), ("week", 2 * 7 * DAY), ("day", 2 * DAY),
    ("hour", 2 * 3600.0), ("minute", 120.0), ("second", 0.0),
)  # fmt: skip
FEWEST_WHOLE, MOST_WHOLE = 2.5, 9.5  # units that are told as a whole number


def length(value: float, units: Units, digits: int = 2) -> str:
    """A length along the axis in words ("6.7 months"); plain numbers carry the name of the column."""
    if not isfinite(value):
        return sentence("length.unlimited")
    if units.axis.unit == "business day" and value < 5.0:
        return counted_unit(value, units.axis.unit, digits)
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
    if value < units.gap:
        return sentence("length.below")
    return sentence("length.about", length=length(value, units))


def uncounted(text: str) -> str:
    """A length after "another" or "the last", which leave out a one; other languages have no such word before it.

    >>> uncounted("1 unit of 'x'"), uncounted("11 years")
    ("unit of 'x'", '11 years')
    """
    return text[2:] if language() == ENGLISH and text.startswith("1 ") else text  # a message stays one


def every_length(value: float, units: Units) -> str:
    """How often something comes that repeats after such a length: "every 6.7 months", "every unit of 'x'"."""
    number, (name, symbol) = amount(value), _measured(units.axis.column)
    unit = "business day" if units.axis.unit == "business day" else _unit_of(symbol)
    if unit == "symbol" and symbol in _TIMES:
        return every_unit(value, symbol.removesuffix("s"), 3)
    size = 1 if number == "1" else 2
    return sentence("length.every", unit=unit, size=size, number=number, symbol=symbol, name=name)


def every_unit(value: float, unit: str, digits: int) -> str:
    """The same of a unit of time.

    >>> every_unit(10.8, "year", 3), every_unit(1.0, "day", 3), every_unit(30.0, "minute", 2)
    ('every 10.8 years', 'every day', 'every 30 minutes')
    """
    if amount(value, digits) == "1":
        return sentence("length.every_one", unit=unit)
    return sentence("length.every_several", length=counted_unit(value, unit, digits))


def _plain_length(value: float, units: Units, digits: int) -> str:
    name, symbol = _measured(units.axis.column)
    if symbol in _TIMES:
        return counted_unit(value, symbol.removesuffix("s"), digits)
    number = amount(value, digits)
    if symbol:
        return f"{number} {symbol}"
    return sentence("length.plain", size=number_of(number), number=number, name=name)


def _measured(column: str) -> tuple[str, str]:
    """A column name and its unit of measurement; a column of minutes is measured in these."""
    name, symbol = measured(column)
    times = f"{name.lower().removesuffix('s')}s"
    return name, symbol or (times if times in _TIMES else "")


def reading_unit(seconds: float) -> str:
    """The unit in which a length of so many seconds reads best."""
    return next(unit for unit, least in _LADDER if seconds >= least or unit == "second")


def counted_unit(value: float, unit: str, digits: int) -> str:
    """A length with its unit in full.

    >>> counted_unit(6.7, "month", 2), counted_unit(20.0, "business day", 3)
    ('6.7 months', '20 business days')
    """
    if unit == "business day":
        number = amount(value, digits)
        return sentence("length.business_days", size=number_of(number), number=number)
    shown = float(f"{value:.{digits - 1}e}") if value else 0.0
    return format_unit(shown, f"duration-{unit}", length="long", format="#,##0.############", locale=language())


def rate(value: float, units: Units) -> tuple[float, str]:
    """A slope per unit of the axis as a number and the words after it ("per year")."""
    seconds, (name, symbol, unit) = axis_seconds(units), _rate_unit(units)
    per = value * SECONDS[unit] / seconds if unit and seconds is not None else value
    return per, sentence("rate.per", unit=unit or _unit_of(symbol), symbol=symbol, name=name)


def over_one(units: Units) -> str:
    """The stretch that `rate` is for: "over one year"."""
    name, symbol, unit = _rate_unit(units)
    return sentence("rate.over", unit=unit or _unit_of(symbol), symbol=symbol, name=name)


def _unit_of(symbol: str) -> str:
    return "symbol" if symbol else "plain"


def _rate_unit(units: Units) -> tuple[str, str, str]:
    """The name of the axis, its unit of measurement, and the unit of time that slopes are told by, if any."""
    name, symbol = _measured(units.axis.column)
    seconds = axis_seconds(units)
    if seconds is None:
        return name, symbol, symbol.removesuffix("s") if symbol in _TIMES else ""
    span, known = units.span * seconds, ("year", "month", "day", "hour", "minute", "second")
    return name, symbol, next(unit for unit in known if span >= 2 * SECONDS[unit] or unit == "second")


def along(units: Units) -> str:
    """How the axis passes: "over time" or, for plain numbers, "as 'x' increases"."""
    return sentence("axis.along", calendar=units.axis.is_calendar, name=measured(units.axis.column)[0])


def step_name(units: Units) -> str:
    """How often there is an observation, before its noun ("monthly", "30-minute"); "" when irregular or unknown."""
    frequency = units.axis.frequency
    if not frequency:
        return ""
    count, _, unit = frequency.partition(" ")
    return sentence("axis.steps", unit=unit if count.isdigit() else frequency, count=count)


def axis_title(units: Units) -> str:
    """The label of the horizontal axis of a figure; a letter is no name for time."""
    name = clean_name(units.axis.column)
    if units.axis.is_calendar and name.lower() in _NO_NAMES:
        return sentence("axis.time")
    return name or sentence("axis.position")
