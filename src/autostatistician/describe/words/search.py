"""How far the search went: what ended it before it was through, and what that means for probabilities."""

from __future__ import annotations

from autostatistician.describe.facts.kinds import SearchCut
from autostatistician.describe.facts.search import SearchFindings
from autostatistician.wording.numbers import plural

__all__ = ["among", "as_far", "cut_text", "search_longer", "so_far", "stages_text", "tried"]

_ENDED = {
    SearchCut.BUDGET: "was cut short by its time budget after {}",
    SearchCut.INTERRUPTION: "was interrupted after {}",
    SearchCut.DEPTH: "ended at the depth that was set, {}, while it was still finding better models",
}
_LONGER = {
    SearchCut.BUDGET: "Search again with a larger time budget, or without one.",
    SearchCut.INTERRUPTION: "Let the search end by itself.",
    SearchCut.DEPTH: "Search again with a larger depth.",
}


def cut_text(search: SearchFindings) -> str:
    """That the search was cut and what that means, in one sentence; "" where it ended by itself."""
    if not search.cut:
        return ""
    ended = _ENDED[search.cut].format(plural(search.levels, "level"))
    return (
        f"The choice of the model: the search {ended}, so models that nobody has tried may be better, and "
        "probabilities are only among those that were tried."
    )


def stages_text(search: SearchFindings, *, by_chance: bool = False) -> str:
    """That the search looked at a part of the rows first; "" where it had all from the beginning.

    Of a table these are drawn ``by_chance``.
    """
    if len(search.stages) < 2:
        return ""
    first, *others, last = (f"{rows:,}" for rows in search.stages)
    then = "".join(f", then on {rows}" for rows in others)
    sample = ", drawn by chance" if by_chance else ": stretches of neighbours, and rows from all over"
    return (
        f"The search looked for structure on {first} of the {last} rows{then}{sample}. The best models were then "
        "judged on all rows: every score and probability is of these."
    )


def search_longer(search: SearchFindings) -> str:
    """What to do about a search that was cut; "" where it ended by itself."""
    return _LONGER.get(search.cut, "")


def tried(search: SearchFindings) -> str:
    """Of which models the told one is the best."""
    return "Of the models tried before the search was cut" if search.cut else "Of the models tried"


def as_far(sentence: str, search: SearchFindings) -> str:
    """A sentence on what a search found, hedged where it was cut."""
    if not search.cut or not sentence:
        return sentence
    return f"When the search was ended, {sentence[0].lower()}{sentence[1:]}"


def so_far(search: SearchFindings) -> str:
    """What stands behind a statement on a model, after a space, where a search was cut; else ""."""
    return " (so far)" if search.cut else ""


def among(search: SearchFindings) -> str:
    """Among which models something is probable.

    The probability of a model that a search did not come to is not known.
    """
    return "that the search tried before it was cut" if search.cut else "that the search looked at"
