"""Answers to the few questions that anyone asks of a model: sentences of its page, and the facts behind them."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.describe.answers import Answer, Number, naming, number_of_record
from autostatistician.describe.axis.units import Units
from autostatistician.describe.claims.claim import SUDDEN, Claim, told
from autostatistician.describe.claims.kinds import Kind
from autostatistician.describe.document.classes.page import ClassPage
from autostatistician.describe.document.classes.several import (
    SeveralPage,
    careful_with_several,
    several_sentences,
    several_statements,
)
from autostatistician.describe.document.document import Block, Bullets, Page, Paragraph, Section
from autostatistician.describe.document.record import fact_json, recorded_place, stored
from autostatistician.describe.document.series.covariates import column_sentences
from autostatistician.describe.document.series.outliers import outlier_section
from autostatistician.describe.document.series.page import SeriesPage
from autostatistician.describe.document.series.verdict import careful_texts, sure_texts
from autostatistician.describe.document.table.page import TablePage
from autostatistician.describe.facts.effect import EffectCourse
from autostatistician.describe.facts.fact import Fact, Span
from autostatistician.describe.facts.whole import HeavyTails, ReturningDay, StandingOut
from autostatistician.describe.words.answers.questions import (
    none_text,
    none_within_text,
    statement_text,
    verdict_texts,
)
from autostatistician.describe.words.course import course_text, step_text
from autostatistician.describe.words.events import change_text, happened_text, scatter_text
from autostatistician.describe.words.function import claim_text
from autostatistician.describe.words.outliers import ending_text, outliers_named
from autostatistician.describe.words.plain import line_text
from autostatistician.describe.words.seasons import season_text
from autostatistician.errors import InputError
from autostatistician.forms import QUESTIONS
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import capital

__all__ = ["answered", "answered_of_several"]

OVER_TIME = ("trend", "seasons")  # of classes over time
_TREND, _EVENTS = (Kind.RISE, Kind.RUN, Kind.SLOPE), (*SUDDEN, Kind.SCATTER)
_KINDS = {  # of claims, by question
    "trend": _TREND, "seasons": (Kind.SEASON,), "events": _EVENTS,
    "what": (*_TREND, Kind.SEASON, *_EVENTS, Kind.NOISE),
}  # fmt: skip

NEAR = 1e-3  # of a step: so near to the end of a stretch a place lies in it
Standing = StandingOut | HeavyTails | ReturningDay


def answered(page: Page, question: str, within: Span | None = None) -> Answer:
    """The answer of a page to one of `QUESTIONS`; of events ``within`` a stretch of the axis, where one is named.

    Raises
    ------
    InputError
        When it is none of these, or one on the course in time of a table.
    """
    if question not in QUESTIONS:
        raise InputError.of(f"one of {', '.join(QUESTIONS)}", repr(question), "ask one of these")
    if isinstance(page, SeriesPage):
        return _of_series(page, question, within)
    if isinstance(page, ClassPage) and isinstance(page.scale, Units) and question in OVER_TIME:
        return _of_classes_over_time(page, question)
    return _of_table(page, question)


def answered_of_several(page: SeveralPage, question: str) -> Answer:
    """The answer of the page on several classes.

    Raises
    ------
    InputError
        When it is no question, or one that such a page cannot answer.
    """
    every: tuple[Fact | Claim, ...] = (page.findings.foresight, *page.findings.confused)
    target = page.pages[0].scale.target
    match question:
        case "what":
            texts: tuple[str, ...] = (*page.likelier, page.foresight)
        case "columns":
            texts = several_sentences(page)
        case "sure":
            said = verdict_texts((), careful_with_several(page), ())
            texts = (*said, *map(statement_text, several_statements(page)))
        case _:
            return _of_several_over_time(page, question)
    return Answer(question, texts, tuple(map(fact_json, every)), _of_facts(every, texts), target)


def _of_several_over_time(page: SeveralPage, question: str) -> Answer:
    if question in OVER_TIME and isinstance(page.pages[0].scale, Units):
        each = [answered(one, question) for one in page.pages]
        texts, facts, numbers = (
            tuple(value for one in each for value in getattr(one, name)) for name in ("sentences", "facts", "numbers")
        )
        return Answer(question, texts, facts, numbers, page.pages[0].scale.target)
    expected = "one of what, columns and sure" if question in QUESTIONS else f"one of {', '.join(QUESTIONS)}"
    raise InputError.of(expected, f"{question!r} of several classes", "ask one of these")


def _of_classes_over_time(page: ClassPage, question: str) -> Answer:
    """What a model of classes over time says of their trend, or of what repeats."""
    told = [effect for effect in page.story.effects if _repeats(effect.effect.facts) is (question == "seasons")]
    facts = tuple(fact for effect in told for fact in effect.effect.facts)
    texts = tuple(text for effect in told for text in effect.sentences) or (none_text(question, page.scale),)
    return Answer(question, texts, tuple(map(fact_json, facts)), _of_facts(facts, texts), page.scale.target)


def _repeats(facts: Sequence[Fact]) -> bool:
    return any(isinstance(fact, EffectCourse) and fact.period is not None for fact in facts)


def _of_table(page: Page, question: str) -> Answer:
    target = page.scale.target
    if question == "sure":
        return _sure(page)
    if question not in ("what", "columns"):
        raise InputError.of("a series in time", "a model of a table", "ask what, columns or sure")
    assert isinstance(page, TablePage | ClassPage)
    texts = (page.abstract(),) if question == "what" else page.sentences()
    return Answer(question, texts, tuple(map(fact_json, page.facts)), _of_facts(page.facts, texts), target)


def _of_facts(facts: Sequence[Fact | Claim], texts: Sequence[str]) -> tuple[Number, ...]:
    """The numbers of facts, each with the sentence that names their column."""
    return tuple(number_of_record(fact_json(fact), naming(texts, _quoted_columns(fact))) for fact in facts)


def _quoted_columns(fact: Fact | Claim) -> tuple[str, ...]:
    """The columns that a fact is about, as sentences name them."""
    names = getattr(fact, "columns", None) or (getattr(fact, "column", None),)
    return tuple(quoted(name) for name in names if isinstance(name, str))


def _of_series(page: SeriesPage, question: str, within: Span | None) -> Answer:
    findings, units = page.findings, page.scale
    if question == "sure":
        return _sure(page)
    if question == "events":
        return _events(page, within)
    claims = told(findings.function, *_KINDS.get(question, ()))
    facts: tuple[dict[str, object], ...] = tuple(fact_json(claim, units) for claim in claims)
    match question:
        case "what":
            first = page.first()
            texts: tuple[str, ...] = (first.headline, *first.points)
        case "trend":
            stepped = step_text([part.facts[0] for part in findings.parts], findings.claims, units)
            texts = (line_text(findings.facts, units) or stepped or course_text(findings.function, units),)
        case "seasons":
            texts = tuple(_sentence_of(claim, units) for claim in claims)
        case _:
            beside = findings.covariates
            texts = () if beside is None else column_sentences(beside, units)
            every = () if beside is None else beside.facts
            return _answer(question, texts, tuple(map(fact_json, every)), _of_facts(every, texts), units)
    numbers = tuple(_of_claim(claim, texts, units) for claim in claims)
    if question == "what":
        again = [fact for fact in findings.facts if isinstance(fact, Standing) and _is_of_all(fact)]
        facts = (*facts, *map(fact_json, again))
        numbers = (*numbers, *(_of_standing(fact, texts, units) for fact in again))
    return _answer(question, texts, facts, numbers, units)


def _is_of_all(fact: Standing) -> bool:
    """Whether what stands out is told of the whole series: it comes again, or is how the data end."""
    return isinstance(fact, ReturningDay) or (isinstance(fact, StandingOut) and fact.ending)


def _answer(
    question: str, texts: Sequence[str], facts: Sequence[dict[str, object]], numbers: Sequence[Number], units: Units
) -> Answer:
    """An answer of a series; it says so where it has nothing to say."""
    said = tuple(filter(None, texts)) or (none_text(question, units),)
    return Answer(question, said, tuple(facts), tuple(numbers), units.target)


def _events(page: SeriesPage, within: Span | None) -> Answer:
    """What happened, and values that stand out: all of it, or what lies within a stretch."""
    findings, units = page.findings, page.scale
    near = NEAR * units.axis.gap
    asked = None if within is None else (within[0] - near, within[1] + near)
    claims = [claim for claim in told(findings.function, *_EVENTS) if _is_within(claim, asked)]
    standing = [fact for fact in findings.facts if isinstance(fact, Standing) and _is_within(fact, asked)]
    facts = (*(fact_json(claim, units) for claim in claims), *map(fact_json, standing))
    all_of_it = _spoken(outlier_section(standing, units))
    numbers = (
        *(_of_claim(claim, all_of_it, units) for claim in claims),
        *(_of_standing(fact, all_of_it, units) for fact in standing),
    )
    texts: tuple[str, ...] = (happened_text(claims, units), *all_of_it)
    if within is not None and not any(texts):
        texts = (none_within_text(within, units),)
    return _answer("events", texts, facts, numbers, units)


def _is_within(fact: Fact | Claim, within: Span | None) -> bool:
    """Whether what a fact tells happens within a stretch."""
    if within is None:
        return True
    low, high = within
    match fact:
        case Claim():
            places = fact.at if fact.kind is Kind.SCATTER else fact.at[1:]
            return places[0] <= high and low <= places[-1]
        case StandingOut():
            return low <= fact.position <= high
        case ReturningDay():
            return fact.since <= high
    assert isinstance(fact, HeavyTails)
    return any(low <= position <= high for position, _ in fact.far)


def _of_claim(claim: Claim, texts: Sequence[str], units: Units) -> Number:
    """The number of a claim, with a sentence of its own where it has one."""
    return number_of_record(fact_json(claim, units), _sentence_of(claim, units) or naming(texts, ()))


def _sentence_of(claim: Claim, units: Units) -> str:
    if claim.kind in SUDDEN:
        return change_text(claim, units)
    if claim.kind is Kind.SCATTER:
        return scatter_text(claim, units)
    text = capital(season_text(claim, units)) if claim.kind is Kind.SEASON else claim_text(claim, units)
    return text and f"{text}."


def _of_standing(fact: Standing, texts: Sequence[str], units: Units) -> Number:
    """The number of a value that stands out, with when it was."""
    record = fact_json(fact)
    if not isinstance(fact, StandingOut):
        return number_of_record(record, naming(texts, (fact.day,) if isinstance(fact, ReturningDay) else ()))
    told = ending_text([fact], units) or f"{outliers_named([fact], units)}."
    return number_of_record(record | {"at": recorded_place(fact.position, units)}, told)


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


def _sure(page: Page) -> Answer:
    """What to rely on and what not, and how probable each statement on the form of the model is."""
    match page:
        case SeriesPage():
            said = verdict_texts(sure_texts(page.findings, page.scale), careful_texts(page.findings, page.scale), ())
        case _:
            assert isinstance(page, TablePage | ClassPage)
            said = verdict_texts((), page.careful(), ())
    texts = (*said, *map(statement_text, page.statements))
    facts: tuple[dict[str, object], ...] = tuple(
        {"fact": "Statement", "text": told.text, "probability": stored(told.probability), "in_best": told.in_best}
        for told in page.statements
    )
    numbers = tuple(
        Number(
            fact="Statement", number=stored(100.0 * told.probability), unit="%", sentence=statement_text(told),
            probability=stored(told.probability),
        )
        for told in page.statements
    )  # fmt: skip
    return Answer("sure", texts, facts, numbers, page.scale.target)
