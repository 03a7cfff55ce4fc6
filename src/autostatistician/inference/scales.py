"""What the data can show: ranges, spacings and the noise that must at least be there.

Starting values and bounds are stated in these scales, so that a change of units changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, log, sqrt

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.engines.geometry import spacing
from autostatistician.language.expr import Expr, Leaf
from autostatistician.language.kernel import Parameter, parameters
from autostatistician.language.leaf_row import Amount, Unit
from autostatistician.language.leaves import LEAVES

__all__ = [
    "OFTEN",
    "ColumnScale",
    "Scales",
    "bounds",
    "cycles_of",
    "in_units",
    "measure",
    "resolvable",
    "shortest_shape",
]

# How far the numbers of cycles and changes may go; wide enough for every model reported for the benchmark series.
# Those of leaves are in their rows.
SHORTEST_PERIOD = 2.0  # spacings of neighbours (the Nyquist limit)
LONGEST_PERIOD = 2.0 / 3.0  # of the length covered: one and a half cycles must be seen
OFTEN = 4.0  # cycles: one that is seen less often may be no cycle at all
LONGEST_NATURAL_PERIOD = 0.55  # of the length covered: cycles of the calendar are believed when nearly two are seen
SAME_PERIOD = 0.05  # relative difference up to which a cycle is that of the calendar
PARTS = (1, 2, 4)  # of a year or a day that have cycles of their own, as half-years and quarters
# The largest lengthscale^-2 of a cycle by the square of J = period / shortest period, `FINEST[0] (J^2 - FINEST[1])`:
# harmonics beyond the J-th, which the places cannot tell from slower ones, then carry at most 1 % of its variance.
FINEST = (0.158, 0.9)
WIDEST_WINDOW = 0.25  # ranges
SLOWEST_CHANGE = 10.0  # per range: a transition takes at most a tenth of the range
FASTEST_CHANGE = 4.0  # per spacing


@dataclass(frozen=True, slots=True)
class ColumnScale:
    """Range and spacing of one input column."""

    low: float
    high: float
    gap: float  # smallest distance of distinct values, up to rounding noise
    sd: float
    natural_periods: tuple[float, ...] = ()  # of the calendar, where the column has one
    spacing: float = 0.0  # of neighbours (see `geometry.spacing`); 0: the smallest

    @property
    def shortest_period(self) -> float:
        """The shortest cycle that the column can show: places at this spacing take a faster one for a slower."""
        return SHORTEST_PERIOD * (self.spacing or self.gap)

    @property
    def longest_period(self) -> float:
        """The longest cycle that the column can show."""
        return max(LONGEST_PERIOD * self.covered, 2.0 * self.shortest_period)

    @property
    def covered(self) -> float:
        """The length covered: each value stands for the stretch up to the next."""
        return self.range + self.gap

    def missing_cycles(self, period: float) -> float:
        """How many cycles of this period are missing to those that make a cycle sure; 0 for those of the calendar.

        >>> column = ColumnScale(0.0, 39.0, 1.0, 11.5)
        >>> column.missing_cycles(16.0), column.missing_cycles(8.0)
        (1.5, 0.0)
        """
        if self.is_named(period):
            return 0.0
        return max(OFTEN - self.covered / period, 0.0)

    def is_named(self, period: float) -> bool:
        """Whether a period is that of a cycle of the calendar which the column shows nearly twice."""
        return any(abs(period - one) <= SAME_PERIOD * one for one in self._known_periods)

    def others(self, period: float) -> float:
        """Among how many a period was chosen that no calendar names: all that the column can tell apart.

        It is 1 for cycles of the calendar and their halves and quarters, and where the calendar names none.

        >>> column = ColumnScale(0.0, 39.0, 1.0, 11.5, natural_periods=(7.0,))
        >>> column.others(14.0), column.others(7.1), column.others(3.5)
        (20.0, 1.0, 1.0)
        """
        named = [one / part for one in self._known_periods for part in PARTS]
        if not named or any(abs(period - one) <= SAME_PERIOD * one for one in named):
            return 1.0
        return max(self.covered / self.shortest_period, 1.0)

    @property
    def _known_periods(self) -> list[float]:
        """The cycles of the calendar that the column shows nearly twice."""
        return [one for one in self.natural_periods if one <= LONGEST_NATURAL_PERIOD * self.covered]

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

    def column(self, name: str | None) -> ColumnScale:
        """The scale of the column that a leaf names, or of the only one where it names none.

        >>> scales = measure(np.arange(4.0)[:, None], np.ones(4), ("age",))
        >>> scales.column(None) is scales.column("age")
        True
        """
        return self.only if name is None else self.columns[name]

    @property
    def only(self) -> ColumnScale:
        """The scale of the one column there is."""
        (scale,) = (one for name, one in self.columns.items() if name is not None)
        return scale


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
    return ColumnScale(low, high, float(gaps.min()), float(np.std(x)), natural_periods, spacing(x))


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
    node = parameter.node
    if isinstance(node, Leaf):
        number = LEAVES[node.symbol].number(parameter.name)
        return in_units(number.lowest, scales, node.column), in_units(number.highest, scales, node.column)
    return _change_bounds(parameter.name, scales.column(node.column))  # type: ignore[union-attr]


def in_units(amount: Amount, scales: Scales, column: str | None) -> float:
    """An amount as a number in the units of the data."""
    match amount.unit:
        case Unit.ONE:
            return amount.value
        case Unit.SIZE:
            return amount.value * scales.y_rms
        case Unit.NOISE_FLOOR:
            return amount.value * scales.noise_floor
        case Unit.SIZE_PER_RANGE:
            return amount.value * (scales.y_rms / scales.column(column).range)
        case unit:
            return _along(amount.value, unit, scales.column(column))


def _along(value: float, unit: Unit, column: ColumnScale) -> float:
    """An amount of units that a column has."""
    match unit:
        case Unit.SPACING:
            return value * column.gap
        case Unit.RANGE:
            return value * column.range
        case Unit.SHORTEST_PERIOD:
            return value * column.shortest_period
        case Unit.LONGEST_PERIOD:
            return value * column.longest_period
        case Unit.RANGES_BELOW:
            return column.low - value * column.range
        case Unit.RANGES_ABOVE:
            return column.high + value * column.range
        case _:
            raise AssertionError(f"{unit} is none of a column")


def _change_bounds(name: str, column: ColumnScale) -> tuple[float, float]:
    """The bounds of a number of a change point or window."""
    match name:
        case "width":
            narrow = 2.0 * column.gap
            return narrow, max(WIDEST_WINDOW * column.range, 2.0 * narrow)
        case "steepness":
            fastest = FASTEST_CHANGE / column.gap
            return min(SLOWEST_CHANGE / column.range, 0.5 * fastest), fastest
        case _:
            inset = 0.02 * column.range
            return column.low + inset, column.high - inset


@lru_cache(maxsize=20000)
def cycles_of(expr: Expr) -> tuple[tuple[int, str | None], ...]:
    """For each periodic leaf with harmonics the index of its lengthscale (the period follows it) and its column.

    >>> cycles_of(Leaf("WN") + Leaf("Per"))
    ((1, None),)
    """
    found = ((index, one.node) for index, one in enumerate(parameters(expr)) if one.name == "lengthscale")
    return tuple((index, node.column) for index, node in found if isinstance(node, Leaf) and node.symbol == "Per")


def shortest_shape(period: float, column: ColumnScale) -> tuple[float, float]:
    """The smallest lengthscale of a cycle (relative, as in `periodic.per`) and its derivative, both by logarithms.

    Nearly all variance then lies in harmonics that the places can tell from slower waves. A cycle with shorter
    lengthscale and a period near two spacings could pass for any slow wave, with wild values between the places.

    >>> column = ColumnScale(0.0, 39.0, 1.0, 11.5)
    >>> [round(exp(shortest_shape(period, column)[0]), 2) for period in (2.0, 4.0, 12.0)]
    [7.96, 1.43, 0.42]
    """
    squared = max(period / column.shortest_period, 1.0) ** 2
    floor = log(LEAVES["Per"].number("lengthscale").lowest.value)
    shortest = -0.5 * log(FINEST[0] * (squared - FINEST[1]))
    return (shortest, -squared / (squared - FINEST[1])) if shortest > floor else (floor, 0.0)


def resolvable(expr: Expr, values: Sequence[float], scales: Scales) -> tuple[float, ...]:
    """The values with the lengthscales of cycles that are shorter than `shortest_shape` allows made that long."""
    found = list(values)
    for index, column in cycles_of(expr):
        found[index] = max(found[index], exp(shortest_shape(found[index + 1], scales.column(column))[0]))
    return tuple(found)
