"""Amounts in words on both scales: of the target, or as percentages where its logarithm is modelled.

A part of a logarithm multiplies what the others give: the value 0.1 is a factor of 1.105, told as "+11%". A part that
carries the level is told as the level it stands for by itself, the typical one (the geometric mean) being zero.
"""

from __future__ import annotations

from math import exp, expm1, inf, isfinite

from autostatistician.describe.axis import Units, rate
from autostatistician.wording.numbers import amount, pair

__all__ = ["added", "around", "error", "errors", "levels", "per_cent", "slope", "steepness", "unit", "within", "zero"]

_MINUS = "\N{MINUS SIGN}"
_MOST = 700.0  # exponents beyond are told as those
Span = tuple[float, float]


def added(low: float, high: float, units: Units) -> tuple[str, str]:
    """What a part adds at least and at most: ("−9.3", "12.1"), or ("−9%", "+13%")."""
    if units.level is None:
        return pair(low, high, 2)
    texts = pair(per_cent(low), per_cent(high), 2)
    return _signed(texts[0]), _signed(texts[1])


def levels(first: float, last: float, units: Units, digits: int = 3) -> tuple[str, str]:
    """Two values of a part that carries the level, in the units of the target."""
    if units.level is None:
        return pair(first, last, digits)
    return pair(_level(first, units), _level(last, units), digits)


def within(sd: float, units: Units, shown: str = "") -> str:
    """A range around the rest of the model: "within ±5.2", or "between −4.9% and +5.2%".

    ``shown`` is the rounded number, where it has been rounded along with another.
    """
    if units.level is None:
        return f"within ±{shown or amount(sd, 2)}"
    low, high = _either_side(sd)
    return f"within ±{high}" if low == high else f"between {_MINUS}{low} and +{high}"


def around(sd: float, units: Units) -> str:
    """The same with what it is around: "within ±5.2 of", or "between 4.9% below and 5.2% above"."""
    if units.level is None or len({*_either_side(sd)}) == 1:
        return f"{within(sd, units)} of"
    low, high = _either_side(sd)
    return f"between {low} below and {high} above"


def _either_side(sd: float) -> tuple[str, str]:
    """A standard deviation of a logarithm as percentages downwards and upwards."""
    return f"{amount(-per_cent(-sd), 2)}%", f"{amount(per_cent(sd), 2)}%"


def zero(units: Units) -> str:
    """Where a part stands that adds nothing."""
    return "zero" if units.level is None else "0%"


def error(value: float, units: Units) -> str:
    """An average miss: "12.3", or "4.1%" (the geometric mean of how far the larger is above the smaller)."""
    return amount(value) if units.level is None else f"{amount(per_cent(value))}%"


def errors(before: float, after: float, units: Units) -> tuple[str, str]:
    """Two average misses, finely enough to show their difference."""
    first, last = error(before, units), error(after, units)
    if first != last:
        return first, last
    if units.level is None:
        return pair(before, after, 1)
    first, last = pair(per_cent(before), per_cent(after), 1)
    return f"{first}%", f"{last}%"


def slope(value: float, interval: Span | None, units: Units, sign: int = 1) -> str:
    """How far a line goes in the direction of ``sign``: "31.9 per year (95% range: 30.1 to 33.7)", "12% per year"."""
    size, per = sign * _growth(value, units), rate(value, units)[1]
    if interval is None or not all(map(isfinite, interval)) or interval[0] == interval[1]:
        return f"{unit(amount(size), units)} {per}"
    low, high = sorted(sign * _growth(bound, units) for bound in interval)
    start, end = pair(low, high, 2)
    shown = unit(pair(size, size + high - low, 2)[0], units)  # as fine as its range
    both = f" (95% range: {unit(start, units)} to {unit(end, units)})"
    return f"{shown} {per}" + ("" if start == end else both)


def steepness(value: float, units: Units) -> float:
    """The size of a slope in the unit that `slope` tells it in; of a fall how much is lost."""
    return abs(_growth(value, units))


def _growth(value: float, units: Units) -> float:
    per_unit = rate(value, units)[0]
    return per_unit if units.level is None else per_cent(per_unit)


def unit(text: str, units: Units) -> str:
    """A rounded slope or size with its sign of per cent, where it is one."""
    return text if units.level is None else f"{text}%"


def per_cent(value: float) -> float:
    """What a part of a logarithm adds, in per cent.

    >>> round(per_cent(0.1), 2), round(per_cent(-0.1), 2)
    (10.52, -9.52)
    """
    return 100.0 * expm1(min(value, _MOST)) if value < inf else inf


def _level(value: float, units: Units) -> float:
    assert units.level is not None
    return units.level * exp(min(value, _MOST))


def _signed(text: str) -> str:
    return f"{text}%" if text == "0" or not text[0].isdigit() else f"+{text}%"
