"""Several columns of observations that are functions of their own, with one covariance for all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_triangular

from autostatistician.gp.covariance.factor import Factor, factorise

__all__ = ["Columns", "SparseColumns"]


Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Columns:
    """Columns ``y_d ~ N(0, K)``, independent of each other.

    Examples
    --------
    >>> columns = Columns.of(np.diag([1.0, 4.0]), np.array([[1.0, 0.0], [2.0, 0.0]]))
    >>> round(columns.log_evidence, 6)
    -6.062048
    """

    Y: Array  # (N, D)
    factor: Factor  # of K
    solved: Array  # (N, D) K^-1 Y

    @classmethod
    def of(cls, K: Array, Y: Array) -> Columns:
        """Condition on columns (N, D); the memory of ``K`` (N, N) is used up.

        Raises
        ------
        NotPositiveDefinite
            Where it has no factor.
        """
        factor = factorise(K, overwrite=True)
        return cls(Y, factor, factor.solve(np.asfortranarray(Y)))

    @property
    def log_evidence(self) -> float:
        """``log p(Y)``."""
        quadratic = float((self.Y * self.solved).sum())
        constant = float(len(self.Y) * np.log(2.0 * np.pi))
        return float(-0.5 * (self.Y.shape[1] * (self.factor.logdet + constant) + quadratic))

    @property
    def precision(self) -> Array:
        """The inverse (N, N) of K."""
        return self.factor.inverse()

    def adjoint(self) -> Array:
        """The derivative (N, N) of `log_evidence` by K, as if its cells were independent."""
        return np.asarray(0.5 * (self.solved @ self.solved.T - self.Y.shape[1] * self.precision))

    def predict(self, cross: Array) -> tuple[Array, Array]:
        """Means (M, D) at new places with covariance ``cross`` (N, M), and how much less their variance is (M,)."""
        half = self.factor.half_solve(np.asfortranarray(cross))
        return cross.T @ self.solved, np.einsum("nm,nm->m", half, half)


# --- Several columns of observations with one covariance, told by way of some rows ----------------------------------


@dataclass(frozen=True, eq=False)
class SparseColumns:
    """Columns ``y_d ~ N(0, Q + diag(v - Q))``, independent of each other.

    Examples
    --------
    >>> U, C = np.array([[1.0]]), np.array([[1.0, 0.5]])
    >>> columns = SparseColumns.of(U, C, np.array([1.5, 1.5]), 0.5, np.array([[1.0], [2.0]]))
    >>> round(columns.log_evidence, 6)
    -3.559451
    """

    root: Array  # (M, M) lower factor of U
    half: Array  # (M, N) root^-1 C
    spread: Array  # (N,) variances that the inducing rows leave
    inner: Array  # (M, M) lower factor of I + half diag(spread)^-1 half'
    solved: Array  # (N, D) the whole covariance^-1 Y
    log_evidence: float

    @classmethod
    def of(cls, U: Array, C: Array, variances: Array, least: float, Y: Array) -> SparseColumns:
        """Condition on columns (N, D); at least ``least``, the noise, stays of the variance of each row.

        Raises
        ------
        NotPositiveDefinite
            Where there are no factors.
        """
        root = factorise(U).lower
        half = _solved(root, C)
        spread = np.maximum(variances - np.einsum("mn,mn->n", half, half), least)
        weighed = half / spread
        inner = factorise(np.eye(len(U)) + weighed @ half.T).lower
        within = _solved(inner, weighed @ Y)
        solved = Y / spread[:, None] - weighed.T @ _solved(inner, within, transposed=True)
        logdet = float(np.log(spread).sum() + 2.0 * np.log(np.diagonal(inner)).sum())
        level = -0.5 * (Y.shape[1] * (logdet + len(Y) * np.log(2.0 * np.pi)) + float((Y * solved).sum()))
        return cls(root, half, spread, inner, solved, float(level))

    def adjoints(self) -> tuple[Array, Array, Array]:
        """The derivatives of `log_evidence` by ``U`` (M, M), ``C`` (M, N) and the variances (N,)."""
        columns = self.solved.shape[1]
        inner = _solved(self.inner, self.half / self.spread)
        taken = 1.0 / self.spread - np.einsum("mn,mn->n", inner, inner)
        by_variance = 0.5 * ((self.solved**2).sum(axis=1) - columns * taken)
        turned = 0.5 * (self.half @ self.solved) @ self.solved.T
        turned -= 0.5 * columns * (self.half / self.spread - (self.half @ inner.T) @ inner)
        turned -= self.half * by_variance
        halved = _solved(self.root, turned, transposed=True)
        return -halved @ _solved(self.root, self.half, transposed=True).T, 2.0 * halved, by_variance

    def predict(self, cross: Array) -> tuple[Array, Array]:
        """Means (K, D) at new places with covariance ``cross`` (M, K), and how much less their variance is (K,)."""
        half = _solved(self.root, cross)
        left = _solved(self.inner, half)
        less = np.einsum("mk,mk->k", half, half) - np.einsum("mk,mk->k", left, left)
        return half.T @ (self.half @ self.solved), less


def _solved(lower: Array, b: Array, *, transposed: bool = False) -> Array:
    return np.asarray(solve_triangular(lower, b, lower=True, trans="T" if transposed else "N", check_finite=False))
