"""The covariance between categories in full: ``W W' + diag(sd^2)``, from the parameters of one leaf and back.

The leaf ``Cat<levels>r<rank>`` (`LeafRow.shape`) has a loading per level and factor, and a standard deviation
per level for what the level has alone (intrinsic coregionalisation: Bonilla, Chai and Williams 2008; Alvarez, Rosasco
and Lawrence 2012). Loadings above the diagonal are zero: others would only turn the factors.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

__all__ = ["between", "by_parameters", "codes_of", "loadings"]

Array = NDArray[np.float64]


@lru_cache(maxsize=256)
def _places(levels: int, rank: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows and columns of the free loadings, in the order of the parameters."""
    pairs = [(level, factor) for level in range(levels) for factor in range(min(level + 1, rank))]
    places = np.array(pairs, dtype=np.intp).reshape(-1, 2)
    return places[:, 0], places[:, 1]


def loadings(shape: tuple[int, int], values: tuple[float, ...]) -> tuple[Array, Array]:
    """The loadings (levels, rank) and standard deviations (levels,) among the parameters of a leaf.

    >>> weights, sds = loadings((2, 1), (3.0, -1.0, 0.5, 2.0))
    >>> weights.tolist(), sds.tolist()
    ([[3.0], [-1.0]], [0.5, 2.0])
    """
    levels, rank = shape
    weights = np.zeros((levels, rank))
    rows, columns = _places(levels, rank)
    weights[rows, columns] = values[: len(rows)]
    return weights, np.array(values[len(rows) :])


def between(shape: tuple[int, int], values: tuple[float, ...]) -> Array:
    """The covariance (levels, levels) between the levels.

    >>> between((2, 1), (3.0, -1.0, 0.5, 2.0)).tolist()
    [[9.25, -3.0], [-3.0, 5.0]]
    """
    weights, sds = loadings(shape, values)
    covariances = weights @ weights.T
    covariances[np.diag_indices(len(sds))] += sds**2
    return np.asarray(covariances)


def by_parameters(shape: tuple[int, int], values: tuple[float, ...], by_between: Array) -> Array:
    """Derivatives (..., p) by the parameters (by the logarithm of the standard deviations).

    Given are those (..., levels, levels) by `between`.
    """
    weights, sds = loadings(shape, values)
    rows, columns = _places(*shape)
    by_weights = (by_between + np.swapaxes(by_between, -1, -2)) @ weights
    by_sds = 2.0 * sds**2 * np.diagonal(by_between, axis1=-2, axis2=-1)
    return np.concatenate([by_weights[..., rows, columns], by_sds], axis=-1)


def codes_of(values: Array, levels: int) -> NDArray[np.intp]:
    """The codes in a column; all beyond the levels are the one behind the last."""
    return np.clip(np.rint(values), 0, levels).astype(np.intp)
