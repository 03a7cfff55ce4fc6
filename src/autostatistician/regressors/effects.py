"""The ways in which a column can act on a series, and their features: what has one coefficient each.

A kernel over columns of finite rank is a sum of features with independent normal coefficients: a line and each level of
a category are such as they are, a smooth curve is one through the Hilbert-space basis of Solin and Särkkä 2020
(Statistics and Computing 30, section 3). Products with a season or with time are products of the features.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, exp, pi, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.covariates import Covariate, Covariates
from autostatistician.data.dataset import Dataset

__all__ = ["Clock", "CovariateScale", "Effect", "effects_of", "features", "prior_sds"]

Array = NDArray[np.float64]

SMOOTHNESS = (0.35, 1.0)  # lengthscales of curves, in halves of the range of a column
LEAST_BOUNDARY, LENGTHSCALES_OF_BOUNDARY = 1.5, 3.2  # half of the interval of the basis, in halves of the range
FUNCTIONS_OF_LENGTHSCALE = 2.2  # functions of a basis for each lengthscale in half of its interval
DECAYS = (0.5, 0.7, 0.85)  # of what is left of an effect one step later
FORGOTTEN = 0.01  # share of an effect below which nothing is left of it
MOST_LAGS = 24
MOST_DECAY, LEAST_LENGTHSCALE = 0.99, 0.01  # beyond, features would be sums of too many terms
NEAR = 1e-3  # of a step, within which a position is the same
ALMOST = 1.01
CYCLES_WITHIN = 0.25  # of a cycle: one so short goes into it as often as whole numbers say
FEWEST_VALUES = 8  # different numbers of a column that may have a curve


@dataclass(frozen=True)
class Clock:
    """What the effects know of time: the step of the rows, their ends, and the season (0: none).

    Nothing follows late where rows are not on a regular grid (``step`` 0). Columns without a plan are as they were one
    cycle ``before``, the longest that the data hold once: so long a ``shift`` before, whole weeks of a year of days.
    """

    first: float
    last: float
    step: float
    season: float
    before: float = 0.0
    shift: float = 0.0

    @classmethod
    def of(cls, dataset: Dataset) -> Clock:
        """That of a series: its season is the longest of the calendar that it holds twice, of several steps."""
        assert dataset.axis is not None
        x, axis = np.sort(dataset.x), dataset.axis
        first, last = float(x[0]), float(x[-1])
        step = float(axis.step or 0.0)
        gap = step or float(axis.gap)
        length = ALMOST * (last - first + gap)  # 365 days are a year
        cycles = [period for period in axis.natural_periods if 2.0 * gap < period <= length]
        season = max((period for period in cycles if period <= 0.5 * length), default=0.0)
        before = max(cycles, default=0.0)
        within = max((period for period in cycles if period < CYCLES_WITHIN * before), default=0.0)
        return cls(first, last, step, season, before, round(before / within) * within if within else before)

    @property
    def lags(self) -> int:
        """How many steps late an effect may come: up to a season."""
        if not self.step:
            return 0
        rows = (self.last - self.first) / self.step
        shortest = round(self.season / self.step) if self.season else 12
        return int(min(MOST_LAGS, shortest, rows // 8))


@dataclass(frozen=True)
class CovariateScale:
    """The units of a column: where its effect is zero, its size and range in the past, its categories."""

    name: str
    usual: float
    spread: float
    low: float
    high: float
    distinct: int
    levels: tuple[str, ...] = ()

    @classmethod
    def of(cls, column: Covariate) -> CovariateScale:
        """That of a column in the rows with a target.

        >>> CovariateScale.of(Covariate("promo", np.array([0.0, 0.0, 1.0])))
        CovariateScale(name='promo', usual=0.0, spread=1.0, low=0.0, high=1.0, distinct=2, levels=())
        """
        values = column.values[np.isfinite(column.values)]
        levels, counts = np.unique(values, return_counts=True)
        low, high = float(values.min()), float(values.max())
        if column.levels:
            return cls(column.name, float(levels[counts.argmax()]), 1.0, low, high, len(levels), column.levels)
        if len(levels) == 2:
            usual = 0.0 if low == 0.0 else float(levels[counts.argmax()])
            return cls(column.name, usual, high - low, low, high, 2)
        share_of_zero = float(np.mean(values == 0.0))
        usual = 0.0 if share_of_zero > 0.5 else float(np.median(values))
        return cls(column.name, usual, float(np.std(values)) or 1.0, low, high, len(levels))

    @property
    def is_flag(self) -> bool:
        """Whether it holds two numbers only."""
        return not self.levels and self.distinct == 2

    def clipped(self, values: Array) -> Array:
        """Values on [-1, 1] between the lowest and the highest that were seen; beyond, those are held."""
        middle, half = 0.5 * (self.low + self.high), 0.5 * (self.high - self.low) or 1.0
        return np.asarray(np.clip((values - middle) / half, -1.0, 1.0))


@dataclass(frozen=True, order=True)
class Effect:
    """One way in which a column acts: in which shape, how late, how it fades, and with what it changes.

    >>> str(Effect("promo", lag=2)), str(Effect("price", "smooth")), str(Effect("promo", over="season"))
    ('Lin[promo, 2 steps later]', 'SE[price]', 'Lin[promo] * Per')
    """

    column: str
    shape: str = "line"  # or "levels", "smooth"
    lag: int = 0
    decay: float = 0.0
    over: str = ""  # or "season", "time"
    lengthscale: float = 0.0  # of a smooth one

    def __str__(self) -> str:
        base = {"line": "Lin", "levels": "Cat", "smooth": "SE"}[self.shape]
        late = f", {self.lag} step{'s' * (self.lag > 1)} later" if self.lag else ""
        fading = f", fading by {1.0 - self.decay:.0%} a step" if self.decay else ""
        return f"{base}[{self.column}{late}{fading}]{ {'': '', 'season': ' * Per', 'time': ' * Lin'}[self.over] }"

    @property
    def is_possible(self) -> bool:
        """Whether features of it can be computed: its numbers may come from a file."""
        known = self.shape in ("line", "levels", "smooth") and self.over in ("", "season", "time")
        smooth = self.shape != "smooth" or self.lengthscale >= LEAST_LENGTHSCALE
        return known and smooth and 0 <= self.lag <= MOST_LAGS and 0.0 <= self.decay <= MOST_DECAY

    def to_json(self) -> dict[str, Any]:
        """A JSON-ready record."""
        return {name: getattr(self, name) for name in ("column", "shape", "lag", "decay", "over", "lengthscale")}


def effects_of(scale: CovariateScale, clock: Clock) -> list[tuple[Effect, float]]:
    """The effects that a column may have, each with its share of the prior; the plain one first.

    >>> scale = CovariateScale("promo", 0.0, 1.0, 0.0, 1.0, 2)
    >>> [str(effect) for effect, _ in effects_of(scale, Clock(0.0, 9.0, 0.0, 0.0))]
    ['Lin[promo]', 'Lin[promo] * Lin']
    """
    name = scale.name
    if scale.levels:
        return [(Effect(name, "levels"), 1.0)]
    shapes = [(Effect(name), 1.0)]
    if not scale.is_flag and scale.distinct >= FEWEST_VALUES:
        shapes += [(Effect(name, "smooth", lengthscale=length), 0.15) for length in SMOOTHNESS]
    lags = clock.lags
    shapes += [(Effect(name, lag=lag), 0.3 / lags) for lag in range(1, lags + 1)]
    if lags:
        shapes += [(Effect(name, decay=decay), 0.15 / len(DECAYS)) for decay in DECAYS]
    if clock.season:
        shapes.append((Effect(name, over="season"), 0.1))
    shapes.append((Effect(name, over="time"), 0.1))
    total = sum(share for _, share in shapes)
    return [(effect, share / total) for effect, share in shapes]


def features(effect: Effect, scale: CovariateScale, clock: Clock, columns: Covariates, x: Array) -> Array:
    """The features (m, p) of an effect at positions (m,); zero where the column has its usual value, or none."""
    if effect.decay:
        terms = ceil(np.log(FORGOTTEN) / np.log(effect.decay))
        kept = [
            effect.decay**back * _plain(effect, scale, columns, x - back * clock.step, clock) for back in range(terms)
        ]
        return np.asarray(np.sum(kept, axis=0))
    plain = _plain(effect, scale, columns, x - effect.lag * clock.step, clock)
    return with_time(plain, effect, clock, x)


def with_time(plain: Array, effect: Effect, clock: Clock, x: Array) -> Array:
    """Features (m, p) of an effect that changes with the season or over time, which are (m, 3 p) or (m, 2 p)."""
    if effect.over == "season":
        angle = 2.0 * pi * (x - clock.first) / clock.season
        return np.column_stack([plain, plain * np.cos(angle)[:, None], plain * np.sin(angle)[:, None]])
    if effect.over == "time":
        middle, half = 0.5 * (clock.first + clock.last), 0.5 * (clock.last - clock.first)
        return np.column_stack([plain, plain * np.clip((x - middle) / half, -1.0, 1.0)[:, None]])
    return plain


def _plain(effect: Effect, scale: CovariateScale, columns: Covariates, x: Array, clock: Clock) -> Array:
    """The features (m, p) at positions (m,); what is looked back at before the data is as usual."""
    if not (effect.lag or effect.decay):
        return of_values(effect, scale, columns.of(effect.column, x))
    values, inside = np.full(len(x), np.nan), x >= clock.first - NEAR * clock.step
    values[inside] = columns.of(effect.column, x[inside])
    return of_values(effect, scale, values)


def of_values(effect: Effect, scale: CovariateScale, values: Array) -> Array:
    """The features (m, p) of values (m,) of the column, at once and at any time.

    >>> of_values(Effect("p"), CovariateScale("p", 5.0, 2.0, 1.0, 9.0, 20), np.array([5, 9, np.nan])).ravel().tolist()
    [0.0, 2.0, 0.0]
    """
    values = np.where(np.isfinite(values), values, scale.usual)
    if effect.shape == "levels":
        others = [code for code in range(len(scale.levels)) if code != scale.usual]
        return np.asarray(values[:, None] == np.array(others), dtype=np.float64)
    line = ((values - scale.usual) / scale.spread)[:, None]
    if effect.shape == "line":
        return np.asarray(line)
    waves = _waves(scale.clipped(values), effect.lengthscale) - _waves(
        scale.clipped(np.array([scale.usual])), effect.lengthscale
    )
    return np.column_stack([line, waves])


def basis_size(lengthscale: float) -> int:
    """How many functions the basis of a curve has: with them its covariances are exact to a hundredth.

    >>> basis_size(0.35), basis_size(1.0)
    (10, 8)
    """
    return ceil(FUNCTIONS_OF_LENGTHSCALE * _boundary(lengthscale) / lengthscale)


def _boundary(lengthscale: float) -> float:
    """Half of the interval of a basis: its ends, where all functions are zero, lie some lengthscales outside."""
    return max(LEAST_BOUNDARY, LENGTHSCALES_OF_BOUNDARY * lengthscale)


def _waves(u: Array, lengthscale: float) -> Array:
    """The basis (m, p) at places (m,) on [-1, 1]: eigenfunctions of the Laplacian (Solin and Särkkä, equation 56)."""
    orders, boundary = np.arange(1, basis_size(lengthscale) + 1), _boundary(lengthscale)
    return np.asarray(np.sin(pi * orders * (u[:, None] + boundary) / (2.0 * boundary)) / sqrt(boundary))


def prior_sds(effect: Effect, scale: CovariateScale) -> Array:
    """The standard deviations (p,) of the coefficients of an effect of size one.

    Those of a smooth curve are roots of the spectral density of its kernel (Solin and Särkkä, equation 9).
    """
    if effect.shape == "levels":
        return np.ones(len(scale.levels) - 1)
    plain = [1.0]
    if effect.shape == "smooth":
        length = effect.lengthscale
        rates = pi * np.arange(1, basis_size(length) + 1) / (2.0 * _boundary(length))
        plain += [sqrt(sqrt(2.0 * pi) * length * exp(-0.5 * (rate * length) ** 2)) for rate in rates]
    several = {"": 1, "time": 2, "season": 3}[effect.over]
    return np.tile(np.array(plain), several)
