"""Facts to what happens beyond the data: what the model assumes of each component, in words."""

from __future__ import annotations

from math import isfinite

from autostatistician.describe.axis.cycles import cycle
from autostatistician.describe.axis.lengths import about, length, uncounted
from autostatistician.describe.axis.places import around_place, place
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.judgement import LIKELY
from autostatistician.describe.facts.kinds import Exactness, Growth
from autostatistician.describe.facts.part import (
    AmplitudeChange,
    CombinedCycles,
    ConstantLevel,
    DampedTrend,
    Extrapolation,
    Head,
    LinearTrend,
    MultiscaleVariation,
    NoiseLevel,
    Periodicity,
    PolynomialTrend,
    RapidVariation,
    SmoothVariation,
    Trend,
    Wandering,
)
from autostatistician.describe.words.amounts import slope, zero
from autostatistician.describe.words.growth import swings
from autostatistician.describe.words.nouns import doubtful, every, find, head_of, levelling, seen_text
from autostatistician.describe.words.ranges import hedged, is_sure
from autostatistician.wording.messages import message, say

__all__ = ["extrapolation"]

PLACED = 0.25  # of the span of the data: a place that is known no better is not told


def extrapolation(facts: tuple[Fact, ...], units: Units) -> str:
    """One to three sentences on a component beyond the data."""
    bounds = find(facts, Extrapolation)
    if bounds is not None and bounds.ended:
        if isfinite(bounds.number):
            where = place(bounds.number, units)
            return say(
                "This part has ended before the end of the data ({place}), so it adds nothing to the forecast.",
                place=where,
            )  # fmt: skip
        return say("This part has ended before the end of the data, so it adds nothing to the forecast.")
    if bounds is not None and isfinite(bounds.begins):
        where = around_place(place(bounds.begins, units))
        return say("This part sets in only {when}; the data tell nothing about it.", when=where)
    sentences = [_goes_on(head_of(facts), facts, units), _size_goes_on(facts, units), _end(bounds, units)]
    return " ".join(sentence for sentence in sentences if sentence)


def _end(bounds: Extrapolation | None, units: Units) -> str:
    """When the part is assumed to end, where that lies beyond the data."""
    if bounds is None or not isfinite(bounds.number):
        return ""
    return say("It ends {when}.", when=around_place(place(bounds.number, units)))


def _goes_on(head: Head, facts: tuple[Fact, ...], units: Units) -> str:
    match head:
        case NoiseLevel():
            return _noise_goes_on(head, units)
        case ConstantLevel():
            return say("The level is assumed to stay as it is.")
        case SmoothVariation() | RapidVariation() | MultiscaleVariation():
            return _smooth_goes_on(head, find(facts, Trend), units)
        case Wandering() | DampedTrend():
            return _wandering_goes_on(head, units)
        case LinearTrend():
            return _line_goes_on(head, units)
        case PolynomialTrend():
            return say(
                "The curve is assumed to go on by the same formula; such curves run away quickly, so distant forecasts "
                "deserve distrust."
            )
        case Periodicity() if doubtful(head, units):
            seen = say("The data show it only {times}, so this is a guess.", times=seen_text(head))
            return f"{_cycles_go_on(head, find(facts, AmplitudeChange) is not None, units)} {seen}"
        case Periodicity() | CombinedCycles():
            return _cycles_go_on(head, find(facts, AmplitudeChange) is not None, units)


def _line_goes_on(head: LinearTrend, units: Units) -> str:
    if head.direction == 0:
        return say("The line is assumed to go on straight, in a direction that is uncertain.")
    by, rises = slope(head.number, None, units, head.direction), head.direction > 0
    if not is_sure(head.probability):
        return (
            say("The line is assumed to go on straight; it probably rises, by {by}.", by=by)
            if rises
            else say("The line is assumed to go on straight; it probably falls, by {by}.", by=by)
        )
    return (
        say("The line is assumed to go on rising by {by}.", by=by)
        if rises
        else say("The line is assumed to go on falling by {by}.", by=by)
    )


def _noise_goes_on(head: NoiseLevel, units: Units) -> str:
    if units.counts and units.is_odds:
        return say("Chance goes on, so single values stay uncertain, however good the forecast of the share.")
    if units.counts:
        return say("Chance goes on, so single values stay uncertain, however good the forecast of the rate.")
    if not head.visible:
        return say("The model goes on without noise that can be seen.")
    return say("The noise goes on, so single values stay uncertain, however good the rest of the forecast.")


def _smooth_goes_on(
    head: SmoothVariation | RapidVariation | MultiscaleVariation, trend: Trend | None, units: Units
) -> str:
    if isinstance(head, SmoothVariation) and head.slow:
        return _slow_goes_on(head, trend, units)
    ahead = uncounted(length(head.number, units))
    if head.number < units.gap:
        first = say("The data determine its course no further than they reach.")
    elif isinstance(head, RapidVariation):
        first = say("The data determine its course for another {length} at most.", length=ahead)
    else:
        first = say("The data determine its course for roughly another {length}.", length=ahead)
    return f"{first} {_forgotten(units)}"


def _slow_goes_on(head: SmoothVariation, trend: Trend | None, units: Units) -> str:
    start = say("The trend continues smoothly.")
    if trend and trend.steady:
        start = say(_SMOOTHLY[trend.direction > 0, not is_sure(trend.probability)])
    fades = say(
        "Its band widens, and far beyond the data (over more than {length}) the forecast of it returns to {zero}.",
        length=length(head.number, units), zero=zero(units),
    )  # fmt: skip
    return f"{start} {fades}"


_SMOOTHLY = {  # by whether it rises, and whether that is open
    (True, False): message("The trend goes on rising smoothly at first."),
    (True, True): message("The trend probably goes on rising smoothly at first."),
    (False, False): message("The trend goes on falling smoothly at first."),
    (False, True): message("The trend probably goes on falling smoothly at first."),
}


def _forgotten(units: Units) -> str:
    return say("Beyond that, the forecast takes it as {zero}, give or take its usual ups and downs.", zero=zero(units))


def _wandering_goes_on(head: Wandering | DampedTrend, units: Units) -> str:
    if isinstance(head, DampedTrend):
        return _damped_goes_on(head, units)
    if not head.free:
        fades = say("Its last values fade out of the forecast over {time}.", time=about(head.number, units))
        return f"{fades} {_forgotten(units)}"
    if head.rough:
        return say(
            "It may move either way, so the forecast of it stays near its last value, and its band widens with the "
            "distance."
        )
    return say("Its last slope carries on at first; where it turns next cannot be told, so its band widens quickly.")


def _damped_goes_on(head: DampedTrend, units: Units) -> str:
    if head.lasting:
        return say(
            "Its last slope carries on and changes only slowly; how it changes cannot be told, so its band widens."
        )
    return say(
        "Its last slope carries on at first, less and less: within about {time} the forecast of it levels off. New "
        "rises or falls cannot be told in advance, so its band widens with the distance.",
        time=levelling(head, units),
    )  # fmt: skip


def _cycles_go_on(head: Periodicity | CombinedCycles, resized: bool, units: Units) -> str:
    cycles = head.cycles if isinstance(head, CombinedCycles) else (head,)
    first, several, again = cycles[0], len(cycles) > 1, every(cycles[0], units)
    if first.drift is None:
        return say(_WITHOUT_END[several, resized], every=again)
    over = about(first.drift, units)
    if first.steady and first.exactness is not Exactness.LOOSE:
        return (
            say("The pattern is assumed to go on with the same periods; its shape changes so slowly (over {time}) that "
                "the next cycles should look like the last ones.", time=over)
            if several
            else say("The pattern is assumed to repeat {every}; its shape changes so slowly (over {time}) that the "
                     "next cycles should look like the last ones.", every=again, time=over)
        )  # fmt: skip
    fades = _flattens(first, over, units)
    if first.exactness is Exactness.LOOSE:
        return say("The rhythm is assumed to go on, but {fades}", fades=fades)
    if several:
        return say("The pattern is assumed to go on with the same periods, but {fades}", fades=fades)
    return say("The pattern is assumed to repeat {every}, but {fades}", every=again, fades=fades)


_WITHOUT_END = {  # by whether there are several cycles, and whether their size changes
    (True, True): message("The cycles are assumed to go on in the same shape, without end."),
    (True, False): message("The cycles are assumed to go on exactly as they are, without end."),
    (False, True): message("The pattern is assumed to come back {every} in the same shape, without end."),
    (False, False): message("The pattern is assumed to repeat exactly {every} without end."),
}


def _flattens(first: Periodicity, over: str, units: Units) -> str:
    """That forecasts of a cycle whose shape changes flatten, for the end of a sentence."""
    if cycle(first.number, units).named and first.exactness is not Exactness.LOOSE:
        return say(
            "its shape goes on changing, so over {time} the forecast of it flattens towards {zero}: later cycles will "
            "come, but the model cannot tell in what shape, or how large.", time=over, zero=zero(units),
        )  # fmt: skip
    return say(
        "its shape goes on changing, so over {time} the forecast of it flattens towards {zero}: later cycles will "
        "come, but the model cannot tell exactly when, or how large.", time=over, zero=zero(units),
    )  # fmt: skip


def _size_goes_on(facts: tuple[Fact, ...], units: Units) -> str:
    change = find(facts, AmplitudeChange)
    if change is None:
        return ""
    kind = swings(head_of(facts))
    goes = say(hedged(change.probability, *_GOES[kind]))
    if change.kind in (Growth.GROWS, Growth.AWAY):
        if change.degree > 1:
            return say("{its_size_goes} on growing in the same way.", its_size_goes=goes)
        return say("{its_size_goes} on growing in a straight line.", its_size_goes=goes)
    if change.kind is Growth.POLYNOMIAL:
        return say("{its_size_goes} on changing by the same formula.", its_size_goes=goes)
    if change.location is None or change.location > units.last + units.span:
        return say("{its_size_goes} on shrinking in the same way.", its_size_goes=goes)
    if not _is_placed(change, units):
        return say("{its_size_goes} on shrinking at first.", its_size_goes=goes)
    turn = place(max(change.location, units.last), units)
    if kind == "size" and (change.probability is None or change.probability >= LIKELY):
        return say("{its_size_goes} on shrinking until around {turn} and then grows again.", its_size_goes=goes,
                   turn=turn)  # fmt: skip
    return say("{its_size_goes} on shrinking until around {turn} and then grow again.", its_size_goes=goes, turn=turn)


# The beginning of a sentence on what changes with the size of a component: sure, probable and possible.
_GOES = {
    "size": (message("Its size goes"), message("Its size probably goes"), message("Its size may go")),
    "steps": (message("Its steps go"), message("Its steps probably go"), message("Its steps may go")),
    "swings": (message("Its swings go"), message("Its swings probably go"), message("Its swings may go")),
}


def _is_placed(change: AmplitudeChange, units: Units) -> bool:
    """Whether it is known when the swings would be smallest; a range that is not known is not wide."""
    span = change.location_interval
    return span is None or span[1] - span[0] <= PLACED * units.span
