"""Facts about the model of a table in words: what each effect does, which columns matter, how well it all fits."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.describe.axis.scale import Scale
from autostatistician.describe.facts.classes import ChanceCourse, ChanceDependence
from autostatistician.describe.facts.effect import (
    ColumnRelevance,
    Dependence,
    EffectCourse,
    ErrorCheck,
    Explained,
    FromExact,
    NoiseSize,
    RangesHeld,
)
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.judgement import (
    LITTLE,
    MAJORITY,
    clear_courses,
    effect_share,
    goes_along,
    manner_of,
    standing_of,
)
from autostatistician.describe.facts.kinds import Manner, Standing
from autostatistician.describe.words.amounts import around, by, change
from autostatistician.describe.words.chances import chance_course_text, chance_dependence_text
from autostatistician.describe.words.counts import counts_of_table_text
from autostatistician.forms import BAND_SDS, CheckKind, CourseKind
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import amount, capital, count, decimals_between, fixed, joined, pair, percent

__all__ = [
    "no_columns_text", "check_text", "column_text", "course_text", "dependence_text", "effect_text", "effect_title",
    "explained_text", "from_exact_text", "noise_text", "ranges_text",
]  # fmt: skip

ALIKE = 0.1  # of a range: where the data and the model differ by more, both are told
Span = tuple[float, float]


def _at(value: float, span: Span, levels: tuple[str, ...] = ()) -> str:
    """A place of a column, as finely as its range calls for; the name of a category."""
    if levels:
        return quoted(levels[min(max(round(value), 0), len(levels) - 1)])
    return fixed(value, decimals_between(*span, 3), trim=True) if span[0] < span[1] else amount(value)


# --- effects ----------------------------------------------------------------------------------------------------------


def effect_title(facts: tuple[Fact, ...]) -> str:
    """The name of an effect: "'age'", "'screw' and 'pgain' together"."""
    columns = effect_share(facts).columns
    names = joined([quoted(name) for name in columns])
    return names if len(columns) == 1 else f"{names} together"


def effect_text(facts: tuple[Fact, ...], scale: Scale) -> str:
    """One sentence on an effect."""
    courses = [fact for fact in facts if isinstance(fact, EffectCourse)]
    share, names = effect_share(facts), joined([quoted(name) for name in effect_share(facts).columns])
    courses_text = "; ".join(_inside(course_text(course, scale, brief=True)) for course in clear_courses(facts))
    match manner_of(facts):
        case Manner.ALONE:
            return course_text(courses[0], scale)
        case Manner.PAIR:
            dependence = next(fact for fact in facts if isinstance(fact, Dependence))
            return dependence_text(dependence, scale, share.columns)
        case Manner.VAGUE:
            return f"{capital(names)} have an effect together that follows no clear course along any of them."
        case Manner.MORE:
            more = f"{percent(share.beyond)} of what they do is more than a sum of effects of each"
            return f"{capital(names)} act together. On average over the others, {courses_text}; {more}."
        case Manner.OPEN:
            each = f" On average over the others, {courses_text}." if courses_text else ""
            return f"It is open whether {names} act together or each by itself.{each}"
    idle = [quoted(course.column) for course in courses if course.kind is CourseKind.UNCLEAR]
    if idle:
        return f"{capital(courses_text)}; {joined(idle)} hardly {'changes' if len(idle) == 1 else 'change'} that."
    return f"The effects of {names} all but add up: {courses_text}."


def dependence_text(fact: Dependence, scale: Scale, columns: tuple[str, ...] = ()) -> str:
    """That the effect of one column changes with another, by what it is at two places."""
    if isinstance(fact, ChanceDependence):
        return chance_dependence_text(fact, scale, columns)
    names = joined([quoted(name) for name in (fact.along, fact.by)])
    rest = joined([quoted(name) for name in columns if name not in (fact.along, fact.by)])
    others = f" (averaged over {rest or 'the other columns'})" if fact.others else ""
    low, high = (_at(place, fact.along_places, fact.along_levels) for place in fact.along_places)
    where = [_at(place, fact.by_places, fact.by_levels) for place in fact.by_places]
    first, last = change(fact.first, fact.first_interval, scale), change(fact.last, fact.last_interval, scale)
    step = f"{quoted(fact.along)} at {high} instead of {low} changes {scale.it} by"
    both = f"{first} where {quoted(fact.by)} is {where[0]}, and by {last} where it is {where[1]}"
    return f"{names} act together: {step} {both}{others}."


def course_text(fact: EffectCourse, scale: Scale, *, brief: bool = False) -> str:
    """One sentence on an effect along one column."""
    text = _course(fact, scale)
    lead = "On average over the others, " if fact.averaged and not brief else ""
    sentence = f"{lead}{_inside(text) if lead else text}{_rests_on(fact.carried)}"
    return sentence if brief else f"{sentence}."


def _rests_on(row: int | None) -> str:
    """That a single row carries an effect; "" where none does."""
    return "" if row is None else f" (this rests on row {row} alone: without it, no effect is clear)"


def _course(fact: EffectCourse, scale: Scale) -> str:
    if isinstance(fact, ChanceCourse):
        return capital(chance_course_text(fact, scale))
    column, span = quoted(fact.column), (fact.low, fact.high)
    first, last = (_at(place, span) for place in span)
    size = by(fact.number, fact.interval or (0.0, 0.0), scale)
    if fact.kind is CourseKind.UNCLEAR:
        beside = " beside what it does together with others" if fact.elsewhere else ""
        return f"{capital(column)} has no effect that is clear of chance{beside}"
    if fact.levels or len(fact.places) == 2:
        return _between_levels(fact, scale, size)
    if fact.period is not None:
        return f"{scale.it} repeats along {column} every {amount(fact.period, 3)}, up and down {size}"
    if fact.kind is CourseKind.TURNING:
        return _turning(fact, scale, size)
    verb = "rises" if fact.highest > fact.lowest else "falls"
    whole = f"{scale.it} {verb} with {column}"
    if fact.open_from is not None:
        return f"{whole} up to about {_at(fact.open_from, span)}, {size}, and follows no clear course beyond"
    if fact.open_until is not None:
        return f"{whole} from about {_at(fact.open_until, span)} on, {size}, and follows no clear course before"
    if fact.kind is CourseKind.STRAIGHT:
        ends = by(fact.change, fact.change_interval, scale)
        evenly = "by the same percentage with each step" if scale.is_log and not scale.is_odds else "evenly"
        return f"{whole} {evenly}, {ends} from {first} to {last}"
    if fact.flat_from is not None:
        return f"{whole} up to about {_at(fact.flat_from, span)}, {size}, and hardly changes beyond"
    if fact.flat_until is not None:
        return f"{whole} from about {_at(fact.flat_until, span)} on, {size}, and hardly changes before"
    how = {1: ", slowly at first and faster later", -1: ", fast at first and more slowly later"}.get(fact.bend, "")
    return f"{whole}, {size} from {first} to {last}{how}"


def _between_levels(fact: EffectCourse, scale: Scale, size: str) -> str:
    span = (fact.low, fact.high)
    high, low = (_at(place, span, fact.levels) for place in (fact.highest, fact.lowest))
    if len(fact.places) == 2:
        return f"{scale.it} is higher {size} where {quoted(fact.column)} is {high} than where it is {low}"
    where = f"highest where {quoted(fact.column)} is {high} and lowest where it is {low}"
    return f"{scale.it} is {where}, {size.removeprefix('by ')} apart"


def _turning(fact: EffectCourse, scale: Scale, size: str) -> str:
    column, span = quoted(fact.column), (fact.low, fact.high)
    if len(fact.turns) == 1:
        return _two_ways(fact, scale)
    turns = [f"about {_at(turn.at, span)}" for turn in fact.turns]
    if len(fact.turns) > 4:
        return f"{scale.it} goes up and down {count(len(fact.turns))} times along {column}, {size} in all"
    tops = [text for text, turn in zip(turns, fact.turns, strict=True) if turn.top]
    dips = [text for text, turn in zip(turns, fact.turns, strict=True) if not turn.top]
    places = joined([f"{word} at {joined(at)}" for word, at in (("high", tops), ("low", dips)) if at])
    return f"{scale.it} goes up and down along {column}, {places}, {size} in all"


def _two_ways(fact: EffectCourse, scale: Scale) -> str:
    """A curve with a single top or dip: how far it goes before it, and how far beyond."""
    turn, span = fact.turns[0], (fact.low, fact.high)
    ways = ("rises", "falls") if turn.top else ("falls", "rises")
    before, beyond = (by(leg.number, leg.interval, scale) for leg in fact.legs)
    low, high = (_at(end, span) for end in turn.span)
    doubt = f" (95% range: {low} to {high})" if low != high else ""
    return (
        f"{scale.it} {ways[0]} with {quoted(fact.column)}, {before} up to about {_at(turn.at, span)}{doubt}, and "
        f"beyond it {ways[1]} {beyond}"
    )


# --- columns, noise, fit ----------------------------------------------------------------------------------------------


def column_text(fact: ColumnRelevance, scale: Scale) -> str:
    """One sentence on a column: whether it matters, how much, and with which others."""
    name = quoted(fact.column)
    after = "; but the errors still go with it, so a better model might use it" if fact.left else ""
    more = "; the errors still go with it, so it may matter more" if fact.left else ""
    standing = standing_of(fact)
    if fact.seen_alone and not fact.used:
        by_itself = f"by itself it goes with the target ({_how_much(fact)})"
        return (
            f"It is open whether {name} matters: no model with it is clearly more probable than none, but {by_itself}."
        )
    if standing is Standing.SCATTER:
        return f"{capital(name)} matters only for the scatter of {scale.it}, not for its level{after}."
    if standing is Standing.OPEN and not fact.used:
        return f"It is open whether {name} matters: this model does without it, others that fit do not{after}."
    if standing is Standing.NOTHING:
        return f"{capital(name)} adds nothing beyond the rest: the model does without it{_by_itself(fact)}{after}."
    if standing is Standing.LITTLE:
        high = percent(fact.interval[1] if fact.interval else 0.0)
        at_most = high if high.startswith("less") else f"at most {high}"
        return (
            f"{capital(name)} adds next to nothing beyond the rest: {at_most} of {scale.varying} depends on it{after}."
        )
    span = fact.interval or (fact.number, fact.number)
    figures = [fixed(100.0 * value, 0 if value >= 0.1 else 1) for value in (fact.number, *span)]
    share = f"{figures[0]}% of {scale.varying} depends on it (95% range: {figures[1]}% to {figures[2]}%)"
    with_others = joined([quoted(partner) for partner in fact.partners])
    ways = [*(["by itself"] if fact.alone else []), *([f"together with {with_others}"] if fact.partners else [])]
    how = f", {' and '.join(ways)}" if ways else ""
    scatter = "; the scatter changes with it, too" if fact.scatter else ""
    scatter = f"{scatter}{_rests_on(fact.carried)}"
    matters = "matters" if fact.number >= LITTLE else "matters little"
    if standing is Standing.OPEN:
        others = "most others" if fact.probability < MAJORITY else "others that fit"
        return f"It is open whether {name} matters: by this model, {share}{how}, but {others} do without it{more}."
    return f"{capital(name)} {matters}: {share}{how}{scatter}{more}."


def _by_itself(fact: ColumnRelevance) -> str:
    """That a column that is not used goes with the target all the same, through others; "" where it does not."""
    if fact.correlation is None or not goes_along(fact):
        return ""
    return f", though by itself it goes with the target ({_how_much(fact)})"


def _how_much(fact: ColumnRelevance) -> str:
    """How closely a column goes with the target by itself: categories have no order that ranks could follow."""
    correlation = fact.correlation or 0.0
    if fact.categories:
        return f"{fixed(100.0 * correlation**2, 0)}% of the variation of its ranks is between the categories"
    return f"a rank correlation of {fixed(correlation, 2)}"


def no_columns_text(columns: Sequence[ColumnRelevance], scale: Scale) -> str:
    """That no model with a column is clearly better than none; and which column goes with the target all the same."""
    seen = [fact for fact in columns if goes_along(fact)]
    if not seen:
        return f"Nothing was found: no column tells anything about {scale.it} that is clear of chance."
    first = min(seen, key=lambda fact: fact.correlation_p or 0.0)
    return (
        f"It is open whether a column tells anything about {scale.it}: no model with one is clearly more probable than "
        f"none, but {quoted(first.column)} by itself goes with it ({_how_much(first)})."
    )


def noise_text(fact: NoiseSize, scale: Scale) -> str:
    """One sentence on the scatter, of counts with why they are taken as such."""
    if fact.times is not None:
        return counts_of_table_text(fact.times, fact.gain, scale)
    if fact.number <= 0.0:
        return "The model has no scatter: it goes through every value."
    if not fact.changes:
        nearly_all = BAND_SDS * fact.number if fact.held is None else fact.held
        held = f"Random scatter: 95% of the values lie {around(nearly_all, scale)} what the columns give"
        if abs(BAND_SDS * fact.number - nearly_all) <= ALIKE * nearly_all:
            return f"{held}."
        return f"{held}; the model expects 95% of new ones {around(BAND_SDS * fact.number, scale)} it."
    changes = []
    for column, places, sds in fact.changes:
        sizes = pair(BAND_SDS * sds[0], BAND_SDS * sds[1], 2)
        lies = (
            [f"within ±{size}" for size in sizes]
            if not scale.is_log
            else [around(BAND_SDS * sd, scale).removesuffix(" of") for sd in sds]
        )
        low, high = (_at(place, places) for place in places)
        changes.append(
            f"{lies[0]} where {quoted(column)} is {low} and {lies[1].removeprefix('within ')} where it is {high}"
        )
    names = joined([quoted(column) for column, _, _ in fact.changes])
    return f"Random scatter that changes with {names}: 95% of it lies {'; '.join(changes)}."


def explained_text(fact: Explained, scale: Scale) -> str:
    """How much the model explains and how well it predicts, in two sentences."""
    scaled = f"the logarithm of {scale.it}" if scale.is_log else scale.it
    scaled = f"the logarithm of the rate of {scale.it}, with what chance adds" if scale.counts else scaled
    error, simple = pair(fact.error, fact.error_of_mean)
    return (
        f"The columns together explain {percent(fact.number)} of the variation in {scaled}. When each value is "
        f"predicted from all the others, {_left(fact.left_out)}; the prediction misses by {error} on average, where "
        f"the mean of the others would miss by {simple}."
    )


def _left(share: float) -> str:
    return f"{percent(share)} is explained" if share > 0.0 else "nothing is explained"


def ranges_text(fact: RangesHeld) -> str:
    """How the ranges held."""
    held = (
        f"Of {fact.rows:,} values, each predicted from all the others, {percent(fact.number)} lay in their 95% ranges"
    )
    if fact.too_narrow:
        return f"{held}: the ranges are too narrow."
    return f"{held}: the ranges are wider than they need be." if fact.too_wide else f"{held}, as they should."


def from_exact_text(fact: FromExact, n: int) -> str:
    """That the model was not computed exactly, and how far from that it is."""
    return (
        f"With {n:,} rows, the function is made to stand on its values at {fact.points:,} of them (inducing points; "
        f"Titsias 2009). On {fact.rows:,} rows, of which it can be computed exactly as well, that takes "
        f"{amount(max(fact.number, 0.0))} off the logarithm of the evidence."
    )


def check_text(fact: ErrorCheck) -> str:
    """What a failed check found and what it may mean."""
    match fact.kind, fact.side:
        case CheckKind.DISTRIBUTION, 1:
            return "Single errors are larger than the model expects: there are outliers, or ranges are too narrow"
        case CheckKind.DISTRIBUTION, _:
            return "The errors are not spread as the model expects: most are smaller, so ranges are too wide for them"
        case CheckKind.SPREAD, side:
            size = "larger" if side > 0 else "smaller"
            return (
                f"Where the predictions are high, the errors are {size} than the model says: it has the scatter wrong"
            )
    return f"A pattern along {quoted(fact.column or '')} is left in the errors: the model has not used all it tells"


def _inside(sentence: str) -> str:
    return sentence if sentence.startswith("'") else sentence[:1].lower() + sentence[1:]
