"""The posterior of one part of a model at some places, in a form in which sums of parts are sums."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

__all__ = ["Projection", "draw", "repeated", "total"]

Array = NDArray[np.float64]

ROUNDING_SHARE = 1e-13  # relative to the prior variance: what is left of a posterior covariance below it


class Projection:
    """A normal posterior over m values: its mean, and its covariance as that of the prior less ``reduced' reduced``.

    ``reduced`` (n, m) also says how the mean hangs on the observations: it is ``errors @ reduced`` for their
    standardised errors of predicting each from those before it. What is not asked for is not computed.
    """

    def __init__(
        self, mean: Array, prior: Callable[[], Array], reduced: Callable[[], Array], matrix: Callable[[], Array]
    ) -> None:
        self.mean = mean
        self._prior, self._reduced, self._matrix = prior, reduced, matrix

    @cached_property
    def prior(self) -> Array:
        """Prior variance (m,)."""
        return self._prior()

    @cached_property
    def reduced(self) -> Array:
        """What the observations take off the prior: (n, m)."""
        return self._reduced()

    @cached_property
    def explained(self) -> Array:
        """How much of the prior variance (m,) the observations explain."""
        return np.asarray(np.einsum("ij,ij->j", self.reduced, self.reduced))

    @property
    def variance(self) -> Array:
        """Posterior variance (m,)."""
        return np.asarray(np.maximum(self.prior - self.explained, 0.0))

    @property
    def sd(self) -> Array:
        """Posterior standard deviation (m,)."""
        return np.asarray(np.sqrt(self.variance))

    def covariance(self) -> Array:
        """Posterior covariance (m, m)."""
        return np.asarray(self._matrix() - self.reduced.T @ self.reduced)

    def between(self, other: Projection) -> Array:
        """Posterior covariance (m, k) with another part of the model (Duvenaud 2014, section 2.4.5)."""
        return np.asarray(-(self.reduced.T @ other.reduced))

    def shifted(self, by: Array) -> Projection:
        """The same about a mean that is so much higher (m,)."""
        return Projection(self.mean + by, lambda: self.prior, lambda: self.reduced, self._matrix)

    def draws(self, rng: np.random.Generator, count: int) -> Array:
        """Joint draws (count, m)."""
        return draw(self.mean, self.covariance(), rng, scale=float(self.prior.max(initial=0.0)), count=count)


def repeated(one: Projection, count: int) -> Projection:
    """A single value (m = 1) as if it were asked for at so many places.

    >>> one = Projection(np.ones(1), lambda: np.ones(1), lambda: np.zeros((1, 1)), lambda: np.eye(1))
    >>> repeated(one, 2).covariance().tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    return Projection(
        np.repeat(one.mean, count),
        lambda: np.repeat(one.prior, count),
        lambda: np.repeat(one.reduced, count, axis=1),
        lambda: np.full((count, count), float(one._matrix()[0, 0])),
    )


def total(parts: Sequence[Projection]) -> Projection:
    """The posterior of the sum of different parts of a model at the same places.

    >>> one = Projection(np.ones(2), lambda: np.ones(2), lambda: np.zeros((1, 2)), lambda: np.eye(2))
    >>> total([one, one]).mean.tolist(), total([one, one]).prior.tolist()
    ([2.0, 2.0], [2.0, 2.0])
    """
    return Projection(
        _sum([one.mean for one in parts]),
        lambda: _sum([one.prior for one in parts]),
        lambda: _sum([one.reduced for one in parts]),
        lambda: _sum([one._matrix() for one in parts]),
    )


def _sum(arrays: Sequence[Array]) -> Array:
    return np.asarray(sum(arrays[1:], start=arrays[0]))


def draw(mean: Array, cov: Array, rng: np.random.Generator, *, scale: float, count: int = 3) -> Array:
    """Draws (count, m) from a normal distribution whose covariance may be singular.

    A pivoted Cholesky factorisation (LAPACK ``pstrf``) stops where only rounding is left, so no jitter roughens the
    draws. ``scale`` is the prior variance from which ``cov`` was computed.

    Examples
    --------
    >>> ones = np.ones((3, 3))
    >>> sample = draw(np.zeros(3), ones, np.random.default_rng(0), scale=1.0, count=1)[0]
    >>> bool(np.ptp(sample) < 1e-12)
    True
    """
    normal = rng.standard_normal((count, len(mean)))
    if not len(mean):
        return normal
    packed, pivots, rank, _ = lapack.dpstrf(cov, tol=ROUNDING_SHARE * scale, lower=1)
    samples = np.empty_like(normal)
    samples[:, pivots - 1] = normal[:, :rank] @ np.tril(packed)[:, :rank].T
    return samples + mean
