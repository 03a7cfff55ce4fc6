"""The best functions for falling penalties: hulls grow until no subset outside can matter.

Losses: the square and the logistic one, each with its dual and the best function for one kernel.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from scipy.special import entr, expit

from autostatistician.models.hkl.hull import ColumnKernel, Hull, PackedTriangle, closure, column_of, members

__all__ = ["LogisticLoss", "Loss", "PathSettings", "Solution", "SquaredLoss", "folds_of", "held_out_losses", "path"]


Array = NDArray[np.float64]

NEWTON_STEPS = 50
CLOSE = 1e-7  # of the mean loss: where Newton's method ends


class Loss(Protocol):
    """The mean over the rows of what values miss their targets by."""

    @property
    def y(self) -> Array:
        """The targets (n,)."""

    def mean(self, values: Array) -> float:
        """The loss of values (n,)."""

    def dual(self, weights: Array, penalty: float) -> float:
        """The part of the dual that is of the loss, at weights (n,) that sum to zero."""

    def solve(self, K: Array, penalty: float, start: Array) -> tuple[Array, float]:
        """Weights (n,), which sum to zero, and the constant that minimise loss and penalty; K (n, n) is centred."""


@dataclass(frozen=True, eq=False)
class SquaredLoss:
    """Half of the squared error."""

    y: Array

    def mean(self, values: Array) -> float:
        """As of every loss."""
        return 0.5 * float(np.mean((self.y - values) ** 2))

    def dual(self, weights: Array, penalty: float) -> float:
        """As of every loss."""
        n = len(self.y)
        return penalty * float(weights @ self.y) - 0.5 * n * penalty**2 * float(weights @ weights)

    def solve(self, K: Array, penalty: float, start: Array) -> tuple[Array, float]:
        """One linear system."""
        ridged = K.T.copy(order="F")
        ridged.flat[:: len(K) + 1] += len(K) * penalty
        level = float(self.y.mean())
        weights = cho_solve(cho_factor(ridged, lower=True, overwrite_a=True, check_finite=False), self.y - level)
        return weights - weights.mean(), level


@dataclass(frozen=True, eq=False)
class LogisticLoss:
    """The negative log probability of classes 0 and 1, the values being log odds."""

    y: Array

    def mean(self, values: Array) -> float:
        """As of every loss."""
        return float(np.mean(np.logaddexp(0.0, values) - self.y * values))

    def dual(self, weights: Array, penalty: float) -> float:
        """The mean entropy; chances are in bounds but for rounding."""
        chances = np.clip(self.y - len(self.y) * penalty * weights, 0.0, 1.0)
        return float(np.mean(entr(chances) + entr(1.0 - chances)))

    def solve(self, K: Array, penalty: float, start: Array) -> tuple[Array, float]:
        """Newton's method with halved steps, then weights that are exactly those of a constant and a function."""
        weights, level = start, self._level(K @ start, 0.0)
        reached = self._whole(K, penalty, weights, level)
        for _ in range(NEWTON_STEPS):
            to, to_level = self._newton(K, penalty, weights, level)
            before, step = reached, 1.0
            while (
                now := self._whole(K, penalty, *_between(weights, to, level, to_level, step))
            ) > before and step > 1e-4:
                step *= 0.5
            if now <= before:
                (weights, level), reached = _between(weights, to, level, to_level, step), now
            if before - reached < CLOSE:
                break
        values = K @ weights
        level = self._level(values, level)
        weights = (self.y - expit(values + level)) / (len(self.y) * penalty)
        return weights - weights.mean(), self._level(K @ weights, level)

    def _whole(self, K: Array, penalty: float, weights: Array, level: float) -> float:
        values = K @ weights
        return self.mean(values + level) + 0.5 * penalty * float(weights @ values)

    def _newton(self, K: Array, penalty: float, weights: Array, level: float) -> tuple[Array, float]:
        values = K @ weights + level
        chances = expit(values)
        curvature = np.maximum(chances * (1.0 - chances), 1e-10)
        root = np.sqrt(curvature / (len(K) * penalty))
        B = (K * root[:, None]).T  # in the order of LAPACK, as K is symmetric
        B *= root[:, None]
        B.T.flat[:: len(K) + 1] += 1.0
        factor = cho_factor(B, lower=True, overwrite_a=True, check_finite=False)
        working = values + (self.y - chances) / curvature
        of_working, of_one = (root * cho_solve(factor, root * values) for values in (working, np.ones(len(K))))
        level = float(of_working.sum() / of_one.sum())
        return of_working - level * of_one, level

    def _level(self, values: Array, start: float) -> float:
        """The constant at which as many rows are expected in class 1 as there are."""
        level = start
        for _ in range(NEWTON_STEPS):
            chances = expit(values + level)
            step = float((self.y - chances).sum() / max(float((chances * (1.0 - chances)).sum()), 1e-10))
            level += min(max(step, -1.0), 1.0)
            if abs(step) < 1e-13:
                break
        return level


def _between(weights: Array, to: Array, level: float, to_level: float, step: float) -> tuple[Array, float]:
    return weights + step * (to - weights), level + step * (to_level - level)


LEAST_SHARE = 1e-12

MOST_STEPS = 150

FASTER, SLOWER = 1.5, 0.4  # of the power of the slopes, after steps down and up

BLOCK = 8192  # numbers of a packed matrix at a time, so that all rows stay in the cache

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
        of_single = outside.alone(point.weights)
        by, most = (of_single, AT_ONCE[0]) if (of_single > level).any() else (bounds, AT_ONCE[1])
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


# --- What subsets outside of a hull could have ----------------------------------------------------------------------


class Outside:
    """The sources of a hull, the subsets outside all of whose own are inside, with what they could have.

    ``growth`` is the factor of the weight of a norm for every column more.
    """

    def __init__(self, hull: Hull, triangle: PackedTriangle, growth: float) -> None:
        self.hull, self.triangle, self.growth = hull, triangle, growth
        sources = hull.sources()
        self.sources = [source for _, _, source in sources]
        self._places, self._columns = (np.array([source[k] for source in sources], dtype=int) for k in (0, 1))

    def alone(self, weights: Array) -> Array:
        """For every source: ``weights' K weights`` over the square of its weight. Below the level of all: necessary."""
        outer = self.triangle.outer(weights)
        forms = np.zeros((len(self.hull), len(self.hull.columns)))
        for part in self._parts():
            forms += (self.hull.kernels[:, part] * outer[part]) @ self.hull.columns[:, part].T
        costs = self.growth ** (self.hull.sizes[self._places] + 1.0)
        return np.asarray(forms[self._places, self._columns] / costs**2)

    def with_all_above(self, weights: Array) -> Array:
        """For every source: a bound for it and all that contain it together. Below the level of all: sufficient.

        The sum over all that contain it of ``weights' K weights`` over the square of the summed weights between both
        (Bach 2009, section 5.3) is a product over the columns.
        """
        outer = self.triangle.outer(weights)
        bounds = np.zeros((len(self.hull), len(self.hull.columns)))
        for part in self._parts():
            bounds += self._bounds(part, outer[part])
        return np.asarray(bounds[self._places, self._columns])

    def _bounds(self, part: slice, outer: Array) -> Array:
        columns = self.hull.columns[:, part]
        free = 1.0 + columns / (1.0 + self.growth) ** 2
        free[np.abs(free) < 1e-9] = 1e-9  # divided by, and then multiplied with
        taken = columns / self.growth**2 / free
        products = np.empty((len(self.hull), len(outer)))
        products[0] = outer * np.prod(free, axis=0)
        for place, parent, column in self.hull.last_steps():
            np.multiply(products[parent], taken[column], out=products[place])
        return np.asarray(products @ taken.T)

    def _parts(self) -> Iterator[slice]:
        return (slice(start, start + BLOCK) for start in range(0, self.triangle.size, BLOCK))


# --- The problem on the subsets of a hull: the best shares of the penalty, and the gap that they leave --------------


@dataclass(frozen=True, eq=False)
class Point:
    """What shares (m,) of the penalty, which sum to one, make the best function, and how good that is."""

    shares: Array
    scales: Array  # (m,) of the kernels in their sum
    weights: Array  # (n,) of the rows
    level: float
    forms: Array  # (m,) weights' K weights
    norms: Array  # (m,) of the part of the function on a subset and all that contain it
    slopes: Array  # (m,) of the objective by the shares, downwards, over half the penalty
    value: float  # the objective of the shares
    loss: float
    primal: float
    dual_of_loss: float


class Reduced:
    """The problem of a penalty on a hull; ``cost`` (m,) are the weights of the norms."""

    def __init__(self, hull: Hull, triangle: PackedTriangle, loss: Loss, cost: Array, penalty: float) -> None:
        self.hull, self.triangle, self.loss, self.cost, self.penalty = hull, triangle, loss, cost, penalty
        self.below = hull.below

    def at(self, shares: Array, start: Array) -> Point:
        """The best function for shares; ``start`` (n,) are weights to begin with."""
        eta = shares / self.cost**2
        scales = 1.0 / (self.below @ (1.0 / eta))
        K = self.triangle.unpack(scales @ self.hull.kernels)
        mean = K.mean(axis=0)
        K -= mean[:, None]
        K -= mean - mean.mean()
        weights, level = self.loss.solve(K, self.penalty, start)
        forms = np.maximum(self.hull.kernels @ self.triangle.outer(weights), 0.0)
        norms = np.sqrt(self.below.T @ (scales**2 * forms))
        slopes = (norms / shares * self.cost) ** 2
        of_loss = self.loss.mean(K @ weights + level)
        return Point(
            shares=shares,
            scales=scales,
            weights=weights,
            level=level,
            forms=forms,
            norms=norms,
            slopes=slopes,
            value=of_loss + 0.5 * self.penalty * float(scales @ forms),
            loss=of_loss,
            primal=of_loss + 0.5 * self.penalty * float(self.cost @ norms) ** 2,
            dual_of_loss=self.loss.dual(weights, self.penalty),
        )

    def gap(self, point: Point, outside: float = 0.0) -> float:
        """Primal less dual, where ``outside`` bounds what the subsets outside could have."""
        return point.primal - point.dual_of_loss + 0.5 * self.penalty * max(float(point.slopes.max()), outside)

    def level(self, point: Point, gap: float) -> float:
        """What slopes and bounds may reach at most for a gap."""
        return 2.0 * (gap + point.dual_of_loss - point.primal) / self.penalty

    def solve(self, shares: Array, start: Array, enough: float) -> Point:
        """Shares whose gap on the hull is at most ``enough``, or the best after many steps.

        Shares grow by a power of the slope that they have, which is larger after every step that was one down.
        """
        point, power = self.at(_whole(shares), start), 1.0
        for _ in range(MOST_STEPS):
            if self.gap(point) <= enough:
                break
            slopes = np.maximum(point.slopes / float(point.shares @ point.slopes), LEAST_SHARE)
            now = self.at(_whole(point.shares * slopes**power), point.weights)
            if now.value <= point.value:
                point, power = now, power * FASTER
            else:
                power *= SLOWER
        return point


def _whole(shares: Array) -> Array:
    shares = np.maximum(shares / shares.sum(), LEAST_SHARE)
    return np.asarray(shares / shares.sum())


# --- Losses on rows that were held out, penalty by penalty ----------------------------------------------------------


def folds_of(groups: Array, count: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """A fold for each row (n,), by chance, with like shares of every group.

    >>> folds = folds_of(np.array([0.0, 1.0, 0.0, 1.0]), 2, np.random.default_rng(0))
    >>> sorted(folds[[0, 2]].tolist()), sorted(folds[[1, 3]].tolist())
    ([0, 1], [0, 1])
    """
    order = rng.permutation(len(groups))
    order = order[np.argsort(groups[order], kind="stable")]
    folds = np.empty(len(groups), dtype=np.intp)
    folds[order] = np.arange(len(groups)) % count
    return folds


def held_out_losses(
    X: Array,
    loss: SquaredLoss | LogisticLoss,
    folds: NDArray[np.intp],
    penalties: Sequence[float],
    settings: PathSettings,
) -> Array:
    """The mean loss on the rows that are held out, for falling penalties.

    Parameters
    ----------
    X : array (n, p)
        Standardised columns.
    folds : array (n,)
        In which fold each row is held out.
    """
    sums = np.zeros(len(penalties))
    for validation in (folds == fold for fold in np.unique(folds)):
        inside, outside = (replace(loss, y=loss.y[rows]) for rows in (~validation, validation))
        sums += validation.sum() * _losses(X[~validation], inside, X[validation], outside, penalties, settings)
    return sums / len(X)


def _losses(
    X: Array, loss: Loss, X_held: Array, held: Loss, penalties: Sequence[float], settings: PathSettings
) -> Array:
    return np.array([held.mean(solution.values(X_held)) for solution in path(X, loss, penalties, settings)])
