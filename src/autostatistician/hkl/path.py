"""The best functions for falling penalties: hulls grow until no subset outside can matter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.hkl.columns import ColumnKernel, PackedTriangle, column_of
from autostatistician.hkl.hull import Hull, closure, members
from autostatistician.hkl.losses import Loss
from autostatistician.hkl.outside import Outside
from autostatistician.hkl.reduced import Point, Reduced

__all__ = ["PathSettings", "Solution", "path"]

Array = NDArray[np.float64]

MOST_BYTES = 4e9  # of the kernels of a hull
AT_ONCE = (10, 40)  # subsets that come in by the necessary, and by the sufficient condition
ACTIVE = 1e-5  # share of the penalty from which a subset is active


@dataclass(frozen=True)
class PathSettings:
    """Of the kernels, the penalty and the proof."""

    sharpness: float
    rank: int
    root_weight: float
    growth: float
    most: int
    gap: float

    def costs(self, sizes: Array) -> Array:
        """The weights of the norms of subsets of so many columns."""
        return np.where(sizes == 0.0, self.root_weight, self.growth**sizes)


@dataclass(frozen=True, eq=False)
class Solution:
    """The function for one penalty: a constant and a sum over subsets of products of the columns' kernels."""

    penalty: float
    columns: tuple[ColumnKernel, ...]
    X: Array  # (n, p)
    subsets: tuple[tuple[int, ...], ...]
    scales: Array  # (m,) of the kernels
    norms: Array  # (m,) of the functions of the subsets
    active: NDArray[np.bool_]  # (m,)
    weights: Array  # (n,)
    level: float
    loss: float  # the mean over the rows of the data
    primal: float
    gap: float  # proven, over all subsets of the columns
    proven: bool  # whether the gap is as small as was asked for, rather than that of a limit

    def values(self, X: Array) -> Array:
        """The function at rows (m, p)."""
        return self.level + self._sum(X) - float(self._sum(self.X).mean())

    def _sum(self, X: Array) -> Array:
        kernels = [c.features(at) @ c.features(x).T for c, at, x in zip(self.columns, X.T, self.X.T, strict=True)]
        total = np.zeros(len(X))
        products: dict[tuple[int, ...], Array] = {(): np.ones((len(X), len(self.X)))}
        for subset, scale in zip(self.subsets, self.scales, strict=True):
            if subset:
                products[subset] = products[subset[:-1]] * kernels[subset[-1]]
            total += scale * (products[subset] @ self.weights)
        return total


class _Path:
    """The state that one penalty hands on to the next."""

    def __init__(self, X: Array, loss: Loss, settings: PathSettings) -> None:
        self.X, self.loss, self.settings = X, loss, settings
        self.triangle = PackedTriangle(len(X))
        self.columns = tuple(column_of(x, settings.sharpness, settings.rank) for x in X.T)
        features = [column.features(x) for column, x in zip(self.columns, X.T, strict=True)]
        packed = np.array([self.triangle.pack(F @ F.T) for F in features])
        most = int(min(settings.most, max(2, MOST_BYTES // (8 * self.triangle.size))))
        self.hull = Hull(packed, most)
        self.shares, self.weights = np.ones(1), np.zeros(len(X))

    def solve(self, penalty: float) -> Solution:
        """The best function for a penalty, beginning with what was left by the one before."""
        gap = self.settings.gap
        while True:
            costs = self.settings.costs(self.hull.sizes)
            reduced = Reduced(self.hull, self.triangle, self.loss, costs, penalty)
            point = reduced.solve(self.shares, self.weights, gap / 10.0)
            self.shares, self.weights = point.shares, point.weights
            outside = Outside(self.hull, self.triangle, self.settings.growth)
            bounds = outside.with_all_above(point.weights)
            proven = reduced.gap(point, float(bounds.max(initial=0.0)))
            new = self._violating(outside, point, bounds, reduced.level(point, gap)) if proven > gap else []
            if not new:
                return self._finished(penalty, point, costs, proven)
            self.hull.add(new)
            self.shares = np.append(self.shares, np.full(len(new), 0.1 / len(self.hull)))

    def _violating(self, outside: Outside, point: Point, bounds: Array, level: float) -> list[int]:
        """The subsets that come in: those that must, or else those that may have to."""
        alone = outside.alone(point.weights)
        by, most = (alone, AT_ONCE[0]) if (alone > level).any() else (bounds, AT_ONCE[1])
        first = [place for place in np.argsort(-by, kind="stable") if by[place] > level]
        return [outside.sources[place] for place in first[: min(most, self.hull.room)]]

    def _finished(self, penalty: float, point: Point, costs: Array, proven: float) -> Solution:
        together = costs * point.norms
        subsets = self.hull.subsets
        kept = closure(subset for subset, of in zip(subsets, together, strict=True) if of > ACTIVE * together.sum())
        active = np.array([subset in kept for subset in subsets])
        solution = Solution(
            penalty=penalty,
            columns=self.columns,
            X=self.X,
            subsets=tuple(map(members, subsets)),
            scales=point.scales,
            norms=point.scales * np.sqrt(point.forms),
            active=active,
            weights=point.weights,
            level=point.level,
            loss=point.loss,
            primal=point.primal,
            gap=proven,
            proven=proven <= self.settings.gap,
        )
        self.hull.keep(active)
        self.shares = self.shares[active]
        return solution


def path(X: Array, loss: Loss, penalties: Sequence[float], settings: PathSettings) -> Iterator[Solution]:
    """The best function for each of falling penalties, one after the other.

    Parameters
    ----------
    X : array (n, p)
        Standardised columns.
    """
    state = _Path(X, loss, settings)
    return (state.solve(penalty) for penalty in penalties)
