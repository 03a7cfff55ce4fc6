"""Laplace approximation and expectation propagation (EP) for counts, by engines of normal data.

Every count has a pseudo-target with a variance of its own.

At the mode of the function given counts, these are nearly normal observations of it (`Sited.normal_sites`), as
Laplace's approximation has them. Its steps are posteriors of such observations (Rasmussen and Williams 2006, section
3.4). Sites that keep mean and variance are those of expectation propagation (section 3.6), which asks for leave-one-out
predictions alone. So every engine that takes a noise by row does both at its own cost.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.dataset import Dataset, Kind
from autostatistician.gp.count_likelihoods import NormalSites, Sited
from autostatistician.gp.engines.choice import condition
from autostatistician.gp.posterior import Posterior
from autostatistician.gp.problem import Problem
from autostatistician.kernels.kernel import Kernel

__all__ = ["SitedCounts", "at_mode", "affords_expectation_propagation", "expectation_propagation", "pseudo_data"]

Array = NDArray[np.float64]

MOST_BY_EXPECTATION = 20_000  # rows of a series, whose engines take time in proportion to them
MOST_OF_TABLE_BY_EXPECTATION = 2000
MOST_STEPS, MOST_HALVINGS = 50, 20
ROUNDING = 1e-10  # of the height of a place, relative
MOST_ROUNDS, DAMPING, EXPECTED = 40, 0.7, 1e-3  # of sites by expectation: their share of the next, and largest move
SURELY_NORMAL = 1e5  # count: the site of a larger one stays as it is at the mode
LEAST_TOLD = 1e-12  # curvature of what a count says
LEAST_VARIANCE = 1e-10  # of a site, and of a function without it
SETTLED = 1e-6  # largest step of the function, in standard deviations of the sites


@dataclass(frozen=True, eq=False)
class SitedCounts:
    """The most probable function (n,) of a kernel given counts, their sites, and the posterior given these."""

    function: Array
    sites: NormalSites
    posterior: Posterior
    settled: bool

    @property
    def log_evidence(self) -> float:
        """The logarithm of the approximate probability of the counts."""
        return self.posterior.log_evidence + self.sites.log_ratio

    def without_own(self) -> tuple[Array, Array]:
        """Mean and variance (n,) of the function at every row given all others."""
        return _without_site(self.posterior, self.sites.variances)


def at_mode(kernel: Kernel, counts: Problem, likelihood: Sited, start: Array) -> SitedCounts:
    """The mode for a problem whose targets are counts (n,), by Newton's steps from a function ``start`` (n,).

    White noise of the kernel belongs to the function. Where the mode is does not hang on the start: it is the only one.

    Raises
    ------
    NotPositiveDefinite
        When a covariance cannot be factorised even with jitter.

    Examples
    --------
    >>> from autostatistician.data.transform import Transform
    >>> from autostatistician.kernels.kernel import leaf
    >>> counts = Problem(np.array([0.0, 1.0]), np.array([1.0, 3.0]))
    >>> from autostatistician.gp.count_likelihoods import Poisson
    >>> found = at_mode(leaf("C", sd=1.0), counts, Poisson(Transform("log")), np.zeros(2))
    >>> found.function.round(4).tolist(), found.settled  # 4 - 2 exp(f) = f
    ([0.5463, 0.5463], True)
    """
    sites, posterior = _given_sites(kernel, counts, likelihood, start)
    here = _ModePoint.of(np.zeros_like(start), np.zeros_like(start), counts.y, likelihood)
    settled = False
    for _ in range(MOST_STEPS):
        function = posterior.project(posterior.kernel).mean
        before, here = here, _upwards(here, function, sites, counts.y, likelihood)
        move = float(np.max(np.abs(here.f - before.f) / np.sqrt(sites.variances)))
        sites, posterior = _given_sites(kernel, counts, likelihood, here.f)
        if settled := move < SETTLED:
            break
    return SitedCounts(here.f, sites, posterior, settled)


def affords_expectation_propagation(counts: Dataset) -> bool:
    """Whether sites of so many counts are found by expectation; of more they are those at the mode."""
    return counts.n <= (MOST_OF_TABLE_BY_EXPECTATION if counts.kind is Kind.TABLE else MOST_BY_EXPECTATION)


def expectation_propagation(kernel: Kernel, counts: Problem, likelihood: Sited, start: Array) -> SitedCounts:
    """The same with sites that keep mean and variance of the function given each count and all other sites.

    Expectation propagation (Minka 2001), all sites at once and damped, from those at the mode: where counts scatter far
    beyond chance, their mode says little of all functions that are likely, and evidence by it was off by several nats.
    What is likely without a row follows from its leave-one-out prediction, which every engine makes at its own cost.

    Raises
    ------
    NotPositiveDefinite
        When a covariance cannot be factorised even with jitter.

    Examples
    --------
    >>> from autostatistician.data.transform import Transform
    >>> from autostatistician.kernels.kernel import leaf
    >>> from autostatistician.gp.count_likelihoods import Poisson
    >>> counts = Problem(np.array([0.0]), np.array([0.0]))
    >>> law = Poisson(Transform("log"))
    >>> round(expectation_propagation(leaf("WN", sd=2.0), counts, law, np.zeros(1)).log_evidence, 4)
    -0.8864
    """
    found = at_mode(kernel, counts, likelihood, start)
    y, values, variances = counts.y, found.sites.values, found.sites.variances
    posterior, settled = found.posterior, False
    for _ in range(MOST_ROUNDS):
        mean, variance = _without_site(posterior, variances)
        _, first, second = likelihood.tilted(y, mean, variance)
        spread = 1.0 / np.maximum(-second, LEAST_TOLD)  # of the site's value, given all others
        own = np.where(y > SURELY_NORMAL, variances, np.maximum(spread - variance, LEAST_VARIANCE))
        precision = DAMPING / own + (1.0 - DAMPING) / variances
        middle = np.where(y > SURELY_NORMAL, values, mean + first * spread)
        natural = DAMPING * middle / own + (1.0 - DAMPING) * values / variances
        move = float(np.max(np.abs(natural / precision - values) / np.sqrt(variances)))
        if not (np.isfinite(move) and np.isfinite(precision).all() and precision.min() > 0.0):
            return found
        values, variances = natural / precision, 1.0 / precision
        posterior = condition(kernel, replace(counts, y=values, noise=variances))
        if settled := move < EXPECTED:
            break
    mean, variance = _without_site(posterior, variances)
    log_mean = likelihood.tilted(y, mean, variance)[0]
    spread = variance + variances
    normal = -0.5 * np.log(2.0 * np.pi * spread) - 0.5 * (values - mean) ** 2 / spread
    sites = NormalSites(values, variances, float(np.sum(log_mean - normal)))
    return SitedCounts(found.function, sites, posterior, settled)


def _without_site(posterior: Posterior, variances: Array) -> tuple[Array, Array]:
    """Mean and variance (n,) of the function at every row given all others: their predictions less the site's own."""
    mean, variance, _ = posterior.leave_one_out()
    return mean, np.maximum(variance - variances, LEAST_VARIANCE)


def pseudo_data(dataset: Dataset, sites: NormalSites) -> Dataset:
    """A data set of counts with the pseudo-targets that stand for them, each with its variance.

    >>> from autostatistician.data.dataset import from_arrays
    >>> from autostatistician.data.transform import Transform
    >>> from autostatistician.gp.count_likelihoods import Poisson
    >>> sites = Poisson(Transform("log")).normal_sites(np.array([1.0, 1.0]), np.zeros(2))
    >>> data = pseudo_data(from_arrays([0.0, 1.0], [1.0, 1.0]), sites)
    >>> data.y.tolist(), data.noise.tolist()
    ([0.0, 0.0], [1.0, 1.0])
    """
    return replace(dataset, y=sites.values, noise=sites.variances, counts=dataset.y)


@dataclass(frozen=True, eq=False)
class _ModePoint:
    """A function (n,), K^-1 times it, and the log density of counts less half their product."""

    f: Array
    alpha: Array
    height: float

    @classmethod
    def of(cls, f: Array, alpha: Array, y: Array, likelihood: Sited) -> _ModePoint:
        return cls(f, alpha, float(likelihood.log_density(y, f).sum()) - 0.5 * float(alpha @ f))


def _upwards(here: _ModePoint, there: Array, sites: NormalSites, y: Array, likelihood: Sited) -> _ModePoint:
    """Newton's step, to the mean (n,) given sites, halved until it leads upwards."""
    alpha, share = (sites.values - there) / sites.variances, 1.0
    least = here.height - ROUNDING * (1.0 + abs(here.height))
    for _ in range(MOST_HALVINGS):
        f, weights = here.f + share * (there - here.f), here.alpha + share * (alpha - here.alpha)
        place = _ModePoint.of(f, weights, y, likelihood)
        if place.height >= least:
            return place
        share *= 0.5
    return here


def _given_sites(kernel: Kernel, counts: Problem, likelihood: Sited, f: Array) -> tuple[NormalSites, Posterior]:
    sites = likelihood.normal_sites(counts.y, f)
    return sites, condition(kernel, replace(counts, y=sites.values, noise=sites.variances))
