"""What a forecast takes for granted, in words, and what would come if it were not so."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.describe.axis.lengths import rate
from autostatistician.describe.axis.places import stamp
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.kinds import Taken
from autostatistician.describe.facts.whole import ForecastCondition
from autostatistician.describe.words.amounts import gap, values
from autostatistician.describe.words.events import at
from autostatistician.wording.messages import say

__all__ = ["condition_clause", "conditions_text"]


def condition_clause(facts: Sequence[Fact], units: Units) -> str:
    """The first of them, as it stands after "if": "the fall in March 1979 lasts"; "" for none."""
    first = next((fact for fact in facts if isinstance(fact, ForecastCondition)), None)
    return "" if first is None else _clause(first, units)


def conditions_text(facts: Sequence[Fact], units: Units) -> str:
    """All of them, each with what would come otherwise; "" for none."""
    return " ".join(_otherwise(fact, units) for fact in facts if isinstance(fact, ForecastCondition))


def _clause(fact: ForecastCondition, units: Units) -> str:
    rises = fact.size > 0.0
    match fact.kind:
        case Taken.LASTS:
            when = at(fact.at, units)
            return say("the rise {when} lasts", when=when) if rises else say("the fall {when} lasts", when=when)
        case Taken.GOES_ON:
            return say("the recent rise goes on") if rises else say("the recent fall goes on")
        case Taken.PASSED:
            return say("nothing like {date} comes again", date=stamp(fact.at, units))


def _otherwise(fact: ForecastCondition, units: Units) -> str:
    other, end = values(fact.number, fact.end, units, 2)
    told = {"condition": _clause(fact, units), "other": other, "end": end, "when": at(fact.position, units)}
    match fact.kind:
        case Taken.LASTS:
            return say(
                "The forecast assumes that {condition}: were it undone, {other} instead of {end} would be expected "
                "{when}.",
                **told,
            )
        case Taken.GOES_ON:
            speed, per = rate(abs(fact.size), units)
            return say(
                "The forecast assumes that {condition} (about {slope}): were it to end now, {other} instead of {end} "
                "would be expected {when}.",
                slope=f"{gap(speed, units, 2)} {per}",
                **told,
            )
        case Taken.PASSED:
            return say(
                "The forecast assumes that {condition}: while it lasted, {other} instead of {end} would be expected "
                "{when}.",
                **told,
            )
