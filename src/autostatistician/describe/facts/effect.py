"""Typed facts about the model of a table: every statement of a report on tables is made from one of these.

Numbers are on the scale of the model; ``unit`` says which: the name of the target, "log" of it, or a share. Intervals
hold the truth with 95 %, if the model holds. ``evidence`` says where a number comes from.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from autostatistician.describe.facts.fact import OF_WHOLE, Fact, Span
from autostatistician.forms import CheckKind

__all__ = [
    "ErrorCheck", "Explained", "FromExact", "NoiseSize", "RangesHeld",
]  # fmt: skip


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
