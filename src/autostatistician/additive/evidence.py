"""The numbers of an additive kernel by the highest marginal likelihood, from several starts."""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from autostatistician.additive.kernel import AdditiveKernel, Layout
from autostatistician.inference.conditioning import log_evidence_of
from autostatistician.inference.descent import lowest
from autostatistician.inference.factor import Factor, factorise

__all__ = ["Fitted", "fit", "negative_log_evidence"]

Array = NDArray[np.float64]

RACE_ROUNDS = ((30, 2), (200, 1))  # quasi-Newton steps of every start that is left, and how many go on
TOLERANCE = 1e-7  # relative change of the likelihood at which a search ends
LOG_NOISE_BOUNDS = (-5.0, 0.5)  # log standard deviation, in units of that of the targets
LOG_VARIANCE_BOUNDS = (
    -12.0,
    10.0,
)  # log variance of an order, or of a term and its ratio; smooth functions need large ones
LOG_STRETCH_BOUNDS = (-1.0, 2.0)


@dataclass(frozen=True, eq=False)
class Fitted:
    """The numbers that were found, with the factor of the covariance of the data and its solution of the targets."""

    kernel: AdditiveKernel
    nll: float  # in standard units
    factor: Factor
    alpha: Array


def negative_log_evidence(layout: Layout, u: Array, X: Array, y: Array) -> tuple[float, Array]:
    """The negative log marginal likelihood and its gradient by all numbers (Rasmussen and Williams 2006, 5.9)."""
    kernel = AdditiveKernel(layout, u)
    K = kernel.matrix(X)
    K[np.diag_indices_from(K)] += kernel.noise_variance
    factor = factorise(K, overwrite=True)
    alpha = factor.solve(y)
    outer = factor.inverse()
    outer -= np.multiply.outer(alpha, alpha)
    outer *= 0.5
    by_noise = 2.0 * kernel.noise_variance * float(np.trace(outer))
    return -log_evidence_of(factor, y, alpha), np.append(kernel.gradient(X, outer), by_noise)


def fit(layout: Layout, X: Array, y: Array, restarts: int, rng: np.random.Generator) -> Fitted:
    """The best of several starts; the first is the same for every generator.

    Raises
    ------
    NotPositiveDefinite
        When no start has a covariance that can be factorised.
    """
    starts = [_start(layout, number, rng) for number in range(restarts)]
    best = lowest(lambda u: negative_log_evidence(layout, u, X, y), starts, _bounds(layout), RACE_ROUNDS, TOLERANCE)
    return conditioned(layout, best, X, y)


def conditioned(layout: Layout, u: Array, X: Array, y: Array) -> Fitted:
    """A kernel with its numbers, given the data."""
    kernel = AdditiveKernel(layout, u)
    K = kernel.matrix(X)
    K[np.diag_indices_from(K)] += kernel.noise_variance
    factor = factorise(K)
    alpha = factor.solve(y)
    return Fitted(kernel, -log_evidence_of(factor, y, alpha), factor, alpha)


def _bounds(layout: Layout) -> list[tuple[float, float]]:
    scales = [LOG_VARIANCE_BOUNDS] * layout.scales
    columns = [bounds for base in layout.bases for bounds in base.bounds]
    return [*columns, *scales, *[LOG_STRETCH_BOUNDS] * layout.stretches, LOG_NOISE_BOUNDS]


def _start(layout: Layout, number: int, rng: np.random.Generator) -> Array:
    """Usual numbers, with equal shares of all orders; then random ones, with one or another order leading."""
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
    low, high = np.array(_bounds(layout)).T
    return np.asarray(np.clip(start, low, high))
