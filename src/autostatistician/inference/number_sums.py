"""Numbers of which derivatives say nothing, integrated out by sums: places of changes, and those held at a bound.

The likelihood of an abrupt change jumps where its place passes a row and is flat in between. Its integral over the
places is a sum over gaps, each with the prior probability of the places in it, all other numbers as they were fitted. A
window has two edges, and their likelihoods are multiplied: data that hold a window of some rows speak of each apart.

What lies beyond a bound counts as if it lay at the bound.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf, isfinite, pi, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp, ndtr

from autostatistician.inference.beliefs import Belief
from autostatistician.inference.engines.base import Objective
from autostatistician.inference.problem import Problem
from autostatistician.language.expr import ChangePoint, ChangeWindow
from autostatistician.language.kernel import Kernel, parameters
from autostatistician.language.traits import column_index

__all__ = ["log_over_held", "log_over_places", "places_of_changes"]

Array = NDArray[np.float64]
Gain = Callable[[dict[int, float]], float]  # of log likelihood, with some values (by index) in the place of the fitted

MOST_GAPS = 100  # of more, away from the fitted place, some neighbours are taken together
PIECES_OF_NEAR_GAPS = 5  # an edge of a row's width lies somewhere between two rows
NUMBERS = ("location", "width")  # that say where a change is
EDGES = np.arange(-3.0, 3.1, 0.25)  # of pieces of a prior, in widths from its centre


@dataclass(frozen=True, eq=False)
class _Pieces:
    """Pieces of the range of the rows: gaps, some taken together, those beside a fitted place in finer pieces."""

    ends: Array  # (m + 1,)

    @classmethod
    def around(cls, x: Array, fitted: float) -> _Pieces:
        after = int(np.searchsorted(x, fitted))
        near = x[max(after - 2, 0) : after + 2]
        fine = np.interp(np.arange(0.0, len(near) - 1 + 1e-9, 1.0 / PIECES_OF_NEAR_GAPS), np.arange(len(near)), near)
        return cls(np.union1d(np.union1d(x[:: -(-len(x) // MOST_GAPS)], fine), x[-1:]))

    @property
    def middles(self) -> Array:
        return 0.5 * (self.ends[1:] + self.ends[:-1])

    @property
    def lengths(self) -> Array:
        return np.diff(self.ends)


def places_of_changes(kernel: Kernel, known: Sequence[Belief]) -> tuple[tuple[Belief, ...], ...]:
    """For each change those of the known numbers that say where it is: its location, of a window its width, too.

    >>> from autostatistician.inference.beliefs import beliefs
    >>> from autostatistician.inference.scales import measure
    >>> from autostatistician.language.kernel import leaf
    >>> step = Kernel.change_point(leaf("C", sd=1.0), leaf("WN", sd=2.0), location=3.0, steepness=9.0)
    >>> scales = measure(np.arange(9.0)[:, None], np.arange(-4.0, 5.0), ("x",))
    >>> [[step.values[one.index] for one in change] for change in places_of_changes(step, beliefs(step.expr, scales))]
    [[3.0]]
    """
    every = parameters(kernel.expr)
    found: dict[tuple[int, ...], list[Belief]] = {}
    for one in known:
        number = every[one.index]
        if isinstance(number.node, ChangePoint | ChangeWindow) and number.name in NUMBERS:
            found.setdefault(number.path, []).append(one)
    return tuple(map(tuple, found.values()))


def log_over_places(numbers: Sequence[Belief], kernel: Kernel, problem: Problem, objective: Objective) -> float:
    """The logarithm of the integral of the likelihood over the places of one change, relative to the fitted place.

    Parameters
    ----------
    numbers : sequence of Belief
        Of one change (see `places_of_changes`).
    kernel : Kernel
        The fitted kernel.
    problem : Problem
        Its data.
    objective : Objective
        Minus the log likelihood of its expression.
    """
    node = parameters(kernel.expr)[numbers[0].index].node
    x = np.unique(problem.X[:, column_index(getattr(node, "column", None), problem.columns)])
    gain, fitted = _gain(kernel, objective), kernel.values
    if len(numbers) == 1:
        return _over_point(numbers[0], fitted[numbers[0].index], x, gain)
    location, width = numbers
    return _over_window(location, width, (fitted[location.index], fitted[width.index]), x, gain)


def log_over_held(number: Belief, kernel: Kernel, objective: Objective) -> float:
    """The logarithm of the integral of the likelihood over a number that a bound holds, relative to that at the bound.

    The prior is cut into pieces, and those between the bounds are looked at.
    """
    gain = _gain(kernel, objective)
    low, high = ((end - number.mean) / number.width for end in (number.low, number.high))
    edges = np.unique(np.clip([-inf, *EDGES, inf], low, high))
    edges[[0, -1]] = low, high
    middles = 0.5 * (edges[1:] + edges[:-1])
    inside = np.array([gain({number.index: number.value(number.mean + number.width * float(z))}) for z in middles])
    beyond = [gain({number.index: number.value(end)}) for end in (number.low, number.high)]
    masses = [*np.diff(ndtr(edges)), ndtr(low), ndtr(-high)]
    return _log_sum(np.array([*inside, *beyond]), np.array(masses))


def _gain(kernel: Kernel, objective: Objective) -> Gain:
    best = objective.value(kernel.values)

    def gain(changed: dict[int, float]) -> float:
        value = objective.value(tuple(changed.get(index, known) for index, known in enumerate(kernel.values)))
        return best - value if isfinite(value) else -inf

    return gain


def _over_point(location: Belief, fitted: float, x: Array, gain: Gain) -> float:
    pieces = _Pieces.around(x, fitted)
    weights = _densities(location, pieces.middles) * pieces.lengths
    places = zip(pieces.middles, weights, strict=True)
    return _log_sum(np.array([gain({location.index: float(at)}) if one else -inf for at, one in places]), weights)


def _over_window(location: Belief, width: Belief, fitted: tuple[float, float], x: Array, gain: Gain) -> float:
    begin, end = fitted[0] - 0.5 * fitted[1], fitted[0] + 0.5 * fitted[1]
    begins, ends = _Pieces.around(x, begin), _Pieces.around(x, end)

    def between(low: float, high: float) -> float:
        changed = {location.index: 0.5 * (low + high), width.index: high - low}
        return gain(changed) if high > low and _density(width, high - low) else -inf

    gains = np.add.outer(
        [between(float(low), end) for low in begins.middles], [between(begin, float(high)) for high in ends.middles]
    )
    centres, sizes = 0.5 * np.add.outer(begins.middles, ends.middles), -np.subtract.outer(begins.middles, ends.middles)
    areas = np.outer(begins.lengths, ends.lengths)
    return _log_sum(gains, _densities(location, centres) * _densities(width, sizes) * areas)


def _log_sum(gains: Array, weights: Array) -> float:
    return float(logsumexp(np.where(weights > 0.0, gains, -inf), b=weights))


def _density(number: Belief, value: float) -> float:
    """The prior density of a number by itself; 0 beyond its bounds."""
    coordinate = number.coordinate(value)
    if not number.low <= coordinate <= number.high:
        return 0.0
    z = (coordinate - number.mean) / number.width
    by_value = number.slope(coordinate) if number.column is not None else value  # of the value by the coordinate
    return float(np.exp(-0.5 * z * z) / (sqrt(2.0 * pi) * number.width * by_value))


def _densities(number: Belief, values: Array) -> Array:
    found = [_density(number, float(one)) if np.isfinite(one) else 0.0 for one in values.ravel()]
    return np.array(found).reshape(values.shape)
