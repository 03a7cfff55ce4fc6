"""The nearest known word for a mistaken one: what to suggest to the user."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = ["did_you_mean"]


def did_you_mean(word: str, among: Iterable[str]) -> str:
    """A remedy for an unknown word: the nearest known one, otherwise the list of all.

    >>> did_you_mean("Linn", ["SE", "Lin"])
    "did you mean 'Lin'?"
    >>> did_you_mean("xyz", ["SE", "Lin"])
    "use one of 'SE', 'Lin'"
    """
    words = list(among)
    by_lower = {candidate.lower(): candidate for candidate in reversed(words)}
    if near := get_close_matches(word.lower(), by_lower, n=1):
        return f"did you mean {by_lower[near[0]]!r}?"
    return f"use one of {', '.join(map(repr, words))}"
