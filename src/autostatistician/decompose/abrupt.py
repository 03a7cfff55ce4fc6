"""Where abrupt changes may lie: between which data, by the likelihood of every gap near the one that was found.

Within a gap the likelihood of an abrupt change hardly depends on its place, and from gap to gap it jumps; so draws
around an optimum, for which it would have to be smooth, say nothing about it. All other numbers are held.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import atanh

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.beliefs import Belief
from autostatistician.inference.evidence import Evidence, Points
from autostatistician.language.expr import ChangePoint, ChangeWindow
from autostatistician.language.kernel import Kernel, parameters

__all__ = ["abrupt_moves"]

Array = NDArray[np.float64]

AROUND = 10  # gaps on either side that are tried
TENTHS = 2 * atanh(0.8)  # a sigmoid 0.5 + 0.5 tanh(z) goes from 10 % to 90 % over this length of z


def abrupt_moves(
    kernel: Kernel, free: Sequence[Belief], points: Points, rng: np.random.Generator, count: int
) -> dict[int, Array]:
    """For the free numbers that place abrupt changes, how far their coordinates are from the fit in each draw (k,)."""
    x = np.unique(points.X[:, 0])
    column = {one.index: place for place, one in enumerate(free)}
    found: dict[int, Array] = {}
    for index, width in _abrupt(kernel, x):
        edges = _edges(kernel.values, index, width)
        drawn = [_drawn(kernel, (index, width, side), x, points, rng.spawn(1)[0], count) for side in range(len(edges))]
        values = {index: np.mean(drawn, axis=0)}
        if width is not None:
            values[width] = drawn[1] - drawn[0]
        for own, draws in values.items():
            if own in column:
                one = free[column[own]]
                at = np.array([one.coordinate(float(value)) for value in draws])
                found[column[own]] = np.clip(at, one.low, one.high) - one.coordinate(kernel.values[own])
    return found


def _abrupt(kernel: Kernel, x: Array) -> Iterator[tuple[int, int | None]]:
    """Of each change that takes no longer than the usual distance of data: the index of its place and of its width."""
    gap = float(np.median(np.diff(x))) if len(x) > 2 else 0.0
    for index, one in enumerate(parameters(kernel.expr)):
        if one.name != "location" or not isinstance(one.node, ChangePoint | ChangeWindow):
            continue
        if TENTHS / kernel.values[index + 1] <= gap:
            yield index, index + 2 if isinstance(one.node, ChangeWindow) else None


def _edges(values: Sequence[float], index: int, width: int | None) -> tuple[float, ...]:
    if width is None:
        return (values[index],)
    return values[index] - values[width] / 2, values[index] + values[width] / 2


def _drawn(
    kernel: Kernel,
    change: tuple[int, int | None, int],
    x: Array,
    points: Points,
    rng: np.random.Generator,
    count: int,
) -> Array:
    """Draws (k,) of one edge of a change: a gap by its likelihood, anywhere within the gap."""
    index, width, side = change
    edges = list(_edges(kernel.values, index, width))
    place = int(np.searchsorted(x, edges[side]))
    gaps = np.arange(max(place - AROUND, 1), min(place + AROUND + 1, len(x)))
    evidence = Evidence(kernel.expr, points)
    heights = []
    for gap in gaps:
        moved = [*edges]
        moved[side] = 0.5 * (x[gap - 1] + x[gap])
        heights.append(-evidence.value(_with_edges(kernel.values, index, width, moved)))
    weights = np.exp(np.array(heights) - max(heights))
    chosen = rng.choice(gaps, size=count, p=weights / weights.sum())
    return np.asarray(x[chosen - 1] + rng.random(count) * (x[chosen] - x[chosen - 1]))


def _with_edges(values: Sequence[float], index: int, width: int | None, edges: Sequence[float]) -> tuple[float, ...]:
    moved = list(values)
    moved[index] = sum(edges) / len(edges)
    if width is not None:
        moved[width] = max(edges[1] - edges[0], 1e-9 * abs(moved[width]))
    return tuple(moved)
