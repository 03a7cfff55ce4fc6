"""The parameters of an additive kernel by the highest marginal likelihood, from several starts."""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from autostatistician.additive.kernel import AdditiveKernel, Layout
from autostatistician.inference.engines.inducing.conditioned import ConditionedByPoints
from autostatistician.inference.fitting import lowest
from autostatistician.inference.posterior import Conditioned, conditioned, misfit

__all__ = ["TOLERANCE", "AdditiveFit", "AdditivePrior", "fit", "given", "limits", "negative_log_evidence"]

Array = NDArray[np.float64]

RACE_ROUNDS = ((30, 2), (200, 1))  # quasi-Newton steps of every start that is left, and how many go on
TOLERANCE = 1e-7  # relative change of the likelihood at which a search ends
LOG_NOISE_BOUNDS = (-5.0, 0.5)  # log standard deviation, in units of that of the targets
# Of an order, or of a term and its ratio; smooth functions need large ones.
LOG_VARIANCE_BOUNDS = (-12.0, 10.0)
LOG_STRETCH_BOUNDS = (-1.0, 2.0)


@dataclass(frozen=True)
class AdditivePrior:
    """The prior of the function that a kernel stands for; it has no parts (None), and its noise is not in it."""

    kernel: AdditiveKernel

    def matrix(self, part: None, A: Array, B: Array | None = None) -> Array:
        """Covariances (a, b) of the function between rows."""
        return self.kernel.matrix(A) if B is None else self.kernel.covariance(A, B)

    def variance(self, part: None, A: Array) -> Array:
        """Variances (a,) of the function."""
        return self.kernel.variance(A)


@dataclass(frozen=True, eq=False)
class AdditiveFit:
    """The fitted parameters, and the function given the data; in standard units."""

    kernel: AdditiveKernel
    posterior: Conditioned | ConditionedByPoints

    @property
    def nll(self) -> float:
        """The negative log marginal likelihood."""
        return -self.posterior.log_evidence


def negative_log_evidence(layout: Layout, u: Array, X: Array, y: Array) -> tuple[float, Array]:
    """The negative log marginal likelihood and its gradient by all parameters."""
    kernel = AdditiveKernel(layout, u)
    value, by_matrix = misfit(_observed(kernel, X), y)
    by_noise = 2.0 * kernel.noise_variance * float(np.trace(by_matrix))
    return value, np.append(kernel.gradient(X, by_matrix), by_noise)


def fit(layout: Layout, X: Array, y: Array, restarts: int, rng: np.random.Generator) -> AdditiveFit:
    """The best of several starts; the first is the same for every generator.

    Raises
    ------
    NotPositiveDefinite
        When no start has a covariance that can be factorised.
    """
    starts = [_start(layout, number, rng) for number in range(restarts)]
    best = lowest(lambda u: negative_log_evidence(layout, u, X, y), starts, limits(layout), RACE_ROUNDS, TOLERANCE)
    return given(AdditiveKernel(layout, best), X, y)


def given(kernel: AdditiveKernel, X: Array, y: Array) -> AdditiveFit:
    """A kernel with its parameters, given the data."""
    return AdditiveFit(kernel, conditioned(AdditivePrior(kernel), X, y, _observed(kernel, X)))


def _observed(kernel: AdditiveKernel, X: Array) -> Array:
    """The covariance (n, n) of observations, with their noise."""
    K = kernel.matrix(X)
    K[np.diag_indices_from(K)] += kernel.noise_variance
    return K


def limits(layout: Layout) -> list[tuple[float, float]]:
    """How far the parameters may go, the noise last."""
    scales = [LOG_VARIANCE_BOUNDS] * layout.scales
    columns = [bounds for base in layout.bases for bounds in base.bounds]
    return [*columns, *scales, *[LOG_STRETCH_BOUNDS] * layout.stretches, LOG_NOISE_BOUNDS]


def _start(layout: Layout, number: int, rng: np.random.Generator) -> Array:
    """Usual parameters, with equal shares of all orders; then random ones, with one or another order leading."""
    columns = np.array([one for base in layout.bases for one in base.start])
    shares = np.zeros(layout.scales) - log(max(layout.scales, 1))
    noise = log(0.3)
    if number:
        columns += rng.normal(0.0, [one for base in layout.bases for one in base.spread])
        shares = rng.normal(-2.0, 2.0, layout.scales)
        shares[rng.integers(layout.scales)] = 0.0
        noise = rng.normal(log(0.3), 0.5)
    if layout.tied:
        shares = np.array([-1.0 - 0.5 * len(layout.bases), 0.0]) + (rng.normal(0.0, 0.5, 2) if number else 0.0)
    start = np.concatenate([columns, shares, np.zeros(layout.stretches), [noise]])
    low, high = np.array(limits(layout)).T
    return np.asarray(np.clip(start, low, high))
