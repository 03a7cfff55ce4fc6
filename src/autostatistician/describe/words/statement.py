"""Facts to a statement: what a component is and how big, in one sentence that can stand in a list."""

from __future__ import annotations

from autostatistician.describe.axis.cycles import phase_text
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.judgement import MAJORITY
from autostatistician.describe.facts.part import (
    ActiveInterval,
    Amplitude,
    AmplitudeChange,
    ConstantLevel,
    CyclePhase,
    LinearTrend,
    NoiseLevel,
    Presence,
)
from autostatistician.describe.words.amounts import added, levels, slope, within, within_rates
from autostatistician.describe.words.extents import directed, range_text
from autostatistician.describe.words.nouns import find, head_of, without_stop
from autostatistician.describe.words.ranges import is_sure
from autostatistician.forms import BAND_SDS
from autostatistician.wording.messages import message, say, say_as
from autostatistician.wording.numbers import amount, joined, percent

__all__ = ["presence_mark", "presence_share", "statement"]


# Of noise whose size changes, by whether it applies to all of the data.
_ENDS = {
    True: message("95% of it lies {first} in the first third of the data and {last} in the last"),
    False: message("95% of it lies {first} in the first third of its stretch and {last} in the last"),
}

_ENDS_WITHIN = {
    True: message("95% of it lies within ±{first} in the first third of the data and ±{last} in the last"),
    False: message("95% of it lies within ±{first} in the first third of its stretch and ±{last} in the last"),
}


def statement(facts: tuple[Fact, ...], units: Units) -> str:
    """The summary of a component with its size: "A yearly cycle that repeats exactly; it adds between −9 and 12."."""
    active = find(facts, ActiveInterval)
    size = "" if active is not None and not active.shown else _size(facts, units)
    part = without_stop(facts, units)
    return say("{part}; {size}.", part=part, size=size) if size else f"{part}."


def _size(facts: tuple[Fact, ...], units: Units) -> str:
    head = head_of(facts)
    match head:
        case NoiseLevel():
            return _noise(head, facts, units)
        case ConstantLevel(levels=stretches) if stretches:
            return ""
        case ConstantLevel():
            span = head.interval and range_text(head, units)
            return say("its 95% range is {range}", range=span) if span else ""
        case LinearTrend():
            return _line(head, find(facts, Amplitude), units)
    size = find(facts, Amplitude)
    if size is None:
        return ""
    return _ends(size, units) if directed(head, facts) else _between(size, find(facts, CyclePhase), units)


def _ends(size: Amplitude, units: Units) -> str:
    """From where to where a part goes that has a direction."""
    first, last = levels(size.first, size.last, units, 2)
    by_itself = units.is_log and not size.is_level
    if first == last:
        if by_itself:
            return say("by itself it begins and ends near {level}", level=first)
        return say("it begins and ends near {level}", level=first)
    if by_itself:
        return say("by itself it goes from {first} to {last}", first=first, last=last)
    return say("it goes from {first} to {last}", first=first, last=last)


def _between(size: Amplitude, phase: CyclePhase | None, units: Units) -> str:
    if size.is_level:
        low, high = levels(size.low, size.high, units, 2)
        return say("it lies between {low} and {high}", low=low, high=high)
    low, high = added(size.low, size.high, units)
    if units.is_odds:
        text = say("with all else as usual it moves the share between {low} and {high}", low=low, high=high)
    else:
        text = say("it adds between {low} and {high}", low=low, high=high)
    when = _when(phase)
    return f"{text}, {when}" if when else text


def _line(head: LinearTrend, size: Amplitude | None, units: Units) -> str:
    """From where to where a line goes that is the level, too, and how steep it is."""
    level = size if size is not None and size.is_level else None
    if head.direction and is_sure(head.probability):
        by = slope(head.number, None, units, head.direction)
        if units.is_odds:  # of the typical share
            by = say("about {size}", size=by)
        return _way(head.direction > 0, level, by, units)
    steep = slope(head.number, head.interval, units)
    if level is None:
        return say("its slope is {slope}", slope=steep)
    middle = 0.5 * (level.first + level.last)
    at = levels(middle, middle + units.spread, units, 2)[0]
    return say("it lies at about {level}, and its slope is {slope}", level=at, slope=steep)


def _way(rises: bool, level: Amplitude | None, by: str, units: Units) -> str:
    if level is None:
        return say("it rises by {size}", size=by) if rises else say("it falls by {size}", size=by)
    first, last = levels(level.first, level.last, units, 2)
    if rises:
        return say("it rises from {first} to {last}, by {size}", first=first, last=last, size=by)
    return say("it falls from {first} to {last}, by {size}", first=first, last=last, size=by)


def _when(phase: CyclePhase | None) -> str:
    if phase is None or not phase.kind:
        return ""
    most, least = (phase_text(phase.kind, at) if at else "" for at in (phase.high, phase.low))
    texts = [say("most {when}", when=most) if most else "", say("least {when}", when=least) if least else ""]
    return joined([text for text in texts if text])


def _noise(head: NoiseLevel, facts: tuple[Fact, ...], units: Units) -> str:
    if not head.visible:
        return ""
    if units.counts:
        lies = within(BAND_SDS * head.number, units) if head.rates is None else within_rates(head.rates)
        return say("95% of it lies {within}", within=lies)
    if find(facts, AmplitudeChange) is None:
        nearly_all = BAND_SDS * head.number if head.held is None else head.held[1]
        return say("95% of it lies {within}", within=within(nearly_all, units))
    whole = find(facts, ActiveInterval) is None
    if units.is_log:
        first, last = (within(BAND_SDS * sd, units) for sd in (head.first, head.last))
        return say(_ENDS[whole], first=first, last=last)
    first, last = (amount(BAND_SDS * sd, 2) for sd in (head.first, head.last))
    return say(_ENDS_WITHIN[whole], first=first, last=last)


# --- That most models do without a part, in words; how probable a part is stands in a table -------------------------


def presence_mark(fact: Presence | None) -> str:
    """What stands beside a part in a list, after a space, where most of the weight is against it; else "".

    >>> [presence_mark(Presence(id="part-1/presence", number=number, unit="share", evidence="weights", models=4))
    ...  for number in (0.93, 0.248)]
    ['', ' (open: most of the other models do without it)']
    """
    if fact is None or fact.number >= MAJORITY:
        return ""
    return " " + say("(open: most of the other models do without it)")


def presence_share(fact: Presence | None) -> str:
    """The probability of a part for a table; what most of the weight is against has none worth telling.

    >>> [presence_share(Presence(id="part-1/presence", number=number, unit="share", evidence="weights", models=4))
    ...  for number in (0.93, 0.248)]
    ['93%', 'open']
    >>> presence_share(None)
    '–'
    """
    if fact is None:
        return "–"
    return percent(fact.number) if fact.number >= MAJORITY else say_as("part", "open")
