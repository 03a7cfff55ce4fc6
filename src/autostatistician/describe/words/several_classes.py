"""Several classes in words: where each is likelier than elsewhere, and which are taken for which."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.describe.axis.units import Scale, Units, is_over_time
from autostatistician.describe.facts.classes import ChanceAt, ChanceCourse, Foresight
from autostatistician.describe.facts.effect import EffectCourse
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.judgement import effect_share
from autostatistician.describe.facts.several_classes import LikeliestAt, SurprisingClass, Taken
from autostatistician.describe.words.chances import (
    MOST_TURNS,
    column_place,
    foresight_text,
    season_of,
    surprising_rows_text,
)
from autostatistician.forms import CourseKind
from autostatistician.wording.messages import message, say, say_as, say_count
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import capital, count, joined, percent

__all__ = [
    "METHOD_OF_SEVERAL", "at_some_times_alone", "confused_text", "foresight_of_several_text", "likelier_text",
    "no_class_text", "nothing_of_several_text", "surprises_of_several_text",
]  # fmt: skip

MOST_EFFECTS = 3  # in the sentence on a class
MOST_PAIRS = 3
AT_SOME_TIMES = message("at some times")  # of a course without a form that has a name
MIDDLE = (0.2, 0.8)  # shares of the rows below a value that is neither small nor large
METHOD_OF_SEVERAL = message(
    "Each class has a search and a model of its own, of the chance of that class against all others. At any place "
    "these chances are divided by their sum, so that they add up to 100%. Sentences and pictures on a single class are "
    "of its chance against all others."
)


def likelier_text(effects: Sequence[Sequence[Fact]], scale: Scale) -> str:
    """Where the class of a scale is likelier than elsewhere, by the facts of its effects, the largest first."""
    places, name = _likelier_places(effects, scale), quoted(scale.event)
    if not places:
        return say("No column clearly tells {name} from the rest.", name=name)
    return say("{name} is likelier {places}.", name=capital(name), places=joined(places))


def at_some_times_alone(effects: Sequence[Sequence[Fact]], scale: Scale) -> bool:
    """Whether all that `likelier_text` can say is that a class is likelier at some times."""
    return _likelier_places(effects, scale) == [say(AT_SOME_TIMES)]


def _likelier_places(effects: Sequence[Sequence[Fact]], scale: Scale) -> list[str]:
    return [place for facts in effects[:MOST_EFFECTS] if (place := _likelier_at(facts, scale))]


def _likelier_at(facts: Sequence[Fact], scale: Scale) -> str:
    """Where an effect makes the class likelier; "" where that is not clear."""
    names = joined([quoted(name) for name in effect_share(facts).columns])
    best = next((fact for fact in facts if isinstance(fact, LikeliestAt)), None)
    if best is not None:
        return say("where {places}", places=_both_places(best))
    courses = [fact for fact in facts if isinstance(fact, ChanceCourse) and fact.kind is not CourseKind.UNCLEAR]
    if len(effect_share(facts).columns) > 1:
        return say("at some values of {names} together", names=names) if courses else ""
    return _along(courses[0], scale) if courses and courses[0].chances else ""


def _both_places(fact: LikeliestAt) -> str:
    """The places of both columns where the class is likeliest."""
    ends = zip(fact.lows, fact.highs, strict=True)
    columns = zip(fact.columns, fact.places, fact.ranks, ends, fact.levels, strict=True)
    return joined([_one_place(quoted(name), place, rank, span, levels) for name, place, rank, span, levels in columns])


def _one_place(column: str, place: float, rank: float, span: tuple[float, float], levels: tuple[str, ...]) -> str:
    if levels:
        return say_as(
            "after where",
            "{column} is {place}",
            column=column,
            place=column_place(place, span, Scale(target=""), levels),
        )
    if rank <= MIDDLE[0]:
        return say_as("after where", "{column} is small", column=column)
    if rank >= MIDDLE[1]:
        return say_as("after where", "{column} is large", column=column)
    return say_as(
        "after where", "{column} is near {place}", column=column, place=column_place(place, span, Scale(target=""))
    )


def _along(fact: ChanceCourse, scale: Scale) -> str:
    column, chances, over_time = quoted(fact.column), fact.chances, is_over_time(scale)
    best = max(chances, key=lambda at: at.chance)
    if fact.levels or len(fact.places) == 2:
        place = _place(best, fact, scale)
        return say("where {places}", places=say_as("after where", "{column} is {place}", column=column, place=place))
    if fact.period is not None:
        if isinstance(scale, Units) and (season := season_of(best, fact.period, scale)):
            return season
        if over_time:
            return say("at a certain time of its cycle")
        return say("at values of {column} that come again evenly", column=column)
    if len(fact.turns) > MOST_TURNS:
        return say(AT_SOME_TIMES) if over_time else say("at some values of {column}", column=column)
    if fact.kind is CourseKind.TURNING:
        return _at_turns(fact, best, scale)
    late = chances[-1].chance > chances[0].chance
    if over_time:
        return say("late in the data") if late else say("early in the data")
    size = (
        say_as("after where", "{column} is large", column=column)
        if late
        else say_as("after where", "{column} is small", column=column)
    )
    return say("where {places}", places=size)


def _at_turns(fact: ChanceCourse, best: ChanceAt, scale: Scale) -> str:
    column, over_time = quoted(fact.column), is_over_time(scale)
    if best in fact.chances[1:-1]:
        where = _place(best, fact, scale)
        if over_time:
            return say("around {place}", place=where)
        return say(
            "where {places}", places=say_as("after where", "{column} is near {place}", column=column, place=where)
        )
    where = _place(min(fact.chances, key=lambda at: at.chance), fact, scale)
    if over_time:
        return say("far from {place}", place=where)
    return say(
        "where {places}", places=say_as("after where", "{column} is far from {place}", column=column, place=where)
    )


def _place(at: ChanceAt, fact: EffectCourse, scale: Scale) -> str:
    return column_place(at.at, (fact.low, fact.high), scale, fact.levels)


def foresight_of_several_text(fact: Foresight, target: str, usual: str) -> str:
    """How well all classes are foreseen, beside the shares of the classes alone."""
    return foresight_text(fact, Scale(target=target, event=usual, other=usual))


def nothing_of_several_text(fact: Foresight, target: str, usual: str) -> str:
    """That no column tells anything of any class."""
    return say(
        "No column tells anything clear about the classes of {target}. The most frequent, {usual}, came in {share} of "
        "the rows.",
        target=quoted(target), usual=quoted(usual), share=percent(fact.share),
    )  # fmt: skip


def confused_text(confused: Sequence[Taken]) -> str:
    """Which classes are taken for which.

    >>> pair = Taken(id="", number=3.0, unit="1", evidence="", came="a", likeliest="b", rows=50)
    >>> confused_text([pair])
    "Foreseen from all others, 3 of 50 rows of 'a' are taken for 'b'."
    """
    if not confused:
        return say("Foreseen from all others, no row is taken for the wrong class.")
    pairs = joined([_taken(pair) for pair in confused[:MOST_PAIRS]])
    return say("Foreseen from all others, {pairs}.", pairs=pairs)


def _taken(pair: Taken) -> str:
    number = round(pair.number)
    return say_count(
        number, "{n} of {rows} of {came} is taken for {likeliest}", "{n} of {rows} of {came} are taken for {likeliest}",
        n=number, rows=say_count(pair.rows, "{n} row", "{n} rows", n=count(pair.rows)), came=quoted(pair.came),
        likeliest=quoted(pair.likeliest),
    )  # fmt: skip


def no_class_text(columns: Sequence[str]) -> str:
    """Which columns tell nothing of any class; "" where there are none.

    >>> no_class_text(["a", "b"]), no_class_text([])
    ("No class hangs on 'a' and 'b'.", '')
    """
    names = joined([quoted(name) for name in columns])
    return say("No class hangs on {columns}.", columns=names) if columns else ""


def surprises_of_several_text(surprises: Sequence[SurprisingClass]) -> str:
    """Rows whose class had been given a small chance."""
    if not surprises:
        return say("No row was of a class that had a chance of less than 5%.")
    rows = [(each.row, quoted(each.came), each.number) for each in surprises]
    return surprising_rows_text(rows, surprises[0].expected)
