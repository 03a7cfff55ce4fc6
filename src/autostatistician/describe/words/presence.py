"""How probable a part is, in words."""

from __future__ import annotations

from autostatistician.describe.facts.judgement import MAJORITY
from autostatistician.describe.facts.part import Presence
from autostatistician.wording.numbers import percent

__all__ = ["presence_mark"]


def presence_mark(fact: Presence | None, *, cut: bool = False) -> str:
    """The probability beside the part in a list, after a space; "" where it is unknown.

    What most of the weight is against has no probability worth telling, and of a search that was ``cut`` it is known
    among the models that were tried alone.

    >>> [presence_mark(Presence(id="part-1/presence", number=number, unit="share", evidence="weights", models=4))
    ...  for number in (0.93, 0.248)]
    [' (P = 93%)', ' (open: most of the other models do without it)']
    """
    if fact is None:
        return ""
    if fact.number < MAJORITY:
        return " (open: most of the other models do without it)"
    return f" (P = {percent(fact.number)}{' among the models tried' if cut else ''})"
