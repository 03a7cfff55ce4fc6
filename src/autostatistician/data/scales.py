"""The order in which levels stand where their words or numbers show one: low, medium, high; 0-9, 10-19, 20+."""

from __future__ import annotations

import re
from collections.abc import Collection

from autostatistician.data.words import lists, words

__all__ = ["in_their_order"]

# From the least to the most; levels must all be of one line.
SCALES = lists("scales")
# Of answers that agree more or less with one thing.
_STRONG, _WEAK = words("answers", "strong"), words("answers", "weak")
_DENIALS, _OPEN_ANSWERS = words("answers", "denials"), words("answers", "open")
_DENIED = re.compile(r"^(?:dis|des|un|in)(?=\w{4})")
_LESS = r"<=?|\N{LESS-THAN OR EQUAL TO}|under|below|less than|up to|unter|bis|moins de|menos de|menor de"
_MORE = r">=?|\N{GREATER-THAN OR EQUAL TO}|over|above|more than|über|ab|plus de|más de|mais de"
_BAND = re.compile(
    rf"(?:(?P<less>{_LESS})|(?P<more>{_MORE})|(?P<word>\D*?))\W*?(?P<number>\d+(?:[.,]\d+)?)(?P<rest>(?![.,]?\d).*)"
)
_THOUSANDS = re.compile(r"[.,](?=\d{3}\b)")
_OPEN = re.compile(r"\s*(?:\+|and |or |und |et |y |o |ou )")


def in_their_order(levels: Collection[str]) -> tuple[str, ...]:
    """Levels by a scale of words that has all of them, else by the numbers that all begin with, else sorted.

    >>> in_their_order(["high", "low", "medium"]), in_their_order(["65+", "9-17", "<9", "18-64"])
    (('low', 'medium', 'high'), ('<9', '9-17', '18-64', '65+'))
    """
    plain = {level: level.strip().lower() for level in levels}
    for scale in SCALES if len(levels) <= max(map(len, SCALES)) else ():
        if all(text in scale for text in plain.values()):
            return tuple(sorted(levels, key=lambda level: scale.index(plain[level])))
    if degrees := _degrees(levels):
        return tuple(sorted(levels, key=degrees.__getitem__))
    bands = {level: band for level, text in plain.items() if (band := _BAND.fullmatch(text))}
    if len(bands) < len(levels) or len({band["word"] for band in bands.values() if band["word"] is not None}) > 1:
        return tuple(sorted(levels))
    return tuple(sorted(levels, key=lambda level: (*_place(bands[level]), level)))


def _degrees(levels: Collection[str]) -> dict[str, float]:
    """How far levels are answers for one thing, or against it (below zero); none where two are alike, or not all are.

    >>> _degrees(["Agree", "Strongly disagree", "Neither"]), _degrees(["low cost", "high cost"])
    ({'Agree': 2.0, 'Strongly disagree': -3.0, 'Neither': 0.0}, {})
    """
    split = {level: frozenset(re.findall(r"[^\W\d_]+", level.lower())) for level in levels}
    known, degrees, things = frozenset().union(*split.values()), dict[str, float](), list[frozenset[str]]()
    for level, given in split.items():
        bare = frozenset(plain if (plain := _DENIED.sub("", word)) in known else word for word in given)
        size = 3.0 if given & _STRONG else 1.0 if given & _WEAK else 2.0
        degrees[level] = 0.0 if given & _OPEN_ANSWERS else -size if bare != given or given & _DENIALS else size
        things += [bare - _STRONG - _WEAK - _DENIALS] if degrees[level] else []
    one = len(things) > 1 and frozenset.intersection(*things)
    return degrees if one and len(set(degrees.values())) == len(levels) else {}


def _place(band: re.Match[str]) -> tuple[float, int]:
    """The number at which a band begins, and whether it ends (-1) or goes on (1) there."""
    number = float(_THOUSANDS.sub("", band["number"]).replace(",", "."))
    return number, bool(band["more"] or _OPEN.match(band["rest"])) - bool(band["less"])
