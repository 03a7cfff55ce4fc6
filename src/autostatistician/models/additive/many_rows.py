"""The parameters of an additive kernel on more rows than one matrix should hold: by inducing points.

Starts race on some of the rows; the best goes on with all of them, on the bound of Titsias (see
`gp.engines.inducing.bound`), with inducing points chosen for its parameters, and once more with others.

First order alone on many rows: inducing points of single columns, so that the cost grows with the rows alone.

A sum of functions of one column each has inducing variables that belong to one of them: values ``f_d(z)`` of the
function of column d, of which those of other columns know nothing. Some dozen for each column hold nearly all of a
smooth function, where points in all columns at once would have to fill a space. As rows, they have one coordinate and
lack the others (NaN).

Products with the exact matrix of a first-order additive kernel, in time and memory that grow with n D.

Along one column a kernel of lags is a sum of exponential terms, so its matrix times a vector is one pass there and one
back over the sorted rows (see `gp.engines.semiseparable`). The sum over columns has no such order, but products are all
that conjugate gradients and Lanczos steps ask for (Hestenes and Stiefel 1952; Ubaru, Chen and Saad 2017). Both go on in
units in which the bound by inducing places of single columns would be the truth, so few steps are enough, and the
determinant is that of the bound and an average over a few draws of what it lacks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from math import log, pi, sqrt
from typing import cast

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh_tridiagonal

from autostatistician.gp.engines.inducing import ConditionedByPoints, CovariancesOfRows, given_points
from autostatistician.gp.engines.inducing_bound import Collapsed, candidates_of, chosen, collapsed
from autostatistician.gp.engines.semiseparable.assembly import Assembly
from autostatistician.gp.engines.semiseparable.exponentials import Wanted
from autostatistician.gp.fitting import lowest
from autostatistician.gp.parameters import JointPrior
from autostatistician.gp.problem import Problem
from autostatistician.kernels.expr import Leaf
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.leaves import LEAVES
from autostatistician.models.additive.base import leaf_values
from autostatistician.models.additive.evidence import (
    TOLERANCE,
    AdditiveFit,
    AdditivePrior,
    Objective,
    fit,
    limits,
    penalised,
    started,
)
from autostatistician.models.additive.kernel import AdditiveKernel, Layout

__all__ = [
    "MANY_ROWS", "ColumnProducts", "ExactEvidence", "bound_of_columns", "chosen_places", "exact_evidence",
    "fit_columns", "fit_many", "given_by_places", "given_by_points", "has_products", "is_first_order", "negative_bound",
    "negative_bound_of_columns", "places_of", "rows_of",
]  # fmt: skip


Array = NDArray[np.float64]

MANY_ROWS, ROWS_OF_EXACT_STARTS = 2000, 1000
MOST_POINTS, MOST_POINTS_OF_POSTERIOR = 300, 600
DESCENTS, STEPS = 2, 60


def fit_many(
    layout: Layout, X: Array, y: Array, restarts: int, rng: np.random.Generator, prior: JointPrior | None = None
) -> AdditiveFit:
    """The best of several starts: the most probable parameters, without a prior the most likely ones.

    Raises
    ------
    NotPositiveDefinite
        When no start has a covariance that can be factorised.
    """
    some = np.sort(rng.choice(len(X), min(len(X), ROWS_OF_EXACT_STARTS), replace=False))
    kernel = fit(layout, X[some], y[some], restarts, rng, prior).kernel
    for _ in range(DESCENTS):
        negative = penalised(partial(negative_bound, layout, X=X, y=y, points=_points(kernel, X, MOST_POINTS)), prior)
        kernel = AdditiveKernel(layout, lowest(negative, [kernel.u], limits(layout), ((STEPS, 1),), TOLERANCE))
    return given_by_points(kernel, X, y, _points(kernel, X, MOST_POINTS_OF_POSTERIOR))


def given_by_points(kernel: AdditiveKernel, X: Array, y: Array, points: Array) -> AdditiveFit:
    """A kernel with its parameters, given the data by inducing points (M, D)."""
    noise = np.full(len(y), kernel.noise_variance)
    return AdditiveFit(kernel, given_points(AdditivePrior(kernel), None, X, y, points, noise))


def negative_bound(layout: Layout, u: Array, X: Array, y: Array, points: Array) -> tuple[float, Array]:
    """Minus the bound by inducing points (M, D), and its gradient by all parameters."""
    kernel = AdditiveKernel(layout, u)
    noise = np.full(len(y), kernel.noise_variance)
    bound = collapsed(
        kernel.covariance(points, points), lambda some: kernel.covariance(X[some], points), y, kernel.variance(X), noise
    )
    slopes = kernel.variance_gradient(X, bound.by_signal()) + kernel.cross_gradient(points, points, bound.by_points())
    for some, weights in bound.by_cross():
        slopes += kernel.cross_gradient(X[some], points, weights)
    by_noise = 2.0 * kernel.noise_variance * float(bound.by_noise(even=True).sum())
    return -bound.value, -np.append(slopes, by_noise)


def _points(kernel: AdditiveKernel, X: Array, most: int) -> Array:
    rows = X[candidates_of(len(X))]
    noise = np.full(len(rows), kernel.noise_variance)
    places = chosen(kernel.variance(rows), noise, lambda row: kernel.covariance(rows, rows[row : row + 1])[:, 0], most)
    return cast(Array, np.ascontiguousarray(rows[places]))


Places = tuple[Array, ...]  # of each column

# In all columns, while parameters are sought, and for the posterior.
PLACES_OF_STARTS, MOST_PLACES, MOST_PLACES_OF_POSTERIOR = 200, 300, 600
ROWS_OF_STARTS = 2000
RACE_ROUNDS = ((30, 2), (100, 1))
LOOKS = np.array([-2.0, -1.5, -1.0, -0.5, 0.0, 1.0])  # at lengthscales, in widths of their priors


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


def _objective(layout: Layout, X: Array, y: Array, places: Places, prior: JointPrior | None) -> Objective:
    return penalised(partial(negative_bound_of_columns, layout, X=X, y=y, places=places), prior)


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
    rows, size = X[candidates_of(len(X))], _variance_of_column(kernel)
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
    size, u = _variance_of_column(kernel), kernel.layout.by_column(kernel.layout.split(kernel.u)[0])
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
    bound, size = bound_of_columns(kernel, X, y, places), _variance_of_column(kernel)
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


def _variance_of_column(kernel: AdditiveKernel) -> float:
    """The variance of the function of each column."""
    return float(kernel.layout.term_variances(kernel.layout.split(kernel.u)[1])[0])


def _slices(places: Places) -> list[slice]:
    ends = np.cumsum([0, *map(len, places)])
    return [slice(start, end) for start, end in pairwise(ends)]


Index = NDArray[np.intp]

ERROR = 1e-9  # of the terms of a leaf of size one
PROBES, MOST_STEPS = 8, 100
ENOUGH = 1e-6  # of the residuals of conjugate gradients, as a share
CLOSED = 1e-10  # a Krylov space that holds all of a vector


@dataclass(frozen=True, eq=False)
class _Column:
    """The matrix of one column in blocks of sorted rows (see `semiseparable.recursion`)."""

    order: Index
    K: Array
    U: Array
    V: Array
    phi: Array

    @classmethod
    def of(cls, kernel: Kernel, x: Array) -> _Column:
        assembly = Assembly(kernel, Problem(x[:, None], np.zeros(len(x)), ("x",)), Wanted.alike(ERROR, x))
        parts = [assembly.parts(assembly.every, assembly.layout.part(section)) for section in assembly.sections]
        return cls(assembly.layout.order, *(np.concatenate(each) for each in zip(*parts, strict=True)))

    def times(self, values: Array) -> Array:
        """The product with values (n, k)."""
        (B, m, _), (n, k) = self.K.shape, values.shape
        x = np.zeros((B * m, k))
        x[:n] = values[self.order]
        x = x.reshape(B, m, k)
        total = self.K @ x
        before, after = self.V.transpose(0, 2, 1) @ x, self.U.transpose(0, 2, 1) @ x
        phi = self.phi[..., None]
        for block in range(1, B):  # what the blocks before one, and those after it, hand on
            before[block] += phi[block] * before[block - 1]
            after[-block - 1] += phi[-block - 1] * after[-block]
        total[1:] += self.U[1:] @ before[:-1]
        total[:-1] += self.V[:-1] @ after[1:]
        product = np.empty((n, k))
        product[self.order] = total.reshape(B * m, k)[:n]
        return product


@dataclass(frozen=True, eq=False)
class ColumnProducts:
    """The covariances of observations of a first-order additive function, by what they do to vectors."""

    columns: tuple[_Column, ...]
    noise: float  # variance

    @classmethod
    def of(cls, kernel: AdditiveKernel, X: Array) -> ColumnProducts:
        """At inputs (n, D)."""
        layout = kernel.layout
        parameters, scales, _, _ = layout.split(kernel.u)
        sd = float(np.sqrt(layout.term_variances(scales)[0]))
        leaves = [
            Kernel(Leaf(base.symbol, "x"), tuple(leaf_values(base.symbol, u, sd)))
            for base, u in zip(layout.bases, layout.by_column(parameters), strict=True)
        ]
        columns = tuple(_Column.of(leaf, x) for leaf, x in zip(leaves, X.T, strict=True))
        return cls(columns, kernel.noise_variance)

    def times(self, values: Array) -> Array:
        """The matrix, noise included, times values (n, k)."""
        return np.asarray(sum((column.times(values) for column in self.columns), self.noise * values))


def has_products(layout: Layout) -> bool:
    """Whether the matrix of a kernel has such products: first order, of leaves that are sums of exponential terms."""
    return is_first_order(layout) and all(LEAVES[base.symbol].state_space is not None for base in layout.bases)


@dataclass(frozen=True)
class ExactEvidence:
    """The log marginal likelihood without a bound, the standard error of its determinant, and what it was made of."""

    value: float
    error: float
    alpha: Array  # (n,) the inverse of the matrix times y


def exact_evidence(
    kernel: AdditiveKernel, X: Array, y: Array, places: Places, rng: np.random.Generator
) -> ExactEvidence:
    """The log marginal likelihood of a first-order kernel by products alone, in O(n D) for each step.

    Parameters
    ----------
    kernel : AdditiveKernel
        With its parameters.
    X, y : arrays (n, D) and (n,)
        In standard units.
    places : tuple of arrays
        Inducing places of every column; the more they say, the fewer steps are needed, and the smaller the error.
    rng : Generator
        Of the probes, over which the trace of the logarithm is averaged.
    """
    products = ColumnProducts.of(kernel, X)
    bound = bound_of_columns(kernel, X, y, places)
    near = ConditionedByPoints(AdditivePrior(kernel), X, y, rows_of(places), bound)
    white = near.whitened(y)
    starts = np.column_stack([white, rng.choice([-1.0, 1.0], (len(y), PROBES))])
    found = _lanczos(lambda values: near.whitened(products.times(near.whitened(values))), starts)
    logs = np.array([found.logarithm(probe) for probe in range(1, PROBES + 1)])
    determinant = bound.log_determinant + float(logs.mean())
    solved = found.solution(0)
    value = -0.5 * (float(white @ solved) + determinant + len(y) * log(2.0 * pi))
    error = 0.5 * float(logs.std(ddof=1)) / sqrt(PROBES)
    return ExactEvidence(value, error, near.whitened(solved))


@dataclass(frozen=True, eq=False)
class _Lanczos:
    """What a symmetric matrix does in the Krylov spaces of several vectors, each by itself."""

    sizes: Array  # (k,) of the vectors
    basis: Array  # (steps, n, k)
    diagonal: Array  # (steps, k)
    beside: Array  # (steps - 1, k)

    def logarithm(self, which: int) -> float:
        """The logarithm of the matrix between one of the vectors and itself."""
        values, vectors = eigh_tridiagonal(self.diagonal[:, which], self.beside[:, which])
        return float(self.sizes[which] ** 2 * (vectors[0] ** 2 @ np.log(values)))

    def solution(self, which: int) -> Array:
        """The inverse of the matrix times one of the vectors (n,), as conjugate gradients have it."""
        weights = self.sizes[which] * _coefficients(self.diagonal[:, which], self.beside[:, which])
        return np.asarray(weights @ self.basis[:, :, which])


def _coefficients(diagonal: Array, beside: Array) -> Array:
    """The inverse of a tridiagonal matrix times the first unit vector."""
    values, vectors = eigh_tridiagonal(diagonal, beside)
    return np.asarray(vectors @ (vectors[0] / values))


def _lanczos(product: Callable[[Array], Array], starts: Array) -> _Lanczos:
    """Steps from vectors (n, k) until the first of them is solved for; each is kept orthogonal to all before it."""
    sizes = np.linalg.norm(starts, axis=0)
    basis: list[Array] = [starts / sizes]
    diagonal: list[Array] = []
    beside: list[Array] = []
    while True:
        new = product(basis[-1])
        diagonal.append(np.einsum("nk,nk->k", basis[-1], new))
        for _ in range(2):  # once leaves rounding that grows
            for old in basis:
                new -= old * np.einsum("nk,nk->k", old, new)
        size = np.linalg.norm(new, axis=0)
        main, off = np.array(diagonal), np.array(beside).reshape(-1, len(sizes))
        left = abs(size[0] * _coefficients(main[:, 0], off[:, 0])[-1])
        if len(diagonal) == min(MOST_STEPS, len(starts)) or left < ENOUGH:
            return _Lanczos(sizes, np.array(basis), main, off)
        beside.append(size)
        basis.append(new / np.maximum(size, CLOSED))
