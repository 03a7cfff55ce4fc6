"""What the data leave open about the numbers of each part: draws from their posterior by Laplace's method.

The numbers of a part follow from those of the model; near the optimum they do so in a straight line (in logarithms,
locations as they are), and the line turns draws of the one into draws of the other. Changes are placed by the
likelihood at places nearby.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.places import with_places
from autostatistician.inference.balance import balanced
from autostatistician.inference.beliefs import Belief, beliefs
from autostatistician.inference.curvature import Curvature, curvature
from autostatistician.inference.evidence import Points
from autostatistician.inference.posterior import Conditioned
from autostatistician.inference.scales import measure
from autostatistician.language.kernel import Kernel, parameters
from autostatistician.language.rewrite import components

__all__ = ["number_draws"]

Array = NDArray[np.float64]

DRAWS = 500
MOST_ROWS = 2000  # with more data the two evaluations per number would take longer than all the rest
STEP = 1e-4  # of the differences, in coordinates that posteriors are rarely narrower in


def number_draws(
    posterior: Conditioned, parts: Sequence[Kernel], rng: np.random.Generator, natural_periods: tuple[float, ...] = ()
) -> tuple[Array | None, ...]:
    """Draws (k, p) of the p numbers of every part; None where the parts change their form with the numbers, and for
    more than `MOST_ROWS` data.

    ``parts`` are the components of the kernel, in the order of `rewrite.components`. Numbers at a bound stay there.
    ``natural_periods`` are those of the calendar in units of the axis.
    """
    if len(posterior.y) > MOST_ROWS:
        return (None,) * len(parts)
    columns = tuple("" if name is None else name for name in posterior.columns)
    points = Points(posterior.X, posterior.y, columns)
    scales = measure(posterior.X, posterior.y, columns, natural_periods)
    if not all(value > 0.0 for value in _positive(posterior.kernel)):
        return (None,) * len(parts)  # a part of size zero has no logarithm, and no fit leaves one
    kernel = balanced(posterior.kernel, scales)
    known = beliefs(kernel.expr, scales)
    free = [one for one in known if not one.at_bound(kernel.values[one.index])]
    if not free:
        return (None,) * len(parts)
    moved = _moves(kernel, free, curvature(kernel, points, scales), rng)
    moved = with_places(kernel, free, moved, points, rng)
    slopes = _slopes(kernel, free, parts)
    if slopes is None:
        return (None,) * len(parts)
    return tuple(_drawn(part, moved @ slope) for part, slope in zip(parts, slopes, strict=True))


def _moves(kernel: Kernel, free: Sequence[Belief], around: Curvature, rng: np.random.Generator) -> Array:
    """How far the coordinates (k, f) of the free numbers are from the optimum in each draw, within their bounds."""
    sizes, axes = around.axes()
    steps = rng.standard_normal((DRAWS, len(free))) / np.sqrt(1.0 + sizes)
    widths, means = np.array([one.width for one in free]), np.array([one.mean for one in free])
    at = np.array([one.coordinate(kernel.values[one.index]) for one in free])
    low, high = np.array([one.low for one in free]), np.array([one.high for one in free])
    return np.asarray(np.clip(means + widths * (around.place + steps @ axes.T), low, high) - at)


def _slopes(kernel: Kernel, free: Sequence[Belief], parts: Sequence[Kernel]) -> list[Array] | None:
    """For each part the derivatives (f, p) of its coordinates by those of the model."""
    found = [np.zeros((len(free), len(part.values))) for part in parts]
    base = components(kernel)
    for row, one in enumerate(free):
        values = list(kernel.values)
        values[one.index] = one.value(one.coordinate(values[one.index]) + STEP)
        other = components(Kernel(kernel.expr, tuple(values)))
        if [part.expr for part in other] != [part.expr for part in parts] or len(base) != len(parts):
            return None
        for slope, before, after in zip(found, base, other, strict=True):
            slope[row] = (_coordinates(after) - _coordinates(before)) / STEP
    return found


def _drawn(part: Kernel, moves: Array) -> Array:
    """The numbers of a part in every draw."""
    straight = _straight(part)
    at = np.array(part.values)
    return np.asarray(np.where(straight, at + moves, at * np.exp(np.where(straight, 0.0, moves))))


def _coordinates(part: Kernel) -> Array:
    values = np.array(part.values)
    straight = _straight(part)
    return np.asarray(np.where(straight, values, np.log(np.where(straight, 1.0, values))))


def _positive(kernel: Kernel) -> Iterator[float]:
    pairs = zip(parameters(kernel.expr), kernel.values, strict=True)
    return (value for one, value in pairs if one.role.positive)


def _straight(part: Kernel) -> NDArray[np.bool_]:
    return np.array([not one.role.positive for one in parameters(part.expr)], dtype=bool)
