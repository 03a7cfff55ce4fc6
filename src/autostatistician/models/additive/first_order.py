"""First order alone on many rows: inducing points of single columns, so that the cost grows with the rows alone.

A sum of functions of one column each has inducing variables that belong to one of them: values ``f_d(z)`` of the
function of column d, of which those of other columns know nothing. Some dozen for each column hold nearly all of a
smooth function, where points in all columns at once would have to fill a space. As rows, they have one coordinate and
lack the others (NaN).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.engines.inducing.bound import Collapsed, candidates_of, chosen, collapsed
from autostatistician.gp.engines.inducing.engine import ConditionedByPoints, CovariancesOfRows
from autostatistician.gp.fitting import lowest
from autostatistician.gp.parameters import JointPrior
from autostatistician.models.additive.evidence import TOLERANCE, AdditiveFit, AdditivePrior, limits, penalised, started
from autostatistician.models.additive.kernel import AdditiveKernel, Layout

__all__ = [
    "bound_of_columns",
    "chosen_places",
    "fit_columns",
    "given_by_places",
    "is_first_order",
    "negative_bound_of_columns",
    "places_of",
    "rows_of",
]

Array = NDArray[np.float64]
Places = tuple[Array, ...]  # of each column

# In all columns, while parameters are sought, and for the posterior.
PLACES_OF_STARTS, MOST_PLACES, MOST_PLACES_OF_POSTERIOR = 200, 300, 600
ROWS_OF_STARTS = 2000
RACE_ROUNDS = ((30, 2), (100, 1))
LOOKS = np.array([-2.0, -1.5, -1.0, -0.5, 0.0, 1.0])  # at lengthscales, in widths of their priors
DESCENTS, STEPS = 2, 60


def is_first_order(layout: Layout) -> bool:
    """Whether a kernel is a sum of functions of single columns, and nothing else."""
    return layout.orders == (1,) and not layout.tied and not any(base.orthogonal for base in layout.bases)


def fit_columns(
    layout: Layout, X: Array, y: Array, restarts: int, rng: np.random.Generator, prior: JointPrior | None = None
) -> AdditiveFit:
    """The best of several starts on some rows, followed on all: most probable, without a prior most likely.

    Raises
    ------
    NotPositiveDefinite
        When no start has covariances that can be factorised.
    """
    some = np.sort(rng.choice(len(X), min(len(X), ROWS_OF_STARTS), replace=False))
    starts = [started(layout, number, rng) for number in range(restarts)]
    places = _spread_places(X[some], PLACES_OF_STARTS)
    u = _lowest(layout, X[some], y[some], places, starts, RACE_ROUNDS, prior)
    looked = _looked(layout, u, X[some], y[some], places, prior)
    u = _lowest(layout, X[some], y[some], places, [looked], ((STEPS, 1),), prior)
    for _ in range(DESCENTS):
        places = chosen_places(AdditiveKernel(layout, u), X, MOST_PLACES)
        u = _lowest(layout, X, y, places, [u], ((STEPS, 1),), prior)
    kernel = AdditiveKernel(layout, u)
    return given_by_places(kernel, X, y, chosen_places(kernel, X, MOST_PLACES_OF_POSTERIOR))


def _lowest(
    layout: Layout,
    X: Array,
    y: Array,
    places: Places,
    starts: list[Array],
    rounds: tuple[tuple[int, int], ...],
    prior: JointPrior | None,
) -> Array:
    objective = _objective(layout, X, y, places, prior)
    return lowest(objective, starts, limits(layout), rounds, TOLERANCE)


def _objective(
    layout: Layout, X: Array, y: Array, places: Places, prior: JointPrior | None
) -> Callable[[Array], tuple[float, Array]]:
    def objective(u: Array) -> tuple[float, Array]:
        return penalised(negative_bound_of_columns(layout, u, X, y, places), prior, u)

    return objective


def _looked(layout: Layout, u: Array, X: Array, y: Array, places: Places, prior: JointPrior | None) -> Array:
    """Parameters of which every lengthscale has been tried at others, one after the other.

    A column whose function is much shorter than the start is taken for noise, and no slope leads back.
    """
    means, widths = np.array([(prior.mean, prior.width) for base in layout.bases for prior in base.priors]).T
    objective, best = _objective(layout, X, y, places, prior), u
    value = objective(u)[0]
    for place in np.flatnonzero(layout.lengths):
        low, high = limits(layout)[place]
        for length in np.clip(means[place] + LOOKS * widths[place], low, high):
            tried = best.copy()
            tried[place] = length
            reached = objective(tried)[0]
            if reached < value:
                best, value = tried, reached
    return best


def given_by_places(kernel: AdditiveKernel, X: Array, y: Array, places: Places) -> AdditiveFit:
    """A kernel with its parameters, given the data by inducing places of single columns."""
    prior, points = AdditivePrior(kernel), rows_of(places)
    bound = replace(bound_of_columns(kernel, X, y, places), kept=None, rows=CovariancesOfRows(prior, None, X, points))
    return AdditiveFit(kernel, ConditionedByPoints(prior, X, y, points, bound))


def _spread_places(X: Array, most: int) -> Places:
    """Quantiles of every column, of whatever kernel: ``most`` in all columns at most."""
    levels = np.linspace(0.0, 1.0, max(2, most // X.shape[1]))
    return tuple(np.unique(np.quantile(x, levels, method="nearest")) for x in X.T)


def rows_of(places: Places) -> Array:
    """Inducing points (M, D) that stand for places of single columns.

    >>> rows_of((np.array([0.5]), np.array([2.0]))).tolist()
    [[0.5, nan], [nan, 2.0]]
    """
    rows = np.full((sum(map(len, places)), len(places)), np.nan)
    for column, (which, place) in enumerate(zip(_slices(places), places, strict=True)):
        rows[which, column] = place
    return rows


def places_of(points: Array) -> Places:
    """The places of single columns that inducing points (M, D) stand for.

    >>> places_of(rows_of((np.array([0.5]), np.array([2.0, 1.0]))))
    (array([0.5]), array([2., 1.]))
    """
    return tuple(column[~np.isnan(column)] for column in points.T)


def chosen_places(kernel: AdditiveKernel, X: Array, most: int) -> Places:
    """Inducing places of every column for given parameters, ``most`` in all columns at most."""
    rows, size = X[candidates_of(len(X))], _size(kernel)
    noise, each, places = np.full(len(rows), kernel.noise_variance), max(1, most // X.shape[1]), []
    parameters = kernel.layout.by_column(kernel.layout.split(kernel.u)[0])
    for base, u, x in zip(kernel.layout.bases, parameters, rows.T, strict=True):
        values = np.unique(x)
        own = size * np.asarray(base.value(values, values, u))
        column = lambda row, x=values, u=u, base=base: size * base.value(x, x[row : row + 1], u)  # noqa: E731
        picked = chosen(own, noise[: len(values)], column, each)
        places.append(values[picked])
    return tuple(places)


def bound_of_columns(kernel: AdditiveKernel, X: Array, y: Array, places: Places) -> Collapsed:
    """The bound by inducing places of single columns, from their covariances alone."""
    size, u = _size(kernel), kernel.layout.by_column(kernel.layout.split(kernel.u)[0])
    bases = kernel.layout.bases
    own = np.zeros((sum(map(len, places)),) * 2)
    for which, z, base, of in zip(_slices(places), places, bases, u, strict=True):
        own[which, which] = size * base.value(z[:, None], z, of)

    def cross(some: slice) -> Array:
        columns = zip(X[some].T, places, bases, u, strict=True)
        return np.concatenate([size * base.value(x[:, None], z, of) for x, z, base, of in columns], axis=1)

    noise = np.full(len(y), kernel.noise_variance)
    return collapsed(own, cross, y, kernel.variance(X), noise)


def negative_bound_of_columns(layout: Layout, u: Array, X: Array, y: Array, places: Places) -> tuple[float, Array]:
    """Minus this bound, and its gradient by all parameters."""
    kernel = AdditiveKernel(layout, u)
    bound, size = bound_of_columns(kernel, X, y, places), _size(kernel)
    slopes = kernel.variance_gradient(X, bound.by_signal())
    by_columns, by_scale = layout.by_column(slopes[:-1]), float(slopes[-1])
    parameters, slices, by_points = layout.by_column(layout.split(u)[0]), _slices(places), bound.by_points()
    pairs = [(z, by_points[which, which]) for z, which in zip(places, slices, strict=True)]

    def add(column: int, x: Array, weights: Array) -> float:
        k, by = layout.bases[column].derivatives(x[:, None], places[column], parameters[column])
        by_columns[column] += [size * float(np.vdot(weights, slope)) for slope in by]
        return size * float(np.vdot(weights, k))

    by_scale += sum(add(column, z, weights) for column, (z, weights) in enumerate(pairs))
    for some, weights in bound.by_cross():
        columns = enumerate(zip(X[some].T, slices, strict=True))
        by_scale += sum(add(column, x, weights[:, which]) for column, (x, which) in columns)
    by_noise = 2.0 * kernel.noise_variance * float(bound.by_noise(even=True).sum())
    return -bound.value, -np.concatenate([*by_columns, [by_scale, by_noise]])


def _size(kernel: AdditiveKernel) -> float:
    """The variance of the function of each column."""
    return float(kernel.layout.term_variances(kernel.layout.split(kernel.u)[1])[0])


def _slices(places: Places) -> list[slice]:
    ends = np.cumsum([0, *map(len, places)])
    return [slice(start, end) for start, end in pairwise(ends)]
