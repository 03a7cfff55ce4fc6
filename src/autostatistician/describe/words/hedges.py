"""How sure a statement sounds: without reserve, as probable, or as a possibility."""

from __future__ import annotations

from autostatistician.describe.facts.judgement import LIKELY, SURE

__all__ = ["hedged", "is_sure"]


def is_sure(probability: float | None) -> bool:
    """Whether something is said without reserve (None: it is not in question).

    >>> is_sure(0.99), is_sure(0.93), is_sure(None)
    (True, False, True)
    """
    return probability is None or probability >= SURE


def hedged(probability: float | None, sure: str, probable: str, possible: str) -> str:
    """One of three ways to say the same, by how probable it is (None: it is not in question).

    >>> [hedged(p, "grows", "probably grows", "may grow") for p in (None, 0.99, 0.93, 0.7)]
    ['grows', 'grows', 'probably grows', 'may grow']
    """
    if is_sure(probability):
        return sure
    return probable if probability is not None and probability >= LIKELY else possible
