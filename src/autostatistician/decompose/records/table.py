"""What the model of a table says, as plain values: what words and pictures of tables are made from.

An effect is what some columns do together, told as the difference from its own mean over the data, because the level
of an additive part says nothing by itself. Values are on the scale of the model (see `records.Decomposition`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.times.axes import Axis
from autostatistician.decompose.records.classes import Chances, ClassForecast, Foreseen, LeaveOneOutClasses
from autostatistician.decompose.records.series import Check, DecomposedModel
from autostatistician.forms import BAND_SDS, CourseKind, TurnAt
from autostatistician.kernels.kernel import Kernel

__all__ = [
    "END_QUANTILES", "Along", "ByPoints", "ColumnRecord", "Contrast", "CurveShape", "DropTest", "EffectGrid",
    "ForeseenOfSeveral", "Hinge", "Interaction", "LeaveOneOut", "Noise", "Plain", "Scatter", "SeveralClasses", "Slope",
    "TableDecomposition", "TableEffect",
]  # fmt: skip


Array = NDArray[np.float64]

Span = tuple[float, float]
Shown = tuple[Array, Array, Array]  # a mean and its limits; of a class its chances in per cent

END_QUANTILES = (0.1, 0.9)  # what stands for low and high


def _shown(mean: Array, sd: Array, chances: Chances | None) -> Shown:
    if chances is not None:
        return 100.0 * chances.mean, 100.0 * chances.lower, 100.0 * chances.upper
    return mean, mean - BAND_SDS * sd, mean + BAND_SDS * sd


@dataclass(frozen=True)
class Contrast:
    """A difference between two places with its posterior standard deviation."""

    number: float
    sd: float


@dataclass(frozen=True)
class Hinge:
    """Two lines that meet ``at`` a place (``span``: 95 %), with their slopes: of a curve, or by least squares of rows.

    ``bend``: +1 where the later one is steeper for sure, -1 where the earlier one is, else 0; ``flat`` where the other
    one hardly changes anything. ``p`` of a turn anywhere, by rows.
    """

    at: float
    span: Span
    before: Contrast
    after: Contrast
    bend: int
    flat: bool
    p: float = 1.0


@dataclass(frozen=True)
class CurveShape:
    """The shape of a curve as far as the posterior is sure of it: of an effect, or of the chances of a class.

    Where the kind is turning, ``turns`` say where, and ``legs`` how far it rises and falls before, between and after.
    The ``hinge`` is that of a rise or fall which is not straight.
    """

    kind: CourseKind
    change: Contrast  # from the lowest to the highest value of the column
    size: Contrast  # the largest less the smallest value of the curve
    lowest: float  # where they lie
    highest: float
    turns: tuple[TurnAt, ...] = ()
    hinge: Hinge | None = None
    open_from: float | None = None  # beyond, or before, its course is not clear
    open_until: float | None = None
    legs: tuple[Contrast, ...] = ()


@dataclass(frozen=True, eq=False)
class Along:
    """An effect along one of its columns, averaged over the data in its others."""

    column: str
    few: bool  # the column has few values
    x: Array  # (m,) places: all of its values then
    told: Array  # those of which something is told: all but ends with hardly any rows
    mean: Array  # (m,)
    sd: Array
    shape: CurveShape
    at: Array  # (n,) the column at the data
    residuals: Array  # (n,) the curve there, and what the whole model leaves of the datum; of a class 100 or 0
    chances: Chances | None = None  # (m,) of a class, where all other effects are as on average over the data
    levels: tuple[str, ...] = ()  # names of the categories of the column

    @property
    def shown(self) -> Shown:
        """The curve as it is drawn."""
        return _shown(self.mean, self.sd, self.chances)


@dataclass(frozen=True, eq=False)
class EffectGrid:
    """An effect over two columns on a grid, averaged over the data in its others."""

    columns: tuple[str, str]
    axes: tuple[Array, Array]
    mean: Array  # (k, m), the first column along the rows
    sd: Array
    chances: Chances | None = None  # (k, m) of a class

    @property
    def shown(self) -> Shown:
        """The surface as it is drawn."""
        return _shown(self.mean, self.sd, self.chances)


@dataclass(frozen=True, eq=False)
class Interaction:
    """How the effect of one column changes with another.

    ``first`` and ``last`` are what the step of `along` from its low to its high place does where `by` is low and where
    it is high; ``difference`` is the latter less the former. Of categories two stand for low and high.
    """

    along: str
    by: str
    along_places: Span
    by_places: Span
    first: Contrast
    last: Contrast
    difference: Contrast
    share: float  # of the variance of the effect over both columns that is not a sum of one effect of each
    share_span: Span
    few: bool  # the first column has few values
    x: Array  # (m,) places along it
    slices: tuple[tuple[float, Array, Array], ...]  # place of the other column, mean and sd (m,) there
    chances: tuple[Chances, ...] = ()  # of a class, along the slices
    corners: Chances | None = None  # (4,) at low and high places: low by low, low by high, high by low, high by high
    plain_p: float | None = None  # p-value of a plain regression with products beside one without; None of too few rows
    beyond: bool = False  # no rows are near some of the places
    elsewhere: tuple[tuple[float, Contrast], ...] = ()  # what the step does at other categories of `by`, after them

    @property
    def cuts(self) -> tuple[tuple[float, Shown], ...]:
        """The two slices as they are drawn, each after the place of the other column."""
        of_class = self.chances or (None, None)
        return tuple((place, _shown(mean, sd, of)) for (place, mean, sd), of in zip(self.slices, of_class, strict=True))


@dataclass(frozen=True, eq=False)
class TableEffect:
    """What some columns do together, beyond what they do in smaller sets; at the data, less its mean there."""

    columns: tuple[str, ...]
    kernels: tuple[Kernel, ...]
    mean: Array  # (n,)
    sd: Array  # (n,)
    share: float  # expected variance at the data relative to that of the target
    share_span: Span  # 95 %
    residuals: Array  # (n,) partial residuals: what is left of the target when all other effects are taken away
    beyond: float  # share of the variance of `mean` that no sum of effects of single columns gives
    along: tuple[Along, ...]  # one per column
    surface: EffectGrid | None  # of two columns, or of the two that change each other most
    interaction: Interaction | None
    period: float | None  # where it repeats, and nothing else
    wider: float = 1.0  # times as open as of independent rows it is

    @property
    def by_column(self) -> dict[str, Along]:
        """Its curves by their columns."""
        return {along.column: along for along in self.along}


@dataclass(frozen=True)
class Scatter:
    """How the noise changes along a column: its standard deviation at the lowest and at the highest value."""

    column: str
    places: Span
    sds: Span


@dataclass(frozen=True, eq=False)
class Noise:
    """The noise: root mean square of its standard deviations at the data, and the columns that change it.

    ``held``: within how far of the effects 95 of 100 values lie.
    """

    sd: float
    scatters: tuple[Scatter, ...]
    held: float | None = None


@dataclass(frozen=True)
class DropTest:
    """What plain least squares lose without some columns: a share of the variation of rows left out, and an F test."""

    share: float
    span: Span  # 95 %
    p: float


@dataclass(frozen=True)
class Slope:
    """What least squares give a column along a line, or its categories, beside those of the other columns.

    ``p`` as of the best of all columns, ``single`` as of this one; ``change`` of the target from the lowest to the
    highest value of a number; the share of the variance of the target that is ``most`` of what it may add.
    """

    p: float
    change: Contrast | None
    single: float = 1.0
    most: float = 1.0


@dataclass(frozen=True)
class Plain:
    """What the rows say of a column without the model.

    How the target goes with it by itself: Spearman's correlation (of categories the root of the share of the variance
    of the ranks that their means have), and its p-value as of the best of all columns. It ``parts`` the target where
    this does not overlap between its few values. What is lost without it beside the columns of the model, its
    ``slope`` beside all; what is lost without it and its near ``copies``, each of which tells most of the other and
    the target as well. Columns that are ``alike``, with their correlation. Columns that act ``together`` with
    it in what the model leaves, where that has no part of both, with p-values as of all pairs. The ``hinge`` of one of
    the model's numbers.
    """

    correlation: float
    p: float
    beside_model: DropTest
    slope: Slope
    copies: tuple[str, ...] = ()
    alike: Mapping[str, float] = field(default_factory=dict)
    of_copies: DropTest | None = None
    parts: bool = False
    together: Mapping[str, float] = field(default_factory=dict)
    hinge: Hinge | None = None
    carried: int | None = None  # the row without which nothing of it is clear
    wider: float = 1.0  # times as wide as of independent rows a range of what it does is


@dataclass(frozen=True)
class ColumnRecord:
    """What is known about one input: its values, and what the model makes of it."""

    name: str
    low: float
    high: float
    distinct: int
    used: bool  # by an effect
    scatter: bool  # by the noise
    probability: float  # weight of the models that have an effect of it
    levels: tuple[str, ...] = ()  # names of its categories
    plain: Plain | None = None


@dataclass(frozen=True, eq=False)
class LeaveOneOut:
    """Every value predicted from all others, in the units of the data, with the numbers of the whole fit."""

    predicted: Array  # (n,) medians
    lower: Array  # 95 % ranges
    upper: Array
    errors: Array  # (n,) standardised
    levels: tuple[float, ...]
    held: tuple[float, ...]  # share of values inside ranges of each level
    r2: float  # share of the variance of the target
    rmse: float
    mae: float
    mae_of_mean: float  # of predicting the mean of the others
    checks: tuple[tuple[Check, str | None], ...]  # of the errors, each with the column that it is along
    groups: LeftOutGroups | None = None  # of rows that come in groups


@dataclass(frozen=True)
class LeftOutGroups:
    """The share of the variance explained in groups of rows with one value of a column that are left out as a whole."""

    column: str
    count: int
    r2: float


@dataclass(frozen=True)
class ByPoints:
    """The function stood on its values at so many inducing ``points``, because rows were many.

    On so many random ``rows`` the logarithm of the evidence is lower by ``gap`` than the exact one.
    """

    points: int
    rows: int
    gap: float


@dataclass(frozen=True, eq=False, kw_only=True)
class TableDecomposition(DecomposedModel):
    """A fitted model of a table taken apart: everything the description and the figures need."""

    y: Array  # (n,) in the units of the data
    columns: tuple[ColumnRecord, ...]
    effects: tuple[TableEffect, ...]  # the largest first
    noise: Noise | None
    left_out: LeaveOneOut | None  # of numbers
    classes: tuple[str, ...] = ()  # names of the two classes; none of numbers
    foreseen: Foreseen | None = None  # of classes
    ahead: ClassForecast | None = None  # of classes over time
    axis: Axis | None = None  # of classes over time, or along a single column of numbers
    by_points: ByPoints | None = None  # None: computed exactly, or by another approximation
    together_p: float = 1.0  # of all columns at once, by the rows alone
    alike: tuple[int, float] | None = None  # how many rows lie between those that are alike, and their correlation
    rows: tuple[int, ...] = ()  # (n,) their numbers in the table, from 1, where others were left out

    def number_of(self, row: int) -> int:
        """The number of a row in the table, from 1."""
        return self.rows[row] if self.rows else row + 1


# --- What models of several classes, each against the rest, say together, as plain values ---------------------------


@dataclass(frozen=True, eq=False, kw_only=True)
class ForeseenOfSeveral(LeaveOneOutClasses):
    """Several classes foreseen."""

    came: NDArray[np.intp]  # (n,) place of the class of each row
    taken: NDArray[np.intp]  # (classes, classes) rows of each class, by what they are taken for

    @property
    def given(self) -> Array:
        """The chance (n,) that was given to what came."""
        return self.chance[np.arange(len(self.came)), self.came]


@dataclass(frozen=True, eq=False)
class SeveralClasses:
    """A model of each class against the rest taken apart, and how well they foresee together."""

    name: str
    target: str
    classes: tuple[str, ...]
    each: tuple[TableDecomposition, ...]  # in the order of the classes
    foreseen: ForeseenOfSeveral
    warnings: tuple[str, ...] = ()
    choice: str = ""
