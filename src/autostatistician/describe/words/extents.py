"""Facts to sentences on extent: how big a component is, how its size changes, where it applies, how steep that is."""

from __future__ import annotations

from math import isfinite

from autostatistician.describe.axis.lengths import length
from autostatistician.describe.axis.places import place
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.part import (
    ActiveInterval,
    Amplitude,
    AmplitudeChange,
    ChangeSteepness,
    ConstantLevel,
    Head,
    LevelStretch,
    LinearTrend,
    NoiseLevel,
    SwingGrowth,
    Trend,
    TrendCourse,
)
from autostatistician.describe.words.amounts import added, around, around_rates, levels, within
from autostatistician.describe.words.bends import heads_somewhere
from autostatistician.describe.words.growth import MOST_PLACES, change_text, grown_text
from autostatistician.describe.words.nouns import find, interval_phrase
from autostatistician.describe.words.ranges import around_places, place_range
from autostatistician.forms import BAND_SDS
from autostatistician.wording.messages import message, say, say_as, say_count
from autostatistician.wording.numbers import amount, count, joined, ordinal, percent

__all__ = ["directed", "growth_text", "limited", "range_text", "size_text", "steepness_text", "unseen", "where_text"]

_OPEN = 0.9  # a window that opens this far counts as open
_ALIKE = 0.1  # of a range: where the data and the model differ by more, both are told
_ON_THE_WAY = 0.1  # of the size: how far beyond both ends a part must go before that is told
# Of noise whose size changes, by whether it applies to all of the data.
_WITHIN_ENDS = {
    True: message(
        "Of the values of '{target}', 95% lie within {first} of the rest of the model in the first third of the data, "
        "and within {last} in the last."
    ),
    False: message(
        "Of the values of '{target}', 95% lie within {first} of the rest of the model in the first third of its "
        "stretch, and within {last} in the last."
    ),
}
_LIE_ENDS = {
    True: message(
        "Of the values of '{target}', 95% lie {first} the rest of the model in the first third of the data, and {last} "
        "in the last."
    ),
    False: message(
        "Of the values of '{target}', 95% lie {first} the rest of the model in the first third of its stretch, and "
        "{last} in the last."
    ),
}


def limited(facts: tuple[Fact, ...], units: Units) -> bool:
    """Whether the component applies to a part of the data only."""
    active = find(facts, ActiveInterval)
    return active is not None and interval_phrase(active.shown, units) != ""


def unseen(facts: tuple[Fact, ...]) -> bool:
    """Whether the component applies to none of the data."""
    active = find(facts, ActiveInterval)
    return active is not None and not active.shown


def range_text(head: ConstantLevel | LevelStretch, units: Units) -> str:
    """The 95 % range of a level ("22.88 to 23.3"); "" where it is unknown or too narrow to matter."""
    if head.interval is None or not all(isfinite(bound) for bound in head.interval):
        return ""
    low, high = levels(*head.interval, units, 2)
    narrow = high == low or head.interval[1] - head.interval[0] < 0.01 * units.spread
    return "" if narrow else say("{low} to {high}", low=low, high=high)


# --- how big ---------------------------------------------------------------------------------------------


def size_text(head: Head, facts: tuple[Fact, ...], units: Units) -> str:
    """How large a component is over the data, in one sentence; "" for constants, and where no datum shows it."""
    if isinstance(head, NoiseLevel):
        return _noise_size(head, facts, units)
    size = find(facts, Amplitude)
    if size is None or unseen(facts):
        return ""
    told = _from_end_to_end(size, units) if directed(head, facts) else _between(size, units)
    if limited(facts, units):
        return say("Where it applies {told}.", told=told)
    return say("Over the data {told}.", told=told)


def _between(size: Amplitude, units: Units) -> str:
    if size.is_level:
        low, high = levels(size.low, size.high, units)
        return say_as("there", "it lies between {low} and {high}", low=low, high=high)
    low, high = added(size.low, size.high, units)
    if units.is_odds:
        return say_as(
            "there",
            "it moves '{target}' between {low} and {high}, with all else as usual", target=units.target, low=low,
            high=high,
        )  # fmt: skip
    return say_as("there", "it adds between {low} and {high} to '{target}'", target=units.target, low=low, high=high)


def _from_end_to_end(size: Amplitude, units: Units) -> str:
    first, last = levels(size.first, size.last, units)
    way = _way(size, first, last, units)
    beyond = max(min(size.first, size.last) - size.low, size.high - max(size.first, size.last))
    if beyond > _ON_THE_WAY * size.number:
        way = say_as("there", "{way}, by way of {extremes}", way=way, extremes=_extremes(size, units))
    if units.is_log and not size.is_level and first != last:
        return say_as("there", "{way}, were it the only part", way=way)
    return way


def _way(size: Amplitude, first: str, last: str, units: Units) -> str:
    if size.is_level and first == last:
        return say_as("there", "it begins and ends near {level}", level=first)
    if size.is_level:
        return say_as("there", "it goes from {first} to {last}", first=first, last=last)
    if first == last:
        return say_as("there", "its contribution to '{target}' stays near {level}", target=units.target, level=first)
    if units.is_log:
        return say_as(
            "there", "it takes '{target}' from {first} to {last}", target=units.target, first=first, last=last
        )
    return say_as(
        "there",
        "its contribution to '{target}' goes from {first} to {last}",
        target=units.target,
        first=first,
        last=last,
    )


def _extremes(size: Amplitude, units: Units) -> str:
    """The lowest and the highest value, where they lie beyond both ends."""
    low, high = levels(size.low, size.high, units)
    lowest, highest = sorted((size.first, size.last))
    least = _ON_THE_WAY * size.number
    if lowest - size.low <= least:
        return say("{high} at the highest", high=high)
    if size.high - highest <= least:
        return say("{low} at the lowest", low=low)
    return say("{low} at the lowest and {high} at the highest", low=low, high=high)


def directed(head: Head, facts: tuple[Fact, ...]) -> bool:
    """Whether a part goes one way, so that its ends tell its size."""
    bend = find(facts, TrendCourse)
    if bend is not None and bend.turn:
        return False
    return isinstance(head, LinearTrend) or heads_somewhere(find(facts, Trend)) or bool(bend and bend.direction)


def _noise_size(head: NoiseLevel, facts: tuple[Fact, ...], units: Units) -> str:
    if unseen(facts):
        return ""
    nearly_all = BAND_SDS * head.number
    if units.counts:
        return _count_scatter(head, nearly_all, units)
    if not head.visible:
        return say(
            "The other parts describe the data as exactly as their digits and their number let one see: if there is "
            "any noise, 95% of it lies {within}.",
            within=within(nearly_all, units),
        )
    if find(facts, AmplitudeChange) is None:
        return _scatter(head, units)
    whole = find(facts, ActiveInterval) is None
    if not units.is_log:
        first, last = (f"±{amount(BAND_SDS * sd, 2)}" for sd in (head.first, head.last))
        return say(_WITHIN_ENDS[whole], target=units.target, first=first, last=last)
    first, last = around(BAND_SDS * head.first, units), within(BAND_SDS * head.last, units)
    return say(_LIE_ENDS[whole], target=units.target, first=first, last=last)


def _count_scatter(head: NoiseLevel, nearly_all: float, units: Units) -> str:
    if not head.visible and units.is_odds:
        return say("If the chance itself scatters, 95% of that lies {within}.", within=within(nearly_all, units))
    if not head.visible:
        return say("If the rate itself scatters, 95% of that lies {within}.", within=within(nearly_all, units))
    close = around(nearly_all, units) if head.rates is None else around_rates(head.rates)
    if units.is_odds:
        return say("Of the chances, 95% are expected {around} the rest of the model.", around=close)
    return say("Of the rates, 95% are expected {around} the rest of the model.", around=close)


def _scatter(head: NoiseLevel, units: Units) -> str:
    """Within how far of the rest of the model the values lie, and new ones are expected where that is not the same."""
    expected = BAND_SDS * head.number
    most, nearly_all = head.held or (head.number, expected)
    text = say(
        "Of the values of '{target}', 95% lie {around} the rest of the model, and about two thirds {within}.",
        target=units.target, around=around(nearly_all, units), within=within(most, units),
    )  # fmt: skip
    if abs(expected - nearly_all) <= _ALIKE * nearly_all:
        return text
    new = say("The model expects 95% of new values {within} of it.", within=within(expected, units))
    return f"{text} {new}"


def growth_text(head: Head, facts: tuple[Fact, ...], units: Units) -> str:
    """How its size changes along the data, in one sentence; "" where it does not."""
    if unseen(facts):
        return ""
    change = find(facts, AmplitudeChange)
    if change is None:
        return grown_text(find(facts, SwingGrowth), limited(facts, units))
    return change_text(change, head, units)


# --- when it applies ------------------------------------------------------------------------------------


def where_text(facts: tuple[Fact, ...], units: Units, told_changes: frozenset[float]) -> str:
    """Where it applies and how it begins and ends, in one sentence; "" where it always applies."""
    active = find(facts, ActiveInterval)
    if active is None or not (text := interval_phrase(active.shown, units)):
        return ""
    changes = tuple(fact for fact in facts if isinstance(fact, ChangeSteepness) and fact.location not in told_changes)
    return say("It applies {where}{changes}.", where=text, changes=steepness_text(changes, units))


def steepness_text(changes: tuple[ChangeSteepness, ...], units: Units) -> str:
    """How long changes take and where they lie, after what changes; "" for none."""
    if not changes:
        return ""
    opening = _opening(min(changes, key=lambda change: change.openness))
    lies = _lies(changes, units)
    if all(change.abrupt for change in changes):
        told = _abrupt(len(changes), comma=len(changes) == 1 and lies != "")
    else:
        durations = {length(change.number, units) for change in changes}
        if len(durations) > 1:
            return say("; {changes}{opening}", changes=_speeds(changes, units), opening=opening)
        told = _taking(len(changes), durations.pop())
    return say("; {changes}{places}{opening}", changes=told, places=lies, opening=opening)


def _abrupt(number: int, *, comma: bool) -> str:
    if comma:
        return say("the change is abrupt, within one step of the data,")
    if number == 1:
        return say("the change is abrupt, within one step of the data")
    if number == 2:
        return say("both changes are abrupt, within one step of the data")
    return say("all {number} changes are abrupt, within one step of the data", number=count(number))


def _taking(number: int, duration: str) -> str:
    if number == 1:
        return say("the change takes about {length}", length=duration)
    if number == 2:
        return say("both changes take about {length}", length=duration)
    return say("all {number} changes take about {length}", number=count(number), length=duration)


def _speeds(changes: tuple[ChangeSteepness, ...], units: Units) -> str:
    """How long each change takes, those of equal length together: "the changes around 1948 and 1967 are abrupt"."""
    places = [place(change.location, units) for change in changes]
    have_names = len(set(places)) == len(places)
    names = places if have_names else [ordinal(number) for number in range(1, len(places) + 1)]
    groups: dict[str, list[str]] = {}
    for name, change in zip(names, changes, strict=True):
        groups.setdefault("" if change.abrupt else length(change.number, units), []).append(name)
    return joined([_speed(names, duration, have_names) for duration, names in groups.items()])


def _speed(names: list[str], duration: str, have_names: bool) -> str:
    which = _which(names, have_names)
    if not duration:
        return say_count(len(names), "{changes} is abrupt", "{changes} are abrupt", changes=which)
    return say_count(
        len(names), "{changes} takes about {length}", "{changes} take about {length} each", changes=which,
        length=duration,
    )  # fmt: skip


def _which(names: list[str], have_names: bool) -> str:
    if not have_names:
        return say_count(len(names), "the {which} change", "the {which} changes", which=joined(names))
    where = around_places(names)
    return say_count(len(names), "the change {where}", "the changes {where}", where=where)


def _lies(changes: tuple[ChangeSteepness, ...], units: Units) -> str:
    """The ranges of the places of the changes, where they are wide enough to show and hold the places that are told."""
    spans = [change.location_interval for change in changes]
    if any(
        span is not None and not span[0] <= change.location <= span[1]
        for change, span in zip(changes, spans, strict=True)
    ):
        return ""
    ranges = [place_range(change.location_interval, units) for change in changes]
    if not all(ranges) or len(ranges) > MOST_PLACES:
        return ""
    if len(ranges) == 1:
        return say(" and lies {between} (95% range)", between=ranges[0])
    return say("; they lie {between} and {other} (95% ranges)", between=ranges[0], other=ranges[1])


def _opening(change: ChangeSteepness) -> str:
    """What the middle of a window is like that is too narrow for its gradual edges."""
    if change.openness >= _OPEN:
        return ""
    if change.inside:
        share = percent(change.openness)
        return say(", and even at its height it has only {share} of its full size", share=share)
    return say(", and even in between {share} of its size remains", share=percent(1.0 - change.openness))
