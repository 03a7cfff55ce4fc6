"""Laplace's approximation by engines of normal data: pseudo-targets about the mode, for kernels of any length of data.

At the mode of the function given counts, these are nearly normal observations of it (`Poisson.normal_sites`). Newton's
steps are posteriors of such observations, so every engine that takes a noise by row makes them at its own cost
(Rasmussen and Williams 2006, section 3.4); the evidence of the pseudo-targets and the ratio of densities is Laplace's.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.engines.choice import condition
from autostatistician.inference.likelihoods.poisson import NormalSites, Poisson
from autostatistician.inference.posterior import Posterior
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import Kernel

__all__ = ["AtMode", "at_mode"]

Array = NDArray[np.float64]

MOST_STEPS, MOST_HALVINGS = 50, 20
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
        """The logarithm of the approximate probability of the counts."""
        return self.posterior.log_evidence + self.sites.log_ratio


def at_mode(kernel: Kernel, counts: Problem, likelihood: Poisson, start: Array) -> AtMode:
    """The mode for a problem whose targets are counts (n,), by Newton's steps from a function ``start`` (n,).

    White noise of the kernel belongs to the function. Where the mode is does not hang on the start: it is the only one.

    Raises
    ------
    NotPositiveDefinite
        When a covariance cannot be factorised even with jitter.

    Examples
    --------
    >>> from autostatistician.data.transform import Transform
    >>> from autostatistician.language.kernel import leaf
    >>> counts = Problem(np.array([0.0, 1.0]), np.array([1.0, 3.0]))
    >>> found = at_mode(leaf("C", sd=1.0), counts, Poisson(Transform("log")), np.zeros(2))
    >>> found.function.round(4).tolist(), found.settled  # 4 - 2 exp(f) = f
    ([0.5463, 0.5463], True)
    """
    y, f = counts.y, start
    sites, posterior = _given_sites(kernel, counts, likelihood, f)
    alpha, height = np.zeros_like(f), -np.inf
    settled = False
    for _ in range(MOST_STEPS):
        there = _function(posterior)
        newton = (sites.values - there) / sites.variances  # K^-1 times the function
        share = 1.0
        for _ in range(MOST_HALVINGS):
            alpha_next = newton if height == -np.inf else alpha + share * (newton - alpha)
            f_next = there if height == -np.inf else f + share * (there - f)
            higher = float(likelihood.log_density(y, f_next).sum() - 0.5 * alpha_next @ f_next)
            if height == -np.inf or higher >= height - 1e-9 * (1.0 + abs(height)):
                break
            share *= 0.5
        move = float(np.max(np.abs(f_next - f) / np.sqrt(sites.variances)))
        f, alpha, height = f_next, alpha_next, higher
        sites, posterior = _given_sites(kernel, counts, likelihood, f)
        if settled := move < SETTLED:
            break
    return AtMode(f, sites, posterior, settled)


def _given_sites(kernel: Kernel, counts: Problem, likelihood: Poisson, f: Array) -> tuple[NormalSites, Posterior]:
    sites = likelihood.normal_sites(counts.y, f)
    return sites, condition(kernel, replace(counts, y=sites.values, noise=sites.variances))


def _function(posterior: Posterior) -> Array:
    """The mean (n,) of the whole kernel at the observations."""
    return posterior.project(posterior.kernel).mean
