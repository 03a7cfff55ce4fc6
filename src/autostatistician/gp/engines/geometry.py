"""Which distances between data points occur, and how a vector over them becomes a matrix and back.

On one input every stationary kernel is a function of the lag alone. A geometry lists the distinct
lags once (slot 0 is always lag zero) and, where every lag or every pair has its own place, offers two linear maps:

- ``expand``: values per lag -> the upper triangle (in C order) of an n x n matrix;
- ``collapse``: the same triangle of a symmetric matrix -> sums per lag, the adjoint of ``expand``
  (off-diagonal lags are counted twice, once for either order of the pair).

`Grid` serves complete regular grids (Toeplitz, no index arithmetic), `Gaps` grids with missing or
repeated positions, `Recurring` other points on one input between which few lags occur, as where they were rounded,
`Pairs` everything else: scattered points and several inputs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from autostatistician.kernels.covariance import triangle_rows

__all__ = [
    "Gaps", "Geometry", "Grid", "Indexed", "Pairs", "Recurring", "Tile", "UpperTriangle", "cells_in_order",
    "geometry_of", "grid_step", "halved_diagonal", "spacing",
]  # fmt: skip


Array = NDArray[np.float64]

# Positions count as a grid when they are multiples of a step up to this fraction of the step.
GRID_TOLERANCE = 1e-6

# Beyond this many cells per datum a table of lags costs more than the pairs themselves.
MAX_CELLS_PER_DATUM = 30

# Lags that differ by this fraction of the range are one; a table is worth its while with so many per pair at most.
SAME_LAG = 1e-9

LAGS_PER_PAIR = 0.25

# Below this many points, pairs are gathered by an index; above, row by row.
GATHERED_ROWS = 500

# Quantile of the distances of scattered neighbours that counts as close.
CLOSE_QUANTILE = 0.05

# Cells of a tile: work of three such arrays stays in the cache.
CELLS_PER_TILE = 16384

WORK_ARRAYS = 3

SPARE_PLACES = 32  # places past the lags, for cells below the diagonal


class Grid:
    """A complete regular grid in ascending order: the matrix is Toeplitz."""

    def __init__(self, n: int, step: float) -> None:
        self.n = n
        self.size = n
        self._lags: Array = np.arange(n, dtype=np.float64) * step
        self._ones = np.ones(n)
        self._source = np.zeros(2 * n - 1)
        item = self._source.itemsize
        self._toeplitz: Array = as_strided(self._source[n - 1 :], (n, n), (-item, item))

    def lags(self, column: int) -> Array:
        """Distinct distances, ascending from 0; shape (size,)."""
        return self._lags

    def expand(self, values: Array, out: Array) -> None:
        """Write ``values`` per lag into the upper triangle of ``out`` (n, n); the rest becomes zero."""
        self._source[self.n - 1 :] = values
        np.copyto(out, self._toeplitz)

    def collapse(self, triangle: UpperTriangle) -> Array:
        """Sums over the pairs of every lag of the symmetric matrix held in the triangle."""
        sums: Array = self._ones @ triangle.diagonals
        sums *= 2.0
        sums[0] *= 0.5
        return sums

    def collapse_outer(self, vector: Array) -> Array:
        """The same for the matrix ``outer(vector, vector)``, without forming it."""
        sums: Array = 2.0 * np.correlate(vector, vector, "full")[self.n - 1 :]
        sums[0] *= 0.5
        return sums


@dataclass(frozen=True, eq=False, slots=True)
class Tile:
    """Some rows of the upper triangle, from the diagonal to its right end, that fit into the processor's cache."""

    rows: slice
    index: NDArray[np.intp]  # (rows, columns from the first row's on): places in the table of lags

    @property
    def columns(self) -> slice:
        """From the diagonal of the first row to the end."""
        return slice(self.rows.start, None)


class Indexed:
    """Points among which the same lags come again and again: a table of lags, and for every pair its place in it.

    The places stand in tiles (see `lag_space`). Cells of a tile below the diagonal have their places past the lags:
    some, not one, because sums that all go to one place wait for each other.
    """

    def __init__(self, index: NDArray[np.intp], lags: Array) -> None:
        self.n, self.size = len(index), len(lags)
        self._lags = lags
        rows, columns = np.tril_indices(self.n, -1)
        index[rows, columns] = self.size + columns % SPARE_PLACES
        every = triangle_rows(self.n, CELLS_PER_TILE)
        self.tiles = tuple(Tile(rows, index[rows, rows.start :].copy()) for rows in every)
        self.work = tuple(np.empty(max(tile.index.size for tile in self.tiles)) for _ in range(WORK_ARRAYS))

    def lags(self, column: int) -> Array:
        """Distances of the table, ascending from 0; shape (size,)."""
        return self._lags

    def padded(self, values: Array) -> Array:
        """Values per lag and zeros behind them, for the cells below the diagonal."""
        return np.concatenate([values, np.zeros(SPARE_PLACES)])


def halved_diagonal(tile: Array) -> None:
    """Halve the part of a tile that lies on the diagonal of the matrix, so that every pair may count twice."""
    tile.reshape(-1)[:: tile.shape[1] + 1][: len(tile)] *= 0.5


class Gaps(Indexed):
    """Positions on a regular grid with cells left out, repeated or in any order."""

    def __init__(self, cells: NDArray[np.intp], step: float) -> None:
        lags = np.arange(int(np.ptp(cells)) + 1, dtype=np.float64) * step
        super().__init__(np.abs(cells[:, None] - cells[None, :]), lags)


class Recurring(Indexed):
    """Positions on no grid of ours among which few lags occur: rounded ones, or several grids beside each other."""


class Pairs:
    """Any points in any number of columns: one slot per pair, packed row by row, after slot 0 for lag zero."""

    def __init__(self, X: Array) -> None:
        self.n = len(X)
        self.size = 1 + self.n * (self.n - 1) // 2
        self._X = X
        self._stored: dict[int, Array] = {}
        lengths = np.arange(self.n - 1, 0, -1)
        stops = 1 + np.cumsum(lengths)
        self._slices = [
            (row, slice(stop - length, stop)) for row, (length, stop) in enumerate(zip(lengths, stops, strict=True))
        ]
        # Few rows: one gather costs less than a step of Python for every row. Many rows: the other way round.
        self._places = np.triu_indices(self.n, 1) if self.n < GATHERED_ROWS else None

    def lags(self, column: int) -> Array:
        """Absolute differences of one column over all pairs; slot 0 is zero; shape (size,)."""
        if column not in self._stored:
            x, lags = self._X[:, column], np.zeros(self.size)
            for row, part in self._slices:
                np.abs(x[row + 1 :] - x[row], out=lags[part])
            self._stored[column] = lags
        return self._stored[column]

    def expand(self, values: Array, out: Array) -> None:
        """Write ``values`` per pair into the upper triangle of ``out`` (n, n)."""
        if self._places is not None:
            out.reshape(-1)[self._flat] = values[1:]
        else:
            for row, part in self._slices:
                out[row, row + 1 :] = values[part]
        out.reshape(-1)[:: self.n + 1] = values[0]

    def collapse(self, triangle: UpperTriangle) -> Array:
        """Twice the entry of every pair; slot 0 holds the trace."""
        sums = np.empty(self.size)
        if self._places is not None:
            np.take(triangle.matrix.reshape(-1), self._flat, out=sums[1:], mode="clip")
        else:
            for row, part in self._slices:
                sums[part] = triangle.matrix[row, row + 1 :]
        sums *= 2.0
        sums[0] = triangle.main.sum()
        return sums

    @cached_property
    def _flat(self) -> NDArray[np.intp]:
        assert self._places is not None
        return self._places[0] * self.n + self._places[1]

    @cached_property
    def _outer(self) -> Array:
        return np.empty(self.size)

    def collapse_outer(self, vector: Array) -> Array:
        """The same for the matrix ``outer(vector, vector)``; overwritten by the next call."""
        sums = self._outer
        if self._places is not None:
            rows, columns = self._places
            np.multiply(vector[columns], (2.0 * vector)[rows], out=sums[1:])
        else:
            for row, part in self._slices:
                np.multiply(vector[row + 1 :], 2.0 * vector[row], out=sums[part])
        sums[0] = vector @ vector
        return sums


Geometry = Grid | Gaps | Recurring | Pairs


def geometry_of(X: Array) -> Geometry:
    """The cheapest geometry that represents the points ``X`` (n, d) exactly.

    >>> type(geometry_of(np.arange(5.0)[:, None])).__name__
    'Grid'
    >>> type(geometry_of(np.array([[0.0], [1.0], [4.0]]))).__name__
    'Gaps'
    >>> type(geometry_of(np.array([[0.0], [1.0], [2.7182]]))).__name__
    'Pairs'
    >>> hours = np.arange(30.0)
    >>> type(geometry_of(np.append(hours, hours + 50.0**0.5)[:, None])).__name__
    'Recurring'
    """
    n, dimensions = X.shape
    if dimensions != 1 or n < 3:
        return Pairs(X)
    x = X[:, 0]
    grid = _grid_of(x)
    if grid is None:
        return (_recurring(x) if np.ptp(x) > 0.0 else None) or Pairs(X)
    cells, step = grid
    if np.array_equal(cells, np.arange(n)):
        return Grid(n, step)
    return Gaps(cells, step)


def cells_in_order(x: Array) -> tuple[NDArray[np.intp], float] | None:
    """The cells (n,) of a grid that ascending positions ``x`` take, each one's own, and the step; None without a grid.

    >>> cells_in_order(np.array([1.0, 1.5, 2.5]))[0].tolist(), cells_in_order(np.array([0.0, 2.0, 1.0]))
    ([0, 1, 3], None)
    """
    if len(x) < 3 or not (np.diff(x) > 0.0).all():
        return None
    return _grid_of(x)


def spacing(x: Array) -> float:
    """The step of the grid on which positions ``x`` (n,) lie, or the distance of close neighbours where there is none.

    Half the period of the fastest wave that such places show: scattered ones, random days of many years for instance,
    show waves much shorter than twice their mean distance. Zero where all places are one.

    >>> spacing(np.array([0.0, 1.0, 4.0])), spacing(np.array([0.0, 1.0, 2.71])), spacing(np.zeros(3))
    (1.0, 1.0355, 0.0)
    """
    step, gaps = grid_step(x), _gaps(x)
    if step is not None:
        return step
    return float(np.quantile(gaps, CLOSE_QUANTILE)) if len(gaps) else 0.0


def grid_step(x: Array) -> float | None:
    """The step of the grid on which positions ``x`` (n,) lie, in any order and with cells left out; None without one.

    >>> grid_step(np.array([4.0, 0.0, 1.0])), grid_step(np.array([0.0, 1.0, 2.7182]))
    (1.0, None)
    """
    grid = _grid_of(x) if len(x) > 2 else None
    return None if grid is None else grid[1]


def _gaps(x: Array) -> Array:
    """Distances (at most n - 1) of neighbours, without those that are rounding noise."""
    gaps = np.diff(np.sort(x))
    return np.asarray(gaps[gaps > GRID_TOLERANCE * np.ptp(x) / len(x)])


def _grid_of(x: Array) -> tuple[NDArray[np.intp], float] | None:
    """The cells of positions (n,) on a regular grid and its step; None where there is no grid."""
    gaps = _gaps(x)
    if len(gaps) == 0:
        return None
    step = _grid_step(gaps)
    cells = (x - x.min()) / step
    whole = np.rint(cells)
    rounding = GRID_TOLERANCE * max(1.0, whole.max() ** 0.5)
    if np.abs(cells - whole).max() > rounding or whole.max() > MAX_CELLS_PER_DATUM * len(x):
        return None
    return whole.astype(np.intp), step


def _grid_step(gaps: Array) -> float:
    """The step of the grid nearest to the smallest gap, refined over all gaps at once."""
    step = float(gaps.min())
    cells = np.rint(gaps / step)
    return float(gaps @ cells / (cells @ cells))


def _recurring(x: Array) -> Recurring | None:
    """The distinct lags of scattered points, where they are few enough to be worth a table."""
    n, allowed = len(x), SAME_LAG * float(np.ptp(x))
    rows, columns = np.triu_indices(n, 1)
    distances = np.abs(x[columns] - x[rows])
    order = np.argsort(distances)
    ranked = np.concatenate([[0.0], distances[order]])  # lag zero has its place even where no position is repeated
    slots = np.cumsum(np.diff(ranked, prepend=0.0) > allowed)
    size = int(slots[-1]) + 1
    if size > LAGS_PER_PAIR * len(order):
        return None
    lags = np.bincount(slots, weights=ranked) / np.bincount(slots)
    if np.abs(ranked - lags[slots]).max() > allowed:  # a chain of lags, each near the next
        return None
    lags[0] = 0.0
    index = np.zeros((n, n), dtype=np.intp)
    index[rows[order], columns[order]] = slots[1:]
    return Recurring(index, lags)


# --- A square work matrix that LAPACK and NumPy see each in its own order -------------------------------------------


class UpperTriangle:
    """An n x n work matrix of which LAPACK sees the lower triangle (Fortran order) and NumPy the upper.

    The other triangle stays zero, and a tail of zeros follows the matrix, so that its diagonals can be read
    as the columns of a strided view without any copy.
    """

    def __init__(self, n: int) -> None:
        self.n = n
        self._buffer = np.zeros(n * n + n)
        self.matrix = self._buffer[: n * n].reshape(n, n)
        step = self._buffer.itemsize
        self.diagonals: Array = as_strided(self._buffer, (n, n), ((n + 1) * step, step))
        self.main = self.matrix.reshape(-1)[:: n + 1]
