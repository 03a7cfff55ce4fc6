"""How a curve without a formula ran: its turning points with their dates, and when it moved most."""

from __future__ import annotations

from autostatistician.describe.axis.places import place
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.part import Trend, Way
from autostatistician.describe.words.amounts import moved, size
from autostatistician.forms import Leg
from autostatistician.wording.numbers import count, joined

__all__ = ["hides", "most_text", "runs_clause", "runs_text"]

LEAST_AGAINST = 0.25  # of the size of a curve: what goes against its direction by more must not be hidden by it
MOST_IN_A_CLAUSE, MOST_IN_A_SENTENCE = 3, 4  # legs that are told one by one, in a list and in a sentence
MOST_TURNS = 12  # with more a curve has no single course to tell in a list
STEEP_SHARE = 0.4  # of the length of a leg: where most of it lies within less, that is told
_VERBS = {True: "rises", False: "falls"}


def hides(trend: Trend | None) -> bool:
    """Whether the direction of a curve from end to end would hide that it turned.

    That is: it last went the other way, or went it by a quarter of its size somewhere.
    """
    if trend is None or len(trend.legs) < 2:
        return False
    ends = [value for leg in trend.legs for value in (leg.first, leg.last)]
    up = trend.number > 0
    against = [abs(leg.change) for leg in trend.legs if leg.rises is not up]
    return trend.legs[-1].rises is not up or max(against, default=0.0) > LEAST_AGAINST * (max(ends) - min(ends))


def runs_clause(trend: Trend, units: Units) -> str:
    """The turning points as a clause: "that rises until around 1981 and then falls"."""
    legs = trend.legs
    if len(legs) > MOST_TURNS:
        return ""
    if len(legs) <= MOST_IN_A_CLAUSE:
        return f"that {_one_by_one(legs, units, amounts=False)}"
    return f"that is {_extremes(trend, units)}"


def runs_text(trend: Trend, units: Units) -> str:
    """The rises and falls with their dates and sizes, and when the largest went fastest; "" for a curve of one way."""
    legs = trend.legs
    if len(legs) < 2:
        return ""
    if len(legs) <= MOST_IN_A_SENTENCE:
        return " ".join(filter(None, [f"It {_one_by_one(legs, units, amounts=True)}.", most_text(trend, units)]))
    ways = [("rise", trend.rise), ("fall", trend.fall)]
    largest = [
        f"its largest {noun}, by {moved(way.first, way.change, units, 3)}, is {_between(way, units)}"
        for noun, way in ways
        if way
    ]
    ends = {legs[0].start, *(leg.stop for leg in legs)}
    least = "" if {trend.highest_at, trend.lowest_at} <= ends else "at least "
    return f"It turns {least}{count(len(legs) - 1)} times and is {_extremes(trend, units)}; {joined(largest)}."


def _between(way: Way, units: Units) -> str:
    """When a rise or fall begins and ends; one place where both have the same name."""
    first, last = place(way.start, units), place(way.stop, units)
    return f"around {first}" if first == last else f"from around {first} until around {last}"


def most_text(trend: Trend, units: Units) -> str:
    """When a curve moved most, where its largest rise or fall went much faster than elsewhere; else ""."""
    if not trend.legs:
        return ""
    leg = max(trend.legs, key=lambda leg: abs(leg.change))
    start, stop = leg.most
    first, last = place(start, units), place(stop, units)
    if stop - start > STEEP_SHARE * (leg.stop - leg.start) or first == last:
        return ""
    return f"It moves most between {first} and {last}: there it {_VERBS[leg.rises]} by {size(leg.moved, units, 3)}."


def _one_by_one(legs: tuple[Leg, ...], units: Units, *, amounts: bool) -> str:
    by = [f" by {moved(leg.first, leg.change, units, 3)}" if amounts else "" for leg in legs]
    steps = [
        f"{_VERBS[leg.rises]}{far} until around {place(leg.stop, units)}"
        for leg, far in zip(legs[:-1], by, strict=False)
    ]
    return joined([*steps, f"then {_VERBS[legs[-1].rises]}{by[-1]}"])


def _extremes(trend: Trend, units: Units) -> str:
    return f"highest around {place(trend.highest_at, units)} and lowest around {place(trend.lowest_at, units)}"
