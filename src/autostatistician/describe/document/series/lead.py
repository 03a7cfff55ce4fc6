"""The first screen of a series: the one place that reads what its function does for a headline and a few points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from autostatistician.claims.claim import Claim, told, way_of
from autostatistician.claims.kinds import Form, Kind
from autostatistician.describe.axis.units import Units
from autostatistician.describe.document.document import FirstScreen
from autostatistician.describe.document.series.abstract import (
    SeriesStory,
    model_text,
    nothing_texts,
    rows_texts,
    walk_of,
)
from autostatistician.describe.document.series.covariates import observed_figure
from autostatistician.describe.document.series.pictures import course_figure
from autostatistician.describe.document.series.verdict import careful_texts
from autostatistician.describe.facts.covariates import CovariateFindings
from autostatistician.describe.facts.whole import ForecastCondition
from autostatistician.describe.words.column_values import ahead_clause
from autostatistician.describe.words.course import course_text, observed_text, step_text, walk_text
from autostatistician.describe.words.covariates import columns_leads, course_alone
from autostatistician.describe.words.events import scatter_texts, sudden_texts
from autostatistician.describe.words.forecast import forecast_short, sum_text
from autostatistician.describe.words.outliers import set_aside_text
from autostatistician.describe.words.plain import line_text
from autostatistician.describe.words.seasons import season_text
from autostatistician.i18n.messages import say
from autostatistician.i18n.numbers import capital, joined

__all__ = ["first_screen"]


def first_screen(story: SeriesStory) -> FirstScreen:
    """What happened or how it runs in one sentence, the picture, the other facts with amounts, and what comes."""
    findings, units = story.findings, story.units
    beside = findings.covariates
    picture = course_figure(findings, units) if beside is None or not beside.told else observed_figure(beside, units)
    lead = _what(story) if beside is None else _with_columns(story, beside)
    facts = [*lead, *rows_texts(story), set_aside_text(findings.claims, units)]
    headline, *points = list(filter(None, facts)) or [model_text(story)]
    return FirstScreen(headline, picture, (*points, *_ahead(story)), tuple(careful_texts(findings, units)))


def _what(story: SeriesStory) -> list[str]:
    """What happened, how it runs and what repeats in it, what matters most first."""
    findings, units = story.findings, story.units
    happened, scatters = sudden_texts(findings.claims, units), scatter_texts(findings.claims, units)
    if findings.nothing:
        return [*happened, *scatters, *nothing_texts(story)]
    line = line_text(findings.facts, units)
    if line:
        return [line]
    parts = [part.facts[0] for part in findings.parts]
    stepped = "" if happened or scatters else step_text(parts, findings.claims, units)
    alone, walk = [claim for claim in findings.claims if claim.kind is not Kind.SEASON], walk_of(findings)
    if walk is not None:  # its turns are chance
        alone = [replace(walk, form=Form.BOTH), *(claim for claim in alone if claim is not walk)]
    course = stepped or course_text(alone, units)
    if findings.covariates is not None:
        course = course_alone(course, findings.covariates)
    seasons = _seasons(findings.claims, units)
    stays = way_of(findings.claims) in ("level", "open")  # that is no news
    wanders = "" if walk is None or not course else walk_text(walk, units)
    return [*happened, *([seasons, wanders, course] if stays else [wanders, course, seasons]), *scatters]


def _with_columns(story: SeriesStory, beside: CovariateFindings) -> list[str]:
    """What happened, where the values as observed went, what the columns add, and the course in time without that."""
    findings, units = story.findings, story.units
    columns, what = columns_leads(beside, units), _what(story)
    if findings.nothing:
        return [*columns, *what] if beside.mattering else [*what, *columns]
    seen = observed_text(findings.claims, beside, units)
    if not seen:
        return [*what, *columns]
    first = len(sudden_texts(findings.claims, units))
    return [*what[:first], seen, *columns, *what[first:]]


def _seasons(claims: Sequence[Claim], units: Units) -> str:
    """What repeats, in a sentence."""
    seasons = [season_text(claim, units) for claim in told(claims, Kind.SEASON)]
    return say("{it} has {patterns}.", it=capital(units.it), patterns=joined(seasons)) if seasons else ""


def _ahead(story: SeriesStory) -> tuple[str, ...]:
    """The forecast: the next value, and the next year, week or day in sum; with columns first with these."""
    findings, units = story.findings, story.units
    beside = findings.covariates
    if beside is None or beside.ahead is None:
        return tuple(filter(None, [forecast_short(findings.facts, units), sum_text(findings.facts, units)]))
    conditions = tuple(fact for fact in findings.facts if isinstance(fact, ForecastCondition))
    taken = ahead_clause(beside.ahead, units)
    return (forecast_short((*conditions, *beside.forecast), units, beside=taken),)
