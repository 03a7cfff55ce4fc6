"""The page on a series: sections, paragraphs, tables and figures in the order of reading."""

from __future__ import annotations

from dataclasses import dataclass

from autostatistician.describe.axis.units import Units
from autostatistician.describe.document.document import Block, Bullets, Figure, Paragraph, Section
from autostatistician.describe.document.record import stored
from autostatistician.describe.document.search import search_section
from autostatistician.describe.document.series.abstract import (
    SeriesStory,
    StoryPart,
    abstract_text,
    changes_of,
    model_text,
    nothing_texts,
    rows_texts,
    story_of,
    wanders_freely,
)
from autostatistician.describe.document.series.checks import checks_section
from autostatistician.describe.document.series.covariates import (
    column_sentences,
    columns_record,
    columns_section,
    forecast_blocks,
    observed_figure,
)
from autostatistician.describe.document.series.function import claims_table, function_record, season_section
from autostatistician.describe.document.series.outliers import outlier_section
from autostatistician.describe.document.series.pictures import (
    forecast_figure,
    overview_figure,
    part_figure,
    residual_figure,
)
from autostatistician.describe.document.series.tables import (
    forecast_table,
    gain_table,
    numbers_table,
    with_probabilities,
)
from autostatistician.describe.document.series.verdict import series_verdict
from autostatistician.describe.document.verdict import beside_the_parts, sureness_section, verdict_section
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.findings import SeriesFindings, SeriesPart
from autostatistician.describe.facts.kinds import ClaimKind
from autostatistician.describe.facts.part import CrossValidatedError, Presence, VarianceExplained
from autostatistician.describe.facts.whole import ShapedScale
from autostatistician.describe.words.claims import Statement, averaged_text, moved_text, statements
from autostatistician.describe.words.column_values import usual_text
from autostatistician.describe.words.covariates import course_told, told_texts
from autostatistician.describe.words.description import description
from autostatistician.describe.words.extrapolation import extrapolation
from autostatistician.describe.words.forecast import forecast_text
from autostatistician.describe.words.method import bands_text, method_of_series
from autostatistician.describe.words.nouns import find
from autostatistician.describe.words.outliers import comes_again_text, two_ways_assumed
from autostatistician.describe.words.plain import line_text
from autostatistician.describe.words.scale import (
    open_scale_text,
    scale_claim,
    scale_sentence,
    scale_text,
    shape_sentence,
    shape_text,
)
from autostatistician.describe.words.search import fit_text
from autostatistician.describe.words.statement import presence_mark
from autostatistician.describe.words.whole import (
    coverage,
    error_text,
    explained_text,
    gain_text,
    order_text,
)
from autostatistician.wording.messages import message, say, say_count
from autostatistician.wording.numbers import amount, capital, count, fixed, lowered

__all__ = ["SeriesPage", "series_page"]

_OF_FIRST_LEVEL = message(
    "Models of level 1 were not made from another: they are sums of a level, a trend, a cycle and noise."
)


@dataclass(frozen=True)
class SeriesPage:
    """What is told of a series (a `Page`)."""

    findings: SeriesFindings
    scale: Units
    story: SeriesStory
    statements: tuple[Statement, ...]

    @property
    def facts(self) -> tuple[Fact, ...]:
        """All facts: on the whole, on each part, on checks and tests."""
        of_parts = (fact for part in self.findings.parts for fact in part.facts)
        checks = () if self.findings.checks is None else self.findings.checks.facts
        columns = () if self.findings.covariates is None else self.findings.covariates.facts
        return (*self.findings.facts, *of_parts, *checks, *filter(None, [self.findings.test]), *columns)

    def sentences(self) -> tuple[str, ...]:
        """What is known of the rows, and one short sentence per part; on pure noise, that nothing was found."""
        findings, units = self.findings, self.scale
        of_parts = self.part_sentences()
        is_told = units.is_log or (units.open_scale and not findings.nothing)
        scale = (scale_sentence(units),) if is_told else ()
        shape = find(findings.facts, ShapedScale)
        scale = scale if shape is None else (*scale, shape_sentence(shape, units))
        if findings.covariates is not None:
            scale = (*scale, *column_sentences(findings.covariates, units))
        line = line_text(findings.facts, units)
        if line and not findings.nothing:
            scale = (*scale, line)
        return (*rows_texts(self.story), *nothing_texts(self.story), *scale, *of_parts)

    def part_sentences(self) -> tuple[str, ...]:
        """One short sentence per part."""
        return tuple(part.statement for part in self.story.parts)

    def subtitle(self) -> str:
        """What the data are."""
        return coverage(self.findings.n, self.scale)

    def abstract(self) -> str:
        """The model in a sentence, and the forecast in another."""
        return abstract_text(self.story)

    def sections(self) -> tuple[Section, ...]:
        """What is in the data, what to make of it, the parts, the forecast, and how all that came about."""
        story, findings = self.story, self.findings
        return (
            _brief(story),
            *self._verdict(),
            *columns_section(findings.covariates, self.scale),
            *outlier_section(findings.facts, self.scale, findings.function),
            *season_section(findings.function, self.scale),
            *_parts(story),
            _forecast(story),
            *_sureness(story),
            *checks_section(findings.checks, findings.test, self.scale),
            _search(story),
            _method(story),
        )

    def _verdict(self) -> tuple[Section, ...]:
        """What to make of the report, where the model was checked."""
        findings = self.findings
        if findings.checks is None and findings.test is None and not findings.search.cut:
            return ()
        return (verdict_section(series_verdict(findings, self.statements, self.scale)),)

    def part_records(self) -> dict[str, object]:
        """The parts, as plain values."""
        claims = [function_record(fact, self.scale) for fact in self.findings.function]
        return {"components": [_component_record(part) for part in self.story.parts], "function": claims}

    def fit_records(self) -> dict[str, object]:
        """What the columns beside the series say, and that the values are counts."""
        record = columns_record(self.findings.covariates, self.scale)
        return record | ({"likelihood": self.scale.law} if self.scale.counts else {})


def series_page(findings: SeriesFindings, units: Units) -> SeriesPage:
    """The page on what is known of a series."""
    return SeriesPage(findings, units, story_of(findings, units), statements(findings.claims, units))


def _component_record(part: StoryPart) -> dict[str, object]:
    explained, error = find(part.facts, VarianceExplained), find(part.facts, CrossValidatedError)
    assert explained is not None and error is not None
    return {
        "expression": part.part.expression,
        "sentence": part.statement,
        "r2": stored(100.0 * explained.after),
        "mae": stored(error.number),
    }


def _ids(facts: tuple[Fact, ...], *prefixes: str) -> tuple[str, ...]:
    return tuple(fact.id for fact in facts if fact.id.startswith(prefixes or ""))


# --- overview ------------------------------------------------------------------------------


def _brief(story: SeriesStory) -> Section:
    """What is in the data, how much of it the model explains, what comes next and how sure that is."""
    findings = story.findings
    beside = findings.covariates
    picture = _course_figure(story) if beside is None or not beside.told else observed_figure(beside, story.units)
    blocks: list[Block] = [picture]
    if not story.findings.nothing:
        lead = f"{explained_text(story.findings.facts)} {error_text(story.findings.facts, story.units)}"
        about = ("model/signal", "model/reached", "model/useful", "model/baseline")
        text = f"{'' if beside is None else course_told(beside)} {model_text(story)} {lead}".strip()
        blocks.append(Paragraph(text, _ids(story.findings.facts, *about), emphasis=True))
    told = () if beside is None else told_texts(beside, story.units)
    names = (*("columns" for _ in told), *(part.part.id for part in story.parts))
    items = tuple(f"{_cell(part.statement)}{presence_mark(find(part.facts, Presence))}." for part in story.parts)
    blocks.append(Bullets((*told, *items), names))
    amounts: str = say("All amounts are in the units of '{target}'.", target=story.units.target)
    amounts, facts = " ".join(filter(None, (amounts, _offset_text(story)))), story.findings.facts
    is_open = "" if story.findings.nothing else open_scale_text(facts, story.units)
    shape = find(facts, ShapedScale)
    amounts = amounts if shape is None else shape_text(shape, story.units)
    scale = " ".join(filter(None, [is_open, scale_text(facts, story.units) or amounts]))
    blocks.append(Paragraph(scale, _ids(facts, "model/scale")))
    return Section("brief", say("In brief"), tuple(blocks))


def _course_figure(story: SeriesStory) -> Figure:
    """The data with the model over time alone; the words of columns beside it say with which values of these."""
    findings, units = story.findings, story.units
    caption = ""
    if findings.covariates is not None and findings.covariates.told:
        caption = say(_LESS_COLUMNS[not findings.pure], it=units.it, usual=usual_text(findings.covariates.told))
    return overview_figure(findings.curves, units, not findings.pure, findings.function, caption=caption)


# By whether there is a model to draw.
_LESS_COLUMNS = {
    True: message(
        "{it} {usual}: the data less what columns add (points) and the model (line) with the range around it that "
        "holds a single value with a chance of 95%."
    ),
    False: message(
        "{it} {usual}: the data less what columns add (points) and the range that holds a single value with a chance "
        "of 95%."
    ),
}


def _cell(sentence: str) -> str:
    return sentence.removesuffix(".")


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
    intro = Paragraph(
        " ".join((_whole(story), order_text([part.facts for part in story.parts])))
        if len(story.parts) > 1
        else say("The model has a single part.")
    )
    sections = tuple(_part_section(part, story, changes_of(story.parts[:i])) for i, part in enumerate(story.parts))
    findings = story.findings
    gains = gain_table(findings.parts, [_cell(part.summary) for part in story.parts], story.units)
    table = with_probabilities(gains, findings.parts, findings.search)
    beside = findings.covariates
    course = (_course_figure(story),) if beside is not None and beside.told else ()
    return (Section("parts", say("The parts one by one"), (intro, *course, table), sections),)


def _whole(story: SeriesStory) -> str:
    """What the parts are a sum of."""
    units = story.units
    if find(story.findings.facts, ShapedScale) is not None:
        return say("The parts add up to the model on its learned scale.")
    if units.is_odds:
        return say("The parts add up to the logarithm of the odds of the model.")
    if units.is_log:
        return say("The parts add up to the logarithm of the model.")
    return say("The parts add up to the model.")


def _part_section(worded: StoryPart, story: SeriesStory, told_changes: frozenset[float]) -> Section:
    part, units = worded.part, story.units
    blocks: tuple[Block, ...] = (
        Paragraph(description(part.facts, units, told_changes), _ids(part.facts)),
        Paragraph(
            gain_text(part.facts, part.number, units), _ids(part.facts, f"{part.id}/variance", f"{part.id}/error")
        ),
        part_figure(part, story.findings.curves, units, story.findings.residuals),
    )
    title = say("Part {number}: {text}", number=part.number, text=_cell(worded.summary))
    return Section(part.id, title, blocks, _rest(part, story))


def _rest(part: SeriesPart, story: SeriesStory) -> tuple[Section, ...]:
    figure = residual_figure(part, story.findings.curves, story.units)
    if figure is None:
        return ()
    title = say("What remains after part {number}", number=part.number)
    return (Section(f"{part.id}-rest", title, (figure,), folded=True),)


# --- forecast, search, method ---------------------------------------------------------------------------


def _forecast(story: SeriesStory) -> Section:
    findings, curves, units, beside = story.findings, story.findings.curves, story.units, story.findings.covariates
    blocks: list[Block] = []
    with_columns = beside is not None and beside.ahead is not None
    if beside is not None and with_columns:
        blocks += forecast_blocks(beside, curves.forecast, units)
    if curves.forecast.x.size:
        text = forecast_text(findings.facts, units)
        if beside is not None and with_columns:
            usual = capital(usual_text(beside.told))
            text = say("{usual}, {forecast}", usual=usual, forecast=lowered(text))
        blocks.append(Paragraph(text, _ids(findings.facts, "forecast/")))
        if findings.averaged > 1:
            of_log, share = units.is_log or findings.plain_other, findings.share_of_other
            grows = not (units.is_odds or units.counts)
            blocks.append(Paragraph(averaged_text(findings.averaged, share, is_log=of_log, grows=grows)))
        again = comes_again_text(findings.facts, units)
        if again:
            blocks.append(Paragraph(again, _ids(findings.facts, "outliers/")))
        blocks.append(forecast_figure(curves, units, not findings.pure))
        blocks += [] if with_columns else [forecast_table(curves.forecast, units)]
    blocks.append(Paragraph(say("What the model assumes about each part beyond the data:")))
    assumed: list[str] = [
        say("Part {number}: {text}", number=part.number, text=extrapolation(part.facts, units))
        for part in findings.parts
    ]
    blocks.append(Bullets(tuple(filter(None, [*assumed, two_ways_assumed(findings.facts)]))))
    if findings.averaged > 1 and curves.forecast.x.size and wanders_freely(findings.parts):
        blocks.append(Paragraph(moved_text(grows=not (units.is_odds or units.counts))))
    title = say("What comes next") if curves.forecast.x.size else say("Beyond the data")
    return Section("forecast", title, tuple(blocks))


def _sureness(story: SeriesStory) -> tuple[Section, ...]:
    """The probabilities of what the parts do not carry beside them, where several models share the weight."""
    claims = beside_the_parts(story.findings.claims, lambda claim: claim.kind is not ClaimKind.CHANGE)
    scale = None if story.findings.nothing else scale_claim(story.findings.facts, story.units)
    table = claims_table(story.findings.function, story.units, scale)
    return sureness_section(story.findings.search, statements(claims, story.units), table)


def _search(story: SeriesStory) -> Section:
    search, units = story.findings.search, story.units
    text = say(
        "This section is for those who want to check or rebuild the model. Models are written as sums and products "
        "of a "
        "few basic kinds of curve; the chosen one is {expression}. It has {numbers} fitted to {values} values; {fit}.",
        expression=search.expression, numbers=_numbers_text(story), values=fixed(story.findings.n, 0),
        fit=fit_text(search),
    )  # fmt: skip
    text = " ".join(filter(None, (text, _of_logarithm(story))))
    first = say(_OF_FIRST_LEVEL) if search.by_evidence else ""
    return search_section(search, text, numbers_table(search.numbers, units), first)


def _numbers_text(story: SeriesStory) -> str:
    """How many numbers the model has, and which of them are no parameters of its expression."""
    search = story.findings.search
    numbers = say_count(search.n_parameters, "one number", "{n} numbers", n=count(search.n_parameters))
    if find(story.findings.facts, ShapedScale) is not None:
        return say("{numbers} (the power is one)", numbers=numbers)
    return say("{numbers} (the typical level is one)", numbers=numbers) if story.findings.counts_level else numbers


def _of_logarithm(story: SeriesStory) -> str:
    shift, scale = story.findings.shift, story.units
    if not shift or scale.level is None:
        return ""
    told = {"target": scale.target, "level": amount(scale.level, 4, scale.spread_of_values), "shift": fixed(shift, 2)}
    if scale.is_odds:
        of_what = say("log(the odds of '{target}' / those of {level}) + {shift}", **told)
    elif scale.counts:
        of_what = say("log(the rate of '{target}' / {level}) + {shift}", **told)
    else:
        of_what = say("log('{target}' / {level}) + {shift}", **told)
    return say(
        "It is a model of {formula}: its zero, to which it falls back far from the data, lies below them, and what "
        "lies between is taken off the parts that carry the level wherever they are shown.",
        formula=of_what,
    )


def _method(story: SeriesStory) -> Section:
    bands = bands_text(averaged=story.findings.averaged > 1)
    blocks = (*(Paragraph(text) for text in method_of_series(story.findings.search)), Paragraph(bands))
    return Section("method", say("How the method works"), blocks)
