"""How far the search went: what ended it before it was through, and what that means for probabilities."""

from __future__ import annotations

from autostatistician.describe.facts.kinds import SearchCut
from autostatistician.describe.facts.search import SearchFindings
from autostatistician.wording.messages import message, say, say_count
from autostatistician.wording.numbers import count, fixed

__all__ = ["among", "cut_lead", "cut_text", "search_longer", "stages_text", "tried"]

_LONGER = {
    SearchCut.BUDGET: message("Search again with a larger time budget, or without one."),
    SearchCut.INTERRUPTION: message("Let the search end by itself."),
    SearchCut.DEPTH: message("Search again with a larger depth."),
}

_LEAD = {
    SearchCut.BUDGET: message("The search was cut short; what follows is of the best model so far."),
    SearchCut.INTERRUPTION: message("The search was interrupted; what follows is of the best model so far."),
    SearchCut.DEPTH: message("The search ended at the depth that was set; what follows is of the best model so far."),
}


def cut_lead(search: SearchFindings) -> str:
    """What stands once above all that is said of a model where its search was cut; "" where it ended by itself."""
    return say(_LEAD[search.cut]) if search.cut in _LEAD else ""


def cut_text(search: SearchFindings) -> str:
    """That the search was cut and what that means, in one sentence; "" where it ended by itself."""
    if not search.cut:
        return ""
    return say(
        "The choice of the model: the search {ended}, so models that nobody has tried may be better, and probabilities "
        "are only among those that were tried.", ended=_ended(search),
    )  # fmt: skip


def _ended(search: SearchFindings) -> str:
    levels, n = search.levels, count(search.levels)
    match search.cut:
        case SearchCut.BUDGET:
            return say_count(
                levels, "was cut short by its time budget after {n} level",
                "was cut short by its time budget after {n} levels", n=n,
            )  # fmt: skip
        case SearchCut.INTERRUPTION:
            return say_count(levels, "was interrupted after {n} level", "was interrupted after {n} levels", n=n)
    return say_count(
        levels, "ended at the depth that was set, {n} level, while it was still finding better models",
        "ended at the depth that was set, {n} levels, while it was still finding better models", n=n,
    )  # fmt: skip


def stages_text(search: SearchFindings, *, by_chance: bool = False) -> str:
    """That the search looked at a part of the rows first; "" where it had all from the beginning.

    Of a table these are drawn ``by_chance``.
    """
    if len(search.stages) < 2:
        return ""
    first, *others, last = (fixed(rows, 0) for rows in search.stages)
    rows: str = say("{first} of the {all} rows", first=first, all=last)
    for more in others:
        rows = say("{rows}, then on {more}", rows=rows, more=more)
    looked = (
        say("The search looked for structure on {rows}, drawn by chance.", rows=rows)
        if by_chance
        else say(
            "The search looked for structure on {rows}: stretches of neighbours, and rows from all over.", rows=rows
        )
    )
    judged = say("The best models were then judged on all rows: every score and probability is of these.")
    return f"{looked} {judged}"


def search_longer(search: SearchFindings) -> str:
    """What to do about a search that was cut; "" where it ended by itself."""
    return say(_LONGER[search.cut]) if search.cut in _LONGER else ""


def tried(search: SearchFindings) -> str:
    """Of which models the told one is the best."""
    return say("Of the models tried before the search was cut") if search.cut else say("Of the models tried")


def among(search: SearchFindings) -> str:
    """Among which models something is probable.

    The probability of a model that a search did not come to is not known.
    """
    return say("that the search tried before it was cut") if search.cut else say("that the search looked at")
