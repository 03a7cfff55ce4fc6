"""Facts to a description: two to five sentences on what a component is, how big, how regular, when, how steep."""

from __future__ import annotations

from autostatistician.describe.axis.lengths import about, length, rate
from autostatistician.describe.axis.phases import phase_text
from autostatistician.describe.axis.places import place
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.kinds import Exactness
from autostatistician.describe.facts.part import (
    AmplitudeChange,
    ChangeSteepness,
    CombinedCycles,
    ConstantLevel,
    CyclePhase,
    DampedTrend,
    Head,
    LinearTrend,
    MultiscaleVariation,
    NoiseLevel,
    Periodicity,
    PolynomialTrend,
    RapidVariation,
    SmoothVariation,
    Trend,
    TrendCourse,
    Wandering,
)
from autostatistician.describe.words.amounts import levels, one_added, slope, steepness, unit
from autostatistician.describe.words.extents import (
    growth_text,
    limited,
    range_text,
    size_text,
    steepness_text,
    where_text,
)
from autostatistician.describe.words.hedges import probably
from autostatistician.describe.words.nouns import (
    course_clause,
    cycle_nouns,
    doubtful,
    every,
    find,
    head_of,
    heads_somewhere,
    how_fast,
    level_texts,
    levelling,
    seen_text,
    turns,
)
from autostatistician.describe.words.ranges import period_range
from autostatistician.describe.words.runs import most_text, runs_text
from autostatistician.wording.numbers import count, joined, pair

__all__ = ["description"]


def description(facts: tuple[Fact, ...], units: Units, told_changes: frozenset[float] = frozenset()) -> str:
    """Two to six sentences on one component; changes at places that are ``told_changes`` are not described again."""
    head = head_of(facts)
    sentences = (
        _what(head, facts, units),
        _regularity(head, facts, units),
        size_text(head, facts, units),
        growth_text(head, facts, units),
    )
    return " ".join(sentence for sentence in (*sentences, where_text(facts, units, told_changes)) if sentence)


# --- what it is -----------------------------------------------------------------------------------------


def _what(head: Head, facts: tuple[Fact, ...], units: Units) -> str:
    match head:
        case NoiseLevel():
            return _what_noise(head, units)
        case ConstantLevel(levels=stretches) if stretches:
            return _what_steps(head, facts, units)
        case ConstantLevel():
            where = f"the values of '{units.target}' where it applies" if limited(facts, units) else _every(units)
            verb = "sets the level {} for" if units.is_log else "adds {} to"
            return f"This part is a constant: it {verb.format(_level(head, units))} {where}."
        case SmoothVariation() | RapidVariation() | MultiscaleVariation():
            return _what_smooth(head, units)
        case Wandering():
            return _what_wandering(head, units)
        case DampedTrend():
            return _what_damped(head, units)
        case LinearTrend():
            return _what_line(head, units)
        case PolynomialTrend(number=degree):
            clause = course_clause(find(facts, TrendCourse), units) or f"with at most {turns(int(degree))}"
            return f"This part is a curve {clause} (a polynomial of degree {int(degree)}{_of_log(units)})."
        case Periodicity():
            return _what_cycle(head, find(facts, AmplitudeChange) is not None, units)
        case CombinedCycles(cycles=cycles):
            return f"This part is the product of {cycle_nouns(cycles, units)}: each scales the swings of the others."


def _what_noise(head: NoiseLevel, units: Units) -> str:
    if units.counts and not head.visible:
        of = "shares of such totals" if units.is_odds else "counts"
        return f"Beside what chance alone gives {of}, no scatter of '{units.target}' can be seen."
    if units.counts:
        what = "chance behind" if units.is_odds else "rate of"
        return f"The {what} '{units.target}' differs from one observation to the next and follows no pattern."
    if not head.visible:
        return "No noise can be seen in these data beside the other parts."
    return "This part is random scatter: it differs from one observation to the next and follows no pattern."


def _what_steps(head: ConstantLevel, facts: tuple[Fact, ...], units: Units) -> str:
    ranges = [
        f" (95% range: {text})" if text else "" for text in (range_text(stretch, units) for stretch in head.levels)
    ]
    levels_text = joined(level_texts(head.levels, units, ranges))
    changes = tuple(fact for fact in facts if isinstance(fact, ChangeSteepness))
    return f"This part is a level that changes: {levels_text}{steepness_text(changes, units)}."


def _of_log(units: Units) -> str:
    return " of the logarithm" + " of its odds" * units.is_odds if units.is_log else ""


def _every(units: Units) -> str:
    return f"every value of '{units.target}'"


def _level(head: ConstantLevel, units: Units) -> str:
    """A level, rounded finely enough to show the spread of the data, with its range where that shows."""
    span = range_text(head, units)
    if not span:
        return levels(head.number, head.number + units.spread, units, 2)[0]
    assert head.interval is not None
    middle = levels(head.number, head.number + head.interval[1] - head.interval[0], units, 2)[0]
    return f"{middle} (95% range: {span})"


def _what_wandering(head: Wandering, units: Units) -> str:
    what = "level" if head.rough else "slope"
    if head.free:
        return f"This part wanders: its {what} may change at any time, and nothing pulls it back."
    return (
        f"This part is an irregular curve: its {what} may change at any time, "
        f"and what it did is forgotten after {about(head.number, units)}."
    )


def _what_damped(head: DampedTrend, units: Units) -> str:
    if head.lasting:
        takes = "longer than the data last" if head.number > units.span else about(head.number, units)
        return f"This part is a trend whose slope changes slowly: it takes {takes} until most of a slope is forgotten."
    return (
        f"This part is a trend that does not last: left to itself it levels off within about {levelling(head, units)}, "
        "and a new rise or fall may set in at any time."
    )


def _what_smooth(head: SmoothVariation | RapidVariation | MultiscaleVariation, units: Units) -> str:
    match head:
        case SmoothVariation(number=scale, slow=True):
            takes = "longer than the data last" if scale > units.span else about(scale, units)
            return f"This part is a very smooth curve without a formula: it takes {takes} to change its course."
        case SmoothVariation(number=scale):
            return (
                "This part is a smooth curve that neither repeats nor follows a formula; "
                f"where it heads at one moment tells little about where it heads {_later(scale, units)} later."
            )
        case RapidVariation(number=scale) if scale < units.gap:
            return "This part is scatter: it changes from one value to the next, as noise does, and follows no pattern."
        case RapidVariation(number=scale):
            return (
                f"This part is a curve that changes quickly, typically over {about(scale, units)}: "
                "observations that lie further apart tell little about each other."
            )
        case MultiscaleVariation(number=scale):
            return (
                "This part is a curve that varies on several scales at once, with slow changes and quick ones; "
                f"typical changes take {about(scale, units)}."
            )


def _later(scale: float, units: Units) -> str:
    return length(scale, units) if scale >= units.gap else "one step"


def _what_line(head: LinearTrend, units: Units) -> str:
    by = slope(head.number, head.interval, units, head.direction or 1)
    verb = {1: "rises", -1: "falls", 0: "changes"}[head.direction]
    what = "a change at a constant rate" if units.is_log else "a straight line"
    if head.direction == 0:
        return f"This part is {what} whose direction the data leave open: it {verb} by {by}."
    if units.is_odds:
        where = f"where it is at its typical {one_added(0.0, units)}, and more slowly near none and all"
        return f"This part is a trend that {probably(head.probability)}{verb} by {by} {where}."
    link = ": it" if units.is_log else " that"
    return f"This part is {what}{link} {probably(head.probability)}{verb} by {by}."


def _what_cycle(head: Periodicity, resized: bool, units: Units) -> str:
    span = period_range(head.number, head.interval, units)
    often = every(head, units) + (f" (95% range: {span})" if span else "")
    if doubtful(head, units):
        return (
            f"This part looks like a pattern that repeats {often}. The data show it only {seen_text(head)}, so it may "
            "be no cycle at all: over so short a stretch a curve that will never repeat can look the same."
        )
    if head.exactness is Exactness.EXACT:
        exactly = f"comes back {often} in the same shape" if resized else f"repeats exactly {often}"
        return f"This part is a pattern that {exactly}."
    if head.drift is None:
        return f"This part is a pattern that repeats {often}."
    drift, scales = (
        about(head.drift, units),
        ", in slow and quick changes at once, typically" if head.several_scales else "",
    )
    if head.exactness is Exactness.LOOSE:
        return (
            f"This part rises and falls about once {often}, but so irregularly (it changes over {drift}) "
            "that one cycle tells little about the next."
        )
    if head.steady:
        return f"This part is a pattern that repeats {often}; its shape {_slowly(head, units)}."
    return (
        f"This part is a pattern that repeats {often}, but not exactly: its shape changes{scales} over {drift}, "
        "so cycles close to each other look alike and distant ones may differ."
    )


def _slowly(fact: Periodicity, units: Units) -> str:
    speed = how_fast(fact, units)
    return f"{speed} within the data" if "hardly" in speed else f"{speed}, over {about(fact.drift or 0.0, units)}"


# --- how regular and how big ----------------------------------------------------------------------------


def _regularity(head: Head, facts: tuple[Fact, ...], units: Units) -> str:
    match head:
        case Periodicity():
            return _inside_cycle(head, find(facts, CyclePhase), units) if head.exactness is not Exactness.LOOSE else ""
        case CombinedCycles(cycles=cycles) if cycles[0].drift is not None:
            return f"The shape of this pattern changes over {about(cycles[0].drift, units)}."
        case CombinedCycles():
            return "The pattern is exact: the same cycles go on through all of the data."
        case SmoothVariation() | MultiscaleVariation() | RapidVariation() | Wandering() | DampedTrend():
            return _direction(find(facts, Trend), find(facts, TrendCourse), limited(facts, units), units)
        case PolynomialTrend():
            return _halves(find(facts, TrendCourse), limited(facts, units), units)
        case _:
            return ""


def _inside_cycle(fact: Periodicity, phase: CyclePhase | None, units: Units) -> str:
    if fact.waves > 1:
        shape = f"Within each cycle it rises and falls {_times(fact.waves)}."
    elif fact.detail is None:
        shape = "Within each cycle it rises and falls once, like a pure wave (a sinusoid)."
    elif fact.detail > 0.5 * fact.number:
        shape = "Within each cycle it rises and falls once, smoothly, nearly like a wave."
    elif fact.detail >= units.gap:
        shape = f"Within each cycle it changes course within about {length(fact.detail, units)}."
    else:
        shape = ""
    return " ".join(filter(None, [shape, _WEEKDAYS if fact.weekdays else "", _when(phase, units) if phase else ""]))


def _times(number: int) -> str:
    return "twice" if number == 2 else f"{count(number)} times"


_WEEKDAYS = (
    "Sums over months have a wave of this length where the weekdays differ, because a month has four of some weekdays "
    "and five of others: it says that the days of the week matter, not that something happens every few months."
)


def _when(phase: CyclePhase, units: Units) -> str:
    if not phase.kind:
        return f"Its last peak within the data lies around {place(phase.number, units)}."
    ends = (("highest", phase.high), ("lowest", phase.low))
    return f"It is {joined([f'{word} {phase_text(phase.kind, at)}' for word, at in ends if at])}."


def _direction(trend: Trend | None, bend: TrendCourse | None, limited: bool, units: Units) -> str:
    if trend is not None and len(trend.legs) > 1:
        overall = _from_end_to_end(trend, limited, units) if heads_somewhere(trend) else ""
        return " ".join(filter(None, [overall, runs_text(trend, units)]))
    if trend is None or not heads_somewhere(trend) or (bend and bend.turn):
        return _halves(bend, limited, units) if bend and bend.turn else ""
    if not trend.steady:
        return " ".join(filter(None, [_from_end_to_end(trend, limited, units), most_text(trend, units)]))
    verb = f"{probably(trend.probability)}{'rises' if trend.direction > 0 else 'falls'}"
    by, half = slope(trend.number, None, units, trend.direction), "its stretch" if limited else "the data"
    all_along = f"Within {half} it {verb} all the time, on average by {by}."
    halves = _halves(bend, limited, units) if bend and bend.curvature else ""
    return " ".join(filter(None, [all_along, halves, most_text(trend, units)]))


def _from_end_to_end(trend: Trend, limited: bool, units: Units) -> str:
    verb = f"{probably(trend.probability)}{'rises' if trend.direction > 0 else 'falls'}"
    by, half = slope(trend.number, None, units, trend.direction), "its stretch" if limited else "the data"
    return f"From end to end of {half} it {verb}, on average by {by}."


def _halves(bend: TrendCourse | None, limited: bool, units: Units) -> str:
    """The slopes of a trend in its two halves, where their signs are certain."""
    if bend is None or not (bend.direction or bend.turn) or probably(bend.probability):
        return ""
    per = rate(bend.early, units)[1]
    sizes = pair(steepness(bend.early, units), steepness(bend.late, units), 2)
    before, after = (unit(size, units) for size in sizes)
    verbs = ["rises" if gradient > 0 else "falls" for gradient in (bend.early, bend.late)]
    again = f"it {verbs[1]} by " if verbs[0] != verbs[1] else "by "
    half = "its stretch" if limited else "the data"
    return f"In the first half of {half} it {verbs[0]} by {before} {per} on average, in the second {again}{after}."
