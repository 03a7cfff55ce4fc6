"""What each effect of a table does, in words."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.claims.claim import Claim, told
from autostatistician.claims.kinds import KINDS, SEVERAL, Form, Kind
from autostatistician.claims.quantity import Quantity
from autostatistician.describe.axis.units import Scale
from autostatistician.describe.facts.judgement import (
    clear_courses,
    effect_of,
    is_likely,
    manner_of,
    may_be_codes,
    pair_of,
)
from autostatistician.describe.facts.kinds import Manner
from autostatistician.describe.words.amounts import by, change, difference, size
from autostatistician.describe.words.chances import (
    EDGES,
    MOST_TURNS,
    chance_course_text,
    chance_dependence_text,
    corner_places,
    place_along,
)
from autostatistician.forms import CourseKind
from autostatistician.i18n.messages import sentence
from autostatistician.i18n.names import quoted
from autostatistician.i18n.numbers import amount, capital, count, fixed, joined, lowered, p_text, p_value, percent

__all__ = [
    "beside_pair_texts", "beside_text", "by_itself_text", "course_text", "dependence_text", "effect_text",
    "effect_texts",
]  # fmt: skip


def effect_text(claims: tuple[Claim, ...], scale: Scale) -> str:
    """What is said of an effect, as one text."""
    return " ".join(effect_texts(claims, scale))


def effect_texts(claims: tuple[Claim, ...], scale: Scale) -> tuple[str, ...]:
    """Sentences on an effect: what matters most, whether its columns act together, and what the others do."""
    found, effect = told(claims, Kind.COURSE), effect_of(claims)
    clauses, manner = [_clause(course, scale) for course in clear_courses(claims)], manner_of(claims)
    names = [course.columns[0] for course in found]
    match manner:
        case Manner.ALONE:
            return (course_text(found[0], scale),)
        case Manner.PAIR:
            return (dependence_text(told(claims, Kind.TOGETHER)[0], scale, effect.columns),)
        case Manner.VAGUE:
            return (sentence("effect.vague", columns=_joined(effect.columns, scale)),)
        case Manner.MORE:
            more = sentence("effect.more", columns=_joined(effect.columns, scale), percent=percent(effect["beyond"]))
            return _with(_averaged(clauses), more)
        case Manner.OPEN:
            depends = sentence("effect.open", columns=_joined(names, scale)) if len(names) > 1 else ""
            return _with(_averaged(clauses), depends)
    idle = [course.columns[0] for course in found if course.form == CourseKind.UNCLEAR]
    texts = tuple(f"{capital(clause)}." for clause in clauses)
    if idle:
        return (*texts, sentence("effect.idle", n=len(idle), columns=_joined(idle, scale)))
    return _with(texts, sentence("effect.sum", columns=_joined(names, scale)) if len(names) > 1 else "")


def _with(texts: tuple[str, ...], together: str) -> tuple[str, ...]:
    """Sentences with the one on all of them, where there is one, behind the first."""
    return tuple(filter(None, (*texts[:1], together, *texts[1:])))


def _joined(columns: Sequence[str], scale: Scale) -> str:
    return joined(list(map(scale.column, columns)))


def _averaged(clauses: Sequence[str]) -> tuple[str, ...]:
    """Clauses on averages as sentences."""
    first, others = [sentence("effect.on_average", course=clause) for clause in clauses[:1]], clauses[1:]
    return (*first, *(f"{capital(clause)}." for clause in others))


def beside_pair_texts(claims: tuple[Claim, ...], scale: Scale) -> tuple[str, ...]:
    """What the columns of an effect do on average, where two of them act together."""
    pair, courses = pair_of(claims), clear_courses(claims)
    told_of = [course for course in courses if pair and not (scale.is_class and course.columns[0] in pair)]
    return _averaged([_clause(course, scale) for course in told_of])


def beside_text(claim: Claim, scale: Scale, of: int) -> str:
    """That one ``of`` so many columns probably acts, or may, though not in the model, and which way by its rows."""
    is_amount = not (scale.is_class or scale.counts)
    courses = [_clause(course, scale) if is_amount else _direction(course, scale) for course in claim.of(Kind.COURSE)]
    p, form = claim["p_single"], Form.MATTERS if is_likely(claim) else "single"
    if claim.form == Form.MAY:
        row, modelled = KINDS[Kind.MATTERS], claim["modelled"]
        form = "against" if modelled >= row.sure else Form.MAY if modelled >= row.told else "single"
    return sentence(
        "column.beside", form=form, known=bool(courses), column=scale.column(claim.columns[0]), of=fixed(of, 0),
        probability=percent(claim["modelled"]), p=p_text(p) if p < 1.0 else sentence("column.by_rows"),
        corrected=p_value(min(1.0, of * p)), course="".join(courses),
    )  # fmt: skip


def by_itself_text(claim: Claim, scale: Scale) -> str:
    """That a column acts, and which way the target goes along it by itself."""
    number, column = claim["correlation"], quoted(claim.columns[0])
    course = sentence("column.along", shape="rising" if number > 0.0 else "falling", it=scale.it, column=column)
    how_much = sentence("column.ranks", number=fixed(number, 2))
    return sentence("column.alone", column=scale.column(claim.columns[0]), course=course, how_much=how_much)


def _direction(course: Claim, scale: Scale) -> str:
    """Which way the target goes along a column, without by how much."""
    low, high = (place_along(course[name], course, scale) for name in ("lowest", "highest"))
    shape = "two" if course.at else course.form
    return sentence("column.along", shape=shape, it=scale.it, column=quoted(course.columns[0]), low=low, high=high)


def dependence_text(claim: Claim, scale: Scale, columns: tuple[str, ...] = ()) -> str:
    """That the effect of one column changes with another, by what it is at two places."""
    text = (chance_dependence_text if claim.of(Kind.CHANCE) else _dependence_text)(claim, scale, columns)
    return sentence("effect.far", text=text) if "beyond" in claim.marks else text


def _dependence_text(claim: Claim, scale: Scale, columns: tuple[str, ...]) -> str:
    low, high, here, there = corner_places(claim, scale)
    both, (column, by) = joined(list(map(scale.column, claim.columns))), map(quoted, claim.columns)
    rest = joined([scale.column(name) for name in columns if name not in claim.columns])
    is_averaged = "averaged" in claim.marks
    first, last = (change(number.value, number.interval, scale) for number in (claim.more["first"], claim.more["last"]))
    text = sentence(
        "effect.together", columns=both, it=scale.it, column=column, high=high, low=low, by=by,
        here=here, there=there, first=first, last=last,
        others=sentence("effect.averaged", others=rest or sentence("effect.others")) if is_averaged else "",
    )  # fmt: skip
    return f"{text}{_elsewhere(claim, scale)}"


def _elsewhere(claim: Claim, scale: Scale) -> str:
    """The same at the other categories; "" of many, and of those without rows from its low to its high place."""
    texts = [
        sentence("effect.at", by=change(level.value, level.number.interval, scale), at=quoted(name))
        for level in claim.of(Kind.LEVEL)
        for name in [claim.others["by"][round(level.at[0])]]
    ]
    return sentence("effect.elsewhere", levels=joined(texts)) if 0 < len(texts) <= SEVERAL else ""


def course_text(claim: Claim, scale: Scale) -> str:
    """One sentence on an effect along one column."""
    clause = _clause(claim, scale)
    return sentence("effect.on_average", course=clause) if "averaged" in claim.marks else f"{capital(clause)}."


def _clause(claim: Claim, scale: Scale) -> str:
    """The same as a clause, without that it is an average."""
    if scale.is_class:
        return lowered(chance_course_text(claim, scale))
    turns, runs = claim.of(Kind.TURN), [run.number for run in claim.of(Kind.RUN)]
    first, last, high, low = (place_along(claim[name], claim, scale) for name in ("low", "high", "highest", "lowest"))
    shape, rises, number = _shape(claim, scale), claim["highest"] > claim["lowest"], claim.number
    if shape in ("percentage", "straight"):
        number = claim.more["change"]
    elif shape == "turns once":
        rises, number = "top" in turns[0].marks, runs[0]
    elif not rises and shape.startswith(("open", "flat", "bent")):
        number = Quantity(-number.value, -number.high, -number.low)
    text = sentence(
        "effect.course", shape=shape, direction="up" if rises else "down", it=scale.it, first=first, last=last,
        column=scale.column(claim.columns[0]), by=by(number.value, number.interval, scale), high=high, low=low,
        size=difference(number.value, number.interval, scale), period=amount(claim.get("period") or 0.0, 3),
        n=count(len(turns)), place=_place(claim, scale), places=_turns(claim, scale), between=_between(claim, scale),
        beyond=by(runs[1].value, runs[1].interval, scale) if len(runs) == 2 else "",
    )  # fmt: skip
    return f"{text}{sentence('effect.by_rows') if 'by rows' in claim.marks else ''}"


def _between(claim: Claim, scale: Scale) -> str:
    """How high the levels of few categories lie that are neither the highest nor the lowest; "" of many."""
    lowest, *others = sorted(claim.of(Kind.LEVEL), key=lambda level: level.value) or [claim]
    if not 1 < len(others) < SEVERAL:
        return ""
    heights = [
        f"{place_along(level.at[0], claim, scale)} ({size(level.value - lowest.value, scale, 2)})"
        for level in others[-2::-1]
    ]
    return sentence("effect.between", levels=joined(heights))


def _shape(claim: Claim, scale: Scale) -> str:
    """The course of an effect, as its sentence asks for it.

    >>> bent = Claim(id="", kind=Kind.COURSE, number=Quantity(3.0, 2.0, 4.0), more={"bend": Quantity(1.0, 1.0, 1.0)})
    >>> _shape(bent, Scale(target="y"))
    'bent 1'
    """
    turns = len(claim.of(Kind.TURN))
    if claim.form == CourseKind.UNCLEAR:
        return "elsewhere" if "elsewhere" in claim.marks else "unclear"
    if claim.levels or len(claim.at) == 2 or may_be_codes(claim):
        return "two" if len(claim.at) == 2 else "levels"
    if "period" in claim.more:
        return "repeats"
    if claim.form == CourseKind.TURNING:
        return "turns once" if turns == 1 else "turns often" if turns > MOST_TURNS else "turns"
    if claim.at and {claim["lowest"], claim["highest"]} != {claim["low"], claim["high"]}:
        return "levels"  # of few values the highest or the lowest is between others, though no turn is sure
    edge = next((edge for edge in EDGES if edge in claim.more), "")
    if claim.form == CourseKind.STRAIGHT and not edge.startswith("open"):
        return "percentage" if scale.is_log and not scale.is_odds else "straight"
    return edge.replace("_", " ") or f"bent {claim['bend']:.0f}"


def _place(claim: Claim, scale: Scale) -> str:
    """Where the course turns, is flat from or until, or is clear no more."""
    turns = claim.of(Kind.TURN)
    edges = [claim.more[edge] for edge in EDGES if edge in claim.more]
    if claim.form == CourseKind.TURNING and turns:
        edges = [turns[0].number]
    if not edges:
        return ""
    place, low, high = (place_along(at, claim, scale) for at in (edges[0].value, *edges[0].interval))
    return place if low == high else sentence("amount.difference", size=place, low=low, high=high)


def _turns(claim: Claim, scale: Scale) -> str:
    """Where it is high and where low."""
    texts = []
    for top in (True, False):
        turns = [place_along(turn.value, claim, scale) for turn in claim.of(Kind.TURN) if ("top" in turn.marks) is top]
        about = joined([sentence("effect.about", value=value) for value in turns])
        texts += [sentence("effect.turn_at", top=top, places=about)] if turns else []
    return joined(texts)
