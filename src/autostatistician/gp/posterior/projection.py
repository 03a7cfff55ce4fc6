"""The posterior of one part of a model at some places, in a form in which sums of parts are sums.

Joint draws of new observations: each distributed as it should be, together as their covariance says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack
from scipy.special import ndtr, ndtri

from autostatistician._io.threads import one_thread
from autostatistician.errors import InputError
from autostatistician.gp.posterior.functionals import Covariances

__all__ = [
    "Dense", "Projection", "Reduction", "draw", "normal_draws", "repeated", "root", "spread_normals", "total",
    "with_marginals",
]  # fmt: skip


Array = NDArray[np.float64]

TAIL = 1e-12  # keeps the last place below 1

MOST_VALUES = 20_000  # whose covariances one matrix can hold

ROUNDING_SHARE = 1e-13  # relative to the prior variance: what is left of a posterior covariance below it


class Reduction(Protocol):
    """What n observations take off the prior covariance of m values: ``R' R`` of a matrix R (n, m).

    R also says how their mean hangs on the observations: it is ``errors @ R`` for the standardised errors of predicting
    each from those before it. Not every engine holds R.
    """

    def explained(self) -> Array:
        """The diagonal (m,) of ``R' R``."""

    def gram(self, other: Any) -> Array:
        """``R' S`` (m, k) with the matrix S of another reduction by the same observations."""

    def means(self, errors: Array) -> Array:
        """Means (k, m) under independent standard normal errors (k, n): ``errors @ R``, or others as likely."""

    def plus(self, other: Any) -> Reduction:
        """That of the sum with another part of the model at the same places."""

    def zero(self) -> Reduction:
        """That of a part that is zero, at the same places."""

    def repeated(self, count: int) -> Reduction:
        """That of the same value (m = 1) as if it were asked for at so many places."""

    def dense(self) -> Array:
        """R itself."""


@dataclass(frozen=True, eq=False)
class Dense:
    """A reduction whose matrix is held."""

    matrix: Array

    def explained(self) -> Array:
        """How much is taken off each variance (m,)."""
        return np.asarray(np.einsum("ij,ij->j", self.matrix, self.matrix))

    def gram(self, other: Reduction) -> Array:
        """What is taken off the covariances (m, k) with other values."""
        return np.asarray(self.matrix.T @ other.dense())

    def means(self, errors: Array) -> Array:
        """The means (k, m) that errors (k, n) give."""
        return np.asarray(errors @ self.matrix)

    def plus(self, other: Reduction) -> Dense:
        """That of the sum with another part."""
        return Dense(self.matrix + other.dense())

    def zero(self) -> Dense:
        """That of a part that is zero."""
        return Dense(np.zeros_like(self.matrix))

    def repeated(self, count: int) -> Dense:
        """That of a single value at so many places."""
        return Dense(np.repeat(self.matrix, count, axis=1))

    def dense(self) -> Array:
        """The matrix (n, m)."""
        return self.matrix


class Projection:
    """A normal posterior over m values: its mean, and its covariance as that of the prior less a `Reduction`.

    What is not asked for is not computed.
    """

    def __init__(
        self, mean: Array, prior: Callable[[], Array], reduction: Callable[[], Reduction], matrix: Callable[[], Array]
    ) -> None:
        self.mean = mean
        self._prior, self._reduction, self._matrix = prior, reduction, matrix

    @classmethod
    def of(cls, asked: Covariances, weights: Array, halved: Callable[[Array], Array]) -> Projection:
        """By covariances with n values, weights (n,) of these in the mean, and what makes (n, m) of them a matrix R."""
        return cls(asked.cross @ weights, lambda: asked.variance, lambda: Dense(halved(asked.cross.T)), asked.matrix)

    @cached_property
    def prior(self) -> Array:
        """Prior variance (m,)."""
        return self._prior()

    @cached_property
    def reduction(self) -> Reduction:
        """What the observations take off the prior."""
        return self._reduction()

    @cached_property
    def explained(self) -> Array:
        """How much of the prior variance (m,) the observations explain."""
        return self.reduction.explained()

    @property
    def variance(self) -> Array:
        """Posterior variance (m,)."""
        return np.asarray(np.maximum(self.prior - self.explained, 0.0))

    @property
    def sd(self) -> Array:
        """Posterior standard deviation (m,)."""
        return np.asarray(np.sqrt(self.variance))

    def covariance(self) -> Array:
        """Posterior covariance (m, m).

        Raises
        ------
        InputError
            When there are more values than one matrix can hold.
        """
        if len(self.mean) > MOST_VALUES:
            remedy = "ask for standard deviations, or for fewer places"
            raise InputError.of(f"covariances between at most {MOST_VALUES} values", f"{len(self.mean)}", remedy)
        return np.asarray(self._matrix() - self.reduction.gram(self.reduction))

    def between(self, other: Projection) -> Array:
        """Posterior covariance (m, k) with another part of the model (Duvenaud 2014, section 2.4.5)."""
        return np.asarray(-self.reduction.gram(other.reduction))

    def shifted(self, by: Array) -> Projection:
        """The same about a mean that is so much higher (m,)."""
        return Projection(self.mean + by, lambda: self.prior, lambda: self.reduction, self._matrix)

    def draws(self, rng: np.random.Generator, count: int) -> Array:
        """Joint draws (count, m)."""
        return draw(self.mean, self.covariance(), rng, scale=float(self.prior.max(initial=0.0)), count=count)


def repeated(projection: Projection, count: int) -> Projection:
    """A single value (m = 1) as if it were asked for at so many places.

    >>> one = Projection(np.ones(1), lambda: np.ones(1), lambda: Dense(np.zeros((1, 1))), lambda: np.eye(1))
    >>> repeated(one, 2).covariance().tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    return Projection(
        np.repeat(projection.mean, count),
        lambda: np.repeat(projection.prior, count),
        lambda: projection.reduction.repeated(count),
        lambda: np.full((count, count), float(projection._matrix()[0, 0])),
    )


def total(parts: Sequence[Projection]) -> Projection:
    """The posterior of the sum of different parts of a model at the same places.

    >>> one = Projection(np.ones(2), lambda: np.ones(2), lambda: Dense(np.zeros((1, 2))), lambda: np.eye(2))
    >>> total([one, one]).mean.tolist(), total([one, one]).prior.tolist()
    ([2.0, 2.0], [2.0, 2.0])
    """
    return Projection(
        _sum([part.mean for part in parts]),
        lambda: _sum([part.prior for part in parts]),
        lambda: reduce(lambda part, other: part.plus(other), [part.reduction for part in parts]),
        lambda: _sum([part._matrix() for part in parts]),
    )


def _sum(arrays: Sequence[Array]) -> Array:
    return np.asarray(sum(arrays[1:], start=arrays[0]))


def draw(
    mean: Array,
    cov: Array,
    rng: np.random.Generator,
    *,
    scale: float | None = None,
    count: int = 3,
    independent: bool = False,
) -> Array:
    """Draws (count, m) from a normal distribution whose covariance may be singular.

    A pivoted Cholesky factorisation (LAPACK ``pstrf``) stops where only rounding is left, so no jitter roughens the
    draws. ``scale`` is the prior variance from which ``cov`` was computed; when not given, the largest there. Draws
    lie spread out, which makes ranges from few of them better, unless they are to be ``independent``.

    Examples
    --------
    >>> ones = np.ones((3, 3))
    >>> sample = draw(np.zeros(3), ones, np.random.default_rng(0), scale=1.0, count=1)[0]
    >>> bool(np.ptp(sample) < 1e-12)
    True
    """
    normal = rng.standard_normal((count, len(mean))) if independent else spread_normals(rng, count, len(mean))
    if not len(mean):
        return normal
    lower, pivots = _pivoted(cov, float(cov.diagonal().max(initial=0.0)) if scale is None else scale)
    samples = np.empty_like(normal)
    samples[:, pivots] = normal[:, : lower.shape[1]] @ lower.T
    return samples + mean


def root(cov: Array, *, scale: float) -> Array:
    """A root (m, k) of a covariance (m, m), ``root root' = cov`` but for rounding, with as few columns as it takes.

    >>> root(4.0 * np.ones((2, 2)), scale=4.0).tolist()
    [[2.0], [2.0]]
    """
    lower, pivots = _pivoted(cov, scale)
    lower_root = np.empty_like(lower)
    lower_root[pivots] = lower
    return lower_root


def _pivoted(cov: Array, scale: float) -> tuple[Array, NDArray[np.intp]]:
    """The columns (m, k) of a pivoted factor that are more than rounding, and the rows that they stand for."""
    packed, pivots, rank, _ = lapack.dpstrf(cov, tol=ROUNDING_SHARE * scale, lower=1)
    return np.tril(packed[:, :rank]), pivots - 1


# --- Normal draws that lie spread out, so that few of them stand for the distribution -------------------------------


def spread_normals(rng: np.random.Generator, count: int, size: int) -> Array:
    """As many standard normal vectors (count, size), each coordinate of which has one in every count-th of its range.

    Each by itself is a plain draw; sums and shares over all of them vary less from seed to seed than those of
    independent ones (Latin hypercubes; McKay, Beckman and Conover 1979).

    Parameters
    ----------
    rng : Generator
        Of the order in every coordinate, and of the places within the parts.
    count, size : int
        Vectors, and their coordinates.

    Examples
    --------
    >>> found = spread_normals(np.random.default_rng(0), 4, 2)
    >>> np.sort(found > 0.0, axis=0).tolist()
    [[False, False], [False, False], [True, True], [True, True]]
    """
    parts = rng.permuted(np.tile(np.arange(count, dtype=np.float64)[:, None], size), axis=0)
    return np.asarray(ndtri((parts + 1.0 - rng.random((count, size))) / (count + TAIL)))


SCORES = np.linspace(-6.0, 6.0, 401)  # normal ones of the quantiles that draws are read off


class Quantiles(Protocol):
    """One distribution for each of m rows."""

    def quantiles(self, levels: Sequence[float]) -> Array:
        """Quantiles (m, number of levels)."""


def normal_draws(mean: Array, cov: Array, rng: np.random.Generator, count: int) -> Array:
    """Normal draws (m, count)."""
    with one_thread():
        return draw(mean, cov, rng, count=count, independent=True).T


def with_marginals(
    each: Quantiles, cov: Array, count: int, rng: np.random.Generator, *, whole: bool, scores: Array = SCORES
) -> Array:
    """Draws (m, count) whose values are each distributed as they should be, and go together as ``cov`` (m, m) says.

    A Gaussian copula: normal draws with these correlations become quantiles. ``whole`` takes quantiles as they are
    (counts), otherwise they are joined by lines; those of fewer ``scores`` take less time.

    >>> from autostatistician.data.transform import Transform
    >>> from autostatistician.gp.predictive import predictive
    >>> of_logarithm = predictive(np.zeros(2), np.ones(2), Transform("log"))
    >>> drawn = with_marginals(of_logarithm, np.eye(2), 2000, np.random.default_rng(0), whole=False)
    >>> np.median(drawn, axis=1).round(1).tolist(), bool((drawn > 0.0).all())
    ([1.0, 1.0], True)
    """
    sds = np.sqrt(np.maximum(cov.diagonal(), 0.0))
    scales = np.where(sds > 0.0, sds, 1.0)
    normal = normal_draws(np.zeros(len(cov)), cov / np.outer(scales, scales), rng, count)
    quantiles = each.quantiles(ndtr(scores).tolist())
    if whole:
        places = np.clip(np.round((normal - scores[0]) / (scores[1] - scores[0])), 0, len(scores) - 1)
        return np.take_along_axis(quantiles, places.astype(np.intp), axis=1)
    return np.array([np.interp(row, scores, values) for row, values in zip(normal, quantiles, strict=True)])
