"""Covariances with inducing points, whitened by a Cholesky factor, and the reverse pass through them.

A Gaussian process with the covariance ``k`` is seen through its values at M inducing points ``Z``. With
``k(Z, Z) = L L'`` the columns of ``A = L^-1 k(Z, H)`` (M, P) say how its values at P places ``H`` depend on M numbers
that are independent and standard normal in the prior.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.covariance import triangles

__all__ = ["JITTER", "ARDKernel", "WhitenedSlopes", "Whitened", "whitened"]

Array = NDArray[np.float64]

JITTER = 1e-6  # on the diagonal of k(Z, Z), as a share of the variance


class ARDKernel(NamedTuple):
    """A squared exponential with a lengthscale for every column: ``v exp(-sum_d (h_d - h'_d)^2 / (2 l_d^2))``."""

    log_variance: float
    log_scales: Array  # (D,), logarithms of the lengthscales

    def __call__(self, Z: Array, H: Array) -> Array:
        """Covariances (M, P) of places (M, D) and (P, D).

        >>> ARDKernel(0.0, np.zeros(1))(np.zeros((1, 1)), np.array([[0.0], [2.0]])).round(4).tolist()
        [[1.0, 0.1353]]
        """
        inverse = np.exp(-self.log_scales)
        Z, H = Z * inverse, H * inverse
        K = Z @ H.T
        K -= 0.5 * np.einsum("md,md->m", Z, Z)[:, None]
        K -= 0.5 * np.einsum("pd,pd->p", H, H)
        np.minimum(K, 0.0, out=K)
        K += self.log_variance
        return np.asarray(np.exp(K, out=K))


class WhitenedSlopes(NamedTuple):
    """Derivatives of a number by what `whitened` was given."""

    log_variance: float
    log_scales: Array
    Z: Array
    H: Array


@dataclass(frozen=True, eq=False)
class Whitened:
    """``A`` with what its reverse pass needs."""

    kernel: ARDKernel
    Z: Array  # (M, D)
    H: Array  # (P, D)
    A: Array  # (M, P)
    K: Array  # (M, P), k(Z, H)
    own: Array  # (M, M), k(Z, Z) with the jitter
    lower: Array  # (M, M), L
    inverse: Array  # (M, M), L^-1

    def slopes(self, of_A: Array) -> WhitenedSlopes:
        """The derivatives of a number, given those by ``A`` (M, P)."""
        return self.slopes_of_products(self.inverse.T @ of_A, of_A @ self.A.T)

    def slopes_of_products(self, of_K: Array, crossed: Array) -> WhitenedSlopes:
        """The same, given ``L^-T G`` (M, P) and ``G A'`` (M, M) of the derivatives ``G`` by ``A``."""
        of_lower = np.tril(self.inverse.T @ crossed)  # less its sign
        middle = np.tril(self.lower.T @ of_lower)
        middle[np.diag_indices_from(middle)] *= 0.5
        of_own = self.inverse.T @ middle @ self.inverse
        G = of_K * self.K
        T = (-0.5 * (of_own + of_own.T)) * self.own
        inverse_squares = np.exp(-2.0 * self.kernel.log_scales)
        rows, columns, own_rows = G.sum(axis=1), G.sum(axis=0), T.sum(axis=1)
        GH, TZ = G @ self.H, T @ self.Z
        of_scales = rows @ self.Z**2 + columns @ self.H**2 + 2.0 * own_rows @ self.Z**2
        of_scales -= 2.0 * np.sum(self.Z * (GH + TZ), axis=0)
        return WhitenedSlopes(
            log_variance=float(rows.sum() + own_rows.sum()),
            log_scales=of_scales * inverse_squares,
            Z=(GH - rows[:, None] * self.Z + 2.0 * (TZ - own_rows[:, None] * self.Z)) * inverse_squares,
            H=(G.T @ self.Z - columns[:, None] * self.H) * inverse_squares,
        )


def whitened(kernel: ARDKernel, Z: Array, H: Array) -> Whitened:
    """``A`` (M, P) of a kernel for inducing points ``Z`` (M, D) and places ``H`` (P, D).

    Raises
    ------
    NotPositiveDefinite
        When k(Z, Z) cannot be factorised.
    """
    among = kernel(Z, Z)
    among[np.diag_indices_from(among)] = np.exp(kernel.log_variance) * (1.0 + JITTER)
    lower, inverse = triangles(among)
    K = kernel(Z, H)
    return Whitened(kernel, Z, H, inverse @ K, K, among, lower, inverse)
