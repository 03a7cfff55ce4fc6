"""Where the curves of a report are computed: a grid over the data and the forecast, fine enough for the model."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, inf, pi

import numpy as np
from numpy.typing import NDArray

from autostatistician.kernels.expr import ChangePoint, ChangeWindow, Leaf, Product, Sum
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.leaf_row import LeafKind
from autostatistician.kernels.leaves import LEAVES

__all__ = ["MOST_POINTS", "finest_detail", "plotting_grid"]

Vector = NDArray[np.float64]

#: Covariance matrices of the grid must stay small, and no page is wider.
MOST_POINTS = 2000

# Points that a curve needs to look smooth: per period and per lengthscale.
_CURVES = (LeafKind.SMOOTH, LeafKind.WANDERING, LeafKind.UNBOUNDED)
_POINTS_PER_PERIOD, _POINTS_PER_LENGTHSCALE = 8, 2


def plotting_grid(kernel: Kernel, x: Vector, future: Vector, points: int, step: float | None = None) -> Vector:
    """Positions, ascending and distinct, from the first datum to the last forecast; the last datum is one of them.

    At least ``points`` of them, more where the shortest period or lengthscale of the kernel asks for it, at most
    `MOST_POINTS`. Where even those are too few, half of them show the end in full detail and the others the rest.

    ``step`` is the distance of neighbouring data on a regular axis. A model with details finer than half of it says
    nothing that the data could show between them: then the curve goes from one place of the axis to the next.

    >>> from autostatistician.kernels.kernel import leaf
    >>> plotting_grid(leaf("C", sd=1.0), np.array([0.0, 1.0, 2.0]), np.array([3.0, 4.0]), 5).tolist()
    [0.0, 1.0, 2.0, 3.0, 4.0]
    """
    first, last, end = float(x[0]), float(x[-1]), float(max(x[-1], *future[-1:]) if len(future) else x[-1])
    span = end - first
    if not span > 0.0:
        return np.array([first])
    detail = finest_detail(kernel, span)
    if step is not None and detail < 0.5 * step and span <= MOST_POINTS * step:
        return np.unique(np.concatenate([_axis_points(first, last, step), future]))
    if ceil(span / detail) > MOST_POINTS:
        return _finer_at_the_end(first, last, end, detail)
    count = min(max(points, ceil(span / detail) + 1), MOST_POINTS)
    count = max(count, 1 + (last > first) + (end > last))
    ahead = round((count - 1) * (end - last) / span)
    ahead = min(max(ahead, int(end > last)), count - 1 - int(last > first))
    within, beyond = np.linspace(first, last, count - ahead), np.linspace(last, end, ahead + 1)
    return np.unique(np.concatenate([within, beyond]))


def _axis_points(first: float, last: float, step: float) -> Vector:
    """The places of a regular axis from the first datum to the last, both as they are."""
    points = np.asarray(first + step * np.arange(round((last - first) / step) + 1), dtype=np.float64)
    points[-1] = last
    return points


def _finer_at_the_end(first: float, last: float, end: float, detail: float) -> Vector:
    half = MOST_POINTS // 2
    ahead = min(ceil((end - last) / detail), half // 2)
    start = max(last - (half - ahead) * detail, 0.5 * (first + last))
    beyond = np.linspace(last, end, ahead + 1)[1:]
    before = np.linspace(first, start, MOST_POINTS - half, endpoint=False)
    return np.asarray(np.concatenate([before, np.linspace(start, last, half - ahead), beyond]), dtype=np.float64)


def finest_detail(kernel: Kernel, span: float) -> float:
    """The spacing at which the kernel's quickest oscillation or wiggle can be drawn; infinite if it has none.

    Details finer than a hundred-thousandth of ``span`` cannot be drawn on any grid and are left out.

    >>> from autostatistician.kernels.kernel import leaf
    >>> finest_detail(leaf("Cos", period=4.0, sd=1.0) * leaf("SE", lengthscale=30.0, sd=1.0), 100.0)
    0.5
    """
    return min((detail for detail in _details(kernel) if detail > 1e-5 * span), default=inf)


def _details(kernel: Kernel) -> Iterator[float]:
    values = kernel.named()
    match kernel.expr:
        case Leaf(symbol=symbol) if LEAVES[symbol].kind is LeafKind.CYCLIC:
            yield values["period"] / _POINTS_PER_PERIOD
            if "lengthscale" in values:  # relative to the period: in units of x it is l p / (2 pi)
                yield values["lengthscale"] * values["period"] / (2.0 * pi) / _POINTS_PER_LENGTHSCALE
        case Leaf(symbol=symbol) if LEAVES[symbol].kind in _CURVES and "lengthscale" in values:
            yield values["lengthscale"] / _POINTS_PER_LENGTHSCALE
        case Leaf() | Sum() | Product() | ChangePoint() | ChangeWindow():
            for part in kernel.parts:
                yield from _details(part)
