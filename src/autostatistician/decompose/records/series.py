"""What a decomposition says, as plain values: the only thing the words and the pictures are made from."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.outliers import NO_SCREENING, Screening
from autostatistician.data.times.axes import Axis
from autostatistician.data.transform import Transform
from autostatistician.decompose.records.function import Estimate, FunctionCourse, Witness
from autostatistician.forms import CheckKind, ColumnKind, Curve, EffectShape, Filling, Varying
from autostatistician.kernels.kernel import Kernel

__all__ = [
    "Check", "Checks", "ColumnEffect", "ColumnsBeside", "Component", "CountDispersion", "Decomposition",
    "EffectAt", "HolidayEffect", "Fitted", "HeldRanges", "Joint", "SumAhead", "Tried",
    "ZerosApart",
]  # fmt: skip


Vector = NDArray[np.float64]

NO_TRANSFORM = Transform()


@dataclass(frozen=True)
class Joint:
    """How a part runs over its active data: shares of joint draws from its posterior in which a statement holds.

    Directions are judged from place to place (at most 24).
    """

    rising: float  # all the way
    falling: float
    size_sd: float  # posterior standard deviation of the difference between where the mean is highest and lowest


@dataclass(frozen=True)
class SumAhead:
    """The sum of the next ``steps`` of a forecast with its 95 % range, that of as many ``before``, and how probably it
    is ``less``.
    """

    steps: int
    number: float
    interval: tuple[float, float]
    before: float
    less: float


@dataclass(frozen=True, eq=False)
class Component:
    """One additive part of a model with its posterior (of the latent function, noise only if it is the part).

    All shares are fractions, and cumulative figures refer to the parts up to and including this one, in
    the order of the decomposition (the table of Lloyd et al. 2014, supplement). Values are on the scale of the model:
    where the data had an offset taken off, it is not in them; where their logarithm is modelled, they are parts of it.
    """

    kernel: Kernel  # one product, perhaps inside change points/windows whose other operand is the leaf "0"
    mean: Vector  # (n,) posterior mean at the data
    sd: Vector  # (n,) posterior standard deviation at the data
    curve: Curve  # on the plotting grid, which runs beyond the data by the forecast horizon
    # Of the sum of the parts up to this one, on the same grid. White noise counts in the band once it is among them; on
    # the grid it is a new draw, so its mean there is zero.
    cumulative: Curve
    samples: NDArray[np.float64]  # (3, m) draws of this part on the plotting grid
    is_noise: bool  # the part contains white noise
    r2: float  # of this part with all before it that are not noise
    residual_r2: float
    mae: float  # cross-validated mean absolute error, cumulative; of counts the root mean square, in their units
    variance_share: float  # of var(y): what the part's posterior mean has by itself
    active: tuple[float, float] | None  # first and last datum where the part's window is fully open (None: nowhere)
    slope: float  # (f(last) - f(first)) / (x_last - x_first) over the active data, posterior mean
    slope_sd: float  # posterior standard deviation of the same
    joint: Joint | None = None  # None of noise, and of fewer than three data
    # (k, p) draws of the values of `kernel` from their posterior; None where they are not known
    numbers: NDArray[np.float64] | None = None


@dataclass(frozen=True, eq=False)
class Fitted:
    """The numbers of the search for one model on the raw data (zero mean, data units)."""

    kernel: Kernel
    nll: float
    bic: float
    n_parameters: int
    seconds: float
    evaluations: int


@dataclass(frozen=True)
class Check:
    """One question whether data or a part look as the model says, with its p-value."""

    part: int  # 0: the whole model, else the number of the part in the order of the decomposition
    kind: CheckKind
    statistic: float
    p: float  # probability of as much or more under the model, by simulation
    adjusted: float  # the same, corrected for the number of checks
    place: float | None = None  # lag in rows of an autocorrelation, length along the axis of a cycle
    side: int = 0  # +1 more than the model says (heavier tails, alike neighbours), -1 less


@dataclass(frozen=True, eq=False)
class Checks:
    """All checks, and the standardised errors they are about.

    ``errors`` (n,) are those of predicting each value from all before it, in units of their standard deviations: under
    the model independent and standard normal.
    """

    every: tuple[Check, ...]
    errors: Vector


@dataclass(frozen=True)
class HeldRanges:
    """How ranges of forecasts held in a test on the later rows: each level with the share that lay inside.

    ``worth`` is how many independent rows the test was worth; ``error`` the mean absolute error in data units (of
    counts the root mean square, which a mean keeps lowest), and ``naive`` that of repeating the last ``season`` (the
    last value where it is None).
    """

    origins: tuple[float, ...]  # positions up to which the model knew the data
    rows: int
    worth: float
    levels: tuple[float, ...]
    held: tuple[float, ...]
    error: float
    refitted: bool = True  # whether its numbers were, to these data
    naive: float | None = None
    season: float | None = None


@dataclass(frozen=True)
class Tried:
    """An expression that the search has fitted: its criterion (lower is better), and from which other it was made."""

    level: int
    expression: str
    score: float
    parent: int | None  # index among all that are kept; None for the first, and where it is not known


@dataclass(frozen=True)
class ZerosApart:
    """Zeros have a ``chance`` of their own, with its range of 95 %; 80 % of the others are ``low`` to ``high``."""

    chance: float
    lower: float
    upper: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class CountDispersion:
    """How counts scatter about their rate: their variance over that of chance alone, and the chance of none.

    ``targets`` (n,) are what stands for them on the scale of the model, about the typical level.
    ``none`` are the chances of a zero at the first and the last step of the forecast; nothing without one. White noise
    with a standard deviation below ``seen`` adds too little to chance to be seen.
    """

    times: float
    targets: Vector
    none: tuple[float, ...] = ()
    law: str = "poisson"  # of counts about their rate
    sizes: str = ""  # the column of what they are counted in, or of what they are a part
    seen: float = 0.0
    gain: float | None = None  # of evidence, as a deviance, over normal noise; None where counts were asked for
    apart: ZerosApart | None = None  # where zeros have a chance of their own
    dispersion: float = 0.0  # that the law adds to the scatter of the rate: a variance over the square of the rate


@dataclass(frozen=True, eq=False, kw_only=True)
class DecomposedModel:
    """What is told of any model that was taken apart, and of the search that found it."""

    name: str  # of the data set
    target: str  # name of the column that is modelled
    fitted: Fitted
    signal_r2: float  # share of the variance explained by all parts but noise, on the scale of the model
    # The search by levels: expression, BIC or score (of all rows), seconds.
    path: tuple[tuple[str, float | None, float], ...]
    warnings: tuple[str, ...]  # what was done to the data, and what to mind
    transform: Transform = NO_TRANSFORM  # from the data to the scale of the model
    alternatives: tuple[tuple[Kernel, float], ...] = ()  # models visited, with posterior weights, the best first
    # The best few expressions of every level of the search, the best of all first, and how many were proposed there.
    tried: tuple[Tried, ...] = ()
    proposed: tuple[int, ...] = ()
    stages: tuple[int, ...] = ()  # how many rows the search had, one number after the other
    criterion: str = "bic"
    cut: str = ""  # what ended the search before it was through (`SearchResult.cut`)
    choice: str = ""  # the warning that says how the table was read, where more than one way was plausible
    counts: CountDispersion | None = None  # of counts about a rate whose logarithm is modelled


@dataclass(frozen=True, eq=False, kw_only=True)
class Decomposition(DecomposedModel):
    """A fitted model of a series taken apart: everything the description and the figures need.

    The curves of the whole (`signal`, `observation`, `samples`, `forecast`) are mapped back to data units; errors and
    shares of variation are those on the scale of the model.
    """

    axis: Axis
    x: Vector  # (n,) model axis, ascending
    y: Vector  # (n,) data units, offset included
    # Constant taken off y before the fit (0 as a rule). It is added back in `y`, `signal`, `observation`, `samples` and
    # `forecast`, not in the components.
    offset: float
    components: tuple[Component, ...]  # in greedy order of cross-validated MAE
    signal: Curve  # all parts but noise, on the plotting grid
    observation: Curve  # the same with the noise in its standard deviation
    samples: NDArray[np.float64]  # (3, m) draws of the signal on the plotting grid
    forecast: Curve  # observations at the next `horizon` steps of the axis
    transform_gain: float | None = None  # how much lower the BIC (or score) is on that scale, on reference models
    scale_probability: float | None = None  # of that scale against the other; None where evidence did not compare them
    averaged: int = 1  # how many of the `alternatives` the forecast averages over (1: it is that of the best model)
    checks: Checks | None = None  # of the model against the data; None where they were not asked for
    calibration: HeldRanges | None = None  # None where too few rows are there for a test
    noise_floor: float = 0.0  # the smallest standard deviation of noise that could be seen, on the scale of the model
    seasons: tuple[float, ...] = ()  # cycles of the calendar, in units of the axis, that the rows can show
    limits: tuple[float, float] = (-inf, inf)  # beyond which no observation can lie
    screening: Screening = NO_SCREENING  # outliers, and which of them are not among the data
    # The forecast (m,) if values that were set aside at the end of the data are past, and if they begin a new level;
    # None where there are none. `forecast` is of both, each with its probability.
    two_ways: tuple[Vector, Vector] | None = None
    sum_ahead: SumAhead | None = None  # of the forecast; None where the next steps make no year, week or day
    function: FunctionCourse | None = None  # what the function does, whatever model it is told by
    is_curve: bool = False  # whether its rows came in no order, so that nothing comes next
    # What columns beside the series explain of it: all else here is about the series with these at their usual values.
    covariates: ColumnsBeside | None = None

    @property
    def kernels(self) -> tuple[tuple[Kernel, ...], ...]:
        """What each part is made of, in the order of the parts."""
        return tuple((part.kernel,) for part in self.components)

    @property
    def level(self) -> float | None:
        """The typical level (geometric mean) where the logarithm is modelled, else None."""
        return self.transform.scale if self.transform.is_log else None

    @property
    def modelled(self) -> Vector:
        """The data as the parts add up to them (n,): the offset taken off, logarithms about the typical level."""
        if self.counts is not None:
            return self.counts.targets
        return self.transform.unshifted.forward(self.y - self.offset)

    @property
    def mae_of_mean(self) -> float:
        """The mean absolute error of predicting the mean of the data, on the scale on which the parts add up.

        Of counts it is the root mean square error of predicting their mean, in their units.
        """
        if self.counts is not None and not self.transform.is_odds:
            return float(self.y.std())
        return float(np.abs(self.modelled - self.modelled.mean()).mean())


# --- What the columns beside a series explain of it: the effect of each, and the series with all of them ------------


@dataclass(frozen=True)
class EffectAt:
    """The effect at a ``place``: a value of the column, the code of a category, or a position of the axis."""

    place: float
    effect: Estimate


@dataclass(frozen=True, eq=False, kw_only=True)
class ColumnEffect:
    """One column.

    ``size`` is the effect of one ``step`` more of a number, on average over its range; of a flag that of its ``other``
    value; of categories that of the ``other`` that is furthest from the usual one. Of what fades it is that at once.
    """

    name: str
    event: str  # the holiday or event of the calendar that it belongs to; "" for none
    days: int  # how many days after that (before: negative)
    calendar: str  # as the user named it; "" for a column of the table
    probability: float  # that it acts
    kind: ColumnKind
    levels: tuple[str, ...]
    usual: float
    low: float  # the range that was seen
    high: float
    other: float
    step: float
    size: Estimate
    places: tuple[EffectAt, ...]  # each category but the usual one; of a curve its ends, and where it turns
    curve: Curve  # over the values of the column
    shape: EffectShape
    lag: int  # steps until the effect comes, the likeliest of ``lags``
    lags: tuple[int, int]
    kept: float  # share of the effect that is left one step later; 0: it does not fade
    varying: Varying
    moments: tuple[EffectAt, ...]  # of one that varies: where it is highest and lowest in a season; at both ends
    share: float  # of the variance of the series
    apart: float  # share of the movement of the column that the time structure does not follow
    along: float  # correlation of the column with the time structure
    witness: Witness | None
    added: Curve  # at the positions of the data and of the forecast
    instead: tuple[str, ...] = ()  # near copies: it or one of them surely acts, the data do not tell which


@dataclass(frozen=True, kw_only=True)
class HolidayEffect:
    """What the days of a holiday or event add in all (``total``), which came at some ``places`` of the rows."""

    name: str
    total: Estimate
    places: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class ColumnsBeside:
    """All columns, the likeliest first; the series ``y`` (n,) as it was observed with its ``fit``, and its forecast.

    ``season`` is the cycle by which effects vary, ``before`` that by which gaps of a plan are filled, 0 for none;
    ``fillings`` names what stands in for columns whose plan does not reach the end of the forecast; all are planned
    until ``planned_until`` (None: at no step). ``beyond`` are columns whose plan leaves the range that was seen.
    ``aside`` are positions and values that were set aside, less what the columns add. ``events`` are those of the
    calendar, by their columns.
    """

    effects: tuple[ColumnEffect, ...]
    y: Vector
    fit: Curve
    forecast: Curve
    season: float
    before: float
    fillings: tuple[tuple[str, Filling], ...]
    planned_until: float | None
    beyond: tuple[str, ...]
    aside: tuple[tuple[float, float], ...] = ()
    events: tuple[HolidayEffect, ...] = ()
