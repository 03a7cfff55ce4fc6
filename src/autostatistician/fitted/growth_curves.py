"""Growth beyond the data: what a model carries on, averaged with the growth curves that all rows of a series speak for.

Models of short series carry on too much of what was seen last. Beside them stand curves of few numbers: a straight
line, lines that bend once, exponential approaches to a level and S-curves. Each has the weight that the data give it
(`LINE` and the others before the data, then the Bayesian information criterion of least squares with errors that
remember), so a late slope that is steady over many rows, or increments that fade, overrule the straight line.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import product, repeat

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from autostatistician.gp.posterior import Posterior
from autostatistician.gp.posterior.functionals import Differences
from autostatistician.kernels.kernel import Kernel, parameters
from autostatistician.kernels.leaf_row import LeafKind
from autostatistician.kernels.leaves import is_leaf_of

__all__ = ["GrowthCurves", "Trend", "growth_curves", "variances_of_growth"]

Array = NDArray[np.float64]
Columns = Callable[[Array], Array]  # times (m,) to a design (m, k)

GOES_ON_BY_PERCENT = 0.6  # of the growth of a line on the scale of the logarithm; of that in units all does

# How sure growth is beside that of a model: learned by `benchmarks/learn_ahead.py`.
ROWS_OF_PRIOR = 60.0  # with more of them a model knows better what goes on, in proportion
VARIANCE_OF_GROWTH = 0.3  # of its square: by how much other series went on otherwise than they grew

LINE, BENT, APPROACH, S_CURVE = 0.85, 0.05, 0.05, 0.05  # weights before the data

MOST_BENDS, NO_BEND = 50, 4  # places of bends that are tried; rows at either end without one
TIMES = 1.0 / np.geomspace(0.7, 8.0, 10)  # time constants of approaches to a level, in spans of the data
MIDDLES, STEEPNESS = np.linspace(0.1, 1.0, 10), (5.0, 8.0, 12.0)  # of S-curves, in spans; steeper ones are steps

MEMORIES = np.linspace(0.0, 1.0, 11)  # of an error, by the next

MOST_PLACES = 200  # of a series, at which the growth that it had is looked at
MOST_ROWS = 1000  # that weigh the curves

LEAST_WEIGHT = 0.01  # of a curve
TINY = 1e-300


@dataclass(frozen=True, eq=False)
class Curve:
    """A curve of growth: numbers (k,) times columns of the time, which is 0 at the first row and 1 at the last."""

    columns: Columns
    is_line: bool  # straight, or with a bend
    coefficients: Array
    weight: float

    def __call__(self, times: Array) -> Array:
        """Its values (m,)."""
        return np.asarray(self.columns(times) @ self.coefficients)


@dataclass(frozen=True, eq=False)
class GrowthCurves:
    """The growth curves of a series, as a second opinion on how it goes on after its rows.

    Over a span, growth is normal around that of a curve, with the variance that deviations from the curve had over such
    spans, and some more; and it is normal by the model. Both are averaged by their precisions: the clearer a model sees
    where a series goes, or the more its growth changed before, the less the curve counts.
    """

    curves: tuple[Curve, ...]
    start: float
    end: float
    rows: int
    goes_on_by: float = 1.0  # of the growth of lines

    def given(self, trend: Trend, X: Array) -> tuple[Array, Array]:
        """By how much means of a model at rows (m, 1) move, and what their variances lose, (m,) each.

        That is nothing but after the last of its rows; where the curves disagree, variances gain.
        """
        after, end = X[:, 0] > trend.x[-1], trend.x[-1]
        moved, less = np.zeros(len(X)), np.zeros(len(X))
        if trend.kernel is None or not after.any():
            return moved, less
        spans = X[after, 0] - end
        by_model = trend.posterior.project(trend.kernel, Differences(X[after], np.full_like(X[after], end)))
        variance, weights = by_model.sd**2, np.array([curve.weight for curve in self.curves])
        shares, moves = np.zeros((2, len(weights), len(spans)))
        for row, curve in enumerate(self.curves):
            growth = curve(self._times(end + spans)) - curve(self._times(trend.x[-1:]))
            seen = variances_of_growth(trend.x, trend.level - curve(self._times(trend.x)), spans)
            open_ = self.rows / ROWS_OF_PRIOR * (seen + VARIANCE_OF_GROWTH * growth**2)
            shares[row] = variance / np.maximum(variance + open_, np.finfo(float).tiny)
            moves[row] = shares[row] * ((self.goes_on_by if curve.is_line else 1.0) * growth - by_model.mean)
        moved[after] = weights @ moves
        less[after] = variance * (weights @ shares) - weights @ (moves - moved[after]) ** 2
        return moved, less

    def _times(self, x: Array) -> Array:
        return (x - self.start) / (self.end - self.start)


def growth_curves(x: Array, level: Array, *, is_log: bool = False) -> GrowthCurves:
    """The curves that values (n,) without their seasons speak for, at positions (n,) in any order.

    >>> x = np.arange(60.0)
    >>> noise = np.random.default_rng(0).normal(size=60)
    >>> def ahead(level: Array) -> float:
    ...     found = growth_curves(x, level)
    ...     return round(sum(one.weight * float(np.diff(one(np.array([1.0, 70.0 / 59.0])))[0]) for one in found.curves))
    >>> ahead(x + noise), ahead(np.maximum(x - 30.0, 0.0) + noise), ahead(50.0 - 50.0 * np.exp(-x / 10.0) + noise)
    (11, 11, 0)
    """
    order = np.argsort(x, kind="stable")
    order = order[np.linspace(0, len(x) - 1, min(len(x), MOST_ROWS)).astype(int)]
    start, end = float(x[order[0]]), float(x[order[-1]])
    times, values = (x[order] - start) / max(end - start, np.finfo(float).tiny), level[order]
    found = [curve for family in _families(times) for curve in _weighed(*family, times, values)]
    weights = np.exp(np.array([curve.weight for curve in found]) - max(curve.weight for curve in found))
    weights[weights < LEAST_WEIGHT * weights.sum()] = 0.0
    shares = weights / weights.sum()
    curves = tuple(replace(curve, weight=share) for curve, share in zip(found, shares, strict=True) if share > 0.0)
    return GrowthCurves(curves, start, end, len(x), GOES_ON_BY_PERCENT if is_log else 1.0)


def _families(times: Array) -> list[tuple[float, bool, list[Columns]]]:
    """Curves of some kinds: the weight of a kind before the data, whether it is of lines, and its curves."""
    lines: list[Columns] = [_line]
    if len(times) <= 2 * NO_BEND:
        return [(1.0, True, lines)]
    places = times[NO_BEND:-NO_BEND]
    places = places[np.linspace(0, len(places) - 1, min(len(places), MOST_BENDS)).astype(int)]
    return [
        (LINE, True, lines),
        (BENT, True, [partial(_bent, place) for place in places]),
        (APPROACH, False, [partial(_approach, time) for time in TIMES]),
        (S_CURVE, False, [partial(_s_curve, *numbers) for numbers in product(MIDDLES, STEEPNESS)]),
    ]


def _line(times: Array) -> Array:
    return np.stack([np.ones(len(times)), times], axis=1)


def _bent(place: float, times: Array) -> Array:
    return np.stack([np.ones(len(times)), times, np.maximum(times - place, 0.0)], axis=1)


def _approach(time: float, times: Array) -> Array:
    return np.stack([np.ones(len(times)), -np.exp(-times / time)], axis=1)


def _s_curve(middle: float, steepness: float, times: Array) -> Array:
    return np.stack([np.ones(len(times)), expit(steepness * (times - middle))], axis=1)


def _weighed(prior: float, is_line: bool, family: list[Columns], times: Array, values: Array) -> list[Curve]:
    """The curves of one kind, fitted; their weights are logarithms."""
    designs = np.array([columns(times) for columns in family])
    squares, coefficients = _least_squares(designs, values)
    count = max(len(values) - 1, 1)
    criteria = count * np.log(np.maximum(squares, TINY) / count) + (designs.shape[2] + 1) * np.log(count)
    weights = np.log(prior / len(family)) - 0.5 * criteria
    return [Curve(*each) for each in zip(family, repeat(is_line), coefficients, weights)]


def _least_squares(designs: Array, values: Array) -> tuple[Array, Array]:
    """Sums of squares (j,) and coefficients (j, k) of designs (j, n, k), with errors as each remembers them best.

    Errors are autoregressive of first order; those that walk at random tell nothing of the first column, which is one.
    """
    count, _, size = designs.shape
    squares, coefficients = np.full(count, np.inf), np.zeros((count, size))
    for memory in MEMORIES:
        first = int(memory == 1.0)
        columns = (designs[:, 1:] - memory * designs[:, :-1])[:, :, first:]
        left = values[1:] - memory * values[:-1]
        solved = np.linalg.pinv(columns) @ left
        errors = np.sum((left - np.einsum("jnk,jk->jn", columns, solved)) ** 2, axis=1)
        better = errors < squares
        squares[better], coefficients[better, :first] = errors[better], 0.0
        coefficients[better, first:] = solved[better]
    return squares, coefficients


def variances_of_growth(x: Array, level: Array, spans: Array) -> Array:
    """The variances of the growth of a level (n,), at ascending positions (n,), over spans of some lengths (m,).

    Those of the growth in a further span, were all alike: of few spans their mean is uncertain as well.

    >>> variances_of_growth(np.arange(5.0), np.array([0.0, 1.0, 0.0, 1.0, 0.0]), np.array([1.0, 2.0])).tolist()
    [1.25, 0.0]
    """
    spans = np.minimum(spans, x[-1] - x[0])[:, None]
    growth = np.interp(x + spans, x, level) - level
    return np.asarray(growth.var(axis=1, where=x <= x[-1] - spans) * (1.0 + spans[:, 0] / (x[-1] - x[0])))


@dataclass(frozen=True, eq=False)
class Trend:
    """The part of a model that may grow, seen at the rows of its data, or at many of them."""

    posterior: Posterior

    @cached_property
    def kernel(self) -> Kernel | None:
        """The terms that are neither level nor noise nor have a cycle; None without any."""
        return _sum_of(
            self.posterior, lambda term: not _is_cyclic(term) and not is_leaf_of(term.expr, LeafKind.CONSTANT)
        )

    @cached_property
    def x(self) -> Array:
        """Ascending positions (n,)."""
        x = np.sort(self.posterior.X[:, 0])
        return np.asarray(x[np.linspace(0, len(x) - 1, min(len(x), MOST_PLACES)).astype(int)])

    @cached_property
    def level(self) -> Array:
        """What the model has of it there (n,)."""
        assert self.kernel is not None
        return self.posterior.project(self.kernel, self.x[:, None]).mean


def cyclic_part(posterior: Posterior) -> Kernel | None:
    """The terms that have a cycle; None without any."""
    return _sum_of(posterior, _is_cyclic)


def _sum_of(posterior: Posterior, wanted: Callable[[Kernel], bool]) -> Kernel | None:
    signal = posterior.halves[0]
    terms = [] if signal is None else list(filter(wanted, signal.terms))
    return sum(terms[1:], terms[0]) if terms else None


def _is_cyclic(term: Kernel) -> bool:
    return any(parameter.name == "period" for parameter in parameters(term.expr))
