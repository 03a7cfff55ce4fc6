"""The additive kernel of all columns, its matrix and its gradient, in pieces that stay in the processor's cache.

``K = sum_r v_r / C(D, r) e_r(k_1, ..., k_D)``: ``v_r`` is the variance of all terms of order r together. Only the
lower triangle is computed, in O(D R n^2) time and O(n^2) memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np
from numpy.typing import NDArray

from autostatistician.additive.base import Base
from autostatistician.additive.orders import weighted_sum, weighted_sum_gradient

__all__ = ["AdditiveKernel", "Layout"]

Array = NDArray[np.float64]

PIECE = 4096  # entries at a time


@dataclass(frozen=True)
class Layout:
    """What numbers an additive kernel has, and where they stand in a vector.

    Parameters
    ----------
    base : Base
        The kernel of each column.
    columns : int
        D.
    orders : tuple of int
        The orders that are there, ascending; 0 is a constant.
    tied : bool
        All-subsets: ``v_r / C(D, r) = v a^r``, two numbers for all orders (Bach 2009).
    stretched : bool
        Every order stretches the lengthscales by a factor of its own.
    """

    base: Base
    columns: int
    orders: tuple[int, ...]
    tied: bool = False
    stretched: bool = False

    @cached_property
    def counts(self) -> Array:
        """The number of terms of every order."""
        return np.array([comb(self.columns, order) for order in self.orders], dtype=np.float64)

    @property
    def per_column(self) -> int:
        """Numbers of one column."""
        return len(self.base.names)

    @property
    def scales(self) -> int:
        """Numbers that set the variances of the orders."""
        return 2 if self.tied else len(self.orders)

    @property
    def size(self) -> int:
        """All numbers: those of the columns, of the orders, the factors of the orders, and the noise."""
        return self.columns * self.per_column + self.scales + self.stretches + 1

    @property
    def stretches(self) -> int:
        """Numbers that stretch lengthscales: those of all orders but the first."""
        return len(self.orders) - 1 if self.stretched else 0

    def split(self, u: Array) -> tuple[Array, Array, Array, float]:
        """The numbers of the columns (D, k), of the orders, the stretches with a zero first, and log noise sd."""
        end = self.columns * self.per_column
        stretch = np.zeros(len(self.orders))
        stretch[1 : self.stretches + 1] = u[end + self.scales : -1]
        return u[:end].reshape(self.columns, -1), u[end : end + self.scales], stretch, float(u[-1])

    def term_variances(self, scales: Array) -> Array:
        """The variance of each single term, by order."""
        if self.tied:
            return np.asarray(np.exp(scales[0] + scales[1] * np.array(self.orders)))
        return np.exp(scales) / self.counts


@dataclass(frozen=True, eq=False)
class AdditiveKernel:
    """An additive kernel with its numbers ``u`` (see `Layout`), inputs in standard units."""

    layout: Layout
    u: Array

    @property
    def noise_variance(self) -> float:
        """The variance of the noise."""
        return float(np.exp(2.0 * self.layout.split(self.u)[3]))

    @property
    def order_variances(self) -> Array:
        """The variance of all terms of each order together."""
        return self.layout.term_variances(self.layout.split(self.u)[1]) * self.layout.counts

    def covariance(self, X: Array, other: Array) -> Array:
        """The covariance (n, m) of the function at two sets of inputs."""
        K = np.empty(len(X) * len(other))
        rows, columns = np.divmod(np.arange(K.size), len(other))
        for piece in _pieces(K.size):
            K[piece] = self._entries(X[rows[piece]].T, other[columns[piece]].T)
        return K.reshape(len(X), len(other))

    def variance(self, X: Array) -> Array:
        """The prior variance (n,) of the function."""
        return self._entries(X.T, X.T)

    def matrix(self, X: Array) -> Array:
        """The covariance (n, n) of the function at the inputs, both triangles."""
        rows, columns = np.tril_indices(len(X))
        K = np.empty((len(X), len(X)))
        for piece in _pieces(len(rows)):
            i, j = rows[piece], columns[piece]
            K[i, j] = K[j, i] = self._entries(X[i].T, X[j].T)
        return K

    def term(self, columns: tuple[int, ...], X: Array, other: Array) -> Array:
        """The covariance (n, m) of the one term of a set of columns."""
        numbers, scales, stretch, _ = self.layout.split(self.u)
        place = self.layout.orders.index(len(columns))
        K = np.full((len(X), len(other)), self.layout.term_variances(scales)[place])
        for column in columns:
            a, b = np.meshgrid(X[:, column], other[:, column], indexing="ij")
            K *= self.layout.base.value(a, b, self._stretched(numbers[column], stretch[place]))
        return K

    def gradient(self, X: Array, outer: Array) -> Array:
        """The gradient of ``sum(outer * matrix)`` by all numbers but the noise, for a symmetric ``outer`` (n, n)."""
        rows, columns = np.tril_indices(len(X))
        found = np.zeros(self.layout.size - 1)
        for piece in _pieces(len(rows)):
            i, j = rows[piece], columns[piece]
            found += self._gradient_of(X[i].T, X[j].T, outer[i, j] * np.where(i == j, 1.0, 2.0))
        return found

    # --- one piece: arrays (D, m) of the two positions of every entry ---

    def _groups(self) -> Iterator[tuple[float, Array, int | None]]:
        """Orders that share their lengthscales: the stretch, weights by order, and the place of a single order."""
        _, scales, stretch, _ = self.layout.split(self.u)
        each = self.layout.term_variances(scales)
        if not self.layout.stretched:
            yield 0.0, self._weights(each, None), None
            return
        for place in range(len(each)):
            yield float(stretch[place]), self._weights(each, place), place

    def _weights(self, each: Array, only: int | None) -> Array:
        weights = np.zeros(max(self.layout.orders) + 1)
        for place, order in enumerate(self.layout.orders):
            if only in (None, place):
                weights[order] = each[place]
        return weights

    def _stretched(self, numbers: Array, stretch: float) -> Array:
        lengths = np.array([name == "lengthscale" for name in self.layout.base.names])
        return numbers + stretch * lengths

    def _entries(self, x: Array, other: Array) -> Array:
        numbers, value = self.layout.split(self.u)[0], self.layout.base.value
        total = np.zeros(x.shape[1])
        for stretch, weights, _ in self._groups():
            own = [self._stretched(one, stretch) for one in numbers]
            z = np.array([value(x[d], other[d], own[d]) for d in range(len(own))])
            total += weighted_sum(z, weights)
        return total

    def _gradient_of(self, x: Array, other: Array, outer: Array) -> Array:
        layout, found = self.layout, np.zeros(self.layout.size - 1)
        numbers, scales, _, _ = layout.split(self.u)
        orders = np.array(layout.orders)
        ends = np.cumsum([numbers.size, layout.scales, layout.stretches])
        each = layout.term_variances(scales)
        for stretch, weights, place in self._groups():
            own = [self._stretched(one, stretch) for one in numbers]
            made = [layout.base.derivatives(x[d], other[d], own[d]) for d in range(len(own))]
            by_weights, by_z = weighted_sum_gradient(np.array([k for k, _ in made]), weights, outer)
            by_numbers = np.array([[by_z[d] @ one for one in made[d][1]] for d in range(len(own))])
            found[: ends[0]] += by_numbers.ravel()
            present = slice(None) if place is None else slice(place, place + 1)
            by_scale = by_weights[orders[present]] * each[present]
            if layout.tied:
                found[ends[0] : ends[1]] += by_scale.sum(), by_scale @ orders[present]
            else:
                found[ends[0] : ends[1]][present] += by_scale
            if place:
                lengths = [name == "lengthscale" for name in layout.base.names]
                found[ends[1] + place - 1] += by_numbers[:, lengths].sum()
        return found


def _pieces(total: int) -> Iterator[slice]:
    for start in range(0, total, PIECE):
        yield slice(start, min(start + PIECE, total))
