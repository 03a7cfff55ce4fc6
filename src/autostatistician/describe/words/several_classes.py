"""Several classes in words: where each is likelier than elsewhere, and which are taken for which."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.describe.axis.scale import Scale
from autostatistician.describe.axis.units import Units, is_over_time
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
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import capital, joined, percent, plural

__all__ = [
    "AT_SOME_TIMES", "METHOD_OF_SEVERAL", "confused_text", "foresight_of_several_text", "likelier_text",
    "no_class_text", "nothing_of_several_text", "reliable_chances_text", "surprises_of_several_text",
]  # fmt: skip

MOST_EFFECTS = 3  # in the sentence on a class
MOST_PAIRS = 3
AT_SOME_TIMES = "at some times"  # of a course without a form that has a name
MIDDLE = (0.2, 0.8)  # shares of the rows below a value that is neither small nor large
METHOD_OF_SEVERAL = (
    "Each class has a search and a model of its own, of the chance of that class against all others. At any place "
    "these chances are divided by their sum, so that they add up to 100%. Sentences and pictures on a single class are "
    "of its chance against all others."
)


def likelier_text(effects: Sequence[Sequence[Fact]], scale: Scale) -> str:
    """Where the class of a scale is likelier than elsewhere, by the facts of its effects, the largest first."""
    places = [place for facts in effects[:MOST_EFFECTS] if (place := _likelier_at(facts, scale))]
    name = quoted(scale.event)
    if not places:
        return f"Nothing was found that tells {name} from the rest."
    return f"{capital(name)} is likelier {joined(places)}."


def _likelier_at(facts: Sequence[Fact], scale: Scale) -> str:
    """Where an effect makes the class likelier; "" where that is not clear."""
    names = joined([quoted(name) for name in effect_share(facts).columns])
    best = next((fact for fact in facts if isinstance(fact, LikeliestAt)), None)
    if best is not None:
        return f"where {_both_places(best)}"
    courses = [fact for fact in facts if isinstance(fact, ChanceCourse) and fact.kind is not CourseKind.UNCLEAR]
    if len(effect_share(facts).columns) > 1:
        return f"at some values of {names} together" if courses else ""
    return _along(courses[0], scale) if courses and courses[0].chances else ""


def _both_places(fact: LikeliestAt) -> str:
    """The places of both columns where the class is likeliest."""
    texts = []
    ends = zip(fact.lows, fact.highs, strict=True)
    for name, place, rank, span, levels in zip(fact.columns, fact.places, fact.ranks, ends, fact.levels, strict=True):
        where = f"near {column_place(place, span, Scale(target=''))}"
        if levels:
            where = column_place(place, span, Scale(target=""), levels)
        elif not MIDDLE[0] < rank < MIDDLE[1]:
            where = "small" if rank <= MIDDLE[0] else "large"
        texts.append(f"{quoted(name)} is {where}")
    return joined(texts)


def _along(fact: ChanceCourse, scale: Scale) -> str:
    column, chances, over_time = quoted(fact.column), fact.chances, is_over_time(scale)
    best = max(chances, key=lambda at: at.chance)
    if fact.levels or len(fact.places) == 2:
        return f"where {column} is {_place(best, fact, scale)}"
    if fact.period is not None:
        if isinstance(scale, Units) and (season := season_of(best, fact.period, scale)):
            return season.strip()
        return "at a certain time of its cycle" if over_time else f"at values of {column} that come again evenly"
    if len(fact.turns) > MOST_TURNS:
        return AT_SOME_TIMES if over_time else f"at some values of {column}"
    if fact.kind is CourseKind.TURNING:
        return _at_turns(fact, best, scale)
    late = chances[-1].chance > chances[0].chance
    if over_time:
        return f"{'late' if late else 'early'} in the data"
    return f"where {column} is {'large' if late else 'small'}"


def _at_turns(fact: ChanceCourse, best: ChanceAt, scale: Scale) -> str:
    inner = fact.chances[1:-1]
    if best in inner:
        where = _place(best, fact, scale)
        return f"around {where}" if is_over_time(scale) else f"where {quoted(fact.column)} is near {where}"
    least = min(fact.chances, key=lambda at: at.chance)
    where = _place(least, fact, scale)
    return f"far from {where}" if is_over_time(scale) else f"where {quoted(fact.column)} is far from {where}"


def _place(at: ChanceAt, fact: EffectCourse, scale: Scale) -> str:
    return column_place(at.at, (fact.low, fact.high), scale, fact.levels)


def foresight_of_several_text(fact: Foresight, target: str, usual: str) -> str:
    """How well all classes are foreseen, beside the shares of the classes alone."""
    return foresight_text(fact, Scale(target=target, event=usual, other=usual))


def nothing_of_several_text(fact: Foresight, target: str, usual: str) -> str:
    """That no column tells anything of any class."""
    return (
        f"Nothing was found: no column tells anything about the classes of {quoted(target)} that is clear of accident. "
        f"The most frequent, {quoted(usual)}, came in {percent(fact.share)} of the rows."
    )


def reliable_chances_text(fact: Foresight) -> str:
    """How many rows are taken for the wrong class, beside what the shares of the classes alone give."""
    return (
        f"Foreseen from all other rows, {percent(fact.wrong)} are taken for the wrong class, where the shares of the "
        f"classes alone give {percent(fact.wrong_of_share)}."
    )


def confused_text(confused: Sequence[Taken]) -> str:
    """Which classes are taken for which.

    >>> pair = Taken(id="", number=3.0, unit="1", evidence="", came="a", likeliest="b", rows=50)
    >>> confused_text([pair])
    "Foreseen from all others, 3 of 50 rows of 'a' are taken for 'b'."
    """
    if not confused:
        return "Foreseen from all others, no row is taken for the wrong class."
    pairs = [
        f"{pair.number:.0f} of {plural(pair.rows, 'row')} of {quoted(pair.came)} "
        f"{'is' if pair.number == 1.0 else 'are'} taken for {quoted(pair.likeliest)}"
        for pair in confused[:MOST_PAIRS]
    ]
    return f"Foreseen from all others, {joined(pairs)}."


def no_class_text(columns: Sequence[str]) -> str:
    """Which columns tell nothing of any class; "" where there are none.

    >>> no_class_text(["a", "b"]), no_class_text([])
    ("No class hangs on 'a' and 'b'.", '')
    """
    return f"No class hangs on {joined([quoted(name) for name in columns])}." if columns else ""


def surprises_of_several_text(surprises: Sequence[SurprisingClass]) -> str:
    """Rows whose class had been given a small chance."""
    if not surprises:
        return "No row was of a class that had a chance of less than 5%."
    rows = [(each.row, quoted(each.came), each.number) for each in surprises]
    return surprising_rows_text(rows, surprises[0].expected)
