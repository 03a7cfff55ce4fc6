"""Facts to words: what a part of a model is, in a noun phrase and in one sentence with its size.

The head noun comes from the first fact of a part, the clauses after it from the others (Lloyd et al. 2014, section 4).
The wording is for readers who know their data and no statistics; of directions only the sure ones are said.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf, isfinite
from typing import TypeVar

from autostatistician.describe.axis.cycles import cycle
from autostatistician.describe.axis.lengths import about, length, rough_length
from autostatistician.describe.axis.places import (
    around_place,
    from_place,
    from_place_until,
    place,
    rows_around,
    until_place,
)
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.judgement import OFTEN
from autostatistician.describe.facts.kinds import Growth, Pace
from autostatistician.describe.facts.part import (
    ActiveInterval,
    Amplitude,
    AmplitudeChange,
    CombinedCycles,
    ConstantLevel,
    DampedTrend,
    Head,
    LinearTrend,
    NoiseLevel,
    Periodicity,
    PolynomialTrend,
    SmoothVariation,
    Trend,
    Wandering,
)
from autostatistician.describe.words.amounts import added, levels, slope, within, within_rates
from autostatistician.describe.words.ranges import is_sure, places_text
from autostatistician.forms import BAND_SDS
from autostatistician.i18n.messages import sentence
from autostatistician.i18n.numbers import amount, article, capital, joined

__all__ = [
    "cycle_nouns", "doubtful", "every", "find", "gist", "head_of", "is_directed", "levelling",
    "line_way", "part_name", "range_text", "seen_text", "size_clause", "statement", "summary",
    "unseen",
]  # fmt: skip

Span = tuple[float, float]
Kind = TypeVar("Kind")

MOST_PLACES = 2  # that are named where a size has several minima

_WAYS = {1: "up", -1: "down", 0: "open"}


def find(facts: Iterable[Fact], kind: type[Kind]) -> Kind | None:
    """The first fact of a kind."""
    return next((fact for fact in facts if isinstance(fact, kind)), None)


def head_of(facts: tuple[Fact, ...]) -> Head:
    """The fact that says what the part is: always the first."""
    head = facts[0]
    assert isinstance(head, Head)
    return head


def summary(facts: tuple[Fact, ...], units: Units) -> str:
    """What a part is, in one sentence: "A yearly cycle whose size grows steadily."."""
    return f"{_without_stop(facts, units)}."


def statement(facts: tuple[Fact, ...], units: Units) -> str:
    """The same with its size: "A yearly cycle; it adds between −9 and 12."."""
    part, size = _without_stop(facts, units), size_clause(facts, units)
    return sentence("part.statement", sized=bool(size), part=part, size=size)


def _without_stop(facts: tuple[Fact, ...], units: Units) -> str:
    head = head_of(facts)
    course = _direction_clause(head, facts, units)
    clauses = [clause for clause in (_own_clause(head, units), course, _size_grows(facts, units)) if clause]
    part, active = capital(_with_clauses(_noun(head, units), clauses, head)), find(facts, ActiveInterval)
    where = interval_phrase(active.shown, units) if active is not None else ""
    return sentence("part.applies", part=part, where=where) if where else part


def _with_clauses(noun: str, clauses: list[str], head: Head) -> str:
    """A noun with its clauses; those of a product are about the whole of it, not about its last factor."""
    if not clauses:
        return noun
    return sentence("part.clauses", product=isinstance(head, CombinedCycles), noun=noun, clauses=joined(clauses))


def gist(facts: tuple[Fact, ...], units: Units) -> str:
    """The noun of a part with its direction: "a yearly cycle", "a wandering level that rises overall"."""
    head = head_of(facts)
    noun, clause = _noun(head, units), _direction_clause(head, facts, units)
    return sentence("part.clauses", product=False, noun=noun, clauses=clause) if clause else noun


def part_name(facts: tuple[Fact, ...], units: Units) -> str:
    """The same as a name, without an article."""
    return gist(facts, units).removeprefix("a ").removeprefix("an ")


# --- the noun ---------------------------------------------------------------------------------------------------------


def _noun(head: Head, units: Units) -> str:
    """The head noun with its adjectives and article."""
    match head:
        case NoiseLevel(visible=False) if units.law == "negative-binomial":
            return sentence("part.noun", kind="further scatter")
        case NoiseLevel(visible=visible):
            return sentence("part.noun", kind="scatter" if units.counts else "noise", form=visible)
        case ConstantLevel(stepped=True) | ConstantLevel(beside=True):
            return sentence("part.noun", kind="steps" if head.stepped else "level beside")
        case ConstantLevel(number=number):
            return sentence("part.noun", kind="level", level=levels(number, number + units.spread, units, 2)[0])
        case Periodicity():
            return article(cycle_noun(head, units))
        case CombinedCycles(cycles=cycles):
            return sentence("part.noun", kind="product", cycles=cycle_nouns(cycles, units))
        case SmoothVariation(several_scales=several, pace=pace):
            return sentence("part.noun", kind="smooth", form="several" if several else pace)
        case Wandering(rough=rough, free=free):
            return sentence("part.noun", kind="wandering level" if rough else "wandering slope", form=free)
        case LinearTrend():
            way = line_way(head)
            is_open = way == "open" or units.open_scale or units.is_odds
            return sentence(
                "part.noun", kind="line" if is_open else "exponential" if units.is_log else "linear", form=way
            )
        case _:
            return sentence("part.noun", kind="damped" if isinstance(head, DampedTrend) else "curved")


def line_way(line: LinearTrend) -> str:
    """Where a line goes, as far as that is sure."""
    return _WAYS[line.direction if is_sure(line.probability) else 0]


def cycle_noun(fact: Periodicity, units: Units) -> str:
    """A repeating pattern as a noun without article: "yearly cycle", "10.8-year wave", "cycle of 12.5 units of 'x'"."""
    words, wave = cycle(fact.number, units), fact.detail is None
    named = bool(words.adjective)
    return sentence("part.cycle", wave=wave, named=named, adjective=words.adjective, length=words.every)


def cycle_nouns(cycles: tuple[Periodicity, ...], units: Units) -> str:
    """Several repeating patterns: "a yearly cycle and a weekly cycle", "cycles with periods of 2 and 7 m"."""
    periods = [each.number for each in cycles]
    if any(cycle(period, units).adjective for period in periods):
        return joined([article(cycle_noun(each, units)) for each in cycles])
    lengths = joined([*(amount(period) for period in periods[:-1]), length(periods[-1], units, 3)])
    return sentence("part.cycles", lengths=lengths)


def every(fact: Periodicity, units: Units) -> str:
    """How often a pattern repeats: "every year", "every 10.8 years"."""
    return cycle(fact.number, units).repeats


# --- the clauses ------------------------------------------------------------------------------------------------------


def _own_clause(head: Head, units: Units) -> str:
    """What the head itself says beside its noun."""
    match head:
        case Periodicity() if doubtful(head, units):
            return sentence("part.own", kind="doubtful", times=seen_text(head))
        case Periodicity(drift=drift) if changes_shape(head):
            return sentence("part.own", kind="drifting", about=about(drift or inf, units))
        case DampedTrend(lasting=False):
            return sentence("part.own", kind="damped", length=levelling(head, units))
        case _:
            return ""


def changes_shape(fact: Periodicity) -> bool:
    """Whether the shape of a cycle changes so quickly that cycles within the data differ."""
    return fact.drift is not None and not fact.steady


def levelling(fact: DampedTrend, units: Units) -> str:
    """The time within which a trend has nearly levelled off: twice the time constant, after which a seventh is left."""
    return rough_length(2.0 * fact.number, units)


def doubtful(fact: Periodicity, units: Units) -> bool:
    """Whether a cycle is seen so few times that it may be none; those of the calendar are believed."""
    return fact.seen < OFTEN and not cycle(fact.number, units).named


def seen_text(fact: Periodicity) -> str:
    """How often a cycle is seen, whole times only where they are many: "about 2.9 times"."""
    return sentence("part.seen", number=amount(fact.seen, 2))


def is_directed(head: Head, facts: tuple[Fact, ...]) -> bool:
    """Whether a part surely goes one way, so that its ends tell its size."""
    trend = find(facts, Trend)
    heads = trend is not None and trend.direction != 0 and is_sure(trend.probability)
    return isinstance(head, LinearTrend) or heads


def _direction_clause(head: Head, facts: tuple[Fact, ...], units: Units) -> str:
    """Where a curve heads, or where it is highest and lowest."""
    trend = find(facts, Trend)
    if isinstance(head, LinearTrend) or trend is None:
        return ""
    if is_directed(head, facts):
        return sentence(
            "part.course", course="throughout" if trend.steady else "overall", direction=_WAYS[trend.direction]
        )
    forgets = isinstance(head, PolynomialTrend) or (isinstance(head, Wandering) and not head.free)
    if forgets or (isinstance(head, SmoothVariation) and head.pace is Pace.RAPID):
        return ""
    if isinstance(head, SmoothVariation) and head.pace is Pace.USUAL:
        return sentence("part.course", course="wavers", about=about(head.number, units))
    high, low = (around_place(place(at, units)) for at in (trend.highest_at, trend.lowest_at))
    return sentence("part.course", course="peaks", top=high, bottom=low)


def _size_grows(facts: tuple[Fact, ...], units: Units) -> str:
    """How the size of a part changes along the data, by its linear factors."""
    change = find(facts, AmplitudeChange)
    if change is None:
        return ""
    return _changes(change, units) if is_sure(change.probability) else sentence("part.size", size="open")


def _changes(change: AmplitudeChange, units: Units) -> str:
    if change.kind in (Growth.GROWS, Growth.SHRINKS):
        return sentence("part.size", size=change.kind, steadily=change.degree == 1)
    if 0 < len(change.places) <= MOST_PLACES:
        return sentence("part.size", size="smallest", where=places_text(change.places, units))
    return sentence("part.size", size="changes")


# --- where ------------------------------------------------------------------------------------------------------------


def unseen(facts: tuple[Fact, ...]) -> bool:
    """Whether the part applies to none of the data."""
    active = find(facts, ActiveInterval)
    return active is not None and not active.shown


def interval_phrase(shown: tuple[Span, ...], units: Units) -> str:
    """Where a part applies: "until 1643 and from 1716 onwards"; "" for all of the data."""
    if shown == ((-inf, inf),):
        return ""
    if not shown:
        return sentence("part.nowhere")
    if len(shown) == 2 and (gap := _gap(shown, units)):
        return sentence("part.except", around=around_place(gap))
    return joined([_span_phrase(span, units) for span in shown])


def _gap(shown: tuple[Span, ...], units: Units) -> str:
    """The place that two spans leave out, where it is too short for two names; "" where it is not, or not all."""
    (first, start), (end, last) = shown
    before, after = (place(row, units) for row in (rows_around(start, units)[0], rows_around(end, units)[1]))
    return before if before == after and not isfinite(first) and not isfinite(last) else ""


def _span_phrase(span: Span, units: Units) -> str:
    low, high = span
    if not isfinite(low):
        return until_place(place(rows_around(high, units)[0], units))
    if not isfinite(high):
        return from_place(place(rows_around(low, units)[1], units))
    inside = rows_around(low, units)[1], rows_around(high, units)[0]
    start, end = (place(row, units) for row in (inside if inside[0] <= inside[1] else span))
    return around_place(start) if start == end else from_place_until(start, end)


# --- how big ----------------------------------------------------------------------------------------------------------


def size_clause(facts: tuple[Fact, ...], units: Units) -> str:
    """How large a part is over the data: "it adds between −9 and 12"; "" where no datum shows it."""
    head, size = head_of(facts), find(facts, Amplitude)
    match head:
        case _ if unseen(facts):
            return ""
        case NoiseLevel():
            return _noise(head, facts, units)
        case ConstantLevel(beside=True):
            return ""
        case ConstantLevel(stepped=False):
            span = range_text(head, units)
            return sentence("part.amount", kind="range", range=span) if span else ""
        case LinearTrend():
            way = line_way(head)
            sign = -1 if way == "down" else 1
            by = slope(head.number, head.interval if way == "open" else None, units, sign)
            return sentence("part.amount", kind="slope", direction=way, size=by)
    if size is None:
        return ""
    return _from_to(size, units) if is_directed(head, facts) else _between(size, units)


def _from_to(size: Amplitude, units: Units) -> str:
    """From where to where a part goes that has a direction."""
    first, last = levels(size.first, size.last, units, 2)
    kind = "factor" if units.is_log and not size.is_level else "from to"
    return sentence("part.amount", kind=kind, first=first, last=last)


def _between(size: Amplitude, units: Units) -> str:
    if size.is_level:
        low, high = levels(size.low, size.high, units, 2)
        return sentence("part.amount", kind="level", low=low, high=high)
    low, high = added(size.low, size.high, units)
    return sentence("part.amount", kind="share" if units.is_odds else "added", low=low, high=high)


def _noise(head: NoiseLevel, facts: tuple[Fact, ...], units: Units) -> str:
    if not head.visible:
        return ""
    if units.counts and head.rates is not None:
        return sentence("part.amount", kind="noise", within=within_rates(head.rates))
    if units.counts or find(facts, AmplitudeChange) is None:
        return sentence("part.amount", kind="noise", within=within(BAND_SDS * head.number, units))
    first, last = (within(BAND_SDS * sd, units) for sd in (head.first, head.last))
    return sentence("part.amount", kind="changing noise", first=first, last=last)


def range_text(head: ConstantLevel, units: Units) -> str:
    """The 95 % range of a level ("22.88 to 23.3"); "" where it is unknown or too narrow to matter."""
    if head.interval is None or not all(isfinite(bound) for bound in head.interval):
        return ""
    low, high = levels(*head.interval, units, 2)
    narrow = high == low or head.interval[1] - head.interval[0] < 0.01 * units.spread
    return "" if narrow else sentence("part.range", low=low, high=high)
