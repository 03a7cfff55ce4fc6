"""Laplace's approximation: a normal distribution at the mode of the function given the data, as curved as it is there.

Rasmussen and Williams 2006, sections 3.4 and 5.5.1. The mode moves with the parameters, which is the part ``u`` of the
derivative: ``tr((R - g g' - u g' - g u') dK) / 2`` with R = (K + W^-1)^-1, the gradient g of the log likelihood, and
``u = (I - R K) s`` where s is what the log determinant changes by with the function at its mode.

Expectation propagation: sites whose normal distributions have the moments that the true factors give them.

Rasmussen and Williams 2006, sections 3.6 and 5.5.2. All sites move together, each time from a new factorisation, and by
what the last few moves tell about where they lead (Walker and Ni 2011, Anderson acceleration).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from warnings import warn

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import blas

from autostatistician.gp.classes.sites import Covariance, FunctionGivenSites, SiteApproximation, given_sites, times
from autostatistician.gp.covariance import NotPositiveDefinite
from autostatistician.gp.likelihoods import LatentLikelihood

__all__ = ["APPROXIMATIONS", "SeparableWarning", "expectation_propagation", "is_flat", "laplace", "warn_of_separable"]


Array = NDArray[np.float64]

MOST_SWEEPS = 100
SETTLED_SITES = (
    1e-6  # largest move of a site, in posterior standard deviations; the evidence is flat there, so 1e-11 is left
)
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
    >>> from autostatistician.gp.likelihoods import Bernoulli
    >>> round(expectation_propagation(np.eye(1), np.ones(1), Bernoulli()).log_evidence, 4)  # log(1/2), exact
    -0.6931
    """
    sites = np.zeros((2, len(y))) if start is None else np.array([start.precision, start.natural])
    history: list[tuple[Array, Array]] = []  # sites and where they moved to
    for sweep in range(MOST_SWEEPS):
        now = _Sweep.at(K, y, likelihood, sites)
        if settled := now.size_of_move < SETTLED_SITES:
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


MOST_STEPS = 100

MOST_HALVINGS = 30

SETTLED_MODE = 1e-9  # largest step of the function

FAST, SMALL = 0.2, 0.3  # share of the last step, and size, below which a step is made with the matrix of an earlier one


def laplace(
    K: Covariance,
    y: Array,
    likelihood: LatentLikelihood,
    start: FunctionGivenSites | None = None,
    *,
    with_gradient: bool = False,
) -> SiteApproximation:
    """The approximate evidence of a function with prior covariance ``K`` (n, n), of which the upper triangle counts.

    Parameters
    ----------
    K, y : Covariance and array (n,)
        Prior covariance and observations.
    likelihood : LatentLikelihood
        A log-concave one.
    start : FunctionGivenSites, optional
        The function near by, where the steps begin; where they end does not hang on it.
    with_gradient : bool
        Whether the matrix of the derivative is wanted.

    Examples
    --------
    >>> from autostatistician.gp.likelihoods import Bernoulli
    >>> round(laplace(np.eye(1), np.ones(1), Bernoulli("logistic")).log_evidence, 4)  # log(1/2) is exact
    -0.7007
    """
    mode = _begin(K, y, likelihood, start, near=with_gradient)
    given, move, settled = mode.newton(K), np.inf, False
    for _ in range(MOST_STEPS):
        before, mode, last = mode, _shortened(K, y, likelihood, mode, given), move
        move = float(np.abs(mode.f - before.f).max(initial=0.0))
        if settled := move < SETTLED_MODE:
            break
        # While steps shrink fast, the matrix of an earlier one will do.
        natural = given.precision * mode.f + mode.first
        given = given.pulled(natural) if move < FAST * last and move < SMALL else mode.newton(K)
    given = mode.newton(K)
    value = mode.height - given.half_logdet
    if not with_gradient:
        return SiteApproximation(value, given, settled)
    matrix = given.resolvent()
    slopes = 0.5 * given.variance * likelihood.derivatives(y, mode.f)[2]
    u = slopes - times(matrix, times(K, slopes))
    blas.dsyr2(-1.0, u, mode.first, a=matrix.T, lower=1, overwrite_a=1)
    return SiteApproximation(value, given, settled, matrix, mode.first)


@dataclass(frozen=True, eq=False)
class _Mode:
    """A guess at the mode: the function, K^-1 times it, log likelihood less half their product, and derivatives."""

    alpha: Array
    f: Array
    height: float
    first: Array
    precision: Array

    @classmethod
    def at(cls, K: Covariance, y: Array, likelihood: LatentLikelihood, alpha: Array) -> _Mode:
        f = times(K, alpha)
        first, second, _ = likelihood.derivatives(y, f)
        height = float(likelihood.log_density(y, f).sum()) - 0.5 * float(alpha @ f)
        return cls(alpha, f, height, first, np.maximum(-second, 0.0))

    def newton(self, K: Covariance) -> FunctionGivenSites:
        """The normal distribution that Newton's step leads to."""
        return given_sites(K, self.precision, self.precision * self.f + self.first)


def _begin(
    K: Covariance, y: Array, likelihood: LatentLikelihood, start: FunctionGivenSites | None, near: bool
) -> _Mode:
    """The function of the start or, where it is not near, what its sites make of this covariance."""
    nothing = _Mode.at(K, y, likelihood, np.zeros(len(y)))
    if start is None:
        return nothing
    alpha = start.alpha if near else given_sites(K, start.precision, start.natural).alpha
    mode = _Mode.at(K, y, likelihood, alpha)
    return mode if mode.height > nothing.height else nothing


def _shortened(K: Covariance, y: Array, likelihood: LatentLikelihood, here: _Mode, given: FunctionGivenSites) -> _Mode:
    """Newton's step, halved until it leads upwards."""
    step = given.alpha - here.alpha
    rounding = 1e-12 * (1.0 + abs(here.height))
    for _ in range(MOST_HALVINGS):
        there = _Mode.at(K, y, likelihood, here.alpha + step)
        if there.height >= here.height - rounding:
            return there
        step = 0.5 * step
    return here


# --- Classes that a function can separate: their evidence does not say how large that function is -------------------


Approximate = Callable[..., SiteApproximation]

APPROXIMATIONS: dict[str, Approximate] = {"ep": expectation_propagation, "laplace": laplace}

LARGER = 10.0  # times the fitted size

FLAT = 2.0  # nats by which the evidence falls at most towards that size, where the data do not limit it


class SeparableWarning(UserWarning):
    """Classes can be (nearly) separated, so the data do not say how sure predictions may be."""


def is_flat(K: Array, y: Array, likelihood: LatentLikelihood, how: str, fitted: SiteApproximation) -> bool:
    """Whether the evidence hardly falls when the function is made ten times as large.

    >>> from autostatistician.gp.likelihoods import Bernoulli
    >>> K, y = np.ones((8, 8)), np.array([1.0] * 4 + [-1.0] * 4)
    >>> [is_flat(K, one, Bernoulli(), "ep", expectation_propagation(K, one, Bernoulli())) for one in (y, np.ones(8))]
    [False, True]
    """
    try:
        larger = APPROXIMATIONS[how](LARGER**2 * K, y, likelihood)
    except NotPositiveDefinite:
        return True
    return bool(larger.log_evidence > fitted.log_evidence - FLAT)


def warn_of_separable(depth: int) -> None:
    """Warn the caller, so many calls above, that the data do not limit the size of the function."""
    text = (
        "the classes can be separated, or nearly: the data do not say how large the latent function is, so "
        "probabilities near 0 or 1 rest on its weak prior. Predicted classes are not affected; for probabilities give "
        "more rows, or fewer columns"
    )
    warn(text, SeparableWarning, stacklevel=depth + 1)
