"""Amounts in words and in pictures, on both scales: of the target, or in per cent where its logarithm is modelled.

A part of a logarithm multiplies what the others give: the value 0.1 is a factor of 1.105, told as "+11%". A part that
carries the level is told as the level it stands for by itself, the typical one (the geometric mean) being zero.
"""

from __future__ import annotations

from math import expm1, inf, isfinite

import numpy as np
from numpy.typing import NDArray

from autostatistician.describe.axis.lengths import rate
from autostatistician.describe.axis.scale import Scale
from autostatistician.describe.axis.units import Units
from autostatistician.wording.numbers import amount, decimals_between, fixed, pair

__all__ = [
    "added", "around", "by", "change", "drawn", "drawn_level", "error", "errors", "levels", "one_added", "one_error",
    "per_cent", "size", "slope", "steepness", "unit", "within", "zero",
]  # fmt: skip

_MINUS = "\N{MINUS SIGN}"
_MOST_EXPONENT = 300.0  # those beyond are told and drawn as this one
_MOST_DECIMALS = 12
Span = tuple[float, float]
Array = NDArray[np.float64]


def per_cent(value: float) -> float:
    """What a part of a logarithm adds, in per cent.

    >>> round(per_cent(0.1), 2), round(per_cent(-0.1), 2)
    (10.52, -9.52)
    """
    return 100.0 * expm1(min(value, _MOST_EXPONENT)) if value < inf else inf


def one_error(value: float, scale: Scale) -> float:
    """An average miss as a number: of a logarithm in per cent."""
    return per_cent(value) if scale.is_log else value


def unit(text: str, scale: Scale) -> str:
    """A rounded slope or size with its sign of per cent, where it is one."""
    return f"{text}%" if scale.is_log else text


# --- sizes ------------------------------------------------------------------------------------------------------------


def added(low: float, high: float, scale: Scale) -> tuple[str, str]:
    """What a part adds at least and at most: ("−9.3", "12.1"), or ("−9%", "+13%")."""
    if not scale.is_log:
        return pair(low, high, 2)
    texts = pair(per_cent(low), per_cent(high), 2)
    return _signed(texts[0]), _signed(texts[1])


def one_added(value: float, scale: Scale) -> str:
    """What a part adds everywhere.

    >>> one_added(9.26666667, Scale(target="y")), one_added(0.04956, Scale(target="y", level=5.0))
    ('9.27', '+5.08%')
    """
    return _signed(amount(per_cent(value))) if scale.is_log else amount(value)


def _signed(text: str) -> str:
    return f"{text}%" if text == "0" or not text[0].isdigit() else f"+{text}%"


def levels(first: float, last: float, scale: Scale, digits: int = 3) -> tuple[str, str]:
    """Two values of a part that carries the level, in the units of the target."""
    return pair(_level(first, scale), _level(last, scale), digits)


def _level(value: float, scale: Scale) -> float:
    return value if scale.level is None else float(scale.level_at(np.minimum(value, _MOST_EXPONENT)))


def zero(scale: Scale) -> str:
    """Where a part stands that adds nothing."""
    return "0%" if scale.is_log else "zero"


def size(change: float, scale: Scale, digits: int) -> str:
    """A rise or fall without its sign."""
    return unit(amount(abs(per_cent(change) if scale.is_log else change), digits), scale)


# --- ranges -----------------------------------------------------------------------------------------------------------


def within(sd: float, scale: Scale) -> str:
    """A range around the rest of the model: "within ±5.2", or "between −4.9% and +5.2%"."""
    if not scale.is_log:
        return f"within ±{amount(sd, 2)}"
    low, high = _either_side(sd)
    return f"within ±{high}" if low == high else f"between {_MINUS}{low} and +{high}"


def around(sd: float, scale: Scale) -> str:
    """The same with what it is around: "within ±5.2 of", or "between 4.9% below and 5.2% above"."""
    if not scale.is_log or len({*_either_side(sd)}) == 1:
        return f"{within(sd, scale)} of"
    low, high = _either_side(sd)
    return f"between {low} below and {high} above"


def _either_side(sd: float) -> tuple[str, str]:
    """A standard deviation of a logarithm as percentages downwards and upwards."""
    return f"{amount(-per_cent(-sd), 2)}%", f"{amount(per_cent(sd), 2)}%"


def by(value: float, interval: Span, scale: Scale) -> str:
    """A difference without its sign, with its range.

    >>> by(-3.14, (-3.3, -2.9), Scale(target="y")), by(0.1, (-0.1, 0.3), Scale(target="y", level=5.0))
    ('by 3.14 (95% range: 2.90 to 3.30)', 'by 11% (95% range: −10% to 35%)')
    """
    low, high = interval
    ends = (low, high) if value >= 0.0 else (-high, -low)
    return f"by {_with_range(abs(value), ends, 1.0 if value >= 0.0 else -1.0, scale, '95% range: ')}"


def change(value: float, interval: Span, scale: Scale) -> str:
    """A difference with its sign and its range.

    >>> change(3.14, (2.9, 3.3), Scale(target="y"))
    '+3.14 (2.90 to 3.30)'
    """
    text = _with_range(value, interval, 1.0, scale, "")
    return text if text.startswith(_MINUS) else f"+{text}"


def _with_range(value: float, interval: Span, sign: float, scale: Scale, label: str) -> str:
    """Three numbers rounded alike; per cent of a logarithm are those of the direction ``sign``."""
    middle, *ends = (sign * per_cent(sign * number) if scale.is_log else number for number in (value, *interval))
    low, high = sorted(ends)
    decimals = min(decimals_between(low, high, 2), _MOST_DECIMALS)
    texts = [unit(fixed(number, decimals), scale) for number in (middle, low, high)]
    return f"{texts[0]} ({label}{texts[1]} to {texts[2]})"


# --- errors and slopes ------------------------------------------------------------------------------------------------


def error(value: float, scale: Scale) -> str:
    """An average miss: "12.3", or "4.1%" (the geometric mean of how far the larger is above the smaller)."""
    return unit(amount(one_error(value, scale)), scale)


def errors(before: float, after: float, scale: Scale) -> tuple[str, str]:
    """Two average misses, finely enough to show their difference."""
    first, last = error(before, scale), error(after, scale)
    if first != last:
        return first, last
    first, last = pair(one_error(before, scale), one_error(after, scale), 1)
    return unit(first, scale), unit(last, scale)


def slope(value: float, interval: Span | None, units: Units, sign: int = 1) -> str:
    """How far a line goes in the direction of ``sign``: "31.9 per year (95% range: 30.1 to 33.7)", "12% per year"."""
    steep, per = sign * _growth(value, units), rate(value, units)[1]
    if interval is None or not all(map(isfinite, interval)) or interval[0] == interval[1]:
        return f"{unit(amount(steep), units)} {per}"
    low, high = sorted(sign * _growth(bound, units) for bound in interval)
    start, end = pair(low, high, 2)
    shown = unit(pair(steep, steep + high - low, 2)[0], units)  # as fine as its range
    both = f" (95% range: {unit(start, units)} to {unit(end, units)})"
    return f"{shown} {per}" + ("" if start == end else both)


def steepness(value: float, units: Units) -> float:
    """The size of a slope in the unit that `slope` tells it in; of a fall how much is lost."""
    return abs(_growth(value, units))


def _growth(value: float, units: Units) -> float:
    per_unit = rate(value, units)[0]
    return per_cent(per_unit) if units.is_log else per_unit


# --- pictures ---------------------------------------------------------------------------------------------------------


def drawn(values: Array, scale: Scale) -> Array:
    """Parts as they are drawn: those of a logarithm in per cent."""
    return 100.0 * np.expm1(np.minimum(values, _MOST_EXPONENT)) if scale.is_log else values


def drawn_level(values: Array, scale: Scale) -> Array:
    """Sums of parts as they are drawn, in the units of the data: of a logarithm medians and limits of the values."""
    return values if scale.level is None else scale.level_at(np.minimum(values, _MOST_EXPONENT))
