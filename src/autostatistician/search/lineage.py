"""From which model each of the retained candidates of a search was made."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.language.expr import Expr
from autostatistician.language.grammar import Language, neighbours
from autostatistician.language.kernel import Kernel
from autostatistician.search.run import BEAM, VARIANTS
from autostatistician.search.state import Candidate

__all__ = ["parents"]


def parents(candidates: Sequence[Candidate], language: Language) -> tuple[int | None, ...]:
    """For every candidate of a search over one column, the index of the one whose neighbour it is.

    None for the first expression, and for those that are a neighbour of none because they were simplified after
    their fit. Incumbents are ranked as the search ranked them, so of several that may have led to an expression the
    best is named.

    >>> from autostatistician.language.grammar import LANGUAGES
    >>> from autostatistician.language.kernel import leaf
    >>> noise = leaf("WN", sd=1.0)
    >>> found = [Candidate(noise, 9.0, 20.0, 0), Candidate(leaf("SE", sd=1.0, lengthscale=2.0) + noise, 2.0, 9.0, 1)]
    >>> parents(found, LANGUAGES["full"])
    (None, 0)
    """
    made: dict[int, frozenset[Expr]] = {}
    ranked = sorted(range(len(candidates)), key=lambda index: candidates[index].rank())
    found: list[int | None] = []
    for one in candidates:
        incumbents = [index for index in ranked if candidates[index].level < one.level][:BEAM]
        for index in incumbents:
            if index not in made:
                made[index] = _neighbours(candidates[index].kernel, language)
        found.append(next((index for index in incumbents if one.kernel.expr in made[index]), None))
    return tuple(found)


def _neighbours(kernel: Kernel, language: Language) -> frozenset[Expr]:
    return frozenset(other.expr for other in neighbours(kernel, language, (None,), VARIANTS))
