"""Covariances with inducing points, whitened by a Cholesky factor, and the reverse pass through them.

A Gaussian process with the covariance ``k`` is seen through its values at M inducing points ``Z``. With
``k(Z, Z) = L L'`` the columns of ``A = L^-1 k(Z, H)`` (M, P) say how its values at P places ``H`` depend on M numbers
that are independent and standard normal in the prior.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.covariance import triangles

__all__ = ["JITTER", "ARDKernel", "LayerKernel", "SlopesOfCovariances", "Whitened", "whitened"]

Array = NDArray[np.float64]

JITTER = 1e-6  # on the diagonal of k(Z, Z), as a share of the variance
# Logarithms, for standardised data, of
VARIANCES = (-12.0, 6.0)
SCALES = (-4.5, 7.0)  # lengthscales


class SlopesOfCovariances(NamedTuple):
    """Derivatives of a number by the parameters (p,) of a kernel, by inducing points (M, D) and by places (P, D)."""

    kernel: Array
    Z: Array
    H: Array


class LayerKernel(Protocol):
    """The covariance of the functions of a layer, with the way back through it."""

    @property
    def parameters(self) -> Array:
        """What is searched for (p,)."""

    @property
    def limits(self) -> tuple[Array, Array]:
        """Their lowest and highest values (p,)."""

    def with_parameters(self, parameters: Array) -> LayerKernel:
        """The same with other parameters (p,)."""

    def resized(self, log_variance: float, X: Array) -> LayerKernel:
        """The same with a variance whose mean over rows (n, D) has that logarithm."""

    def __call__(self, Z: Array, H: Array) -> Array:
        """Covariances (M, P) of places (M, D) and (P, D)."""

    def own(self, Z: Array) -> Array:
        """Covariances (M, M) of places with each other, with the jitter."""

    def prior(self, H: Array) -> Array:
        """Variances (P,) at places (P, D)."""

    def prior_slopes(self, H: Array, weights: Array) -> tuple[Array, Array]:
        """The derivatives of the sum of variances times weights (P,) by the parameters (p,) and by places (P, D)."""

    def slopes(
        self, Z: Array, H: Array, covariances: tuple[Array, Array], weights: tuple[Array, Array]
    ) -> SlopesOfCovariances:
        """Those of the sum of both covariances times weights.

        Both pairs are of places and of points among each other: (M, P) and (M, M), the latter symmetric.
        """


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

    @property
    def parameters(self) -> Array:
        """The logarithms: of the variance, of the lengthscales."""
        return np.concatenate([[self.log_variance], self.log_scales])

    @property
    def limits(self) -> tuple[Array, Array]:
        """Their lowest and highest values."""
        low, high = (np.full(1 + len(self.log_scales), SCALES[side]) for side in (0, 1))
        low[0], high[0] = VARIANCES
        return low, high

    def with_parameters(self, parameters: Array) -> ARDKernel:
        """The same with other parameters."""
        return ARDKernel(float(parameters[0]), parameters[1:])

    def resized(self, log_variance: float, X: Array) -> ARDKernel:
        """The same with another variance, whatever the rows."""
        return self._replace(log_variance=log_variance)

    def own(self, Z: Array) -> Array:
        """Covariances (M, M) of places with each other, with the jitter."""
        among = self(Z, Z)
        among[np.diag_indices_from(among)] = np.exp(self.log_variance) * (1.0 + JITTER)
        return among

    def prior(self, H: Array) -> Array:
        """The variance, everywhere the same."""
        return np.full(len(H), np.exp(self.log_variance))

    def prior_slopes(self, H: Array, weights: Array) -> tuple[Array, Array]:
        """Only the variance matters."""
        slopes = np.zeros(1 + len(self.log_scales))
        slopes[0] = np.exp(self.log_variance) * weights.sum()
        return slopes, np.zeros_like(H)

    def slopes(
        self, Z: Array, H: Array, covariances: tuple[Array, Array], weights: tuple[Array, Array]
    ) -> SlopesOfCovariances:
        """See `LayerKernel`."""
        G, T = (weight * covariance for weight, covariance in zip(weights, covariances, strict=True))
        inverse_squares = np.exp(-2.0 * self.log_scales)
        rows, columns, own_rows = G.sum(axis=1), G.sum(axis=0), T.sum(axis=1)
        GH, TZ = G @ H, T @ Z
        of_scales = rows @ Z**2 + columns @ H**2 + 2.0 * own_rows @ Z**2
        of_scales -= 2.0 * np.sum(Z * (GH + TZ), axis=0)
        return SlopesOfCovariances(
            kernel=np.concatenate([[rows.sum() + own_rows.sum()], of_scales * inverse_squares]),
            Z=(GH - rows[:, None] * Z + 2.0 * (TZ - own_rows[:, None] * Z)) * inverse_squares,
            H=(G.T @ Z - columns[:, None] * H) * inverse_squares,
        )


@dataclass(frozen=True, eq=False)
class Whitened:
    """``A`` with what its reverse pass needs."""

    kernel: LayerKernel
    Z: Array  # (M, D)
    H: Array  # (P, D)
    A: Array  # (M, P)
    K: Array  # (M, P), k(Z, H)
    among: Array  # (M, M), k(Z, Z) with the jitter
    lower: Array  # (M, M), L
    inverse: Array  # (M, M), L^-1

    def slopes(self, of_A: Array) -> SlopesOfCovariances:
        """The derivatives of a number, given those by ``A`` (M, P)."""
        return self.slopes_of_products(self.inverse.T @ of_A, of_A @ self.A.T)

    def slopes_of_products(self, of_K: Array, crossed: Array) -> SlopesOfCovariances:
        """The same, given ``L^-T G`` (M, P) and ``G A'`` (M, M) of the derivatives ``G`` by ``A``."""
        of_lower = np.tril(self.inverse.T @ crossed)  # less its sign
        middle = np.tril(self.lower.T @ of_lower)
        middle[np.diag_indices_from(middle)] *= 0.5
        of_own = self.inverse.T @ middle @ self.inverse
        weights = of_K, -0.5 * (of_own + of_own.T)
        return self.kernel.slopes(self.Z, self.H, (self.K, self.among), weights)


def whitened(kernel: LayerKernel, Z: Array, H: Array) -> Whitened:
    """``A`` (M, P) of a kernel for inducing points ``Z`` (M, D) and places ``H`` (P, D).

    Raises
    ------
    NotPositiveDefinite
        When k(Z, Z) cannot be factorised.
    """
    among = kernel.own(Z)
    lower, inverse = triangles(among)
    K = kernel(Z, H)
    return Whitened(kernel, Z, H, inverse @ K, K, among, lower, inverse)
