"""From which model each of the retained candidates of a search was made."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from autostatistician.language.expr import Expr
from autostatistician.language.grammar import Language, neighbours
from autostatistician.language.kernel import Kernel
from autostatistician.search.run import BEAM, BEAM_OF_TABLES, VARIANTS
from autostatistician.search.state import Candidate
from autostatistician.search.tables import Table

__all__ = ["parents"]


def parents(
    candidates: Sequence[Candidate],
    language: Language,
    columns: Sequence[str | None] = (None,),
    categories: Collection[str] = (),
) -> tuple[int | None, ...]:
    """For every candidate of a search over some columns, the index of the one whose neighbour it is.

    None for the first expression, and for those that are a neighbour of none: because they were simplified after
    their fit, or, on a table of several columns, made from above. Incumbents are ranked as the search ranked them, so
    of several that may have led to an expression the best is named.

    >>> from autostatistician.language.grammar import LANGUAGES
    >>> from autostatistician.language.kernel import leaf
    >>> noise = leaf("WN", sd=1.0)
    >>> found = [Candidate(noise, 9.0, 20.0, 0), Candidate(leaf("SE", sd=1.0, lengthscale=2.0) + noise, 2.0, 9.0, 1)]
    >>> parents(found, LANGUAGES["full"])
    (None, 0)
    """
    names = tuple(name for name in columns if name is not None)
    table = Table(language, names, frozenset(categories)) if len(columns) > 1 else None
    made: dict[int, frozenset[Expr]] = {}
    ranked = sorted(range(len(candidates)), key=lambda index: candidates[index].rank())
    found: list[int | None] = []
    for one in candidates:
        incumbents = [index for index in ranked if candidates[index].level < one.level]
        incumbents = incumbents[: BEAM if table is None else BEAM_OF_TABLES]
        for index in incumbents:
            if index not in made:
                made[index] = _neighbours(candidates[index].kernel, language, table, categories)
        found.append(next((index for index in incumbents if one.kernel.expr in made[index]), None))
    return tuple(found)


def _neighbours(
    kernel: Kernel, language: Language, table: Table | None, categories: Collection[str]
) -> frozenset[Expr]:
    if table is not None:
        return frozenset(other.expr for other in table.proposals(kernel))
    alone = (None,) if categories else ()
    return frozenset(other.expr for other in neighbours(kernel, language, (None,), VARIANTS, alone))
