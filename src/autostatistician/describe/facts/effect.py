"""Typed facts about the model of a table: every statement of a report on tables is made from one of these.

Numbers are on the scale of the model; ``unit`` says which: the name of the target, "log" of it, or a share. Intervals
hold the truth with 95 %, if the model holds. ``evidence`` says where a number comes from.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from autostatistician.describe.facts.fact import OF_WHOLE, UNRECORDED, Fact, Span
from autostatistician.forms import CheckKind, CourseKind, RunOfEffect, TurnAt

__all__ = [
    "EffectCourse", "Dependence", "EffectShare", "ErrorCheck", "Explained", "FromExact", "NoiseSize", "RangesHeld",
]  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class EffectShare(Fact):
    """What some columns do together; ``number`` is its share of the variance of the target.

    The share ``beyond`` of that is no sum of effects of single columns.
    """

    columns: tuple[str, ...]
    beyond: float = field(default=0.0, metadata=OF_WHOLE)


@dataclass(frozen=True, kw_only=True)
class EffectCourse(Fact):
    """An effect along one column; ``number`` is the highest of the curve less the lowest.

    ``change`` is from its ``low`` to its ``high`` end; the curve is ``lowest`` and ``highest`` at these places. Nine
    tenths of a rise or fall happen before ``flat_from``, or after ``flat_until``; beyond ``open_from``, or before
    ``open_until``, the course is not clear. ``bend`` is +1 where the later half changes more for sure, -1 where the
    earlier one does; where it turns, ``legs`` are its rises and falls. ``averaged``: over the data in the other columns
    of the effect; ``places``: all values of a column that has few; ``levels``: their names.
    """

    column: str
    kind: CourseKind
    change: float
    change_interval: Span
    low: float
    high: float
    lowest: float
    highest: float
    turns: tuple[TurnAt, ...]
    legs: tuple[RunOfEffect, ...]
    flat_from: float | None
    flat_until: float | None
    bend: int
    open_from: float | None
    open_until: float | None
    period: float | None
    averaged: bool
    places: tuple[float, ...]
    levels: tuple[str, ...]
    elsewhere: bool = False  # the column acts together with others beside this effect
    carried: int | None = None  # by this row (by its number in the table, from 1): without it, nothing of it is clear


@dataclass(frozen=True, kw_only=True)
class Dependence(Fact):
    """How the effect of one column changes with another; ``number`` is the difference of `last` and `first`.

    ``share`` is the part of their joint effect that is no sum of one effect of each. ``probability`` is that of all
    models in which both act together, ``plain_p`` the p-value of products of both in a plain regression, as of one of
    all pairs. Where it goes ``beyond`` the data, no rows are near some of the places.
    """

    along: str
    by: str
    along_places: Span
    by_places: Span
    first: float
    first_interval: Span
    last: float
    last_interval: Span
    share: float = field(metadata=OF_WHOLE)
    share_interval: Span = field(metadata=OF_WHOLE)
    others: bool  # the effect holds further columns, averaged over
    along_levels: tuple[str, ...] = ()
    by_levels: tuple[str, ...] = ()
    probability: float = 1.0
    plain_p: float | None = None
    beyond: bool = field(default=False, metadata=UNRECORDED)


@dataclass(frozen=True, kw_only=True)
class NoiseSize(Fact):
    """The scatter around the effects; ``number`` is its root mean square sd; ``changes``: column, places, sds there.

    ``held``: within how far of the effects 95 of 100 values at hand lie. Counts have ``times`` the variance of chance
    alone about their rate; they are more probable so than with normal noise by the ``gain``, as a deviance.
    """

    changes: tuple[tuple[str, Span, Span], ...]
    held: float | None = None
    times: float | None = None
    gain: float | None = None


@dataclass(frozen=True, kw_only=True)
class Explained(Fact):
    """The share of the variance that the effects explain; of values left out: the share, and the sizes of errors."""

    left_out: float = field(metadata=OF_WHOLE)
    error: float
    rmse: float
    error_of_mean: float


@dataclass(frozen=True, kw_only=True)
class RangesHeld(Fact):
    """Which share of ``rows`` values lay in 95 % ranges when predicted from all others."""

    rows: int
    too_narrow: bool
    too_wide: bool


@dataclass(frozen=True, kw_only=True)
class FromExact(Fact):
    """By how much the log evidence is lower than the exact one (``number``) on so many random ``rows``.

    The function stands on its values at so many inducing ``points``.
    """

    points: int
    rows: int


@dataclass(frozen=True, kw_only=True)
class ErrorCheck(Fact):
    """One check of the errors; ``number`` is its p-value."""

    kind: CheckKind
    adjusted: float
    side: int
    column: str | None
