"""Posterior weights of the models that a search visited, for Bayesian model averaging.

Criteria are on the scale of a deviance, so exp(-score / 2) is a weight: for BIC and the Laplace evidence an approximate
posterior probability under equal prior odds (Kass and Raftery 1995), for AIC and leave-one-out densities the usual
weights for averaging (Burnham and Anderson 2002).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from autostatistician.kernels.traits import has_structure
from autostatistician.search.constants import LEAST_SHARE_OF_BEST
from autostatistician.search.scores.structure_prior import one_spelling
from autostatistician.search.state import Candidate

__all__ = ["distinct", "shares", "weighted"]


def weighted(frontier: Sequence[Candidate], *, chance_is_charged: bool = False) -> list[tuple[Candidate, float]]:
    """The models of a frontier with weights that add up to one; each function once, however it is spelled.

    The first is the one that the search chose, the others come by weight.

    Where the search found no more structure than chance gives, its first model is noise around a level; then models
    with structure have no weight, unless the criterion itself has charged them for what chance gives.

    >>> from autostatistician.kernels.kernel import leaf
    >>> one, other = Candidate(leaf("SE") + leaf("WN"), 0.0, 10.0, 1), Candidate(leaf("C") + leaf("WN"), 0.0, 12.0, 1)
    >>> [round(weight, 4) for _, weight in weighted([one, other])]
    [0.7311, 0.2689]
    """
    ranked = distinct(frontier, chance_is_charged=chance_is_charged)
    kept = [candidate for candidate in ranked if exp(-0.5 * (candidate.score - ranked[0].score)) >= LEAST_SHARE_OF_BEST]
    if chance_is_charged:  # a simpler one may have been chosen than the most probable
        function = one_spelling(frontier[0].kernel.expr)
        chosen = next(candidate for candidate in ranked if one_spelling(candidate.kernel.expr) == function)
        kept = [chosen, *(candidate for candidate in kept if candidate is not chosen)]
    return list(zip(kept, shares([candidate.score for candidate in kept]), strict=True))


def distinct(frontier: Sequence[Candidate], *, chance_is_charged: bool = False) -> list[Candidate]:
    """The models of a frontier that can have weight, best first; each function once."""
    structured = chance_is_charged or has_structure(frontier[0].kernel.expr)
    usable = [candidate for candidate in frontier if structured or not has_structure(candidate.kernel.expr)]
    best = {
        one_spelling(candidate.kernel.expr): candidate for candidate in sorted(usable, key=Candidate.rank, reverse=True)
    }
    return sorted(best.values(), key=Candidate.rank)


def shares(scores: Sequence[float]) -> list[float]:
    """The weights of models with these criteria, adding up to one.

    >>> shares([10.0, 10.0, 5000.0])
    [0.5, 0.5, 0.0]
    """
    sizes = [exp(-0.5 * (score - min(scores))) for score in scores]
    return [size / sum(sizes) for size in sizes]
