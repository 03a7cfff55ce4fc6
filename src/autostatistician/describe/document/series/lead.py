"""The first screen of a series: the one place that reads what its function does for a headline and a few points."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from autostatistician.claims.claim import first, told, way_of
from autostatistician.claims.kinds import Form, Kind
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
from autostatistician.describe.facts.findings import SeriesFindings
from autostatistician.describe.facts.whole import ForecastCondition
from autostatistician.describe.words.column_values import ahead_clause
from autostatistician.describe.words.course import course_text, observed_text, walk_text
from autostatistician.describe.words.covariates import columns_leads, course_alone
from autostatistician.describe.words.events import scatter_texts, sudden_texts
from autostatistician.describe.words.forecast import forecast_short, sum_text
from autostatistician.describe.words.outliers import set_aside_text
from autostatistician.describe.words.seasons import season_text
from autostatistician.i18n.messages import say
from autostatistician.i18n.numbers import capital, joined

__all__ = ["first_screen"]


def first_screen(story: SeriesStory) -> FirstScreen:
    """What happened or how it runs in one sentence, the picture, the other facts with amounts, and what comes."""
    findings, units = story.findings, story.units
    beside = findings.covariates
    picture = course_figure(findings, units) if beside is None or not beside.told else observed_figure(beside, units)
    facts = [*_facts(story), *rows_texts(story), set_aside_text(findings.claims, units)]
    headline, *points = list(filter(None, facts)) or [model_text(story)]
    return FirstScreen(headline, picture, (*points, *_ahead(story)), tuple(careful_texts(findings, units)))


def _facts(story: SeriesStory) -> list[str]:
    """What happened; then the columns, the course in time and what repeats, what moves the values most first."""
    findings, units, beside = story.findings, story.units, story.findings.covariates
    happened = [course_alone(text, beside) for text in sudden_texts(findings.claims, units)]
    scatters = scatter_texts(findings.claims, units)
    columns = [] if beside is None else columns_leads(beside, units)
    of_columns = 0.0 if beside is None else sum(each.effect["share"] for each in beside.columns if each.effect.told)
    if findings.nothing:
        along = [*happened, *scatters, *nothing_texts(story)]
        return [*columns, *along] if beside is not None and beside.mattering else [*along, *columns]
    repeating = {season_text(claim, units): claim.value for claim in told(findings.claims, Kind.SEASON)}
    seasons = say("{it} has {patterns}.", it=capital(units.it), patterns=joined([*repeating])) if repeating else ""
    seasons = course_alone(seasons, beside)
    of_seasons, of_course = (1.0 - of_columns) * sum(repeating.values()), _share_of_course(findings)
    course = _course(story, apart=of_seasons > of_course)
    candidates = [(of_course, course), (of_seasons, [seasons]), (of_columns, columns)]
    candidates.sort(key=lambda candidate: -candidate[0])
    return [*happened, *(text for _, texts in candidates for text in texts), *scatters]


def _share_of_course(findings: SeriesFindings) -> float:
    """About which share of the variance of the values the range of a course makes; 0 of one that is no news."""
    rise, beside = first(findings.claims, Kind.RISE), findings.covariates
    if rise is None or (rise.form != Form.BOTH and way_of(findings.claims) in ("level", "open")):
        return 0.0
    variance = float(np.var((findings.curves if beside is None else beside.curves).y))
    even = (rise["high"] - rise["low"]) ** 2 / 12.0  # the variance of what goes evenly from one level to the other
    return min(even / max(variance, 1e-300), 1.0)


def _course(story: SeriesStory, *, apart: bool) -> list[str]:
    """Where the values as observed went, and the course in time without columns, or ``apart`` from what repeats."""
    findings, units, beside = story.findings, story.units, story.findings.covariates
    alone, walk = [claim for claim in findings.claims if claim.kind is not Kind.SEASON], walk_of(findings)
    if walk is not None:  # its turns are chance
        alone = [replace(walk, form=Form.BOTH), *(claim for claim in alone if claim is not walk)]
    apart = apart and (beside is None or not beside.told)
    course = course_text(alone, units, apart=apart and walk is None)
    wanders = "" if walk is None or not course else walk_text(walk, units, apart=apart)
    return [observed_text(findings.claims, beside, units), *(course_alone(text, beside) for text in (wanders, course))]


def _ahead(story: SeriesStory) -> tuple[str, ...]:
    """The forecast: the next value, and the next year, week or day in sum; with columns first with these."""
    findings, units = story.findings, story.units
    beside = findings.covariates
    if beside is None or beside.ahead is None:
        return tuple(filter(None, [forecast_short(findings.facts, units), sum_text(findings.facts, units)]))
    conditions = tuple(fact for fact in findings.facts if isinstance(fact, ForecastCondition))
    taken = ahead_clause(beside.ahead, units)
    return (forecast_short((*conditions, *beside.forecast), units, beside=taken),)
