"""Elementary symmetric polynomials of one number per column: the sums over all subsets of each size.

``e_r(z_1, ..., z_D)`` is the sum of the products of all ``r`` of the ``z_d``. Going through the columns one at a time,
``e_r <- e_r + z_d e_(r-1)`` only adds and multiplies: no digits are lost where the ``z_d`` are not negative. The
formulas of Newton and Girard subtract large sums of powers from each other, and lose digits with every order.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["newton_girard", "polynomials", "weighted_sum", "weighted_sum_gradient"]

Array = NDArray[np.float64]


def polynomials(z: Array, order: int) -> Array:
    """The polynomials of order 0 to ``order`` (order + 1, m) of the columns of ``z`` (D, m).

    >>> polynomials(np.array([[1.0], [2.0], [3.0]]), 3).ravel().tolist()
    [1.0, 6.0, 11.0, 6.0]
    """
    found = np.zeros((order + 1, z.shape[1]))
    found[0] = 1.0
    for index, one in enumerate(z):
        top = min(index + 1, order)  # above, all is zero so far
        found[1 : top + 1] += one * found[:top]
    return found


def weighted_sum(z: Array, weights: Array) -> Array:
    """``sum_r weights_r e_r(z)`` (m,) for weights (order + 1,)."""
    return np.asarray(weights @ polynomials(z, len(weights) - 1))


def weighted_sum_gradient(z: Array, weights: Array, outer: Array) -> tuple[Array, Array]:
    """The gradient of ``outer @ weighted_sum(z, weights)`` by the weights (order + 1,) and by ``z`` (D, m).

    Backwards through the recursion, which keeps what it had before each column: O(D order m) in time and memory, so
    callers go through many entries in pieces.
    """
    order = len(weights) - 1
    before = np.empty((len(z), order + 1, z.shape[1]))
    found = np.zeros((order + 1, z.shape[1]))
    found[0] = 1.0
    for index, one in enumerate(z):
        top = min(index + 1, order)
        before[index, :top] = found[:top]
        found[1 : top + 1] += one * found[:top]
    by_weights = found @ outer
    carried, by_z = np.multiply.outer(weights, outer), np.empty_like(z)
    for index in range(len(z) - 1, -1, -1):
        top = min(index + 1, order)
        by_z[index] = np.einsum("rm,rm->m", carried[1 : top + 1], before[index, :top])
        carried[:top] += z[index] * carried[1 : top + 1]
    return by_weights, by_z


def newton_girard(z: Array, order: int) -> Array:
    """The same as `polynomials` by sums of powers, as published (Duvenaud et al. 2011); for comparison only."""
    powers = [np.sum(z**r, axis=0) for r in range(1, order + 1)]
    found = [np.ones(z.shape[1])]
    for r in range(1, order + 1):
        terms = [(-1.0) ** (a - 1) * found[r - a] * powers[a - 1] for a in range(1, r + 1)]
        found.append(np.sum(terms, axis=0) / r)
    return np.array(found)
