"""What models claim, and how probable each claim is."""

from __future__ import annotations

from dataclasses import dataclass

from autostatistician.describe.facts.kinds import ClaimKind

__all__ = ["BOUNDS", "Claim", "WeighedClaim"]

BOUNDS = (ClaimKind.BEGINNING, ClaimKind.END)  # claims of where a part applies


@dataclass(frozen=True, slots=True)
class Claim:
    """What a part shows: a kind, with a number or with columns that tell several of a kind apart."""

    kind: ClaimKind
    number: float = 0.0
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WeighedClaim:
    """A claim with the weight of the models that make it, and whether the best one does.

    ``doubtful``: it is on a cycle that is seen too rarely to be believed.
    """

    claim: Claim
    probability: float
    in_best: bool
    doubtful: bool = False
