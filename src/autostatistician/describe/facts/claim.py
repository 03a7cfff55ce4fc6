"""What models claim, and how probable each claim is."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["BOUNDS", "Claim", "LEAST", "Statement", "TOLD"]


LEAST = 0.05  # probability from which a statement is known


TOLD = 0.5  # from which it is one: what most models do not say is no finding


BOUNDS = ("beginning", "end")  # claims of where a part applies


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement, its probability, and whether the best model makes it; ``doubtful``: of a cycle seen too rarely."""

    text: str
    probability: float
    in_best: bool
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """What a part shows: a kind, and a number that tells several of a kind apart."""

    kind: str
    number: float = 0.0
