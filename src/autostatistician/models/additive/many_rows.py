"""The parameters of an additive kernel on more rows than one matrix should hold: by inducing points.

Starts race on some of the rows; the best goes on with all of them, on the bound of Titsias (see
`gp.engines.inducing.bound`), with inducing points chosen for its parameters, and once more with others.
"""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.engines.inducing.bound import candidates_of, chosen, collapsed
from autostatistician.gp.engines.inducing.engine import given_points
from autostatistician.gp.fitting import lowest
from autostatistician.gp.parameters import JointPrior
from autostatistician.models.additive.evidence import TOLERANCE, AdditiveFit, AdditivePrior, fit, limits, penalised
from autostatistician.models.additive.kernel import AdditiveKernel, Layout

__all__ = ["MANY_ROWS", "fit_many", "given_by_points", "negative_bound"]

Array = NDArray[np.float64]

MANY_ROWS, ROWS_OF_STARTS = 2000, 1000
MOST_POINTS, MOST_POINTS_OF_POSTERIOR = 300, 600
DESCENTS, STEPS = 2, 60


def fit_many(
    layout: Layout, X: Array, y: Array, restarts: int, rng: np.random.Generator, prior: JointPrior | None = None
) -> AdditiveFit:
    """The best of several starts: the most probable parameters, without a prior the most likely ones.

    Raises
    ------
    NotPositiveDefinite
        When no start has a covariance that can be factorised.
    """
    some = np.sort(rng.choice(len(X), min(len(X), ROWS_OF_STARTS), replace=False))
    kernel = fit(layout, X[some], y[some], restarts, rng, prior).kernel
    for _ in range(DESCENTS):
        points = _points(kernel, X, MOST_POINTS)

        def objective(u: Array, points: Array = points) -> tuple[float, Array]:
            return penalised(negative_bound(layout, u, X, y, points), prior, u)

        kernel = AdditiveKernel(layout, lowest(objective, [kernel.u], limits(layout), ((STEPS, 1),), TOLERANCE))
    return given_by_points(kernel, X, y, _points(kernel, X, MOST_POINTS_OF_POSTERIOR))


def given_by_points(kernel: AdditiveKernel, X: Array, y: Array, points: Array) -> AdditiveFit:
    """A kernel with its parameters, given the data by inducing points (M, D)."""
    noise = np.full(len(y), kernel.noise_variance)
    return AdditiveFit(kernel, given_points(AdditivePrior(kernel), None, X, y, points, noise))


def negative_bound(layout: Layout, u: Array, X: Array, y: Array, points: Array) -> tuple[float, Array]:
    """Minus the bound by inducing points (M, D), and its gradient by all parameters."""
    kernel = AdditiveKernel(layout, u)
    noise = np.full(len(y), kernel.noise_variance)
    bound = collapsed(
        kernel.covariance(points, points), lambda some: kernel.covariance(X[some], points), y, kernel.variance(X), noise
    )
    slopes = kernel.variance_gradient(X, bound.by_signal()) + kernel.cross_gradient(points, points, bound.by_points())
    for some, weights in bound.by_cross():
        slopes += kernel.cross_gradient(X[some], points, weights)
    by_noise = 2.0 * kernel.noise_variance * float(bound.by_noise(even=True).sum())
    return -bound.value, -np.append(slopes, by_noise)


def _points(kernel: AdditiveKernel, X: Array, most: int) -> Array:
    rows = X[candidates_of(len(X))]
    noise = np.full(len(rows), kernel.noise_variance)
    places = chosen(kernel.variance(rows), noise, lambda row: kernel.covariance(rows, rows[row : row + 1])[:, 0], most)
    return cast(Array, np.ascontiguousarray(rows[places]))
