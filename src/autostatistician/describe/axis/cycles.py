"""Periods in words: one that the data cannot tell from a cycle of the calendar gets its name."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np

from autostatistician.describe.axis.lengths import counted_unit, every_length, every_unit, length, reading_unit
from autostatistician.describe.axis.units import DAY, SECONDS, YEAR, Units, axis_seconds
from autostatistician.wording.messages import say, say_as
from autostatistician.wording.numbers import amount

__all__ = ["CALENDAR_CYCLES", "Cycle", "before_cycle", "calendar_cycle", "cycle", "cycle_words", "of_weekdays"]

# Cycles with a name of their own: length in seconds, and the name as an id.
_NAMED = (
    (YEAR, "yearly"), (YEAR / 2, "half-yearly"), (YEAR / 4, "quarterly"), (YEAR / 12, "monthly"), (7 * DAY, "weekly"),
    (DAY, "daily"), (DAY / 2, "half-daily"), (3600.0, "hourly"), (60.0, "minutely"),
)  # fmt: skip
CALENDAR_CYCLES = frozenset(name for _, name in _NAMED)
_WHOLE = 0.005  # of a period: closer ones to a whole number of units are told as it
_FOLD, _MOST_WAVES = 0.5, 12  # of the tolerance of names; waves of a cycle of the calendar, beyond which any fits


@dataclass(frozen=True)
class Cycle:
    """A period in words: as an adjective before "cycle", as a length, and how often that comes."""

    adjective: str  # "yearly", "10.8-year"; "" on axes without a unit; elsewhere as of a masculine noun
    every: str  # "year", "10.8 years", "12.5 units of 'x'"
    named: bool
    scale: float = 1.0  # of the unit in words, how many there are in one of the axis
    repeats: str = ""  # "every year", "every 10.8 years", "every unit of 'x'"
    id: str = ""  # in every language: "yearly", "10.8-year"
    unit: str = ""  # of time, that a length without a name is told in


def cycle(period: float, units: Units) -> Cycle:
    """A period in words; it takes the name of a calendar cycle that the data cannot tell it from.

    Over a span R, periods closer than p^2/R differ by less than one turn; a quarter of that (at least
    0.2 %, at most 3 % of the period) is taken as "the same".
    """
    seconds = axis_seconds(units)
    if seconds is None:
        return Cycle("", length(period, units, 3), False, repeats=every_length(period, units))
    if units.axis.unit == "business day" and abs(period - 5.0) <= _tolerance(period, units):
        every, repeats = say("week of five business days"), say("every week of five business days")
        return Cycle(cycle_words("weekly")[0], every, True, repeats=repeats, id="weekly")
    for exact, name in _NAMED:
        if abs(period - exact / seconds) <= _tolerance(period, units):
            adjective, named_length, comes = cycle_words(name)
            return Cycle(adjective, named_length, True, repeats=comes, id=name)
    return _numbered_cycle(period * seconds, _tolerance(period, units) * seconds, period, units)


def cycle_words(name: str) -> tuple[str, str, str]:
    """The words of a cycle of the calendar: before "cycle", its length, and how often that comes."""
    match name:
        case "yearly":
            return say_as("cycle", "yearly"), say_as("period", "year"), say("every year")
        case "half-yearly":
            return say_as("cycle", "half-yearly"), say_as("period", "half year"), say("every half year")
        case "quarterly":
            return say_as("cycle", "quarterly"), say_as("period", "quarter of a year"), say("every quarter of a year")
        case "monthly":
            return say_as("cycle", "monthly"), say_as("period", "month"), say("every month")
        case "weekly":
            return say_as("cycle", "weekly"), say_as("period", "week"), say("every week")
        case "daily":
            return say_as("cycle", "daily"), say_as("period", "day"), say("every day")
        case "half-daily":
            return say_as("cycle", "half-daily"), say_as("period", "half day"), say("every half day")
        case "hourly":
            return say_as("cycle", "hourly"), say_as("period", "hour"), say("every hour")
        case _:
            return say_as("cycle", "minutely"), say_as("period", "minute"), say("every minute")


def before_cycle(number: str, unit: str) -> str:
    """What stands before "cycle" where its period has no name: "10.8-year"."""
    match unit:
        case "year":
            return say_as("cycle", "{number}-year", number=number)
        case "month":
            return say_as("cycle", "{number}-month", number=number)
        case "week":
            return say_as("cycle", "{number}-week", number=number)
        case "day":
            return say_as("cycle", "{number}-day", number=number)
        case "business day":
            return say_as("cycle", "{number}-business-day", number=number)
        case "hour":
            return say_as("cycle", "{number}-hour", number=number)
        case "minute":
            return say_as("cycle", "{number}-minute", number=number)
        case _:
            return say_as("cycle", "{number}-second", number=number)


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
    weeks = SECONDS["month"] / SECONDS["week"]
    rests = (abs(k * weeks - round(k * weeks)) for k in (1, 2))
    return any(abs(period - units.gap / rest) <= _FOLD * _tolerance(period, units) for rest in rests)


def _numbered_cycle(seconds: float, tolerance: float, period: float, units: Units) -> Cycle:
    if units.axis.unit == "business day" and period < 5.0:
        name, every = f"{period:.3g}-business-day", length(period, units, 3)
        adjective = before_cycle(amount(period), "business day")
        return Cycle(adjective, every, False, repeats=every_length(period, units), id=name)
    unit = reading_unit(seconds)
    value = seconds / SECONDS[unit]
    whole = round(value)
    if unit == "week" and abs(value - whole) * SECONDS[unit] > tolerance:
        unit, value = "day", seconds / DAY  # an 18-day cycle rather than one of 2.57 weeks
        whole = round(value)
    apart = abs(value - whole) * SECONDS[unit]
    shown = float(whole) if whole >= 1 and apart <= min(tolerance, _WHOLE * seconds) else value
    return Cycle(
        before_cycle(amount(shown), unit), counted_unit(shown, unit, 3), False, seconds / period / SECONDS[unit],
        every_unit(shown, unit, 3), f"{shown:.3g}-{unit}", unit,
    )  # fmt: skip


def _tolerance(period: float, units: Units) -> float:
    resolution = period**2 / units.span if units.span > 0 else inf
    return float(np.clip(0.25 * resolution, 0.002 * period, 0.03 * period))
