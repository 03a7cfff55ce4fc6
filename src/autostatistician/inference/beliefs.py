"""The free numbers of a model: the coordinates in which they are nearly normal, and weak priors there.

Coordinates are logarithms, and for locations the inverse hyperbolic sine of the distance from the middle of the data
in ranges (linear within the data, logarithmic far outside). The priors are normal, about as wide as the draws from
which fits start. Units of the data enter through their scales alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import asinh, cosh, exp, inf, log, sinh

from autostatistician.inference.bounds import bounds, cycles_of, in_units, shortest_shape
from autostatistician.inference.scales import ColumnScale, Scales
from autostatistician.language.count import held_values, keeper
from autostatistician.language.expr import Expr, Leaf, Product
from autostatistician.language.kernel import Parameter, operands, parameters
from autostatistician.language.leaf_row import LeafKind, Role, Start
from autostatistician.language.leaves import LEAVES, is_leaf_of, own_parameters

__all__ = ["Belief", "beliefs"]

USUAL_WIDTH = 1.5  # width of a prior on a shape or a place
WIDTH_OF_SIZES = 2.0  # width of the prior on a scale: parts of the data are rarely below a fiftieth of them
_SIZE_ROLES = (Role.SD, Role.SLOPE, Role.DIFFUSION)
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
    held, typical = held_values(expr), list(_sizes(expr, scales, scales.y_rms))
    every = enumerate(parameters(expr))
    found = tuple(_belief(index, one, scales, typical[index]) for index, one in every if index not in held)
    return found if values is None else tuple(_beside(one, values, dict(cycles_of(expr)), scales) for one in found)


def _beside(belief: Belief, values: Sequence[float], cycles: dict[int, str | None], scales: Scales) -> Belief:
    if belief.index not in cycles:
        return belief
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
