"""The order in which levels stand where their words or numbers show one: low, medium, high; 0-9, 10-19, 20+."""

from __future__ import annotations

import re
from collections.abc import Collection

__all__ = ["in_their_order"]

# From the least to the most; levels must all be of one line.
_WORDS = """
very low|low|medium low|medium|moderate|middle|medium high|high|very high
none|very mild|mild|moderate|severe|very severe
never|rarely|seldom|occasionally|sometimes|often|usually|always
very poor|very bad|poor|bad|fair|average|good|very good|excellent
xxs|xs|s|m|l|xl|xxl|xxxl
tiny|small|medium|large|very large
child|teenager|young|adult|middle-aged|senior|old
sehr niedrig|niedrig|gering|mittel|hoch|sehr hoch
nie|selten|manchmal|oft|häufig|immer
klein|mittel|groß
bajo|medio|alto|muy alto
nunca|raramente|a veces|a menudo|siempre
faible|moyen|moyenne|élevé|élevée
jamais|rarement|parfois|souvent|toujours
"""
SCALES = tuple(line.split("|") for line in _WORDS.split("\n"))
# Of answers that agree more or less with one thing: what makes them strong or weak, denies them, or leaves them open.
_STRONG = frozenset(("very", "strongly", "fully", "sehr", "voll", "völlig", "gar", "très", "tout", "muy", "totalmente"))
_WEAK = frozenset(("somewhat", "slightly", "rather", "eher", "etwas", "plutôt", "algo"))
_DENIALS = frozenset(("not", "nicht", "pas", "non", "no"))
_OPEN_ANSWERS = frozenset(("neutral", "neither", "teils", "weder", "ni"))
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
    for level, words in split.items():
        bare = frozenset(plain if (plain := _DENIED.sub("", word)) in known else word for word in words)
        size = 3.0 if words & _STRONG else 1.0 if words & _WEAK else 2.0
        degrees[level] = 0.0 if words & _OPEN_ANSWERS else -size if bare != words or words & _DENIALS else size
        things += [bare - _STRONG - _WEAK - _DENIALS] if degrees[level] else []
    one = len(things) > 1 and frozenset.intersection(*things)
    return degrees if one and len(set(degrees.values())) == len(levels) else {}


def _place(band: re.Match[str]) -> tuple[float, int]:
    """The number at which a band begins, and whether it ends (-1) or goes on (1) there."""
    number = float(_THOUSANDS.sub("", band["number"]).replace(",", "."))
    return number, bool(band["more"] or _OPEN.match(band["rest"])) - bool(band["less"])
