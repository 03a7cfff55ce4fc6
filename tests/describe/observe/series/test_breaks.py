"""Forecasts that break with the recent course are told, and those that go on are not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.describe.factory import MONTHLY, component, decomposition

from autostatistician.data.transform import Transform
from autostatistician.decompose.records.series import Decomposition
from autostatistician.describe.document.series.verdict import series_verdict
from autostatistician.describe.observe.series.breaks import break_facts
from autostatistician.describe.observe.series.findings import series_findings
from autostatistician.describe.observe.series.parts import units_for
from autostatistician.describe.tell import document
from autostatistician.describe.words.breaks import break_text
from autostatistician.forms import Curve
from autostatistician.language.kernel import leaf

Array = NDArray[np.float64]

N, AHEAD = 96, 12
T = np.arange(float(N + AHEAD))
NOISE = 0.7 * np.random.default_rng(0).normal(size=N)
PLATEAU = 97.0 / (1.0 + np.exp(-(T - 25.0) / 5.0))
FALLS = np.where(T < N, PLATEAU, 97.0 - 31.0 * (T - N + 1.0) / AHEAD)
SEASON = 8.0 * np.sin(2.0 * np.pi * T / 12.0)
COURSES = {
    "plateau that stays": PLATEAU,
    "steady trend": 10.0 + 0.5 * T,
    "season": 50.0 + SEASON,
    "trend with a season": 10.0 + 0.5 * T + SEASON,
    "slow cycle": 50.0 + 20.0 * np.sin(2.0 * np.pi * T / 36.0),
    "growth": 10.0 * np.exp(0.015 * T),
    "growth with a season": np.exp(0.01 * T) * (100.0 + 4.0 * SEASON),
    "growth that slows": 100.0 * np.log(T + 10.0),
    "level": 50.0 + 0.0 * T,
}


def told(course: Array, noise: Array = NOISE) -> Decomposition:
    x = 2015.0 + T / 12.0
    y = course[:N] + noise
    made = decomposition((component(leaf("WN", sd=1.0), x[:N]),), x[:N], y, MONTHLY)
    return replace(made, forecast=Curve.normal(x[N:], course[N:], np.ones(AHEAD)))


@pytest.mark.parametrize("kind", COURSES)
def test_what_goes_on_as_before_is_no_break(kind: str) -> None:
    assert break_facts(told(COURSES[kind])) == ()
    assert break_facts(told(COURSES[kind], 0.0 * NOISE)) == ()


def test_a_plateau_that_falls_is_told_with_numbers() -> None:
    found = told(FALLS)
    (fact,) = break_facts(found)
    past = found.y[-2:].mean()
    assert fact.start == pytest.approx(past)
    assert fact.end == pytest.approx(FALLS[-2:].mean())
    assert fact.span == pytest.approx(1.0)
    text = break_text((fact,), units_for(found))
    assert text.startswith(
        "The forecast falls from 97 to 67 within 1 year, but the data saw no such fall in any stretch of"
    )
    assert text in series_verdict(series_findings(found), (), units_for(found)).doubt
    sections = [one for one in document(found).sections if one.id == "forecast"]
    assert "Be careful: the forecast falls from 97 to 67" in sections[0].blocks[0].text  # type: ignore[union-attr]


def test_a_trend_that_stops_is_told() -> None:
    course = np.where(T < N, 10.0 + 0.5 * T, 10.0 + 0.5 * N + 0.01 * (T - N))
    found = told(course)
    text = break_text(break_facts(found), units_for(found))
    assert "while over any stretch of 1 year the data rose by at least 4." in text


def test_shares_compare_where_the_logarithm_is_modelled() -> None:
    growing = told(np.exp(0.06 * T), 0.0 * NOISE)
    log = replace(growing, transform=Transform("log", 10.0))
    assert break_facts(log) == ()
    crashed = replace(log, forecast=Curve.normal(log.forecast.x, np.full(AHEAD, log.y[-1] / 3.0), np.ones(AHEAD)))
    text = break_text(break_facts(crashed), units_for(crashed))
    assert "no such fall in any stretch of 1 year (they never fell)" in text


def test_what_nobody_could_see_is_no_change() -> None:
    found = told(50.0 + np.where(T < N, 0.0, 1e-6), 0.0 * NOISE)
    assert break_facts(found) == ()


def test_too_few_data_say_nothing() -> None:
    found = told(FALLS)
    short = replace(found, x=found.x[-20:], y=found.y[-20:])
    assert break_facts(short) == ()


def test_a_new_level_that_values_set_aside_may_have_begun_is_no_break() -> None:
    """The forecast lies between the two cases: what is compared with the past is the one without the level."""
    found = told(COURSES["level"])
    raised = replace(found, forecast=Curve.normal(found.forecast.x, np.full(AHEAD, 80.0), np.ones(AHEAD)))
    (fact,) = break_facts(raised)
    assert not fact.apart
    assert break_facts(replace(raised, two_ways=(np.full(AHEAD, 50.0), np.full(AHEAD, 110.0)))) == ()
    (own,) = break_facts(replace(raised, two_ways=(np.full(AHEAD, 20.0), np.full(AHEAD, 110.0))))
    assert own.apart
    assert break_text((own,), units_for(found)).startswith("Apart from a new level, the forecast falls")
