"""Bounds of parameters (lengthscale bounds, noise floors), in units of the data: as the rows of leaves say.

All are wide enough for every model reported for the benchmark series.

Scales of products in one place: every factor has size one but the keeper, which carries the size of all.

Only the scale of a whole product means anything. With the others at one, the bounds of the keeper (a floor under the
noise above all) are bounds of the product, whichever way its factors came together.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from math import hypot, isnan, log, sqrt

import numpy as np

from autostatistician.gp.covariance import prior_variance
from autostatistician.gp.parameters.scales import ColumnScale, Scales
from autostatistician.kernels.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum
from autostatistician.kernels.kernel import Kernel, Parameter, leaf, parameters, rescaled
from autostatistician.kernels.leaf_row import Amount, LeafKind, Unit
from autostatistician.kernels.leaves import LEAVES, is_leaf_of, nodes_of
from autostatistician.kernels.traits import keeper

__all__ = ["balanced", "bounds", "cycles_of", "in_units", "nearest", "shortest_shape", "with_levels"]


NARROWEST_WINDOW_SPACINGS, WIDEST_WINDOW_RANGES = 2.0, 0.25
SLOWEST_CHANGE_PER_RANGE = 10.0  # a transition takes at most a tenth of the range
SLOWEST_RISE_PER_RANGE = 0.5  # but from one level to another: growth that runs out may take all of it
FASTEST_CHANGE_PER_SPACING = 4.0
LOCATION_MARGIN_RANGES = 0.02  # from the ends of the data, where nothing changes
# The largest lengthscale^-2 of a cycle by the square of J = period / shortest period is
# `SHARPNESS_SLOPE (J^2 - SHARPNESS_OFFSET)`: harmonics beyond the J-th, which the inputs cannot tell from slower
# ones, then carry at most 1 % of its variance.
SHARPNESS_SLOPE, SHARPNESS_OFFSET = 0.158, 0.9


def bounds(parameter: Parameter, scales: Scales) -> tuple[float, float]:
    """The smallest and largest value that a parameter may take on data of these scales (natural units)."""
    node = parameter.node
    if isinstance(node, Leaf):
        row = LEAVES[node.symbol].parameter(parameter.name)
        return in_units(row.lowest, scales, node.column), in_units(row.highest, scales, node.column)
    assert isinstance(node, ChangePoint | ChangeWindow)
    return _change_bounds(parameter.name, scales.column(node.column), between_levels=_is_between_levels(node))


def _is_between_levels(node: Expr) -> bool:
    """Whether it is a change from one level to another alone.

    >>> _is_between_levels(ChangePoint(Leaf("C"), Leaf("C"))), _is_between_levels(ChangePoint(Leaf("C"), Leaf("SE")))
    (True, False)
    """
    return isinstance(node, ChangePoint) and all(
        is_leaf_of(side, LeafKind.CONSTANT) for side in (node.before, node.after)
    )


def nearest(value: float, between: tuple[float, float]) -> float:
    """The value nearest to one that a parameter with these bounds may take; what its row holds, stays.

    Only where such a parameter is open (NaN), it is put where the row says.

    >>> nearest(9.0, (1.0, 2.0)), nearest(0.0, (10.0, 10.0)), nearest(float("nan"), (10.0, 10.0))
    (2.0, 0.0, 10.0)
    """
    low, high = between
    if low == high:
        return low if isnan(value) else value
    return min(max(value, low), high)


def in_units(amount: Amount, scales: Scales, column: str | None) -> float:
    """An amount as a number in the units of the data."""
    return _IN_UNITS[amount.unit](amount.value, scales, column)


_IN_UNITS: dict[Unit, Callable[[float, Scales, str | None], float]] = {
    Unit.ONE: lambda value, scales, name: value,
    Unit.SPACING: lambda value, scales, name: value * scales.column(name).gap,
    Unit.RANGE: lambda value, scales, name: value * scales.column(name).range,
    Unit.SHORTEST_PERIOD: lambda value, scales, name: value * scales.column(name).shortest_period,
    Unit.LONGEST_PERIOD: lambda value, scales, name: value * scales.column(name).longest_period,
    Unit.RANGES_BELOW: lambda value, scales, name: scales.column(name).low - value * scales.column(name).range,
    Unit.RANGES_ABOVE: lambda value, scales, name: scales.column(name).high + value * scales.column(name).range,
    Unit.SIZE: lambda value, scales, name: value * scales.y_rms,
    Unit.SIZE_PER_RANGE: lambda value, scales, name: value * (scales.y_rms / scales.column(name).range),
    Unit.SIZE_PER_ROOT_RANGE: lambda value, scales, name: value * (scales.y_rms / sqrt(scales.column(name).range)),
    Unit.NOISE_FLOOR: lambda value, scales, name: value * scales.noise_floor,
}


def _change_bounds(name: str, column: ColumnScale, *, between_levels: bool) -> tuple[float, float]:
    """The bounds of a parameter of a change point or window."""
    match name:
        case "width":
            narrow = NARROWEST_WINDOW_SPACINGS * column.gap
            return narrow, max(WIDEST_WINDOW_RANGES * column.range, 2.0 * narrow)
        case "steepness":
            fastest = FASTEST_CHANGE_PER_SPACING / column.gap
            slowest = SLOWEST_RISE_PER_RANGE if between_levels else SLOWEST_CHANGE_PER_RANGE
            return min(slowest / column.range, 0.5 * fastest), fastest
        case _:
            inset = LOCATION_MARGIN_RANGES * column.range
            return column.low + inset, column.high - inset


@lru_cache(maxsize=20000)
def cycles_of(expr: Expr) -> tuple[tuple[int, str | None], ...]:
    """For each periodic leaf with harmonics the index of its lengthscale (the period follows it) and its column.

    >>> cycles_of(Leaf("WN") + Leaf("Per"))
    ((1, None),)
    """
    pairs = enumerate(parameters(expr))
    nodes = [(index, parameter.node) for index, parameter in pairs if parameter.name == "lengthscale"]
    cycles = [(index, node) for index, node in nodes if isinstance(node, Leaf) and is_leaf_of(node, LeafKind.CYCLIC)]
    return tuple((index, node.column) for index, node in cycles)


def shortest_shape(period: float, column: ColumnScale) -> tuple[float, float]:
    """The smallest lengthscale of a cycle (relative, as in `periodic.per`) and its derivative, both by logarithms.

    Nearly all variance then lies in harmonics that the inputs can tell from slower waves. A cycle with shorter
    lengthscale and a period near two spacings could pass for any slow wave, with wild values between the inputs.

    >>> from math import exp
    >>> column = ColumnScale(0.0, 39.0, 1.0, 11.5)
    >>> [round(exp(shortest_shape(period, column)[0]), 2) for period in (2.0, 4.0, 12.0)]
    [7.96, 1.43, 0.42]
    """
    squared = max(period / column.shortest_period, 1.0) ** 2
    floor = _log_of_shortest()
    shortest = -0.5 * log(SHARPNESS_SLOPE * (squared - SHARPNESS_OFFSET))
    return (shortest, -squared / (squared - SHARPNESS_OFFSET)) if shortest > floor else (floor, 0.0)


@cache
def _log_of_shortest() -> float:
    """The logarithm of the smallest lengthscale that a cycle may have at all."""
    return log(LEAVES["Per"].parameter("lengthscale").lowest.value)


def balanced(kernel: Kernel, scales: Scales) -> Kernel:
    """The same covariance with the scales of products moved to their keepers (see `kernels.traits.held_values`).

    >>> import numpy as np
    >>> from autostatistician.gp.parameters.scales import measure
    >>> from autostatistician.kernels.kernel import leaf
    >>> scales = measure(np.array([[0.0], [1.0]]), np.ones(2), ("x",))
    >>> balanced(leaf("SE", lengthscale=1.0, sd=2.0) * leaf("WN", sd=3.0), scales).values
    (1.0, 1.0, 6.0)
    """
    if not any(isinstance(node, Product) for node in nodes_of(kernel.expr)):
        return kernel
    parts = [balanced(part, scales) for part in kernel.parts]
    if not isinstance(kernel.expr, Product):
        return kernel.rebuilt(tuple(parts))
    kept, total = keeper([part.expr for part in parts]), 1.0
    for index, part in enumerate(parts):
        size = _size(part, scales)
        if index != kept and size > 0.0:
            parts[index] = rescaled(part, y_scale=1.0 / size)
            total *= size
    parts[kept] = rescaled(parts[kept], y_scale=total)
    return kernel.rebuilt(tuple(parts))


def with_levels(kernel: Kernel, scales: Scales) -> Kernel:
    """The same with every line that has a level beside it zero in the middle of the data, and the level larger for it.

    What it was there the level takes up: the variances there are the same.

    >>> import numpy as np
    >>> from autostatistician.gp.parameters.scales import measure
    >>> from autostatistician.kernels.kernel import leaf
    >>> scales = measure(np.array([[0.0], [2.0]]), np.ones(2), ("x",))
    >>> with_levels(leaf("Lin", sd=2.0, location=3.0) + leaf("C", sd=3.0), scales).values
    (2.0, 1.0, 5.0)
    """
    if isinstance(kernel.expr, Leaf):
        return kernel
    parts = [with_levels(part, scales) for part in kernel.parts]
    levels = [index for index, part in enumerate(parts) if is_leaf_of(part.expr, LeafKind.CONSTANT)]
    if isinstance(kernel.expr, Sum) and levels:
        level = parts[levels[0]].named()["sd"]
        for index, part in enumerate(parts):
            if isinstance(part.expr, Leaf) and is_leaf_of(part.expr, LeafKind.LINE):
                named, column = part.named(), scales.column(part.expr.column)
                middle = column.low + 0.5 * column.range
                level = hypot(level, named["sd"] * (middle - named["location"]))
                parts[index] = leaf(part.expr.symbol, column=part.expr.column, **named | {"location": middle})
        parts[levels[0]] = leaf("C", sd=level)
    return kernel.rebuilt(tuple(parts))


def _size(kernel: Kernel, scales: Scales) -> float:
    """The scale that a factor gives up: of a leaf its root mean square, of a composite that of its first leaf."""
    if not isinstance(kernel.expr, Leaf):
        parts = kernel.parts
        return _size(parts[keeper([part.expr for part in parts]) if isinstance(kernel.expr, Product) else 0], scales)
    named = kernel.named()
    if LEAVES[kernel.expr.symbol].of_increments is not None:
        return _size_of_walk(kernel.expr, kernel.own, scales.column(kernel.expr.column))
    if not is_leaf_of(kernel.expr, LeafKind.LINE):
        return named.get("sd", 1.0)
    column = scales.columns[kernel.expr.column]
    low, high = column.low - named["location"], column.high - named["location"]
    return named["sd"] * sqrt((low**2 + low * high + high**2) / 3.0)


def _size_of_walk(leaf: Leaf, values: tuple[float, ...], column: ColumnScale) -> float:
    """By Simpson's rule over the range of the data."""
    places = np.array([column.low, 0.5 * (column.low + column.high), column.high])
    variances = prior_variance(Kernel(Leaf(leaf.symbol), values), places)
    return sqrt(float(np.array([1.0, 4.0, 1.0]) @ variances) / 6.0)
