"""The season that the series of a panel have in common, in words."""

from __future__ import annotations

from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.covariates import CovariateEffect
from autostatistician.describe.words.amounts import by
from autostatistician.forms import COMMON_SEASON

__all__ = ["LOW_TO_HIGH", "common_season_clause", "common_season_name", "is_common_season"]

LOW_TO_HIGH = "from its lowest to its highest point"


def is_common_season(fact: CovariateEffect) -> bool:
    """Whether a column holds what other series have in common."""
    return fact.calendar == COMMON_SEASON


def common_season_name(fact: CovariateEffect) -> str:
    """Its name in a sentence: "the yearly cycle of the other series"."""
    return f"the {fact.column}"


def common_season_clause(fact: CovariateEffect, units: Units) -> str:
    """How far a series follows it: "'sales' follows the yearly cycle of the other series, which adds 12 ..."."""
    whole = (fact.high - fact.low) / fact.step if fact.step > 0.0 else 1.0
    low, high = fact.interval or (fact.number, fact.number)
    number, interval = whole * fact.number, (whole * low, whole * high)
    size = by(number, interval, units).removeprefix("by ")
    way, moved = ("follows", f"adds {size}") if number > 0.0 else ("runs against", f"takes off {size}")
    return f"{units.it} {way} {common_season_name(fact)}, which {moved} {LOW_TO_HIGH}"
