"""The page on a series: sections, paragraphs, tables and figures in the order of reading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autostatistician.claims.claim import Claim, of_kinds, told
from autostatistician.claims.kinds import FUNCTION, QUESTION_KINDS, STANDS_OUT, STRUCTURE, Kind
from autostatistician.describe.axis.places import ON_ROW
from autostatistician.describe.axis.units import Units
from autostatistician.describe.document.document import Block, FirstScreen, Paragraph, Section, record_of
from autostatistician.describe.document.record import fact_json, stored
from autostatistician.describe.document.search import search_section
from autostatistician.describe.document.series.abstract import (
    SeriesStory,
    StoryPart,
    changes_of,
    model_text,
    nothing_texts,
    rows_texts,
    story_of,
)
from autostatistician.describe.document.series.answers import claim_sentence, events_texts
from autostatistician.describe.document.series.checks import checks_section
from autostatistician.describe.document.series.covariates import (
    column_sentences,
    columns_record,
    columns_section,
    forecast_blocks,
)
from autostatistician.describe.document.series.function import claims_table, season_section
from autostatistician.describe.document.series.lead import first_screen
from autostatistician.describe.document.series.outliers import outlier_section
from autostatistician.describe.document.series.pictures import course_figure, forecast_figure, part_figure
from autostatistician.describe.document.series.tables import forecast_table, numbers_table
from autostatistician.describe.document.series.verdict import sure_texts
from autostatistician.describe.document.verdict import beside_the_parts, sureness_section
from autostatistician.describe.facts.fact import Fact, Span
from autostatistician.describe.facts.findings import SeriesFindings, SeriesPart
from autostatistician.describe.facts.part import CrossValidatedError, VarianceExplained
from autostatistician.describe.facts.whole import BaselineError, ShapedScale
from autostatistician.describe.words.answers.questions import verdict_texts
from autostatistician.describe.words.claims import Statement, Told, statements
from autostatistician.describe.words.course import course_text
from autostatistician.describe.words.covariates import course_alone
from autostatistician.describe.words.description import description, extrapolation
from autostatistician.describe.words.forecast import forecast_notes
from autostatistician.describe.words.method import bands_text, method_of_series
from autostatistician.describe.words.parts import find
from autostatistician.describe.words.scale import (
    open_scale_text,
    scale_sentence,
    scale_text,
    shape_sentence,
    shape_text,
)
from autostatistician.describe.words.search import fit_text
from autostatistician.describe.words.whole import coverage, error_text
from autostatistician.forms import QUESTIONS
from autostatistician.i18n.messages import say, say_count
from autostatistician.i18n.numbers import amount, count, fixed

__all__ = ["SeriesPage", "series_page"]


@dataclass(frozen=True)
class SeriesPage:
    """What is told of a series (a `Page`)."""

    findings: SeriesFindings
    scale: Units
    story: SeriesStory
    statements: tuple[Statement, ...]

    @property
    def facts(self) -> tuple[Fact | Claim, ...]:
        """All facts: on the whole, on values that stand out, on each part, on checks and tests."""
        findings = self.findings
        of_parts = (fact for part in findings.parts for fact in part.facts)
        checks = () if findings.checks is None else findings.checks.claims
        tests, columns = filter(None, [findings.test]), () if findings.covariates is None else findings.covariates.facts
        return (*findings.facts, *of_kinds(findings.claims, STANDS_OUT), *of_parts, *checks, *tests, *columns)

    @property
    def questions(self) -> tuple[str, ...]:
        """All of them."""
        return QUESTIONS

    def about(self, question: str, within: Span | None = None) -> Sequence[Told]:
        """Statements, facts on columns, or claims of the kinds that are asked for."""
        if question == "sure":
            return self.statements
        if question == "columns":
            return () if self.findings.covariates is None else self.findings.covariates.facts
        every = told(self.findings.claims, *QUESTION_KINDS[question])
        near = ON_ROW * self.scale.axis.gap
        return [claim for claim in every if within is None or claim.happens(within[0] - near, within[1] + near)]

    def said(self, question: str, facts: Sequence[Told]) -> Sequence[str]:
        """The sentences that answer a question."""
        findings, units, first = self.findings, self.scale, self.first()
        claims = [claim for claim in facts if isinstance(claim, Claim)]
        match question:
            case "what":
                return first.headline, *first.points
            case "sure":
                return verdict_texts(sure_texts(findings, units), first.careful, self.statements)
            case "trend":
                return (course_alone(course_text(findings.claims, units), findings.covariates),)
            case "seasons":
                return [course_alone(claim_sentence(claim, units), findings.covariates) for claim in claims]
            case "events":
                return events_texts(claims, findings.covariates, units)
        return () if findings.covariates is None else column_sentences(findings.covariates, units)

    def sentence(self, claim: Claim) -> str:
        """A claim in a sentence of its own; "" of those that have none."""
        return claim_sentence(claim, self.scale)

    def sentences(self) -> tuple[str, ...]:
        """What is known of the rows, and one short sentence per part; on pure noise, that nothing was found."""
        findings, units = self.findings, self.scale
        of_parts = (text for _, text in self.parts())
        is_told = units.is_log or (units.open_scale and not findings.nothing)
        scale = (scale_sentence(units),) if is_told else ()
        shape = find(findings.facts, ShapedScale)
        scale = scale if shape is None else (*scale, shape_sentence(shape, units))
        if findings.covariates is not None:
            scale = (*scale, *column_sentences(findings.covariates, units))
        return (*rows_texts(self.story), *nothing_texts(self.story), *scale, *of_parts)

    def parts(self) -> tuple[tuple[SeriesPart, str], ...]:
        """The parts, each with a short sentence."""
        return tuple((part.part, part.statement) for part in self.story.parts)

    def subtitle(self) -> str:
        """What the data are."""
        return coverage(self.findings.n, self.scale, [at for at, _ in self.findings.curves.aside])

    def first(self) -> FirstScreen:
        """What everybody reads."""
        return first_screen(self.story)

    def sections(self) -> tuple[Section, ...]:
        """What acts, the forecast, and how sure all that is."""
        findings = self.findings
        return (
            *columns_section(findings.covariates, self.scale),
            *outlier_section(findings.claims, self.scale),
            *season_section(findings.claims, self.scale),
            *_forecast(self.story),
            *_sure(findings, self.scale),
        )

    def found(self) -> tuple[Section, ...]:
        """The model, its parts and checks, and how all that came about."""
        story, findings = self.story, self.findings
        return (
            *_model(story),
            *_parts(story),
            *_sureness(story),
            *checks_section(findings.checks, findings.test, self.scale),
            _search(story),
            _method(story),
        )

    def record(self) -> dict[str, object]:
        """Everything stated, for machines."""
        function = [fact_json(claim, self.scale) for claim in of_kinds(self.findings.claims, FUNCTION)]
        parts = {"components": [_component_record(part) for part in self.story.parts], "function": function}
        law = {"likelihood": self.scale.law} if self.scale.counts else {}
        fit = columns_record(self.findings.covariates, self.scale) | law
        return record_of(self.findings, self.facts, self.statements, self.scale, parts=parts, fit=fit)


def series_page(findings: SeriesFindings, units: Units) -> SeriesPage:
    """The page on what is known of a series."""
    return SeriesPage(
        findings, units, story_of(findings, units), statements(of_kinds(findings.claims, STRUCTURE), units)
    )


def _component_record(part: StoryPart) -> dict[str, object]:
    explained, error = find(part.facts, VarianceExplained), find(part.facts, CrossValidatedError)
    assert explained is not None and error is not None
    return {
        "expression": part.part.expression,
        "sentence": part.statement,
        "r2": stored(100.0 * explained.after),
        "mae": stored(error.number),
    }


def _ids(facts: Sequence[Fact | Claim], *prefixes: str) -> tuple[str, ...]:
    return tuple(fact.id for fact in facts if fact.id.startswith(prefixes or ""))


# --- below the first screen ------------------------------------------------------------------


def _forecast(story: SeriesStory) -> tuple[Section, ...]:
    findings, curves, units, beside = story.findings, story.findings.curves, story.units, story.findings.covariates
    if not curves.forecast.x.size:
        return ()
    if beside is not None and beside.ahead is not None:
        return (Section("forecast", say("Forecast"), tuple(forecast_blocks(beside, curves.forecast, units))),)
    notes = forecast_notes(findings.facts, units)
    blocks: list[Block] = [forecast_figure(curves, units, not findings.pure), forecast_table(curves.forecast, units)]
    blocks += [Paragraph(notes, _ids(findings.facts, "forecast/"))] if notes else []
    return (Section("forecast", say("Forecast"), tuple(blocks)),)


def _sure(findings: SeriesFindings, units: Units) -> tuple[Section, ...]:
    """How well the model fits and forecasts, in a few sentences."""
    texts = sure_texts(findings, units)
    facts: list[Fact | Claim] = [] if findings.checks is None else [*findings.checks.claims]
    facts += filter(None, [findings.test])
    return (Section("sure", say("How sure this is"), (Paragraph(" ".join(texts), _ids(facts)),)),) if texts else ()


# --- the model ---------------------------------------------------------------------------------


def _model(story: SeriesStory) -> tuple[Section, ...]:
    """What the model is made of, and how well it describes the data."""
    findings = story.findings
    blocks: list[Block] = []
    if not findings.nothing:
        base, last = find(findings.facts, BaselineError), [part for part in story.parts if not part.part.is_noise][-1]
        held_out = find(last.facts, CrossValidatedError)
        assert base is not None and held_out is not None
        text = " ".join([model_text(story), error_text(held_out, base, story.units)])
        blocks.append(Paragraph(text, (base.id, held_out.id)))
    facts = findings.facts
    shape = find(facts, ShapedScale)
    amounts = scale_text(facts, story.units) if shape is None else shape_text(shape, story.units)
    is_open = "" if findings.nothing else open_scale_text(facts, story.units)
    scale = " ".join(filter(None, [is_open, amounts, _offset_text(story)]))
    blocks += [Paragraph(scale, _ids(facts, "model/scale"))] if scale else []
    return (Section("model", say("The model"), tuple(blocks)),) if blocks else ()


def _offset_text(story: SeriesStory) -> str:
    offset = story.findings.curves.offset
    if offset == 0.0:
        return ""
    return say(
        "The values are far from zero compared with their variation, so {offset} was subtracted before the fit; the "
        "data, the model and the forecast are shown with it, the single parts without it.",
        offset=amount(offset, 6, story.units.spread_of_values),
    )


# --- the parts ------------------------------------------------------------------------------------------


def _parts(story: SeriesStory) -> tuple[Section, ...]:
    sections = tuple(_part_section(part, story, changes_of(story.parts[:i])) for i, part in enumerate(story.parts))
    findings = story.findings
    beside = findings.covariates
    course = (course_figure(findings, story.units),) if beside is not None and beside.told else ()
    one_of = say(
        "The parts are those of this model alone; the amounts told above are averages over {n} models and may differ.",
        n=count(findings.averaged),
    )  # fmt: skip
    apart = (Paragraph(one_of),) if findings.averaged > 1 else ()
    return (Section("parts", say("Its parts"), (*apart, *course), sections),)


def _part_section(worded: StoryPart, story: SeriesStory, told_changes: frozenset[float]) -> Section:
    part, units = worded.part, story.units
    text = f"{description(part.facts, units, told_changes)} {extrapolation(part.facts, units)}"
    figure = part_figure(part, story.findings.curves, units, story.findings.residuals)
    title = say("Part {number}: {text}", number=part.number, text=worded.summary.removesuffix("."))
    return Section(part.id, title, (Paragraph(text, _ids(part.facts)), figure))


# --- search, method -------------------------------------------------------------------------------------


def _sureness(story: SeriesStory) -> tuple[Section, ...]:
    """The probabilities of what the parts do not carry beside them, where several models share the weight."""
    claims = beside_the_parts(of_kinds(story.findings.claims, STRUCTURE), lambda claim: claim.kind is not Kind.CHANGE)
    table = claims_table(story.findings.claims, story.units)
    return sureness_section(story.findings.search, statements(claims, story.units), table)


def _search(story: SeriesStory) -> Section:
    search, units = story.findings.search, story.units
    text = say(
        "Models are written as sums and products of a few basic kinds of curve; the chosen one is {expression}. It has "
        "{numbers} fitted to {values} values; {fit}.",
        expression=search.expression, numbers=_numbers_text(story), values=fixed(story.findings.n, 0),
        fit=fit_text(search),
    )  # fmt: skip
    text = " ".join(filter(None, (text, _of_logarithm(story))))
    return search_section(search, text, numbers_table(search.numbers, units))


def _numbers_text(story: SeriesStory) -> str:
    """How many numbers the model has, and which of them are no parameters of its expression."""
    search = story.findings.search
    numbers = say_count(search.n_parameters, "one number", "{n} numbers", n=count(search.n_parameters))
    if find(story.findings.facts, ShapedScale) is not None:
        return say("{numbers} (the power is one)", numbers=numbers)
    return say("{numbers} (the typical level is one)", numbers=numbers) if story.findings.counts_level else numbers


def _of_logarithm(story: SeriesStory) -> str:
    shift = story.findings.shift
    if not shift or story.units.level is None:
        return ""
    return say(
        "It is a model of that logarithm plus {shift}: its zero, to which it falls back far from the data, lies below "
        "them, and what lies between is taken off the parts that carry the level wherever they are shown.",
        shift=fixed(shift, 2),
    )


def _method(story: SeriesStory) -> Section:
    bands = bands_text(averaged=story.findings.averaged > 1)
    blocks = (Paragraph(method_of_series(story.findings.search)), Paragraph(bands))
    return Section("method", say("How the method works"), blocks)
