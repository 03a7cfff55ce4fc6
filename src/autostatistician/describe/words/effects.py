"""Facts about the model of a table in words: what each effect does."""

from __future__ import annotations

from autostatistician.describe.axis.units import Scale
from autostatistician.describe.facts.classes import ChanceCourse, ChanceDependence
from autostatistician.describe.facts.effect import Dependence, EffectCourse
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.judgement import clear_courses, effect_share, manner_of, pair_of
from autostatistician.describe.facts.kinds import Manner
from autostatistician.describe.words.amounts import by, change, difference
from autostatistician.describe.words.chances import chance_course_text, chance_dependence_text, column_place
from autostatistician.describe.words.table_fit import (
    rests_on,
)
from autostatistician.forms import CourseKind
from autostatistician.wording.messages import message, say, say_count
from autostatistician.wording.names import in_turn, quoted
from autostatistician.wording.numbers import amount, capital, count, joined, lowered, percent

__all__ = ["beside_pair_text", "course_text", "dependence_text", "effect_text"]

MOST_TURNS = 4  # that are named


def effect_text(facts: tuple[Fact, ...], scale: Scale) -> str:
    """One sentence on an effect."""
    found = [fact for fact in facts if isinstance(fact, EffectCourse)]
    share, names = effect_share(facts), joined([quoted(name) for name in effect_share(facts).columns])
    courses = in_turn(_clause(course, scale) for course in clear_courses(facts))
    match manner_of(facts):
        case Manner.ALONE:
            return course_text(found[0], scale)
        case Manner.PAIR:
            dependence = next(fact for fact in facts if isinstance(fact, Dependence))
            return dependence_text(dependence, scale, share.columns)
        case Manner.VAGUE:
            return say(
                "{columns} have an effect together that follows no clear course along any of them.", columns=names
            )
        case Manner.MORE:
            return say(
                "{columns} act together. On average over the others, {courses}; {percent} of what they do is more than "
                "a sum of effects of each.",
                columns=names, courses=courses, percent=percent(share.beyond),
            )  # fmt: skip
        case Manner.OPEN:
            whether = say("Whether {columns} act together or each by itself is open.", columns=names)
            return f"{say(_ON_AVERAGE, course=courses)} {whether}" if courses else whether
    idle = [quoted(course.column) for course in found if course.kind is CourseKind.UNCLEAR]
    if idle:
        return say_count(
            len(idle), "{courses}; {columns} hardly changes that.", "{courses}; {columns} hardly change that.",
            courses=capital(courses), columns=joined(idle),
        )  # fmt: skip
    return say("The effects of {columns} all but add up: {courses}.", columns=names, courses=courses)


def beside_pair_text(facts: tuple[Fact, ...], scale: Scale) -> str:
    """What the columns of an effect do beside two of them that act together; "" for none."""
    pair = pair_of(facts)
    clauses = [_clause(fact, scale) for fact in clear_courses(facts) if pair and fact.column not in pair]
    return say(_ON_AVERAGE, course=in_turn(clauses)) if clauses else ""


_ON_AVERAGE = message("Averaged over the other columns, {course}.")


def dependence_text(fact: Dependence, scale: Scale, columns: tuple[str, ...] = ()) -> str:
    """That the effect of one column changes with another, by what it is at two places."""
    if isinstance(fact, ChanceDependence):
        text = chance_dependence_text(fact, scale, columns)
    else:
        text = _dependence_text(fact, scale, columns)
    if not fact.beyond:
        return text
    return say("{text} No rows are near some of these places: there it rests on the model alone.", text=text)


def _dependence_text(fact: Dependence, scale: Scale, columns: tuple[str, ...]) -> str:
    low, high = (column_place(place, fact.along_places, scale, fact.along_levels) for place in fact.along_places)
    here, there = (column_place(place, fact.by_places, scale, fact.by_levels) for place in fact.by_places)
    told = {
        "columns": joined([quoted(name) for name in (fact.along, fact.by)]), "it": scale.it,
        "column": quoted(fact.along), "high": high, "low": low, "by": quoted(fact.by), "here": here, "there": there,
        "first": change(fact.first, fact.first_interval, scale), "last": change(fact.last, fact.last_interval, scale),
    }  # fmt: skip
    if not fact.others:
        return say(
            "{columns} act together: {column} at {high} instead of {low} changes {it} by {first} where {by} is {here}, "
            "and by {last} where it is {there}.",
            **told,
        )
    rest = joined([quoted(name) for name in columns if name not in (fact.along, fact.by)])
    return say(
        "{columns} act together: {column} at {high} instead of {low} changes {it} by {first} where {by} is {here}, and "
        "by {last} where it is {there} (averaged over {others}).",
        others=rest or say("the other columns"), **told,
    )  # fmt: skip


def course_text(fact: EffectCourse, scale: Scale) -> str:
    """One sentence on an effect along one column."""
    clause = _clause(fact, scale)
    return say(_ON_AVERAGE, course=clause) if fact.averaged else f"{capital(clause)}."


def _clause(fact: EffectCourse, scale: Scale) -> str:
    """The same as a clause, without that it is an average."""
    return f"{_course(fact, scale)}{rests_on(fact.carried)}"


def _course(fact: EffectCourse, scale: Scale) -> str:
    if isinstance(fact, ChanceCourse):
        return lowered(chance_course_text(fact, scale))
    told = {"it": scale.it, "column": quoted(fact.column), "by": by(fact.number, fact.interval or (0.0, 0.0), scale)}
    if fact.kind is CourseKind.UNCLEAR:
        if fact.elsewhere:
            return say("{column} matters, but what it does by itself is not clear of chance", **told)
        return say("{column} matters, but how is not clear of chance", **told)
    if fact.levels or len(fact.places) == 2:
        return _between_levels(fact, scale)
    if fact.period is not None:
        return say(
            "{it} repeats along {column} every {period}, up and down {by}", period=amount(fact.period, 3), **told
        )
    return _turning(fact, scale) if fact.kind is CourseKind.TURNING else _one_way(fact, scale)


def _one_way(fact: EffectCourse, scale: Scale) -> str:
    """A rise or fall along a column, and up to where."""
    span, names = (fact.low, fact.high), {"it": scale.it, "column": quoted(fact.column)}
    rises, (least, most) = fact.highest > fact.lowest, fact.interval or (0.0, 0.0)
    size, sizes = (fact.number, (least, most)) if rises else (-fact.number, (-most, -least))
    told = {
        "by": by(size, sizes, scale),
        "course": say("{it} rises with {column}", **names) if rises else say("{it} falls with {column}", **names),
    }
    if fact.open_from is not None:
        return say(
            "{course} up to about {place}, {by}, and follows no clear course beyond",
            place=column_place(fact.open_from, span, scale), **told,
        )  # fmt: skip
    if fact.open_until is not None:
        return say(
            "{course} from about {place} on, {by}, and follows no clear course before",
            place=column_place(fact.open_until, span, scale), **told,
        )  # fmt: skip
    if fact.kind is CourseKind.STRAIGHT:
        told |= _ends(fact, scale) | {"by": by(fact.change, fact.change_interval, scale)}
        if scale.is_log and not scale.is_odds:
            return say("{course} by the same percentage with each step, {by} from {first} to {last}", **told)
        return say("{course} evenly, {by} from {first} to {last}", **told)
    if fact.flat_from is not None:
        return say(
            "{course} up to about {place}, {by}, and hardly changes beyond",
            place=column_place(fact.flat_from, span, scale),
            **told,
        )
    if fact.flat_until is not None:
        return say(
            "{course} from about {place} on, {by}, and hardly changes before",
            place=column_place(fact.flat_until, span, scale),
            **told,
        )
    return say(_BENT[fact.bend], **_ends(fact, scale), **told)


_BENT = {
    0: message("{course}, {by} from {first} to {last}"),
    1: message("{course}, {by} from {first} to {last}, slowly at first and faster later"),
    -1: message("{course}, {by} from {first} to {last}, fast at first and more slowly later"),
}


def _ends(fact: EffectCourse, scale: Scale) -> dict[str, str]:
    """The ends of a column by name."""
    span = (fact.low, fact.high)
    return {"first": column_place(fact.low, span, scale), "last": column_place(fact.high, span, scale)}


def _between_levels(fact: EffectCourse, scale: Scale) -> str:
    span, interval = (fact.low, fact.high), fact.interval or (0.0, 0.0)
    high, low = (column_place(place, span, scale, fact.levels) for place in (fact.highest, fact.lowest))
    told = {"it": scale.it, "column": quoted(fact.column), "high": high, "low": low}
    if len(fact.places) == 2:
        return say(
            "{it} is higher {by} where {column} is {high} than where it is {low}",
            by=by(fact.number, interval, scale), **told,
        )  # fmt: skip
    return say(
        "{it} is highest where {column} is {high} and lowest where it is {low}, {size} apart",
        size=difference(fact.number, interval, scale), **told,
    )  # fmt: skip


def _turning(fact: EffectCourse, scale: Scale) -> str:
    if len(fact.turns) == 1:
        return _two_ways(fact, scale)
    told = {"it": scale.it, "column": quoted(fact.column), "by": by(fact.number, fact.interval or (0.0, 0.0), scale)}
    if len(fact.turns) > MOST_TURNS:
        return say("{it} goes up and down {n} times along {column}, {by} in all", n=count(len(fact.turns)), **told)
    tops, dips = (
        joined(
            [
                say("about {value}", value=column_place(turn.at, (fact.low, fact.high), scale))
                for turn in fact.turns
                if turn.top is top
            ]
        )
        for top in (True, False)
    )
    places = [*([say("high at {places}", places=tops)] if tops else []),
              *([say("low at {places}", places=dips)] if dips else [])]  # fmt: skip
    return say("{it} goes up and down along {column}, {places}, {by} in all", places=joined(places), **told)


def _two_ways(fact: EffectCourse, scale: Scale) -> str:
    """A curve with a single top or dip: how far it goes before it, and how far beyond."""
    turn, span = fact.turns[0], (fact.low, fact.high)
    before, beyond = (by(leg.number, leg.interval, scale) for leg in fact.legs)
    low, high = (column_place(end, span, scale) for end in turn.span)
    place = column_place(turn.at, span, scale)
    if low != high:
        place = say("{size} (95% range: {low} to {high})", size=place, low=low, high=high)
    told = {"it": scale.it, "column": quoted(fact.column), "before": before, "place": place, "beyond": beyond}
    if turn.top:
        return say("{it} rises with {column}, {before} up to about {place}, and beyond it falls {beyond}", **told)
    return say("{it} falls with {column}, {before} up to about {place}, and beyond it rises {beyond}", **told)
