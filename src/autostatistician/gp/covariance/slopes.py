"""How a weighted sum of covariances, or of variances, changes when points move: what latent inputs are moved by."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.covariance.changes import change_weights, weights_and_slopes
from autostatistician.gp.covariance.matrices import Columns, covariance, prior_variance
from autostatistician.kernels.expr import ChangePoint, ChangeWindow, Leaf, Product, Sum
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.leaf_row import LeafKind
from autostatistician.kernels.leaves import LEAVES
from autostatistician.kernels.traits import column_index

__all__ = ["slopes_by_points", "variance_slopes_by_points"]


Array = NDArray[np.float64]


def slopes_by_points(
    kernel: Kernel, X: Array, X2: Array, weights: Array, columns: Columns = ("x",)
) -> tuple[Array, Array]:
    """The derivatives of ``sum(weights * covariance(kernel, X, X2, columns))`` by ``X`` (n, d) and by ``X2`` (m, d).

    The points are apart: those of ``X2`` stay when those of ``X`` move, also where they are the same. Of a leaf with a
    kink at lag zero the slope there is zero, the mean of both sides. Categories and white noise have none.

    Parameters
    ----------
    kernel : Kernel
    X, X2 : arrays (n, d) and (m, d)
    weights : array (n, m)
    columns : tuple of str or None

    Raises
    ------
    InputError
        When the kernel names a column that is not there.

    Examples
    --------
    >>> from autostatistician.kernels.kernel import leaf
    >>> line = leaf("Lin", sd=2.0, location=1.0)
    >>> [one.tolist() for one in slopes_by_points(line, np.array([[0.0]]), np.array([[3.0]]), np.ones((1, 1)))]
    [[[8.0]], [[-4.0]]]
    """
    by_X, by_X2 = np.zeros_like(X), np.zeros_like(X2)
    _Pass(X, X2, columns, by_X, by_X2).back(kernel, weights)
    return by_X, by_X2


class _Pass:
    """From the weights of an expression to those of its parts, down to the leaves."""

    def __init__(self, X: Array, X2: Array, columns: Columns, by_X: Array, by_X2: Array) -> None:
        self.X, self.X2, self.columns, self.by_X, self.by_X2 = X, X2, columns, by_X, by_X2

    def back(self, kernel: Kernel, weights: Array) -> None:
        match kernel.expr:
            case Leaf() as leaf:
                self._leaf(leaf, kernel.own, weights)
            case Sum():
                for part in kernel.parts:
                    self.back(part, weights)
            case Product():
                values = [covariance(part, self.X, self.X2, self.columns) for part in kernel.parts]
                for place, part in enumerate(kernel.parts):
                    others = [value for other, value in enumerate(values) if other != place]
                    self.back(part, np.multiply.reduce([weights, *others]))
            case ChangePoint() | ChangeWindow():
                self._change(kernel, weights)

    def _leaf(self, leaf: Leaf, own: tuple[float, ...], weights: Array) -> None:
        row = LEAVES[leaf.symbol]
        if not row.has_column:
            return
        along = column_index(leaf.column, self.columns)
        x, other = self.X[:, along], self.X2[:, along]
        if row.of_lag is not None:
            pulled = weights * row.of_lag.slope(np.subtract.outer(x, other), *own)
            self._moved(along, pulled.sum(axis=1), -pulled.sum(axis=0))
        elif row.of_increments is not None:
            *values, location = own
            pulled = weights * row.of_increments.slope(np.subtract.outer(x, other), *values)
            here, there = (row.of_increments.slope(at - location, *values) for at in (x, other))
            by_x = here * weights.sum(axis=1) - pulled.sum(axis=1)
            self._moved(along, by_x, there * weights.sum(axis=0) + pulled.sum(axis=0))
        elif row.kind is LeafKind.LINE:
            sd, location = own
            self._moved(along, sd * sd * (weights @ (other - location)), sd * sd * ((x - location) @ weights))

    def _moved(self, along: int, by_x: Array, by_other: Array) -> None:
        self.by_X[:, along] += by_x
        self.by_X2[:, along] += by_other

    def _change(self, kernel: Kernel, weights: Array) -> None:
        expr = kernel.expr
        assert isinstance(expr, ChangePoint | ChangeWindow)
        along = column_index(expr.column, self.columns)
        # Weights depend on the distance from the change: their slopes by the place are minus those by the location.
        (left, by_left), (right, by_right) = (
            (change_weights(expr, at[:, along], kernel.own), -weights_and_slopes(expr, at[:, along], kernel.own)[1][0])
            for at in (self.X, self.X2)
        )
        for part, here, there, sign in zip(kernel.parts, left, right, (1.0, -1.0), strict=True):
            self.back(part, weights * here[:, None] * there)
            pulled = weights * covariance(part, self.X, self.X2, self.columns)
            self._moved(along, sign * by_left * (pulled @ there), sign * by_right * (here @ pulled))


def variance_slopes_by_points(kernel: Kernel, X: Array, weights: Array, columns: Columns = ("x",)) -> Array:
    """The derivatives (n, d) of ``sum(weights * prior_variance(kernel, X, columns))`` by ``X``, for weights (n,).

    >>> from autostatistician.kernels.kernel import leaf
    >>> line = leaf("Lin", sd=2.0, location=1.0)
    >>> variance_slopes_by_points(line, np.array([[0.0], [3.0]]), np.ones(2)).tolist()
    [[-8.0], [16.0]]
    """
    slopes = np.zeros_like(X)
    _back_from_variances(kernel, X, weights, columns, slopes)
    return slopes


def _back_from_variances(kernel: Kernel, X: Array, weights: Array, columns: Columns, slopes: Array) -> None:
    match kernel.expr:
        case Leaf() as leaf:
            row = LEAVES[leaf.symbol]
            if row.of_increments is not None:
                along, (*values, location) = column_index(leaf.column, columns), kernel.own
                slopes[:, along] += 2.0 * weights * row.of_increments.slope(X[:, along] - location, *values)
            elif row.kind is LeafKind.LINE:
                along, (sd, location) = column_index(leaf.column, columns), kernel.own
                slopes[:, along] += 2.0 * sd * sd * weights * (X[:, along] - location)
        case Sum():
            for part in kernel.parts:
                _back_from_variances(part, X, weights, columns, slopes)
        case Product():
            variances = [prior_variance(part, X, columns) for part in kernel.parts]
            for place, part in enumerate(kernel.parts):
                others = [variance for other, variance in enumerate(variances) if other != place]
                _back_from_variances(part, X, np.multiply.reduce([weights, *others]), columns, slopes)
        case ChangePoint() | ChangeWindow() as expr:
            along = column_index(expr.column, columns)
            by_place = -weights_and_slopes(expr, X[:, along], kernel.own)[1][0]
            shares = change_weights(expr, X[:, along], kernel.own)
            for part, share, sign in zip(kernel.parts, shares, (1.0, -1.0), strict=True):
                _back_from_variances(part, X, weights * share**2, columns, slopes)
                slopes[:, along] += sign * 2.0 * weights * share * by_place * prior_variance(part, X, columns)
