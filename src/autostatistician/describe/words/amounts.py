"""Amounts in words and in pictures, on both scales: of the target, or in per cent where its logarithm is modelled.

A part of a logarithm multiplies what the others give: the value 0.1 is a factor of 1.105, told as "+11%". A part that
carries the level is told as the level it stands for by itself, the typical one (the geometric mean) being zero.
Shares whose odds are modelled are told in per cent, and what a part adds to them as the share that there would be with
all else as usual: nobody reads odds. Differences of shares are percentage points about the typical one.
"""

from __future__ import annotations

from functools import partial
from math import exp, expm1, inf, isfinite, log1p

import numpy as np
from numpy.typing import NDArray

from autostatistician.claims.quantity import FROM_NOTHING, MOST_EXPONENT, Measure, Quantity
from autostatistician.describe.axis.lengths import length, rate
from autostatistician.describe.axis.units import Scale, Units
from autostatistician.i18n.messages import sentence
from autostatistician.i18n.numbers import amount, decimals_between, fixed, in_percent, number_of, pair, percent

__all__ = [
    "MINUS", "added", "around", "around_rates", "by", "change", "difference", "difference_alone", "difference_apart",
    "drawn", "drawn_change", "drawn_level", "either_side", "error", "gap", "levels", "one_added",
    "one_error", "per_cent", "percentage_points", "points", "ranged_text", "signed_text", "size", "size_text", "slope",
    "unit", "value", "values",
    "with_unit_of_error", "within", "within_rates", "zero",
]  # fmt: skip

MINUS = "\N{MINUS SIGN}"
_MOST_DECIMALS = 12
_DIGITS = 2  # of the number of a claim
Span = tuple[float, float]
Array = NDArray[np.float64]


def per_cent(value: float) -> float:
    """What a part of a logarithm adds, in per cent.

    >>> round(per_cent(0.1), 2), round(per_cent(-0.1), 2)
    (10.52, -9.52)
    """
    return 100.0 * expm1(min(value, MOST_EXPONENT)) if value < inf else inf


def one_error(value: float, scale: Scale) -> float:
    """An average miss as a number: of a logarithm in per cent, of odds in percentage points, of counts as it is."""
    if scale.is_odds:
        return 0.5 * (points(value, scale) - points(-value, scale))
    return per_cent(value) if scale.is_log and not scale.counts else value


def with_unit_of_error(text: str, scale: Scale) -> str:
    """A rounded average miss with its unit."""
    return text if scale.counts and not scale.is_odds else unit(text, scale)


def unit(text: str, scale: Scale) -> str:
    """A rounded slope or size with its sign of per cent, where it is one, or the word for percentage points."""
    if scale.is_odds:
        return percentage_points(text)
    return in_percent(text) if scale.is_log else text


def percentage_points(number: str) -> str:
    """A written number of percentage points.

    >>> percentage_points("1"), percentage_points("1.7")
    ('1 percentage point', '1.7 percentage points')
    """
    return sentence("amount.percentage_points", size=number_of(number), number=number)


# --- the numbers of claims --------------------------------------------------------------------------------------------


def size_text(number: Quantity, units: Units) -> str:
    """A number of a claim without its sign, with two digits; of a ratio by how much more or less it is.

    >>> from autostatistician.data.times.axes import Axis
    >>> units = Units(Axis("year", "year", "year", 1.0), 1900.0, 1950.0, 1.0, 1.0, target="y")
    >>> numbers = ((-123.4, Measure.DIFFERENCE), (1.126, Measure.RATIO), (-0.3, Measure.SLOPE), (0.05, Measure.GROWTH))
    >>> [size_text(Quantity.plain(*each), units) for each in numbers]
    ['120', '13%', '0.3 per year', '5% per year']
    """
    return signed_text(number if number.is_up else number.map(lambda end: 2.0 * number.nothing - end), units)


def signed_text(number: Quantity, units: Units) -> str:
    """The same with the sign of a fall."""
    value_, turned = number.value, number.value
    match number.measure:
        case Measure.LEVEL:
            return value(value_, units, _DIGITS)
        case Measure.RATIO:
            return in_percent(amount(100.0 * (value_ - 1.0), _DIGITS))
        case Measure.SLOPE:
            turned, per = rate(value_, units)
            return f"{gap(turned, units, _DIGITS)} {per}"
        case Measure.GROWTH:
            turned, per = rate(log1p(value_), units)
            return f"{in_percent(amount(per_cent(turned), _DIGITS))} {per}"
        case Measure.SHARE:
            return percent(value_)
        case Measure.SPAN:
            return length(value_, units)
    return gap(value_, units, _DIGITS)


def ranged_text(number: Quantity, units: Units) -> tuple[str, str, str]:
    """The size of a difference and the ends of its range, rounded alike: as finely as these lie apart."""
    least, most = sorted(units.in_per_cent * abs(end) for end in number.interval)
    decimals = min(decimals_between(least, most, _DIGITS), _MOST_DECIMALS)
    sizes = units.in_per_cent * abs(number.value), least, most
    middle, low, high = (fixed(end, decimals, trim=True) for end in sizes)
    return (percentage_points(middle) if units.is_odds else middle), low, high


# --- values of the target -----------------------------------------------------------------------------------------


def value(number: float, scale: Scale, digits: int = 3, spread: float | None = None) -> str:
    """A value of the target, as finely as its values lie apart, or as a ``spread`` that it is told with.

    Shares whose odds are modelled are told in per cent.

    >>> value(0.3141, Scale(target="y")), value(0.3141, Scale(target="y", level=0.2, top=1.0))
    ('0.314', '31.4%')
    >>> value(1360.2137, Scale(target="y")), value(1360.2137, Scale(target="y"), spread=0.4)
    ('1,360', '1,360.21')
    """
    apart = scale.in_per_cent * (scale.spread_of_values if spread is None else spread)
    text = amount(scale.in_per_cent * number, digits, apart)
    return in_percent(text) if scale.is_odds else text


def values(first: float, last: float, scale: Scale, digits: int = 3) -> tuple[str, str]:
    """Two values of the target, rounded alike."""
    if not scale.is_odds:
        return pair(first, last, digits, scale.spread_of_values)
    ends = scale.in_per_cent * first, scale.in_per_cent * last
    low, high = pair(*ends, digits, scale.in_per_cent * scale.spread_of_values)
    return in_percent(low), in_percent(high)


def gap(number: float, scale: Scale, digits: int = 3) -> str:
    """A difference of two values of the target.

    >>> gap(0.0451, Scale(target="y", level=0.2, top=1.0), 2)
    '4.5 percentage points'
    """
    return unit(amount(scale.in_per_cent * number, digits), scale) if scale.is_odds else amount(number, digits)


def points(change: float, scale: Scale) -> float:
    """By how many percentage points a typical share changes where the logarithm of its odds does by so much.

    >>> round(points(1.0, Scale(target="y", level=0.5, top=1.0)), 2)
    23.11
    """
    return scale.in_per_cent * (_level(change, scale) - _level(0.0, scale))


# --- sizes ------------------------------------------------------------------------------------------------------------


def added(low: float, high: float, scale: Scale) -> tuple[str, str]:
    """What a part adds at least and at most: ("−9.3", "12.1"), or ("−9%", "+13%")."""
    if scale.is_odds:
        return levels(low, high, scale, 2)
    if not scale.is_log:
        return pair(low, high, 2)
    texts = pair(per_cent(low), per_cent(high), 2)
    return _signed(texts[0]), _signed(texts[1])


def one_added(value: float, scale: Scale) -> str:
    """What a part adds everywhere.

    >>> one_added(9.26666667, Scale(target="y")), one_added(0.04956, Scale(target="y", level=5.0))
    ('9.27', '+5.08%')
    """
    if scale.is_odds:
        return levels(value, value, scale)[0]
    return _signed(amount(per_cent(value))) if scale.is_log else amount(value, spread=scale.spread_of_values)


def _signed(text: str) -> str:
    return in_percent(text if text == "0" or not text[0].isdigit() else f"+{text}")


def levels(first: float, last: float, scale: Scale, digits: int = 3) -> tuple[str, str]:
    """Two values of a part that carries the level, in the units of the target."""
    return values(_level(first, scale), _level(last, scale), scale, digits)


def _level(value: float, scale: Scale) -> float:
    return value if scale.level is None else float(scale.level_at(np.minimum(value, MOST_EXPONENT)))


def zero(scale: Scale) -> str:
    """Where a part stands that adds nothing."""
    if scale.is_odds:
        return one_added(0.0, scale)
    return in_percent("0") if scale.is_log else sentence("amount.zero")


def size(change: float, scale: Scale, digits: int) -> str:
    """A rise or fall without its sign."""
    number = points(change, scale) if scale.is_odds else per_cent(change) if scale.is_log else change
    return unit(amount(abs(number), digits), scale)


# --- ranges -----------------------------------------------------------------------------------------------------------


def within(sd: float, scale: Scale) -> str:
    """A range around the rest of the model: "within ±5.2", or "between −4.9% and +5.2%"."""
    low, high = _sides(sd, scale)
    sides = "alike" if low == high else "apart"
    return sentence("amount.within", sides=sides, low=_below(low, scale), high=unit(high, scale))


def around(sd: float, scale: Scale) -> str:
    """The same before what it is around: "within ±5.2 of", or "between 4.9% below and 5.2% above"."""
    low, high = _sides(sd, scale)
    sides = "alike" if low == high else "apart"
    return sentence("amount.around", sides=sides, low=_below(low, scale), high=unit(high, scale))


def either_side(sd: float, scale: Scale) -> str:
    """The same where what it is around was told: "within ±5.2", or "between 4.9% below and 5.2% above"."""
    low, high = _sides(sd, scale)
    if low == high:
        return within(sd, scale)
    return sentence("amount.around", sides="told", low=_below(low, scale), high=unit(high, scale))


def within_rates(ends: Span) -> str:
    """A range of the logarithm of a rate around the rest of the model: "between −4.9% and +5.2%"."""
    low, high = _ends_of_rates(ends)
    return sentence("amount.within", sides="apart", low=low, high=high)


def around_rates(ends: Span) -> str:
    """The same before what it is around: "between 4.9% below and 5.2% above"."""
    low, high = _ends_of_rates(ends)
    return sentence("amount.around", sides="apart", low=low, high=high)


def _ends_of_rates(ends: Span) -> tuple[str, str]:
    return in_percent(amount(-per_cent(ends[0]), 2)), in_percent(amount(per_cent(ends[1]), 2))


def _sides(sd: float, scale: Scale) -> tuple[str, str]:
    """How far down and up a standard deviation goes: in per cent of a logarithm, in points of a typical share."""
    if scale.is_odds:
        return amount(-points(-sd, scale), 2), amount(points(sd, scale), 2)
    if not scale.is_log:
        return amount(sd, 2), amount(sd, 2)
    return amount(-per_cent(-sd), 2), amount(per_cent(sd), 2)


def _below(low: str, scale: Scale) -> str:
    """The first of two sizes: percentage points are named after the second."""
    return low if scale.is_odds else unit(low, scale)


def by(value: float, interval: Span, scale: Scale) -> str:
    """A difference without its sign, with its range.

    >>> by(-3.14, (-3.3, -2.9), Scale(target="y")), by(0.1, (-0.1, 0.3), Scale(target="y", level=5.0))
    ('by 3.14 (95% range: 2.90 to 3.30)', 'by 11% (95% range: −10% to 35%)')
    """
    size, low, high = difference_apart(value, interval, scale)
    return sentence("amount.by_how_much", size=size, low=low, high=high)


def difference(value: float, interval: Span, scale: Scale) -> str:
    """The same as a noun.

    >>> difference(-3.14, (-3.3, -2.9), Scale(target="y"))
    '3.14 (95% range: 2.90 to 3.30)'
    """
    size, low, high = difference_apart(value, interval, scale)
    return sentence("amount.difference", size=size, low=low, high=high)


def difference_alone(value: float, interval: Span, scale: Scale) -> str:
    """The same without its range, but as fine as that.

    >>> difference_alone(-3.14, (-3.3, -2.9), Scale(target="y"))
    '3.14'
    """
    return difference_apart(value, interval, scale)[0]


def difference_apart(value: float, interval: Span, scale: Scale) -> tuple[str, str, str]:
    """The same in three: its size, and the ends of its range.

    >>> difference_apart(-3.14, (-3.3, -2.9), Scale(target="y"))
    ('3.14', '2.90', '3.30')
    >>> difference_apart(4.98, (4.8, 5.16), Scale(target="y", level=1.0))  # of ratios to nearly nothing
    ('a factor of 145', '122', '174')
    """
    if _is_from_nothing(value, scale):
        middle, first, last = _ratios(value, interval)
        return sentence("amount.ratio", number=middle), first, last
    low, high = interval
    ends = (low, high) if value >= 0.0 else (-high, -low)
    middle, first, last = _rounded_alike(abs(value), ends, 1.0 if value >= 0.0 else -1.0, scale)
    if scale.is_odds:
        return unit(middle, scale), first, last
    return unit(middle, scale), unit(first, scale), unit(last, scale)


def change(value: float, interval: Span, scale: Scale) -> str:
    """A difference with its sign and its range.

    >>> change(3.14, (2.9, 3.3), Scale(target="y")), change(0.3, (0.1, 0.5), Scale(target="y", level=0.5, top=1.0))
    ('+3.14 (2.90 to 3.30)', '+7.4 points (2.5 to 12.2)')
    >>> change(4.98, (4.8, 5.16), Scale(target="y", level=1.0))  # of ratios to nearly nothing per cent say nothing
    'a factor of 145 (122 to 174)'
    """
    if _is_from_nothing(value, scale):
        ratio, first, last = _ratios(value, interval)
        return sentence("amount.factor", number=ratio, low=first, high=last)
    middle, low, high = _rounded_alike(value, interval, 1.0, scale)
    signed = middle if middle.startswith(MINUS) else f"+{middle}"
    if scale.is_odds:
        return sentence("amount.points", size=number_of(signed), number=signed, low=low, high=high)
    low, high = unit(low, scale), unit(high, scale)
    return sentence("amount.change", number=unit(signed, scale), low=low, high=high)


def _is_from_nothing(value: float, scale: Scale) -> bool:
    """Whether a difference of logarithms is a ratio to nearly nothing, of which per cent say nothing."""
    return scale.is_log and not scale.is_odds and exp(min(value, MOST_EXPONENT)) > FROM_NOTHING


def _ratios(value: float, interval: Span) -> tuple[str, str, str]:
    """A difference of logarithms and the ends of its range as ratios."""
    middle, first, last = (amount(exp(min(each, MOST_EXPONENT))) for each in (value, *interval))
    return middle, first, last


def _rounded_alike(value: float, interval: Span, sign: float, scale: Scale) -> tuple[str, str, str]:
    """Three numbers rounded alike; per cent of a logarithm are those of the direction ``sign``."""
    told = partial(points, scale=scale) if scale.is_odds else per_cent if scale.is_log else float
    middle, *ends = (sign * told(sign * number) for number in (value, *interval))
    low, high = sorted(ends)
    decimals = min(decimals_between(low, high, 2), _MOST_DECIMALS)
    return fixed(middle, decimals), fixed(low, decimals), fixed(high, decimals)


# --- errors and slopes ------------------------------------------------------------------------------------------------


def error(value: float, scale: Scale) -> str:
    """An average miss: "12.3", or "4.1%" (the geometric mean of how far the larger is above the smaller)."""
    return with_unit_of_error(amount(one_error(value, scale)), scale)


def slope(value: float, interval: Span | None, units: Units, sign: int = 1) -> str:
    """How far a line goes in the direction of ``sign``: "31.9 per year (95% range: 30.1 to 33.7)", "12% per year"."""
    steep, per = sign * _growth(value, units), rate(value, units)[1]
    if interval is None or not all(map(isfinite, interval)) or interval[0] == interval[1]:
        return f"{unit(amount(steep), units)} {per}"
    low, high = sorted(sign * _growth(bound, units) for bound in interval)
    start, end = pair(low, high, 2)
    shown = unit(pair(steep, steep + high - low, 2)[0], units)  # as fine as its range
    speed, ends = f"{shown} {per}", (start, end) if units.is_odds else (unit(start, units), unit(end, units))
    if start == end:
        return speed
    return sentence("amount.difference", size=speed, low=ends[0], high=ends[1])


def _growth(value: float, units: Units) -> float:
    per_unit = rate(value, units)[0]
    if units.is_odds:  # of the typical share: far from it shares change more slowly, and never pass none and all
        return units.in_per_cent * units.slope_of_typical * per_unit
    return per_cent(per_unit) if units.is_log else per_unit


# --- pictures ---------------------------------------------------------------------------------------------------------


def drawn(values: Array, scale: Scale) -> Array:
    """Parts as they are drawn: those of a logarithm in per cent, of odds as the share with all else as usual."""
    if scale.is_odds:
        return scale.in_per_cent * drawn_level(values, scale)
    return 100.0 * np.expm1(np.minimum(values, MOST_EXPONENT)) if scale.is_log else values


def drawn_change(values: Array, scale: Scale) -> Array:
    """What columns add as it is drawn: the same, but of odds percentage points about the typical share."""
    nothing = drawn(np.zeros(1), scale) if scale.is_odds else 0.0
    return np.asarray(drawn(values, scale) - nothing)


def drawn_level(values: Array, scale: Scale) -> Array:
    """Sums of parts as they are drawn, in the units of the data: of a logarithm medians and limits of the values."""
    return values if scale.level is None else scale.level_at(np.minimum(values, MOST_EXPONENT))
