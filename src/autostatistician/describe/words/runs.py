"""How a curve without a formula ran: its turning points with their dates, and when it moved most."""

from __future__ import annotations

from autostatistician.describe.axis.places import (
    around_place,
    between_places,
    from_around_until,
    place,
    until_around,
)
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.part import Trend, Way
from autostatistician.describe.words.amounts import moved, size
from autostatistician.forms import Leg
from autostatistician.wording.messages import say, say_as
from autostatistician.wording.numbers import count, joined

__all__ = ["hides", "most_text", "runs_clause", "runs_text"]

LEAST_AGAINST = 0.25  # of the size of a curve: what goes against its direction by more must not be hidden by it
MOST_IN_A_CLAUSE, MOST_IN_A_SENTENCE = 3, 4  # legs that are told one by one, in a list and in a sentence
MOST_TURNS = 12  # with more a curve has no single course to tell in a list
STEEP_SHARE = 0.4  # of the length of a leg: where most of it lies within less, that is told


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
        *until, last = legs
        steps = [_step(leg, units) for leg in until]
        then = say_as("that", "then rises") if last.rises else say_as("that", "then falls")
        return say("that {steps}", steps=joined([*steps, then]))
    return say("that is {extremes}", extremes=_extremes(trend, units))


def _step(leg: Leg, units: Units) -> str:
    until = until_around(place(leg.stop, units))
    return say_as("that", "rises {until}", until=until) if leg.rises else say_as("that", "falls {until}", until=until)


def runs_text(trend: Trend, units: Units) -> str:
    """The rises and falls with their dates and sizes, and when the largest went fastest; "" for a curve of one way."""
    legs = trend.legs
    if len(legs) < 2:
        return ""
    if len(legs) <= MOST_IN_A_SENTENCE:
        steps = [*(_step_by(leg, units) for leg in legs[:-1]), _last_step(legs[-1], units)]
        return " ".join(filter(None, [say("It {steps}.", steps=joined(steps)), most_text(trend, units)]))
    ends = {legs[0].start, *(leg.stop for leg in legs)}
    values = {
        "number": count(len(legs) - 1), "extremes": _extremes(trend, units), "largest": joined(_largest(trend, units)),
    }  # fmt: skip
    if {trend.highest_at, trend.lowest_at} <= ends:
        return say("It turns {number} times and is {extremes}; {largest}.", **values)
    return say("It turns at least {number} times and is {extremes}; {largest}.", **values)


def _last_step(leg: Leg, units: Units) -> str:
    by = moved(leg.first, leg.change, units, 3)
    return say("then rises by {size}", size=by) if leg.rises else say("then falls by {size}", size=by)


def _step_by(leg: Leg, units: Units) -> str:
    """A rise or fall with its size, and until when."""
    by, until = moved(leg.first, leg.change, units, 3), until_around(place(leg.stop, units))
    if leg.rises:
        return say("rises by {size} {until}", size=by, until=until)
    return say("falls by {size} {until}", size=by, until=until)


def _largest(trend: Trend, units: Units) -> list[str]:
    texts: list[str] = []
    if trend.rise:
        size, when = moved(trend.rise.first, trend.rise.change, units, 3), _between(trend.rise, units)
        texts.append(say("its largest rise, by {size}, is {when}", size=size, when=when))
    if trend.fall:
        size, when = moved(trend.fall.first, trend.fall.change, units, 3), _between(trend.fall, units)
        texts.append(say("its largest fall, by {size}, is {when}", size=size, when=when))
    return texts


def _between(way: Way, units: Units) -> str:
    """When a rise or fall begins and ends; one place where both have the same name."""
    first, last = place(way.start, units), place(way.stop, units)
    return around_place(first) if first == last else from_around_until(first, last)


def most_text(trend: Trend, units: Units) -> str:
    """When a curve moved most, where its largest rise or fall went much faster than elsewhere; else ""."""
    if not trend.legs:
        return ""
    leg = max(trend.legs, key=lambda leg: abs(leg.change))
    start, stop = leg.most
    first, last = place(start, units), place(stop, units)
    if stop - start > STEEP_SHARE * (leg.stop - leg.start) or first == last:
        return ""
    when, by = between_places(first, last), size(leg.moved, units, 3)
    if leg.rises:
        return say("It moves most {between}: there it rises by {size}.", between=when, size=by)
    return say("It moves most {between}: there it falls by {size}.", between=when, size=by)


def _extremes(trend: Trend, units: Units) -> str:
    high, low = (around_place(place(at, units)) for at in (trend.highest_at, trend.lowest_at))
    return say("highest {top} and lowest {bottom}", top=high, bottom=low)
