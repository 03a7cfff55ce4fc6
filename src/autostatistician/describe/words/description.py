"""Facts to a description: a few sentences on how a part runs within the data, and what it does beyond them."""

from __future__ import annotations

from math import inf, isfinite

from autostatistician.describe.axis.lengths import about, length
from autostatistician.describe.axis.places import around_place, place
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.kinds import Exactness, Growth, Pace
from autostatistician.describe.facts.part import (
    AmplitudeChange,
    ChangeSteepness,
    CombinedCycles,
    ConstantLevel,
    CyclePhase,
    DampedTrend,
    Extrapolation,
    Head,
    LinearTrend,
    NoiseLevel,
    Periodicity,
    PolynomialTrend,
    SmoothVariation,
    SwingGrowth,
    Wandering,
)
from autostatistician.describe.words.amounts import around, around_rates, one_added, slope, within, zero
from autostatistician.describe.words.parts import (
    changes_shape,
    doubtful,
    every,
    find,
    head_of,
    level_texts,
    levelling,
    range_text,
    seen_text,
    size_clause,
    unseen,
)
from autostatistician.describe.words.ranges import is_sure, period_range, place_range, ratio_text
from autostatistician.forms import BAND_SDS
from autostatistician.wording.messages import message, say
from autostatistician.wording.numbers import capital, count, joined, percent

__all__ = ["description", "extrapolation"]

_OPEN = 0.9  # a window that opens this far counts as open
_NOTED = 1.1  # a ratio of sizes from which it is said

_FREE = {  # by whether the level moves, or else the slope
    True: message("Its level may change at any time, and nothing pulls it back."),
    False: message("Its slope may change at any time, and nothing pulls it back."),
}
_BOUND = {
    True: message("Its level may change at any time, and what it did is forgotten after {about}."),
    False: message("Its slope may change at any time, and what it did is forgotten after {about}."),
}
_WEEKDAYS = message(
    "Sums over months have a wave of this length where the weekdays differ, because a month has four of some weekdays "
    "and five of others: it says that the days of the week matter, not that something happens every few months."
)


def description(facts: tuple[Fact, ...], units: Units, told_changes: frozenset[float] = frozenset()) -> str:
    """A few sentences on one part; changes at places that are ``told_changes`` are not described again."""
    head = head_of(facts)
    changes = [fact for fact in facts if isinstance(fact, ChangeSteepness) and fact.location not in told_changes]
    is_told = isinstance(head, LinearTrend | ConstantLevel) or (isinstance(head, NoiseLevel) and not _differs(facts))
    size = "" if is_told else size_clause(facts, units)
    sentences = (
        _what(head, facts, units),
        say("{size}.", size=capital(size)) if size else "",
        _growth(facts),
        *(_change(change, units) for change in changes),
    )
    return " ".join(filter(None, sentences))


def _what(head: Head, facts: tuple[Fact, ...], units: Units) -> str:
    match head:
        case NoiseLevel():
            return say("No value shows it.") if unseen(facts) else "" if _differs(facts) else _noise(head, units)
        case ConstantLevel(levels=stretches) if stretches:
            shown = [_behind(range_text(stretch, units)) for stretch in stretches]
            return say("The level is {levels}.", levels=joined(level_texts(stretches, units, shown)))
        case ConstantLevel():
            return say("It is the same for every value.")
        case SmoothVariation(number=scale):
            return _smooth(head, scale, units)
        case Wandering(rough=rough, free=True):
            return say(_FREE[rough])
        case Wandering(rough=rough, number=scale):
            return say(_BOUND[rough], about=about(scale, units))
        case DampedTrend():
            return say("Its slope is forgotten over {about}; a new rise or fall may set in at any time.",
                       about=about(head.number, units))  # fmt: skip
        case LinearTrend():
            return _line(head, units)
        case PolynomialTrend(number=degree):
            return say("It is a polynomial of degree {degree}.", degree=int(degree))
        case Periodicity():
            return _cycle(head, find(facts, CyclePhase), units)
        case CombinedCycles():
            return say("Each of these cycles scales the swings of the others.")


def _behind(span: str) -> str:
    """A range in brackets after a space; "" for none."""
    return " " + say("(95% range: {range})", range=span) if span else ""


def _differs(facts: tuple[Fact, ...]) -> bool:
    """Whether noise is not of one size."""
    return find(facts, AmplitudeChange) is not None and not unseen(facts)


def _noise(head: NoiseLevel, units: Units) -> str:
    nearly_all = BAND_SDS * head.number
    if not head.visible:
        return say("If there is any, 95% of it lies {within}.", within=within(nearly_all, units))
    if units.counts:
        close = around(nearly_all, units) if head.rates is None else around_rates(head.rates)
        return say("Of the expected values, 95% lie {around} the rest of the model.", around=close)
    told = {"target": units.target, "around": around(nearly_all if head.held is None else head.held, units)}
    return say("Of the values of '{target}', 95% lie {around} the rest of the model.", **told)


def _smooth(head: SmoothVariation, scale: float, units: Units) -> str:
    if head.pace is Pace.SLOW and scale > units.span:
        return say("It takes longer than the data last to change its course.")
    if scale < units.gap:
        return say("It changes from one value to the next, as noise does.")
    return say("It changes its course over {about}: where it heads now says little about later.",
               about=about(scale, units))  # fmt: skip


def _line(head: LinearTrend, units: Units) -> str:
    way = head.direction if is_sure(head.probability) else 0
    by = slope(head.number, head.interval, units, way or 1)
    if way == 0:
        return say("It changes by {slope}: the data leave its direction open.", slope=by)
    text = say("It rises by {slope}.", slope=by) if way > 0 else say("It falls by {slope}.", slope=by)
    if not units.is_odds:
        return text
    near = say(
        "That is at its typical {typical}; near 0% and 100% it changes more slowly.", typical=one_added(0.0, units)
    )
    return f"{text} {near}"


def _cycle(head: Periodicity, phase: CyclePhase | None, units: Units) -> str:
    often = f"{every(head, units)}{_behind(period_range(head.number, head.interval, units))}"
    if doubtful(head, units):
        return say(
            "It looks like a pattern that repeats {every}. The data show it only {times}, so it may be no cycle at "
            "all: over so short a stretch a curve that will never repeat can look the same.",
            every=often, times=seen_text(head),
        )  # fmt: skip
    if head.exactness is Exactness.LOOSE:
        return say("It rises and falls about once {every}, but so irregularly that one cycle says little about the "
                   "next.", every=often)  # fmt: skip
    if head.drift is None:
        first = say("It repeats exactly {every}.", every=often)
    elif changes_shape(head):
        first = say("It repeats {every}; cycles close to each other look alike, distant ones may differ.", every=often)
    else:
        first = say("It repeats {every}.", every=often)
    return " ".join(filter(None, [first, _inside(head, units), _last_peak(phase, units)]))


def _inside(fact: Periodicity, units: Units) -> str:
    """How a cycle runs within itself."""
    if fact.weekdays:
        return say(_WEEKDAYS)
    if fact.waves > 1:
        return say("Within each cycle it rises and falls {number} times.", number=count(fact.waves))
    if fact.detail is None or fact.detail > 0.5 * fact.number:
        return say("Within each cycle it rises and falls once, like a wave.")
    if fact.detail < units.gap:
        return ""
    return say("Within each cycle it changes course within about {length}.", length=length(fact.detail, units))


def _last_peak(phase: CyclePhase | None, units: Units) -> str:
    if phase is None or phase.kind:
        return ""
    return say("Its last peak within the data lies {around}.", around=around_place(place(phase.number, units)))


def _growth(facts: tuple[Fact, ...]) -> str:
    """How many times as large a part is at the end of the data as at their start, where that is known."""
    change, grown = find(facts, AmplitudeChange), find(facts, SwingGrowth)
    fact = grown if change is None else change
    if fact is None or fact.interval is None or unseen(facts) or not is_sure(fact.probability):
        return ""
    if fact.interval[0] <= 1.0 <= fact.interval[1] or 1.0 / _NOTED < fact.number < _NOTED or fact.interval[1] == inf:
        return ""
    if change is not None:
        return say("At the end of the data its size is {times} as large as at the start.",
                   times=ratio_text(fact.number, fact.interval))  # fmt: skip
    return say("In the last third of the data its swings are {times} as large as in the first.",
               times=ratio_text(fact.number, fact.interval))  # fmt: skip


def _change(change: ChangeSteepness, units: Units) -> str:
    """How long a change takes, and where it lies."""
    told = {"place": around_place(place(change.location, units)), "length": length(change.number, units)}
    span = change.location_interval
    between = place_range(span, units) if span is not None and span[0] <= change.location <= span[1] else ""
    lies = " " + say("(95% range of its place: {between})", between=between) if between else ""
    if change.openness < _OPEN and change.inside:
        return say("It is so short that it reaches only {share} of its full size.", share=percent(change.openness))
    if change.abrupt:
        return say("The change {place}{lies} is abrupt.", lies=lies, **told)
    return say("The change {place}{lies} takes about {length}.", lies=lies, **told)


# --- beyond the data --------------------------------------------------------------------------------------------------


def extrapolation(facts: tuple[Fact, ...], units: Units) -> str:
    """What the model assumes of a part beyond the data, in one to three sentences."""
    head, bounds = head_of(facts), find(facts, Extrapolation)
    if bounds is not None and bounds.ended:
        return say("It has ended before the end of the data and adds nothing to the forecast.")
    if bounds is not None and isfinite(bounds.begins):
        return say("It sets in only {when}; the data say nothing about it.",
                   when=around_place(place(bounds.begins, units)))  # fmt: skip
    ends = bounds is not None and isfinite(bounds.number)
    sentences = (
        _goes_on(head, units),
        say("The data show it only {times}, so this is a guess.", times=seen_text(head))
        if isinstance(head, Periodicity) and doubtful(head, units) else "",
        _size_goes_on(find(facts, AmplitudeChange)),
        say("It ends {when}.", when=around_place(place(bounds.number, units))) if ends and bounds is not None else "",
    )  # fmt: skip
    return " ".join(filter(None, sentences))


def _goes_on(head: Head, units: Units) -> str:
    match head:
        case NoiseLevel():
            return say("Single values scatter on as before.")
        case ConstantLevel():
            return say("The level stays as it is.")
        case LinearTrend():
            return _line_goes_on(head)
        case PolynomialTrend():
            return say("It goes on by the same formula; such curves run away quickly, so distrust distant forecasts.")
        case Periodicity():
            return _cycle_goes_on(head, units)
        case CombinedCycles(cycles=cycles):
            return _cycle_goes_on(cycles[0], units)
        case _:
            return _curve_goes_on(head, units)


def _curve_goes_on(head: SmoothVariation | Wandering | DampedTrend, units: Units) -> str:
    match head:
        case SmoothVariation(number=scale) if scale < units.gap:
            return say("It cannot be foreseen.")
        case SmoothVariation(number=scale):
            return say("Its course is known for about another {length} at most; beyond that it returns to {zero}.",
                       length=length(scale, units), zero=zero(units))  # fmt: skip
        case Wandering(free=True, rough=True):
            return say("It may go either way, so the forecast stays near its last value and the range widens.")
        case Wandering(free=True) | DampedTrend(lasting=True):
            return say("Its last slope carries on at first; where it turns next is unknown, so ranges widen quickly.")
        case Wandering(number=scale):
            return say("Its last values fade out of the forecast over {time}.", time=about(scale, units))
        case DampedTrend():
            return say("Its last slope fades: within about {time} it levels off.", time=levelling(head, units))


def _line_goes_on(head: LinearTrend) -> str:
    if head.direction == 0 or not is_sure(head.probability):
        return say("It goes on straight, in a direction that is uncertain.")
    return say("It goes on at this rate.")


def _cycle_goes_on(head: Periodicity, units: Units) -> str:
    if head.drift is None:
        return say("It goes on so without end.")
    if head.steady and head.exactness is not Exactness.LOOSE:
        return say("The next cycles should look much like the last ones.")
    return say("It goes on about {every}, but the forecast of it flattens over {time}: its shape keeps changing.",
               every=every(head, units), time=about(head.drift, units))  # fmt: skip


def _size_goes_on(change: AmplitudeChange | None) -> str:
    if change is None or not is_sure(change.probability):
        return ""
    if change.kind in (Growth.GROWS, Growth.AWAY):
        return say("Its size goes on growing.")
    return say("Its size goes on shrinking at first.") if change.kind is Growth.SHRINKS else ""
