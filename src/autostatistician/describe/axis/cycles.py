"""Periods in words: one that the data cannot tell from a cycle of the calendar gets its name."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np

from autostatistician.describe.axis.lengths import counted_unit, length, reading_unit
from autostatistician.describe.axis.units import DAY, SECONDS, YEAR, Units, axis_seconds
from autostatistician.wording.numbers import amount

__all__ = ["Cycle", "calendar_cycle", "cycle", "of_weekdays"]

# Cycles with a name of their own: length in seconds, adjective, what "every ..." is called.
_NAMED = (
    (YEAR, "yearly", "year"), (YEAR / 2, "half-yearly", "half year"), (YEAR / 4, "quarterly", "quarter of a year"),
    (YEAR / 12, "monthly", "month"), (7 * DAY, "weekly", "week"), (DAY, "daily", "day"),
    (DAY / 2, "half-daily", "half day"), (3600.0, "hourly", "hour"), (60.0, "minutely", "minute"),
)  # fmt: skip
_WHOLE = 0.005  # of a period: closer ones to a whole number of units are told as it
_FOLD, _MOST_WAVES = 0.5, 12  # of the tolerance of names; waves of a cycle of the calendar, beyond which any fits


@dataclass(frozen=True)
class Cycle:
    """A period in words: as an adjective before a noun, after "every", and as a length."""

    adjective: str  # "yearly", "10.8-year"; "" on axes without a unit
    every: str  # "year", "10.8 years", "12.5 units of 'x'"
    named: bool
    scale: float = 1.0  # of the unit in words, how many there are in one of the axis

    @property
    def after_every(self) -> str:
        """The same after "every": once every year, every unit.

        >>> Cycle("", "1 unit of 'x'", False).after_every, Cycle("11-year", "11 years", False).after_every
        ("unit of 'x'", '11 years')
        """
        return self.every.removeprefix("1 ")


def cycle(period: float, units: Units) -> Cycle:
    """A period in words; it takes the name of a calendar cycle that the data cannot tell it from.

    Over a span R, periods closer than p^2/R differ by less than one turn; a quarter of that (at least
    0.2 %, at most 3 % of the period) is taken as "the same".
    """
    seconds = axis_seconds(units)
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
    weeks = SECONDS["month"] / SECONDS["week"]
    rests = (abs(k * weeks - round(k * weeks)) for k in (1, 2))
    return any(abs(period - units.gap / rest) <= _FOLD * _tolerance(period, units) for rest in rests)


def _numbered_cycle(seconds: float, tolerance: float, period: float, units: Units) -> Cycle:
    if units.axis.unit == "business day" and period < 5.0:
        return Cycle(f"{amount(period)}-business-day", length(period, units, 3), False)
    unit = reading_unit(seconds)
    value = seconds / SECONDS[unit]
    whole = round(value)
    if unit == "week" and abs(value - whole) * SECONDS[unit] > tolerance:
        unit, value = "day", seconds / DAY  # an 18-day cycle rather than one of 2.57 weeks
        whole = round(value)
    apart = abs(value - whole) * SECONDS[unit]
    shown = float(whole) if whole >= 1 and apart <= min(tolerance, _WHOLE * seconds) else value
    return Cycle(f"{amount(shown)}-{unit}", counted_unit(shown, unit, 3), False, seconds / period / SECONDS[unit])


def _tolerance(period: float, units: Units) -> float:
    resolution = period**2 / units.span if units.span > 0 else inf
    return float(np.clip(0.25 * resolution, 0.002 * period, 0.03 * period))
