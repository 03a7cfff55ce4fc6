"""Facts to a description: two to five sentences on what a component is, how big, how regular, when, how steep."""

from __future__ import annotations

from itertools import pairwise

from autostatistician.describe.axis.cycles import phase_text
from autostatistician.describe.axis.lengths import about, length
from autostatistician.describe.axis.places import around_place, place, rows_around
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
    LevelStretch,
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
from autostatistician.describe.words.amounts import levels, moved, one_added, slope
from autostatistician.describe.words.bends import course_clause, direction_text, halves_text
from autostatistician.describe.words.events import at
from autostatistician.describe.words.extents import (
    growth_text,
    limited,
    range_text,
    size_text,
    steepness_text,
    where_text,
)
from autostatistician.describe.words.nouns import (
    cycle_nouns,
    doubtful,
    every,
    find,
    head_of,
    level_texts,
    levelling,
    seen_text,
    turns,
)
from autostatistician.describe.words.ranges import is_sure, period_range
from autostatistician.wording.messages import message, say, say_as
from autostatistician.wording.numbers import count, joined

__all__ = ["description"]

# By whether it is a level on the scale of the logarithm, and whether it applies to a part of the data only.
_CONSTANT = {
    (False, False): message("This part is a constant: it adds {level} to every value of '{target}'."),
    (False, True): message("This part is a constant: it adds {level} to the values of '{target}' where it applies."),
    (True, False): message("This part is a constant: it sets the level {level} for every value of '{target}'."),
    (True, True): message(
        "This part is a constant: it sets the level {level} for the values of '{target}' where it applies."
    ),
}
# By the direction, as sure and as probable.
_LINE = {
    1: (
        message("This part is a straight line that rises by {slope}."),
        message("This part is a straight line that probably rises by {slope}."),
    ),
    -1: (
        message("This part is a straight line that falls by {slope}."),
        message("This part is a straight line that probably falls by {slope}."),
    ),
}
_LINE_OF_LOG = {
    1: (
        message("This part is a change at a constant rate: it rises by {slope}."),
        message("This part is a change at a constant rate: it probably rises by {slope}."),
    ),
    -1: (
        message("This part is a change at a constant rate: it falls by {slope}."),
        message("This part is a change at a constant rate: it probably falls by {slope}."),
    ),
}
_LINE_OF_ODDS = {
    1: (
        message(
            "This part is a trend that rises by {slope} where it is at its typical {typical}, and more slowly near "
            "none and all."
        ),
        message(
            "This part is a trend that probably rises by {slope} where it is at its typical {typical}, and more slowly "
            "near none and all."
        ),
    ),
    -1: (
        message(
            "This part is a trend that falls by {slope} where it is at its typical {typical}, and more slowly near "
            "none and all."
        ),
        message(
            "This part is a trend that probably falls by {slope} where it is at its typical {typical}, and more slowly "
            "near none and all."
        ),
    ),
}
# By whether it is in slow and in quick changes at once.
_INEXACT = {
    False: message(
        "This part is a pattern that repeats {every}, but not exactly: its shape changes over {about}, so cycles close "
        "to each other look alike and distant ones may differ."
    ),
    True: message(
        "This part is a pattern that repeats {every}, but not exactly: its shape changes, in slow and quick changes at "
        "once, typically over {about}, so cycles close to each other look alike and distant ones may differ."
    ),
}
_WEEKDAYS = message(
    "Sums over months have a wave of this length where the weekdays differ, because a month has four of some weekdays "
    "and five of others: it says that the days of the week matter, not that something happens every few months."
)


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
            form = _CONSTANT[units.is_log, limited(facts, units)]
            return say(form, level=_level(head, units), target=units.target)
        case SmoothVariation() | RapidVariation() | MultiscaleVariation():
            return _what_smooth(head, units)
        case Wandering():
            return _what_wandering(head, units)
        case DampedTrend():
            return _what_damped(head, units)
        case LinearTrend():
            return _what_line(head, units)
        case PolynomialTrend(number=degree):
            return _what_polynomial(int(degree), course_clause(find(facts, TrendCourse), units), units)
        case Periodicity():
            return _what_cycle(head, find(facts, AmplitudeChange) is not None, units)
        case CombinedCycles(cycles=cycles):
            product = cycle_nouns(cycles, units)
            return say("This part is the product of {cycles}: each scales the swings of the others.", cycles=product)


def _what_noise(head: NoiseLevel, units: Units) -> str:
    if units.counts and not head.visible:
        if units.is_odds:
            return say(
                "Beside what chance alone gives shares of such totals, no scatter of '{target}' can be seen.",
                target=units.target,
            )
        return say("Beside what chance alone gives counts, no scatter of '{target}' can be seen.", target=units.target)
    if units.is_odds and units.counts:
        return say(
            "The chance behind '{target}' differs from one observation to the next and follows no pattern.",
            target=units.target,
        )
    if units.counts:
        return say(
            "The rate of '{target}' differs from one observation to the next and follows no pattern.",
            target=units.target,
        )
    if not head.visible:
        return say("No noise can be seen in these data beside the other parts.")
    return say("This part is random scatter: it differs from one observation to the next and follows no pattern.")


def _what_steps(head: ConstantLevel, facts: tuple[Fact, ...], units: Units) -> str:
    ranges = [_behind(range_text(stretch, units)) for stretch in head.levels]
    changes = tuple(fact for fact in facts if isinstance(fact, ChangeSteepness))
    told = say(
        "This part is a level that changes: {levels}{changes}.",
        levels=joined(level_texts(head.levels, units, ranges)), changes=steepness_text(changes, units),
    )  # fmt: skip
    return " ".join(filter(None, [told, *(_step_known(*pair, units) for pair in pairwise(head.levels))]))


def _step_known(before: LevelStretch, after: LevelStretch, units: Units) -> str:
    """How large the step between two levels is, where the data show it; "" where they do not."""
    if after.step_interval is None or after.step_interval[0] * after.step_interval[1] <= 0.0:
        return ""
    ends = sorted(after.step_interval, key=abs)
    size, least, most = (moved(before.value, change, units, 3) for change in (after.step, *ends))
    told = {"when": at(rows_around(after.span[0], units)[1], units), "size": size, "least": least, "most": most}
    if after.step > 0.0:
        return say(
            "The errors of both levels go together: the step up {when} is known better, by {size} (95% range: {least} "
            "to {most}).",
            **told,
        )
    return say(
        "The errors of both levels go together: the step down {when} is known better, by {size} (95% range: {least} to "
        "{most}).",
        **told,
    )


def _behind(span: str) -> str:
    """A range in brackets after a space; "" for none."""
    return " " + say("(95% range: {range})", range=span) if span else ""


def _what_polynomial(degree: int, clause: str, units: Units) -> str:
    curve = (
        say("This part is a curve {clause}", clause=clause)
        if clause
        else say("This part is a curve with at most {turns}", turns=turns(degree))
    )
    if units.is_odds:
        return say(
            "{curve} (a polynomial of degree {degree} of the logarithm of its odds).", curve=curve, degree=degree
        )
    if units.is_log:
        return say("{curve} (a polynomial of degree {degree} of the logarithm).", curve=curve, degree=degree)
    return say("{curve} (a polynomial of degree {degree}).", curve=curve, degree=degree)


def _level(head: ConstantLevel, units: Units) -> str:
    """A level, rounded finely enough to show the spread of the data, with its range where that shows."""
    span = range_text(head, units)
    if not span:
        return levels(head.number, head.number + units.spread, units, 2)[0]
    assert head.interval is not None
    middle = levels(head.number, head.number + head.interval[1] - head.interval[0], units, 2)[0]
    return f"{middle}{_behind(span)}"


def _what_wandering(head: Wandering, units: Units) -> str:
    if head.free and head.rough:
        return say("This part wanders: its level may change at any time, and nothing pulls it back.")
    if head.free:
        return say("This part wanders: its slope may change at any time, and nothing pulls it back.")
    after = about(head.number, units)
    if head.rough:
        return say(
            "This part is an irregular curve: its level may change at any time, and what it did is forgotten after "
            "{about}.",
            about=after,
        )
    return say(
        "This part is an irregular curve: its slope may change at any time, and what it did is forgotten after "
        "{about}.",
        about=after,
    )


def _what_damped(head: DampedTrend, units: Units) -> str:
    if head.lasting:
        return say(
            "This part is a trend whose slope changes slowly: it takes {takes} until most of a slope is forgotten.",
            takes=_takes(head.number, units),
        )
    return say(
        "This part is a trend that does not last: left to itself it levels off within about {length}, and a new rise "
        "or fall may set in at any time.",
        length=levelling(head, units),
    )


def _takes(scale: float, units: Units) -> str:
    return say("longer than the data last") if scale > units.span else about(scale, units)


def _what_smooth(head: SmoothVariation | RapidVariation | MultiscaleVariation, units: Units) -> str:
    match head:
        case SmoothVariation(number=scale, slow=True):
            return say(
                "This part is a very smooth curve without a formula: it takes {takes} to change its course.",
                takes=_takes(scale, units),
            )
        case SmoothVariation(number=scale):
            return say(
                "This part is a smooth curve that neither repeats nor follows a formula; where it heads at one moment "
                "tells little about where it heads {length} later.",
                length=length(scale, units) if scale >= units.gap else say_as("later", "one step"),
            )
        case RapidVariation(number=scale) if scale < units.gap:
            return say(
                "This part is scatter: it changes from one value to the next, as noise does, and follows no pattern."
            )
        case RapidVariation(number=scale):
            return say(
                "This part is a curve that changes quickly, typically over {about}: observations that lie further "
                "apart tell little about each other.",
                about=about(scale, units),
            )
        case MultiscaleVariation(number=scale):
            return say(
                "This part is a curve that varies on several scales at once, with slow changes and quick ones; "
                "typical changes take {about}.",
                about=about(scale, units),
            )


def _what_line(head: LinearTrend, units: Units) -> str:
    by = slope(head.number, head.interval, units, head.direction or 1)
    if head.direction == 0 and units.is_log:
        return say(
            "This part is a change at a constant rate whose direction the data leave open: it changes by {slope}.",
            slope=by,
        )
    if head.direction == 0:
        return say("This part is a straight line whose direction the data leave open: it changes by {slope}.", slope=by)
    table = _LINE_OF_ODDS if units.is_odds else _LINE_OF_LOG if units.is_log else _LINE
    text = table[head.direction][not is_sure(head.probability)]
    return say(text, slope=by, typical=one_added(0.0, units)) if units.is_odds else say(text, slope=by)


def _what_cycle(head: Periodicity, resized: bool, units: Units) -> str:
    often = f"{every(head, units)}{_behind(period_range(head.number, head.interval, units))}"
    if doubtful(head, units):
        return say(
            "This part looks like a pattern that repeats {every}. The data show it only {times}, so it may be no cycle "
            "at all: over so short a stretch a curve that will never repeat can look the same.",
            every=often, times=seen_text(head),
        )  # fmt: skip
    if head.exactness is Exactness.EXACT and resized:
        return say("This part is a pattern that comes back {every} in the same shape.", every=often)
    if head.exactness is Exactness.EXACT:
        return say("This part is a pattern that repeats exactly {every}.", every=often)
    if head.drift is None:
        return say("This part is a pattern that repeats {every}.", every=often)
    if head.exactness is Exactness.LOOSE:
        return say(
            "This part rises and falls about once {every}, but so irregularly (it changes over {about}) that one cycle "
            "tells little about the next.",
            every=often, about=_drift(head, units),
        )  # fmt: skip
    if head.steady:
        return say(
            "This part is a pattern that repeats {every}; its shape hardly changes within the data.", every=often
        )
    return say(_INEXACT[head.several_scales], every=often, about=_drift(head, units))


def _drift(fact: Periodicity, units: Units) -> str:
    return about(fact.drift or 0.0, units)


# --- how regular and how big ----------------------------------------------------------------------------


def _regularity(head: Head, facts: tuple[Fact, ...], units: Units) -> str:
    match head:
        case Periodicity():
            return _inside_cycle(head, find(facts, CyclePhase), units) if head.exactness is not Exactness.LOOSE else ""
        case CombinedCycles(cycles=cycles) if cycles[0].drift is not None:
            return say("The shape of this pattern changes over {about}.", about=_drift(cycles[0], units))
        case CombinedCycles():
            return say("The pattern is exact: the same cycles go on through all of the data.")
        case SmoothVariation() | MultiscaleVariation() | RapidVariation() | Wandering() | DampedTrend():
            return direction_text(find(facts, Trend), find(facts, TrendCourse), limited(facts, units), units)
        case PolynomialTrend():
            return halves_text(find(facts, TrendCourse), limited(facts, units), units)
        case _:
            return ""


def _inside_cycle(fact: Periodicity, phase: CyclePhase | None, units: Units) -> str:
    if fact.waves > 1:
        shape = _waves(fact.waves)
    elif fact.detail is None:
        shape = say("Within each cycle it rises and falls once, like a pure wave (a sinusoid).")
    elif fact.detail > 0.5 * fact.number:
        shape = say("Within each cycle it rises and falls once, smoothly, nearly like a wave.")
    elif fact.detail >= units.gap:
        inside = length(fact.detail, units)
        shape = say("Within each cycle it changes course within about {length}.", length=inside)
    else:
        shape = ""
    weekdays, when = say(_WEEKDAYS) if fact.weekdays else "", _when(phase, units) if phase else ""
    return " ".join(filter(None, [shape, weekdays, when]))


def _waves(number: int) -> str:
    if number == 2:
        return say("Within each cycle it rises and falls twice.")
    return say("Within each cycle it rises and falls {number} times.", number=count(number))


def _when(phase: CyclePhase, units: Units) -> str:
    if not phase.kind:
        peak = around_place(place(phase.number, units))
        return say("Its last peak within the data lies {around}.", around=peak)
    high, low = (phase_text(phase.kind, at) if at else "" for at in (phase.high, phase.low))
    extremes = [say("highest {when}", when=high) if high else "", say("lowest {when}", when=low) if low else ""]
    return say("It is {extremes}.", extremes=joined([text for text in extremes if text]))
