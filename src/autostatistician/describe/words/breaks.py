"""Forecasts that break with the recent course, in words."""

from __future__ import annotations

from autostatistician.describe.axis.lengths import length
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.whole import CourseBreak
from autostatistician.describe.words.amounts import size, values

__all__ = ["break_text"]


def break_text(facts: tuple[Fact, ...], units: Units) -> str:
    """That a forecast does what the data never did, in a sentence; "" where it does not."""
    fact = next((fact for fact in facts if isinstance(fact, CourseBreak)), None)
    if fact is None:
        return ""
    span, down = length(fact.span, units), fact.end < fact.start
    first, last = values(fact.start, fact.end, units, 2)
    verb, noun = ("falls", "fall") if down else ("rises", "rise")
    apart = "Apart from a new level, the" if fact.apart else "The"
    lead = f"{apart} forecast {verb} from {first} to {last} within {span}"
    least = min(abs(fact.least), abs(fact.most))
    same = fact.least * fact.most > 0.0 and fact.change * fact.most >= 0.0  # always the same way
    if same and abs(fact.change) < least:
        did = "fell" if fact.most < 0.0 else "rose"
        return f"{lead}, while over any stretch of {span} the data {did} by at least {size(least, units, 2)}."
    largest = -fact.least if down else fact.most
    seen = f"the largest was {size(largest, units, 2)}" if largest > 0.0 else f"they never {'fell' if down else 'rose'}"
    return f"{lead}, but the data saw no such {noun} in any stretch of {span} ({seen})."
