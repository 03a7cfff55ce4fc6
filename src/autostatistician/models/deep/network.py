"""A deep Gaussian process as a vector of parameters: its lower bound (ELBO), with the gradient, and its predictions.

The bound is that of doubly stochastic variational inference (Salimbeni and Deisenroth 2017) with given standard normal
draws, so it is a smooth function of the parameters; the last layer's posterior is the best one, in closed form.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from autostatistician.models.deep.layers import (
    Hidden,
    Last,
    LastLayerPosterior,
    LayerKernel,
    Moments,
    SlopesOfCovariances,
    collapsed,
    cost,
    moments,
    posterior,
)

__all__ = ["Network", "bends_of", "bound", "draws", "joint_predictions", "posterior_of", "predictions"]


Array = NDArray[np.float64]
_Part = tuple[Array, Array | float, Array | float]  # parameters with their lowest and highest values

NOISES = (-12.0, 2.0)  # logarithms of the variance, for standardised data


@dataclass(frozen=True, eq=False)
class Network:
    """Hidden layers, the linear part (D, W) of each, and the last layer."""

    hidden: tuple[Hidden, ...]
    linear: tuple[Array, ...]
    last: Last

    @property
    def parameters(self) -> Array:
        """All that is searched for, as one vector."""
        return np.concatenate([part.ravel() for part, _, _ in self._parts()])

    @property
    def limits(self) -> tuple[Array, Array]:
        """Lowest and highest values of `parameters`."""
        parts = self._parts()
        low, high = (
            np.concatenate([np.broadcast_to(ends[side], values.size) for values, *ends in parts]) for side in (0, 1)
        )
        return low, high

    def _parts(self) -> list[_Part]:
        parts: list[_Part] = []
        for layer in self.hidden:
            free = (layer.Z, layer.mean, _packed(layer.root))
            parts += [_kernel_part(layer.kernel), *((array, -np.inf, np.inf) for array in free)]
        noise = (np.array([self.last.log_noise]), *NOISES)
        return [*parts, _kernel_part(self.last.kernel), (self.last.Z, -np.inf, np.inf), noise]

    def with_parameters(self, parameters: Array) -> Network:
        """The same network with other parameters."""
        reader = _ParameterReader(parameters)
        hidden = tuple(
            Hidden(reader.kernel(layer.kernel), reader.like(layer.Z), reader.like(layer.mean), reader.root(layer.root))
            for layer in self.hidden
        )
        last = Last(reader.kernel(self.last.kernel), reader.like(self.last.Z), float(reader.take(1)[0]))
        return Network(hidden, self.linear, last)


def _kernel_part(kernel: LayerKernel) -> _Part:
    return kernel.parameters, *kernel.limits


def _packed(root: Array) -> Array:
    """The lower triangles of roots, with logarithms of the diagonals."""
    rows, columns = np.tril_indices(root.shape[1])
    flat = root[:, rows, columns]
    flat[:, rows == columns] = np.log(flat[:, rows == columns])
    return flat


def _packed_slopes(of_root: Array, root: Array) -> Array:
    rows, columns = np.tril_indices(root.shape[1])
    flat = of_root[:, rows, columns]
    flat[:, rows == columns] *= root[:, rows, columns][:, rows == columns]
    return flat


@dataclass
class _ParameterReader:
    """Takes the parameters of a vector one after the other."""

    parameters: Array
    place: int = 0

    def take(self, count: int) -> Array:
        self.place += count
        return self.parameters[self.place - count : self.place]

    def like(self, array: Array) -> Array:
        return self.take(array.size).reshape(array.shape)

    def kernel(self, like: LayerKernel) -> LayerKernel:
        return like.with_parameters(self.take(len(like.parameters)))

    def root(self, like: Array) -> Array:
        rows, columns = np.tril_indices(like.shape[1])
        flat = self.take(len(like) * len(rows)).reshape(len(like), -1)
        root = np.zeros_like(like)
        root[:, rows, columns] = flat
        root[:, rows[rows == columns], rows[rows == columns]] = np.exp(flat[:, rows == columns])
        return root


def draws(rng: np.random.Generator, count: int, n: int, widths: Sequence[int]) -> list[Array]:
    """Standard normal draws (count, n, width) for each hidden layer; those of a row are spread evenly over the chances.

    A Latin hypercube for every row: of ``count`` draws of a number one lies in each ``count``-th of the distribution.
    """
    layers = []
    for width in widths:
        places = rng.permuted(np.broadcast_to(np.arange(count)[:, None, None], (count, n, width)), axis=0)
        layers.append(ndtri((places + rng.random((count, n, width))) / count))
    return layers


def _forward(network: Network, X: Array, noise: Sequence[Array]) -> tuple[list[Moments], Array]:
    """The moments of every hidden layer, and the inputs (S n, D) of the last one."""
    H, passed = X, []
    for layer, linear, drawn in zip(network.hidden, network.linear, noise, strict=True):
        of = moments(layer, linear, H)
        passed.append(of)
        count, n, width = drawn.shape
        shape = (1 if len(H) == n else count, n, width)
        H = (of.mean.reshape(shape) + of.sd.reshape(shape) * drawn).reshape(count * n, width)
    return passed, H


def bound(network: Network, X: Array, y: Array, noise: Sequence[Array]) -> tuple[float, Array]:
    """A lower bound (ELBO) on the log marginal likelihood of ``y`` (n,), and its derivatives by `Network.parameters`.

    Parameters
    ----------
    network : Network
    X : array (n, D)
    y : array (n,)
    noise : list of arrays (S, n, W)
        Of `draws`, for each hidden layer.
    """
    passed, H = _forward(network, X, noise)
    value, of_last = collapsed(network.last, H, y)
    parts = [*_slopes_of(of_last.inner), np.array([of_last.log_noise])]
    of_H = of_last.inner.H
    for layer, of, drawn in zip(network.hidden[::-1], passed[::-1], noise[::-1], strict=True):
        of_draws = of_H.reshape(drawn.shape)
        of_mean, of_sd = of_draws, of_draws * drawn
        if len(of.mean) == drawn.shape[1]:
            of_mean, of_sd = of_mean.sum(axis=0), of_sd.sum(axis=0)
        slopes = of.slopes(of_mean.reshape(of.mean.shape), of_sd.reshape(of.sd.shape))
        price, of_m, of_root = cost(layer)
        value -= price
        root = _packed_slopes(slopes.root - of_root, layer.root)
        parts = [*_slopes_of(slopes.inner), slopes.mean - of_m, root, *parts]
        of_H = slopes.inner.H
    return value, np.concatenate([np.ravel(part) for part in parts])


def _slopes_of(inner: SlopesOfCovariances) -> list[Array]:
    return [inner.kernel, inner.Z]


def posterior_of(network: Network, X: Array, y: Array, noise: Sequence[Array]) -> LastLayerPosterior:
    """What the data tell of the last layer."""
    return posterior(network.last, _forward(network, X, noise)[1], y)


def joint_predictions(
    network: Network, last: LastLayerPosterior, X: Array, noise: Sequence[Array]
) -> tuple[Array, Array]:
    """Mean (m,) and covariance (m, m) of the function at rows (m, D), over all paths through the hidden layers."""
    mean, covariance = np.zeros(len(X)), np.zeros((len(X), len(X)))
    inputs = _forward(network, X, noise)[1].reshape(-1, len(X), network.last.Z.shape[1])
    for H in inputs:
        of_path = last.joint(H)
        mean += of_path[0] / len(inputs)
        covariance += (of_path[1] + np.outer(of_path[0], of_path[0])) / len(inputs)
    return mean, covariance - np.outer(mean, mean)


def predictions(network: Network, last: LastLayerPosterior, X: Array, noise: Sequence[Array]) -> tuple[Array, Array]:
    """Means and variances (S, m) of the function at rows (m, D), one for each path through the hidden layers."""
    mean, variance = last.at(_forward(network, X, noise)[1])
    return mean.reshape(-1, len(X)), variance.reshape(-1, len(X))


def bends_of(network: Network, last_layer: LastLayerPosterior, X: Array) -> list[float]:
    """For every hidden layer how far the mean changes at rows (n, D) with the best linear map in the layer's place.

    As shares of the variance of the mean along the path of mean outputs, at most one.
    """
    as_it_is = _mean_path(network, last_layer, X, None)
    spread = float(np.sum((as_it_is - as_it_is.mean()) ** 2))
    changes = [as_it_is - _mean_path(network, last_layer, X, place) for place in range(len(network.hidden))]
    return [min(float(change @ change) / spread, 1.0) if spread > 0.0 else 0.0 for change in changes]


def _mean_path(network: Network, last_layer: LastLayerPosterior, X: Array, straight: int | None) -> Array:
    """The mean (n,) where every layer gives its mean; one of them, if any, the best linear map of its inputs."""
    H = X
    for place, (layer, linear) in enumerate(zip(network.hidden, network.linear, strict=True)):
        mean = moments(layer, linear, H).mean
        if place == straight:
            inputs = np.column_stack([np.ones(len(H)), H])
            mean = inputs @ np.linalg.lstsq(inputs, mean, rcond=None)[0]
        H = mean
    return last_layer.at(H)[0]
