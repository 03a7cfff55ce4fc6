"""Forecasts that break with the recent course, in words."""

from __future__ import annotations

from autostatistician.describe.axis.lengths import length
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.whole import CourseBreak
from autostatistician.describe.words.amounts import size, values
from autostatistician.wording.messages import message, say

__all__ = ["break_text"]

_LEADS = {  # whether apart from a new level, and whether downwards
    (True, True): message("Apart from a new level, the forecast falls from {first} to {last} within {span}"),
    (True, False): message("Apart from a new level, the forecast rises from {first} to {last} within {span}"),
    (False, True): message("The forecast falls from {first} to {last} within {span}"),
    (False, False): message("The forecast rises from {first} to {last} within {span}"),
}


def break_text(facts: tuple[Fact, ...], units: Units) -> str:
    """That a forecast does what the data never did, in a sentence; "" where it does not."""
    fact = next((fact for fact in facts if isinstance(fact, CourseBreak)), None)
    if fact is None:
        return ""
    span, down = length(fact.span, units), fact.end < fact.start
    first, last = values(fact.start, fact.end, units, 2)
    lead = say(_LEADS[fact.apart, down], first=first, last=last, span=span)
    least = min(abs(fact.least), abs(fact.most))
    same = fact.least * fact.most > 0.0 and fact.change * fact.most >= 0.0  # always the same way
    if same and abs(fact.change) < least:
        did = {"lead": lead, "span": span, "size": size(least, units, 2)}
        return (
            say("{lead}, while over any stretch of {span} the data fell by at least {size}.", **did)
            if fact.most < 0.0
            else say("{lead}, while over any stretch of {span} the data rose by at least {size}.", **did)
        )
    largest = -fact.least if down else fact.most
    seen = say("they never fell") if down else say("they never rose")
    if largest > 0.0:
        seen = say("the largest was {size}", size=size(largest, units, 2))
    return (
        say("{lead}, but the data saw no such fall in any stretch of {span} ({seen}).", lead=lead, span=span, seen=seen)
        if down
        else say(
            "{lead}, but the data saw no such rise in any stretch of {span} ({seen}).", lead=lead, span=span, seen=seen
        )
    )
