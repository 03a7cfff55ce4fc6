"""Parameters of which derivatives say nothing, integrated out by sums: places of changes, and those held at a bound.

The likelihood of an abrupt change jumps where its place passes a row and is flat in between. Its integral over the
places is a sum over gaps, each with the prior probability of the places in it, all other parameters as they were
fitted. A window has two edges, and their likelihoods are multiplied: data that hold a window of some rows speak of each
apart.

What lies beyond a bound counts as if it lay at the bound.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf, isfinite, pi, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp, ndtr

from autostatistician.inference.engines.base import Objective
from autostatistician.inference.parameters import ParameterPrior
from autostatistician.inference.problem import Problem
from autostatistician.language.expr import ChangePoint, ChangeWindow
from autostatistician.language.kernel import Kernel, parameters
from autostatistician.language.traits import column_index

__all__ = ["log_over_held", "log_over_places", "places_of_changes"]

Array = NDArray[np.float64]
Gain = Callable[[dict[int, float]], float]  # of log likelihood, with some values (by index) in the place of the fitted

MOST_GAPS = 100  # of more, away from the fitted place, some neighbours are taken together
PIECES_OF_NEAR_GAPS = 5  # an edge of a row's width lies somewhere between two rows
NAMES = ("location", "width")  # of parameters that say where a change is
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


def places_of_changes(kernel: Kernel, priors: Sequence[ParameterPrior]) -> tuple[tuple[ParameterPrior, ...], ...]:
    """For each change the priors of what says where it is: its location, of a window its width, too.

    >>> from autostatistician.inference.parameters.free import FreeParameters
    >>> from autostatistician.inference.parameters.scales import measure
    >>> from autostatistician.language.kernel import leaf
    >>> step = Kernel.change_point(leaf("C", sd=1.0), leaf("WN", sd=2.0), location=3.0, steepness=9.0)
    >>> scales = measure(np.arange(9.0)[:, None], np.arange(-4.0, 5.0), ("x",))
    >>> priors = FreeParameters.of(step.expr, scales).priors()
    >>> [[step.values[one.index] for one in change] for change in places_of_changes(step, priors)]
    [[3.0]]
    """
    every = parameters(kernel.expr)
    changes: dict[tuple[int, ...], list[ParameterPrior]] = {}
    for prior in priors:
        parameter = every[prior.index]
        if isinstance(parameter.node, ChangePoint | ChangeWindow) and parameter.name in NAMES:
            changes.setdefault(parameter.path, []).append(prior)
    return tuple(map(tuple, changes.values()))


def log_over_places(priors: Sequence[ParameterPrior], kernel: Kernel, problem: Problem, objective: Objective) -> float:
    """The logarithm of the integral of the likelihood over the places of one change, relative to the fitted place.

    Parameters
    ----------
    priors : sequence of ParameterPrior
        Of one change (see `places_of_changes`).
    kernel : Kernel
        The fitted kernel.
    problem : Problem
        Its data.
    objective : Objective
        Minus the log likelihood of its expression.
    """
    node = parameters(kernel.expr)[priors[0].index].node
    x = np.unique(problem.X[:, column_index(getattr(node, "column", None), problem.columns)])
    gain, fitted = _gain(kernel, objective), kernel.values
    if len(priors) == 1:
        return _over_point(priors[0], fitted[priors[0].index], x, gain)
    location, width = priors
    return _over_window(location, width, (fitted[location.index], fitted[width.index]), x, gain)


def log_over_held(prior: ParameterPrior, kernel: Kernel, objective: Objective) -> float:
    """The logarithm of the integral of the likelihood over a parameter held at a bound, relative to that at the bound.

    The prior is cut into pieces, and those between the bounds are looked at.
    """
    gain = _gain(kernel, objective)
    low, high = ((end - prior.mean) / prior.width for end in (prior.low, prior.high))
    edges = np.unique(np.clip([-inf, *EDGES, inf], low, high))
    edges[[0, -1]] = low, high
    middles = 0.5 * (edges[1:] + edges[:-1])
    inside = np.array([gain({prior.index: prior.value(prior.mean + prior.width * float(z))}) for z in middles])
    beyond = [gain({prior.index: prior.value(end)}) for end in (prior.low, prior.high)]
    masses = [*np.diff(ndtr(edges)), ndtr(low), ndtr(-high)]
    return _log_sum(np.array([*inside, *beyond]), np.array(masses))


def _gain(kernel: Kernel, objective: Objective) -> Gain:
    best = objective.value(kernel.values)

    def gain(changed: dict[int, float]) -> float:
        value = objective.value(tuple(changed.get(index, fitted) for index, fitted in enumerate(kernel.values)))
        return best - value if isfinite(value) else -inf

    return gain


def _over_point(location: ParameterPrior, fitted: float, x: Array, gain: Gain) -> float:
    pieces = _Pieces.around(x, fitted)
    weights = _densities(location, pieces.middles) * pieces.lengths
    places = zip(pieces.middles, weights, strict=True)
    return _log_sum(np.array([gain({location.index: float(at)}) if inside else -inf for at, inside in places]), weights)


def _over_window(
    location: ParameterPrior, width: ParameterPrior, fitted: tuple[float, float], x: Array, gain: Gain
) -> float:
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


def _density(prior: ParameterPrior, value: float) -> float:
    """The prior density of a parameter by itself; 0 beyond its bounds."""
    coordinate = prior.coordinate(value)
    if not prior.low <= coordinate <= prior.high:
        return 0.0
    z = (coordinate - prior.mean) / prior.width
    by_value = prior.slope(coordinate) if prior.column is not None else value  # of the value by the coordinate
    return float(np.exp(-0.5 * z * z) / (sqrt(2.0 * pi) * prior.width * by_value))


def _densities(prior: ParameterPrior, values: Array) -> Array:
    densities = [_density(prior, float(value)) if np.isfinite(value) else 0.0 for value in values.ravel()]
    return np.array(densities).reshape(values.shape)
