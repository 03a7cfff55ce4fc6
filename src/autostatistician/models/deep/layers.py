"""A hidden layer: functions that each add what they know to a linear map of the inputs, and draws of them.

The functions share a covariance and inducing points. The whitened inducing variables of function j have the posterior
N(m_j, T_j T_j'), and one draw per place and function is mean + sd * draw, so its derivatives are those of mean and sd.

Covariances with inducing points, whitened by a Cholesky factor, and the reverse pass through them.

A Gaussian process with the covariance ``k`` is seen through its values at M inducing points ``Z``. With ``k(Z, Z) = L
L'`` the columns of ``A = L^-1 k(Z, H)`` (M, P) say how its values at P places ``H`` depend on M numbers that are
independent and standard normal in the prior.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.covariance import triangles

__all__ = [
    "JITTER", "ARDKernel", "Hidden", "HiddenSlopes", "Last", "LastLayerPosterior", "LayerKernel", "Moments",
    "SlopesOfCovariances", "Whitened", "collapsed", "cost", "moments", "posterior", "whitened",
]  # fmt: skip


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


FLOOR = 1e-8  # of a variance, as a share of that of the prior: its square root has a derivative

TINY = 1e-14  # the same where the prior has none, as a line where it is zero


class Hidden(NamedTuple):
    """The parameters of a hidden layer with D inputs and W functions."""

    kernel: LayerKernel
    Z: Array  # (M, D)
    mean: Array  # (M, W)
    root: Array  # (W, M, M), lower triangles


class HiddenSlopes(NamedTuple):
    """Derivatives by the parameters of a hidden layer, and by its inputs."""

    inner: SlopesOfCovariances
    mean: Array
    root: Array


@dataclass(frozen=True, eq=False)
class Moments:
    """Means and standard deviations (P, W) of the functions at P places, with what the reverse pass needs."""

    layer: Hidden
    linear: Array  # (D, W)
    of: Whitened
    rooted: Array  # (W, M, P), T_j' A
    mean: Array
    sd: Array

    def slopes(self, of_mean: Array, of_sd: Array) -> HiddenSlopes:
        """The derivatives of a number, given those by means and standard deviations (P, W)."""
        A, root = self.of.A, self.layer.root
        of_variance = 0.5 * of_sd / self.sd
        scaled = 2.0 * self.rooted * of_variance.T[:, None]
        of_root = np.tril(A @ scaled.transpose(0, 2, 1))
        of_A = self.layer.mean @ of_mean.T - 2.0 * A * of_variance.sum(axis=1)
        of_A += np.einsum("wij,wjp->ip", root, scaled, optimize=True)
        inner = self.of.slopes(of_A)
        of_kernel, of_H = self.layer.kernel.prior_slopes(self.of.H, (1.0 + FLOOR) * of_variance.sum(axis=1))
        inner = inner._replace(kernel=inner.kernel + of_kernel, H=inner.H + of_H + of_mean @ self.linear.T)
        return HiddenSlopes(inner, A @ of_mean, of_root)


def moments(layer: Hidden, linear: Array, H: Array) -> Moments:
    """The functions of a layer with the linear part ``linear`` (D, W) at places ``H`` (P, D)."""
    of = whitened(layer.kernel, layer.Z, H)
    rooted = layer.root.transpose(0, 2, 1) @ of.A
    prior = layer.kernel.prior(H)
    unexplained = np.maximum(prior - np.einsum("mp,mp->p", of.A, of.A), 0.0) + FLOOR * prior + TINY
    variance = unexplained[:, None] + np.einsum("wmp,wmp->pw", rooted, rooted)
    return Moments(layer, linear, of, rooted, of.A.T @ layer.mean + H @ linear, np.sqrt(variance))


def cost(layer: Hidden) -> tuple[float, Array, Array]:
    """The divergence of a layer's posterior from its prior, and its derivatives by mean and root."""
    diagonal = np.diagonal(layer.root, axis1=1, axis2=2)
    squares = float(np.sum(layer.mean**2) + np.sum(layer.root**2) - layer.mean.size)
    of_root = layer.root.copy()
    places = np.arange(diagonal.shape[1])
    of_root[:, places, places] -= 1.0 / diagonal
    return 0.5 * squares - float(np.log(np.abs(diagonal)).sum()), layer.mean, of_root


# --- The last layer, whose best normal posterior has a closed form --------------------------------------------------


class Last(NamedTuple):
    """The parameters of the last layer."""

    kernel: LayerKernel
    Z: Array  # (M, D)
    log_noise: float  # the logarithm of the variance of the noise


class LastSlopes(NamedTuple):
    """Derivatives of the bound by the parameters of the last layer, and by its inputs."""

    inner: SlopesOfCovariances
    log_noise: float


@dataclass(frozen=True, eq=False)
class LastLayerPosterior:
    """What is known of the function of the last layer."""

    last: Last
    mean: Array  # (M,), of the whitened inducing variables
    root: Array  # (M, M), R with covariance R' R

    def joint(self, H: Array) -> tuple[Array, Array]:
        """Mean (P,) and covariance (P, P) of the function at inputs (P, D)."""
        A = whitened(self.last.kernel, self.last.Z, H).A
        mean = self.root @ A
        return self.mean @ A, self.last.kernel(H, H) - A.T @ A + mean.T @ mean

    def at(self, H: Array) -> tuple[Array, Array]:
        """Mean and variance (P,) of the function, without noise, at inputs (P, D)."""
        A = whitened(self.last.kernel, self.last.Z, H).A
        variance = self.last.kernel.prior(H) - np.einsum("mp,mp->p", A, A) + np.sum((self.root @ A) ** 2, axis=0)
        return self.mean @ A, np.maximum(variance, 0.0)


def _solved(of: Whitened, y: Array, weight: float) -> tuple[Array, Array, Array, Array, float]:
    """Q, R with R' R = (I + Q)^-1, the mean, c, and log det(I + Q)."""
    draws = of.A.shape[1] // len(y)
    Q = weight * (of.A @ of.A.T)
    lower, root = triangles(Q + np.eye(len(Q)))
    c = weight * (of.A.reshape(len(Q), draws, len(y)).sum(axis=1) @ y)
    return Q, root, root.T @ (root @ c), c, 2.0 * float(np.log(lower.diagonal()).sum())


def collapsed(last: Last, H: Array, y: Array) -> tuple[float, LastSlopes]:
    """The bound on the log density of ``y`` (n,) less what the other layers cost, and its derivatives.

    Parameters
    ----------
    last : Last
    H : array (S n, D)
        Inputs: all rows of the first draw, then all of the second, and so on.
    y : array (n,)
    """
    n, noise = len(y), np.exp(last.log_noise)
    of = whitened(last.kernel, last.Z, H)
    weight = n / (len(H) * noise)
    Q, root, mean, c, logdet = _solved(of, y, weight)
    total = float(y @ y) / noise + weight * float(last.kernel.prior(H).sum())
    fit, trace = float(c @ mean), float(np.trace(Q))
    bound = -0.5 * (n * (np.log(2.0 * np.pi) + last.log_noise) + logdet + total - fit - trace)
    middle = np.eye(len(Q)) - root.T @ root - np.outer(mean, mean)
    # By A: weight (middle A + mean y'). Its products with other matrices need few of the size of A.
    of_K = ((weight * of.inverse.T @ middle) @ of.A).reshape(len(Q), -1, n)
    of_K += weight * np.outer(of.inverse.T @ mean, y)[:, None]
    inner = of.slopes_of_products(of_K.reshape(of.A.shape), middle @ Q + np.outer(mean, c))
    of_kernel, of_H = last.kernel.prior_slopes(H, np.full(len(H), -0.5 * weight))
    inner = inner._replace(kernel=inner.kernel + of_kernel, H=inner.H + of_H)
    of_noise = -0.5 * (n - total) - fit - 0.5 * float(np.sum(middle * Q))  # Q and c go with 1 / noise
    return bound, LastSlopes(inner, of_noise)


def posterior(last: Last, H: Array, y: Array) -> LastLayerPosterior:
    """The best normal posterior for inputs (S n, D) and observations (n,), as in `collapsed`."""
    of = whitened(last.kernel, last.Z, H)
    _, root, mean, _, _ = _solved(of, y, len(y) / (len(H) * float(np.exp(last.log_noise))))
    return LastLayerPosterior(last, mean, root)
