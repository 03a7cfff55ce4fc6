"""Which way a curve goes, in clauses and adjectives: tables of whole messages, as sure and as probable."""

from __future__ import annotations

from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.part import Trend, TrendCourse
from autostatistician.describe.words.hedges import is_sure
from autostatistician.describe.words.runs import hides
from autostatistician.wording.messages import message, say, say_as

__all__ = ["course_clause", "heading_clause", "heads_somewhere", "way"]

OVERALL = 0.3  # share of its size that a part goes one way, from which that is its direction
# By the direction and whether it keeps it throughout.
_HEADING = {
    (1, True): (message("that rises throughout"), message("that probably rises throughout")),
    (-1, True): (message("that falls throughout"), message("that probably falls throughout")),
    (1, False): (message("that rises overall"), message("that probably rises overall")),
    (-1, False): (message("that falls overall"), message("that probably falls overall")),
}
# By the sign of the turn: of a top, and of a bottom.
_TURN = {
    -1: (message("that first rises and then falls"), message("that probably first rises and then falls")),
    1: (message("that first falls and then rises"), message("that probably first falls and then rises")),
}
# By the direction and whether it bends towards it.
_STEEPNESS = {
    (1, True): (message("that rises more and more steeply"), message("that probably rises more and more steeply")),
    (1, False): (message("that rises more and more slowly"), message("that probably rises more and more slowly")),
    (-1, True): (message("that falls more and more steeply"), message("that probably falls more and more steeply")),
    (-1, False): (message("that falls more and more slowly"), message("that probably falls more and more slowly")),
}
_RATE = {
    (1, True): (message("that rises at an increasing rate"), message("that probably rises at an increasing rate")),
    (1, False): (message("that rises at a decreasing rate"), message("that probably rises at a decreasing rate")),
    (-1, True): (message("that falls at an increasing rate"), message("that probably falls at an increasing rate")),
    (-1, False): (message("that falls at a decreasing rate"), message("that probably falls at a decreasing rate")),
}


def heads_somewhere(trend: Trend | None) -> bool:
    """Whether a part goes one way from end to end, with or without turns in between."""
    sure = trend is not None and trend.direction != 0 and (trend.steady or trend.share >= OVERALL)
    return sure and not hides(trend)


def way(trend: Trend | None) -> str:
    """The direction of a part as an adjective: "rising", "probably steadily falling"; "" where it has none."""
    if trend is None or not heads_somewhere(trend):
        return ""
    sure = is_sure(trend.probability)
    match trend.direction > 0, trend.steady:
        case True, True:
            return say_as("curve", "steadily rising") if sure else say_as("curve", "probably steadily rising")
        case False, True:
            return say_as("curve", "steadily falling") if sure else say_as("curve", "probably steadily falling")
        case True, _:
            return say_as("curve", "rising") if sure else say_as("curve", "probably rising")
        case _:
            return say_as("curve", "falling") if sure else say_as("curve", "probably falling")


def heading_clause(trend: Trend) -> str:
    """That a part rises or falls: "that probably rises overall"."""
    return say(_HEADING[trend.direction, trend.steady][not is_sure(trend.probability)])


def course_clause(bend: TrendCourse | None, units: Units) -> str:
    """How a trend runs: "that rises more and more steeply"; "" where that is not certain.

    A curve of the logarithm bends with the rate of growth: it may rise steeper and steeper at a falling rate.
    """
    if bend is None or not (bend.turn or bend.direction):
        return ""
    probable = not is_sure(bend.probability)
    if bend.turn:
        return say(_TURN[1 if bend.turn > 0 else -1][probable])
    if not bend.curvature:
        return say(_HEADING[bend.direction, True][probable])
    table = _RATE if units.is_log and not units.is_odds else _STEEPNESS
    return say(table[bend.direction, bend.curvature == bend.direction][probable])
