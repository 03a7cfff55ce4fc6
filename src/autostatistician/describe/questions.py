"""Answers to the few questions that anyone asks of a model: sentences of its page, and the facts behind them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autostatistician.describe.axis.units import Units
from autostatistician.describe.document.classes.page import ClassPage
from autostatistician.describe.document.classes.several import (
    SeveralPage,
    several_sentences,
    several_statements,
    several_verdict,
)
from autostatistician.describe.document.classes.verdict import class_verdict
from autostatistician.describe.document.document import Block, Bullets, Paragraph, Section
from autostatistician.describe.document.page import Page
from autostatistician.describe.document.record import fact_json, stored
from autostatistician.describe.document.series.covariates import column_sentences
from autostatistician.describe.document.series.function import function_record
from autostatistician.describe.document.series.outliers import outlier_section
from autostatistician.describe.document.series.page import SeriesPage
from autostatistician.describe.document.series.verdict import series_verdict
from autostatistician.describe.document.table.page import TablePage
from autostatistician.describe.document.table.verdict import table_verdict
from autostatistician.describe.facts.effect import EffectCourse
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.function import (
    FunctionFact,
    NoiseThroughout,
    Rise,
    RunOfCourse,
    ScatterStep,
    SeasonSwing,
    SlopeOfLate,
    SuddenChange,
)
from autostatistician.describe.facts.whole import HeavyTails, ReturningDay, StandingOut
from autostatistician.describe.words.answers.questions import none_text, statement_text, verdict_texts
from autostatistician.describe.words.course import course_text
from autostatistician.describe.words.events import happened_text
from autostatistician.describe.words.plain import line_text
from autostatistician.describe.words.seasons import season_text
from autostatistician.errors import InputError
from autostatistician.forms import QUESTIONS
from autostatistician.wording.numbers import capital

__all__ = ["Answer", "answered", "answered_of_several"]

OVER_TIME = ("trend", "seasons")  # of classes over time
_KINDS: dict[str, tuple[type[FunctionFact], ...]] = {  # of facts on the function, by question
    "trend": (Rise, RunOfCourse, SlopeOfLate),
    "seasons": (SeasonSwing,),
    "events": (SuddenChange, ScatterStep),
    "what": (Rise, RunOfCourse, SlopeOfLate, SeasonSwing, SuddenChange, ScatterStep, NoiseThroughout),
}


@dataclass(frozen=True)
class Answer:
    """What a model answers to a question.

    Attributes
    ----------
    question : str
    sentences : tuple of str
    facts : tuple of dict
        What they say as numbers with units, ranges of 95 %, dates and probabilities, as in the JSON of a report.
    """

    question: str
    sentences: tuple[str, ...]
    facts: tuple[dict[str, object], ...]

    def __str__(self) -> str:
        return "\n".join(self.sentences)


def answered(page: Page, question: str) -> Answer:
    """The answer of a page to one of `QUESTIONS`.

    Raises
    ------
    InputError
        When it is none of these, or one on the course in time of a table.
    """
    if question not in QUESTIONS:
        raise InputError.of(f"one of {', '.join(QUESTIONS)}", repr(question), "ask one of these")
    if question == "what":
        return Answer(question, (page.abstract(),), _what(page))
    if question == "sure":
        return Answer(question, _sure(page), tuple(_statement_records(page)))
    if isinstance(page, SeriesPage):
        return _of_series(page, question)
    if isinstance(page, ClassPage) and isinstance(page.scale, Units) and question in OVER_TIME:
        return _of_classes_over_time(page, question)
    if question != "columns":
        raise InputError.of("a series in time", "a model of a table", "ask what, columns or sure")
    assert isinstance(page, TablePage | ClassPage)
    return Answer(question, page.sentences(), tuple(map(fact_json, page.facts)))


def answered_of_several(page: SeveralPage, question: str) -> Answer:
    """The answer of the page on several classes.

    Raises
    ------
    InputError
        When it is no question, or one that such a page cannot answer.
    """
    facts = tuple(map(fact_json, (page.findings.foresight, *page.findings.confused)))
    match question:
        case "what":
            return Answer(question, (*page.likelier, page.foresight), facts)
        case "columns":
            return Answer(question, several_sentences(page), facts)
        case "sure":
            verdict = several_verdict(page)
            said = verdict_texts(verdict.rely, verdict.doubt, verdict.next)
            return Answer(question, (*said, *map(statement_text, several_statements(page))), facts)
    if question in OVER_TIME and isinstance(page.pages[0].scale, Units):
        each = [answered(one, question) for one in page.pages]
        return Answer(question, tuple(text for one in each for text in one.sentences), facts)
    expected = "one of what, columns and sure" if question in QUESTIONS else f"one of {', '.join(QUESTIONS)}"
    raise InputError.of(expected, f"{question!r} of several classes", "ask one of these")


def _of_classes_over_time(page: ClassPage, question: str) -> Answer:
    """What a model of classes over time says of their trend, or of what repeats."""
    told = [effect for effect in page.story.effects if _repeats(effect.effect.facts) is (question == "seasons")]
    facts = tuple(fact_json(fact) for effect in told for fact in effect.effect.facts)
    return Answer(question, tuple(effect.sentence for effect in told) or (none_text(question, page.scale),), facts)


def _repeats(facts: Sequence[Fact]) -> bool:
    return any(isinstance(fact, EffectCourse) and fact.period is not None for fact in facts)


def _what(page: Page) -> tuple[dict[str, object], ...]:
    if isinstance(page, SeriesPage):
        return _on_function(page, "what")
    return tuple(map(fact_json, page.facts))


def _of_series(page: SeriesPage, question: str) -> Answer:
    findings, units = page.findings, page.scale
    facts: tuple[dict[str, object], ...] = _on_function(page, question) if question in _KINDS else ()
    match question:
        case "trend":
            texts: tuple[str, ...] = (line_text(findings.facts, units) or course_text(findings.function, units),)
        case "seasons":
            seasons = [fact for fact in findings.function if isinstance(fact, SeasonSwing) and fact.told]
            texts = tuple(f"{capital(season_text(fact, units))}." for fact in seasons)
        case "events":
            standing = [fact for fact in findings.facts if isinstance(fact, StandingOut | HeavyTails | ReturningDay)]
            texts = (happened_text(findings.function, units), *_spoken(outlier_section(findings.facts, units)))
            facts = (*facts, *map(fact_json, standing))
        case _:
            beside = findings.covariates
            texts = () if beside is None else column_sentences(beside, units)
            facts = () if beside is None else tuple(map(fact_json, beside.facts))
    return Answer(question, tuple(filter(None, texts)) or (none_text(question, units),), facts)


def _on_function(page: SeriesPage, question: str) -> tuple[dict[str, object], ...]:
    """The claims on the function that are told, as plain values."""
    told = [fact for fact in page.findings.function if isinstance(fact, _KINDS[question]) and fact.told]
    return tuple(function_record(fact, page.scale) for fact in told)


def _spoken(sections: Sequence[Section]) -> list[str]:
    """The sentences of some sections, without tables and pictures."""
    return [text for section in sections for block in section.blocks for text in _texts(block)]


def _texts(block: Block) -> tuple[str, ...]:
    match block:
        case Paragraph():
            return (block.text,)
        case Bullets():
            return block.items
    return ()


def _sure(page: Page) -> tuple[str, ...]:
    match page:
        case SeriesPage():
            verdict = series_verdict(page.findings, page.statements, page.scale)
        case TablePage():
            verdict = table_verdict(page.findings, page.scale)
        case _:
            assert isinstance(page, ClassPage)
            verdict = class_verdict(page.findings, page.scale)
    return (*verdict_texts(verdict.rely, verdict.doubt, verdict.next), *map(statement_text, page.statements))


def _statement_records(page: Page) -> list[dict[str, object]]:
    return [
        {"fact": "Statement", "text": told.text, "probability": stored(told.probability), "in_best": told.in_best}
        for told in page.statements
    ]
