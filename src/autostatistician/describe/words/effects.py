"""Facts about the model of a table in words: what each effect does, which columns matter, how well it all fits."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, expm1

from autostatistician.describe.facts.claim import LEAST, TOLD
from autostatistician.describe.facts.effect import (
    ColumnRelevance,
    Course,
    Dependence,
    EffectShare,
    ErrorCheck,
    Explained,
    NoiseSize,
    RangesHeld,
    TableFact,
)
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import amount, capital, count, decimals_between, fixed, joined, pair, percent

__all__ = [
    "LITTLE",
    "Scale",
    "acting_together",
    "check_text",
    "column_text",
    "course_text",
    "dependence_text",
    "effect_text",
    "effect_title",
    "explained_text",
    "hardly",
    "is_open",
    "manner",
    "noise_text",
    "ranges_text",
]

HARDLY = 1.0  # per cent of the variance, the upper end of the range: less is hardly anything
LITTLE = 5.0  # per cent: a column on which less hangs matters little
ALIKE = 0.1  # of a range: where the data and the model differ by more, both are told
JOINT = 5.0  # per cent of a joint effect that is no sum: less is no interaction to speak of,
LEAST_JOINT = 1.0  # unless two places of both columns show it for sure
_MOST = 300.0
Span = tuple[float, float]


@dataclass(frozen=True)
class Scale:
    """The target's name, and whether its logarithm is modelled: then differences are told in per cent."""

    target: str
    is_log: bool = False

    @property
    def it(self) -> str:
        """The name in quotes."""
        return quoted(self.target)

    def by(self, value: float, interval: Span) -> str:
        """A difference without sign, with its range: "by 3.1 (95% range: 2.9 to 3.3)"."""
        low, high = sorted(abs(end) for end in interval) if value * interval[0] > 0 < value * interval[1] else (
            (interval[0], interval[1]) if value >= 0 else (-interval[1], -interval[0]))  # fmt: skip
        sign = 1.0 if value >= 0.0 else -1.0
        return f"by {self._told(abs(value), (low, high), sign)}"

    def change(self, value: float, interval: Span) -> str:
        """A difference with its sign and its range: "+3.1 (2.9 to 3.3)"."""
        told = self._told(value, interval, 1.0, label="")
        return told if told.startswith("\N{MINUS SIGN}") else f"+{told}"

    def _told(self, value: float, interval: Span, sign: float, label: str = "95% range: ") -> str:
        """Three numbers rounded alike; per cent of a logarithm are those of the direction."""
        middle, *ends = (sign * self._linear(sign * one) for one in (value, *interval))
        low, high = sorted(ends)
        decimals = min(decimals_between(low, high, 2), 12)
        unit = "%" if self.is_log else ""
        texts = [f"{fixed(one, decimals)}{unit}" for one in (middle, low, high)]
        return f"{texts[0]} ({label}{texts[1]} to {texts[2]})"

    def _linear(self, value: float) -> float:
        return 100.0 * expm1(min(value, _MOST)) if self.is_log else value


def _at(value: float, span: Span, levels: tuple[str, ...] = ()) -> str:
    """A place of a column, as finely as its range calls for; the name of a category."""
    if levels:
        return quoted(levels[min(max(round(value), 0), len(levels) - 1)])
    return fixed(value, decimals_between(*span, 3), trim=True) if span[0] < span[1] else amount(value)


# --- effects ----------------------------------------------------------------------------------------------------------


def manner(facts: tuple[TableFact, ...]) -> str:
    """How the columns of an effect act.

    "alone"; "pair": the effect of one changes with another for sure; "sum": all but a sum of effects of each; "more":
    more than that, without such a pair; "vague": without a clear course along any of them.
    """
    dependence = next((fact for fact in facts if isinstance(fact, Dependence)), None)
    share, clear = _share(facts), _clear(facts)
    if len(share.columns) == 1:
        return "alone"
    if dependence is not None and _differs(dependence) and dependence.share >= LEAST_JOINT:
        return "pair"
    if not clear:
        return "vague"
    joint = dependence is not None and dependence.share_interval[0] >= JOINT
    return "more" if share.beyond >= JOINT and (joint or len(share.columns) > 2) else "sum"


def acting_together(facts: tuple[TableFact, ...]) -> tuple[str, ...]:
    """The columns of an effect that act together for all that was measured: two of many, all, or none."""
    match manner(facts):
        case "pair":
            dependence = next(fact for fact in facts if isinstance(fact, Dependence))
            return dependence.along, dependence.by
        case "more" | "vague":
            return _share(facts).columns
    return ()


def _clear(facts: tuple[TableFact, ...]) -> list[Course]:
    return [fact for fact in facts if isinstance(fact, Course) and fact.kind != "unclear"]


def _differs(fact: Dependence) -> bool:
    return fact.interval is not None and fact.interval[0] * fact.interval[1] > 0.0


def effect_title(facts: tuple[TableFact, ...]) -> str:
    """The name of an effect: "'age'", "'screw' and 'pgain' together"."""
    columns = _share(facts).columns
    names = joined([quoted(name) for name in columns])
    return names if len(columns) == 1 else f"{names} together"


def _share(facts: tuple[TableFact, ...]) -> EffectShare:
    return next(fact for fact in facts if isinstance(fact, EffectShare))


def effect_text(facts: tuple[TableFact, ...], scale: Scale) -> str:
    """One sentence on an effect."""
    courses = [fact for fact in facts if isinstance(fact, Course)]
    share, names = _share(facts), joined([quoted(name) for name in _share(facts).columns])
    told = "; ".join(_inside(course_text(course, scale, brief=True)) for course in _clear(facts))
    match manner(facts):
        case "alone":
            return course_text(courses[0], scale)
        case "pair":
            dependence = next(fact for fact in facts if isinstance(fact, Dependence))
            return dependence_text(dependence, scale, share.columns)
        case "vague":
            return f"{capital(names)} have an effect together that follows no clear course along any of them."
        case "more":
            more = f"{percent(share.beyond)} of what they do is more than a sum of effects of each"
            return f"{capital(names)} act together. On average over the others, {told}; {more}."
    idle = [quoted(course.column) for course in courses if course.kind == "unclear"]
    if idle:
        return f"{capital(told)}; {joined(idle)} hardly {'changes' if len(idle) == 1 else 'change'} that."
    return f"The effects of {names} all but add up: {told}."


def dependence_text(fact: Dependence, scale: Scale, columns: tuple[str, ...] = ()) -> str:
    """That the effect of one column changes with another, by what it is at two places."""
    names = joined([quoted(name) for name in (fact.along, fact.by)])
    rest = joined([quoted(name) for name in columns if name not in (fact.along, fact.by)])
    others = f" (averaged over {rest or 'the other columns'})" if fact.others else ""
    low, high = (_at(place, fact.along_places, fact.along_levels) for place in fact.along_places)
    where = [_at(place, fact.by_places, fact.by_levels) for place in fact.by_places]
    first, last = scale.change(fact.first, fact.first_interval), scale.change(fact.last, fact.last_interval)
    step = f"{quoted(fact.along)} at {high} instead of {low} changes {scale.it} by"
    by = f"{first} where {quoted(fact.by)} is {where[0]}, and by {last} where it is {where[1]}"
    return f"{names} act together: {step} {by}{others}."


def course_text(fact: Course, scale: Scale, *, brief: bool = False) -> str:
    """One sentence on an effect along one column."""
    text = _course(fact, scale)
    lead = "On average over the others, " if fact.averaged and not brief else ""
    sentence = f"{lead}{_inside(text) if lead else text}"
    return sentence if brief else f"{sentence}."


def _course(fact: Course, scale: Scale) -> str:
    column, span = quoted(fact.column), (fact.low, fact.high)
    first, last = (_at(place, span) for place in span)
    size = scale.by(fact.number, fact.interval or (0.0, 0.0))
    if fact.kind == "unclear":
        return f"{capital(column)} has no effect that is clear of chance"
    if fact.levels or len(fact.places) == 2:
        return _between_levels(fact, scale, size)
    if fact.period is not None:
        return f"{scale.it} repeats along {column} every {amount(fact.period, 3)}, up and down {size}"
    if fact.kind == "turning":
        return _turning(fact, scale, size)
    verb = "rises" if fact.highest > fact.lowest else "falls"
    whole = f"{scale.it} {verb} with {column}"
    if fact.open_from is not None:
        return f"{whole} up to about {_at(fact.open_from, span)}, {size}, and follows no clear course beyond"
    if fact.open_until is not None:
        return f"{whole} from about {_at(fact.open_until, span)} on, {size}, and follows no clear course before"
    if fact.kind == "straight":
        change = scale.by(fact.change, fact.change_interval)
        return f"{whole} evenly, {change} from {first} to {last}"
    if fact.flat_from is not None:
        return f"{whole} up to about {_at(fact.flat_from, span)}, {size}, and hardly changes beyond"
    if fact.flat_until is not None:
        return f"{whole} from about {_at(fact.flat_until, span)} on, {size}, and hardly changes before"
    how = {1: ", slowly at first and faster later", -1: ", fast at first and more slowly later"}.get(fact.bend, "")
    return f"{whole}, {size} from {first} to {last}{how}"


def _between_levels(fact: Course, scale: Scale, size: str) -> str:
    span = (fact.low, fact.high)
    high, low = (_at(place, span, fact.levels) for place in (fact.highest, fact.lowest))
    if len(fact.places) == 2:
        return f"{scale.it} is higher {size} where {quoted(fact.column)} is {high} than where it is {low}"
    where = f"highest where {quoted(fact.column)} is {high} and lowest where it is {low}"
    return f"{scale.it} is {where}, {size.removeprefix('by ')} apart"


def _turning(fact: Course, scale: Scale, size: str) -> str:
    column, span = quoted(fact.column), (fact.low, fact.high)
    turns = [f"about {_at(turn.at, span)}" for turn in fact.turns]
    if len(fact.turns) == 1:
        turn = fact.turns[0]
        ways = ("rises", "falls") if turn.top else ("falls", "rises")
        low, high = (_at(end, span) for end in turn.span)
        doubt = f" (95% range: {low} to {high})" if low != high else ""
        return f"{scale.it} {ways[0]} with {column} up to {turns[0]}{doubt} and {ways[1]} beyond, {size} in all"
    if len(fact.turns) > 4:
        return f"{scale.it} goes up and down {count(len(fact.turns))} times along {column}, {size} in all"
    tops = [text for text, turn in zip(turns, fact.turns, strict=True) if turn.top]
    dips = [text for text, turn in zip(turns, fact.turns, strict=True) if not turn.top]
    places = joined([f"{word} at {joined(at)}" for word, at in (("high", tops), ("low", dips)) if at])
    return f"{scale.it} goes up and down along {column}, {places}, {size} in all"


# --- columns, noise, fit ----------------------------------------------------------------------------------------------


def hardly(fact: ColumnRelevance) -> bool:
    """Whether next to nothing hangs on a column that the model does hold."""
    return fact.interval is not None and fact.interval[1] < HARDLY


def is_open(fact: ColumnRelevance) -> bool:
    """Whether most models do without a column that this one uses, or some use it that this one does without."""
    if fact.used:
        return fact.probability < TOLD and not hardly(fact)
    return fact.probability >= LEAST and not fact.scatter


def column_text(fact: ColumnRelevance, scale: Scale) -> str:
    """One sentence on a column: whether it matters, how much, and with which others."""
    name = quoted(fact.column)
    after = "; but the errors still go with it, so a better model might use it" if fact.left else ""
    more = "; the errors still go with it, so it may matter more" if fact.left else ""
    if not fact.used:
        if fact.scatter:
            return f"{capital(name)} matters only for the scatter of {scale.it}, not for its level{after}."
        if is_open(fact):
            return f"It is open whether {name} matters: this model does without it, others that fit do not{after}."
        return f"{capital(name)} does not matter: the model does without it{after}."
    if hardly(fact):
        high = percent(fact.interval[1] if fact.interval else 0.0)
        at_most = high if high.startswith("less") else f"at most {high}"
        return f"{capital(name)} does not matter: {at_most} of the variation in {scale.it} hangs on it{after}."
    span = fact.interval or (fact.number, fact.number)
    figures = [fixed(value, 0 if value >= 10.0 else 1) for value in (fact.number, *span)]
    share = f"{figures[0]}% of the variation in {scale.it} hangs on it (95% range: {figures[1]}% to {figures[2]}%)"
    with_others = joined([quoted(partner) for partner in fact.partners])
    ways = [*(["by itself"] if fact.alone else []), *([f"together with {with_others}"] if fact.partners else [])]
    how = f", {' and '.join(ways)}" if ways else ""
    scatter = "; the scatter changes with it, too" if fact.scatter else ""
    matters = "matters" if fact.number >= LITTLE else "matters little"
    if is_open(fact):
        return f"It is open whether {name} matters: by this model, {share}{how}, but most others do without it{more}."
    return f"{capital(name)} {matters}: {share}{how}{scatter}{more}."


def noise_text(fact: NoiseSize, scale: Scale) -> str:
    """One sentence on the scatter."""
    if fact.number <= 0.0:
        return "The model has no scatter: it goes through every value."
    if not fact.changes:
        nearly_all = 1.96 * fact.number if fact.held is None else fact.held
        held = f"Random scatter: 95% of the values lie {_within(nearly_all, scale)} what the columns give"
        if abs(1.96 * fact.number - nearly_all) <= ALIKE * nearly_all:
            return f"{held}."
        return f"{held}; the model expects 95% of new ones {_within(1.96 * fact.number, scale)} it."
    told = []
    for column, places, sds in fact.changes:
        sizes = pair(1.96 * sds[0], 1.96 * sds[1], 2)
        lies = [f"within ±{size}" for size in sizes] if not scale.is_log else [_around(1.96 * sd, scale) for sd in sds]
        low, high = (_at(place, places) for place in places)
        told.append(
            f"{lies[0]} where {quoted(column)} is {low} and {lies[1].removeprefix('within ')} where it is {high}"
        )
    names = joined([quoted(column) for column, _, _ in fact.changes])
    return f"Random scatter that changes with {names}: 95% of it lies {'; '.join(told)}."


def _within(size: float, scale: Scale) -> str:
    return _around(size, scale) if scale.is_log else f"within ±{amount(size, 2)} of"


def _around(size: float, scale: Scale) -> str:
    """Where 95 % of values lie about a curve of a logarithm: ratios, which are no plus or minus."""
    assert scale.is_log
    low, high = 100.0 * (1.0 - exp(-size)), 100.0 * expm1(min(size, _MOST))
    return f"between {amount(low, 2)}% below and {amount(high, 2)}% above"


def explained_text(fact: Explained, scale: Scale) -> str:
    """How much the model explains and how well it predicts, in two sentences."""
    scaled = f"the logarithm of {scale.it}" if scale.is_log else scale.it
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


def check_text(fact: ErrorCheck) -> str:
    """What a failed check found and what it may mean."""
    match fact.kind, fact.side:
        case "distribution", 1:
            return "Single errors are larger than the model expects: there are outliers, or ranges are too narrow"
        case "distribution", _:
            return "The errors are not spread as the model expects: most are smaller, so ranges are too wide for them"
        case "spread", side:
            size = "larger" if side > 0 else "smaller"
            return (
                f"Where the predictions are high, the errors are {size} than the model says: it has the scatter wrong"
            )
    return f"A pattern along {quoted(fact.column or '')} is left in the errors: the model has not used all it tells"


def _inside(sentence: str) -> str:
    return sentence if sentence.startswith("'") else sentence[:1].lower() + sentence[1:]
