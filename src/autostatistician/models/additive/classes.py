"""The parameters of an additive kernel for classes: by the approximate evidence, with weak priors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, log

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.classes import APPROXIMATIONS, SiteApproximation, conditioned_on_sites, is_flat
from autostatistician.gp.fitting import lowest
from autostatistician.gp.likelihoods.base import LatentLikelihood
from autostatistician.gp.parameters import JointPrior
from autostatistician.models.additive.evidence import (
    WIDTH_OF_STRETCHES,
    AdditiveFit,
    AdditivePrior,
    limits,
    penalised,
    together,
)
from autostatistician.models.additive.kernel import AdditiveKernel, Layout

__all__ = ["AdditiveClasses", "fit_classes", "negative_log_evidence"]

Array = NDArray[np.float64]

# Of an order, by the logarithm: what few columns do is more usual than what many do together.
USUAL_VARIANCE, DECLINE, WIDTH_OF_VARIANCES = log(2.0), log(3.0), 1.5
SPREAD_OF_STARTS = 0.7  # in widths of the priors
SOME_ROWS = 200  # on which starts are sought
STEPS_ON_SOME, STEPS_ON_ALL = 40, 100
ENOUGH_ON_SOME, ENOUGH = 1e-4, 1e-5


@dataclass(frozen=True, eq=False)
class AdditiveClasses(AdditiveFit):
    """The fitted parameters, and the function given the classes."""

    is_flat: bool

    @property
    def log_evidence(self) -> float:
        """The logarithm of the approximate marginal likelihood."""
        return self.posterior.log_evidence

    def moments(self, rows: Array) -> tuple[Array, Array]:
        """Mean and standard deviation (m,) of the function at rows in standard units."""
        projection = self.posterior.project(None, rows)
        return projection.mean, projection.sd


def negative_log_evidence(
    layout: Layout, X: Array, y: Array, likelihood: LatentLikelihood, how: str
) -> Callable[[Array], tuple[float, Array]]:
    """The negative log approximate evidence and its gradient by all parameters but the noise: there is none."""
    last: SiteApproximation | None = None

    def function(u: Array) -> tuple[float, Array]:
        nonlocal last
        kernel = _kernel(layout, u)
        start = None if last is None else last.given
        last = approximation = APPROXIMATIONS[how](kernel.matrix(X), y, likelihood, start, with_gradient=True)
        assert approximation.matrix is not None
        assert approximation.vector is not None
        outer = np.triu(approximation.matrix)
        outer += np.triu(outer, 1).T
        outer -= np.multiply.outer(approximation.vector, approximation.vector)
        outer *= 0.5
        return -approximation.log_evidence, kernel.gradient(X, outer)

    return function


def fit_classes(
    layout: Layout, X: Array, y: Array, likelihood: LatentLikelihood, how: str, restarts: int, rng: np.random.Generator
) -> AdditiveClasses:
    """The most probable parameters; of several starts the best on some of the rows is followed on all.

    Raises
    ------
    NotPositiveDefinite
        When no start has a covariance that can be used.
    """
    prior, between = _prior(layout), limits(layout)[:-1]
    low, high = np.array(between).T
    starts = [prior.mean, *(prior.draw(rng, SPREAD_OF_STARTS) for _ in range(restarts - 1))]
    starts = [np.clip(start, low, high) for start in starts]

    def on(rows: NDArray[np.intp], places: list[Array], steps: int, enough: float) -> Array:
        negative = negative_log_evidence(layout, X[rows], y[rows], likelihood, how)

        def function(u: Array) -> tuple[float, Array]:
            return penalised(negative(u), prior, u)

        return lowest(function, places, between, [(steps, 1)], enough)

    if len(y) > 2 * SOME_ROWS or len(starts) > 1:
        some = np.sort(rng.choice(len(y), min(len(y), SOME_ROWS), replace=False))
        starts = [on(some, starts, STEPS_ON_SOME, ENOUGH_ON_SOME)]
    best = _kernel(layout, on(np.arange(len(y)), starts, STEPS_ON_ALL, ENOUGH))
    matrix = best.matrix(X)
    approximation = APPROXIMATIONS[how](matrix, y, likelihood)
    posterior = conditioned_on_sites(AdditivePrior(best), X, approximation)
    return AdditiveClasses(best, posterior, is_flat(matrix, y, likelihood, how, approximation))


def _kernel(layout: Layout, u: Array) -> AdditiveKernel:
    """The kernel with parameters ``u``, and no noise."""
    return AdditiveKernel(layout, np.append(u, -inf))


def _prior(layout: Layout) -> JointPrior:
    if layout.tied:
        variances = [USUAL_VARIANCE - 0.5 * len(layout.bases), 0.0]
    else:
        variances = [USUAL_VARIANCE - DECLINE * max(order - 1, 0) for order in layout.orders]
    stretches = [(0.0, WIDTH_OF_STRETCHES)] * layout.stretches
    return together(layout, [*((mean, WIDTH_OF_VARIANCES) for mean in variances), *stretches])
