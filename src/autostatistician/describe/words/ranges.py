"""95 % ranges in words: of periods, places and ratios; "" where they are unknown or too narrow to show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from autostatistician.describe.axis.cycles import cycle
from autostatistician.describe.axis.lengths import counted_unit, length
from autostatistician.describe.axis.places import around_place, between_places, is_day, place, rows_around, stamp
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.judgement import SURE
from autostatistician.describe.words.events import at
from autostatistician.i18n.messages import ENGLISH, language, sentence
from autostatistician.i18n.names import quoted
from autostatistician.i18n.numbers import amount, decimals_between, decimals_for, fixed, joined

__all__ = [
    "forecast_decimals", "is_sure", "middle_decimals", "named_for", "named_place",
    "period_range", "place_range", "places_text", "ratio_text", "told_for", "told_in",
]  # fmt: skip


Span = tuple[float, float]

_MOST_OF_EXPECTED = 3  # decimals of the number expected of low counts

_FINEST = 5  # significant digits of the spread of the data: finer differences of forecasts are of the arithmetic


def period_range(period: float, interval: Span | None, units: Units) -> str:
    """A range of periods in the unit of the period: "10.5 to 11.1 years"; "" for cycles of the calendar."""
    words = cycle(period, units)
    if words.named or interval is None or not interval[0] > 0.0:
        return ""
    low, high = (amount(end * words.scale) for end in interval)
    if low == high:
        return ""
    unit = words.unit
    last = counted_unit(interval[1] * words.scale, unit, 3) if unit else length(interval[1], units, 3)
    return sentence("range.period", low=low, length=last)


def place_range(interval: Span | None, units: Units) -> str:
    """A range of places: "between May 1967 and June 1970"."""
    if interval is None:
        return ""
    if place(interval[0], units) == place(interval[1], units):
        return ""
    low, high = rows_around(interval[0], units)[0], rows_around(interval[1], units)[1]  # the rows between which it lies
    first, last = place(low, units), place(high, units)
    return "" if first == last else between_places(first, last)


def places_text(places: tuple[float, ...], units: Units) -> str:
    """Positions in words: "around January 1951 and January 1955"."""
    names = list(dict.fromkeys(place(each, units) for each in places))
    if len(names) == 1:
        return around_place(names[0])
    return sentence("range.around", dated="day" if is_day(names[0]) else "", places=joined(names))


def ratio_text(ratio: float, interval: Span | None) -> str:
    """A ratio with its range: "1.94 times (95% range: 1.65 to 2.34)"; without it where none is known."""
    if interval is None:
        return sentence("range.times", range=False, number=amount(ratio, 2))
    decimals = 2 if interval[1] - interval[0] < 1.0 else 1
    middle, low, high = (fixed(value, decimals, trim=decimals == 1) for value in (ratio, *interval))
    return sentence("range.times", range=low != high, number=middle, low=low, high=high)


def forecast_decimals(ranges: Iterable[Span], units: Units) -> int:
    """Decimals for all numbers of a forecast, from its narrowest range, but none that exact data would only feign."""
    times = units.in_per_cent
    shown = max((decimals_between(times * low, times * high, 2) for low, high in ranges), default=0)
    if units.counts and not units.sizes:
        return min(shown, 0)
    spread = times * units.spread * (1.0 if units.level is None else units.level)
    return min(shown, decimals_for(spread, _FINEST)) if spread > 0.0 else shown


def middle_decimals(middles: Sequence[float], decimals: int, units: Units) -> int:
    """Decimals of forecasts whose ranges have so many: numbers expected of low counts need not be whole ones."""
    most = max(map(abs, middles), default=0.0)
    if not units.counts or units.sizes or decimals < 0 or most == 0.0:
        return decimals
    return max(decimals, min(decimals_for(most, 2), _MOST_OF_EXPECTED))


# --- How sure a statement sounds: without reserve, as probable, or as a possibility ---------------------------------


def is_sure(probability: float | None) -> bool:
    """Whether something is said without reserve (None: it is not in question).

    >>> is_sure(0.99), is_sure(0.93), is_sure(None)
    (True, False, True)
    """
    return probability is None or probability >= SURE


# --- What a number is told for: a time or a stretch of time, or places on an axis of numbers ------------------------


def told_for(position: float, units: Units) -> str:
    """What a number is for, behind it: "for January 1961"."""
    return f"for {stamp(position, units)}" if language() == ENGLISH else at(position, units)


def named_for(position: float, units: Units) -> str:
    """The same, with the name of the axis where it is one of numbers: "for 'depth' = 3"."""
    if units.axis.is_calendar:
        return told_for(position, units)
    return sentence("range.for", place=named_place(stamp(position, units), units))


def told_in(position: float, units: Units) -> str:
    """When something would be: "in January 1961"."""
    return f"in {stamp(position, units)}" if language() == ENGLISH else at(position, units)


def named_place(name: str, units: Units) -> str:
    """A place in words, with the name of the axis where it is a number."""
    return name if units.axis.is_calendar else f"{quoted(units.axis.column)} = {name}"
