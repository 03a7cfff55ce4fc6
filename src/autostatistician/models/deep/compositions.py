"""Draws of compositions: functions of functions of functions, each layer an independent draw from one prior.

The definitions are those of Duvenaud 2014, section 5.1.1; the connection of every layer to the input is Neal's (1995).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autostatistician.errors import InputError
from autostatistician.gp.covariance import covariance, prior_variance
from autostatistician.kernels.expr import ChangePoint, ChangeWindow, Expr, Leaf, format_expr
from autostatistician.kernels.kernel import Kernel, operands
from autostatistician.kernels.leaves import LEAVES
from autostatistician.kernels.traits import is_noise

__all__ = ["composition"]

Array = NDArray[np.float64]

ROUNDING_SHARE = 1e-12  # of the variance: what is left of it below this is taken for known
TIE = 1.0 - 1e-6  # places whose values are so nearly as little known come in their order, whatever the rounding
MOST_PLACES = 500  # values of a layer that are drawn; all others follow from them by their conditional mean


def composition(kernel: Kernel, layers: int, X: Array, rng: np.random.Generator, *, connected: bool = False) -> Array:
    """One draw of ``f_layers(... f_1(x))`` at the rows of ``X``, with all that lies between.

    Every layer has as many outputs as ``X`` has columns, independent draws from the Gaussian process with mean zero and
    the kernel. Of several inputs the kernel of one column acts on each, and the correlations multiply: the squared
    exponential one of a distance in space.

    A layer is drawn where its values are least known from those drawn before, row after row, until they are known to
    rounding (a few dozen places of a smooth kernel), at most at 500 rows; the others get their conditional mean.

    Parameters
    ----------
    kernel : Kernel
        Of one column and without noise; it names no column. Of several inputs one that depends on the lag alone.
    layers : int
        How many functions are composed.
    X : array (n, d)
        Places.
    connected : bool
        Whether every layer but the first depends on ``X``, too, beside the outputs of the layer below.

    Returns
    -------
    array (layers + 1, n, d)
        ``X``, and the outputs of every layer.

    Raises
    ------
    InputError
        When the kernel has noise, or depends on more than the lag although there are several inputs.

    Examples
    --------
    >>> from autostatistician.kernels.kernel import leaf
    >>> drawn = composition(leaf("SE", lengthscale=1.0, sd=1.0), 3, np.zeros((4, 2)), np.random.default_rng(0))
    >>> drawn.shape, bool(np.ptp(drawn[3], axis=0).max() < 1e-12)
    ((4, 4, 2), True)
    """
    _check(kernel, several=X.shape[1] > 1 or connected)
    drawn = [X]
    for depth in range(layers):
        inputs = np.hstack([drawn[-1], X]) if connected and depth else drawn[-1]
        drawn.append(_layer(kernel, inputs, X.shape[1], rng))
    return np.stack(drawn)


def _check(kernel: Kernel, *, several: bool) -> None:
    if is_noise(kernel):
        raise InputError.of("a kernel without noise", format_expr(kernel.expr), "compositions need functions; drop WN")
    if several and not _depends_on_lag(kernel.expr):
        shown = format_expr(kernel.expr)
        raise InputError.of("a kernel that depends on lags alone, for several inputs", shown, "use SE, RQ, Per, ...")


def _depends_on_lag(expr: Expr) -> bool:
    if isinstance(expr, Leaf):
        return LEAVES[expr.symbol].stationary
    return not isinstance(expr, ChangePoint | ChangeWindow) and all(map(_depends_on_lag, operands(expr)))


def _layer(kernel: Kernel, inputs: Array, outputs: int, rng: np.random.Generator) -> Array:
    """Independent draws (n, outputs) of a function of the columns of ``inputs`` (n, d)."""
    normal = rng.standard_normal((MOST_PLACES, outputs))
    factor = _partial_factor(kernel, inputs)
    return np.asarray(factor.T @ normal[: len(factor)])


def _partial_factor(kernel: Kernel, inputs: Array) -> Array:
    """Rows (r, n) of which ``rows.T @ rows`` is the covariance of all rows but for what r of them do not tell."""
    residual = prior_variance(kernel, inputs[:, :1])
    floor = ROUNDING_SHARE * residual.max(initial=0.0)
    rows = np.empty((min(MOST_PLACES, len(inputs)), len(inputs)))
    for rank in range(len(rows)):
        most = residual.max()
        if most <= floor:
            return rows[:rank]
        pivot = int((residual >= TIE * most).argmax())
        explained = rows[:rank, pivot] @ rows[:rank]
        rows[rank] = (_with_all(kernel, inputs[pivot], inputs) - explained) / np.sqrt(residual[pivot])
        residual -= rows[rank] ** 2
        residual[pivot] = 0.0
    return rows


def _with_all(kernel: Kernel, place: Array, inputs: Array) -> Array:
    """Covariances (n,) of the value at a place (d,) with all others: the product of the correlations by column."""
    by_column = (covariance(kernel, cell[None], column)[0] for cell, column in zip(place, inputs.T, strict=True))
    product: Array = next(by_column)
    for other in by_column:
        product *= other / prior_variance(kernel, place[:1])[0]
    return product
