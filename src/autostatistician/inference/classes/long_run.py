"""Long runs of Monte Carlo, the reference for approximations of functions behind classes: slow, and as exact as long.

The function moves by elliptical slices (Murray, Adams and MacKay 2010), its numbers by slices while what is white
about the function stays (Murray and Adams 2010), and the evidence comes from annealing (Neal 2001).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.covariance import factorise
from autostatistician.inference.likelihoods.base import Latent

__all__ = ["annealed_evidence", "sampled"]

Array = NDArray[np.float64]
LogDensity = Callable[[Array], float]

SLICE_WIDTH = 1.0  # of the first bracket around a number
MOST_STEPS_OUT = 8  # of that bracket


def annealed_evidence(
    K: Array, y: Array, likelihood: Latent, rng: np.random.Generator, *, chains: int = 100, temperatures: int = 200
) -> tuple[float, float]:
    """The log evidence of a function with prior covariance ``K`` (n, n), and its standard error.

    Each chain goes from the prior to the posterior, the likelihood raised to powers from 0 to 1, one elliptical slice
    for each power. All chains move together.

    Examples
    --------
    >>> from autostatistician.inference.likelihoods.bernoulli import Bernoulli
    >>> found = annealed_evidence(np.eye(1), np.ones(1), Bernoulli(), np.random.default_rng(0))
    >>> abs(found[0] - np.log(0.5)) < 3.0 * found[1] < 0.05
    True
    """
    lower = factorise(K).lower
    f = rng.standard_normal((chains, len(y))) @ lower.T
    powers = np.linspace(0.0, 1.0, temperatures + 1) ** 3.0
    weights, level = np.zeros(chains), _levels(likelihood, y, f)
    for before, power in pairwise(powers):
        weights += (power - before) * level
        f, level = _elliptical(f, level, lower, power, lambda g: _levels(likelihood, y, g), rng)
    top = weights.max()
    relative = np.exp(weights - top)
    return float(top + np.log(relative.mean())), float(relative.std() / relative.mean() / np.sqrt(chains))


def sampled(
    covariance: Callable[[Array], Array],
    log_prior: LogDensity,
    start: Array,
    y: Array,
    likelihood: Latent,
    rng: np.random.Generator,
    *,
    count: int = 1000,
    warm_up: int = 200,
) -> tuple[Array, Array]:
    """Draws of the numbers (count, p) and of the function at the observations (count, n), given these.

    Parameters
    ----------
    covariance : callable
        The prior covariance (n, n) at numbers (p,).
    log_prior : callable
        Their log density but for a constant.
    start : array (p,)
        Where they begin.
    y : array (n,)
        The observations.

    Examples
    --------
    >>> from autostatistician.inference.likelihoods.bernoulli import Bernoulli
    >>> one = sampled(
    ...     lambda u: np.exp(2.0 * u[0]) * np.eye(1), lambda u: -0.5 * float(u @ u), np.zeros(1), np.ones(1),
    ...     Bernoulli(), np.random.default_rng(0), count=500,
    ... )
    >>> one[1].shape, bool(one[1].mean() > 0.3)
    ((500, 1), True)
    """
    u, white = np.array(start), np.zeros(len(y))
    lower = factorise(covariance(u)).lower
    numbers, functions = [], []
    for step in range(warm_up + count):
        level = _levels(likelihood, y, (lower @ white)[None])
        moved, _ = _elliptical((lower @ white)[None], level, lower, 1.0, lambda g: _levels(likelihood, y, g), rng)
        white = np.linalg.solve(lower, moved[0])
        for place in range(len(u)):
            u = _sliced(u, place, partial(_joint, covariance, log_prior, likelihood, y, white), rng)
        lower = factorise(covariance(u)).lower
        if step >= warm_up:
            numbers.append(u)
            functions.append(lower @ white)
    return np.array(numbers), np.array(functions)


def _joint(
    covariance: Callable[[Array], Array], log_prior: LogDensity, likelihood: Latent, y: Array, white: Array, u: Array
) -> float:
    f = factorise(covariance(u)).lower @ white
    return log_prior(u) + float(likelihood.log_density(y, f).sum())


def _levels(likelihood: Latent, y: Array, f: Array) -> Array:
    """The log likelihood (k,) of functions (k, n)."""
    return np.asarray(likelihood.log_density(y, f).sum(axis=1))


def _elliptical(
    f: Array, level: Array, lower: Array, power: float, levels: Callable[[Array], Array], rng: np.random.Generator
) -> tuple[Array, Array]:
    """One elliptical slice of every function (k, n) under the likelihood to a power; also their log likelihoods."""
    chains = len(f)
    other = rng.standard_normal(f.shape) @ lower.T
    floor = power * level + np.log(rng.random(chains))
    angle = rng.uniform(0.0, 2.0 * np.pi, chains)
    low, high = angle - 2.0 * np.pi, angle.copy()
    found, height, left = f.copy(), level.copy(), np.ones(chains, dtype=bool)
    while left.any():
        tried = f[left] * np.cos(angle[left])[:, None] + other[left] * np.sin(angle[left])[:, None]
        reached = levels(tried)
        good = power * reached > floor[left]
        rows = np.flatnonzero(left)
        found[rows[good]], height[rows[good]] = tried[good], reached[good]
        left[rows[good]] = False
        rows = rows[~good]
        low[rows] = np.where(angle[rows] < 0.0, angle[rows], low[rows])
        high[rows] = np.where(angle[rows] < 0.0, high[rows], angle[rows])
        angle[rows] = rng.uniform(low[rows], high[rows])
    return found, height


def _sliced(u: Array, place: int, log_density: LogDensity, rng: np.random.Generator) -> Array:
    """One slice of one number (Neal 2003): step out, then shrink."""

    def at(value: float) -> Array:
        moved = u.copy()
        moved[place] = value
        return moved

    floor = log_density(u) + np.log(rng.random())
    low = float(u[place]) - SLICE_WIDTH * rng.random()
    high = low + SLICE_WIDTH
    for _ in range(MOST_STEPS_OUT):
        if log_density(at(low)) < floor:
            break
        low -= SLICE_WIDTH
    for _ in range(MOST_STEPS_OUT):
        if log_density(at(high)) < floor:
            break
        high += SLICE_WIDTH
    while True:
        value = rng.uniform(low, high)
        if log_density(at(value)) > floor:
            return at(value)
        low, high = (value, high) if value < u[place] else (low, value)
