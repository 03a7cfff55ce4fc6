"""Facts to a noun phrase: what a component is, in one short sentence for a list.

The head noun comes from the first fact of a component, the clauses after it from the others. The wording
is for readers who know their data and no statistics.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
from autostatistician.describe.facts.kinds import Exactness
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
from autostatistician.describe.words.bends import course_clause, heading_clause, heads_somewhere, way
from autostatistician.describe.words.growth import change_clause, grown_clause
from autostatistician.describe.words.ranges import is_sure
from autostatistician.describe.words.runs import hides, runs_clause
from autostatistician.wording.messages import message, say, say_count
from autostatistician.wording.numbers import amount, article, capital, count, joined

__all__ = [
    "cycle_noun", "cycle_nouns", "doubtful", "every", "find", "gist", "head_of", "interval_phrase",
    "level_texts", "levelling", "seen_text", "summary", "turns", "without_stop",
]  # fmt: skip

Span = tuple[float, float]
Kind = TypeVar("Kind")

GROWN = 1.25  # ratio of swings from which their growth belongs to what a cycle is
# By the scale that a line is straight on, where that is known.
_LINES = {
    ("", 1): message("an increasing trend"), ("", -1): message("a decreasing trend"),
    ("line", 1): message("a linearly increasing trend"), ("line", -1): message("a linearly decreasing trend"),
    ("log", 1): message("an exponentially increasing trend"), ("log", -1): message("an exponentially decreasing trend"),
}  # fmt: skip


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
    return f"{without_stop(facts, units)}."


def without_stop(facts: tuple[Fact, ...], units: Units) -> str:
    """The same without its stop, for what goes on."""
    head, change = head_of(facts), find(facts, AmplitudeChange)
    clauses = [*_head_clauses(head, facts, units), *_direction_clause(head, facts, units)]
    if change:
        clauses.append(change_clause(change, head, units))
    elif clause := grown_clause(find(facts, SwingGrowth), GROWN, units):
        clauses.append(clause)
    part = capital(_with_clauses(_noun(head, facts, units), clauses, head))
    active = find(facts, ActiveInterval)
    where = interval_phrase(active.shown, units) if active is not None else ""
    return say("{part}, which applies {where}", part=part, where=where) if where else part


def _with_clauses(noun: str, clauses: list[str], head: Head) -> str:
    """A noun with its clauses; those of a product are about the whole of it, not about its last factor."""
    if not clauses:
        return noun
    if isinstance(head, CombinedCycles) or (isinstance(head, Periodicity) and head.exactness is Exactness.LOOSE):
        return say("{noun}, {clauses}", noun=noun, clauses=joined(clauses))
    return say("{noun} {clauses}", noun=noun, clauses=joined(clauses))


def gist(facts: tuple[Fact, ...], units: Units) -> str:
    """The noun of a component with its direction: "a yearly cycle", "a wandering level that rises overall"."""
    head = head_of(facts)
    noun, clauses = _noun(head, facts, units), _direction_clause(head, facts, units)
    return say("{noun} {clauses}", noun=noun, clauses=clauses[0]) if clauses else noun


# --- the noun -------------------------------------------------------------------------------------------


def _noun(head: Head, facts: tuple[Fact, ...], units: Units) -> str:
    """The head noun with its adjectives and article."""
    trend, bend = find(facts, Trend), find(facts, TrendCourse)
    match head:
        case NoiseLevel(visible=visible):
            return _noise_noun(visible, units)
        case ConstantLevel():
            return _level_noun(head, units)
        case SmoothVariation() | RapidVariation() | MultiscaleVariation():
            return _smooth_noun(head, trend, bend, units)
        case Wandering():
            return _wandering_noun(head, trend)
        case DampedTrend():
            return say("a {way} trend", way=way(trend)) if way(trend) else say("a trend")
        case LinearTrend():
            return _line_noun(head, units)
        case PolynomialTrend(number=degree):
            clause = course_clause(bend, units)
            if clause:
                return say("a trend {clause}", clause=clause)
            return say("a curved trend with at most {turns}", turns=turns(int(degree)))
        case Periodicity():
            return _cycle_head(head, units)
        case CombinedCycles(cycles=cycles):
            return say("the product of {cycles}", cycles=cycle_nouns(cycles, units))


def _noise_noun(visible: bool, units: Units) -> str:
    if units.counts:
        return say("scatter beyond chance") if visible else say("no scatter beyond chance that can be seen")
    return say("random noise") if visible else say("no noise that can be seen")


def _level_noun(head: ConstantLevel, units: Units) -> str:
    if head.levels:
        return say("a level of {levels}", levels=joined(level_texts(head.levels, units)))
    level = levels(head.number, head.number + units.spread, units, 2)[0]
    return say("a constant level of {level}", level=level)


def _line_noun(head: LinearTrend, units: Units) -> str:
    if head.direction == 0:
        return say("a straight line whose direction is uncertain")
    if not is_sure(head.probability):
        rises = head.direction > 0
        return say("a straight line that probably rises") if rises else say("a straight line that probably falls")
    scale = "" if units.open_scale or units.is_odds else "log" if units.is_log else "line"
    return say(_LINES[scale, head.direction])


def _wandering_noun(head: Wandering, trend: Trend | None) -> str:
    if head.rough:
        return say("a wandering level") if head.free else say("an irregular, jumpy variation")
    heading = way(trend)
    if head.free:
        if heading:
            return say("a {way} trend with a wandering slope", way=heading)
        return say("a trend with a wandering slope")
    if not heading or trend is None:
        return say("an irregular variation with sudden turns")
    if is_sure(trend.probability):
        return say("an irregular but {way} variation with sudden turns", way=heading)
    return say("an irregular, {way} variation with sudden turns", way=heading)


def _smooth_noun(
    head: SmoothVariation | RapidVariation | MultiscaleVariation,
    trend: Trend | None,
    bend: TrendCourse | None,
    units: Units,
) -> str:
    heading = way(trend) if trend and (trend.steady or _is_slow(head)) else ""
    match head:
        case MultiscaleVariation() if heading:
            return say("a {way} variation with slow and quick changes at once", way=heading)
        case MultiscaleVariation():
            return say("an irregular variation with slow and quick changes at once")
        case RapidVariation():
            return say("a rapid, irregular variation")
        case SmoothVariation(slow=True):
            clause = course_clause(bend, units) if bend and (bend.curvature or bend.turn) and not hides(trend) else ""
            if clause:
                return say("a slow trend {clause}", clause=clause)
            return say("a slow, {way} trend", way=heading) if heading else say("a slow, smooth trend")
        case SmoothVariation():
            return say("a smooth, {way} curve", way=heading) if heading else say("a smooth, irregular variation")


def _is_slow(head: Head) -> bool:
    return isinstance(head, SmoothVariation) and head.slow


def _direction_clause(head: Head, facts: tuple[Fact, ...], units: Units) -> list[str]:
    """That a part rises or falls, where its noun does not say so, or when it turned."""
    trend = find(facts, Trend)
    if trend is not None and hides(trend):
        return list(filter(None, [runs_clause(trend, units)]))
    if trend is None or not heads_somewhere(trend):
        return []
    match head:
        case RapidVariation() | Wandering(rough=True):
            return [heading_clause(trend)]
        case SmoothVariation(slow=False) | MultiscaleVariation() if not trend.steady:
            return [heading_clause(trend)]
        case _:
            return []


def turns(degree: int) -> str:
    """How often a polynomial can turn.

    >>> turns(2), turns(3)
    ('one turn', 'two turns')
    """
    return say_count(degree - 1, "{number} turn", "{number} turns", number=count(degree - 1))


def _cycle_head(head: Periodicity, units: Units) -> str:
    if head.exactness is Exactness.LOOSE:
        return say("a rough rhythm, about {every}", every=every(head, units))
    return article(cycle_noun(head, units))


def cycle_noun(fact: Periodicity, units: Units) -> str:
    """A repeating pattern as a noun without article: "yearly cycle", "10.8-year wave", "cycle of 12.5 units of 'x'"."""
    words, wave = cycle(fact.number, units), fact.detail is None
    if words.adjective and wave:
        return say("{adjective} sinusoidal wave", adjective=words.adjective)
    if words.adjective:
        return say("{adjective} cycle", adjective=words.adjective)
    if wave:
        return say("sinusoidal wave with a period of {length}", length=words.every)
    return say("cycle with a period of {length}", length=words.every)


def cycle_nouns(cycles: tuple[Periodicity, ...], units: Units) -> str:
    """Several repeating patterns: "a yearly cycle and a weekly cycle", "cycles with periods of 2 and 7 m"."""
    periods = [each.number for each in cycles]
    if any(cycle(period, units).adjective for period in periods):
        return joined([article(cycle_noun(each, units)) for each in cycles])
    lengths = joined([*(amount(period) for period in periods[:-1]), length(periods[-1], units, 3)])
    return say("cycles with periods of {lengths}", lengths=lengths)


def every(fact: Periodicity, units: Units) -> str:
    """How often a pattern repeats: "every year", "every 10.8 years"."""
    return cycle(fact.number, units).repeats


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
            return [say("whose slope changes slowly")]
        case DampedTrend():
            return [say("that levels off within about {length}", length=levelling(head, units))]
        case MultiscaleVariation(number=scale) if not is_directed:
            return [say("that typically changes course within {about}", about=about(scale, units))]
        case RapidVariation(number=scale) if scale < units.gap and not is_directed:
            return [say("that is scatter from one value to the next")]
        case RapidVariation(number=scale) | SmoothVariation(slow=False, number=scale) if not is_directed:
            return [say("that changes course within {about}", about=about(scale, units))]
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
    return say("about {number} times", number=amount(fact.seen, 2))


def _shape_clause(fact: Periodicity, resized: bool, units: Units) -> str:
    """How well a cycle repeats; one whose size changes (``resized``) keeps its shape at best."""
    if doubtful(fact, units):
        return say("that is seen only {times} and may be no cycle at all", times=seen_text(fact))
    if fact.drift is None:
        return say("whose shape stays the same") if resized else say("that repeats exactly")
    if fact.exactness is Exactness.LOOSE:
        return say("whose shape hardly repeats")
    if fact.steady:
        changes = say("whose shape hardly changes")
    elif fact.drift > units.span:
        changes = say("whose shape changes slowly")
    else:
        changes = say("whose shape changes over {about}", about=about(fact.drift, units))
    if fact.several_scales:
        return say("{changes}, by slow and quick changes at once", changes=changes)
    return changes


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
        return say("only outside of the data")
    if len(shown) == 2 and (gap := _gap(shown, units)):
        return say("except {around}", around=around_place(gap))
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
