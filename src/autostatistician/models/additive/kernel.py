"""The additive kernel of all columns, its matrix and its gradient, in pieces that stay in the processor's cache.

``K = sum_r v_r / C(D, r) e_r(k_1, ..., k_D)``: ``v_r`` is the variance of all terms of order r together (where every
column has variance one). Only the lower triangle is computed, in O(D R n^2) time and O(n^2) memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import comb, isqrt

import numpy as np
from numpy.typing import NDArray

from autostatistician.models.additive.base import Base, derivatives, values

__all__ = ["AdditiveKernel", "Layout", "polynomials", "weighted_sum"]


Array = NDArray[np.float64]

PIECE_ENTRIES = 4096  # entries at a time


@dataclass(frozen=True)
class Layout:
    """What parameters an additive kernel has, and where they stand in a vector.

    Parameters
    ----------
    bases : tuple of Base
        The kernel of each column.
    orders : tuple of int
        The orders that are there, ascending; 0 is a constant.
    tied : bool
        All-subsets: ``v_r / C(D, r) = v a^r``, two parameters for all orders (Bach 2009).
    stretched : bool
        Every order stretches the lengthscales by a factor of its own.
    """

    bases: tuple[Base, ...]
    orders: tuple[int, ...]
    tied: bool = False
    stretched: bool = False

    @cached_property
    def counts(self) -> Array:
        """The number of terms of every order."""
        return np.array([comb(len(self.bases), order) for order in self.orders], dtype=np.float64)

    @cached_property
    def ends(self) -> tuple[int, ...]:
        """Where the parameters of each column end."""
        return tuple(np.cumsum([len(base.names) for base in self.bases]).tolist())

    @cached_property
    def lengths(self) -> Array:
        """One for the parameters of the columns that are lengthscales, zero for the others."""
        return np.array([name == "lengthscale" for base in self.bases for name in base.names], dtype=np.float64)

    @property
    def scales(self) -> int:
        """Parameters that set the variances of the orders."""
        return 2 if self.tied else len(self.orders)

    @property
    def stretches(self) -> int:
        """Parameters that stretch lengthscales: those of all orders but the first."""
        return len(self.orders) - 1 if self.stretched else 0

    @property
    def size(self) -> int:
        """All parameters: those of the columns, of the orders, the factors of the orders, and the noise."""
        return self.ends[-1] + self.scales + self.stretches + 1

    def split(self, u: Array) -> tuple[Array, Array, Array, float]:
        """The parameters of all columns, of the orders, log stretches of all orders, and log noise sd."""
        end = self.ends[-1]
        stretch = np.zeros(len(self.orders))
        stretch[1 : self.stretches + 1] += u[end + self.scales : -1]
        return u[:end], u[end : end + self.scales], stretch, float(u[-1])

    def by_column(self, parameters: Array) -> list[Array]:
        """The parameters of all columns, one array for each."""
        return np.split(parameters, self.ends[:-1])

    def term_variances(self, scales: Array) -> Array:
        """The variance of each single term, by order."""
        if self.tied:
            return np.asarray(np.exp(scales[0] + scales[1] * np.array(self.orders)))
        return np.exp(scales) / self.counts


@dataclass(frozen=True, eq=False)
class AdditiveKernel:
    """An additive kernel with its parameters ``u`` (see `Layout`), inputs in standard units."""

    layout: Layout
    u: Array

    @property
    def noise_variance(self) -> float:
        """The variance of the noise."""
        return float(np.exp(2.0 * self.layout.split(self.u)[3]))

    def order_variances(self, X: Array) -> Array:
        """The prior variance of all terms of each order together, on average over the inputs ``X`` (n, D)."""
        variances, places = np.zeros(len(self.layout.orders)), np.array(self.layout.orders)
        for by_column, weights, only in self.groups():
            z = values(self.layout.bases, X.T, X.T, by_column)
            mean = polynomials(z, len(weights) - 1).mean(axis=1) * weights
            variances += np.where([only in (None, place) for place in range(len(places))], mean[places], 0.0)
        return variances

    def covariance(self, X: Array, other: Array) -> Array:
        """The covariance (n, m) of the function at two sets of inputs.

        A row of the second set that lacks some coordinates (NaN) stands for the function of its other columns alone.
        """
        K, room = np.empty((len(X), len(other))), Room()
        lacks_some, rows = bool(np.isnan(other).any()), max(1, PIECE_ENTRIES // max(1, len(other)))
        for start in range(0, len(X), rows):
            here = X[start : start + rows].T[:, :, None]
            K[start : start + rows] = self._entries(here, other.T[:, None], room, lacks_some=lacks_some)
        return K

    def variance(self, X: Array) -> Array:
        """The prior variance (n,) of the function."""
        return self._entries(X.T, X.T)

    def matrix(self, X: Array) -> Array:
        """The covariance (n, n) of the function at the inputs, both triangles."""
        columns, K, room = np.ascontiguousarray(X.T), np.empty((len(X), len(X))), Room()
        for start, stop in _triangle(len(X)):
            entries = self._entries(columns[:, start:stop, None], columns[:, None, :stop], room)
            K[start:stop, :stop] = entries
            K[:start, start:stop] = entries[:, :start].T
        return K

    def groups(self) -> Iterator[tuple[list[Array], Array, int | None]]:
        """Orders that share lengthscales: parameters by column, weights by order, and the place of a single order."""
        parameters, scales, stretch, _ = self.layout.split(self.u)
        weights = np.zeros(max(self.layout.orders) + 1)
        weights[list(self.layout.orders)] = self.layout.term_variances(scales)
        if not self.layout.stretched:
            yield self.layout.by_column(parameters), weights, None
            return
        for place, order in enumerate(self.layout.orders):
            by_column = self.layout.by_column(parameters + stretch[place] * self.layout.lengths)
            yield by_column, np.where(np.arange(len(weights)) == order, weights, 0.0), place

    def gradient(self, X: Array, outer: Array) -> Array:
        """The gradient of ``sum(outer * matrix)`` by all parameters but the noise, for a symmetric ``outer`` (n, n)."""
        columns, slopes, room = np.ascontiguousarray(X.T), np.zeros(self.layout.size - 1), Room()
        for start, stop in _triangle(len(X)):
            weights = np.array(outer[start:stop, :stop])
            weights[:, :start] *= 2.0  # for the other triangle
            slopes += self._gradient_of(columns[:, start:stop, None], columns[:, None, :stop], weights, room)
        return slopes

    def cross_gradient(self, X: Array, other: Array, outer: Array) -> Array:
        """The same of ``sum(outer * covariance)`` at two sets of inputs, for any ``outer`` (n, m)."""
        slopes, room, rows = np.zeros(self.layout.size - 1), Room(), max(1, PIECE_ENTRIES // max(1, len(other)))
        for start in range(0, len(X), rows):
            here = X[start : start + rows].T[:, :, None]
            slopes += self._gradient_of(here, other.T[:, None], outer[start : start + rows], room)
        return slopes

    def variance_gradient(self, X: Array, outer: Array) -> Array:
        """The same of ``sum(outer * variance)`` (n,)."""
        return self._gradient_of(X.T, X.T, outer, Room())

    # --- one piece: positions (D, ...) that broadcast to the shape of the entries ---

    def _entries(self, x: Array, other: Array, room: Room | None = None, *, lacks_some: bool = False) -> Array:
        shape = np.broadcast_shapes(x.shape[1:], other.shape[1:])
        total = np.zeros(shape)
        for by_column, weights, _ in self.groups():
            z = values(self.layout.bases, x, other, by_column)
            z = np.where(np.isnan(other), 0.0, z) if lacks_some else z
            total += weighted_sum(z.reshape(len(z), -1), weights, room).reshape(shape)
        return total

    def _gradient_of(self, x: Array, other: Array, outer: Array, room: Room) -> Array:
        """Derivatives by the parameters."""
        layout, slopes = self.layout, np.zeros(self.layout.size - 1)
        end, orders = layout.ends[-1], np.array(layout.orders)
        for by_column, weights, place in self.groups():
            z, by = derivatives(layout.bases, x, other, by_column)
            by_weights, by_z = weighted_sum_gradient(z.reshape(len(z), -1), weights, outer.ravel(), room)
            by_parameters = np.array([by_z[column] @ slope.ravel() for column, slope in by])
            slopes[:end] += by_parameters
            by_scale = by_weights[orders] * weights[orders]  # nothing where the group has no weight
            if layout.tied:
                slopes[end : end + 2] += by_scale.sum(), by_scale @ orders
            else:
                slopes[end : end + layout.scales] += by_scale
            if place and layout.stretched:
                slopes[end + layout.scales + place - 1] += by_parameters @ layout.lengths
        return slopes


def _triangle(n: int) -> Iterator[tuple[int, int]]:
    """Rows (start, stop) of the lower triangle, as many as a piece holds: few of its entries are above the diagonal."""
    start = 0
    while start < n:
        rows = (isqrt(start * start + 4 * PIECE_ENTRIES) - start) // 2  # rows * (start + rows) entries
        stop = min(n, start + max(1, rows))
        yield start, stop
        start = stop


# --- Elementary symmetric polynomials of one number per column: the sums over all subsets of each size --------------


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
