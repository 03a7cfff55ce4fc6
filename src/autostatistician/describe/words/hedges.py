"""How sure a statement sounds: without reserve, with "probably", or as a possibility."""

from __future__ import annotations

from autostatistician.describe.facts.judgement import LIKELY, SURE

__all__ = ["be", "does", "hedged", "is_sure", "probably"]


def is_sure(probability: float | None) -> bool:
    """Whether something is said without reserve (None: it is not in question).

    >>> is_sure(0.99), is_sure(0.93), is_sure(None)
    (True, False, True)
    """
    return probability is None or probability >= SURE


def probably(probability: float | None) -> str:
    """What to put before a verb or an adjective that holds with some probability (None: it is not in question).

    >>> probably(0.99), probably(0.93), probably(None)
    ('', 'probably ', '')
    """
    return "" if is_sure(probability) else "probably "


def hedged(probability: float | None, sure: str, probable: str, possible: str) -> str:
    """One of three ways to say the same, by how probable it is (None: it is not in question).

    >>> [hedged(p, "grows", "probably grows", "may grow") for p in (None, 0.99, 0.93, 0.7)]
    ['grows', 'grows', 'probably grows', 'may grow']
    """
    if is_sure(probability):
        return sure
    return probable if probability is not None and probability >= LIKELY else possible


def does(verb: str, s: str, probability: float | None) -> str:
    """A verb that is true with some probability; ``s`` is its ending.

    >>> does("grow", "s", 0.99), does("grow", "s", 0.93), does("grow", "s", 0.7), does("grow", "", None)
    ('grows', 'probably grows', 'may grow', 'grow')
    """
    if probability is None or probability >= LIKELY:
        return f"{probably(probability)}{verb}{s}"
    return f"may {verb}"


def be(verb: str, probability: float | None) -> str:
    """The same for "is" and "are".

    >>> be("are", 1.0), be("is", 0.93), be("is", 0.7)
    ('are', 'is probably', 'may be')
    """
    if probability is None or probability >= LIKELY:
        return f"{verb} {probably(probability)}".rstrip()
    return "may be"
