"""Where the fit of a deep Gaussian process begins: at the best shallow one, with hidden layers that change little.

From random parameters such fits often end where layers do nothing or undo each other. A start *near the identity*
predicts almost what the shallow process does; a *bent* one begins with a first layer that already follows the data, so
that the next has a simpler function to find.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans

from autostatistician.deep.variational.expressions import LayerForm, beginnings
from autostatistician.deep.variational.hidden import Hidden
from autostatistician.deep.variational.last import Last, LastLayerPosterior
from autostatistician.deep.variational.network import Network, bound
from autostatistician.deep.variational.whitened import whitened
from autostatistician.inference.fitting import lowest

__all__ = ["LayerStart", "deepened", "linear_map", "shallow", "spread_points"]

Array = NDArray[np.float64]

NOISE = 0.1  # variance of the noise there
RACE = ((40, 2), (200, 1))  # quasi-Newton steps, and how many go on
SURE = 0.1  # standard deviation of the whitened inducing variables of a bent layer at first


class LayerStart(NamedTuple):
    """How a fit begins."""

    log_variance: float  # of what a layer adds to its linear map
    # Of the first shallow process: the first layer adds its mean to each function.
    bend: LastLayerPosterior | None = None


def spread_points(X: Array, most: int, seed: int) -> Array:
    """At most ``most`` places among rows (n, D): all different ones if they are few, else the centres of clusters."""
    rows = np.unique(X, axis=0)
    if len(rows) <= most:
        return np.asarray(rows)
    return np.asarray(KMeans(most, n_init=1, random_state=seed).fit(rows).cluster_centers_)


def linear_map(X: Array, width: int) -> Array:
    """The linear part (D, width) of a hidden layer: the identity, with zeros beside it, or the principal axes of rows.

    >>> linear_map(np.array([[1.0, 1.0], [-1.0, -1.0]]), 3).tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    >>> np.abs(linear_map(np.array([[1.0, 1.0], [-1.0, -1.0]]), 1)).round(4).tolist()
    [[0.7071], [0.7071]]
    """
    columns = X.shape[1]
    if width >= columns:
        return np.eye(columns, width)
    axes = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[2]
    axes = np.vstack([axes, np.zeros((max(width - len(axes), 0), columns))])[:width]
    largest = np.abs(axes).argmax(axis=1)
    signs = np.where(np.take_along_axis(axes, largest[:, None], axis=1) < 0.0, -1.0, 1.0)
    return np.asarray((axes * signs).T)


def shallow(X: Array, y: Array, Z: Array, form: LayerForm | None = None) -> Network:
    """The sparse process of one layer of a form with the highest bound, from inducing points ``Z`` (M, D)."""
    starts = [Network((), (), Last(kernel, Z, float(np.log(NOISE)))) for kernel in beginnings(form, X, y)]
    first = starts[0]

    def negative(parameters: Array) -> tuple[float, Array]:
        value, slope = bound(first.with_parameters(parameters), X, y, [])
        return -value, -slope

    limits = np.column_stack(first.limits)
    return first.with_parameters(lowest(negative, [network.parameters for network in starts], limits.tolist(), RACE))


def deepened(shallows: Sequence[Network], maps: Sequence[Array], Z: Array, start: LayerStart) -> Network:
    """Hidden layers that add little to their linear maps, below a shallow process.

    Parameters
    ----------
    shallows : sequence of Network
        The shallow processes on the inputs of every layer, the last one's too; hidden layers take their lengthscales.
    maps : sequence of array (D, W)
        The linear parts of the hidden layers.
    Z : array (M, D)
        The inducing points of the first layer; the next ones have what becomes of them.
    start : LayerStart
    """
    hidden: list[Hidden] = []
    top = shallows[0].last.Z
    for below, linear in zip(shallows[:-1], maps, strict=True):
        mean, roots = np.zeros((len(Z), linear.shape[1])), np.tile(np.eye(len(Z)), (linear.shape[1], 1, 1))
        layer = Hidden(below.last.kernel.resized(start.log_variance, Z), Z, mean, roots)
        Z, top = Z @ linear, top @ linear
        if start.bend is not None and not hidden:
            moved, top_moved = (start.bend.at(places)[0][:, None] for places in (layer.Z, shallows[0].last.Z))
            whitening = whitened(below.last.kernel, layer.Z, layer.Z[:1]).inverse
            layer = Hidden(below.last.kernel, layer.Z, mean + whitening @ moved, SURE * roots)
            Z, top = Z + moved, top + top_moved
        hidden.append(layer)
    return Network(tuple(hidden), tuple(maps), shallows[-1].last._replace(Z=top))
