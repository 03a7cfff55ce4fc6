"""What weighted models claim together: the weight of all models that make a claim."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from autostatistician.describe.facts.claim import Claim, WeighedClaim
from autostatistician.describe.facts.judgement import KNOWN
from autostatistician.language.kernel import Kernel

__all__ = ["weighed_claims"]


def weighed_claims(
    models: Sequence[tuple[Kernel, float]],
    claims_of: Callable[[Kernel], Iterable[Claim]],
    same: Callable[[Claim, Claim], bool],
) -> tuple[WeighedClaim, ...]:
    """Every claim with the weight of the models that make it, in the order in which they come up.

    Parameters
    ----------
    models : sequence of (Kernel, weight)
        The best first; the weights add up to one.
    claims_of : callable
        What one model claims.
    same : callable
        Whether a claim counts as another that came up before.
    """
    distinct: list[Claim] = []
    weights: list[float] = []
    best = 0  # how many of them the first model makes
    for place, (kernel, weight) in enumerate(models):
        for index in {_index(claim, distinct, weights, same) for claim in claims_of(kernel)}:
            weights[index] += weight
        best = len(distinct) if place == 0 else best
    every = enumerate(zip(distinct, weights, strict=True))
    return tuple(
        WeighedClaim(claim, min(weight, 1.0), index < best) for index, (claim, weight) in every if weight >= KNOWN
    )


def _index(claim: Claim, claims: list[Claim], weights: list[float], same: Callable[[Claim, Claim], bool]) -> int:
    """The place of a claim in the list, which grows where it is new."""
    for index, other in enumerate(claims):
        if same(claim, other):
            return index
    claims.append(claim)
    weights.append(0.0)
    return len(claims) - 1
