"""Lengths along the axis and slopes, in the unit that reads best."""

from __future__ import annotations

from math import isfinite

from babel.units import format_unit

from autostatistician.describe.axis.units import DAY, SECONDS, YEAR, Units, axis_seconds
from autostatistician.wording.messages import ENGLISH, language, message, say, say_as, say_count
from autostatistician.wording.names import clean_name, measured
from autostatistician.wording.numbers import amount, number_of

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
# Before "values": how often there is one.
_STEPS = {
    "years": message("{count}-year"), "months": message("{count}-month"), "weeks": message("{count}-week"),
    "days": message("{count}-day"), "hours": message("{count}-hour"), "minutes": message("{count}-minute"),
    "seconds": message("{count}-second"),
}  # fmt: skip
_PER = {
    "year": message("per year"), "quarter": message("per quarter"), "month": message("per month"),
    "week": message("per week"), "day": message("per day"), "hour": message("per hour"),
    "minute": message("per minute"), "second": message("per second"),
}  # fmt: skip
_OVER_ONE = {
    "year": message("over one year"), "quarter": message("over one quarter"), "month": message("over one month"),
    "week": message("over one week"), "day": message("over one day"), "hour": message("over one hour"),
    "minute": message("over one minute"), "second": message("over one second"),
}  # fmt: skip
_EVERY_ONE = {
    "year": message("every year"), "quarter": message("every quarter"), "month": message("every month"),
    "week": message("every week"), "day": message("every day"), "hour": message("every hour"),
    "minute": message("every minute"), "second": message("every second"),
}  # fmt: skip
_LONG = ("year", "quarter", "month", "day")  # told apart by their gender: "jedes Jahr", "jede Woche"

FEWEST_WHOLE, MOST_WHOLE = 2.5, 9.5  # units that are told as a whole number


def length(value: float, units: Units, digits: int = 2) -> str:
    """A length along the axis in words ("6.7 months"); plain numbers carry the name of the column."""
    if not isfinite(value):
        return say("an unlimited length")
    if units.axis.unit == "business day" and value < 5.0:
        number = amount(value, digits)
        return say_count(number_of(number), "{number} business day", "{number} business days", number=number)
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
        return say("less than one step of the data")
    return say("about {length}", length=length(value, units))


def uncounted(text: str) -> str:
    """A length after "another" or "the last", which leave out a one; other languages have no such word before it.

    >>> uncounted("1 unit of 'x'"), uncounted("11 years")
    ("unit of 'x'", '11 years')
    """
    return text[2:] if language() == ENGLISH and text.startswith("1 ") else text  # a message stays one


def every_length(value: float, units: Units) -> str:
    """How often something comes that repeats after such a length: "every 6.7 months", "every unit of 'x'"."""
    if units.axis.unit == "business day":
        number = amount(value)
        return say_count(_one_or_more(number), "every business day", "every {number} business days", number=number)
    name, symbol = _measured(units.axis.column)
    if symbol in _TIMES:
        return every_unit(value, symbol.removesuffix("s"), 3)
    number = amount(value)
    if symbol:
        return say_count(_one_or_more(number), "every {unit}", "every {number} {unit}", number=number, unit=symbol)
    return say_count(
        _one_or_more(number),
        "every unit of '{name}'",
        "every {number} units of '{name}'",
        number=number,
        name=name,
    )


def every_unit(value: float, unit: str, digits: int) -> str:
    """The same of a unit of time.

    >>> every_unit(10.8, "year", 3), every_unit(1.0, "day", 3), every_unit(30.0, "minute", 2)
    ('every 10.8 years', 'every day', 'every 30 minutes')
    """
    if amount(value, digits) == "1":
        return say(_EVERY_ONE[unit])
    each = counted_unit(value, unit, digits)
    return say_as("years, days", "every {length}", length=each) if unit in _LONG else say("every {length}", length=each)


def _plain_length(value: float, units: Units, digits: int) -> str:
    name, symbol = _measured(units.axis.column)
    if symbol in _TIMES:
        return counted_unit(value, symbol.removesuffix("s"), digits)
    number = amount(value, digits)
    if symbol:
        return f"{number} {symbol}"
    return say_count(
        number_of(number), "{number} unit of '{name}'", "{number} units of '{name}'", number=number, name=name
    )


def _one_or_more(number: str) -> int:
    """What the form of a phrase goes by that says one without its number."""
    return 1 if number == "1" else 2


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
    seconds, (name, symbol, unit) = axis_seconds(units), _rate_unit(units)
    if unit:
        return value if seconds is None else value * SECONDS[unit] / seconds, say(_PER[unit])
    return value, say("per {unit}", unit=symbol) if symbol else say("per unit of '{name}'", name=name)


def over_one(units: Units) -> str:
    """The stretch that `rate` is for: "over one year"."""
    name, symbol, unit = _rate_unit(units)
    if unit:
        return say(_OVER_ONE[unit])
    return say("over one {unit}", unit=symbol) if symbol else say("over one unit of '{name}'", name=name)


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
    if units.axis.is_calendar:
        return say("over time")
    return say("as '{name}' increases", name=measured(units.axis.column)[0])


def step_name(units: Units) -> str:
    """How often there is an observation, before its noun ("monthly", "30-minute"); "" when irregular or unknown."""
    frequency = units.axis.frequency
    count, _, unit = frequency.partition(" ")
    if count.isdigit():
        return say(_STEPS[unit], count=count)
    names = {
        "year": say_as("values", "yearly"), "half-year": say_as("values", "half-year"),
        "quarter": say_as("values", "quarterly"), "month": say_as("values", "monthly"),
        "week": say_as("values", "weekly"), "day": say_as("values", "daily"),
        "business day": say_as("values", "business-day"), "hour": say_as("values", "hourly"),
        "minute": say_as("values", "per-minute"), "second": say_as("values", "per-second"),
    }  # fmt: skip
    return names.get(frequency, frequency)


def axis_title(units: Units) -> str:
    """The label of the horizontal axis of a figure; a letter is no name for time."""
    name = clean_name(units.axis.column)
    if units.axis.is_calendar and name.lower() in _NO_NAMES:
        return say("time")
    return name or say("position")
