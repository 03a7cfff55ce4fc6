"""95 % ranges in words: of periods, places and ratios; "" where they are unknown or too narrow to show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from autostatistician.describe.axis.cycles import cycle
from autostatistician.describe.axis.lengths import length
from autostatistician.describe.axis.places import place, rows_around
from autostatistician.describe.axis.units import Units
from autostatistician.wording.numbers import amount, decimals_between, decimals_for, fixed

__all__ = ["forecast_decimals", "middle_decimals", "period_range", "place_range", "ratio_text"]

Span = tuple[float, float]

_MOST_OF_EXPECTED = 3  # decimals of the number expected of low counts
_FINEST = 5  # significant digits of the spread of the data: finer differences of forecasts are of the arithmetic


def period_range(period: float, interval: Span | None, units: Units) -> str:
    """A range of periods in the unit of the period: "10.5 to 11.1 years"; "" for cycles of the calendar."""
    words = cycle(period, units)
    if words.named or interval is None or not interval[0] > 0.0:
        return ""
    low, high = (amount(end * words.scale) for end in interval)
    unit = words.every if words.adjective else length(interval[1], units, 3)
    return "" if low == high else f"{low} to {high} {unit.partition(' ')[2]}"


def place_range(interval: Span | None, units: Units) -> str:
    """A range of places: "between May 1967 and June 1970"."""
    if interval is None:
        return ""
    if place(interval[0], units) == place(interval[1], units):
        return ""
    low, high = rows_around(interval[0], units)[0], rows_around(interval[1], units)[1]  # the rows between which it lies
    first, last = place(low, units), place(high, units)
    return "" if first == last else f"between {first} and {last}"


def ratio_text(ratio: float, interval: Span | None) -> str:
    """A ratio with its range: "1.94 times (95% range: 1.65 to 2.34)"; without it where none is known."""
    if interval is None:
        return f"{amount(ratio, 2)} times"
    decimals = 2 if interval[1] - interval[0] < 1.0 else 1
    middle, low, high = (fixed(value, decimals, trim=decimals == 1) for value in (ratio, *interval))
    return f"{middle} times" if low == high else f"{middle} times (95% range: {low} to {high})"


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
