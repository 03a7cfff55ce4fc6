"""All that is known of a model and may be told: of a series, and of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.claims.claim import Claim, of_kinds
from autostatistician.claims.kinds import Kind
from autostatistician.decompose.records.table import ColumnRecord, LeaveOneOut, TableEffect
from autostatistician.describe.facts.covariates import CovariateFindings
from autostatistician.describe.facts.curves import PartCurves, SeriesCurves
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.judgement import ALARM
from autostatistician.describe.facts.part import ActiveInterval, ConstantLevel, NoiseLevel
from autostatistician.describe.facts.search import SearchFindings
from autostatistician.describe.facts.whole import ForecastTest, ShapedScale
from autostatistician.forms import Curve

__all__ = [
    "ClassFindings", "ColumnFindings", "EffectFindings", "Findings", "PartFindings", "SeriesChecks",
    "SeriesFindings", "SeriesPart", "SeveralFindings", "TableFindings", "WholeFindings",
]  # fmt: skip


Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, kw_only=True)
class PartFindings:
    """One additive part of a model with its posterior at the data and its share of the variance by itself."""

    id: str
    expression: str
    mean: Array  # (n,)
    sd: Array  # (n,)
    share: float


@dataclass(frozen=True, eq=False, kw_only=True)
class WholeFindings:
    """What is known of all that has a page: its data set, and how its models were found."""

    name: str  # of the data set
    warnings: tuple[str, ...]
    choice: str  # the warning that says how the table was read, where more than one way was plausible

    @property
    def searches(self) -> tuple[SearchFindings, ...]:
        """How each of its models was found."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False, kw_only=True)
class Findings(WholeFindings):
    """What is known of every model, and what is claimed."""

    n: int  # rows
    transform: dict[str, object]  # of the target, as records hold it
    search: SearchFindings
    claims: tuple[Claim, ...]
    parts: Sequence[PartFindings]

    @property
    def searches(self) -> tuple[SearchFindings, ...]:
        """How its model was found."""
        return (self.search,)


@dataclass(frozen=True, eq=False, kw_only=True)
class SeriesPart(PartFindings):
    """One part of a series, in the order of their use for predictions."""

    number: int  # from 1
    is_noise: bool
    facts: tuple[Fact, ...]
    curves: PartCurves


@dataclass(frozen=True, eq=False, kw_only=True)
class EffectFindings(PartFindings):
    """What some columns of a table do together; ``told``: it is large enough for the report."""

    columns: tuple[str, ...]
    claims: tuple[Claim, ...]
    told: bool
    record: TableEffect


@dataclass(frozen=True, eq=False)
class SeriesChecks:
    """The checks of a model with the standardised errors (n,) that they are about."""

    claims: tuple[Claim, ...]
    errors: Array


@dataclass(frozen=True, eq=False, kw_only=True)
class SeriesFindings(Findings):
    """What is known of a series: facts about the whole and about each part, checks, curves.

    ``claims`` are on what its function does, whatever model it is told by, on values that stand out from it, and on
    what most models show.
    """

    facts: tuple[Fact, ...]
    parts: tuple[SeriesPart, ...]
    checks: SeriesChecks | None
    test: ForecastTest | None  # None where too few rows are there for one
    curves: SeriesCurves
    averaged: int  # models that the forecast averages over
    shift: float  # of the logarithm, beyond its typical level
    counts_level: bool  # among the fitted numbers
    covariates: CovariateFindings | None = None  # columns beside it: all else is with these at their usual values

    @property
    def residuals(self) -> Array:
        """What all parts but noise leave of the data (n,), on the scale on which they add up."""
        first = self.parts[0]
        modelled = first.mean + first.curves.left
        return np.asarray(modelled - sum(part.mean for part in self.parts if not part.is_noise))

    @property
    def pure(self) -> bool:
        """Whether the model is noise alone."""
        return all(part.is_noise for part in self.parts)

    @property
    def nothing(self) -> bool:
        """Whether the model is noise, with a constant level at most."""
        whole = (part for part in self.parts if not any(isinstance(fact, ActiveInterval) for fact in part.facts))
        return sum(_is_flat(part.facts[0]) for part in whole) == len(self.parts)


def _is_flat(head: Fact) -> bool:
    """Whether a part is noise, or a level that never changes."""
    return isinstance(head, NoiseLevel) or (isinstance(head, ConstantLevel) and not head.stepped)


@dataclass(frozen=True, eq=False, kw_only=True)
class ColumnFindings(Findings):
    """What is known of columns: their values and effects; ``claims`` begin with one on each, those that act first."""

    inputs: tuple[ColumnRecord, ...]
    parts: tuple[EffectFindings, ...]  # the largest first
    together_p: float = 1.0  # of all columns at once, by a plain fit of the rows
    alike: tuple[int, float] | None = None  # how far apart rows are that are alike in what is left, their correlation

    @property
    def columns(self) -> tuple[Claim, ...]:
        """The claims on whether each column acts."""
        return of_kinds(self.claims, (Kind.MATTERS,))

    @property
    def seen_together(self) -> bool:
        """Whether all columns at once tell something by the rows alone, so that "nothing" is not said."""
        return self.together_p < ALARM

    @property
    def effects(self) -> tuple[EffectFindings, ...]:
        """Those that are large enough to be told."""
        return tuple(effect for effect in self.parts if effect.told)


@dataclass(frozen=True, eq=False, kw_only=True)
class ClassFindings(ColumnFindings):
    """What is known of classes: how well they are foreseen, whether chances are what they say, which rows surprise."""

    foresight: Claim
    ranking: Claim
    calibration: Claim
    surprises: tuple[Claim, ...]
    roc: tuple[Array, Array]  # false alarms and hits, for every threshold
    ahead: Claim | None = None  # of classes over time
    ahead_curve: Curve | None = None  # in per cent


@dataclass(frozen=True, eq=False, kw_only=True)
class TableFindings(ColumnFindings):
    """What is known of a table: its effects, its columns, its noise and its errors."""

    noise: tuple[Claim, ...]
    fit: Claim
    ranges: Claim
    checks: tuple[Claim, ...]
    outliers: tuple[Claim, ...]
    y: Array  # (n,)
    left_out: LeaveOneOut
    from_exact: Claim | None = None  # None: nothing stands between the model and its numbers
    shape: ShapedScale | None = None  # None: the scale is that of no power


@dataclass(frozen=True, eq=False, kw_only=True)
class SeveralFindings(WholeFindings):
    """What is known of several classes: of each against the rest, and how well all are foreseen together."""

    target: str
    classes: tuple[str, ...]
    each: tuple[ClassFindings, ...]
    foresight: Claim  # of the most frequent class and the others together
    usual: str  # the most frequent class
    counts: tuple[int, ...]  # rows of each class
    taken: tuple[tuple[int, ...], ...]  # rows of each class by what they are taken for
    confused: tuple[Claim, ...]  # the largest first
    surprises: tuple[Claim, ...]

    @property
    def searches(self) -> tuple[SearchFindings, ...]:
        """How the model of each class was found."""
        return tuple(each.search for each in self.each)
