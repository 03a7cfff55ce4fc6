"""Smooth functions from latent coordinates to the columns of a table: their evidence and its gradient.

Every column is a function of its own, ``y_d ~ N(0, K)``, and all share ``K = s^2 exp(-|x - x'|^2 / (2 l^2)) + e^2 I``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.covariance import Columns, NotPositiveDefinite, SparseColumns

__all__ = ["NUMBERS", "SparseWarp", "Warp", "log_prior", "smooth_covariance", "spread_rows"]


Array = NDArray[np.float64]

Labels = NDArray[np.intp]

NUMBERS = ("size", "lengthscale", "noise")  # s, l and e; their logarithms are what moves

PRIOR_MEANS = np.log([1.0, 1.0, 0.1])  # for columns of unit variance, and groups of about unit size

PRIOR_DEVIATIONS = np.array([1.0, 0.3, 1.5])  # the lengthscale says how large the latent space is: it is held

#: The least variance of the noise, for columns of unit variance. Chains begin with the larger one: without it exact
#: curves are fitted exactly by the first map that does, and stay as it sees them.
FLOOR, FIRST_FLOOR = 1e-4, 1e-3

JITTER = 1e-6  # of the covariance of inducing rows, as a share of the variance: two of them may be at one place


def log_prior(parameters: Array) -> tuple[float, Array]:
    """The log density of the logarithms of `NUMBERS` (3,), but for a constant, and its gradient."""
    away = (parameters - PRIOR_MEANS) / PRIOR_DEVIATIONS
    return -0.5 * float(away @ away), -away / PRIOR_DEVIATIONS


@dataclass(frozen=True, eq=False)
class Warp:
    """The functions, given coordinates (N, Q), logarithms of the parameters (3,) and columns (N, D) at them.

    Examples
    --------
    >>> warp = Warp.at(np.array([[0.0], [1.0]]), np.zeros(3), np.zeros((2, 1)))
    >>> np.round(warp.smooth, 4).tolist()
    [[1.0, 0.6065], [0.6065, 1.0]]
    """

    X: Array
    parameters: Array
    floor: float
    smooth: Array  # (N, N) the covariance without noise
    columns: Columns

    @classmethod
    def at(cls, X: Array, parameters: Array, Y: Array, floor: float = FLOOR) -> Warp:
        """Put covariance and factor together.

        Raises
        ------
        NotPositiveDefinite
            Where they are not finite.
        """
        smooth = smooth_covariance(X, X, parameters)
        K = smooth.copy()
        K.flat[:: len(K) + 1] += float(np.exp(2.0 * parameters[2])) + floor
        return cls(X, parameters, floor, smooth, Columns.of(K, Y))

    @property
    def log_evidence(self) -> float:
        """``log p(Y | X, parameters)``."""
        return self.columns.log_evidence

    def slope(self) -> tuple[Array, Array]:
        """The gradient of the log evidence by the coordinates (N, Q) and by the logarithms of the parameters (3,)."""
        adjoint = self.columns.adjoint()
        weight = adjoint * self.smooth
        square = float(np.exp(2.0 * self.parameters[1]))
        rows = weight.sum(axis=1)
        pulled = weight @ self.X
        by_place = -2.0 / square * (rows[:, None] * self.X - pulled)
        stretch = 2.0 / square * float((rows[:, None] * self.X * self.X).sum() - (self.X * pulled).sum())
        noise = float(np.exp(2.0 * self.parameters[2]))
        return by_place, np.array([2.0 * rows.sum(), stretch, 2.0 * noise * np.trace(adjoint)])

    def predict(self, at: Array) -> tuple[Array, Array]:
        """Means (M, D) and the common variance (M,), noise included, of columns at new coordinates (M, Q)."""
        cross = smooth_covariance(self.X, at, self.parameters)
        mean, less = self.columns.predict(cross)
        size, noise = np.exp(2.0 * self.parameters[[0, 2]])
        return mean, np.maximum(size - less, 0.0) + noise + self.floor


def smooth_covariance(X: Array, at: Array, parameters: Array) -> Array:
    """The covariance (N, M) of the functions without noise."""
    scaled, other = X * np.exp(-parameters[1]), at * np.exp(-parameters[1])
    half = 0.5 * (scaled * scaled).sum(axis=1)
    exponent = scaled @ other.T
    exponent -= half[:, None]
    exponent -= 0.5 * (other * other).sum(axis=1)
    np.minimum(exponent, 0.0, out=exponent)
    exponent += 2.0 * parameters[0]
    return np.asarray(np.exp(exponent, out=exponent))


# --- Smooth functions of many rows, by way of some of them, whose places move with them -----------------------------


@dataclass(frozen=True, eq=False)
class SparseWarp:
    """The functions, given coordinates (N, Q), logarithms of parameters (3,), columns (N, D) and inducing rows (M,).

    Examples
    --------
    >>> X, Y = np.array([[0.0], [1.0], [2.0]]), np.array([[0.0], [1.0], [0.5]])
    >>> warp = SparseWarp.at(X, np.zeros(3), Y, np.array([0, 2]))
    >>> round(warp.log_evidence, 4)
    -3.9849
    """

    X: Array
    parameters: Array
    floor: float
    inducing: Labels
    among: Array  # (M, M) covariance of inducing rows
    cross: Array  # (M, N) theirs with all rows
    columns: SparseColumns

    @classmethod
    def at(cls, X: Array, parameters: Array, Y: Array, inducing: Labels, floor: float = FLOOR) -> SparseWarp:
        """Put covariances and factors together.

        Raises
        ------
        NotPositiveDefinite
            Where they are not finite.
        """
        size, noise = np.exp(2.0 * parameters[[0, 2]])
        if not np.isfinite(size):
            raise NotPositiveDefinite
        cross = smooth_covariance(X[inducing], X, parameters)
        among = cross[:, inducing] + JITTER * size * np.eye(len(inducing))
        variances, least = np.full(len(Y), size + noise + floor), float(noise + floor)
        columns = SparseColumns.of(among, cross, variances, least, Y)
        return cls(X, parameters, floor, inducing, among, cross, columns)

    @property
    def log_evidence(self) -> float:
        """``log p(Y | X, parameters)``."""
        return self.columns.log_evidence

    def slope(self) -> tuple[Array, Array]:
        """The gradient of the log evidence by the coordinates (N, Q) and by the logarithms of the parameters (3,)."""
        size, square, noise = np.exp(2.0 * self.parameters)
        by_among, by_cross, by_variance = self.columns.adjoints()
        among, across = by_among * self.among, by_cross * self.cross
        Z = self.X[self.inducing]
        by_place = (across.T @ Z - across.sum(axis=0)[:, None] * self.X) / square
        by_inducing = across @ self.X - across.sum(axis=1)[:, None] * Z
        both = among + among.T
        by_inducing += both @ Z - both.sum(axis=1)[:, None] * Z
        np.add.at(by_place, self.inducing, by_inducing / square)
        stretch = float((across * _squares(Z, self.X)).sum() + (among * _squares(Z, Z)).sum()) / square
        total = 2.0 * float(across.sum() + among.sum() + size * by_variance.sum())
        return by_place, np.array([total, stretch, 2.0 * noise * by_variance.sum()])

    def predict(self, at: Array) -> tuple[Array, Array]:
        """Means (K, D) and the common variance (K,), noise included, of columns at new coordinates (K, Q)."""
        mean, less = self.columns.predict(smooth_covariance(self.X[self.inducing], at, self.parameters))
        size, noise = np.exp(2.0 * self.parameters[[0, 2]])
        return mean, np.maximum(size - less, 0.0) + noise + self.floor


def spread_rows(Y: Array, count: int) -> Labels:
    """Rows (count,) far from each other: each the farthest from those before it, the first the farthest from the mean.

    Examples
    --------
    >>> spread_rows(np.array([[0.0], [1.0], [9.0], [10.0]]), 2).tolist()
    [0, 3]
    """
    chosen = [int(((Y - Y.mean(axis=0)) ** 2).sum(axis=1).argmax())]
    nearest = ((Y - Y[chosen[0]]) ** 2).sum(axis=1)
    while len(chosen) < min(count, len(Y)):
        chosen.append(int(nearest.argmax()))
        nearest = np.minimum(nearest, ((Y - Y[chosen[-1]]) ** 2).sum(axis=1))
    return np.array(chosen, dtype=np.intp)


def _squares(X: Array, at: Array) -> Array:
    """Squared distances (N, M)."""
    return np.asarray((X**2).sum(axis=1)[:, None] + (at**2).sum(axis=1) - 2.0 * X @ at.T)
