"""Forecasts that break with the recent course, in words."""

from __future__ import annotations

from autostatistician.describe.axis import Units, length
from autostatistician.describe.facts.part import Fact
from autostatistician.describe.facts.whole import CourseBreak
from autostatistician.describe.words.amounts import per_cent
from autostatistician.wording.numbers import amount, pair

__all__ = ["break_text"]


def break_text(facts: tuple[Fact, ...], units: Units) -> str:
    """That a forecast does what the data never did, in a sentence; "" where it does not."""
    fact = next((one for one in facts if isinstance(one, CourseBreak)), None)
    if fact is None:
        return ""
    span, down = length(fact.span, units), fact.end < fact.start
    first, last = pair(fact.start, fact.end, 2)
    verb, noun = ("falls", "fall") if down else ("rises", "rise")
    own = f"The forecast {verb} from {first} to {last} within {span}"
    least = min(abs(fact.least), abs(fact.most))
    same = fact.least * fact.most > 0.0 and fact.change * fact.most >= 0.0  # always the same way
    if same and abs(fact.change) < least:
        did = "fell" if fact.most < 0.0 else "rose"
        return f"{own}, while over any stretch of {span} the data {did} by at least {_by(least, units)}."
    largest = -fact.least if down else fact.most
    seen = f"the largest was {_by(largest, units)}" if largest > 0.0 else f"they never {'fell' if down else 'rose'}"
    return f"{own}, but the data saw no such {noun} in any stretch of {span} ({seen})."


def _by(change: float, units: Units) -> str:
    return amount(change, 2) if units.level is None else f"{amount(per_cent(change), 2)}%"
