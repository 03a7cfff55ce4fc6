"""Parts measured about the typical level of the data, where the model measures them from another zero.

A logarithm is modelled far above zero (see `data.transform`), as data that are not transformed mostly are. Readers want
parts of a logarithm in per cent of the typical level: what the level is above zero is taken off the parts that carry
it, which changes no sum of parts but by that constant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.series.order import Rows
from autostatistician.decompose.series.parts import ConditionedPart
from autostatistician.decompose.series.shape import window_weight
from autostatistician.inference.posterior import Posterior

__all__ = ["about_level"]

Array = NDArray[np.float64]


def about_level(
    parts: Sequence[ConditionedPart], shift: float, posterior: Posterior, rows: Sequence[Rows], grid: Array
) -> list[ConditionedPart]:
    """Parts whose means add up to those of the data less ``shift``; nothing is done where that is zero.

    The part with the highest mean carries the level as far as its window is open, the next carries what is left, and so
    on; what no window is open for stays with the first. ``rows`` are those held out in every fold, ``grid`` (m, 1) is
    where the curves of the parts are.
    """
    signal = [index for index, part in enumerate(parts) if not part.is_noise]
    if shift == 0.0 or not signal:
        return list(parts)
    inputs = np.vstack([posterior.X, grid])
    windows = {index: window_weight(parts[index].kernel, inputs, posterior.columns) for index in signal}
    carried = _carried(windows, _by_level(parts, windows))
    return [
        _lowered(part, shift * carried[index], rows) if index in carried else part for index, part in enumerate(parts)
    ]


def _by_level(parts: Sequence[ConditionedPart], windows: dict[int, Array]) -> list[int]:
    """The parts by their mean where they are open, highest first."""

    def level(index: int) -> float:
        mean, weight = parts[index].mean, windows[index][: len(parts[index].mean)]
        return float(mean @ weight) / max(float(weight @ weight), 1e-9)

    return sorted(windows, key=level, reverse=True)


def _carried(windows: dict[int, Array], order: Sequence[int]) -> dict[int, Array]:
    """The share of the level that each part carries at every input; they add up to one."""
    unclaimed = np.ones_like(windows[order[0]])
    shares = {}
    for index in order:
        shares[index] = np.minimum(windows[index], unclaimed)
        unclaimed = unclaimed - shares[index]
    shares[order[0]] = shares[order[0]] + unclaimed
    return shares


def _lowered(part: ConditionedPart, level: Array, rows: Sequence[Rows]) -> ConditionedPart:
    """A part less a level, which is given at the data and then on the grid."""
    n = len(part.mean)
    held_out = tuple(values - level[:n][fold] for values, fold in zip(part.held_out, rows, strict=True))
    grid = part.grid.shifted(-level[n:])
    return replace(part, mean=part.mean - level[:n], held_out=held_out, grid=grid)
