"""Where a part heads, in sentences: from end to end, all along, and in each half of the data."""

from __future__ import annotations

from autostatistician.describe.axis.lengths import rate
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.part import Trend, TrendCourse
from autostatistician.describe.words.amounts import slope, steepness, unit
from autostatistician.describe.words.bends import heads_somewhere
from autostatistician.describe.words.hedges import is_sure
from autostatistician.describe.words.runs import most_text, runs_text
from autostatistician.wording.messages import message, say
from autostatistician.wording.numbers import pair

__all__ = ["direction_text", "halves_text"]

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
