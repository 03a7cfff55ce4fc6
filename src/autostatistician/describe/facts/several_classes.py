"""Typed facts about several classes, each of which has a model against the rest."""

from __future__ import annotations

from dataclasses import dataclass

from autostatistician.describe.claims.claim import Claim
from autostatistician.describe.facts.classes import Foresight
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.findings import ClassFindings

__all__ = ["LikeliestAt", "SeveralFindings"]


@dataclass(frozen=True, kw_only=True)
class LikeliestAt(Fact):
    """The row whose values of two columns together make a class likeliest; ``number`` is the chance there.

    ``ranks`` are the shares of the rows with smaller values of each column, ``levels`` the names of categories.
    """

    columns: tuple[str, str]
    places: tuple[float, float]
    ranks: tuple[float, float]
    lows: tuple[float, float]
    highs: tuple[float, float]
    levels: tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True, eq=False)
class SeveralFindings:
    """What is known of several classes: of each against the rest, and how well all are foreseen together."""

    name: str  # of the data set
    target: str
    classes: tuple[str, ...]
    each: tuple[ClassFindings, ...]
    warnings: tuple[str, ...]
    choice: str
    foresight: Foresight  # of the most frequent class and the others together
    usual: str  # the most frequent class
    counts: tuple[int, ...]  # rows of each class
    taken: tuple[tuple[int, ...], ...]  # rows of each class by what they are taken for
    confused: tuple[Claim, ...]  # the largest first
    surprises: tuple[Claim, ...]
    likeliest: tuple[dict[str, tuple[LikeliestAt, ...]], ...]  # of each class, by the ids of its effects
