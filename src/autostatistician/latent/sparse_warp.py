"""Smooth functions of many rows, by way of some of them, whose places move with them: time linear in the rows.

With all rows it is `Warp`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.covariance import NotPositiveDefinite
from autostatistician.inference.covariance.sparse_columns import SparseColumns
from autostatistician.latent.warp import FLOOR, smooth_covariance

__all__ = ["JITTER", "SparseWarp", "spread_rows"]

Array = NDArray[np.float64]
Labels = NDArray[np.intp]

JITTER = 1e-6  # of the covariance of inducing rows, as a share of the variance: two of them may be at one place


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
