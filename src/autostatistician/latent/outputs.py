"""Observed rows in standard units, their empty cells, and a first guess at where they come from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

__all__ = ["Outputs", "Pattern", "principal_coordinates"]

Array = NDArray[np.float64]
Indices = NDArray[np.intp]

ROUNDS_OF_FILLING = 20  # empty cells are filled from the principal components, these found anew, and so on
WIDTH_WITHOUT_DATA = 0.1  # of starting coordinates beyond the rank of the rows


@dataclass(frozen=True, eq=False)
class Pattern:
    """The columns that are observed in the same rows."""

    rows: Indices
    columns: Indices


@dataclass(frozen=True, eq=False)
class Outputs:
    """Rows ``Y`` (n, D) with mean zero and deviation one in every column; empty cells are NaN."""

    Y: Array
    centre: Array  # (D,)
    scale: Array  # (D,)

    @classmethod
    def of(cls, rows: Array) -> Self:
        """Rows in their own units (n, D), each column with a number at least.

        >>> Outputs.of(np.array([[1.0, 5.0], [3.0, np.nan]])).Y.tolist()
        [[-1.0, 0.0], [1.0, nan]]
        """
        centre, spread = np.nanmean(rows, axis=0), np.nanstd(rows, axis=0)
        scale = np.where(spread > 1e-12 * np.nanmax(np.abs(rows), axis=0), spread, 1.0)
        Y = (rows - centre) / scale
        Y[np.isnan(Y)] = np.nan  # one and the same, whatever it was
        return cls(Y, centre, scale)

    def standard(self, rows: Array) -> Array:
        """Other rows in these units."""
        return np.asarray((rows - self.centre) / self.scale)

    @property
    def log_unit(self) -> float:
        """The log density of all cells in their own units is that in standard units less this."""
        return float(np.isfinite(self.Y).sum(axis=0) @ np.log(self.scale))

    def patterns(self) -> Iterator[Pattern]:
        """The columns by the rows in which they are observed."""
        seen = np.isfinite(self.Y)
        kinds, which = np.unique(seen, axis=1, return_inverse=True)
        for number, kind in enumerate(kinds.T):
            yield Pattern(np.flatnonzero(kind), np.flatnonzero(which.reshape(-1) == number))

    def block(self, pattern: Pattern) -> Array:
        """The cells of a pattern."""
        return np.asarray(self.Y[np.ix_(pattern.rows, pattern.columns)])


def principal_coordinates(Y: Array, count: int, rng: np.random.Generator) -> Array:
    """The first principal components of standard rows (n, D) as coordinates (n, count) of deviation one.

    Empty cells are filled from these components until they hardly move. Coordinates beyond the rank are small and
    random.

    >>> rows = np.outer([-1.0, 0.0, 1.0], [1.0, 1.0])
    >>> principal_coordinates(rows, 1, np.random.default_rng(0)).round(3).ravel().tolist()
    [-1.225, 0.0, 1.225]
    """
    empty, filled = ~np.isfinite(Y), np.nan_to_num(Y)
    for _ in range(ROUNDS_OF_FILLING if empty.any() else 1):
        left, sizes, right = np.linalg.svd(filled - filled.mean(axis=0), full_matrices=False)
        common = (left[:, :count] * sizes[:count]) @ right[:count] + filled.mean(axis=0)
        filled[empty] = common[empty]
    rank = min(count, int((sizes > 1e-8 * sizes[0]).sum()) if sizes[0] > 0.0 else 0)
    signs = np.where(right[:rank].sum(axis=1) < 0.0, -1.0, 1.0)
    coordinates = WIDTH_WITHOUT_DATA * rng.standard_normal((len(Y), count))
    coordinates[:, :rank] = np.sqrt(len(Y)) * left[:, :rank] * signs
    return coordinates
