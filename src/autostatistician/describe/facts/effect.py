"""Typed facts about the model of a table: every statement of a report on tables is made from one of these.

Numbers are on the scale of the model; ``unit`` says which: the name of the target, "log" of it, or "%". Intervals hold
the truth with 95 %, if the model holds. ``evidence`` says where a number comes from.
"""

from __future__ import annotations

from dataclasses import dataclass

from autostatistician.describe.facts.fact import Span

__all__ = [
    "ColumnRelevance",
    "Course",
    "Dependence",
    "EffectShare",
    "ErrorCheck",
    "Explained",
    "NoiseSize",
    "RangesHeld",
    "TableFact",
    "TurnAt",
]


@dataclass(frozen=True, kw_only=True)
class _Stated:
    id: str
    number: float
    unit: str
    evidence: str
    interval: Span | None = None


@dataclass(frozen=True, kw_only=True)
class EffectShare(_Stated):
    """What some columns do together; ``number`` per cent of the variance of the target.

    ``beyond`` per cent of that is no sum of effects of single columns.
    """

    columns: tuple[str, ...]
    beyond: float = 0.0


@dataclass(frozen=True)
class TurnAt:
    """A place where a curve turns, with its 95 % range."""

    at: float
    span: Span
    top: bool


@dataclass(frozen=True, kw_only=True)
class Course(_Stated):
    """An effect along one column; ``number`` is the highest of the curve less the lowest.

    ``kind`` and the rest are those of `decompose.table_records.CurveShape`; ``averaged``: over the data in the other
    columns of the effect; ``places``: all values of a column that has few; ``levels``: their names.
    """

    column: str
    kind: str
    change: float
    change_interval: Span
    low: float
    high: float
    lowest: float
    highest: float
    turns: tuple[TurnAt, ...]
    flat_from: float | None
    flat_until: float | None
    bend: int
    open_from: float | None
    open_until: float | None
    period: float | None
    averaged: bool
    places: tuple[float, ...]
    levels: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Dependence(_Stated):
    """How the effect of one column changes with another; ``number`` is the difference of `last` and `first`.

    ``share`` is the part of their joint effect, per cent, that is no sum of one effect of each.
    """

    along: str
    by: str
    along_places: Span
    by_places: Span
    first: float
    first_interval: Span
    last: float
    last_interval: Span
    share: float
    share_interval: Span
    others: bool  # the effect holds further columns, averaged over
    along_levels: tuple[str, ...] = ()
    by_levels: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ColumnRelevance(_Stated):
    """How much hangs on a column, per cent of the variance of the target, alone or with others.

    ``partners`` are the columns with which it acts, ``alone`` whether it has an effect by itself, ``scatter`` whether
    the noise changes with it, ``left`` whether the errors still go with it.
    """

    column: str
    used: bool
    alone: bool
    partners: tuple[str, ...]
    scatter: bool
    left: bool
    probability: float


@dataclass(frozen=True, kw_only=True)
class NoiseSize(_Stated):
    """The scatter around the effects; ``number`` is its root mean square sd; ``changes``: column, places, sds there.

    ``held``: within how far of the effects 95 of 100 values at hand lie.
    """

    changes: tuple[tuple[str, Span, Span], ...]
    held: float | None = None


@dataclass(frozen=True, kw_only=True)
class Explained(_Stated):
    """How much the effects explain, per cent of the variance; of values left out: share, mean and largest error."""

    left_out: float
    error: float
    rmse: float
    error_of_mean: float


@dataclass(frozen=True, kw_only=True)
class RangesHeld(_Stated):
    """How many of ``rows`` values, per cent, lay in 95 % ranges when predicted from all others."""

    rows: int
    too_narrow: bool
    too_wide: bool


@dataclass(frozen=True, kw_only=True)
class ErrorCheck(_Stated):
    """One check of the errors; ``number`` is its p-value."""

    kind: str
    adjusted: float
    side: int
    column: str | None


TableFact = (
    EffectShare | Course | Dependence | ColumnRelevance | NoiseSize | Explained | RangesHeld | ErrorCheck
)  # fmt: skip
