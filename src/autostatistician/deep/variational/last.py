"""The last layer, whose best normal posterior has a closed form: observations are its values with normal noise.

Given S draws of its inputs for each of n rows, the bound of Salimbeni and Deisenroth (2017) is a mean over the draws
that is quadratic in the inducing variables. Its maximum over their mean and covariance is that of Titsias
(2009) with S n rows that each count 1 / S, so nothing of this layer's posterior has to be searched for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from autostatistician.deep.variational.whitened import LayerKernel, SlopesOfCovariances, Whitened, whitened
from autostatistician.inference.covariance import triangles

__all__ = ["Last", "LastSlopes", "LastLayerPosterior", "collapsed", "posterior"]

Array = NDArray[np.float64]


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
        known = self.root @ A
        return self.mean @ A, self.last.kernel(H, H) - A.T @ A + known.T @ known

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
