"""What is known of several classes, each of which has a model against the rest."""

from __future__ import annotations

from dataclasses import dataclass

from autostatistician.describe.claims.claim import Claim
from autostatistician.describe.facts.findings import ClassFindings

__all__ = ["SeveralFindings"]


@dataclass(frozen=True, eq=False)
class SeveralFindings:
    """What is known of several classes: of each against the rest, and how well all are foreseen together."""

    name: str  # of the data set
    target: str
    classes: tuple[str, ...]
    each: tuple[ClassFindings, ...]
    warnings: tuple[str, ...]
    choice: str
    foresight: Claim  # of the most frequent class and the others together
    usual: str  # the most frequent class
    counts: tuple[int, ...]  # rows of each class
    taken: tuple[tuple[int, ...], ...]  # rows of each class by what they are taken for
    confused: tuple[Claim, ...]  # the largest first
    surprises: tuple[Claim, ...]
    likeliest: tuple[dict[str, Claim], ...]  # of each class, by the ids of its effects
