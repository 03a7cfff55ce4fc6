"""The bound of Hensman, Fusi and Lawrence 2013, of which some rows at a time give an unbiased estimate.

Where `bound` has the best belief about the inducing variables in closed form, and needs all rows for it, this one
keeps any normal belief q and improves it by natural gradients. In the notation of `bound`, with ``v = L^-1 u``,
standard normal in the prior, and ``q(v) = N(m, S)``,

    F = sum_i [ log N(y_i | a_i' m, d_i) - (a_i' S a_i + k_ii - q_ii) / (2 d_i) ] - KL(q || N(0, I))

For normal noise a natural gradient step of length r takes the canonical numbers of q that part of the way to those that
the rows ask for (their equations 8 and 9),

    S^-1   <- (1 - r) S^-1   + r (I + s sum_i a_i a_i' / d_i)
    S^-1 m <- (1 - r) S^-1 m + r s sum_i a_i y_i / d_i,

s rows of the data standing behind each. One step of length one with all rows is the belief of `bound`, and F its bound.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import log, pi

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

from autostatistician.inference.covariance import Factor, factorise
from autostatistician.inference.engines.inducing.bound import through_root

__all__ = ["Belief", "SomeRows", "vague"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Belief:
    """A normal distribution of M numbers by ``S^-1`` (M, M) and ``S^-1 m`` (M,)."""

    precision: Array
    shift: Array

    @cached_property
    def factor(self) -> Factor:
        """The factor of the precision."""
        return factorise(self.precision)

    @cached_property
    def covariance(self) -> Array:
        """The covariance S (M, M)."""
        return self.factor.inverse()

    @cached_property
    def mean(self) -> Array:
        """The mean m (M,)."""
        return self.factor.solve(self.shift)

    @property
    def divergence(self) -> float:
        """From independent standard normal numbers, in nats."""
        squares = float(self.covariance.trace()) + float(self.mean @ self.mean)
        return 0.5 * (squares - len(self.shift) + self.factor.logdet)


def vague(count: int) -> Belief:
    """Nothing but the prior.

    >>> vague(3).divergence
    0.0
    """
    return Belief(np.eye(count), np.zeros(count))


@dataclass(frozen=True, eq=False)
class SomeRows:
    """Rows that stand for ``times`` as many, with what their covariances say.

    Examples
    --------
    >>> rows = SomeRows(np.array([2.0]), np.ones(1), np.ones(1), np.ones((1, 1)), np.ones((1, 1)), 1.0)
    >>> after = rows.moved(vague(1), 1.0)
    >>> after.mean.round(4).tolist(), after.covariance.round(4).tolist(), round(rows.value(after), 4)  # log N(2 | 0, 2)
    ([1.0], [[0.5]], -2.2655)
    """

    y: Array  # (c,)
    signal: Array  # (c,) prior variances k_ii
    noise: Array  # (c,) variances d_i
    lower: Array  # (M, M) L
    scaled: Array  # (c, M), the a_i / sqrt(d_i)
    times: float

    def moved(self, belief: Belief, step: float) -> Belief:
        """The belief after a natural gradient step of a length in (0, 1]."""
        wanted = self.times * self.scaled.T @ self.scaled
        wanted[np.diag_indices_from(wanted)] += 1.0
        right = self.times * self.scaled.T @ (self.y / np.sqrt(self.noise))
        return Belief((1.0 - step) * belief.precision + step * wanted, (1.0 - step) * belief.shift + step * right)

    def value(self, belief: Belief) -> float:
        """What the rows say F is."""
        fitted = self._residuals(belief) ** 2 + self._spread(belief)
        logs = float(np.log(self.noise).sum()) + len(self.y) * log(2.0 * pi)
        return -0.5 * self.times * (float(fitted.sum()) + logs) - belief.divergence

    def by_signal(self) -> Array:
        """Derivatives of F by the prior variances ``k_ii`` (c,)."""
        return np.asarray(-0.5 * self.times / self.noise)

    def by_noise(self, belief: Belief) -> Array:
        """Derivatives by the variances of the noise (c,)."""
        fitted = self._residuals(belief) ** 2 + self._spread(belief)
        return np.asarray(0.5 * self.times * (fitted - 1.0) / self.noise)

    def by_cross_and_points(self, belief: Belief) -> tuple[Array, Array]:
        """Derivatives by ``k_xz`` (c, M) and by ``K_zz`` (M, M), before jitter was added; the belief stays."""
        by_a = np.multiply.outer(self._residuals(belief), belief.mean)
        by_a += self.scaled
        by_a -= self.scaled @ belief.covariance
        by_a *= self.times
        through = np.tril(by_a.T @ self.scaled)
        through += np.tril(through, -1).T
        by_cross = lapack.dtrtrs(self.lower, by_a.T, lower=1, trans=1)[0].T
        return np.asarray(by_cross / np.sqrt(self.noise)[:, None]), through_root(self.lower, through)

    def _residuals(self, belief: Belief) -> Array:
        return np.asarray(self.y / np.sqrt(self.noise) - self.scaled @ belief.mean)

    def _spread(self, belief: Belief) -> Array:
        """``(a_i' S a_i + k_ii - q_ii) / d_i``."""
        inner = np.einsum("ij,ij->i", self.scaled @ belief.covariance - self.scaled, self.scaled)
        return np.asarray(inner + self.signal / self.noise)
