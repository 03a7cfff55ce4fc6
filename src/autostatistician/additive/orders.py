"""Elementary symmetric polynomials of one number per column: the sums over all subsets of each size.

``e_r(z_1, ..., z_D)`` is the sum of the products of all ``r`` of the ``z_d``. Going through the columns one at a time,
``e_r <- e_r + z_d e_(r-1)`` only adds and multiplies: no digits are lost where the ``z_d`` are not negative. The
formulas of Newton and Girard subtract large sums of powers from each other, and lose digits with every order.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["Room", "newton_girard", "polynomials", "weighted_sum", "weighted_sum_gradient"]

Array = NDArray[np.float64]


class Room:
    """Memory that piece after piece of a matrix uses again: giving it back and asking anew costs more than the sums."""

    def __init__(self) -> None:
        self._free: dict[int, Array] = {}

    def array(self, place: int, rows: int, width: int) -> Array:
        """An array (rows, width) with anything in it; the same place gives the same memory."""
        if place not in self._free or self._free[place].size < rows * width:
            self._free[place] = np.empty(rows * width)
        return self._free[place][: rows * width].reshape(rows, width)


def polynomials(z: Array, order: int) -> Array:
    """The polynomials of order 0 to ``order`` (order + 1, m) of the columns of ``z`` (D, m).

    >>> polynomials(np.array([[1.0], [2.0], [3.0]]), 3).ravel().tolist()
    [1.0, 6.0, 11.0, 6.0]
    """
    reached = _path(z, order, Room(), 0)[-1]
    return np.concatenate([reached, np.zeros((order + 1 - len(reached), z.shape[1]))])


def weighted_sum(z: Array, weights: Array, room: Room | None = None) -> Array:
    """``sum_r weights_r e_r(z)`` (m,) for weights (order + 1,) and columns ``z`` (D, m).

    Half of the columns at a time: ``e_r`` of all is the sum over i of ``e_i`` of one half and ``e_(r - i)`` of the
    other. That takes half the steps of going through all of them, and still only adds and multiplies.
    """
    (_, first), (_, second) = _paths(z, len(weights) - 1, room or Room())
    both = _pairs(weights, first, second) @ second
    both *= first
    return np.asarray(both.sum(axis=0))


def weighted_sum_gradient(z: Array, weights: Array, outer: Array, room: Room | None = None) -> tuple[Array, Array]:
    """The gradient of ``outer @ weighted_sum(z, weights)`` by the weights (order + 1,) and by ``z`` (D, m).

    Backwards through the recursion, which keeps what it had before each column: O(D order m) in time and memory, so
    callers go through many entries in pieces, and may pass the same room for all of them.
    """
    room = room or Room()
    (path_first, first), (path_second, second) = _paths(z, len(weights) - 1, room)
    pairs, middle = _pairs(weights, first, second), len(path_first)
    weighted = np.multiply(first, outer, out=room.array(-1, *first.shape))
    by_first = np.matmul(pairs, second, out=room.array(-2, *first.shape))
    by_first *= outer
    by_second = np.matmul(pairs.T, weighted, out=room.array(-3, *second.shape))
    together = weighted @ second.T
    by_weights = [np.trace(together[::-1], order - len(first) + 1) for order in range(len(weights))]
    by_z = np.empty_like(z)
    _backwards(z[:middle], path_first, by_first, by_z[:middle], weighted)
    _backwards(z[middle:], path_second, by_second, by_z[middle:], weighted)
    return np.array(by_weights), by_z


def _paths(z: Array, order: int, room: Room) -> list[tuple[list[Array], Array]]:
    """For each half of the columns, the polynomials before each column and after the last."""
    middle = (len(z) + 1) // 2
    paths = _path(z[:middle], order, room, 0), _path(z[middle:], order, room, middle + 1)
    return [(path[:-1], path[-1]) for path in paths]


def _pairs(weights: Array, first: Array, second: Array) -> Array:
    """The weight of the product of ``e_i`` of one half and ``e_j`` of the other: that of order i + j, if there is."""
    padded = np.append(weights, np.zeros(len(first) + len(second)))
    return np.asarray(padded[np.add.outer(np.arange(len(first)), np.arange(len(second)))])


def _path(z: Array, order: int, room: Room, place: int) -> list[Array]:
    """The polynomials before the first column and after each: those of the orders that it can reach."""
    path = [np.ones((1, z.shape[1]))]
    for index, column in enumerate(z):
        old = path[-1]
        new = room.array(place + index, min(len(old), order) + 1, z.shape[1])
        new[0] = 1.0
        np.multiply(column, old[: len(new) - 1], out=new[1:])
        new[1 : len(old)] += old[1:]
        path.append(new)
    return path


def _backwards(z: Array, path: list[Array], carried: Array, by_z: Array, spare: Array) -> None:
    """From the derivatives by the last polynomials, which are used up, to those by ``z``, written to ``by_z``."""
    for old, column, target in zip(path[::-1], z[::-1], by_z[::-1], strict=True):
        part = spare[: len(carried) - 1]
        np.multiply(carried[1:], old[: len(part)], out=part)
        np.add.reduce(part, axis=0, out=target)
        np.multiply(carried[1:], column, out=part)
        carried[: len(part)] += part
        carried = carried[: len(old)]


def newton_girard(z: Array, order: int) -> Array:
    """The same as `polynomials` by sums of powers, as published (Duvenaud et al. 2011); for comparison only."""
    powers = [np.sum(z**r, axis=0) for r in range(1, order + 1)]
    polynomials_of = [np.ones(z.shape[1])]
    for r in range(1, order + 1):
        terms = [(-1.0) ** (a - 1) * polynomials_of[r - a] * powers[a - 1] for a in range(1, r + 1)]
        polynomials_of.append(np.sum(terms, axis=0) / r)
    return np.array(polynomials_of)
