"""The kinds that facts come in."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Growth", "Manner", "Pace", "Phase", "SearchCut", "Taken"]


class Pace(StrEnum):
    """How quickly a smooth curve changes, against the span of the data (Lloyd et al. 2014)."""

    SLOW = "slow"
    USUAL = "usual"
    RAPID = "rapid"


class Phase(StrEnum):
    """What the places within a cycle of the calendar are called by."""

    MONTH = "month"
    QUARTER = "quarter"
    WEEKDAY = "weekday"
    HOUR = "hour"
    UNNAMED = ""


class Taken(StrEnum):
    """What a forecast takes for granted: a change that lasts, a slope that goes on or not, an event that is over."""

    LASTS = "lasts"
    GOES_ON = "goes-on"
    OTHER_PACE = "other-pace"
    PASSED = "passed"


class Growth(StrEnum):
    """How the size of a part changes along the axis; away: with the distance from a place."""

    GROWS = "grows"
    SHRINKS = "shrinks"
    AWAY = "away"
    POLYNOMIAL = "polynomial"


class Manner(StrEnum):
    """How the columns of an effect act."""

    ALONE = "alone"
    PAIR = "pair"  # the effect of one changes with another for sure
    SUM = "sum"  # all but a sum of effects of each
    OPEN = "open"  # whether more than a sum
    MORE = "more"  # more than a sum, without such a pair
    VAGUE = "vague"  # without a clear course along any of them


class SearchCut(StrEnum):
    """What ended a search before it was through."""

    NONE = ""
    BUDGET = "budget"
    INTERRUPTION = "interruption"
    DEPTH = "depth"
