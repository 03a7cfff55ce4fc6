"""The season that the series of a panel have in common, in words."""

from __future__ import annotations

from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.covariates import CovariateEffect
from autostatistician.describe.words.amounts import difference
from autostatistician.forms import COMMON_SEASON
from autostatistician.wording.messages import message, say

__all__ = ["LOW_TO_HIGH", "common_season_clause", "common_season_name", "is_common_season"]

LOW_TO_HIGH = message("from its lowest to its highest point")
_NAMES = {  # by what the columns are called
    "yearly cycle of the other series": message("the yearly cycle of the other series"),
    "weekly cycle of the other series": message("the weekly cycle of the other series"),
    "daily cycle of the other series": message("the daily cycle of the other series"),
}


def is_common_season(fact: CovariateEffect) -> bool:
    """Whether a column holds what other series have in common."""
    return fact.calendar == COMMON_SEASON


def common_season_name(fact: CovariateEffect) -> str:
    """Its name in a sentence: "the yearly cycle of the other series"."""
    return say(_NAMES[fact.column])


def common_season_clause(fact: CovariateEffect, units: Units) -> str:
    """How far a series follows it: "'sales' follows the yearly cycle of the other series, which adds 12 ..."."""
    whole = (fact.high - fact.low) / fact.step if fact.step > 0.0 else 1.0
    low, high = fact.interval or (fact.number, fact.number)
    number, interval = whole * fact.number, (whole * low, whole * high)
    told = {"it": units.it, "name": common_season_name(fact), "size": difference(number, interval, units)}
    return (
        say("{it} follows {name}, which adds {size} from its lowest to its highest point", **told)
        if number > 0.0
        else say("{it} runs against {name}, which takes off {size} from its lowest to its highest point", **told)
    )
