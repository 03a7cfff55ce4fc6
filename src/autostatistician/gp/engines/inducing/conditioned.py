"""A normal prior conditioned on observations by inducing points, and all that is asked of it.

With the notation of `bound` and ``a* = L^-1 k_z*``, a value has the mean ``a*' beta`` and the variance
``k** - a*' (I - B^-1) a*`` (Titsias 2009, equation 6). ``I - B^-1`` is positive semidefinite, so with R'R for it parts
of the function are projections as with one matrix: ``R a*`` is what the observations take off the prior.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import pi
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

from autostatistician.gp.engines.inducing.bound import Collapsed, collapsed
from autostatistician.gp.posterior import Dense, Functional, Prior, Projection, Values

__all__ = ["ConditionedByPoints", "CovariancesOfRows", "given_points"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class CovariancesOfRows:
    """Prior covariances of a part at some rows of ``X`` (n, d) with inducing ``points`` (M, d), when called."""

    prior: Prior
    part: Any
    X: Array
    points: Array

    def __call__(self, some: slice) -> Array:
        """Those of some rows (c, M)."""
        return self.prior.matrix(self.part, self.X[some], self.points)


@dataclass(frozen=True, eq=False)
class ConditionedByPoints:
    """Observations ``y`` (n,) at ``X`` (n, d) under a prior of additive parts, by inducing ``points`` (M, d)."""

    prior: Prior
    X: Array
    y: Array
    points: Array
    bound: Collapsed

    @property
    def log_evidence(self) -> float:
        """The bound on the log marginal likelihood."""
        return self.bound.value

    @property
    def jitter(self) -> float:
        """None on the variances of the observations."""
        return 0.0

    def project(self, part: Any, at: Functional | Array | None = None) -> Projection:
        """The posterior of an additive part at points (m, d), at other `Functional`, or at the observations (None).

        White noise in a part is a new, independent draw with mean zero, at the observations, too.
        """
        places = Values(self.X if at is None else at) if at is None or isinstance(at, np.ndarray) else at
        covariances = places.covariances(self.prior, part, self.points)
        return Projection(
            covariances.cross @ self._weights,
            lambda: covariances.variance,
            lambda: Dense(self._root @ self._inner(covariances.cross)),
            covariances.matrix,
        )

    def leave_one_out(self) -> tuple[Array, Array, Array]:
        """Mean, variance and log density (n,) of each observation predicted from all the others.

        The inducing points stay. With ``C = Q + D`` the mean is ``y_i - [C^-1 y]_i / [C^-1]_ii``, as with one matrix
        (Rasmussen and Williams 2006, equations 5.10 to 5.12); the variance is ``1 / [C^-1]_ii`` and what the inducing
        points leave of the prior variance at the place.
        """
        alpha, diagonal = self._alpha_and_own
        error, variance = alpha / diagonal, 1.0 / diagonal + self.bound.unexplained
        return self.y - error, variance, -0.5 * (np.log(2.0 * pi * variance) + error**2 / variance)

    def simulated_leave_one_out(self, count: int, rng: np.random.Generator) -> Array:
        """Standardised errors (count, n) of such predictions, for data drawn from the posterior's own prior.

        That is ``Q + D`` with what the inducing points leave of the variances as further noise.
        """
        bound, diagonal = self.bound, self._alpha_and_own[1]
        variance = 1.0 / diagonal + bound.unexplained
        values = rng.standard_normal((len(self.points), count))
        errors, total = np.empty((count, len(self.y))), np.zeros((len(self.points), count))
        for some, scaled in bound.scaled():
            spread = np.sqrt(1.0 + bound.unexplained[some] / bound.noise[some])
            drawn = scaled @ values + spread[:, None] * rng.standard_normal((len(scaled), count))
            total += scaled.T @ drawn
            errors[:, some] = drawn.T
        weights = bound.inner.solve(total)
        for some, scaled in bound.scaled():
            residuals = errors[:, some] - (scaled @ weights).T
            errors[:, some] = residuals / np.sqrt(bound.noise[some]) / (diagonal[some] * np.sqrt(variance[some]))
        return errors

    def whitened(self, values: Array) -> Array:
        """Values (n,) or (n, k) at the observations in units in which these are independent, each of variance one.

        That is the inverse of the symmetric root of ``Q + D`` with D divided out, one but for M directions.
        """
        spread, vectors = self._directions
        scaled = (values.T / np.sqrt(self.bound.noise)).T
        total = np.zeros((len(self.points), *values.shape[1:]))
        for some, rows in self.bound.scaled():
            total += rows.T @ scaled[some]
        shrunk = (1.0 - 1.0 / np.sqrt(1.0 + spread)) / np.maximum(spread, np.finfo(float).tiny)
        weights = vectors @ (shrunk * (vectors.T @ total).T).T
        return np.concatenate([scaled[some] - rows @ weights for some, rows in self.bound.scaled()])

    def innovations(self) -> Array:
        """Standardised values (n,) that are independent under the model; rows of a table have none before them."""
        return self.whitened(self.y)

    @property
    def innovation_sd(self) -> Array:
        """The standard deviations (n,) of predicting each observation from all others."""
        return np.sqrt(self.leave_one_out()[1])

    def _inner(self, cross: Array) -> Array:
        """``a*`` (M, m), from covariances (m, M)."""
        inner, _ = lapack.dtrtrs(self.bound.lower, cross.T, lower=1)
        return np.asarray(inner).reshape(cross.T.shape)

    @cached_property
    def _weights(self) -> Array:
        """``L^-T beta`` (M,): by what covariances with the inducing points are multiplied and summed for a mean."""
        weights, _ = lapack.dtrtrs(self.bound.lower, self.bound.beta, lower=1, trans=1)
        return np.asarray(weights)

    @cached_property
    def _directions(self) -> tuple[Array, Array]:
        """Eigenvalues (M,) of ``B - I``, not below zero, with their vectors as columns."""
        values, vectors = np.linalg.eigh(self.bound.gram)
        return np.maximum(values - 1.0, 0.0), vectors

    @cached_property
    def _root(self) -> Array:
        """R (M, M) with ``R'R = I - B^-1``."""
        spread, vectors = self._directions
        return np.asarray(np.sqrt(spread / (1.0 + spread))[:, None] * vectors.T)

    @cached_property
    def _alpha_and_own(self) -> tuple[Array, Array]:
        """``C^-1 y`` (n,) and the diagonal of ``C^-1`` for ``C = Q + D``."""
        bound, alpha, diagonal = self.bound, np.empty(len(self.y)), np.empty(len(self.y))
        for some, scaled in bound.scaled():
            alpha[some] = bound.residuals(scaled, some) / np.sqrt(bound.noise[some])
            diagonal[some] = (1.0 - bound.leverage(scaled)) / bound.noise[some]
        return alpha, diagonal


def given_points(prior: Prior, part: Any, X: Array, y: Array, points: Array, noise: Array) -> ConditionedByPoints:
    """Condition the function that a part stands for on observations with variances ``noise`` (n,).

    Raises
    ------
    NotPositiveDefinite
        When covariances are not finite.
    """
    rows = CovariancesOfRows(prior, part, X, points)
    bound = collapsed(prior.matrix(part, points, points), rows, y, prior.variance(part, X), noise, keep=False)
    return ConditionedByPoints(prior, X, y, points, bound)
