"""Several classes in words: where each is likelier than elsewhere, and which are taken for which."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.describe.axis.units import Scale, Units, is_over_time
from autostatistician.describe.claims.claim import Claim
from autostatistician.describe.facts.classes import ChanceAt, ChanceCourse, Foresight
from autostatistician.describe.facts.effect import EffectCourse
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.judgement import effect_share
from autostatistician.describe.facts.several_classes import LikeliestAt
from autostatistician.describe.words.chances import (
    MOST_TURNS,
    column_place,
    foresight_text,
    season_of,
)
from autostatistician.forms import CourseKind
from autostatistician.wording.messages import sentence
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import capital, count, joined, percent

__all__ = [
    "at_some_times_alone", "confused_text", "foresight_of_several_text", "likelier_text",
    "method_of_several", "no_class_text", "nothing_of_several_text",
]  # fmt: skip

MOST_EFFECTS = 3  # in the sentence on a class
MOST_PAIRS = 3
MIDDLE = (0.2, 0.8)  # shares of the rows below a value that is neither small nor large


def method_of_several() -> str:
    """How models of single classes make one of all."""
    return sentence("classes.method")


def likelier_text(effects: Sequence[Sequence[Fact]], scale: Scale) -> str:
    """Where the class of a scale is likelier than elsewhere, by the facts of its effects, the largest first."""
    places, name = _likelier_places(effects, scale), quoted(scale.event)
    if not places:
        return sentence("classes.alike", name=name)
    return sentence("classes.likelier", name=capital(name), places=joined(places))


def at_some_times_alone(effects: Sequence[Sequence[Fact]], scale: Scale) -> bool:
    """Whether all that `likelier_text` can say is that a class is likelier at some times."""
    return _likelier_places(effects, scale) == [_at("times")]


def _at(where: str, places: str = "") -> str:
    return sentence("classes.at", where=where, places=places)


def _where(where: str, column: str, place: str = "") -> str:
    """Where a column has some value."""
    return _at("place", sentence("classes.places", where=where, column=column, place=place))


def _likelier_places(effects: Sequence[Sequence[Fact]], scale: Scale) -> list[str]:
    return [place for facts in effects[:MOST_EFFECTS] if (place := _likelier_at(facts, scale))]


def _likelier_at(facts: Sequence[Fact], scale: Scale) -> str:
    """Where an effect makes the class likelier; "" where that is not clear."""
    best = next((fact for fact in facts if isinstance(fact, LikeliestAt)), None)
    if best is not None:
        return _at("place", _both_places(best))
    courses = [fact for fact in facts if isinstance(fact, ChanceCourse) and fact.kind is not CourseKind.UNCLEAR]
    if len(effect_share(facts).columns) > 1:
        names = joined([quoted(name) for name in effect_share(facts).columns])
        return _at("together", names) if courses else ""
    return _along(courses[0], scale) if courses and courses[0].chances else ""


def _both_places(fact: LikeliestAt) -> str:
    """The places of both columns where the class is likeliest."""
    texts = []
    for name, place, rank, low, high, levels in zip(
        fact.columns, fact.places, fact.ranks, fact.lows, fact.highs, fact.levels, strict=True
    ):
        where = "is" if levels else "small" if rank <= MIDDLE[0] else "large" if rank >= MIDDLE[1] else "near"
        at = column_place(place, (low, high), Scale(target=""), levels)
        texts.append(sentence("classes.places", where=where, column=quoted(name), place=at))
    return joined(texts)


def _along(fact: ChanceCourse, scale: Scale) -> str:
    column, chances, over_time = quoted(fact.column), fact.chances, is_over_time(scale)
    best, worst = (max(chances, key=lambda at: sign * at.chance) for sign in (1.0, -1.0))
    if fact.levels or len(fact.places) == 2:
        return _where("is", column, _place(best, fact, scale))
    if fact.period is not None:
        season = season_of(best, fact.period, scale) if isinstance(scale, Units) else ""
        return season or (_at("cycle") if over_time else _at("evenly", column))
    if len(fact.turns) > MOST_TURNS:
        return _at("times") if over_time else _at("some", column)
    if fact.kind is CourseKind.TURNING:
        where, at = ("near", best) if best in chances[1:-1] else ("far", worst)
        place = _place(at, fact, scale)
        return _at(where, place) if over_time else _where(where, column, place)
    late = chances[-1].chance > chances[0].chance
    if over_time:
        return _at("late" if late else "early")
    return _where("large" if late else "small", column)


def _place(at: ChanceAt, fact: EffectCourse, scale: Scale) -> str:
    return column_place(at.at, (fact.low, fact.high), scale, fact.levels)


def foresight_of_several_text(fact: Foresight, target: str, usual: str) -> str:
    """How well all classes are foreseen, beside the shares of the classes alone."""
    return foresight_text(fact, Scale(target=target, event=usual, other=usual))


def nothing_of_several_text(fact: Foresight, target: str, usual: str) -> str:
    """That no column tells anything of any class."""
    return sentence("classes.nothing", target=quoted(target), usual=quoted(usual), share=percent(fact.share))


def confused_text(confused: Sequence[Claim]) -> str:
    """Which classes are taken for which."""
    if not confused:
        return sentence("classes.all_right")
    return sentence("classes.confused", pairs=joined([_taken(pair) for pair in confused[:MOST_PAIRS]]))


def _taken(pair: Claim) -> str:
    whole, number = round(pair["rows"]), round(pair.number.value)
    rows = sentence("classes.rows", n=whole, number=count(whole))
    came, likeliest = quoted(pair.named["came"]), quoted(pair.named["likeliest"])
    return sentence("classes.taken", n=number, number=number, rows=rows, came=came, likeliest=likeliest)


def no_class_text(columns: Sequence[str]) -> str:
    """Which columns tell nothing of any class; "" where there are none.

    >>> no_class_text(["a", "b"]), no_class_text([])
    ("No class hangs on 'a' and 'b'.", '')
    """
    return sentence("classes.idle", columns=joined([quoted(name) for name in columns])) if columns else ""
