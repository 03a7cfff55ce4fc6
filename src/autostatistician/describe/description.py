"""Facts to a description: two to five sentences on what a component is, how big, how regular, when, how steep."""

from __future__ import annotations

from math import isfinite

from autostatistician.describe.facts import (
    ActiveInterval,
    Amplitude,
    AmplitudeChange,
    ChangeSteepness,
    CombinedCycles,
    ConstantLevel,
    Course,
    CyclePhase,
    Fact,
    Head,
    LinearTrend,
    MultiscaleVariation,
    NoiseLevel,
    Periodicity,
    PolynomialTrend,
    RapidVariation,
    SmoothVariation,
    SwingGrowth,
    Trend,
    Wandering,
)
from autostatistician.describe.hedges import be, does, probably
from autostatistician.describe.numbers import amount, article, count, joined, ordinal, pair, percent
from autostatistician.describe.phrases import (
    MOST_PLACES,
    course_clause,
    cycle_noun,
    every,
    find,
    grown,
    head_of,
    heads_somewhere,
    how_fast,
    interval_phrase,
    places_text,
    swings,
    turns,
)
from autostatistician.describe.ranges import length_range, place_range, ratio_text
from autostatistician.describe.sizes import added, around, levels, slope, steepness, unit, within
from autostatistician.describe.units import Units, along, cycle, length, phase_text, place, rate

__all__ = ["description", "directed", "range_text"]

_OPEN = 0.9  # a window that opens this far counts as open
_MUCH = 50.0  # a ratio of sizes from which one speaks of "almost nothing"
_NOTED = 1.1  # a ratio of swings from which their growth is told
_ON_THE_WAY = 0.1  # of the size: how far beyond both ends a part must go before that is told


def description(facts: tuple[Fact, ...], units: Units, known: frozenset[float] = frozenset()) -> str:
    """Two to six sentences on one component; changes at places that are ``known`` are not described again."""
    head = head_of(facts)
    found = (
        _what(head, facts, units),
        _regularity(head, facts, units),
        _size(head, facts, units),
        _growth(head, facts, units),
    )
    return " ".join(sentence for sentence in (*found, _where(facts, units, known)) if sentence)


# --- what it is -----------------------------------------------------------------------------------------


def _what(head: Head, facts: tuple[Fact, ...], units: Units) -> str:
    match head:
        case NoiseLevel():
            return "This part is random scatter: it differs from one observation to the next and follows no pattern."
        case ConstantLevel():
            where = f"the values of '{units.target}' where it applies" if _limited(facts, units) else _every(units)
            does = "adds {} to" if units.level is None else "sets the level {} for"
            return f"This part is a constant: it {does.format(_level(head, units))} {where}."
        case SmoothVariation() | RapidVariation() | MultiscaleVariation():
            return _what_smooth(head, units)
        case Wandering():
            return _what_wandering(head, units)
        case LinearTrend():
            return _what_line(head, units)
        case PolynomialTrend(number=degree):
            clause = course_clause(find(facts, Course), units) or f"with at most {turns(int(degree))}"
            return f"This part is a simple curve {clause} (a polynomial of degree {int(degree)}{_of_log(units)})."
        case Periodicity():
            return _what_cycle(head, find(facts, AmplitudeChange) is not None, units)
        case CombinedCycles(cycles=cycles):
            product = joined([article(cycle_noun(each, units)) for each in cycles])
            return f"This part is the product of {product}: each scales the swings of the others."


def _of_log(units: Units) -> str:
    return "" if units.level is None else " of the logarithm"


def _limited(facts: tuple[Fact, ...], units: Units) -> bool:
    """Whether the component applies to a part of the data only."""
    active = find(facts, ActiveInterval)
    return active is not None and interval_phrase(active.shown, units) != ""


def _unseen(facts: tuple[Fact, ...]) -> bool:
    """Whether the component applies to none of the data."""
    active = find(facts, ActiveInterval)
    return active is not None and not active.shown


def _every(units: Units) -> str:
    return f"every value of '{units.target}'"


def range_text(head: ConstantLevel, units: Units) -> str:
    """The 95 % range of a level ("22.88 to 23.3"); "" where it is unknown or too narrow to matter."""
    if head.interval is None or not all(isfinite(bound) for bound in head.interval):
        return ""
    low, high = levels(*head.interval, units, 2)
    narrow = high == low or head.interval[1] - head.interval[0] < 0.01 * units.spread
    return "" if narrow else f"{low} to {high}"


def _level(head: ConstantLevel, units: Units) -> str:
    """A level, rounded finely enough to show the spread of the data, with its range where that shows."""
    found = range_text(head, units)
    if not found:
        return levels(head.number, head.number + units.spread, units, 2)[0]
    assert head.interval is not None
    middle = levels(head.number, head.number + head.interval[1] - head.interval[0], units, 2)[0]
    return f"{middle} (95% range: {found})"


def _what_wandering(head: Wandering, units: Units) -> str:
    what = "level" if head.rough else "slope"
    if head.free:
        return f"This part wanders: its {what} may change at any time, and nothing pulls it back."
    return (
        f"This part is an irregular curve: its {what} may change at any time, "
        f"and what it did is forgotten after about {length(head.number, units)}."
    )


def _what_smooth(head: SmoothVariation | RapidVariation | MultiscaleVariation, units: Units) -> str:
    match head:
        case SmoothVariation(number=scale, slow=True):
            takes = "longer than the data last" if scale > units.span else f"about {length(scale, units)}"
            return f"This part is a very smooth curve without a formula: it takes {takes} to change its course."
        case SmoothVariation(number=scale):
            return (
                "This part is a smooth curve that neither repeats nor follows a formula; "
                f"where it heads at one moment tells little about where it heads {length(scale, units)} later."
            )
        case RapidVariation(number=scale):
            return (
                f"This part is a curve that changes quickly, typically over about {length(scale, units)}: "
                "observations that lie further apart tell little about each other."
            )
        case MultiscaleVariation(number=scale):
            return (
                "This part is a curve that varies on several scales at once, with slow changes and quick ones; "
                f"typical changes take about {length(scale, units)}."
            )


def _what_line(head: LinearTrend, units: Units) -> str:
    told = slope(head.number, head.interval, units, head.direction or 1)
    verb = {1: "rises", -1: "falls", 0: "changes"}[head.direction]
    what = "a straight line" if units.level is None else "a change at a constant rate"
    if head.direction == 0:
        return f"This part is {what} whose direction the data leave open: it {verb} by {told}."
    link = ": it" if units.level is not None else " that"
    return f"This part is {what}{link} {probably(head.probability)}{verb} by {told}."


def _what_cycle(head: Periodicity, resized: bool, units: Units) -> str:
    found = "" if cycle(head.number, units).named else length_range(head.interval, units)
    often = every(head, units) + (f" (95% range: {found})" if found else "")
    if head.exactness == "exact":
        exactly = f"comes back {often} in the same shape" if resized else f"repeats exactly {often}"
        return f"This part is a pattern that {exactly}."
    if head.drift is None:
        return f"This part is a pattern that repeats {often}."
    drift, scales = (
        length(head.drift, units),
        ", in slow and quick changes at once, typically" if head.several_scales else "",
    )
    if head.exactness == "loose":
        return (
            f"This part rises and falls about once {often}, but so irregularly (it changes over about {drift}) "
            "that one cycle tells little about the next."
        )
    if head.steady:
        return f"This part is a pattern that repeats {often}; its shape {_slowly(head, units)}."
    return (
        f"This part is a pattern that repeats {often}, but not exactly: its shape changes{scales} over about {drift}, "
        "so cycles close to each other look alike and distant ones may differ."
    )


def _slowly(fact: Periodicity, units: Units) -> str:
    speed = how_fast(fact, units)
    return (
        f"{speed} within the data" if "hardly" in speed else f"{speed}, over about {length(fact.drift or 0.0, units)}"
    )


# --- how regular and how big ----------------------------------------------------------------------------


def _regularity(head: Head, facts: tuple[Fact, ...], units: Units) -> str:
    match head:
        case Periodicity():
            return _inside_cycle(head, find(facts, CyclePhase), units) if head.exactness != "loose" else ""
        case CombinedCycles(cycles=cycles) if cycles[0].drift is not None:
            return f"The shape of this pattern changes over about {length(cycles[0].drift, units)}."
        case CombinedCycles():
            return "The pattern is exact: the same cycles go on through all of the data."
        case SmoothVariation() | MultiscaleVariation() | RapidVariation() | Wandering():
            return _direction(find(facts, Trend), find(facts, Course), _limited(facts, units), units)
        case PolynomialTrend():
            return _halves(find(facts, Course), _limited(facts, units), units)
        case _:
            return ""


def _inside_cycle(fact: Periodicity, phase: CyclePhase | None, units: Units) -> str:
    if fact.detail is None:
        shape = "Within each cycle it rises and falls once, like a pure wave (a sinusoid)."
    else:
        shape = f"Within each cycle it changes course within about {length(fact.detail, units)}."
    return f"{shape} {_when(phase, units)}" if phase else shape


def _when(phase: CyclePhase, units: Units) -> str:
    if not phase.kind:
        return f"Its last peak within the data lies around {place(phase.number, units)}."
    ends = (("highest", phase.high), ("lowest", phase.low))
    return f"It is {joined([f'{word} {phase_text(phase.kind, at)}' for word, at in ends if at is not None])}."


def _direction(trend: Trend | None, bend: Course | None, limited: bool, units: Units) -> str:
    if trend is None or not heads_somewhere(trend) or (bend and bend.turn):
        return _halves(bend, limited, units) if bend and bend.turn else ""
    verb = f"{probably(trend.probability)}{'rises' if trend.direction > 0 else 'falls'}"
    told, half = slope(trend.number, None, units, trend.direction), "its stretch" if limited else "the data"
    if not trend.steady:
        return f"From end to end of {half} it {verb}, on average by {told}."
    all_along = f"Within {half} it {verb} all the time, on average by {told}"
    return f"{all_along}. {_halves(bend, limited, units)}" if bend and bend.curvature else f"{all_along}."


def _halves(bend: Course | None, limited: bool, units: Units) -> str:
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


def _size(head: Head, facts: tuple[Fact, ...], units: Units) -> str:
    if isinstance(head, NoiseLevel):
        return _noise_size(head, facts, units)
    size = find(facts, Amplitude)
    if size is None or _unseen(facts):
        return ""
    where = "Where it applies" if _limited(facts, units) else "Over the data"
    if directed(head, facts):
        return f"{where} {_from_end_to_end(size, units)}."
    low, high = added(size.low, size.high, units)
    return f"{where} it adds between {low} and {high} to '{units.target}'."


def _from_end_to_end(size: Amplitude, units: Units) -> str:
    first, last = levels(size.first, size.last, units)
    beyond = max(min(size.first, size.last) - size.low, size.high - max(size.first, size.last))
    by_way = f", by way of {' and '.join(_extremes(size, units))}" if beyond > _ON_THE_WAY * size.number else ""
    if units.level is not None:
        return f"it takes '{units.target}' from {first} to {last}{by_way}, were it the only part"
    return f"its contribution to '{units.target}' goes from {first} to {last}{by_way}"


def _extremes(size: Amplitude, units: Units) -> list[str]:
    """The lowest and the highest value, where they lie beyond both ends."""
    texts = levels(size.low, size.high, units)
    lowest, highest = sorted((size.first, size.last))
    least = _ON_THE_WAY * size.number
    found = [(f"{texts[0]} at the lowest", lowest - size.low > least)]
    found.append((f"{texts[1]} at the highest", size.high - highest > least))
    return [text for text, told in found if told]


def directed(head: Head, facts: tuple[Fact, ...]) -> bool:
    """Whether a part goes one way, so that its ends tell its size."""
    bend = find(facts, Course)
    if bend is not None and bend.turn:
        return False
    return isinstance(head, LinearTrend) or heads_somewhere(find(facts, Trend)) or bool(bend and bend.direction)


def _noise_size(head: NoiseLevel, facts: tuple[Fact, ...], units: Units) -> str:
    if _unseen(facts):
        return ""
    if head.number < 1e-6 * units.spread:
        return "It is so small that the other parts describe the data almost perfectly."
    if find(facts, AmplitudeChange) is None:
        return (
            f"Of the values of '{units.target}', 95% lie {around(1.96 * head.number, units)} the rest of the "
            f"model, and about two thirds {within(head.number, units)}."
        )
    first, last = pair(1.96 * head.first, 1.96 * head.last, 2)
    whole = find(facts, ActiveInterval) is None
    start, end = ("at the start of the data", "at the end") if whole else ("where this part begins", "where it ends")
    if units.level is not None:
        first, last = around(1.96 * head.first, units), within(1.96 * head.last, units)
        return f"Of the values of '{units.target}', 95% lie {first} the rest of the model {start}, and {last} {end}."
    return (
        f"Of the values of '{units.target}', 95% lie within ±{first} of the rest of the model {start}, "
        f"and within ±{last} {end}."
    )


def _growth(head: Head, facts: tuple[Fact, ...], units: Units) -> str:
    change = find(facts, AmplitudeChange)
    if _unseen(facts):
        return ""
    if change is None:
        return _grown(find(facts, SwingGrowth), _limited(facts, units))
    noun, sure = swings(head), change.probability
    plural = noun != "size"
    what, verb = (f"The {noun}", "are") if plural else ("Its size", "is")
    s = "" if plural else "s"
    match change.kind:
        case "grows" | "shrinks":
            grows = change.kind == "grows"
            how = (
                f"in a straight line {along(units)}"
                if change.degree == 1
                else f"{'faster and faster' if grows else 'more and more slowly'} {along(units)}"
            )
            return f"{what} {does('grow' if grows else 'shrink', s, sure)} {how}: {_ratio(change, verb)}."
        case "away":
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


def _ratio(change: AmplitudeChange, verb: str) -> str:
    they, ratio = "they are" if verb == "are" else "it is", change.number
    if ratio > _MUCH:
        return f"at first {they} almost nothing"
    if ratio < 1 / _MUCH:
        return f"in the end {they} almost nothing"
    if ratio >= 1.995:
        known = probably(change.probability) == "" and change.interval and change.interval[1] < _MUCH
        times = ratio_text(ratio, change.interval if known else None)
        return f"at the end {they} {times} as large as at the start"
    share = 100.0 * (ratio - 1.0)
    return f"at the end {they} {_about(abs(share))} {'larger' if share >= 0 else 'smaller'} than at the start"


def _about(share: float) -> str:
    return percent(share) if share < 1.0 else f"{amount(share, 2)}%"


# --- when it applies ------------------------------------------------------------------------------------


def _where(facts: tuple[Fact, ...], units: Units, known: frozenset[float]) -> str:
    active = find(facts, ActiveInterval)
    if active is None or not (text := interval_phrase(active.shown, units)):
        return ""
    changes = tuple(fact for fact in facts if isinstance(fact, ChangeSteepness) and fact.location not in known)
    return f"It applies {text}{_steepness(changes, units)}."


def _steepness(changes: tuple[ChangeSteepness, ...], units: Units) -> str:
    if not changes:
        return ""
    opening = _opening(min(changes, key=lambda change: change.openness))
    lies = _lies(changes, units)
    if all(change.abrupt for change in changes):
        return f"; {_changes(len(changes))} abrupt, within one step of the data{opening}"
    durations = {length(change.number, units) for change in changes}
    if len(durations) == 1:
        return f"; {_changes(len(changes), 'takes', 'take')} about {durations.pop()}{lies}{opening}"
    places = [place(change.location, units) for change in changes]
    named = [f"around {at}" for at in places] if len(set(places)) == len(places) else [*map(ordinal, range(1, 99))]
    each = [f"the {_one(name)} {_speed(change, units)}" for name, change in zip(named, changes, strict=False)]
    return f"; of the changes, {joined(each)}{opening}"


def _one(name: str) -> str:
    return f"one {name}" if name.startswith("around") else name


def _lies(changes: tuple[ChangeSteepness, ...], units: Units) -> str:
    """The ranges of the places of the changes, where they are wide enough to show."""
    found = [place_range(change.location_interval, units) for change in changes]
    if not all(found) or len(found) > MOST_PLACES:
        return ""
    return f" and lies {found[0]} (95% range)" if len(found) == 1 else f"; they lie {' and '.join(found)} (95% ranges)"


def _opening(change: ChangeSteepness) -> str:
    """What the middle of a window is like that is too narrow for its gradual edges."""
    if change.openness >= _OPEN:
        return ""
    if change.inside:
        return f", and even at its height it has only {percent(100 * change.openness)} of its full size"
    return f", and even in between {percent(100 * (1 - change.openness))} of its size remains"


def _speed(change: ChangeSteepness, units: Units) -> str:
    return "is abrupt" if change.abrupt else f"takes about {length(change.number, units)}"


def _changes(number: int, one: str = "is", many: str = "are") -> str:
    if number == 1:
        return f"the change {one}"
    return f"both changes {many}" if number == 2 else f"all {count(number)} changes {many}"
