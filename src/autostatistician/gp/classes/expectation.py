"""Expectation propagation: sites whose normal distributions have the moments that the true factors give them.

Rasmussen and Williams 2006, sections 3.6 and 5.5.2. All sites move together, each time from a new factorisation, and
by what the last few moves tell about where they lead (Walker and Ni 2011, Anderson acceleration).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.classes.sites import Covariance, FunctionGivenSites, SiteApproximation, given_sites
from autostatistician.gp.likelihoods.base import LatentLikelihood

__all__ = ["expectation_propagation"]

Array = NDArray[np.float64]

MOST_SWEEPS = 100
SETTLED = 1e-6  # largest move of a site, in posterior standard deviations; the evidence is flat there, so 1e-11 is left
REMEMBERED = 3  # moves from which the next one is made
PLAIN_AFTER = 50  # sweeps: then moves are plain and short
DAMPING = 0.5  # share of such a move
LEAST_CAVITY = 1e-10  # precision, as a share of that of the posterior


def expectation_propagation(
    K: Covariance,
    y: Array,
    likelihood: LatentLikelihood,
    start: FunctionGivenSites | None = None,
    *,
    with_gradient: bool = False,
) -> SiteApproximation:
    """The approximate evidence of a function with prior covariance ``K`` (n, n), of which the upper triangle counts.

    The arguments are those of `laplace`. It is not settled where a hundred sweeps were too few: its value is then that
    of the last sweep.

    Examples
    --------
    >>> from autostatistician.gp.likelihoods.bernoulli import Bernoulli
    >>> round(expectation_propagation(np.eye(1), np.ones(1), Bernoulli()).log_evidence, 4)  # log(1/2), exact
    -0.6931
    """
    sites = np.zeros((2, len(y))) if start is None else np.array([start.precision, start.natural])
    history: list[tuple[Array, Array]] = []  # sites and where they moved to
    for sweep in range(MOST_SWEEPS):
        now = _Sweep.at(K, y, likelihood, sites)
        if settled := now.size_of_move < SETTLED:
            break
        history = [*history[-REMEMBERED:], (sites.ravel(), now.aim.ravel())]
        if sweep < PLAIN_AFTER:
            sites = _accelerated(history).reshape(2, -1)
            sites[0] = np.maximum(sites[0], 0.0)
        else:
            sites = sites + DAMPING * (now.aim - sites)
    if not with_gradient:
        return SiteApproximation(now.log_evidence, now.given, settled)
    return SiteApproximation(now.log_evidence, now.given, settled, now.given.resolvent(), now.given.alpha)


def _accelerated(history: list[tuple[Array, Array]]) -> Array:
    """The next place of an iteration, from its last places and where each of them led."""
    aim = history[-1][1]
    if len(history) == 1:
        return aim
    moves = np.diff([to - at for at, to in history], axis=0)
    ahead = np.diff([to for _, to in history], axis=0)
    shares = np.linalg.lstsq(moves.T, aim - history[-1][0], rcond=1e-10)[0]
    return np.asarray(aim - shares @ ahead)


@dataclass(frozen=True, eq=False)
class _Sweep:
    """The function given sites, what is left of it without each of them, and where they should move."""

    given: FunctionGivenSites
    variance: Array  # (n,) of the function
    cavity: tuple[Array, Array]  # precisions and naturals (n,) without the site
    log_factors: Array  # (n,) averaged over what is left
    aim: Array  # (2, n) precisions and naturals

    @classmethod
    def at(cls, K: Covariance, y: Array, likelihood: LatentLikelihood, sites: Array) -> _Sweep:
        given = given_sites(K, sites[0], sites[1])
        variance = given.variance
        precision = np.maximum(1.0 / variance - sites[0], LEAST_CAVITY / variance)
        natural = given.mean / variance - sites[1]
        mean, spread = natural / precision, 1.0 / precision
        value, first, second = likelihood.tilted(y, mean, spread)
        share = 1.0 + second * spread  # of the variance, when the factor is there
        aim = np.maximum(np.array([-second / share, (first - mean * second) / share]), [[0.0], [-np.inf]])
        return cls(given, variance, (precision, natural), value, aim)

    @property
    def size_of_move(self) -> float:
        """Of the site that is to move farthest, in posterior standard deviations."""
        precision, natural = self.aim - np.array([self.given.precision, self.given.natural])
        by_mean = np.abs(natural - precision * self.given.mean) * np.sqrt(self.variance)
        return float((by_mean + np.abs(precision) * self.variance).max(initial=0.0))

    @property
    def log_evidence(self) -> float:
        """Rasmussen and Williams 2006, equation 3.65, in naturals, where sites may say nothing."""
        here, natural = self.given, self.given.natural
        precision, without = self.cavity
        ratio = here.precision / precision
        sites = 0.5 * float(np.log1p(ratio).sum() + natural @ here.mean)
        rest = 0.5 * float((self.variance * (without * ratio - 2.0 * natural)) @ without - self.variance @ natural**2)
        return float(self.log_factors.sum()) - here.half_logdet + sites + rest
