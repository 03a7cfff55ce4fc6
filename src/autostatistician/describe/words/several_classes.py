"""Several classes in words: where each is likelier than elsewhere, and which are taken for which."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.claims.claim import Claim, extremes, first
from autostatistician.claims.kinds import FEW, Kind
from autostatistician.describe.axis.units import Scale, Units, is_over_time
from autostatistician.describe.facts.judgement import clear_courses, effect_of
from autostatistician.describe.words.chances import (
    MOST_TURNS,
    foresight_text,
    place_along,
    season_of,
)
from autostatistician.forms import CourseKind
from autostatistician.i18n.messages import sentence
from autostatistician.i18n.names import quoted
from autostatistician.i18n.numbers import capital, count, joined, percent

__all__ = [
    "at_some_times_alone", "confused_text", "foresight_of_several_text", "likelier_text",
    "method_of_several", "no_class_text", "nothing_of_several_text",
]  # fmt: skip

MIDDLE = (0.2, 0.8)  # shares of the rows below a value that is neither small nor large


def method_of_several() -> str:
    """How models of single classes make one of all."""
    return sentence("classes.method")


def likelier_text(effects: Sequence[Sequence[Claim]], scale: Scale) -> str:
    """Where the class of a scale is likelier than elsewhere, by the claims on its effects, the largest first."""
    places, name = _likelier_places(effects, scale), quoted(scale.event)
    if not places:
        return sentence("classes.alike", name=name)
    return sentence("classes.likelier", name=capital(name), places=joined(places))


def at_some_times_alone(effects: Sequence[Sequence[Claim]], scale: Scale) -> bool:
    """Whether all that `likelier_text` can say is that a class is likelier at some times."""
    return _likelier_places(effects, scale) == [_at("times")]


def _at(where: str, places: str = "") -> str:
    return sentence("classes.at", where=where, places=places)


def _where(where: str, column: str, place: str = "") -> str:
    """Where a column has some value."""
    return _at("place", sentence("classes.places", where=where, column=column, place=place))


def _likelier_places(effects: Sequence[Sequence[Claim]], scale: Scale) -> list[str]:
    return [place for claims in effects[:FEW] if (place := _likelier_at(claims, scale))]


def _likelier_at(claims: Sequence[Claim], scale: Scale) -> str:
    """Where an effect makes the class likelier; "" where that is not clear."""
    best, columns = first(claims, Kind.LIKELIEST), effect_of(claims).columns
    if best is not None:
        return _at("place", joined([_likeliest(part) for part in best.parts]))
    courses = clear_courses(claims)
    if len(columns) > 1:
        return _at("together", joined(list(map(scale.column, columns)))) if courses else ""
    return _along(courses[0], scale) if courses and courses[0].of(Kind.CHANCE) else ""


def _likeliest(part: Claim) -> str:
    """The place of one of two columns where the class is likeliest."""
    where = "small" if part.value <= MIDDLE[0] else "large" if part.value >= MIDDLE[1] else "near"
    place = place_along(part.at[0], part, Scale(target=""))
    return sentence("classes.places", where="is" if part.levels else where, column=quoted(part.columns[0]), place=place)


def _along(claim: Claim, scale: Scale) -> str:
    column, chances, over_time = scale.column(claim.columns[0]), claim.of(Kind.CHANCE), is_over_time(scale)
    worst, best = extremes(chances)
    if claim.levels or len(claim.at) == 2:
        return _where("is", column, place_along(best.at[0], claim, scale))
    if "period" in claim.more:
        season = season_of(best, claim["period"], scale) if isinstance(scale, Units) else ""
        return season or (_at("cycle") if over_time else _at("evenly", column))
    if len(claim.of(Kind.TURN)) > MOST_TURNS:
        return _at("times") if over_time else _at("some", column)
    if claim.form == CourseKind.TURNING:
        where, at = ("near", best) if best in chances[1:-1] else ("far", worst)
        place = place_along(at.at[0], claim, scale)
        return _at(where, place) if over_time else _where(where, column, place)
    late = chances[-1].value > chances[0].value
    if over_time:
        return _at("late" if late else "early")
    return _where("large" if late else "small", column)


def foresight_of_several_text(claim: Claim, target: str, usual: str) -> str:
    """How well all classes are foreseen, beside the shares of the classes alone."""
    return foresight_text(claim, Scale(target=target, event=usual, other=usual))


def nothing_of_several_text(claim: Claim, target: str, usual: str) -> str:
    """That no column tells anything of any class."""
    return sentence("classes.nothing", target=quoted(target), usual=quoted(usual), share=percent(claim["share"]))


def confused_text(confused: Sequence[Claim]) -> str:
    """Which classes are taken for which."""
    if not confused:
        return sentence("classes.all_right")
    return sentence("classes.confused", pairs=joined([_taken(pair) for pair in confused[:FEW]]))


def _taken(pair: Claim) -> str:
    whole, number = round(pair["rows"]), round(pair.number.value)
    rows = sentence("classes.rows", n=whole, number=count(whole))
    came, likeliest = quoted(pair.named["came"]), quoted(pair.named["likeliest"])
    return sentence("classes.taken", n=number, number=number, rows=rows, came=came, likeliest=likeliest)


def no_class_text(columns: Sequence[str], most: str) -> str:
    """Which columns tell nothing clear of any class, and how much they may add at most.

    >>> no_class_text(["a"], "2%")
    "No class clearly hangs on 'a' (at most 2% more of the variation would be explained)."
    """
    return sentence("classes.idle", columns=joined([quoted(name) for name in columns]), most=most)
