"""Columns beside a series as facts."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.describe import factory
from tests.describe.covariate_cases import NOISE, PRICE, PROMO, WEATHER, around, findings, with_columns
from tests.describe.grown import grown

from autostatistician.decompose.records.covariates import EffectAt
from autostatistician.describe.facts.whole import ForecastRange, ForecastReach
from autostatistician.describe.observe.series.covariates import covariate_findings
from autostatistician.forms import Filling, Varying


def test_a_series_alone_has_none() -> None:
    assert covariate_findings(factory.airline()) is None


def test_numbers_of_records_are_numbers_of_facts() -> None:
    fact = findings(PROMO, PRICE).columns[0].effect
    assert (fact.number, fact.interval, fact.unit, fact.probability) == (25.0, (23.0, 27.0), "target", 1.0)
    assert fact.neighbours is not None
    assert fact.neighbours.number == pytest.approx(25.3)
    assert fact.is_only is False
    assert findings(PROMO).columns[0].effect.is_only is True


def test_categories_have_their_names_and_moments_their_places() -> None:
    assert [value.level for value in findings(WEATHER).columns[0].values] == ["rain", "snow"]
    moment = EffectAt(1955.5, around(30.0))
    changing = findings(replace(PROMO, varying=Varying.SEASON, moments=(moment,))).columns[0]
    assert [(one.position, one.number) for one in changing.moments] == [(1955.5, 30.0)]


@pytest.mark.slow
def test_effects_on_logarithms_say_so() -> None:
    made = covariate_findings(replace(grown(), covariates=with_columns(PROMO).covariates))
    assert made is not None
    assert made.columns[0].effect.unit == "log target"


def test_the_forecast_names_the_columns_without_a_plan() -> None:
    ahead = findings(PROMO, PRICE, NOISE, fillings=(("price", Filling.LAST),)).ahead
    assert ahead is not None
    assert (ahead.planned, ahead.unplanned, ahead.number) == (("promo",), (("price", Filling.LAST),), 1)
    assert findings(NOISE).ahead is None


def test_the_series_is_shown_as_it_was_observed() -> None:
    made = findings(PROMO)
    assert made.curves.y.max() > factory.airline().y.max()
    *ends, reach = made.forecast
    assert [fact.position for fact in ends if isinstance(fact, ForecastRange)] == pytest.approx(
        [1961.0, 1962.0 + 1 / 12]
    )
    assert isinstance(reach, ForecastReach)  # an hour of the day is not what the forecast is all the way
    assert reach.number == pytest.approx(reach.high - reach.low)
