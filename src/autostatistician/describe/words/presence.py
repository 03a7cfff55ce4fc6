"""That most models do without a part, in words; how probable a part is stands in a table."""

from __future__ import annotations

from autostatistician.describe.facts.judgement import MAJORITY
from autostatistician.describe.facts.part import Presence
from autostatistician.wording.messages import say, say_as
from autostatistician.wording.numbers import percent

__all__ = ["presence_mark", "presence_share"]


def presence_mark(fact: Presence | None) -> str:
    """What stands beside a part in a list, after a space, where most of the weight is against it; else "".

    >>> [presence_mark(Presence(id="part-1/presence", number=number, unit="share", evidence="weights", models=4))
    ...  for number in (0.93, 0.248)]
    ['', ' (open: most of the other models do without it)']
    """
    if fact is None or fact.number >= MAJORITY:
        return ""
    return " " + say("(open: most of the other models do without it)")


def presence_share(fact: Presence | None) -> str:
    """The probability of a part for a table; what most of the weight is against has none worth telling.

    >>> [presence_share(Presence(id="part-1/presence", number=number, unit="share", evidence="weights", models=4))
    ...  for number in (0.93, 0.248)]
    ['93%', 'open']
    >>> presence_share(None)
    '–'
    """
    if fact is None:
        return "–"
    return percent(fact.number) if fact.number >= MAJORITY else say_as("part", "open")
