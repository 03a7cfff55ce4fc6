"""Typed facts about a model of classes; chances are those of the class that is told, between 0 and 1."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from autostatistician.describe.facts.effect import Dependence, EffectCourse
from autostatistician.describe.facts.fact import OF_WHOLE, UNRECORDED, Fact, Span

__all__ = [
    "Calibration", "ChanceAhead", "ChanceAt", "ChanceCourse", "ChanceDependence", "Foresight", "Roc", "ShareOfChance",
    "extended",
]  # fmt: skip

Array = NDArray[np.float64]
Extended = TypeVar("Extended", bound=Fact)


@dataclass(frozen=True)
class ChanceAt:
    """The chance where a column has a value and all other effects are as on average, with its 95 % range."""

    at: float
    chance: float
    span: Span

    @property
    def odds(self) -> float:
        """Of the class against the other."""
        return self.chance / (1.0 - self.chance) if self.chance < 1.0 else float("inf")


@dataclass(frozen=True, kw_only=True)
class ChanceCourse(EffectCourse):
    """A course of the function behind a class, with the ``chances`` at some places, in ascending order.

    Of a column of few values ``rates`` are the shares of the class among the rows there, whatever else they are.
    """

    among_others: bool  # the model has other effects
    chances: tuple[ChanceAt, ...]
    rates: tuple[float, ...] = field(default=(), metadata=UNRECORDED)


@dataclass(frozen=True, kw_only=True)
class ChanceDependence(Dependence):
    """The same of two columns: chances at low by low places, low by high, high by low, high by high."""

    corners: tuple[ChanceAt, ...]


def extended(fact: Fact, kind: type[Extended], **more: Any) -> Extended:
    """A fact with all that it says, and more, as one of another kind."""
    return kind(**{entry.name: getattr(fact, entry.name) for entry in fields(fact)}, **more)


@dataclass(frozen=True, kw_only=True)
class ChanceAhead(Fact):
    """The chance of a class at so many ``steps`` after the data; ``number`` is their mean."""

    steps: int
    first: ChanceAt
    last: ChanceAt
    lowest: ChanceAt
    highest: ChanceAt


@dataclass(frozen=True, kw_only=True)
class Foresight(Fact):
    """How well classes are foreseen from all other rows; ``number`` is the mean log score (natural, at most 0).

    ``of_share`` is that of giving every row the share of the class among the others, ``gain`` (per row) the difference,
    with its range.
    """

    rows: int
    came: int  # rows of the class
    of_share: float
    gain: float
    gain_interval: Span
    wrong: float = field(metadata=OF_WHOLE)
    wrong_of_share: float = field(metadata=OF_WHOLE)

    @property
    def share(self) -> float:
        """Of rows of the class."""
        return self.came / self.rows


@dataclass(frozen=True)
class ShareOfChance:
    """Rows of like chances: how many, their mean chance, the share that was of the class and its 95 % range."""

    rows: int
    chance: float
    share: float
    span: Span


@dataclass(frozen=True, kw_only=True)
class Calibration(Fact):
    """Whether chances are what they say; ``number``: above 0 where they are too extreme, in standard deviations."""

    bins: tuple[ShareOfChance, ...]
    bins_p: float = field(metadata={"recorded": False})  # of shares as far from the chances, were these right


@dataclass(frozen=True, eq=False)
class Roc:
    """The share of the other class that is called the class, and of the class that is, for every threshold."""

    false_alarms: Array
    hits: Array
