"""The most likely or most probable parameters of an additive kernel, from several starts.

The parameters of an additive kernel for classes: by the approximate evidence, with weak priors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf, log, sqrt

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.classes import APPROXIMATIONS, SiteApproximation, conditioned_on_sites, is_flat
from autostatistician.gp.covariance import NotPositiveDefinite
from autostatistician.gp.engines.inducing import ConditionedByPoints
from autostatistician.gp.fitting import lowest
from autostatistician.gp.likelihoods import LatentLikelihood
from autostatistician.gp.parameters import (
    FreeParameters,
    JointPrior,
    ParameterPrior,
    learned_table_priors,
    standard_scales,
)
from autostatistician.gp.posterior import Conditioned, conditioned, misfit
from autostatistician.kernels.expr import Leaf
from autostatistician.models.additive.kernel import AdditiveKernel, Layout

__all__ = [
    "RACE_ROUNDS", "TOLERANCE", "WIDTH_OF_STRETCHES", "AdditiveClasses", "AdditiveFit", "AdditivePrior", "fit",
    "fit_classes", "given", "learned_prior", "limits", "negative_log_evidence", "negative_log_evidence_of_classes",
    "observed", "penalised", "started", "together", "without_idle",
]  # fmt: skip


Array = NDArray[np.float64]
Objective = Callable[[Array], tuple[float, Array]]  # with its gradient

RACE_ROUNDS = ((30, 2), (200, 1))  # quasi-Newton steps of every start that is left, and how many go on
TOLERANCE = 1e-7  # relative change of the likelihood at which a search ends
SPREAD_OF_STARTS = 0.6  # of columns, in widths of their priors
SHORTER_STARTS = 0.5  # of lengthscales, in the same: a short curve finds longer ones, a long one misses what is short
WIDTH_OF_STRETCHES = 0.5
# Of an order, or of a term and its ratio; smooth functions need large ones.
LOG_VARIANCE_BOUNDS = (-12.0, 10.0)
LOG_STRETCH_BOUNDS = (-1.0, 2.0)
LOG_IDLE = log(1e4)  # of a lengthscale: along such a column even the largest functions stay where they are


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
    value, by_matrix = misfit(observed(kernel, X), y)
    by_noise = 2.0 * kernel.noise_variance * float(np.trace(by_matrix))
    return value, np.append(kernel.gradient(X, by_matrix), by_noise)


def noise_prior() -> ParameterPrior:
    """The learned prior of the noise of tables, in standard units."""
    (prior,) = FreeParameters.of(Leaf("WN"), standard_scales((), learned_table_priors())).priors()
    return prior


def together(layout: Layout, others: Sequence[tuple[float, float]]) -> JointPrior:
    """The learned priors of the columns, before those of the ``others`` (mean, width).

    Lengthscales are like each other: half of the variance that lengthscales have in other tables is common to all.
    """
    columns = [prior for base in layout.bases for prior in base.priors]
    alike = np.append(layout.lengths > 0.0, np.zeros(len(others), dtype=bool))
    mean, width = np.array([*((prior.mean, prior.width) for prior in columns), *others]).T
    width = np.where(alike, width * sqrt(0.5), width)
    return JointPrior(mean, width, alike, float(max(width[alike], default=1.0)))


def learned_prior(layout: Layout) -> JointPrior:
    """What is known of all parameters, the noise last, before the data."""
    size, noise = layout.bases[0].size, noise_prior()
    orders = [(2.0 * size.mean, 2.0 * size.width)] * layout.scales
    if layout.tied:
        orders = [(mean, 2.0 * size.width) for mean in _tied_scales(layout)]
    stretches = [(0.0, WIDTH_OF_STRETCHES)] * layout.stretches
    return together(layout, [*orders, *stretches, (noise.mean, noise.width)])


def fit(
    layout: Layout, X: Array, y: Array, restarts: int, rng: np.random.Generator, prior: JointPrior | None = None
) -> AdditiveFit:
    """The best of several starts: the most probable parameters, without a prior the most likely ones.

    The first start is the same for every generator.

    Raises
    ------
    NotPositiveDefinite
        When no start has a covariance that can be factorised.
    """
    starts = [started(layout, number, rng) for number in range(restarts)]

    negative = penalised(lambda u: negative_log_evidence(layout, u, X, y), prior)
    best = lowest(negative, starts, limits(layout), RACE_ROUNDS, TOLERANCE)
    if prior is not None:
        best = without_idle(layout, best, X, y, prior)
    return given(AdditiveKernel(layout, best), X, y)


def without_idle(layout: Layout, u: Array, X: Array, y: Array, prior: JointPrior) -> Array:
    """The most probable parameters (p,) found from ``u``, where columns without an effect may have none.

    The priors of lengthscales were learned of columns in use, and pull at those of all others until they have a small
    effect; in large functions not so small a one. Columns without which the data are at least as likely get a
    lengthscale that leaves nothing of them, and no prior, if all other parameters then agree with the data as well.
    """
    before = _misfit(layout, u, X, y)
    lengths = np.flatnonzero(layout.lengths).tolist()
    idle = [place for place in lengths if _misfit(layout, _idle(u, [place]), X, y) <= before]
    if not idle:
        return u
    width = prior.width.copy()
    width[idle] = inf
    wide_prior = replace(prior, width=width)
    between = [(LOG_IDLE, LOG_IDLE) if place in idle else pair for place, pair in enumerate(limits(layout))]

    negative = penalised(lambda v: negative_log_evidence(layout, v, X, y), wide_prior)
    found = lowest(negative, [_idle(u, idle)], between, RACE_ROUNDS[-1:], TOLERANCE)
    return found if _misfit(layout, found, X, y) <= before else u


def _idle(u: Array, places: Sequence[int]) -> Array:
    changed = u.copy()
    changed[places] = LOG_IDLE
    return changed


def _misfit(layout: Layout, u: Array, X: Array, y: Array) -> float:
    """The negative log marginal likelihood, infinite where the covariance cannot be factorised."""
    try:
        return misfit(observed(AdditiveKernel(layout, u), X), y)[0]
    except NotPositiveDefinite:
        return inf


def penalised(function: Objective, prior: JointPrior | None) -> Objective:
    """A function and its gradient, with those of the negative log prior."""
    if prior is None:
        return function

    def objective(u: Array) -> tuple[float, Array]:
        (value, slopes), (penalty, by_prior) = function(u), prior.penalty(u)
        return value + penalty, slopes + by_prior

    return objective


def given(kernel: AdditiveKernel, X: Array, y: Array) -> AdditiveFit:
    """A kernel with its parameters, given the data."""
    return AdditiveFit(kernel, conditioned(AdditivePrior(kernel), X, y, observed(kernel, X)))


def observed(kernel: AdditiveKernel, X: Array) -> Array:
    """The covariance (n, n) of observations, with their noise."""
    K = kernel.matrix(X)
    K[np.diag_indices_from(K)] += kernel.noise_variance
    return K


def limits(layout: Layout) -> list[tuple[float, float]]:
    """How far the parameters may go, the noise last."""
    noise, scales = noise_prior(), [LOG_VARIANCE_BOUNDS] * layout.scales
    every = zip((prior for base in layout.bases for prior in base.priors), layout.lengths, strict=True)
    columns = [(prior.low, LOG_IDLE if length else prior.high) for prior, length in every]
    return [*columns, *scales, *[LOG_STRETCH_BOUNDS] * layout.stretches, (noise.low, noise.high)]


def started(layout: Layout, number: int, rng: np.random.Generator) -> Array:
    """Usual parameters, with equal shares of all orders; then random ones, with one or another order leading."""
    mean, widths = np.array([(prior.mean, prior.width) for base in layout.bases for prior in base.priors]).T
    columns = mean - SHORTER_STARTS * widths * layout.lengths
    shares = np.zeros(layout.scales) - log(max(layout.scales, 1))
    noise = log(0.3)
    if number:
        columns += rng.normal(0.0, SPREAD_OF_STARTS * widths)
        shares = rng.normal(-2.0, 2.0, layout.scales)
        shares[rng.integers(layout.scales)] = 0.0
        noise = rng.normal(log(0.3), 0.5)
    if layout.tied:
        shares = np.array(_tied_scales(layout)) + (rng.normal(0.0, 0.5, 2) if number else 0.0)
    start = np.concatenate([columns, shares, np.zeros(layout.stretches), [noise]])
    low, high = np.array(limits(layout)).T
    return np.asarray(np.clip(start, low, high))


def _tied_scales(layout: Layout) -> tuple[float, float]:
    """Usual logarithms of the variance and the ratio of terms, by which all of them together are as large as data."""
    return -1.0 - 0.5 * len(layout.bases), 0.0


# Of an order, by the logarithm: what few columns do is more usual than what many do together.
USUAL_VARIANCE, DECLINE, WIDTH_OF_VARIANCES = log(2.0), log(3.0), 1.5
SPREAD_OF_CLASS_STARTS = 0.7  # in widths of the priors
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


def negative_log_evidence_of_classes(
    layout: Layout, X: Array, y: Array, likelihood: LatentLikelihood, how: str
) -> Objective:
    """The negative log approximate evidence and its gradient by all parameters but the noise: there is none."""
    last: SiteApproximation | None = None

    def function(u: Array) -> tuple[float, Array]:
        nonlocal last
        kernel = _noiseless(layout, u)
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
    prior, between = _prior_of_classes(layout), limits(layout)[:-1]
    low, high = np.array(between).T
    starts = [prior.mean, *(prior.draw(rng, SPREAD_OF_CLASS_STARTS) for _ in range(restarts - 1))]
    starts = [np.clip(start, low, high) for start in starts]

    def on(rows: NDArray[np.intp], places: list[Array], steps: int, enough: float) -> Array:
        negative = negative_log_evidence_of_classes(layout, X[rows], y[rows], likelihood, how)
        return lowest(penalised(negative, prior), places, between, [(steps, 1)], enough)

    if len(y) > 2 * SOME_ROWS or len(starts) > 1:
        some = np.sort(rng.choice(len(y), min(len(y), SOME_ROWS), replace=False))
        starts = [on(some, starts, STEPS_ON_SOME, ENOUGH_ON_SOME)]
    best = _noiseless(layout, on(np.arange(len(y)), starts, STEPS_ON_ALL, ENOUGH))
    matrix = best.matrix(X)
    approximation = APPROXIMATIONS[how](matrix, y, likelihood)
    posterior = conditioned_on_sites(AdditivePrior(best), X, approximation)
    return AdditiveClasses(best, posterior, is_flat(matrix, y, likelihood, how, approximation))


def _noiseless(layout: Layout, u: Array) -> AdditiveKernel:
    """The kernel with parameters ``u``, and no noise."""
    return AdditiveKernel(layout, np.append(u, -inf))


def _prior_of_classes(layout: Layout) -> JointPrior:
    if layout.tied:
        variances = [USUAL_VARIANCE - 0.5 * len(layout.bases), 0.0]
    else:
        variances = [USUAL_VARIANCE - DECLINE * max(order - 1, 0) for order in layout.orders]
    stretches = [(0.0, WIDTH_OF_STRETCHES)] * layout.stretches
    return together(layout, [*((mean, WIDTH_OF_VARIANCES) for mean in variances), *stretches])
