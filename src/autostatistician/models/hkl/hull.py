"""The subsets of the columns that take part: a set of them that has all subsets of its members, with their kernels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_triangular

__all__ = ["ColumnKernel", "Hull", "PackedTriangle", "closure", "column_of", "members"]


Array = NDArray[np.float64]

LEFT_OUT = 1e-3  # of the trace of a kernel, in all: where its incomplete Cholesky decomposition ends


def members(subset: int) -> tuple[int, ...]:
    """The columns of a subset, which is a number with one bit for each.

    >>> members(0b101)
    (0, 2)
    """
    return tuple(place for place in range(subset.bit_length()) if subset >> place & 1)


def parents(subset: int) -> Iterator[int]:
    """The subsets with one column less."""
    return (subset ^ (1 << column) for column in members(subset))


def closure(subsets: Iterable[int]) -> set[int]:
    """The subsets with all of theirs.

    >>> sorted(closure([0b011]))
    [0, 1, 2, 3]
    """
    closed, waiting = {0}, list(subsets)
    while waiting:
        subset = waiting.pop()
        if subset not in closed:
            closed.add(subset)
            waiting.extend(parents(subset))
    return closed


class Hull:
    """Subsets with their packed kernels, every subset after its own subsets; the empty one is the first.

    ``columns`` (p, N) are the packed kernels of the columns.
    """

    def __init__(self, columns: Array, most: int) -> None:
        self.columns = columns
        self.subsets: list[int] = []
        self._places: dict[int, int] = {}
        self._kernels = np.empty((most, columns.shape[1]))  # memory is taken when it is filled
        self.add([0])

    def __len__(self) -> int:
        return len(self.subsets)

    @property
    def room(self) -> int:
        """How many subsets more can be taken in."""
        return len(self._kernels) - len(self)

    @property
    def kernels(self) -> Array:
        """The packed kernels (m, N)."""
        return self._kernels[: len(self)]

    @property
    def sizes(self) -> Array:
        """How many columns each subset has (m,)."""
        return np.array([subset.bit_count() for subset in self.subsets], dtype=float)

    @property
    def below(self) -> Array:
        """A matrix (m, m): one where the second is a subset of the first."""
        held = np.array([[subset >> j & 1 for j in range(len(self.columns))] for subset in self.subsets], dtype=float)
        return np.asarray((held @ held.T == self.sizes[None, :]), dtype=float)

    def last_steps(self) -> Iterator[tuple[int, int, int]]:
        """Of every subset but the empty one: its place, that of the subset without its last column, and this column."""
        for place, subset in enumerate(self.subsets[1:], 1):
            column = subset.bit_length() - 1
            yield place, self._places[subset ^ (1 << column)], column

    def add(self, subsets: Sequence[int]) -> None:
        """Take subsets in whose own subsets are there."""
        for subset in subsets:
            assert all(parent in self._places for parent in parents(subset))
            place, column = len(self), subset.bit_length() - 1
            row = self._kernels[place]
            if subset:
                np.multiply(self._kernels[self._places[subset ^ (1 << column)]], self.columns[column], out=row)
            else:
                row[:] = 1.0
            self._places[subset] = place
            self.subsets.append(subset)

    def keep(self, kept: NDArray[np.bool_]) -> None:
        """Leave out all but some subsets, which must have all of theirs."""
        for new, old in enumerate(np.flatnonzero(kept)):
            if new < old:
                self._kernels[new] = self._kernels[old]
        self.subsets = [subset for subset, stays in zip(self.subsets, kept, strict=True) if stays]
        assert closure(self.subsets) == set(self.subsets)
        self._places = {subset: place for place, subset in enumerate(self.subsets)}

    def sources(self) -> list[tuple[int, int, int]]:
        """Subsets outside all of whose own subsets are inside: place of one of them, column that is added, subset."""
        steps = {}
        for place, subset in enumerate(self.subsets):
            for column in range(len(self.columns)):
                source = subset | (1 << column)
                if source not in self._places and source not in steps and self._is_ready(source):
                    steps[source] = (place, column, source)
        return list(steps.values())

    def _is_ready(self, source: int) -> bool:
        return all(parent in self._places for parent in parents(source))


# --- The kernels of single columns: Gaussian, of few features each, and packed products of them ---------------------


@dataclass(frozen=True, eq=False)
class ColumnKernel:
    """The kernel ``exp(-sharpness (x - x')^2)`` of a column, centred over its values: products of a few features."""

    sharpness: float
    pivots: Array  # (r,) values that span the features
    lower: Array  # (r, r), the Cholesky factor of their kernel
    mean: Array  # (r,) of the features before they are centred

    def features(self, x: Array) -> Array:
        """The features (m, r) of values (m,)."""
        spanned = solve_triangular(self.lower, _gaussian(self.pivots, x, self.sharpness), lower=True)
        return np.asarray(spanned.T - self.mean)


def column_of(x: Array, sharpness: float, rank: int) -> ColumnKernel:
    """The kernel of a column with the values (n,), by a Cholesky decomposition with pivots (Fine and Scheinberg 2001).

    >>> column = column_of(np.linspace(-1.0, 1.0, 9), 0.0625, 30)
    >>> features = column.features(np.array([-1.0, 1.0]))
    >>> features.shape, (features @ features.T).round(3).tolist()
    ((2, 3), [[0.114, -0.107], [-0.107, 0.114]])
    """
    residual, rows = np.ones(len(x)), np.zeros((min(rank, len(x)), len(x)))
    chosen: list[int] = []
    while len(chosen) < len(rows) and residual.sum() > LEFT_OUT:
        at, done = int(np.argmax(residual)), len(chosen)
        row = _gaussian(x[at : at + 1], x, sharpness)[0] - rows[:done, at] @ rows[:done]
        rows[done] = row / np.sqrt(residual[at])
        residual = np.maximum(residual - rows[done] ** 2, 0.0)
        chosen.append(at)
    rows = rows[: len(chosen)]
    return ColumnKernel(sharpness, x[chosen], np.tril(rows[:, chosen].T), rows.mean(axis=1))


def _gaussian(x: Array, other: Array, sharpness: float) -> Array:
    return np.asarray(np.exp(-sharpness * (x[:, None] - other[None, :]) ** 2))


class PackedTriangle:
    """Symmetric matrices (n, n) as vectors of their lower triangles, half as large.

    >>> triangle = PackedTriangle(2)
    >>> triangle.pack(np.array([[1.0, 2.0], [2.0, 3.0]])).tolist()
    [1.0, 2.0, 3.0]
    >>> triangle.outer(np.array([1.0, 2.0])) @ [1.0, 2.0, 3.0]  # (1, 2) K (1, 2)'
    np.float64(21.0)
    """

    def __init__(self, n: int) -> None:
        self.rows, self.columns = np.tril_indices(n)
        self.size = len(self.rows)
        self._places = np.empty((n, n), dtype=np.intp)
        self._places[self.rows, self.columns] = self._places[self.columns, self.rows] = np.arange(self.size)
        self._times = np.where(self.rows == self.columns, 1.0, 2.0)

    def pack(self, K: Array) -> Array:
        """The triangle of a symmetric matrix."""
        return np.asarray(K[self.rows, self.columns])

    def unpack(self, packed: Array) -> Array:
        """The matrix of a triangle."""
        return np.take(packed, self._places)

    def outer(self, a: Array) -> Array:
        """The vector whose product with the triangle of K is ``a' K a``."""
        return np.asarray(a[self.rows] * a[self.columns] * self._times)
