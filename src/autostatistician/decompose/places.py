"""Where the changes of a model may lie, by the likelihood at places nearby.

Within a gap between data the likelihood of an abrupt change hardly depends on its place, and from gap to gap it jumps;
that of a gradual one may have several tops. Draws around an optimum alone would be too sure. Other numbers are held.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import atanh

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.beliefs import Belief
from autostatistician.inference.evidence import Evidence, Points
from autostatistician.language.expr import ChangePoint, ChangeWindow
from autostatistician.language.kernel import Kernel, parameters

__all__ = ["with_places"]

Array = NDArray[np.float64]

AROUND = 10  # places on either side that are tried
PER_CHANGE = 8.0  # of them within the duration of a gradual change
TENTHS = 2 * atanh(0.8)  # a sigmoid 0.5 + 0.5 tanh(z) goes from 10 % to 90 % over this length of z


def with_places(
    kernel: Kernel, free: Sequence[Belief], moved: Array, points: Points, rng: np.random.Generator
) -> Array:
    """Draws of the free numbers with their changes placed anew, where that leaves the places more open.

    ``moved`` (k, f) tells how far the coordinates of the numbers are from the fit in each draw. The places of abrupt
    changes are always drawn anew.
    """
    x, column = np.unique(points.X[:, 0]), {one.index: place for place, one in enumerate(free)}
    found = moved.copy()
    for change in _changes(kernel):
        drawn = [_drawn(kernel, change, side, x, points, rng, len(moved)) for side in range(change.sides)]
        values = {change.location: np.mean(drawn, axis=0)}
        if change.width is not None:
            values[change.width] = drawn[1] - drawn[0]
        moves = {
            column[i]: _moves(free[column[i]], kernel.values[i], draws) for i, draws in values.items() if i in column
        }
        wider = any(np.std(draws) > np.std(moved[:, place]) for place, draws in moves.items())
        if wider or _duration(kernel, change) <= _gap(x):
            found[:, list(moves)] = np.array(list(moves.values())).T
    return found


def _moves(one: Belief, value: float, draws: Array) -> Array:
    """How far drawn values are from the fitted one in its coordinate, within the bounds."""
    least = -np.inf if one.column else one.value(one.low)  # edges that were drawn past each other leave no width
    at = np.array([one.coordinate(max(float(draw), least)) for draw in draws])
    return np.asarray(np.clip(at, one.low, one.high) - one.coordinate(value))


@dataclass(frozen=True, slots=True)
class _Change:
    """The indices of the numbers of a change; ``width`` is None for a change point."""

    location: int
    steepness: int
    width: int | None

    @property
    def sides(self) -> int:
        return 1 if self.width is None else 2

    def edges(self, values: Sequence[float]) -> tuple[float, ...]:
        at = values[self.location]
        return (at,) if self.width is None else (at - values[self.width] / 2, at + values[self.width] / 2)

    def moved(self, values: Sequence[float], edges: Sequence[float]) -> tuple[float, ...]:
        """The numbers with the edges elsewhere."""
        found = list(values)
        found[self.location] = sum(edges) / len(edges)
        if self.width is not None:
            found[self.width] = max(edges[1] - edges[0], 1e-9 * abs(found[self.width]))
        return tuple(found)


def _changes(kernel: Kernel) -> Iterator[_Change]:
    for index, one in enumerate(parameters(kernel.expr)):
        if one.name == "location" and isinstance(one.node, ChangePoint | ChangeWindow):
            yield _Change(index, index + 1, index + 2 if isinstance(one.node, ChangeWindow) else None)


def _duration(kernel: Kernel, change: _Change) -> float:
    return TENTHS / kernel.values[change.steepness]


def _gap(x: Array) -> float:
    return float(np.median(np.diff(x))) if len(x) > 1 else 0.0


def _drawn(
    kernel: Kernel, change: _Change, side: int, x: Array, points: Points, rng: np.random.Generator, count: int
) -> Array:
    """Draws (k,) of one edge of a change: a stretch by its likelihood, anywhere within it."""
    edges = list(change.edges(kernel.values))
    bounds = _stretches(edges[side], _duration(kernel, change), x)
    evidence, heights = Evidence(kernel.expr, points), []
    for middle in 0.5 * (bounds[:-1] + bounds[1:]):
        edges[side] = float(middle)
        heights.append(-evidence.value(change.moved(kernel.values, edges)))
    weights = np.exp(np.array(heights) - max(heights))
    chosen = rng.choice(len(weights), size=count, p=weights / weights.sum())
    return np.asarray(bounds[chosen] + rng.random(count) * (bounds[chosen + 1] - bounds[chosen]))


def _stretches(edge: float, duration: float, x: Array) -> Array:
    """The bounds of the stretches that are tried: the gaps between data, or for gradual changes even ones."""
    if len(x) < 3:
        return np.array([x[0], x[-1]])
    if duration <= _gap(x):
        place = int(np.searchsorted(x, edge))
        return x[max(place - AROUND - 1, 0) : place + AROUND + 1]
    step = duration / PER_CHANGE
    even = edge + step * (np.arange(2 * AROUND + 2) - AROUND - 0.5)
    inside = even[(even >= x[0]) & (even <= x[-1])]
    return inside if len(inside) > 1 else np.array([x[0], x[-1]])
