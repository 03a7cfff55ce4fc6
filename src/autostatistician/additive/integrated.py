"""The parameters of an additive kernel integrated over: kernels drawn from their posterior, with weights.

The most probable parameters are often too sure of themselves on few rows, the more so the more of them there are:
"additive GP performance can be expected to benefit significantly from integrating out" them (Duvenaud, additive
chapter, section 1.5). Around the optimum the posterior is replaced by a normal distribution, from which draws are taken
and weighted as everywhere (`inference.uncertainty.draws`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from autostatistician.additive.evidence import AdditiveFit, limits
from autostatistician.additive.kernel import AdditiveKernel
from autostatistician.inference.covariance import NotPositiveDefinite
from autostatistician.inference.parameters import Together
from autostatistician.inference.posterior import draw
from autostatistician.inference.uncertainty import weighted_places

__all__ = ["Mixture", "drawn_parameters", "mixture", "usual_draws"]

Array = NDArray[np.float64]
Misfit = Callable[[Array], tuple[float, Array]]

# Of many rows the posterior is narrow, and a draw dear: each keeps a matrix of its own.
MOST_DRAWS, FEWEST_DRAWS, ROWS_OF_ALL_DRAWS = 64, 8, 20_000
STEP = 1e-4  # of differences of slopes, in widths of the priors
AT_BOUND = 1e-9  # from there a parameter stays


@dataclass(frozen=True, eq=False)
class Mixture:
    """Several fits of one function with their weights (k,), which sum to one; the most probable comes first.

    Where their inputs are turned, ``maps`` (D, D) turn rows of the first fit to those of each.
    """

    fits: tuple[AdditiveFit, ...]
    weights: Array
    maps: tuple[Array, ...] = ()

    def each(self, rows: Array) -> Iterator[tuple[AdditiveFit, Array]]:
        """The fits, each with the rows (m, D) as it takes them."""
        for place, fit in enumerate(self.fits):
            yield fit, rows @ self.maps[place] if self.maps else rows

    def moments(self, rows: Array) -> tuple[Array, Array]:
        """Means and variances (k, m) of observations at rows (m, D) under each of them."""
        means, variances = [], []
        for fit, seen in self.each(rows):
            function = fit.posterior.project(None, seen)
            means.append(function.mean)
            variances.append(function.variance + fit.kernel.noise_variance)
        return np.array(means), np.array(variances)

    def mean_and_covariance(self, rows: Array) -> tuple[Array, Array]:
        """The mean (m,) and covariance (m, m) of observations."""
        means, covariances = map(np.array, zip(*(_joint(fit, seen) for fit, seen in self.each(rows)), strict=True))
        mean = self.weights @ means
        apart = means - mean
        return mean, np.tensordot(self.weights, covariances, 1) + (apart.T * self.weights) @ apart

    def draws(self, rows: Array, count: int, rng: np.random.Generator) -> Array:
        """Joint draws (m, count) of observations, each under one of the fits, in any order."""
        counts = rng.multinomial(count, self.weights)
        drawn = [
            draw(mean, cov, rng, count=int(times), independent=True)
            for (fit, seen), times in zip(self.each(rows), counts, strict=True)
            if times
            for mean, cov in [_joint(fit, seen)]
        ]
        return np.asarray(rng.permutation(np.concatenate(drawn)).T)


def _joint(fit: AdditiveFit, rows: Array) -> tuple[Array, Array]:
    """The mean (m,) and covariance (m, m) of observations under one fit."""
    function = fit.posterior.project(None, rows)
    return function.mean, function.covariance() + fit.kernel.noise_variance * np.eye(len(rows))


def mixture(
    fitted: AdditiveFit,
    negative: Misfit,
    prior: Together,
    given: Callable[[AdditiveKernel], AdditiveFit],
    rng: np.random.Generator,
    count: int,
) -> Mixture:
    """A fit as the first of several whose parameters are drawn from their posterior.

    Parameters
    ----------
    fitted : AdditiveFit
        The most probable one.
    negative : function
        The negative log marginal likelihood of parameters (p,), or a bound, and its gradient.
    prior : Together
        Of the parameters.
    given : function
        A kernel, given the data.
    rng : Generator
        Of the draws.
    count : int
        Fits in all, two at least; those without weight are left out.
    """
    layout = fitted.kernel.layout
    places, weights = drawn_parameters(fitted.kernel.u, negative, prior, limits(layout), rng, count)
    return Mixture((fitted, *(given(AdditiveKernel(layout, u)) for u in places[1:])), weights)


def usual_draws(rows: int) -> int:
    """How many fits a mixture has.

    >>> [usual_draws(rows) for rows in (100, 500, 5000)]
    [64, 40, 8]
    """
    return int(np.clip(ROWS_OF_ALL_DRAWS // rows, FEWEST_DRAWS, MOST_DRAWS))


def drawn_parameters(
    optimum: Array,
    negative: Misfit,
    prior: Together,
    between: list[tuple[float, float]],
    rng: np.random.Generator,
    count: int,
) -> tuple[Array, Array]:
    """Parameters (k, p) drawn from their posterior, the optimum first, and their weights; at a bound they stay.

    Of ``count`` draws those without weight are left out.
    """
    low, high = np.array(between).T
    free = np.flatnonzero((optimum > low + AT_BOUND) & (optimum < high - AT_BOUND))
    if not len(free):
        return optimum[None], np.ones(1)
    widths = prior.width[free]

    def at(place: Array) -> Array:
        u = optimum.copy()
        u[free] += widths * place
        return np.asarray(np.clip(u, low, high))

    def height(place: Array) -> float:
        u = at(place)
        try:
            value = negative(u)[0]
        except NotPositiveDefinite:
            return -np.inf
        return -value - prior.penalty(u)[0] if isfinite(value) else -np.inf

    by_data = _differences(lambda place: negative(at(place))[1][free] * widths, len(free))
    sizes, axes = np.linalg.eigh(by_data)
    precision = (axes * np.abs(sizes)) @ axes.T
    precision += _differences(lambda place: prior.penalty(at(place))[1][free] * widths, len(free))
    root = np.linalg.inv(np.linalg.cholesky(precision)).T
    places, weights = weighted_places(np.zeros(len(free)), root, height, rng, count)
    kept = weights > 0.0
    kept[0] = True
    return np.array([at(place) for place in places[kept]]), weights[kept]


def _differences(slopes: Callable[[Array], Array], size: int) -> Array:
    """The matrix (size, size) of second derivatives at zero, by central differences of first ones."""
    steps = STEP * np.eye(size)
    second = np.array([(slopes(step) - slopes(-step)) / (2.0 * STEP) for step in steps])
    return np.asarray(0.5 * (second + second.T))
