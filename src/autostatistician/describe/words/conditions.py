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

__all__ = ["condition_clause", "conditions_text"]


def condition_clause(facts: Sequence[Fact], units: Units) -> str:
    """The first of them, as it stands after "if": "the fall in March 1979 lasts"; "" for none."""
    first = next((fact for fact in facts if isinstance(fact, ForecastCondition)), None)
    return "" if first is None else _clause(first, units)


def conditions_text(facts: Sequence[Fact], units: Units) -> str:
    """All of them, each with what would come otherwise; "" for none."""
    return " ".join(_otherwise(fact, units) for fact in facts if isinstance(fact, ForecastCondition))


def _clause(fact: ForecastCondition, units: Units) -> str:
    match fact.kind:
        case Taken.LASTS:
            return f"the {_noun(fact)} {at(fact.at, units)} lasts"
        case Taken.GOES_ON:
            return f"the recent {_noun(fact)} goes on"
        case Taken.PASSED:
            return f"nothing like {stamp(fact.at, units)} comes again"


def _otherwise(fact: ForecastCondition, units: Units) -> str:
    other, end = values(fact.number, fact.end, units, 2)
    instead = f"{other} instead of {end} would be expected {at(fact.position, units)}"
    match fact.kind:
        case Taken.LASTS:
            return f"The forecast assumes that {_clause(fact, units)}: were it undone, {instead}."
        case Taken.GOES_ON:
            speed, per = rate(abs(fact.size), units)
            slope = f"about {gap(speed, units, 2)} {per}"
            return f"The forecast assumes that {_clause(fact, units)} ({slope}): were it to end now, {instead}."
        case Taken.PASSED:
            return f"The forecast assumes that {_clause(fact, units)}: while it lasted, {instead}."


def _noun(fact: ForecastCondition) -> str:
    return "rise" if fact.size > 0.0 else "fall"
