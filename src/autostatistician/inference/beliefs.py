"""The free numbers of a model: the coordinates in which they are nearly normal, and weak priors there.

Coordinates are logarithms, and for locations the inverse hyperbolic sine of the distance from the middle of the data
in ranges (linear within the data, logarithmic far outside). The priors are normal, about as wide as the draws from
which fits start. Units of the data enter through their scales alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import asinh, cosh, exp, inf, log, sinh

from autostatistician.inference.bounds import bounds, cycles_of, in_units, shortest_shape
from autostatistician.inference.number_priors import Place
from autostatistician.inference.scales import NATURAL_PERIOD_TOLERANCE, ColumnScale, Scales
from autostatistician.language.count import held_values, keeper
from autostatistician.language.expr import Expr, Leaf, Product, Sum
from autostatistician.language.kernel import Parameter, operands, parameters
from autostatistician.language.kernel import size as number_count
from autostatistician.language.leaf_row import LeafKind, Role, Start
from autostatistician.language.leaves import LEAVES, is_leaf_of, own_parameters

__all__ = ["Belief", "beliefs", "number_units", "places"]

USUAL_WIDTH = 1.5  # width of a prior on a shape or a place
WIDTH_OF_NAMED_PERIODS = 0.003  # of the logarithm: a year is a year
WIDTH_BESIDE_LEVEL = 0.05  # of where a line is zero that has a level beside it
WIDTH_OF_SIZES = 2.0  # width of the prior on a scale: parts of the data are rarely below a fiftieth of them
_SIZE_ROLES = (Role.SD, Role.SLOPE, Role.DIFFUSION)
LEAST_STEP = 0.01  # of the spread: rows of an exact line differ by nothing but its slope, which is no small one
BOUND_MARGIN = 1e-6  # closer to a bound than this, a number is held there


@dataclass(frozen=True, slots=True)
class Belief:
    """One free number: its index, the column of a location (else None), and prior and bounds of its coordinate."""

    index: int
    column: ColumnScale | None
    mean: float
    width: float
    low: float
    high: float

    def coordinate(self, value: float) -> float:
        """Where a value (natural units) lies.

        >>> Belief(0, None, 0.0, 1.0, -9.0, 9.0).coordinate(1.0)
        0.0
        """
        return _coordinate(self.column, value)

    def value(self, coordinate: float) -> float:
        """The value (natural units) at a coordinate."""
        column = self.column
        return exp(coordinate) if column is None else column.low + column.range * (0.5 + sinh(coordinate))

    def slope(self, coordinate: float) -> float:
        """Derivative by the coordinate of what `Evidence` differentiates by (logarithms, or locations as they are)."""
        return 1.0 if self.column is None else self.column.range * cosh(coordinate)

    def score(self, value: float) -> tuple[float, float]:
        """How many widths a value lies from the centre, and the derivative by what `Evidence` differentiates by.

        >>> Belief(0, None, 0.0, 2.0, -9.0, 9.0).score(exp(1.0))
        (0.5, 0.5)
        """
        coordinate = self.coordinate(value)
        return (coordinate - self.mean) / self.width, 1.0 / (self.width * self.slope(coordinate))

    def at_bound(self, value: float) -> bool:
        """Whether a fitted value was held by a bound."""
        return not self.low + BOUND_MARGIN < self.coordinate(value) < self.high - BOUND_MARGIN


def _coordinate(column: ColumnScale | None, value: float) -> float:
    if column is None and value <= 0.0:
        return -inf  # nothing, and no size: at the lower bound of all
    return log(value) if column is None else asinh((value - column.low) / column.range - 0.5)


def beliefs(expr: Expr, scales: Scales, values: Sequence[float] | None = None) -> tuple[Belief, ...]:
    """The free numbers of a balanced kernel of this structure, with their priors.

    With ``values`` the bounds are those beside these: lengthscales of cycles have one that hangs on the period.

    >>> import numpy as np
    >>> from autostatistician.inference.scales import measure
    >>> scales = measure(np.arange(9.0)[:, None], np.arange(-4.0, 5.0), ("x",))
    >>> [(one.index, round(one.mean, 2), one.width) for one in beliefs(Leaf("WN"), scales)]
    [(0, 0.95, 2.0)]
    """
    found, hanging = _anywhere(expr, scales), _hanging(expr)
    if values is None or not hanging:
        return found
    return tuple(_beside(one, expr, values, scales) if one.index in hanging else one for one in found)


@lru_cache(maxsize=4096)
def _hanging(expr: Expr) -> frozenset[int]:
    """The numbers whose beliefs hang on values: periods, and lengthscales of cycles."""
    periods = (index for index, one in enumerate(parameters(expr)) if one.name == "period")
    return frozenset([*periods, *dict(cycles_of(expr))])


@lru_cache(maxsize=4096)
def _anywhere(expr: Expr, scales: Scales) -> tuple[Belief, ...]:
    """Those that hang on no values."""
    found = _usual(expr, scales)
    return tuple(_learned(one, expr, scales) for one in found) if scales.priors is not None else tuple(found)


@lru_cache(maxsize=4096)
def places(expr: Expr, place: Place = Place.TERM) -> tuple[Place, ...]:
    """The place of the node that every number of an expression belongs to.

    >>> [place.value for place in places(Leaf("SE") * Leaf("Per") + Leaf("WN"))]
    ['cycle', 'cycle', 'cycle', 'cycle', 'cycle', 'term']
    """
    found = [place] * len(own_parameters(expr))
    parts = operands(expr)
    if isinstance(expr, Product):
        cyclic = any(is_leaf_of(part, LeafKind.CYCLIC) for part in parts)
        place = Place.CYCLE if cyclic else Place.FACTOR
    elif not isinstance(expr, Sum):
        place = Place.TERM
    for part in parts:
        found += places(part, place)
    return tuple(found)


def _usual(expr: Expr, scales: Scales) -> Iterator[Belief]:
    """The free numbers with the weak priors that their roles imply."""
    held, typical = held_values(expr), list(_sizes(expr, scales, scales.y_rms))
    every = enumerate(parameters(expr))
    return (_belief(index, one, scales, typical[index]) for index, one in every if index not in held)


def _learned(usual: Belief, expr: Expr, scales: Scales) -> Belief:
    """A belief with the prior that was learned for its number, where there is one."""
    parameter = parameters(expr)[usual.index]
    if not isinstance(parameter.node, Leaf) or scales.priors is None:
        return usual
    if usual.index in _zeros_beside_levels(expr, 0):
        return replace(usual, width=WIDTH_BESIDE_LEVEL)
    known = scales.priors.of(parameter.node.symbol, parameter.name, places(expr)[usual.index])
    return (
        usual
        if known is None
        else replace(usual, mean=known.centre(*number_units(parameter, scales)), width=known.width)
    )


@lru_cache(maxsize=4096)
def _zeros_beside_levels(expr: Expr, start: int) -> frozenset[int]:
    """Where lines are zero that stand beside a level: the level takes up the difference, so the middle will do.

    >>> sorted(_zeros_beside_levels(Leaf("Lin") + Leaf("C") + Leaf("WN"), 0))
    [1]
    """
    found, place = set[int](), start + len(own_parameters(expr))
    has_level = isinstance(expr, Sum) and any(is_leaf_of(part, LeafKind.CONSTANT) for part in operands(expr))
    for part in operands(expr):
        if has_level and is_leaf_of(part, LeafKind.LINE):
            found |= {place + i for i, (_, role) in enumerate(own_parameters(part)) if role is Role.LOCATION}
        found |= _zeros_beside_levels(part, place)
        place += number_count(part)
    return frozenset(found)


def number_units(parameter: Parameter, scales: Scales) -> tuple[float, float]:
    """The logarithms of the units of a number: from row to row, and of the whole (see `number_priors`).

    On a table, whose rows have no next ones, both are that of the whole.

    >>> import numpy as np
    >>> from autostatistician.inference.scales import measure
    >>> scales = measure(np.arange(9.0)[:, None], np.arange(9.0) ** 2, ("x",))
    >>> [round(one, 2) for one in number_units(parameters(Leaf("SE"))[0], scales)]  # 1 and 8
    [0.0, 2.08]
    """
    if parameter.role is Role.SHAPE:
        return 0.0, 0.0
    whole = log(max(scales.y_sd, scales.y_step))
    step = log(max(scales.y_step, LEAST_STEP * scales.y_sd)) if scales.has_order else whole
    if parameter.role is Role.SD:
        return step, whole
    column = scales.column(getattr(parameter.node, "column", None))
    span = log(column.range)
    gap = log(column.spacing or column.gap) if scales.has_order else span
    if parameter.role is Role.LENGTH:
        return gap, span
    power = 1.0 if parameter.role is Role.SLOPE else 0.5
    return step - power * gap, whole - power * span


def _near_the_calendar(belief: Belief, parameter: Parameter, value: float, scales: Scales) -> Belief:
    """A period near one of the calendar is that one."""
    if parameter.name != "period":
        return belief
    named = scales.column(getattr(parameter.node, "column", None)).named(value)
    if named is None:
        return belief
    low, high = (log(named) + sign * NATURAL_PERIOD_TOLERANCE for sign in (-1.0, 1.0))
    return replace(
        belief, mean=log(named), width=WIDTH_OF_NAMED_PERIODS, low=max(belief.low, low), high=min(belief.high, high)
    )


def _beside(belief: Belief, expr: Expr, values: Sequence[float], scales: Scales) -> Belief:
    cycles = dict(cycles_of(expr))
    if belief.index not in cycles:
        parameter, value = parameters(expr)[belief.index], values[belief.index]
        return belief if scales.priors is None else _near_the_calendar(belief, parameter, value, scales)
    shortest, _ = shortest_shape(values[belief.index + 1], scales.columns[cycles[belief.index]])
    return replace(belief, low=max(belief.low, shortest))


def _sizes(expr: Expr, scales: Scales, level: float | None) -> Iterator[float | None]:
    """For every value the size that its part of the model has in the data; None where it only multiplies another.

    A constant is as large as the data, all else (constants in products, too) as their variation. In a product,
    the keeper of the scale alone has the unit of the target.
    """
    spread = max(scales.y_sd, scales.noise_floor)
    size = None if level is None else level if is_leaf_of(expr, LeafKind.CONSTANT) else spread
    yield from [size] * len(own_parameters(expr))
    parts = operands(expr)
    for index, part in enumerate(parts):
        if not isinstance(expr, Product):
            yield from _sizes(part, scales, level)
        else:
            yield from _sizes(part, scales, None if level is None or index != keeper(parts) else spread)


def _belief(index: int, parameter: Parameter, scales: Scales, size: float | None) -> Belief:
    node, (low, high) = parameter.node, bounds(parameter, scales)
    prior = LEAVES[node.symbol].number(parameter.name).prior if isinstance(node, Leaf) else None
    if prior is not None:
        middle = in_units(prior.median, scales, getattr(node, "column", None))
        return Belief(index, None, log(middle), prior.spread, log(low), log(high))
    if parameter.role is Role.LOCATION:
        column = scales.column(getattr(node, "column", None))
        width = USUAL_WIDTH if isinstance(node, Leaf) else 0.3
        return Belief(index, column, 0.0, width, _coordinate(column, low), _coordinate(column, high))
    if parameter.role is Role.WEIGHT:
        reach = 4.0 * (size or 1.0)
        around = ColumnScale(-0.5 * reach, 0.5 * reach, reach, reach)
        return Belief(index, around, 0.0, 0.3, _coordinate(around, low), _coordinate(around, high))
    if parameter.role is Role.SD and size is None:
        low, high = low / scales.y_rms, high / scales.y_rms
    mean, width = _size(parameter, scales, size or 1.0) if parameter.role in _SIZE_ROLES else _shape(parameter, scales)
    return Belief(index, None, mean, width, log(low), log(high))


def _size(parameter: Parameter, scales: Scales, size: float) -> tuple[float, float]:
    """Mean and width of the logarithm of a scale.

    A line of some deviation rises by the root of 12 times that, a walk has increments of the root of 6 times that.
    """
    if parameter.role is not Role.SD:
        reach = scales.column(getattr(parameter.node, "column", None)).range
        size *= 12.0**0.5 / reach if parameter.role is Role.SLOPE else (6.0 / reach) ** 0.5
    return log(size), WIDTH_OF_SIZES


def _shape(parameter: Parameter, scales: Scales) -> tuple[float, float]:
    """Mean and width of the logarithm of a number that is neither a location nor a size."""
    if parameter.role is Role.SHAPE:
        return 0.0, USUAL_WIDTH
    column = scales.column(getattr(parameter.node, "column", None))
    if not isinstance(parameter.node, Leaf):
        wide = parameter.role is Role.LENGTH
        return (log(0.1 * column.range), 1.0) if wide else (3.3 - log(column.range), USUAL_WIDTH)
    start = LEAVES[parameter.node.symbol].number(parameter.name).start
    low, high = bounds(parameter, scales) if start is Start.PERIOD else (column.gap, column.range)
    return 0.5 * log(low * high), max(0.5 * log(high / low), 1.0)
