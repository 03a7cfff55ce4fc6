"""Numbers with their nouns, and names in a row, for sentences about what was done to the data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

from autostatistician.wording.messages import note, say

__all__ = ["all_of", "counted", "in_turn", "listed", "one_after_another"]

MOST_NAMES = 8  # the others are counted


def counted(number: int, noun: str) -> str:
    """A number with its noun in the right form.

    >>> counted(1, "row"), counted(3, "row")
    ('1 row', '3 rows')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def listed(names: Sequence[str]) -> str:
    """At most eight names, quoted.

    >>> listed(["a", "b"])
    "'a', 'b'"
    """
    shown = ", ".join(repr(name) for name in names[:MOST_NAMES])
    return shown if len(names) <= MOST_NAMES else note("{names} and {n} more", names=shown, n=len(names) - MOST_NAMES)


def all_of(texts: Iterable[str]) -> str:
    """Texts with "and" between all of them, as a note.

    >>> all_of(["'year'", "'month'", "'day'"])
    "'year' and 'month' and 'day'"
    """
    return reduce(lambda first, second: note("{first} and {second}", first=first, second=second), texts)


def one_after_another(sentences: Iterable[str]) -> str:
    """Sentences with spaces between them, as a note; "" of none.

    >>> one_after_another(["It rises.", "It falls."]), one_after_another([])
    ('It rises. It falls.', '')
    """
    return reduce(lambda said, more: note("{first} {second}", first=said, second=more) if said else more, sentences, "")


def in_turn(texts: Iterable[str]) -> str:
    """Clauses one after the other, with the semicolons of the language; those that are empty are left out.

    >>> in_turn(["it rises", "", "then it falls", "it ends lower"])
    'it rises; then it falls; it ends lower'
    """
    return say("; ").join(filter(None, texts))
