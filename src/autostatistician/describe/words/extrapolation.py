"""Facts to what happens beyond the data: what the model assumes of each component, in words."""

from __future__ import annotations

from math import isfinite

from autostatistician.describe.axis.cycles import cycle
from autostatistician.describe.axis.lengths import about, length
from autostatistician.describe.axis.places import place
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.fact import Fact
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
from autostatistician.describe.words.hedges import does, probably
from autostatistician.describe.words.nouns import doubtful, every, find, head_of, levelling, seen_text, swings

__all__ = ["extrapolation"]

PLACED = 0.25  # of the span of the data: a place that is known no better is not told


def extrapolation(facts: tuple[Fact, ...], units: Units) -> str:
    """One to three sentences on a component beyond the data."""
    bounds = find(facts, Extrapolation)
    if bounds is not None and bounds.ended:
        when = f" ({place(bounds.number, units)})" if isfinite(bounds.number) else ""
        return f"This part has ended before the end of the data{when}, so it adds nothing to the forecast."
    if bounds is not None and isfinite(bounds.begins):
        return f"This part sets in only around {place(bounds.begins, units)}; the data tell nothing about it."
    sentences = [_goes_on(head_of(facts), facts, units), _size_goes_on(facts, units), _end(bounds, units)]
    return " ".join(sentence for sentence in sentences if sentence)


def _end(bounds: Extrapolation | None, units: Units) -> str:
    """When the part is assumed to end, where that lies beyond the data."""
    finite = bounds is not None and isfinite(bounds.number)
    return f"It ends around {place(bounds.number, units)}." if bounds is not None and finite else ""


def _goes_on(head: Head, facts: tuple[Fact, ...], units: Units) -> str:
    match head:
        case NoiseLevel():
            return _noise_goes_on(head, units)
        case ConstantLevel():
            return "The level is assumed to stay as it is."
        case SmoothVariation() | RapidVariation() | MultiscaleVariation():
            return _smooth_goes_on(head, find(facts, Trend), units)
        case Wandering() | DampedTrend():
            return _wandering_goes_on(head, units)
        case LinearTrend(direction=0):
            return "The line is assumed to go on straight, in a direction that is uncertain."
        case LinearTrend(number=gradient, direction=sign, probability=sure):
            verb, by = "rises" if sign > 0 else "falls", slope(gradient, None, units, sign)
            if probably(sure):
                return f"The line is assumed to go on straight; it probably {verb}, by {by}."
            return f"The line is assumed to go on {'rising' if sign > 0 else 'falling'} by {by}."
        case PolynomialTrend():
            return (
                "The curve is assumed to go on by the same formula; such curves run away quickly, "
                "so distant forecasts deserve distrust."
            )
        case Periodicity() if doubtful(head, units):
            seen = f"The data show it only {seen_text(head)}, so this is a guess."
            return f"{_cycles_go_on(head, find(facts, AmplitudeChange) is not None, units)} {seen}"
        case Periodicity() | CombinedCycles():
            return _cycles_go_on(head, find(facts, AmplitudeChange) is not None, units)


def _noise_goes_on(head: NoiseLevel, units: Units) -> str:
    if units.counts:
        what = "share" if units.is_odds else "rate"
        return f"Chance goes on, so single values stay uncertain, however good the forecast of the {what}."
    if not head.visible:
        return "The model goes on without noise that can be seen."
    return "The noise goes on, so single values stay uncertain, however good the rest of the forecast."


def _smooth_goes_on(
    head: SmoothVariation | RapidVariation | MultiscaleVariation, trend: Trend | None, units: Units
) -> str:
    scale = length(head.number, units)
    match head:
        case RapidVariation() if head.number < units.gap:
            return f"The data determine its course no further than they reach. {_forgotten(units)}"
        case RapidVariation():
            return f"The data determine its course for another {scale.removeprefix('1 ')} at most. {_forgotten(units)}"
        case SmoothVariation(slow=True):
            first = "continues smoothly"
            if trend and trend.steady:
                going = f"goes on {'rising' if trend.direction > 0 else 'falling'} smoothly at first"
                first = f"probably {going}" if probably(trend.probability) else going
            return (
                f"The trend {first}. Its band widens, and far beyond the data (over more than {scale}) the forecast of "
                f"it returns to {zero(units)}."
            )
        case _:
            further = (
                f"for roughly another {scale.removeprefix('1 ')}"
                if head.number >= units.gap
                else "no further than they reach"
            )
            return f"The data determine its course {further}. {_forgotten(units)}"


def _forgotten(units: Units) -> str:
    return f"Beyond that, the forecast takes it as {zero(units)}, give or take its usual ups and downs."


def _wandering_goes_on(head: Wandering | DampedTrend, units: Units) -> str:
    if isinstance(head, DampedTrend):
        return _damped_goes_on(head, units)
    if not head.free:
        return f"Its last values fade out of the forecast over {about(head.number, units)}. {_forgotten(units)}"
    if head.rough:
        return (
            "It may move either way, so the forecast of it stays near its last value, and its band widens with the "
            "distance."
        )
    return "Its last slope carries on at first; where it turns next cannot be told, so its band widens quickly."


def _damped_goes_on(head: DampedTrend, units: Units) -> str:
    if head.lasting:
        return "Its last slope carries on and changes only slowly; how it changes cannot be told, so its band widens."
    return (
        f"Its last slope carries on at first, less and less: within about {levelling(head, units)} the forecast of it "
        "levels off. New rises or falls cannot be told in advance, so its band widens with the distance."
    )


def _cycles_go_on(head: Periodicity | CombinedCycles, resized: bool, units: Units) -> str:
    cycles = head.cycles if isinstance(head, CombinedCycles) else (head,)
    first = cycles[0]
    if first.drift is None:
        if len(cycles) > 1:
            same = "in the same shape" if resized else "exactly as they are"
            return f"The cycles are assumed to go on {same}, without end."
        exactly = (
            f"come back {every(first, units)} in the same shape,"
            if resized
            else f"repeat exactly {every(first, units)}"
        )
        return f"The pattern is assumed to {exactly} without end."
    dated = cycle(first.number, units).named and first.exactness is not Exactness.LOOSE
    unknown = "in what shape, or how large" if dated else "exactly when, or how large"
    fades = (
        f"its shape goes on changing, so over {about(first.drift, units)} the forecast of it flattens towards "
        f"{zero(units)}: later cycles will come, but the model cannot tell {unknown}."
    )
    if first.exactness is Exactness.LOOSE:
        return f"The rhythm is assumed to go on, but {fades}"
    repeats = f"repeat {every(first, units)}" if len(cycles) == 1 else "go on with the same periods"
    if first.steady:
        return (
            f"The pattern is assumed to {repeats}; its shape changes so slowly "
            f"(over {about(first.drift, units)}) that the next cycles should look like the last ones."
        )
    return f"The pattern is assumed to {repeats}, but {fades}"


def _size_goes_on(facts: tuple[Fact, ...], units: Units) -> str:
    change = find(facts, AmplitudeChange)
    if change is None:
        return ""
    noun, sure = swings(head_of(facts)), change.probability
    plural = noun != "size"
    goes = f"Its {noun} {does('go', '' if plural else 'es', sure)} on"
    if change.kind in (Growth.GROWS, Growth.AWAY):
        return f"{goes} growing {'in the same way' if change.degree > 1 else 'in a straight line'}."
    if change.kind is Growth.POLYNOMIAL:
        return f"{goes} changing by the same formula."
    near = change.location is not None and change.location <= units.last + units.span
    if change.location is not None and near and not _is_placed(change, units):
        return f"{goes} shrinking at first."
    if change.location is not None and near:
        turn = place(max(change.location, units.last), units)
        grow = f"grow{'' if plural or does('go', 'es', sure).startswith('may') else 's'}"
        return f"{goes} shrinking until around {turn} and then {grow} again."
    return f"{goes} shrinking in the same way."


def _is_placed(change: AmplitudeChange, units: Units) -> bool:
    """Whether it is known when the swings would be smallest; a range that is not known is not wide."""
    span = change.location_interval
    return span is None or span[1] - span[0] <= PLACED * units.span
