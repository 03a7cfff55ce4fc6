"""Sums of a forecast have ranges of their own: single ranges do not add up."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.describe import factory
from tests.schemas import check

from autostatistician import AutomaticStatistician
from autostatistician.data.transform import Transform
from autostatistician.errors import InputError
from autostatistician.fitted.forecast_sums import sum_ahead
from autostatistician.forms import Curve
from autostatistician.gp.predictive import predictive

STEPS = 12
PLAIN = Transform()


def _sum(y: float, alike: float, transform: Transform = PLAIN, gap: int = 0) -> Any:
    """Of a forecast of 10 (or its logarithm of 0) with standard deviations of 1, correlated as ``alike``."""
    record = factory.airline()
    x = record.x[-1] + (1.0 + gap + np.arange(STEPS)) / 12.0
    cov = (1.0 - alike) * np.eye(STEPS) + alike * np.ones((STEPS, STEPS))
    mean = np.zeros(STEPS) if transform.is_log else np.full(STEPS, 10.0)
    predictor = SimpleNamespace(
        law_at=lambda x: None, predictive=lambda X: predictive(mean, np.ones(STEPS), transform),
        joint=lambda X, each=None: (mean, cov), model=SimpleNamespace(settings=SimpleNamespace(seed=0)),
    )  # fmt: skip
    made = replace(record, y=np.full(record.x.size, y), forecast=Curve.normal(x, mean, np.ones(STEPS)))
    return sum_ahead(predictor, made)  # type: ignore[arg-type]


@pytest.mark.parametrize(("alike", "sd"), [(0.0, np.sqrt(12.0)), (1.0, 12.0)])
def test_what_goes_together_adds_up_and_what_does_not_cancels(alike: float, sd: float) -> None:
    made = _sum(10.0, alike)
    assert made.steps == STEPS
    assert made.before == pytest.approx(120.0)
    assert made.number == pytest.approx(120.0, abs=0.1 * sd)
    assert np.subtract(*made.interval[::-1]) == pytest.approx(2 * 1.96 * sd, rel=0.06)
    assert made.less == pytest.approx(0.5, abs=0.03)


def test_of_a_logarithm_values_are_added_and_not_logarithms() -> None:
    made = _sum(1.0, 0.0, Transform("log"))
    assert made.number == pytest.approx(STEPS * np.exp(0.5), rel=0.1)
    assert made.less < 0.25


def test_a_gap_before_the_forecast_leaves_nothing_to_compare() -> None:
    assert _sum(10.0, 0.0, gap=1) is None


@pytest.fixture(scope="module")
def monthly() -> AutomaticStatistician:
    """Months from July 2020 to June 2023: 36 rows of a line."""
    months = pd.date_range("2020-07-01", periods=36, freq="MS")
    sold = 100.0 + np.arange(36.0) + np.random.default_rng(0).normal(size=36)
    return AutomaticStatistician("linear", max_depth=1, n_restarts=1, n_jobs=1).fit(
        pd.DataFrame({"month": months, "sold": sold}), "sold"
    )


def test_the_rows_of_a_period_that_are_known_are_in_its_sum(monthly: AutomaticStatistician) -> None:
    made = monthly.forecast(24, sum_by="year", above=1700.0, below=1700.0)
    assert made["time"].dt.year.tolist() == [2023, 2024]  # of 2025 the second half is missing
    assert made["known"].tolist() == [6, 0]
    values, known = monthly.forecast(24)["mean"], monthly.dataset_.y[30:].sum()
    assert made["mean"].to_numpy() == pytest.approx([known + values[:6].sum(), values[6:18].sum()], rel=2e-3)
    assert (made["above"] + made["below"]).tolist() == pytest.approx([1.0] * len(made))
    assert made["above"].tolist() == pytest.approx([0.0, 1.0], abs=0.02)
    assert monthly.forecast(sum_by="year")["time"].dt.year.tolist() == [2023, 2024]
    assert monthly.forecast(6, sum_by="quarter")["time"].dt.month.tolist() == [7, 10]


def test_the_chance_of_a_number_is_that_of_the_distribution(monthly: AutomaticStatistician) -> None:
    made = monthly.forecast(3, above=137.0, below=137.0)
    assert (made["above"] + made["below"]).tolist() == pytest.approx([1.0] * len(made))
    last = monthly.predictive(pd.DataFrame({"month": made["time"]})).cdf(np.full(3, 137.0))
    assert made["below"].to_numpy() == pytest.approx(last)


def test_a_gap_in_the_current_period_leaves_it_out(monthly: AutomaticStatistician) -> None:
    frame = pd.DataFrame({"month": pd.date_range("2020-07-01", periods=36, freq="MS"), "sold": monthly.dataset_.y})
    gappy = AutomaticStatistician("linear", max_depth=1, n_restarts=1, n_jobs=1).fit(frame.drop(index=32), "sold")
    assert gappy.forecast(18, sum_by="year")["time"].dt.year.tolist() == [2024]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"sum_by": "decade"}, "sum_by='year'"), ({"sum_by": "month"}, "steps that are shorter than a month"),
        ({"horizon": 3, "sum_by": "year"}, "to the end of a whole year; found 3"), ({"above": np.nan}, "for 'above'"),
        ({"horizon": 1001, "sum_by": "year"}, "at most 1000 steps"),
    ],
)  # fmt: skip
def test_what_cannot_be_summed_is_refused(monthly: AutomaticStatistician, asked: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        monthly.forecast(**asked)


def test_a_question_for_a_sum_is_answered_with_its_range_and_chance(monthly: AutomaticStatistician) -> None:
    told = monthly.ask("forecast", at="2024", sum_by="year", above=1600.0)
    total, chance = told.numbers
    assert (total.fact, total.start, total.stop) == ("Sum", "2024-01-01T00:00:00", "2024-12-01T00:00:00")
    assert total.number == pytest.approx(monthly.forecast(18, sum_by="year")["median"][1])
    assert (chance.fact, chance.number) == ("above", 1600.0)
    assert told.sentences[0].startswith("From January 2024 to December 2024 'sold' should come to 1,7")
    assert told.sentences[1] == "The chance of more than 1,600 is more than 99.9%."
    check(told.to_json(), "answer-1")
    assert len(monthly.ask("forecast", at="2023", sum_by="quarter").numbers) == 2
    assert [number.fact for number in monthly.ask("forecast", at="2023-07", below=0.0).numbers] == ["Forecast", "below"]
