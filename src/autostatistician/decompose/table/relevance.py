"""How much of the target hangs on each column: what changes when a column takes the value of another row.

Half the mean square of that change is the total index of Sobol' by the estimator of Jansen (1999), here with the
distribution of the posterior: differences of function values are jointly normal, so draws of them give its range,
each with pairs of rows drawn anew (Efron 1979), as the change differs from pair to pair.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.uncertainty import ParameterDraws, variance_about_fit
from autostatistician.inference.posterior import Differences, Posterior, draw
from autostatistician.rows import evenly_spaced

__all__ = ["relevance"]

Array = NDArray[np.float64]

MOST_PAIRS = 300
DIFFERENCES_DRAWN = 400
SHUFFLES_TRIED = 50
MOST_MEMBERS = 20


def relevance(uncertainty: ParameterDraws, column: int, rng: np.random.Generator) -> tuple[float, tuple[float, float]]:
    """The share of the variance of the target that hangs on a column, alone or with others, and its 95 % range."""
    posterior = uncertainty.fit.posterior
    X = posterior.X
    rows = np.tile(evenly_spaced(len(X), MOST_PAIRS), max(1, MOST_PAIRS // len(X)))
    here, there = X[rows], X[rows].copy()
    there[:, column] = _shuffled(here[:, column], rng)
    members = (uncertainty.fit, *uncertainty.thinned(MOST_MEMBERS).others)
    moments = [_differences(member.posterior, here, there) for member in members]
    (mean, _), cov = moments[0], variance_about_fit(moments)
    scale = float(cov.diagonal().max(initial=0.0)) or 1.0
    squares = draw(mean, cov, rng, scale=scale, count=DIFFERENCES_DRAWN) ** 2
    # Of every draw other pairs: those at hand are some of all that there are.
    again = rng.integers(squares.shape[1], size=squares.shape)
    sizes = 0.5 * np.mean(np.take_along_axis(squares, again, axis=1), axis=1)
    spread = posterior.spread or 1.0
    low, high = np.quantile(sizes / spread, (0.025, 0.975)).tolist()
    return 0.5 * float(np.mean(mean**2 + np.maximum(cov.diagonal(), 0.0))) / spread, (low, high)


def _shuffled(values: Array, rng: np.random.Generator) -> Array:
    """The values in another order: of many random orders, the one that is least correlated with theirs.

    Half the mean square of the changes of a straight line is then its variance. With pairs left to chance it would
    not be, and the ranges, which are from draws of the posterior, would not say so.
    """
    centred = values - values.mean()
    orders = [rng.permutation(len(values)) for _ in range(SHUFFLES_TRIED)]
    return np.asarray(values[min(orders, key=lambda order: abs(float(centred @ centred[order])))])


def _differences(posterior: Posterior, here: Array, there: Array) -> tuple[Array, Array]:
    """Mean (m,) and covariance (m, m) of the function at some points less that at others."""
    signal = posterior.halves[0]
    assert signal is not None
    projection = posterior.project(signal, Differences(there, here))
    return projection.mean, projection.covariance()
