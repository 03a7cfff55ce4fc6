"""Periods in words: one that the data cannot tell from a cycle of the calendar gets its name."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import pairwise
from math import inf

import numpy as np
from babel.dates import format_datetime
from numpy.typing import NDArray

from autostatistician.describe.axis.lengths import counted_unit, every_length, every_unit, length, reading_unit
from autostatistician.describe.axis.units import DAY, SECONDS, YEAR, Units, axis_seconds
from autostatistician.describe.facts.kinds import Phase
from autostatistician.i18n.messages import language, sentence
from autostatistician.i18n.numbers import amount, joined

__all__ = [
    "CALENDAR_CYCLES", "NAMED", "PLACES", "Cycle", "before_cycle", "calendar_cycle", "cycle", "cycle_words",
    "phase_kind", "phase_name", "phase_text", "phases", "unseen_cycle",
]  # fmt: skip


# Cycles with a name of their own: length in seconds, and the name as an id.
NAMED = (
    (YEAR, "yearly"), (YEAR / 2, "half-yearly"), (YEAR / 4, "quarterly"), (YEAR / 12, "monthly"), (7 * DAY, "weekly"),
    (DAY, "daily"), (DAY / 2, "half-daily"), (3600.0, "hourly"), (60.0, "minutely"),
)  # fmt: skip

# The numbers of the places of a cycle that have names: months and quarters count from 1, weekdays and hours from 0.
PLACES = {Phase.MONTH: range(1, 13), Phase.QUARTER: range(1, 5), Phase.WEEKDAY: range(7), Phase.HOUR: range(24)}

CALENDAR_CYCLES = frozenset(name for _, name in NAMED)

_WHOLE = 0.005  # of a period: closer ones to a whole number of units are told as it

_WHOLE_YEARS = 0.998  # of a period: two years that are no leap years are two

_FOLD, _MOST_WAVES = 0.5, 12  # of the tolerance of names; waves of a cycle of the calendar, beyond which any fits

_LEAST_PIECE = 0.25  # of a cycle: shorter data go about as straight on in it as without it

_TWICE = ("daily", "weekly", "yearly")  # what nature and people repeat: of less than two of it nobody knows a trend

# By the cycle: what its places are called by, and up to which distance of the data.
_WIDEST_GAPS = {
    "yearly": (Phase.MONTH, 31.5 * DAY), "weekly": (Phase.WEEKDAY, 1.5 * DAY), "daily": (Phase.HOUR, 3 * 3600.0),
}  # fmt: skip


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
        adjective, every, repeats = cycle_words("business week")
        return Cycle(adjective, every, True, repeats=repeats, id="weekly")
    for exact, name in NAMED:
        if abs(period - exact / seconds) <= _tolerance(period, units):
            adjective, named_length, comes = cycle_words(name)
            return Cycle(adjective, named_length, True, repeats=comes, id=name)
    return _numbered_cycle(period * seconds, _tolerance(period, units) * seconds, period, units)


def cycle_words(name: str) -> tuple[str, str, str]:
    """The words of a cycle of the calendar: before "cycle", its length, and how often that comes."""
    return (
        sentence("cycle.adjective", name=name), sentence("cycle.period", name=name), sentence("cycle.every", name=name)
    )  # fmt: skip


def before_cycle(number: str, unit: str) -> str:
    """What stands before "cycle" where its period has no name: "10.8-year"."""
    return sentence("cycle.numbered", unit=unit, number=number)


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


def unseen_cycle(units: Units, times: float = 2.0) -> str:
    """The shortest day, week or year that data of such a step may repeat with and cover fewer ``times``; "" for none.

    >>> from autostatistician.data.times.axes import Axis
    >>> days = Axis("day", "day", "day", 1.0)
    >>> [unseen_cycle(Units(days, 0.0, last, 1.0, 1.0, target="load")) for last in (9.0, 17.0, 548.0, 730.0)]
    ['weekly', '', 'yearly', '']
    """
    lasts = units.span + units.gap
    unseen = (
        cycle(period, units).id
        for period in units.axis.natural_periods
        if 2.0 * units.gap <= period and _LEAST_PIECE * period <= lasts < times * _WHOLE_YEARS * period
    )
    return next((name for name in unseen if name in _TWICE), "")


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


# --- Where in a cycle of the calendar something lies: months, quarters, weekdays, hours -----------------------------


def phase_kind(period: float, units: Units) -> Phase:
    """What the place within a period is called by."""
    seconds = axis_seconds(units)
    if seconds is None or not units.axis.is_calendar:
        return Phase.UNNAMED
    name, gap = cycle(period, units).id, units.gap * seconds
    if name == "yearly" and units.axis.frequency == "quarter":
        return Phase.QUARTER
    kind, widest = _WIDEST_GAPS.get(name, (Phase.UNNAMED, 0.0))
    return kind if gap <= widest else Phase.UNNAMED


def phases(x: NDArray[np.float64], kind: Phase, units: Units) -> tuple[NDArray[np.int64], int]:
    """For each position its month (1 to 12), quarter (1 to 4), weekday (0: Monday) or hour; and how many there are."""
    times = np.asarray(units.axis.times(x), dtype="datetime64[s]")
    match kind:
        case Phase.MONTH:
            return times.astype("datetime64[M]").astype(np.int64) % 12 + 1, 12
        case Phase.QUARTER:
            return times.astype("datetime64[M]").astype(np.int64) % 12 // 3 + 1, 4
        case Phase.WEEKDAY:
            return (times.astype("datetime64[D]").astype(np.int64) + 3) % 7, 7
        case _:
            return times.astype("datetime64[h]").astype(np.int64) % 24, 24


def phase_text(kind: Phase, values: tuple[int, ...]) -> str:
    """Places within a period, in their order, in words; days of the week may be no neighbours.

    >>> phase_text(Phase.MONTH, (7,)), phase_text(Phase.WEEKDAY, (5, 6)), phase_text(Phase.HOUR, (15,))
    ('in July', 'on Saturdays and Sundays', 'around 15:00')
    >>> phase_text(Phase.MONTH, (12, 1, 2)), phase_text(Phase.HOUR, (22, 23, 0))
    ('from December to February', 'between 22:00 and 00:00')
    >>> phase_text(Phase.WEEKDAY, (0, 2, 6))
    'on Mondays, Wednesdays, and Sundays'
    """
    apart = kind is Phase.WEEKDAY and any((after - before) % 7 != 1 for before, after in pairwise(values))
    if len(values) > 2 and not apart:
        return _from_to(kind, values[0], values[-1])
    return sentence("phase.at", kind=kind, places=joined([phase_name(kind, value) for value in values]))


def _from_to(kind: Phase, first: int, last: int) -> str:
    named = _weekday if kind is Phase.WEEKDAY else partial(phase_name, kind)
    return sentence("phase.from_to", kind=kind, first=named(first), last=named(last))


def _weekday(value: int) -> str:
    return str(format_datetime(datetime(2001, 1, 1 + value), "EEEE", locale=language()))


def phase_name(kind: Phase, value: int) -> str:
    """A place within a period by its name.

    >>> phase_name(Phase.MONTH, 7), phase_name(Phase.QUARTER, 3), phase_name(Phase.WEEKDAY, 0)
    ('July', 'quarter 3', 'Mondays')
    """
    match kind:
        case Phase.QUARTER:
            return sentence("phase.quarter", number=value)
        case Phase.MONTH:
            return str(format_datetime(datetime(2001, value, 1), "MMMM", locale=language()))
        case Phase.WEEKDAY:
            return sentence("phase.weekdays", day=str(value))
        case _:
            return f"{value:02d}:00"
