"""Laplace's approximation by engines of normal data: pseudo-targets about the mode, for kernels of any length of data.

At the mode of the function given counts, these are nearly normal observations of it (`Poisson.normal_sites`). Newton's
steps are posteriors of such observations, so every engine that takes a noise by row makes them at its own cost
(Rasmussen and Williams 2006, section 3.4); the evidence of the pseudo-targets and the ratio of densities is Laplace's.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.dataset import Dataset
from autostatistician.inference.engines.choice import condition
from autostatistician.inference.likelihoods.poisson import NormalSites, Poisson
from autostatistician.inference.posterior import Posterior
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import Kernel

__all__ = ["AtMode", "at_mode", "pseudo_data"]

Array = NDArray[np.float64]

MOST_STEPS, MOST_HALVINGS = 50, 20
ROUNDING = 1e-10  # of the height of a place, relative
MOST_FOR_NEXT_TERMS = 1000  # rows
LARGEST_NEXT_TERMS = 5.0  # nats: larger ones would not be the last that matter
SETTLED = 1e-6  # largest step of the function, in standard deviations of the sites


@dataclass(frozen=True, eq=False)
class AtMode:
    """The function (n,) of a kernel that counts make most probable, sites about it, and the posterior given these."""

    function: Array
    sites: NormalSites
    posterior: Posterior
    settled: bool

    @property
    def log_evidence(self) -> float:
        """The logarithm of the probability of the counts: Laplace's, of few rows with the terms that come next."""
        return self.posterior.log_evidence + self.log_ratio

    @cached_property
    def log_ratio(self) -> float:
        """What is added to log densities of the sites; of few rows with the next terms of Laplace's approximation.

        With S the covariance of the function and all derivatives of a Poisson density from the second on minus the rate
        r, these are ``r'(S o S o S)r / 12 + (r o s)'S(r o s) / 8 - r'(s o s) / 8`` with s the diagonal of S (Shun and
        McCullagh 1995): on simulated counts errors of up to 0.16 nats became less than 0.01.
        """
        if len(self.function) > MOST_FOR_NEXT_TERMS:
            return self.sites.log_ratio
        covariance, rate = self.posterior.project(self.posterior.kernel).covariance(), 1.0 / self.sites.variances
        spread = covariance.diagonal()
        weighed = rate * spread
        next_terms = (
            rate @ (covariance**3) @ rate / 12.0 + weighed @ covariance @ weighed / 8.0 - weighed @ spread / 8.0
        )
        return self.sites.log_ratio + (float(next_terms) if abs(next_terms) < LARGEST_NEXT_TERMS else 0.0)


def at_mode(kernel: Kernel, counts: Problem, likelihood: Poisson, start: Array) -> AtMode:
    """The mode for a problem whose targets are counts (n,), by Newton's steps from a function ``start`` (n,).

    White noise of the kernel belongs to the function. Where the mode is does not hang on the start: it is the only one.

    Raises
    ------
    NotPositiveDefinite
        When a covariance cannot be factorised even with jitter.

    Examples
    --------
    >>> from autostatistician.language.kernel import leaf
    >>> counts = Problem(np.array([0.0, 1.0]), np.array([1.0, 3.0]))
    >>> found = at_mode(leaf("C", sd=1.0), counts, Poisson(Transform("log")), np.zeros(2))
    >>> found.function.round(4).tolist(), found.settled  # 4 - 2 exp(f) = f
    ([0.5463, 0.5463], True)
    """
    sites, posterior = _given_sites(kernel, counts, likelihood, start)
    here = _Place.of(np.zeros_like(start), np.zeros_like(start), counts.y, likelihood)
    settled = False
    for _ in range(MOST_STEPS):
        before, here = here, _upwards(here, _function(posterior), sites, counts.y, likelihood)
        move = float(np.max(np.abs(here.f - before.f) / np.sqrt(sites.variances)))
        sites, posterior = _given_sites(kernel, counts, likelihood, here.f)
        if settled := move < SETTLED:
            break
    return AtMode(here.f, sites, posterior, settled)


def pseudo_data(dataset: Dataset, sites: NormalSites) -> Dataset:
    """A data set of counts with the pseudo-targets that stand for them, each with its variance.

    >>> from autostatistician.data.dataset import from_arrays
    >>> sites = Poisson(Transform("log")).normal_sites(np.array([1.0, 1.0]), np.zeros(2))
    >>> data = pseudo_data(from_arrays([0.0, 1.0], [1.0, 1.0]), sites)
    >>> data.y.tolist(), data.noise.tolist()
    ([0.0, 0.0], [1.0, 1.0])
    """
    return replace(dataset, y=sites.values, noise=sites.variances)


@dataclass(frozen=True, eq=False)
class _Place:
    """A function (n,), K^-1 times it, and the log density of counts less half their product."""

    f: Array
    alpha: Array
    height: float

    @classmethod
    def of(cls, f: Array, alpha: Array, y: Array, likelihood: Poisson) -> _Place:
        return cls(f, alpha, float(likelihood.log_density(y, f).sum()) - 0.5 * float(alpha @ f))


def _upwards(here: _Place, there: Array, sites: NormalSites, y: Array, likelihood: Poisson) -> _Place:
    """Newton's step, to the mean (n,) given sites, halved until it leads upwards."""
    alpha, share = (sites.values - there) / sites.variances, 1.0
    least = here.height - ROUNDING * (1.0 + abs(here.height))
    for _ in range(MOST_HALVINGS):
        f, weights = here.f + share * (there - here.f), here.alpha + share * (alpha - here.alpha)
        place = _Place.of(f, weights, y, likelihood)
        if place.height >= least:
            return place
        share *= 0.5
    return here


def _given_sites(kernel: Kernel, counts: Problem, likelihood: Poisson, f: Array) -> tuple[NormalSites, Posterior]:
    sites = likelihood.normal_sites(counts.y, f)
    return sites, condition(kernel, replace(counts, y=sites.values, noise=sites.variances))


def _function(posterior: Posterior) -> Array:
    """The mean (n,) of the whole kernel at the observations."""
    return posterior.project(posterior.kernel).mean
