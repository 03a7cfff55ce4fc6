"""A hidden layer: functions that each add what they know to a linear map of the inputs, and draws of them.

The functions share a covariance and inducing points. The whitened inducing variables of function j have the posterior
N(m_j, T_j T_j'), and one draw per place and function is mean + sd * draw, so its derivatives are those of mean and sd.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from autostatistician.deep.variational.whitened import LayerKernel, SlopesOfCovariances, Whitened, whitened

__all__ = ["Hidden", "HiddenSlopes", "Moments", "cost", "moments"]

Array = NDArray[np.float64]

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
