"""What the data can show: ranges, spacings and the noise that must at least be there.

Starting values and bounds are stated in these scales (see `bounds`), so that a change of units changes nothing.

What is known of the parameters of a model before its data are seen: learned from other data, in units of the data.

A positive parameter of a series is about as large as in other series once it is measured in the right unit. Two units
offer themselves for each: one from row to row (the spacing, and how far neighbours lie apart), and one of the whole
(the span, and the spread). The logarithm of the parameter is normal around a mixture of both, ``mean + log(step unit) +
share log(whole unit / step unit)``, with a learned mean, share and width. Rows of a table have no next ones: there,
both units are that of the whole.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from importlib.resources import files
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.engines.geometry import spacing

__all__ = [
    "SURE_CYCLES", "ColumnScale", "LeafContext", "LearnedPrior", "LearnedPriors", "Scales", "latent", "learned_priors",
    "learned_table_priors", "measure", "read_priors", "standard_scales",
]  # fmt: skip


# beside this module, written by benchmarks/learn.py
OF_SERIES, OF_TABLES = "learned_priors.csv", "learned_table_priors.csv"


class LeafContext(StrEnum):
    """Where a leaf stands in a model; its parameters have other sizes there."""

    TERM = "term"
    CYCLE = "cycle"  # a factor of a product with a cycle
    FACTOR = "factor"  # of any other product


@dataclass(frozen=True, slots=True)
class LearnedPrior:
    """The logarithm of a parameter: normal around a mixture of two units, with some width."""

    mean: float
    share: float  # of the unit of the whole; the rest is that of a step
    width: float

    def centre(self, of_step: float, of_whole: float) -> float:
        """The mean of the logarithm, given the logarithms of both units.

        >>> LearnedPrior(1.0, 0.25, 0.5).centre(0.0, 4.0)
        2.0
        """
        return self.mean + of_step + self.share * (of_whole - of_step)


@dataclass(frozen=True)
class LearnedPriors:
    """The priors by leaf, name of the parameter and place; parameters that are not there have weak ones."""

    rows: Mapping[tuple[str, str, LeafContext], LearnedPrior]

    def of(self, symbol: str, name: str, place: LeafContext) -> LearnedPrior | None:
        """The prior of one parameter, None where none was learned."""
        return self.rows.get((symbol, name, place))


@cache
def learned_priors() -> LearnedPriors:
    """The priors for series that come with the package.

    >>> learned_priors().of("WN", "sd", LeafContext.TERM).share
    0.0
    """
    return _of_package(OF_SERIES)


@cache
def learned_table_priors() -> LearnedPriors:
    """The priors for tables, data with several columns, that come with the package.

    >>> learned_table_priors().of("WN", "sd", LeafContext.TERM).share
    0.0
    """
    return _of_package(OF_TABLES)


def _of_package(name: str) -> LearnedPriors:
    with files("autostatistician.gp.parameters").joinpath(name).open(encoding="utf-8") as lines:
        return read_priors(lines)


def read_priors(lines: Iterable[str]) -> LearnedPriors:
    """The priors of a table with the columns leaf, number, place, mean, share, width.

    >>> list(read_priors(["leaf,number,place,mean,share,width", "WN,sd,term,-0.5,0,0.4"]).rows.values())
    [LearnedPrior(mean=-0.5, share=0.0, width=0.4)]
    """
    rows = list(csv.DictReader(lines))
    return LearnedPriors(
        {
            (row["leaf"], row["number"], LeafContext(row["place"])): LearnedPrior(
                float(row["mean"]), float(row["share"]), float(row["width"])
            )
            for row in rows
        }
    )


SPACINGS_OF_SHORTEST_PERIOD = 2.0  # of neighbours (the Nyquist limit)
LONGEST_PERIOD_SHARE = 2.0 / 3.0  # of the length covered: one and a half cycles must be seen
SLIGHTLY_LESS = 1.0 - 1e-9  # than a limit: half-years are in the data of quarters
SURE_CYCLES = 4.0  # one that is seen less often may be no cycle at all
LONGEST_NATURAL_PERIOD_SHARE = 1.0 / 1.2  # of the length covered: the calendar's are tried when they begin anew
NATURAL_PERIOD_TOLERANCE = 0.05  # relative difference up to which a cycle is that of the calendar
UNSEEN_TURNS = 0.25  # by which cycles may be apart at the end of the data that are the same at its beginning
# A function of this size makes the chances of classes clear, but not sure: 2.5 % and 97.5 % by a probit.
LATENT_SIZE = 2.0
FLOOR_OF_LATENT = 1e-6
# Of a coordinate with mean zero and deviation one: where most rows lie, and the shortest distance worth a curve.
STANDARD_COLUMN = (-2.0, 2.0, 0.1, 1.0)
STANDARD_NOISE_FLOOR = 0.01
# Of what rows scatter by themselves, that a function or noise beside it has at least: a hundredth of its variance.
LEAST_BESIDE_NOISE = 0.1
NATURAL_PARTS = (1, 2, 4)  # of a year or a day that have cycles of their own, as half-years and quarters


@dataclass(frozen=True, slots=True)
class ColumnScale:
    """Range and spacing of one input column."""

    low: float
    high: float
    gap: float  # smallest distance of distinct values, up to rounding noise; of a curve the median
    sd: float
    natural_periods: tuple[float, ...] = ()  # of the calendar, where the column has one
    spacing: float = 0.0  # of neighbours (see `geometry.spacing`); 0: the smallest
    usual_gap: float = 0.0  # median distance of distinct values
    is_curve: bool = False  # whether rows came in no order: then they repeat nothing, unless that is sure

    @property
    def shortest_period(self) -> float:
        """The shortest cycle that the column can show: inputs so far apart cannot tell a faster one from slower."""
        return SPACINGS_OF_SHORTEST_PERIOD * (self.spacing or self.gap)

    @property
    def longest_period(self) -> float:
        """The longest cycle that the column can show; those of the calendar with some room about them.

        >>> column = ColumnScale(0.0, 499.0, 1.0, 144.0, natural_periods=(7.0, 365.25))
        >>> round(column.longest_period, 1), round(ColumnScale(0.0, 499.0, 1.0, 144.0).longest_period, 1)
        (383.5, 333.3)
        """
        named = (1.0 + NATURAL_PERIOD_TOLERANCE) * max(self._known_periods, default=0.0)
        return max(LONGEST_PERIOD_SHARE * self.covered, 2.0 * self.shortest_period, named)

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
        return max(SURE_CYCLES - self.covered / period, 0.0)

    def is_named(self, period: float) -> bool:
        """Whether a period is that of a cycle of the calendar which the column shows more than once."""
        return self.named(period) is not None

    def named(self, period: float) -> float | None:
        """The cycle of the calendar that a period is, as far as the column shows it more than once; None if none."""
        near = [usual for usual in self._known_periods if abs(period - usual) <= NATURAL_PERIOD_TOLERANCE * usual]
        return min(near, key=lambda usual: abs(period - usual), default=None)

    def indistinct(self, period: float) -> float | None:
        """The cycle of the calendar that the column cannot tell from a period: by less than a quarter of a turn.

        >>> column = ColumnScale(0.0, 730.0, 1.0, 211.0, natural_periods=(7.0, 365.25))
        >>> column.indistinct(352.0), column.indistinct(7.1), column.indistinct(7.01)
        (365.25, None, 7.0)
        """
        named = self.named(period)
        return named if named is not None and abs(period - named) <= UNSEEN_TURNS * period**2 / self.covered else None

    def others(self, period: float) -> float:
        """Among how many a period was chosen that no calendar names: all that the column can tell apart.

        It is 1 for cycles of the calendar and their halves and quarters, and where the calendar names none; but not of
        curves, whose rows by chance follow one of hundreds of fast waves between them.

        >>> column = ColumnScale(0.0, 39.0, 1.0, 11.5, natural_periods=(7.0,))
        >>> column.others(14.0), column.others(7.1), column.others(3.5)
        (20.0, 1.0, 1.0)
        >>> ColumnScale(0.0, 10.0, 0.05, 2.9, spacing=0.01, is_curve=True).others(0.15)
        502.5
        """
        named = [natural / part for natural in self._known_periods for part in NATURAL_PARTS]
        if not (named or self.is_curve) or any(
            abs(period - natural) <= NATURAL_PERIOD_TOLERANCE * natural for natural in named
        ):
            return 1.0
        return max(self.covered / self.shortest_period, 1.0)

    @property
    def seasons(self) -> list[float]:
        """Those of the calendar's cycles that are longer than the steps, so that the column can show their course.

        >>> ColumnScale(2000.0, 2010.0, 1.0, 3.2, natural_periods=(1.0, 4.0), spacing=1.0).seasons
        [4.0]
        """
        return [period for period in self._known_periods if period >= self.shortest_period * SLIGHTLY_LESS]

    @property
    def _known_periods(self) -> list[float]:
        """The cycles of the calendar that begin anew within the column: what returns is seen from there on."""
        return [period for period in self.natural_periods if period <= LONGEST_NATURAL_PERIOD_SHARE * self.covered]

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
    y_step: float = 0.0  # root mean square of the differences of neighbours; 0 where rows have none
    priors: LearnedPriors | None = None  # of parameters, known before the data; fits without are of the data alone
    given: tuple[float, ...] = ()  # values that a caller has for a kernel, NaN where none: its bounds reach to them

    def __hash__(self) -> int:
        return hash((self.y_rms, self.y_sd, self.y_mean, self.noise_floor, self.y_step))

    def column(self, name: str | None) -> ColumnScale:
        """The scale of the column that a leaf names, or of the only one where it names none.

        >>> scales = measure(np.arange(4.0)[:, None], np.ones(4), ("age",))
        >>> scales.column(None) is scales.column("age")
        True
        """
        return self.only if name is None else self.columns[name]

    @property
    def has_order(self) -> bool:
        """Whether rows have next ones: those of a series have, those of a table have not."""
        return None in self.columns

    def of_curve(self) -> Scales:
        """The same of rows that came in no order: lengths shorter than they usually lie apart are none they show."""
        return replace(self, columns={
            name: replace(each, gap=max(each.gap, each.usual_gap), is_curve=True) for name, each in self.columns.items()
        })  # fmt: skip

    @property
    def only(self) -> ColumnScale:
        """The scale of the one column there is."""
        (scale,) = (column for name, column in self.columns.items() if name is not None)
        return scale


def measure(
    X: NDArray[np.float64],
    y: NDArray[np.float64],
    columns: tuple[str, ...],
    natural_periods: tuple[float, ...] = (),
    priors: LearnedPriors | None = None,
    noise: NDArray[np.float64] | None = None,
) -> Scales:
    """Measure the scales of points ``X`` (n, d) with targets ``y`` (n,), of whose parameters something may be known.

    Where rows have ``noise`` (n,) by themselves, their spread and their steps are what is left without it.

    >>> measure(np.arange(4.0)[:, None], np.array([1.0, 2.0, 3.0, 4.0]), ("x",)).columns["x"].gap
    1.0
    """
    by_column: dict[str | None, ColumnScale] = {
        name: _column(X[:, i], natural_periods) for i, name in enumerate(columns)
    }
    if len(columns) == 1:
        by_column[None] = by_column[columns[0]]
    rms = float(np.sqrt(np.mean(y**2))) or 1.0
    # Neighbours along one of several columns are no neighbours: their differences say nothing about the noise.
    order = np.argsort(X[:, 0], kind="stable")
    series = y[order] if len(columns) == 1 else None
    floor = _noise_floor(y, series, rms)
    if noise is not None:
        step = 0.0 if series is None else _step(series, by_column[columns[0]], noise[order])
        least = LEAST_BESIDE_NOISE * float(np.sqrt(1.0 / np.mean(1.0 / noise)))
        sd, step = max(_spread_beside(y, noise), least), max(step, least, floor)
        return Scales(by_column, rms, sd, float(np.average(y, weights=1.0 / noise)), floor, step, priors)
    step = 0.0 if series is None else _step(series, by_column[columns[0]])
    return Scales(by_column, rms, float(np.std(y)), float(np.mean(y)), floor, max(step, floor), priors)


def standard_scales(columns: tuple[str, ...], priors: LearnedPriors | None = None) -> Scales:
    """The scales of inputs and a target that are all in standard units, known before any data.

    >>> standard_scales(("a", "b")).columns["b"].range
    4.0
    """
    return Scales(
        dict.fromkeys(columns, ColumnScale(*STANDARD_COLUMN)), 1.0, 1.0, 0.0, STANDARD_NOISE_FLOOR, priors=priors
    )


def latent(scales: Scales) -> Scales:
    """The same columns with a function of usual size, of which observations say nothing by themselves.

    >>> classes = measure(np.arange(4.0)[:, None], np.array([-1.0, -1.0, -1.0, 1.0]), ("x",))
    >>> latent(classes).y_sd, latent(classes).y_mean
    (2.0, 0.0)
    """
    floor = FLOOR_OF_LATENT * LATENT_SIZE
    return replace(scales, y_rms=LATENT_SIZE, y_sd=LATENT_SIZE, y_mean=0.0, noise_floor=floor, y_step=0.0)


def _step(series: NDArray[np.float64], column: ColumnScale, noise: NDArray[np.float64] | None = None) -> float:
    """How far neighbours lie apart: the root mean square of centred differences (n - 1,).

    Where the calendar names a cycle, of values one cycle apart, over the root of two, if that is less: the season of
    monthly data is no noise.
    """
    lags = [round(period / (column.spacing or column.gap)) for period in column.seasons]
    apart = [1, *(lag for lag in lags if 1 < lag < len(series) - 2)]
    sizes = [
        _spread(series[lag:] - series[:-lag])
        if noise is None
        else _spread_beside(series[lag:] - series[:-lag], noise[lag:] + noise[:-lag])
        for lag in apart
    ]
    return min(size / (sqrt(2.0) if lag > 1 else 1.0) for size, lag in zip(sizes, apart, strict=True))


def _spread_beside(values: NDArray[np.float64], noise: NDArray[np.float64]) -> float:
    """The standard deviation of what values (n,) would be without noise of these variances, by weighted moments.

    DerSimonian and Laird 1986; zero where they scatter no more than noise.

    >>> round(_spread_beside(np.array([0.0, 2.0, -2.0, 0.0]), np.ones(4)), 3), _spread_beside(np.zeros(4), np.ones(4))
    (1.291, 0.0)
    """
    if len(values) < 2:
        return 0.0
    weights = 1.0 / noise
    middle = float(np.average(values, weights=weights))
    more = float(weights @ (values - middle) ** 2) - (len(values) - 1)
    return sqrt(max(more, 0.0) / float(weights.sum() - weights @ weights / weights.sum()))


def _spread(differences: NDArray[np.float64]) -> float:
    return float(np.std(differences)) if len(differences) > 1 else 0.0


def _column(x: NDArray[np.float64], natural_periods: tuple[float, ...]) -> ColumnScale:
    low, high = float(x.min()), float(x.max())
    if high == low:
        return ColumnScale(low, low + 1.0, 1.0, 1.0)
    gaps = np.diff(np.unique(x))
    gaps = gaps[gaps > 1e-6 * (high - low) / len(x)]
    return ColumnScale(
        low, high, float(gaps.min()), float(np.std(x)), natural_periods, spacing(x), float(np.median(gaps))
    )


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
