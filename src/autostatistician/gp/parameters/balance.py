"""Scales of products in one place: every factor has size one but the keeper, which carries the size of all.

Only the scale of a whole product means anything. With the others at one, the bounds of the keeper (a floor under the
noise above all) are bounds of the product, whichever way its factors came together.
"""

from __future__ import annotations

from functools import lru_cache
from math import hypot, sqrt

import numpy as np

from autostatistician.gp.covariance import prior_variance
from autostatistician.gp.parameters.scales import ColumnScale, Scales
from autostatistician.kernels.count import keeper
from autostatistician.kernels.expr import Expr, Leaf, Product, Sum
from autostatistician.kernels.kernel import Kernel, leaf, operands
from autostatistician.kernels.leaf_row import LeafKind
from autostatistician.kernels.leaves import increments_of, is_leaf_of
from autostatistician.kernels.units import rescaled

__all__ = ["balanced", "with_levels"]


def balanced(kernel: Kernel, scales: Scales) -> Kernel:
    """The same covariance with the scales of products moved to their keepers (`count.held_values`).

    >>> import numpy as np
    >>> from autostatistician.gp.parameters.scales import measure
    >>> from autostatistician.kernels.kernel import leaf
    >>> scales = measure(np.array([[0.0], [1.0]]), np.ones(2), ("x",))
    >>> balanced(leaf("SE", lengthscale=1.0, sd=2.0) * leaf("WN", sd=3.0), scales).values
    (1.0, 1.0, 6.0)
    """
    if not _has_products(kernel.expr):
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


@lru_cache(maxsize=4096)
def _has_products(expr: Expr) -> bool:
    return isinstance(expr, Product) or any(map(_has_products, operands(expr)))


def _size(kernel: Kernel, scales: Scales) -> float:
    """The scale that a factor gives up: of a leaf its root mean square, of a composite that of its first leaf."""
    if not isinstance(kernel.expr, Leaf):
        parts = kernel.parts
        return _size(parts[keeper([part.expr for part in parts]) if isinstance(kernel.expr, Product) else 0], scales)
    named = kernel.named()
    if increments_of(kernel.expr.symbol) is not None:
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
