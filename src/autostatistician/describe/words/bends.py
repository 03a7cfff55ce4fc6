"""Which way a curve goes, in clauses and adjectives: tables of whole messages, as sure and as probable."""

from __future__ import annotations

from autostatistician.describe.axis.lengths import rate
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.part import Trend, TrendCourse
from autostatistician.describe.words.amounts import slope, steepness, unit
from autostatistician.describe.words.ranges import is_sure
from autostatistician.describe.words.runs import hides, most_text, runs_text
from autostatistician.wording.messages import message, say, say_as
from autostatistician.wording.numbers import pair

__all__ = ["course_clause", "direction_text", "halves_text", "heading_clause", "heads_somewhere", "way"]


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

# By the direction and whether that is of a stretch of the data, as sure and as probable.
_ALL_ALONG = {
    (1, False): (
        message("Within the data it rises all the time, on average by {slope}."),
        message("Within the data it probably rises all the time, on average by {slope}."),
    ),
    (1, True): (
        message("Within its stretch it rises all the time, on average by {slope}."),
        message("Within its stretch it probably rises all the time, on average by {slope}."),
    ),
    (-1, False): (
        message("Within the data it falls all the time, on average by {slope}."),
        message("Within the data it probably falls all the time, on average by {slope}."),
    ),
    (-1, True): (
        message("Within its stretch it falls all the time, on average by {slope}."),
        message("Within its stretch it probably falls all the time, on average by {slope}."),
    ),
}

_END_TO_END = {
    (1, False): (
        message("From end to end of the data it rises, on average by {slope}."),
        message("From end to end of the data it probably rises, on average by {slope}."),
    ),
    (1, True): (
        message("From end to end of its stretch it rises, on average by {slope}."),
        message("From end to end of its stretch it probably rises, on average by {slope}."),
    ),
    (-1, False): (
        message("From end to end of the data it falls, on average by {slope}."),
        message("From end to end of the data it probably falls, on average by {slope}."),
    ),
    (-1, True): (
        message("From end to end of its stretch it falls, on average by {slope}."),
        message("From end to end of its stretch it probably falls, on average by {slope}."),
    ),
}

# By whether it rises in both halves of the data, and of a stretch of them.
_HALVES = {
    (True, True): (
        message("In the first half of the data it rises by {before} on average, in the second by {after}."),
        message("In the first half of its stretch it rises by {before} on average, in the second by {after}."),
    ),
    (False, False): (
        message("In the first half of the data it falls by {before} on average, in the second by {after}."),
        message("In the first half of its stretch it falls by {before} on average, in the second by {after}."),
    ),
    (True, False): (
        message("In the first half of the data it rises by {before} on average, in the second it falls by {after}."),
        message("In the first half of its stretch it rises by {before} on average, in the second it falls by {after}."),
    ),
    (False, True): (
        message("In the first half of the data it falls by {before} on average, in the second it rises by {after}."),
        message("In the first half of its stretch it falls by {before} on average, in the second it rises by {after}."),
    ),
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


# --- Where a part heads, in sentences: from end to end, all along, and in each half of the data ---------------------


def direction_text(trend: Trend | None, bend: TrendCourse | None, limited: bool, units: Units) -> str:
    """Where a part heads and how fast, at first and later; "" where it heads nowhere. ``limited`` to a stretch."""
    if trend is not None and len(trend.legs) > 1:
        overall = _from_end_to_end(trend, limited, units) if heads_somewhere(trend) else ""
        return " ".join(filter(None, [overall, runs_text(trend, units)]))
    if trend is None or not heads_somewhere(trend) or (bend and bend.turn):
        return halves_text(bend, limited, units) if bend and bend.turn else ""
    if not trend.steady:
        return " ".join(filter(None, [_from_end_to_end(trend, limited, units), most_text(trend, units)]))
    text = _ALL_ALONG[trend.direction, limited][not is_sure(trend.probability)]
    all_along = say(text, slope=slope(trend.number, None, units, trend.direction))
    halves = halves_text(bend, limited, units) if bend and bend.curvature else ""
    return " ".join(filter(None, [all_along, halves, most_text(trend, units)]))


def _from_end_to_end(trend: Trend, limited: bool, units: Units) -> str:
    text = _END_TO_END[trend.direction, limited][not is_sure(trend.probability)]
    return say(text, slope=slope(trend.number, None, units, trend.direction))


def halves_text(bend: TrendCourse | None, limited: bool, units: Units) -> str:
    """The slopes of a trend in its two halves, where their signs are certain."""
    if bend is None or not (bend.direction or bend.turn) or not is_sure(bend.probability):
        return ""
    per = rate(bend.early, units)[1]
    sizes = pair(steepness(bend.early, units), steepness(bend.late, units), 2)
    before, after = (unit(size, units) for size in sizes)
    text = _HALVES[bend.early > 0, bend.late > 0][limited]
    return say(text, before=f"{before} {per}", after=after)
