"""Hyperpriors, the priors of kernel parameters: coordinates in which posteriors are nearly normal, and priors there.

Coordinates are logarithms, and for locations the inverse hyperbolic sine of the distance from the middle of the data
in ranges (linear within the data, logarithmic far outside). Where nothing was learned, priors are weak: about as wide
as the draws from which fits start. Units of the data enter through their scales alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import asinh, cosh, exp, inf, log, sinh

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.parameters.bounds import bounds, in_units
from autostatistician.gp.parameters.scales import NATURAL_PERIOD_TOLERANCE, ColumnScale, LeafContext, Scales
from autostatistician.kernels.expr import Expr, Leaf, Product, Sum
from autostatistician.kernels.kernel import Parameter, operands, parameters
from autostatistician.kernels.leaf_row import LeafKind, Role, Start
from autostatistician.kernels.leaves import LEAVES, is_leaf_of, own_parameters, placed
from autostatistician.kernels.traits import held_values, keeper

__all__ = [
    "ParameterPrior", "ParameterPriors", "JointPrior", "near_the_calendar", "parameter_units", "places", "priors_of",
    "zeros_beside_levels",
]  # fmt: skip


Array = NDArray[np.float64]

USUAL_WIDTH = 1.5  # width of a prior on a shape or a place

WIDTH_OF_NAMED_PERIODS = 0.003  # of the logarithm: a year is a year

WIDTH_BESIDE_LEVEL = 0.05  # of where a line is zero that has a level beside it

WIDTH_OF_SIZES = 2.0  # width of the prior on a scale: parts of the data are rarely below a fiftieth of them

_SIZE_ROLES = (Role.SD, Role.SLOPE, Role.DIFFUSION)

LEAST_STEP = 0.01  # of the spread: rows of an exact line differ by nothing but its slope, which is no small one

BOUND_MARGIN = 1e-6  # closer to a bound than this, a parameter is held there


@dataclass(frozen=True, slots=True)
class ParameterPrior:
    """A free parameter: its index, the column of a location (else None), and prior and bounds of its coordinate."""

    index: int
    column: ColumnScale | None
    mean: float
    width: float
    low: float
    high: float

    def at(self, index: int) -> ParameterPrior:
        """The same prior of the parameter at another place."""
        return ParameterPrior(index, self.column, self.mean, self.width, self.low, self.high)

    def coordinate(self, value: float) -> float:
        """Where a value (natural units) lies.

        >>> ParameterPrior(0, None, 0.0, 1.0, -9.0, 9.0).coordinate(1.0)
        0.0
        """
        return _coordinate(self.column, value)

    def value(self, coordinate: float) -> float:
        """The value (natural units) at a coordinate."""
        column = self.column
        return exp(coordinate) if column is None else column.low + column.range * (0.5 + sinh(coordinate))

    def slope(self, coordinate: float) -> float:
        """Derivative by the coordinate of what objectives differentiate by (logarithms, or locations as they are)."""
        return 1.0 if self.column is None else self.column.range * cosh(coordinate)

    def at_bound(self, value: float) -> bool:
        """Whether a fitted value was held by a bound."""
        return not self.low + BOUND_MARGIN < self.coordinate(value) < self.high - BOUND_MARGIN


def _coordinate(column: ColumnScale | None, value: float) -> float:
    if column is None and value <= 0.0:
        return -inf  # nothing, and no size: at the lower bound of all
    return log(value) if column is None else asinh((value - column.low) / column.range - 0.5)


class ParameterPriors(tuple[ParameterPrior, ...]):
    """The priors of several parameters (p,), which are independent of each other."""

    __slots__ = ()

    def coordinates(self, values: Sequence[float]) -> Array:
        """The coordinates (p,) of the parameters among all values of a kernel."""
        return np.array([prior.coordinate(values[prior.index]) for prior in self])

    def values(self, u: Array, others: Sequence[float]) -> tuple[float, ...]:
        """All values of a kernel, the parameters at coordinates ``u`` (p,), the rest as in ``others``."""
        changed = list(others)
        for prior, coordinate in zip(self, u.tolist(), strict=True):
            changed[prior.index] = prior.value(coordinate)
        return tuple(changed)

    def by_coordinates(self, gradient: Array, u: Array) -> Array:
        """The gradient (p,) by the coordinates from that by the logarithms (locations as they are) of all values."""
        pairs = zip(self, u.tolist(), strict=True)
        return np.array([gradient[prior.index] * prior.slope(coordinate) for prior, coordinate in pairs])

    def penalty(self, values: Sequence[float]) -> float:
        """Minus the log density at some values, up to a constant.

        >>> ParameterPriors([ParameterPrior(0, None, 0.0, 2.0, -9.0, 9.0)]).penalty([exp(2.0)])
        0.5
        """
        return 0.5 * sum(z * z for z, _ in self._scores(values))

    def penalised(self, value: float, gradient: Array, values: Sequence[float]) -> tuple[float, Array]:
        """A value and its gradient at some values, by all of these, with the penalty added.

        Derivatives are by the logarithm of positive parameters, by locations as they are.

        >>> value, slopes = ParameterPriors([ParameterPrior(1, None, 0.0, 2.0, -9.0, 9.0)]).penalised(
        ...     1.0, np.zeros(2), [1.0, exp(2.0)]
        ... )
        >>> value, slopes.tolist()
        (1.5, [0.0, 0.5])
        """
        gradient, scores = gradient.copy(), self._scores(values)
        for prior, (z, slope) in zip(self, scores, strict=True):
            gradient[prior.index] += z * slope
        return value + 0.5 * sum(z * z for z, _ in scores), gradient

    def _scores(self, values: Sequence[float]) -> list[tuple[float, float]]:
        """How many widths each value lies from its centre, and the derivative; in one go, as fits ask at each step."""
        scores = []
        for prior in self:
            value, column = values[prior.index], prior.column
            if column is None:
                coordinate, slope = log(value) if value > 0.0 else -inf, 1.0
            else:
                coordinate = asinh((value - column.low) / column.range - 0.5)
                slope = column.range * cosh(coordinate)
            scores.append(((coordinate - prior.mean) / prior.width, 1.0 / (prior.width * slope)))
        return scores


def priors_of(expr: Expr, scales: Scales) -> ParameterPriors:
    """The priors of the free parameters of a balanced kernel of this structure, as far as they hang on no values.

    >>> from autostatistician.gp.parameters.scales import measure
    >>> scales = measure(np.arange(9.0)[:, None], np.arange(-4.0, 5.0), ("x",))
    >>> [(one.index, round(one.mean, 2), one.width) for one in priors_of(Leaf("WN"), scales)]
    [(0, 0.95, 2.0)]
    """
    held, every, sizes = held_values(expr), parameters(expr), list(_sizes(expr, scales, scales.y_rms))
    where, beside_levels = places(expr), zeros_beside_levels(expr)
    made = []
    for index, parameter in enumerate(every):
        if index not in held:
            alone = Parameter((), parameter.node, parameter.name, parameter.role)
            prior = _prior_of(alone, scales, sizes[index], where[index], index in beside_levels)
            made.append(prior.at(index))
    return ParameterPriors(made)


@lru_cache(maxsize=8192)
def _prior_of(
    parameter: Parameter, scales: Scales, size: float | None, place: LeafContext, beside_level: bool
) -> ParameterPrior:
    """The prior of a parameter with such a size and place, wherever it stands: most expressions share theirs."""
    weak = _weak(0, parameter, scales, size)
    return weak if scales.priors is None else _learned(weak, parameter, scales, place, beside_level)


@lru_cache(maxsize=4096)
def places(expr: Expr, place: LeafContext = LeafContext.TERM) -> tuple[LeafContext, ...]:
    """The place of the node that every parameter of an expression belongs to.

    >>> [place.value for place in places(Leaf("SE") * Leaf("Per") + Leaf("WN"))]
    ['cycle', 'cycle', 'cycle', 'cycle', 'cycle', 'term']
    """
    every = [place] * len(own_parameters(expr))
    parts = operands(expr)
    if isinstance(expr, Product):
        cyclic = any(is_leaf_of(part, LeafKind.CYCLIC) for part in parts)
        place = LeafContext.CYCLE if cyclic else LeafContext.FACTOR
    elif not isinstance(expr, Sum):
        place = LeafContext.TERM
    for part in parts:
        every += places(part, place)
    return tuple(every)


def _learned(
    usual: ParameterPrior, parameter: Parameter, scales: Scales, place: LeafContext, beside_level: bool
) -> ParameterPrior:
    """The prior that was learned for a parameter, where there is one."""
    if not isinstance(parameter.node, Leaf) or scales.priors is None:
        return usual
    if beside_level:
        return replace(usual, width=WIDTH_BESIDE_LEVEL)
    learned = scales.priors.of(parameter.node.symbol, parameter.name, place)
    if learned is None:
        return usual
    return replace(usual, mean=learned.centre(*parameter_units(parameter, scales)), width=learned.width)


@lru_cache(maxsize=4096)
def zeros_beside_levels(expr: Expr, start: int = 0) -> frozenset[int]:
    """Where lines are zero that stand beside a level: the level takes up the difference, so the middle will do.

    >>> sorted(zeros_beside_levels(Leaf("Lin") + Leaf("C") + Leaf("WN")))
    [1]
    """
    zeros = set[int]()
    has_level = isinstance(expr, Sum) and any(is_leaf_of(part, LeafKind.CONSTANT) for part in operands(expr))
    for part, place in placed(expr, start):
        if has_level and is_leaf_of(part, LeafKind.LINE):
            zeros |= {place + i for i, (_, role) in enumerate(own_parameters(part)) if role is Role.LOCATION}
        zeros |= zeros_beside_levels(part, place)
    return frozenset(zeros)


def parameter_units(parameter: Parameter, scales: Scales) -> tuple[float, float]:
    """The logarithms of the units of a parameter: from row to row, and of the whole (see `scales`).

    On a table, whose rows have no next ones, both are that of the whole.

    >>> import numpy as np
    >>> from autostatistician.gp.parameters.scales import measure
    >>> scales = measure(np.arange(9.0)[:, None], np.arange(9.0) ** 2, ("x",))
    >>> [round(one, 2) for one in parameter_units(parameters(Leaf("SE"))[0], scales)]  # 1 and 8
    [0.0, 2.08]
    """
    if parameter.role is Role.SHAPE:
        return 0.0, 0.0
    whole = log(max(scales.y_sd, scales.y_step))
    step = log(max(scales.y_step, LEAST_STEP * scales.y_sd)) if scales.has_order else whole
    if parameter.role is Role.SD:
        return step, whole
    column = scales.column(parameter.column)
    span = log(column.range)
    gap = log(max(column.gap, column.spacing)) if scales.has_order else span
    if parameter.role is Role.LENGTH:
        return gap, span
    power = 1.0 if parameter.role is Role.SLOPE else 0.5
    return step - power * gap, whole - power * span


def near_the_calendar(prior: ParameterPrior, named: float | None) -> ParameterPrior:
    """The prior of a period that is the ``named`` one of the calendar, if it is any."""
    if named is None:
        return prior
    low, high = (log(named) + sign * NATURAL_PERIOD_TOLERANCE for sign in (-1.0, 1.0))
    width = WIDTH_OF_NAMED_PERIODS
    return replace(prior, mean=log(named), width=width, low=max(prior.low, low), high=min(prior.high, high))


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


def _weak(index: int, parameter: Parameter, scales: Scales, size: float | None) -> ParameterPrior:
    node, (low, high) = parameter.node, bounds(parameter, scales)
    prior = LEAVES[node.symbol].parameter(parameter.name).prior if isinstance(node, Leaf) else None
    if prior is not None:
        middle = in_units(prior.median, scales, getattr(node, "column", None))
        return ParameterPrior(index, None, log(middle), prior.spread, log(low), log(high))
    if parameter.role is Role.LOCATION:
        column = scales.column(getattr(node, "column", None))
        width = USUAL_WIDTH if isinstance(node, Leaf) else 0.3
        return ParameterPrior(index, column, 0.0, width, _coordinate(column, low), _coordinate(column, high))
    if parameter.role is Role.WEIGHT:
        reach = 4.0 * (size or 1.0)
        around = ColumnScale(-0.5 * reach, 0.5 * reach, reach, reach)
        return ParameterPrior(index, around, 0.0, 0.3, _coordinate(around, low), _coordinate(around, high))
    if parameter.role is Role.SD and size is None:
        low, high = low / scales.y_rms, high / scales.y_rms
    mean, width = _size(parameter, scales, size or 1.0) if parameter.role in _SIZE_ROLES else _shape(parameter, scales)
    return ParameterPrior(index, None, mean, width, log(low), log(high))


def _size(parameter: Parameter, scales: Scales, size: float) -> tuple[float, float]:
    """Mean and width of the logarithm of a scale.

    A line of some deviation rises by the root of 12 times that, a walk has increments of the root of 6 times that.
    """
    if parameter.role is not Role.SD:
        reach = scales.column(parameter.column).range
        size *= 12.0**0.5 / reach if parameter.role is Role.SLOPE else (6.0 / reach) ** 0.5
    return log(size), WIDTH_OF_SIZES


def _shape(parameter: Parameter, scales: Scales) -> tuple[float, float]:
    """Mean and width of the logarithm of a parameter that is neither a location nor a size."""
    if parameter.role is Role.SHAPE:
        return 0.0, USUAL_WIDTH
    column = scales.column(parameter.column)
    if not isinstance(parameter.node, Leaf):
        wide = parameter.role is Role.LENGTH
        return (log(0.1 * column.range), 1.0) if wide else (3.3 - log(column.range), USUAL_WIDTH)
    start = LEAVES[parameter.node.symbol].parameter(parameter.name).start
    low, high = bounds(parameter, scales) if start is Start.PERIOD else (column.gap, column.range)
    return 0.5 * log(low * high), max(0.5 * log(high / low), 1.0)


# --- A weak prior under which parameters of one kind are like each other --------------------------------------------


@dataclass(frozen=True, eq=False)
class JointPrior:
    """Normal priors of coordinates (p,), those that are ``alike`` with a common part.

    Parameters
    ----------
    mean, width : arrays (p,)
        Of each coordinate; of those that are alike the width is the one about what they share.
    alike : array (p,) of bool
        Which are of one kind.
    common_width : float
        Of what they share.

    Examples
    --------
    >>> prior = JointPrior(np.zeros(2), np.ones(2), np.array([True, True]), 1.0)
    >>> value, slope = prior.penalty(np.array([1.0, 1.0]))  # two that agree are as likely as one with variance 3 / 2
    >>> round(value, 4), slope.round(4).tolist()
    (0.3333, [0.3333, 0.3333])
    """

    mean: Array
    width: Array
    alike: NDArray[np.bool_]
    common_width: float

    def penalty(self, u: Array) -> tuple[float, Array]:
        """Minus the log density but for a constant, and its derivatives (p,)."""
        off = u - self.mean
        slope = off / self.width**2
        weights = np.where(self.alike, self.width**-2.0, 0.0)
        share = float(weights @ off) / (self.common_width**-2.0 + float(weights.sum()))
        slope = slope - weights * share
        return 0.5 * float(off @ slope), slope

    def draw(self, rng: np.random.Generator, scale: float = 1.0) -> Array:
        """A draw (p,), so many times as wide."""
        apart = self.width * rng.standard_normal(len(self.mean))
        common = self.common_width * float(rng.standard_normal())
        return np.asarray(self.mean + scale * (apart + np.where(self.alike, common, 0.0)))

    @property
    def root(self) -> Array:
        """The lower triangle (p, p) whose square is the covariance of the coordinates.

        >>> prior = JointPrior(np.zeros(2), np.ones(2), np.array([True, True]), 1.0)
        >>> (prior.root @ prior.root.T).round(4).tolist()
        [[2.0, 1.0], [1.0, 2.0]]
        """
        alike = self.alike.astype(np.float64)
        among = np.diag(self.width**2) + self.common_width**2 * np.outer(alike, alike)
        return np.asarray(np.linalg.cholesky(among), dtype=np.float64)
