"""Facts to sentences on extent: how big a component is, how its size changes, where it applies, how steep that is."""

from __future__ import annotations

from math import isfinite

from autostatistician.describe.axis.lengths import along, length
from autostatistician.describe.axis.places import place
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.judgement import LIKELY
from autostatistician.describe.facts.kinds import Growth
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
from autostatistician.describe.words.amounts import added, around, levels, within
from autostatistician.describe.words.hedges import be, does, probably
from autostatistician.describe.words.nouns import (
    MOST_PLACES,
    find,
    grown,
    heads_somewhere,
    interval_phrase,
    places_text,
    swings,
)
from autostatistician.describe.words.ranges import place_range, ratio_text
from autostatistician.forms import BAND_SDS
from autostatistician.wording.numbers import amount, count, joined, ordinal, percent

__all__ = ["directed", "growth_text", "limited", "range_text", "size_text", "steepness_text", "unseen", "where_text"]

_OPEN = 0.9  # a window that opens this far counts as open
_MUCH = 50.0  # a ratio of sizes from which one speaks of "almost nothing"
_NOTED = 1.1  # a ratio of swings from which their growth is told
_ALIKE = 0.1  # of a range: where the data and the model differ by more, both are told
_ON_THE_WAY = 0.1  # of the size: how far beyond both ends a part must go before that is told


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
    return "" if narrow else f"{low} to {high}"


# --- how big ---------------------------------------------------------------------------------------------


def size_text(head: Head, facts: tuple[Fact, ...], units: Units) -> str:
    """How large a component is over the data, in one sentence; "" for constants, and where no datum shows it."""
    if isinstance(head, NoiseLevel):
        return _noise_size(head, facts, units)
    size = find(facts, Amplitude)
    if size is None or unseen(facts):
        return ""
    where = "Where it applies" if limited(facts, units) else "Over the data"
    if directed(head, facts):
        return f"{where} {_from_end_to_end(size, units)}."
    if size.is_level:
        low, high = levels(size.low, size.high, units)
        return f"{where} it lies between {low} and {high}."
    low, high = added(size.low, size.high, units)
    if units.is_odds:
        return f"{where} it moves '{units.target}' between {low} and {high}, with all else as usual."
    return f"{where} it adds between {low} and {high} to '{units.target}'."


def _from_end_to_end(size: Amplitude, units: Units) -> str:
    first, last = levels(size.first, size.last, units)
    beyond = max(min(size.first, size.last) - size.low, size.high - max(size.first, size.last))
    by_way = f", by way of {' and '.join(_extremes(size, units))}" if beyond > _ON_THE_WAY * size.number else ""
    if size.is_level and first == last:
        return f"it begins and ends near {first}{by_way}"
    if size.is_level:
        return f"it goes from {first} to {last}{by_way}"
    if first == last:
        return f"its contribution to '{units.target}' stays near {first}{by_way}"
    if units.is_log:
        return f"it takes '{units.target}' from {first} to {last}{by_way}, were it the only part"
    return f"its contribution to '{units.target}' goes from {first} to {last}{by_way}"


def _extremes(size: Amplitude, units: Units) -> list[str]:
    """The lowest and the highest value, where they lie beyond both ends."""
    texts = levels(size.low, size.high, units)
    lowest, highest = sorted((size.first, size.last))
    least = _ON_THE_WAY * size.number
    extremes = [(f"{texts[0]} at the lowest", lowest - size.low > least)]
    extremes.append((f"{texts[1]} at the highest", size.high - highest > least))
    return [text for text, beyond in extremes if beyond]


def directed(head: Head, facts: tuple[Fact, ...]) -> bool:
    """Whether a part goes one way, so that its ends tell its size."""
    bend = find(facts, TrendCourse)
    if bend is not None and bend.turn:
        return False
    return isinstance(head, LinearTrend) or heads_somewhere(find(facts, Trend)) or bool(bend and bend.direction)


def _noise_size(head: NoiseLevel, facts: tuple[Fact, ...], units: Units) -> str:
    if unseen(facts):
        return ""
    if units.counts:
        if not head.visible:
            rate = "chance" if units.is_odds else "rate"
            return f"If the {rate} itself scatters, 95% of that lies {within(BAND_SDS * head.number, units)}."
        rates = "chances" if units.is_odds else "rates"
        return f"Of the {rates}, 95% are expected {around(BAND_SDS * head.number, units)} the rest of the model."
    if not head.visible:
        return (
            "The other parts describe the data as exactly as their digits and their number let one see: if there is "
            f"any noise, 95% of it lies {within(BAND_SDS * head.number, units)}."
        )
    if find(facts, AmplitudeChange) is None:
        return _scatter(head, units)
    first, last = amount(BAND_SDS * head.first, 2), amount(BAND_SDS * head.last, 2)
    whole = find(facts, ActiveInterval) is None
    start, end = f"in the first third of {'the data' if whole else 'its stretch'}", "in the last"
    if units.is_log:
        first, last = around(BAND_SDS * head.first, units), within(BAND_SDS * head.last, units)
        return f"Of the values of '{units.target}', 95% lie {first} the rest of the model {start}, and {last} {end}."
    return (
        f"Of the values of '{units.target}', 95% lie within ±{first} of the rest of the model {start}, "
        f"and within ±{last} {end}."
    )


def _scatter(head: NoiseLevel, units: Units) -> str:
    """Within how far of the rest of the model the values lie, and new ones are expected where that is not the same."""
    expected = BAND_SDS * head.number
    most, nearly_all = head.held or (head.number, expected)
    text = (
        f"Of the values of '{units.target}', 95% lie {around(nearly_all, units)} the rest of the model, and about two "
        f"thirds {within(most, units)}."
    )
    if abs(expected - nearly_all) <= _ALIKE * nearly_all:
        return text
    return f"{text} The model expects 95% of new values {within(expected, units)} of it."


def growth_text(head: Head, facts: tuple[Fact, ...], units: Units) -> str:
    """How its size changes along the data, in one sentence; "" where it does not."""
    change = find(facts, AmplitudeChange)
    if unseen(facts):
        return ""
    if change is None:
        return _grown(find(facts, SwingGrowth), limited(facts, units))
    noun, sure = swings(head), change.probability
    plural = noun != "size"
    what, verb = (f"The {noun}", "are") if plural else ("Its size", "is")
    s = "" if plural else "s"
    match change.kind:
        case Growth.GROWS | Growth.SHRINKS:
            grows = change.kind is Growth.GROWS
            how = (
                f"in a straight line {along(units)}"
                if change.degree == 1
                else f"{'faster and faster' if grows else 'more and more slowly'} {along(units)}"
            )
            best = "in the best fit, " if sure is not None and sure < LIKELY else ""
            ends = (
                ("in the last third", "in the first")
                if isinstance(head, NoiseLevel)
                else ("at the end", "at the start")
            )
            return f"{what} {does('grow' if grows else 'shrink', s, sure)} {how}: {best}{_ratio(change, verb, ends)}."
        case Growth.AWAY:
            assert change.location is not None
            return (
                f"{what} {be(verb, sure)} smallest around {place(change.location, units)} and grow{s} in a straight "
                "line with the distance from there."
            )
        case _ if 0 < len(change.places) <= MOST_PLACES:
            return f"{what} {be(verb, sure)} smallest {places_text(change.places, units)}, and larger on both sides."
        case _:
            return f"{what} change{s} {along(units)}."


def _grown(fact: SwingGrowth | None, limited: bool) -> str:
    """How the swings of a cycle came out whose model says nothing about their growth."""
    if fact is None or not grown(fact, _NOTED):
        return ""
    stretch, times = "its stretch" if limited else "the data", ratio_text(fact.number, fact.interval)
    return f"In the last third of {stretch} its swings are {times} as large as in the first."


def _ratio(change: AmplitudeChange, verb: str, ends: tuple[str, str]) -> str:
    (last, first), they, ratio = ends, "they are" if verb == "are" else "it is", change.number
    if ratio > _MUCH:
        return f"at first {they} almost nothing"
    if ratio < 1 / _MUCH:
        return f"in the end {they} almost nothing"
    if ratio >= 1.995:
        has_range = probably(change.probability) == "" and change.interval and change.interval[1] < _MUCH
        times = ratio_text(ratio, change.interval if has_range else None)
        return f"{last} {they} {times} as large as {first}"
    share = ratio - 1.0
    return f"{last} {they} {_about(abs(share))} {'larger' if share >= 0 else 'smaller'} than {first}"


def _about(share: float) -> str:
    return percent(share) if share < 0.01 else f"{amount(100.0 * share, 2)}%"


# --- when it applies ------------------------------------------------------------------------------------


def where_text(facts: tuple[Fact, ...], units: Units, told_changes: frozenset[float]) -> str:
    """Where it applies and how it begins and ends, in one sentence; "" where it always applies."""
    active = find(facts, ActiveInterval)
    if active is None or not (text := interval_phrase(active.shown, units)):
        return ""
    changes = tuple(fact for fact in facts if isinstance(fact, ChangeSteepness) and fact.location not in told_changes)
    return f"It applies {text}{steepness_text(changes, units)}."


def steepness_text(changes: tuple[ChangeSteepness, ...], units: Units) -> str:
    """How long changes take and where they lie, after what changes; "" for none."""
    if not changes:
        return ""
    opening = _opening(min(changes, key=lambda change: change.openness))
    lies = _lies(changes, units)
    if all(change.abrupt for change in changes):
        comma = "," if lies.startswith(" and") else ""
        return f"; {_changes(len(changes))} abrupt, within one step of the data{comma}{lies}{opening}"
    durations = {length(change.number, units) for change in changes}
    if len(durations) == 1:
        return f"; {_changes(len(changes), 'takes', 'take')} about {durations.pop()}{lies}{opening}"
    return f"; {_speeds(changes, units)}{opening}"


def _speeds(changes: tuple[ChangeSteepness, ...], units: Units) -> str:
    """How long each change takes, those of equal length together: "the changes around 1948 and 1967 are abrupt"."""
    places = [place(change.location, units) for change in changes]
    named = [f"around {at}" for at in places] if len(set(places)) == len(places) else [*map(ordinal, range(1, 99))]
    groups: dict[str, list[str]] = {}
    for name, change in zip(named, changes, strict=False):
        groups.setdefault("" if change.abrupt else length(change.number, units), []).append(name)
    return joined([_speed(names, duration) for duration, names in groups.items()])


def _speed(names: list[str], duration: str) -> str:
    is_single = len(names) == 1
    places = joined([names[0], *(name.removeprefix("around ") for name in names[1:])])
    noun = "change" if is_single else "changes"
    which = f"the {noun} {places}" if names[0].startswith("around") else f"the {places} {noun}"
    if not duration:
        return f"{which} {'is' if is_single else 'are'} abrupt"
    return f"{which} takes about {duration}" if is_single else f"{which} take about {duration} each"


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
    return (
        f" and lies {ranges[0]} (95% range)" if len(ranges) == 1 else f"; they lie {' and '.join(ranges)} (95% ranges)"
    )


def _opening(change: ChangeSteepness) -> str:
    """What the middle of a window is like that is too narrow for its gradual edges."""
    if change.openness >= _OPEN:
        return ""
    if change.inside:
        return f", and even at its height it has only {percent(change.openness)} of its full size"
    return f", and even in between {percent(1.0 - change.openness)} of its size remains"


def _changes(number: int, singular: str = "is", plural: str = "are") -> str:
    if number == 1:
        return f"the change {singular}"
    return f"both changes {plural}" if number == 2 else f"all {count(number)} changes {plural}"
