"""How far the search went: what ended it before it was through, and what that means for probabilities."""

from __future__ import annotations

from autostatistician.decompose.records.series import Decomposition
from autostatistician.decompose.records.table import TableDecomposition
from autostatistician.wording.numbers import plural

__all__ = ["among", "cut_text", "search_longer", "search_record"]

Found = Decomposition | TableDecomposition

_ENDED = {
    "budget": "was cut short by its time budget after {}",
    "interruption": "was interrupted after {}",
    "depth": "ended at the depth that was set, {}, while it was still finding better models",
}
_LONGER = {
    "budget": "Search again with a larger time budget, or without one.",
    "interruption": "Let the search end by itself.",
    "depth": "Search again with a larger depth.",
}


def cut_text(found: Found) -> str:
    """That the search was cut and what that means, in one sentence; "" where it ended by itself."""
    if not found.cut:
        return ""
    ended = _ENDED[found.cut].format(plural(_levels(found), "level"))
    return (
        f"The choice of the model: the search {ended}, so models that nobody has tried may be better, and "
        "probabilities are only among those that were tried."
    )


def search_longer(found: Found) -> str:
    """What to do about a search that was cut; "" where it ended by itself."""
    return _LONGER.get(found.cut, "")


def among(found: Found) -> str:
    """Among which models something is probable.

    The probability of a model that a search did not come to is not known.
    """
    return "that the search tried before it was cut" if found.cut else "that the search looked at"


def search_record(found: Found) -> dict[str, object]:
    """The same as plain values: whether the search ended by itself, what cut it, and its levels."""
    return {"complete": not found.cut, "cut": found.cut or None, "levels": _levels(found)}


def _levels(found: Found) -> int:
    return max(len(found.path) - 1, 0)
