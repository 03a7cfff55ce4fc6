"""The shape of an additive part over the data: where it applies, whether it rises or falls, and how steeply."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.covariance import change_weights
from autostatistician.language.expr import ChangePoint, ChangeWindow, Leaf, Product, Sum
from autostatistician.language.kernel import Kernel
from autostatistician.language.traits import column_index

__all__ = ["OPEN_WEIGHT", "Shape", "shape_of", "window_weight"]

Array = NDArray[np.float64]
Columns = tuple[str, ...]

#: A part counts as fully there where its window weighs more than this.
OPEN_WEIGHT = 0.99
# Relative to the spread of a curve (to its level): smaller steps (spreads) are rounding.
_ROUNDING_SHARE = 1e-9


@dataclass(frozen=True)
class Shape:
    """Facts about one curve over the data where it is fully active; see `records.Component`."""

    active: tuple[float, float] | None
    rows: tuple[int, int] | None  # first and last row of these data
    monotonic: int
    slope: float
    low: float
    high: float
    middle: int | None = None  # the row nearest to half way between the first and the last


def window_weight(kernel: Kernel, X: Array, columns: Columns = ("x",)) -> Array:
    """How far the change points and windows around a part are open (0 to 1) at each row of ``X``.

    This is the part's covariance structure with every leaf replaced by one, as a factor of the function itself.

    >>> from autostatistician.language.kernel import leaf
    >>> part = Kernel.change_point(leaf("C", sd=3.0), leaf("0"), location=0.0, steepness=1.0)
    >>> window_weight(part, np.array([[-9.0], [0.0], [9.0]])).round(3).tolist()
    [1.0, 0.5, 0.0]
    """
    match kernel.expr:
        case Leaf(symbol=symbol):
            return np.full(len(X), 0.0 if symbol == "0" else 1.0)
        case Sum():
            return np.asarray(np.max([window_weight(part, X, columns) for part in kernel.parts], axis=0))
        case Product():
            return np.asarray(np.prod([window_weight(part, X, columns) for part in kernel.parts], axis=0))
        case ChangePoint(column=column) | ChangeWindow(column=column):
            first, second = (window_weight(part, X, columns) for part in kernel.parts)
            left, right = change_weights(kernel.expr, X[:, column_index(column, columns)], kernel.own)
            return np.asarray(np.hypot(left * first, right * second))


def shape_of(x: Array, mean: Array, weight: Array) -> Shape:
    """The shape of a curve with values ``mean`` at ascending ``x``, over the data with an open window.

    Where the window is nowhere open, the extremes are those over all data and the rest is zero or None.

    >>> x = np.arange(4.0)
    >>> shape_of(x, 2 * x, np.array([0.0, 1.0, 1.0, 1.0]))
    Shape(active=(1.0, 3.0), rows=(1, 3), monotonic=1, slope=2.0, low=2.0, high=6.0, middle=2)
    """
    rows = np.flatnonzero(weight > OPEN_WEIGHT)
    if not len(rows):
        return Shape(None, None, 0, 0.0, float(mean.min()), float(mean.max()))
    first, last = int(rows[0]), int(rows[-1])
    values = mean[rows]
    rise = x[last] - x[first]
    slope = float((mean[last] - mean[first]) / rise) if rise > 0.0 else 0.0
    active = (float(x[first]), float(x[last]))
    middle = int(rows[np.argmin(np.abs(x[rows] - 0.5 * (x[first] + x[last])))])
    ends = float(values.min()), float(values.max())
    return Shape(active, (first, last), _monotonic(x[rows], values), slope, *ends, middle)


def _monotonic(x: Array, values: Array) -> int:
    """1 when the values rise from each distinct position to the next, -1 when they fall, else 0."""
    spread = float(np.ptp(values))
    if spread <= _ROUNDING_SHARE * float(np.abs(values).max()):
        return 0
    steps = np.diff(values)[np.diff(x) > 0.0]
    if (steps > -_ROUNDING_SHARE * spread).all():
        return 1
    return -1 if (steps < _ROUNDING_SHARE * spread).all() else 0
