"""The models by which rows of a series are judged: a level with changes and cycles, noise of one size or several."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference import Scales
from autostatistician.language.kernel import Kernel, leaf
from autostatistician.search.starting.hints import Hints, hints
from autostatistician.search.starting.standardisation import unit_line

__all__ = ["references"]

Array = NDArray[np.float64]

ZEROS_OF_GROWTH = (-0.1, 1.1)  # where growing noise would be zero, in standard units: before and after the data
LEAST_STRETCH = 0.15  # share of the rows of one size of noise
SURELY_CHANGED = 4.0  # standard deviations between the logarithms of the sizes before and after: chance hardly does it


def references(x: Array, y: Array, scales: Scales) -> Iterator[Kernel]:
    """Starting points of reference models for values (n,) at ascending positions, in standard units.

    >>> from autostatistician.data.dataset import from_arrays
    >>> from autostatistician.language.text import parse
    >>> from autostatistician.search.starting.standardisation import standard
    >>> data = from_arrays(np.arange(40.0), np.random.default_rng(0).normal(size=40))
    >>> _, problem, scales = standard(data)
    >>> parse("C + SE + WN") in [kernel.expr for kernel in references(problem.X[:, 0], problem.y, scales)]
    True
    """
    yield from _sums(scales, hints(x, y, detrend=True))
    yield from _with_two_sizes(x, y, scales)


def _sums(scales: Scales, suggested: Hints) -> Iterator[Kernel]:
    """A level with smooth and quick changes and cycles, with noise of one size or of one that grows."""
    size, noise = max(suggested.sd, 1e-3), max(suggested.roughness, 0.2 * suggested.sd, 1e-3)
    level = leaf("C", sd=max(abs(scales.y_mean), 1e-3))
    trend, still = leaf("SE", sd=max(scales.y_sd, 1e-3), lengthscale=0.3), leaf("WN", sd=noise)
    rough = leaf("RQ", sd=size, lengthscale=0.05, alpha=1.0)
    column = scales.only
    periods = [
        period for period in (*column.natural_periods, *suggested.periods[:2]) if period <= column.longest_period
    ]
    growing = [still * unit_line(zero) for zero in ZEROS_OF_GROWTH]
    for change in suggested.changes[:2]:
        broken = Kernel.change_point(level, level, change, 1.0 / column.gap, None)
        yield broken + trend + still
    for base in (level + trend, level + trend + rough):
        yield base + still
        for scatter in growing:
            yield base + scatter
        for period in periods:
            for detail in (1.0, 0.3):
                cycle = leaf("SE", sd=0.5 * size, lengthscale=1.0) * leaf(
                    "Per", sd=1.0, lengthscale=detail, period=period
                )
                yield base + cycle + still


def _with_two_sizes(x: Array, y: Array, scales: Scales) -> Iterator[Kernel]:
    """A level with smooth changes, and noise that has one size before a place and another after it, where it has."""
    change = _size_changes(np.abs(np.diff(y)))
    if change is not None:
        row, before, after = change
        level = leaf("C", sd=max(abs(scales.y_mean), 1e-3))
        trend = leaf("SE", sd=max(scales.y_sd, 1e-3), lengthscale=0.3)
        first, then = (leaf("WN", sd=max(size, 1e-3)) for size in (before, after))
        place = 0.5 * float(x[row] + x[row + 1])
        yield level + trend + Kernel.change_point(first, then, place, 1.0 / scales.only.gap, None)


def _size_changes(moves: Array) -> tuple[int, float, float] | None:
    """The row after which noise has another size, and both sizes, from moves (n - 1,) of neighbours; None if none.

    Logarithms are compared, as a single outlier weighs little in them; those of Gaussian moves have a standard
    deviation of pi / sqrt(8) and a mean of -0.635 when that of the moves is 1.

    >>> _size_changes(np.array([1.0, 0.8] * 20)) is None
    True
    >>> row, before, after = _size_changes(np.array([1.0, 0.8] * 20 + [4.0, 5.0] * 20)) or (0, 0.0, 0.0)
    >>> row, round(after / before)
    (40, 5)
    """
    n, least = len(moves), max(10, round(LEAST_STRETCH * len(moves)))
    if n < 2 * least or not moves.any():
        return None
    logs = np.log(np.maximum(moves, 0.1 * np.median(moves[moves > 0.0])))
    first = np.arange(least, n - least + 1)
    sums = np.cumsum(logs)
    before, after = sums[first - 1] / first, (sums[-1] - sums[first - 1]) / (n - first)
    surely = np.abs(after - before) / (np.pi / np.sqrt(8.0) * np.sqrt(1.0 / first + 1.0 / (n - first)))
    best = int(np.argmax(surely))
    if surely[best] < SURELY_CHANGED:
        return None
    sizes = np.exp(np.array([before[best], after[best]]) + 0.635) / np.sqrt(2.0)
    return int(first[best]), float(sizes[0]), float(sizes[1])
