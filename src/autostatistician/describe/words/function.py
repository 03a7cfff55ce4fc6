"""What the function behind a series does, in words that hold whatever model it is told by: claims in a few words."""

from __future__ import annotations

from autostatistician.describe.axis.cycles import cycle
from autostatistician.describe.axis.places import from_place_to, stamp
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.function import (
    FunctionFact,
    Rise,
    RunOfCourse,
    ScatterStep,
    SeasonSwing,
    SuddenChange,
)
from autostatistician.describe.words.amounts import gap, size
from autostatistician.describe.words.course_runs import (
    hardly,
)
from autostatistician.describe.words.events import at, far_off_span, since_scatter
from autostatistician.wording.messages import say
from autostatistician.wording.numbers import article

__all__ = ["claim_text", "relied_text"]

ROUNDED = 1e-5  # of a level: less is no digit of it
UNSEEN = 0.01  # of the range of a rise: a smaller one is nothing


def relied_text(fact: FunctionFact, units: Units) -> str:
    """A claim as a noun phrase; "" of those that are none, and of the single runs of a course."""
    match fact:
        case Rise():
            higher = fact.number > 0.0
            return say("that it ended higher than it began") if higher else say("that it ended lower than it began")
        case SeasonSwing():
            words = cycle(fact.period, units)
            if words.adjective:
                return article(say("{adjective} pattern", adjective=words.adjective))
            return say("a pattern {often}", often=words.repeats)
        case SuddenChange() if fact.far_off is not None:
            return (
                say("the values far above the rest {span}", span=far_off_span(fact, units))
                if fact.number > 0.0
                else say("the values far below the rest {span}", span=far_off_span(fact, units))
            )
        case SuddenChange():
            return say("the sudden change {when}", when=at(fact.at, units))
        case ScatterStep():
            start = since_scatter(fact, units)
            larger = fact.number > 1.0
            return (
                say("the larger scatter {since}", since=start)
                if larger
                else say("the smaller scatter {since}", since=start)
            )
        case _:
            return ""


def claim_text(fact: FunctionFact, units: Units) -> str:
    """A claim in a few words for a table; "" of those that are no claims."""
    match fact:
        case Rise() if fact.number != 0.0:
            return _rise_claim(fact, units)
        case RunOfCourse() if fact.of > 1:
            span = from_place_to(stamp(fact.start, units), stamp(fact.stop, units))
            run = say("Rises {span}", span=span) if fact.number > 0.0 else say("Falls {span}", span=span)
            return f"{run}{hardly(fact.still, units)}"
        case SeasonSwing():
            return say("Repeats {often}", often=cycle(fact.period, units).repeats)
        case SuddenChange() if fact.far_off is not None:
            return (
                say("Lies far above the rest {span}", span=far_off_span(fact, units))
                if fact.number > 0.0
                else say("Lies far below the rest {span}", span=far_off_span(fact, units))
            )
        case SuddenChange():
            return _change_claim(fact, units)
        case ScatterStep():
            return say("Single values scatter differently {since}", since=since_scatter(fact, units))
        case _:
            return ""


def _change_claim(fact: SuddenChange, units: Units) -> str:
    """A sudden change with its size: its errors are not those of the levels before and after."""
    when = at(fact.at, units)
    if fact.interval is None or fact.interval[0] * fact.interval[1] <= 0.0 or units.is_odds:
        return say("Changes suddenly {when}", when=when)
    ends = sorted(fact.interval, key=abs)
    by, least, most = (size(change, units, 3) for change in (fact.number, *ends))
    return say(
        "Changes suddenly {when} (by {size}; 95% range: {least} to {most})", when=when, size=by, least=least, most=most
    )


def _rise_claim(rise: Rise, units: Units) -> str:
    """That it ended elsewhere, and by how much unless that is far below what is known of it."""
    ends = [*(rise.interval or ()), *(ROUNDED * level for level in (rise.first, rise.last))]
    if abs(rise.number) > UNSEEN * max(map(abs, ends), default=0.0):
        apart = gap(abs(rise.number), units)
        if rise.number > 0.0:
            return say("It lies higher at the end than at the start (by {size})", size=apart)
        return say("It lies lower at the end than at the start (by {size})", size=apart)
    if rise.number > 0.0:
        return say("It lies higher at the end than at the start")
    return say("It lies lower at the end than at the start")
