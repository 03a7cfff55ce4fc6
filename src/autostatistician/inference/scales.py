"""What the data can show: ranges, spacings and the noise that must at least be there.

Starting values and bounds are stated in these scales, so that a change of units changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from autostatistician.language.expr import Leaf
from autostatistician.language.kernel import Parameter
from autostatistician.language.leaves import Role, category_shape

__all__ = ["ColumnScale", "Scales", "bounds", "measure"]

# A parameter may go this far; wide enough for every model reported for the benchmark series.
LONGEST_LENGTHSCALE = 100.0  # ranges of the input: beyond, a smooth function is a constant
SHORTEST_LENGTHSCALE = 1.0  # spacings: below, it cannot be told from noise
SHORTEST_PERIOD = 2.0  # spacings (the Nyquist limit)
LONGEST_PERIOD = 0.25  # of the length covered: four cycles must be seen
LONGEST_NATURAL_PERIOD = 0.55  # the same for cycles of the calendar: nearly two are enough
WIDEST_WINDOW = 0.25  # ranges
SLOWEST_CHANGE = 10.0  # per range: a transition takes at most a tenth of the range
FASTEST_CHANGE = 4.0  # per spacing
SHAPES = {("Per", "lengthscale"): (0.1, 30.0), ("RQ", "alpha"): (0.05, 100.0), ("Cat", "contrast"): (1e-4, 1e4)}
FARTHEST_ORIGIN = 20.0  # ranges beyond the data in which a linear function may cross zero
SMALLEST_SD, LARGEST_SD = 1e-5, 1e4  # times the root mean square of y


@dataclass(frozen=True, slots=True)
class ColumnScale:
    """Range and spacing of one input column."""

    low: float
    high: float
    gap: float  # smallest distance of distinct values, up to rounding noise
    sd: float
    natural_periods: tuple[float, ...] = ()  # of the calendar, where the column has one

    @property
    def longest_period(self) -> float:
        """The longest cycle that the column can show."""
        covered = self.range + self.gap
        natural = [1.05 * period for period in self.natural_periods if period <= LONGEST_NATURAL_PERIOD * covered]
        return max(LONGEST_PERIOD * covered, 4.0 * self.gap, *natural)

    @property
    def range(self) -> float:
        """Largest minus smallest value."""
        return self.high - self.low


@dataclass(frozen=True, slots=True)
class Scales:
    """Scales of a data set."""

    columns: dict[str | None, ColumnScale]
    y_rms: float  # root mean square: the level that a zero-mean model has to explain
    y_sd: float
    y_mean: float
    noise_floor: float  # smallest believable standard deviation of the noise


def measure(
    X: NDArray[np.float64], y: NDArray[np.float64], columns: tuple[str, ...], natural_periods: tuple[float, ...] = ()
) -> Scales:
    """Measure the scales of points ``X`` (n, d) with targets ``y`` (n,).

    >>> measure(np.arange(4.0)[:, None], np.array([1.0, 2.0, 3.0, 4.0]), ("x",)).columns["x"].gap
    1.0
    """
    found: dict[str | None, ColumnScale] = {name: _column(X[:, i], natural_periods) for i, name in enumerate(columns)}
    if len(columns) == 1:
        found[None] = found[columns[0]]
    rms = float(np.sqrt(np.mean(y**2))) or 1.0
    # Neighbours along one of several columns are no neighbours: their differences say nothing about the noise.
    series = y[np.argsort(X[:, 0], kind="stable")] if len(columns) == 1 else None
    return Scales(found, rms, float(np.std(y)), float(np.mean(y)), _noise_floor(y, series, rms))


def _column(x: NDArray[np.float64], natural_periods: tuple[float, ...]) -> ColumnScale:
    low, high = float(x.min()), float(x.max())
    if high == low:
        return ColumnScale(low, low + 1.0, 1.0, 1.0)
    gaps = np.diff(np.unique(x))
    gaps = gaps[gaps > 1e-6 * (high - low) / len(x)]
    return ColumnScale(low, high, float(gaps.min()), float(np.std(x)), natural_periods)


def _noise_floor(y: NDArray[np.float64], series: NDArray[np.float64] | None, rms: float) -> float:
    """Half the rounding error of the values, a twentieth of their roughness as a series, and 1e-6 of their size.

    The roughness (of second differences, robust) exceeds the noise for every signal, so the floor lies
    far below any noise that is there; it only keeps the noise from collapsing to nothing. The part of the size, a high
    level included, is for arithmetic alone: at 1e-6 the likelihood of some hundred rows is still good to about 0.01.
    """
    distinct = np.unique(y)
    step = float(np.diff(distinct).min()) if 1 < len(distinct) < len(y) else 0.0
    rough = float(np.median(np.abs(np.diff(series, 2)))) if series is not None and len(series) > 3 else 0.0
    return max(0.5 * step / sqrt(12.0), 0.05 * rough / (0.6745 * sqrt(6.0)), 1e-6 * rms)


def bounds(parameter: Parameter, scales: Scales) -> tuple[float, float]:
    """The smallest and largest value that a parameter may take on data of these scales (natural units)."""
    node, name = parameter.node, parameter.name
    symbol = node.symbol if isinstance(node, Leaf) else ""
    if (symbol, name) in SHAPES:
        return SHAPES[symbol, name]
    if parameter.role is Role.WEIGHT:
        return -LARGEST_SD * scales.y_rms, LARGEST_SD * scales.y_rms
    if parameter.role in (Role.SD, Role.SLOPE):
        return _sd_bounds(symbol, parameter.role, scales, getattr(node, "column", None))
    column = scales.columns[node.column]  # type: ignore[union-attr]
    match name:
        case "lengthscale":
            return SHORTEST_LENGTHSCALE * column.gap, LONGEST_LENGTHSCALE * column.range
        case "period":
            shortest = SHORTEST_PERIOD * column.gap
            return shortest, column.longest_period
        case "width":
            return _widths(column)
        case "steepness":
            fastest = FASTEST_CHANGE / column.gap
            return min(SLOWEST_CHANGE / column.range, 0.5 * fastest), fastest
        case _:
            return _locations(symbol, column, node)


def _sd_bounds(symbol: str, role: Role, scales: Scales, column: str | None) -> tuple[float, float]:
    if symbol == "WN" or (category_shape(symbol) or (0, 1))[1] == 0:  # of rank 0: a noise for every category
        return scales.noise_floor, LARGEST_SD * scales.y_rms
    unit = scales.y_rms
    if role is Role.SLOPE:
        unit /= scales.columns[column].range
    return SMALLEST_SD * unit, LARGEST_SD * unit


def _widths(column: ColumnScale) -> tuple[float, float]:
    narrow = 2.0 * column.gap
    return narrow, max(WIDEST_WINDOW * column.range, 2.0 * narrow)


def _locations(symbol: str, column: ColumnScale, node: object) -> tuple[float, float]:
    if symbol == "Lin":
        far = FARTHEST_ORIGIN * column.range
        return column.low - far, column.high + far
    inset = 0.02 * column.range
    return column.low + inset, column.high - inset
