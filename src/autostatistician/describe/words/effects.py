"""What each effect of a table does, in words."""

from __future__ import annotations

from autostatistician.describe.axis.units import Scale
from autostatistician.describe.facts.classes import ChanceCourse, ChanceDependence
from autostatistician.describe.facts.effect import Dependence, EffectCourse
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.judgement import clear_courses, effect_share, manner_of, pair_of
from autostatistician.describe.facts.kinds import Manner
from autostatistician.describe.words.amounts import by, change, difference
from autostatistician.describe.words.chances import chance_course_text, chance_dependence_text, column_place
from autostatistician.describe.words.table_fit import rests_on
from autostatistician.forms import CourseKind
from autostatistician.wording.messages import sentence
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
            return sentence("effect.vague", columns=names)
        case Manner.MORE:
            return sentence("effect.more", columns=names, courses=courses, percent=percent(share.beyond))
        case Manner.OPEN:
            average = [sentence("effect.on_average", course=courses)] if courses else []
            return " ".join([*average, sentence("effect.open", columns=names)])
    idle = [quoted(course.column) for course in found if course.kind is CourseKind.UNCLEAR]
    if idle:
        return sentence("effect.idle", n=len(idle), courses=capital(courses), columns=joined(idle))
    return sentence("effect.sum", columns=names, courses=courses)


def beside_pair_text(facts: tuple[Fact, ...], scale: Scale) -> str:
    """What the columns of an effect do beside two of them that act together; "" for none."""
    pair = pair_of(facts)
    clauses = [_clause(fact, scale) for fact in clear_courses(facts) if pair and fact.column not in pair]
    return sentence("effect.on_average", course=in_turn(clauses)) if clauses else ""


def dependence_text(fact: Dependence, scale: Scale, columns: tuple[str, ...] = ()) -> str:
    """That the effect of one column changes with another, by what it is at two places."""
    if isinstance(fact, ChanceDependence):
        text = chance_dependence_text(fact, scale, columns)
    else:
        text = _dependence_text(fact, scale, columns)
    return sentence("effect.far", text=text) if fact.beyond else text


def _dependence_text(fact: Dependence, scale: Scale, columns: tuple[str, ...]) -> str:
    low, high = (column_place(place, fact.along_places, scale, fact.along_levels) for place in fact.along_places)
    here, there = (column_place(place, fact.by_places, scale, fact.by_levels) for place in fact.by_places)
    rest = joined([quoted(name) for name in columns if name not in (fact.along, fact.by)])
    return sentence(
        "effect.together", columns=joined([quoted(fact.along), quoted(fact.by)]), it=scale.it,
        column=quoted(fact.along), high=high, low=low, by=quoted(fact.by), here=here, there=there,
        first=change(fact.first, fact.first_interval, scale), last=change(fact.last, fact.last_interval, scale),
        others=(rest or sentence("effect.others")) if fact.others else "",
    )  # fmt: skip


def course_text(fact: EffectCourse, scale: Scale) -> str:
    """One sentence on an effect along one column."""
    clause = _clause(fact, scale)
    return sentence("effect.on_average", course=clause) if fact.averaged else f"{capital(clause)}."


def _clause(fact: EffectCourse, scale: Scale) -> str:
    """The same as a clause, without that it is an average."""
    if isinstance(fact, ChanceCourse):
        return f"{lowered(chance_course_text(fact, scale))}{rests_on(fact.carried)}"
    span, legs = (fact.low, fact.high), fact.legs
    first, last, high, low = (
        column_place(place, span, scale, fact.levels) for place in (*span, fact.highest, fact.lowest)
    )
    shape, rises = _shape(fact, scale), fact.highest > fact.lowest
    number, (least, most) = fact.number, fact.interval or (0.0, 0.0)
    if shape in ("percentage", "straight"):
        number, (least, most) = fact.change, fact.change_interval
    elif shape == "turns once":
        rises, number, (least, most) = fact.turns[0].top, legs[0].number, legs[0].interval
    elif not rises and shape.startswith(("open", "flat", "bent")):
        number, least, most = -number, -most, -least
    text = sentence(
        "effect.course", shape=shape, direction="up" if rises else "down", it=scale.it, column=quoted(fact.column),
        by=by(number, (least, most), scale), size=difference(number, (least, most), scale), first=first, last=last,
        high=high, low=low, period=amount(fact.period or 0.0, 3), n=count(len(fact.turns)), place=_place(fact, scale),
        places=_turns(fact, scale), beyond=by(legs[1].number, legs[1].interval, scale) if len(legs) == 2 else "",
    )  # fmt: skip
    return f"{text}{rests_on(fact.carried)}"


def _shape(fact: EffectCourse, scale: Scale) -> str:
    """The course of an effect, as its sentence asks for it."""
    if fact.kind is CourseKind.UNCLEAR:
        return "elsewhere" if fact.elsewhere else "unclear"
    if fact.levels or len(fact.places) == 2:
        return "two" if len(fact.places) == 2 else "levels"
    if fact.period is not None:
        return "repeats"
    if fact.kind is CourseKind.TURNING:
        return "turns once" if len(fact.turns) == 1 else "turns often" if len(fact.turns) > MOST_TURNS else "turns"
    if fact.open_from is not None:
        return "open from"
    if fact.open_until is not None:
        return "open until"
    if fact.kind is CourseKind.STRAIGHT:
        return "percentage" if scale.is_log and not scale.is_odds else "straight"
    if fact.flat_from is not None:
        return "flat from"
    if fact.flat_until is not None:
        return "flat until"
    match fact.bend:
        case 1:
            return "bent 1"
        case -1:
            return "bent -1"
        case _:
            return "bent 0"


def _place(fact: EffectCourse, scale: Scale) -> str:
    """Where the course turns, is flat from or until, or is clear no more."""
    span = (fact.low, fact.high)
    if fact.kind is not CourseKind.TURNING or not fact.turns:
        places = (fact.open_from, fact.open_until, fact.flat_from, fact.flat_until)
        return next((column_place(place, span, scale) for place in places if place is not None), "")
    turn = fact.turns[0]
    place, low, high = (column_place(at, span, scale) for at in (turn.at, *turn.span))
    return place if low == high else sentence("amount.difference", size=place, low=low, high=high)


def _turns(fact: EffectCourse, scale: Scale) -> str:
    """Where it is high and where low."""
    texts = []
    for top in (True, False):
        turns = [column_place(turn.at, (fact.low, fact.high), scale) for turn in fact.turns if turn.top is top]
        about = joined([sentence("effect.about", value=value) for value in turns])
        texts += [sentence("effect.turn_at", top=top, places=about)] if turns else []
    return joined(texts)
