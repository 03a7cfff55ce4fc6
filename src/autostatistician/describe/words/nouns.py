"""Facts to a noun phrase: what a component is, in one short sentence for a list.

The head noun comes from the first fact of a component, the clauses after it from the others. The wording
is for readers who know their data and no statistics.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf, isfinite
from typing import TypeVar

from autostatistician.describe.axis.cycles import cycle
from autostatistician.describe.axis.lengths import about, along, rough_length
from autostatistician.describe.axis.places import place, rows_around
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.judgement import OFTEN
from autostatistician.describe.facts.kinds import Exactness, Growth
from autostatistician.describe.facts.part import (
    ActiveInterval,
    AmplitudeChange,
    CombinedCycles,
    ConstantLevel,
    DampedTrend,
    Head,
    LevelStretch,
    LinearTrend,
    MultiscaleVariation,
    NoiseLevel,
    Periodicity,
    PolynomialTrend,
    RapidVariation,
    SmoothVariation,
    SwingGrowth,
    Trend,
    TrendCourse,
    Wandering,
)
from autostatistician.describe.words.amounts import levels
from autostatistician.describe.words.hedges import be, does, probably
from autostatistician.describe.words.runs import hides, runs_clause
from autostatistician.wording.numbers import amount, article, capital, count, joined

__all__ = [
    "MOST_PLACES", "course_clause", "cycle_noun", "cycle_nouns", "doubtful", "every", "find", "gist", "grown",
    "head_of", "heads_somewhere", "how_fast", "interval_phrase", "level_texts", "levelling", "places_text", "seen_text",
    "summary", "swings", "turns",
]  # fmt: skip

Span = tuple[float, float]
Kind = TypeVar("Kind")

MOST_PLACES = 2  # that are named where a size has several minima
OVERALL = 0.3  # share of its size that a part goes one way, from which that is its direction
GROWN = 1.25  # ratio of swings from which their growth belongs to what a cycle is
_DIRECTIONS = {1: "increasing", -1: "decreasing"}
_TURNS = {1: "rising", -1: "falling"}
_VERBS = {1: "rises", -1: "falls"}


def find(facts: Iterable[Fact], kind: type[Kind]) -> Kind | None:
    """The first fact of a kind."""
    return next((fact for fact in facts if isinstance(fact, kind)), None)


def head_of(facts: tuple[Fact, ...]) -> Head:
    """The fact that says what the component is: always the first."""
    head = facts[0]
    assert isinstance(head, Head)
    return head


def summary(facts: tuple[Fact, ...], units: Units) -> str:
    """What a component is, in one sentence: "A yearly cycle whose shape changes slowly."."""
    head, change = head_of(facts), find(facts, AmplitudeChange)
    noun = _noun(head, facts, units)
    clauses = [*_head_clauses(head, facts, units), *_direction_clause(head, facts, units)]
    if change:
        clauses.append(f"whose {swings(head)} {_change_clause(change, head, units)}")
    elif word := grown(find(facts, SwingGrowth), GROWN):
        clauses.append(f"whose swings have {word}" if units.axis.is_calendar else f"whose swings {word} {along(units)}")
    link = ", " if isinstance(head, CombinedCycles) else " "  # the clauses are about the product, not its last factor
    phrase = f"{noun}{link}{joined(clauses)}" if clauses else noun.rstrip(",")
    return f"{capital(phrase)}{_where(facts, units)}."


def gist(facts: tuple[Fact, ...], units: Units) -> str:
    """The noun of a component with its direction: "a yearly cycle", "a wandering level that rises overall"."""
    head = head_of(facts)
    return " ".join([_noun(head, facts, units).rstrip(","), *_direction_clause(head, facts, units)])


def grown(fact: SwingGrowth | None, least: float) -> str:
    """Whether swings have certainly "grown" or "shrunk", by the factor ``least`` or more; "" otherwise."""
    if fact is None or fact.interval is None or fact.interval[0] <= 1.0 <= fact.interval[1]:
        return ""
    if fact.number >= least:
        return "grown"
    return "shrunk" if fact.number <= 1.0 / least else ""


def heads_somewhere(trend: Trend | None) -> bool:
    """Whether a part goes one way from end to end, with or without turns in between."""
    sure = trend is not None and trend.direction != 0 and (trend.steady or trend.share >= OVERALL)
    return sure and not hides(trend)


def _where(facts: tuple[Fact, ...], units: Units) -> str:
    active = find(facts, ActiveInterval)
    if active is None or not (text := interval_phrase(active.shown, units)):
        return ""
    return f", which applies {text}"


# --- the noun -------------------------------------------------------------------------------------------


def _noun(head: Head, facts: tuple[Fact, ...], units: Units) -> str:
    """The head noun with its adjectives and article."""
    match head:
        case NoiseLevel(visible=visible):
            noise = "scatter beyond chance" if units.counts else "random noise"
            return noise if visible else f"no {noise.removeprefix('random ')} that can be seen"
        case ConstantLevel():
            return _level_noun(head, units)
        case SmoothVariation() | RapidVariation() | MultiscaleVariation():
            return _smooth_noun(head, find(facts, Trend), find(facts, TrendCourse), units)
        case Wandering():
            return _wandering_noun(head, find(facts, Trend))
        case DampedTrend():
            return article(f"{_way(find(facts, Trend))} trend".lstrip())
        case LinearTrend(direction=0):
            return "a straight line whose direction is uncertain"
        case LinearTrend(direction=direction, probability=sure) if probably(sure):
            return f"a straight line that probably {_VERBS[direction]}"
        case LinearTrend(direction=direction):
            way = "" if units.open_scale or units.is_odds else "exponentially " if units.is_log else "linearly "
            return article(f"{way}{_DIRECTIONS[direction]} trend")
        case PolynomialTrend(number=degree):
            clause = course_clause(find(facts, TrendCourse), units)
            return f"a trend {clause}" if clause else f"a curved trend with at most {turns(int(degree))}"
        case Periodicity():
            return _cycle_head(head, units)
        case CombinedCycles(cycles=cycles):
            return f"the product of {cycle_nouns(cycles, units)}"


def _level_noun(head: ConstantLevel, units: Units) -> str:
    if head.levels:
        return f"a level of {joined(level_texts(head.levels, units))}"
    return f"a constant level of {levels(head.number, head.number + units.spread, units, 2)[0]}"


def _wandering_noun(head: Wandering, trend: Trend | None) -> str:
    way = _way(trend)
    if head.rough:
        return "a wandering level" if head.free else "an irregular, jumpy variation"
    if head.free:
        return f"a {way} trend with a wandering slope" if way else "a trend with a wandering slope"
    if not way:
        return "an irregular variation with sudden turns"
    return f"an irregular{', ' if way.startswith('probably') else ' but '}{way} variation with sudden turns"


def _way(trend: Trend | None) -> str:
    """The direction of a part as an adjective: "rising", "probably steadily falling"; "" where it has none."""
    if trend is None or not heads_somewhere(trend):
        return ""
    return f"{probably(trend.probability)}{'steadily ' if trend.steady else ''}{_TURNS[trend.direction]}"


def _smooth_noun(
    head: SmoothVariation | RapidVariation | MultiscaleVariation,
    trend: Trend | None,
    bend: TrendCourse | None,
    units: Units,
) -> str:
    way = _way(trend) if trend and (trend.steady or _is_slow(head)) else ""
    match head:
        case MultiscaleVariation():
            return f"{article(way or 'irregular')} variation with slow and quick changes at once"
        case RapidVariation():
            return "a rapid, irregular variation"
        case SmoothVariation(slow=True):
            clause = course_clause(bend, units) if bend and (bend.curvature or bend.turn) and not hides(trend) else ""
            return f"a slow trend {clause}" if clause else f"a slow, {way or 'smooth'} trend"
        case SmoothVariation():
            return f"a smooth, {way} curve" if way else "a smooth, irregular variation"


def _is_slow(head: Head) -> bool:
    return isinstance(head, SmoothVariation) and head.slow


def _direction_clause(head: Head, facts: tuple[Fact, ...], units: Units) -> list[str]:
    """That a part rises or falls, where its noun does not say so, or when it turned."""
    trend = find(facts, Trend)
    if trend is not None and hides(trend):
        return list(filter(None, [runs_clause(trend, units)]))
    if trend is None or not heads_somewhere(trend):
        return []
    clause = (
        f"that {probably(trend.probability)}{_VERBS[trend.direction]} {'throughout' if trend.steady else 'overall'}"
    )
    match head:
        case RapidVariation() | Wandering(rough=True):
            return [clause]
        case SmoothVariation(slow=False) | MultiscaleVariation() if not trend.steady:
            return [clause]
        case _:
            return []


def course_clause(bend: TrendCourse | None, units: Units) -> str:
    """How a trend runs: "that rises more and more steeply"; "" where that is not certain.

    A curve of the logarithm bends with the rate of growth: it may rise steeper and steeper at a falling rate.
    """
    if bend is None:
        return ""
    that = f"that {probably(bend.probability)}"
    if bend.turn:
        return f"{that}first {'rises and then falls' if bend.turn < 0 else 'falls and then rises'}"
    if not bend.direction:
        return ""
    verb = _VERBS[bend.direction]
    if not bend.curvature:
        return f"{that}{verb} throughout"
    if units.is_log and not units.is_odds:
        return f"{that}{verb} at {'an increasing' if bend.curvature == bend.direction else 'a decreasing'} rate"
    return f"{that}{verb} more and more {'steeply' if bend.curvature == bend.direction else 'slowly'}"


def turns(degree: int) -> str:
    """How often a polynomial can turn.

    >>> turns(2), turns(3)
    ('one turn', 'two turns')
    """
    return f"{count(degree - 1)} turn{'' if degree == 2 else 's'}"


def _cycle_head(head: Periodicity, units: Units) -> str:
    noun = cycle_noun(head, units)
    return f"a rough rhythm, about {every(head, units)}," if head.exactness is Exactness.LOOSE else article(noun)


def cycle_noun(fact: Periodicity, units: Units) -> str:
    """A repeating pattern as a noun without article: "yearly cycle", "10.8-year wave", "cycle of 12.5 units of 'x'"."""
    words = cycle(fact.number, units)
    noun = "sinusoidal wave" if fact.detail is None else "cycle"
    return f"{words.adjective} {noun}" if words.adjective else f"{noun} with a period of {words.every}"


def cycle_nouns(cycles: tuple[Periodicity, ...], units: Units) -> str:
    """Several repeating patterns: "a yearly cycle and a weekly cycle", "cycles with periods of 2 and 7 m"."""
    words = [cycle(each.number, units) for each in cycles]
    if any(each.adjective for each in words):
        return joined([article(cycle_noun(each, units)) for each in cycles])
    numbers, names = zip(*(each.every.split(" ", 1) for each in words), strict=True)
    return f"cycles with periods of {joined(numbers)} {max(names, key=len).replace('unit of', 'units of')}"


def every(fact: Periodicity, units: Units) -> str:
    """How often a pattern repeats: "every year", "every 10.8 years"."""
    return f"every {cycle(fact.number, units).after_every}"


# --- the clauses ----------------------------------------------------------------------------------------


def _head_clauses(head: Head, facts: tuple[Fact, ...], units: Units) -> list[str]:
    resized, trend = find(facts, AmplitudeChange) is not None, find(facts, Trend)
    is_directed = heads_somewhere(trend) or _direction_clause(head, facts, units) != []
    match head:
        case Periodicity():
            return [_shape_clause(head, resized, units)]
        case CombinedCycles(cycles=cycles):
            return [_shape_clause(cycles[0], resized, units)] if cycles[0].drift is not None else []
        case DampedTrend(lasting=True):
            return ["whose slope changes slowly"]
        case DampedTrend():
            return [f"that levels off within about {levelling(head, units)}"]
        case MultiscaleVariation(number=scale) if not is_directed:
            return [f"that typically changes course within {about(scale, units)}"]
        case RapidVariation(number=scale) if scale < units.gap and not is_directed:
            return ["that is scatter from one value to the next"]
        case RapidVariation(number=scale) if not is_directed:
            return [f"that changes course within {about(scale, units)}"]
        case SmoothVariation(slow=False, number=scale) if not is_directed:
            return [f"that changes course within {about(scale, units)}"]
        case _:
            return []


def levelling(fact: DampedTrend, units: Units) -> str:
    """The time within which a trend has nearly levelled off: twice the time constant, after which a seventh is left."""
    return rough_length(2.0 * fact.number, units)


def doubtful(fact: Periodicity, units: Units) -> bool:
    """Whether a cycle is seen so few times that it may be none; those of the calendar are believed."""
    return fact.seen < OFTEN and not cycle(fact.number, units).named


def seen_text(fact: Periodicity) -> str:
    """How often a cycle is seen, whole times only where they are many: "about 2.9 times"."""
    return f"about {amount(fact.seen, 2)} times"


def _shape_clause(fact: Periodicity, resized: bool, units: Units) -> str:
    """How well a cycle repeats; one whose size changes (``resized``) keeps its shape at best."""
    if doubtful(fact, units):
        return f"that is seen only {seen_text(fact)} and may be no cycle at all"
    several = ", by slow and quick changes at once" if fact.several_scales else ""
    if fact.drift is None:
        return "whose shape stays the same" if resized else "that repeats exactly"
    if fact.exactness is Exactness.LOOSE:
        return "whose shape hardly repeats"
    return f"whose shape {how_fast(fact, units)}{several}"


def places_text(places: tuple[float, ...], units: Units) -> str:
    """Positions in words: "around January 1951 and January 1955"."""
    return f"around {joined(list(dict.fromkeys(place(each, units) for each in places)))}"


def how_fast(fact: Periodicity, units: Units) -> str:
    """How quickly the shape of an approximate cycle changes."""
    assert fact.drift is not None
    if fact.drift > 5 * units.span:
        return "hardly changes"
    return "changes slowly" if fact.steady else f"changes over {about(fact.drift, units)}"


def swings(head: Head) -> str:
    """What grows or shrinks with the size of a component."""
    if isinstance(head, NoiseLevel | ConstantLevel):
        return "size"
    return "steps" if isinstance(head, Wandering) and head.rough else "swings"


def _change_clause(fact: AmplitudeChange, head: Head, units: Units) -> str:
    s = "s" if swings(head) == "size" else ""
    verb, sure = "is" if s else "are", fact.probability
    match fact.kind:
        case Growth.GROWS:
            return f"{does('grow', s, sure)} {'steadily' if fact.degree == 1 else 'faster and faster'}"
        case Growth.SHRINKS:
            return f"{does('shrink', s, sure)} {'steadily' if fact.degree == 1 else 'more and more slowly'}"
        case Growth.AWAY:
            assert fact.location is not None
            return f"{be(verb, sure)} smallest around {place(fact.location, units)} and grow{s} on both sides of it"
        case _ if 0 < len(fact.places) <= MOST_PLACES:
            return f"{be(verb, sure)} smallest {places_text(fact.places, units)}"
        case _:
            return f"change{s} {along(units)}"


def level_texts(stretches: Sequence[LevelStretch], units: Units, ranges: Sequence[str] = ()) -> list[str]:
    """Levels with their stretches, each with its range behind it: "147 until February 1979"."""
    values = [levels(stretch.value, stretch.value + units.spread, units, 2)[0] for stretch in stretches]
    places = [interval_phrase((stretch.span,), units) for stretch in stretches]
    shown = ranges or [""] * len(values)
    return [f"{level}{extra} {where}" for level, extra, where in zip(values, shown, places, strict=True)]


def interval_phrase(shown: tuple[Span, ...], units: Units) -> str:
    """Where a component applies: "until 1643 and from 1716 onwards"; "" for all of the data."""
    if shown == ((-inf, inf),):
        return ""
    if not shown:
        return "only outside of the data"
    if len(shown) == 2 and (gap := _gap(shown, units)):
        return f"except around {gap}"
    return joined([_span_phrase(span, units) for span in shown])


def _gap(shown: tuple[Span, ...], units: Units) -> str:
    """The place that two spans leave out, where it is too short for two names; "" where it is not, or not all."""
    (first, start), (end, last) = shown
    before, after = (place(row, units) for row in (rows_around(start, units)[0], rows_around(end, units)[1]))
    return before if before == after and not isfinite(first) and not isfinite(last) else ""


def _span_phrase(span: Span, units: Units) -> str:
    low, high = span
    if not isfinite(low):
        return f"until {place(rows_around(high, units)[0], units)}"
    if not isfinite(high):
        return f"from {place(rows_around(low, units)[1], units)} onwards"
    inside = rows_around(low, units)[1], rows_around(high, units)[0]
    start, end = (place(row, units) for row in (inside if inside[0] <= inside[1] else span))
    return f"around {start}" if start == end else f"from {start} until {end}"
