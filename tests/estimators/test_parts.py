"""What a fitted estimator hands out: parts, and frames."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from autostatistician import AutomaticStatistician
from autostatistician.data.load import load
from autostatistician.estimators.parts import SearchFrames, backtest_frame, forecast_frame, outlier_frame, parts
from autostatistician.inference.criteria import bic
from autostatistician.model.explanation import explain
from autostatistician.model.fitted import Model
from autostatistician.model.fitting import fit_model
from autostatistician.model.predictions import Options, Predictor
from autostatistician.search.run import Settings

N = 48
MONTHS = pd.date_range("2019-01-01", periods=N, freq="MS")
Y = 20.0 + 0.5 * np.arange(N) + 0.3 * np.random.default_rng(0).normal(size=N)


@pytest.fixture(scope="module")
def model() -> Model:
    """A line over months with one value far off."""
    y = np.where(np.arange(N) == 30, 90.0, Y)
    settings = Settings(max_depth=1, restarts=2, n_jobs=1)
    return fit_model(load(pd.Series(y, index=MONTHS, name="sales")), "linear", settings)


def test_forecasts_have_dates_and_their_ends(model: Model) -> None:
    predictor = Predictor(model, Options(average=False))
    found = forecast_frame(predictor, 3)
    assert found["time"].tolist() == list(pd.date_range("2023-01-01", periods=3, freq="MS"))
    ends = predictor.ahead(3)[1].quantiles((0.025, 0.975))
    np.testing.assert_array_equal(found[["lower", "upper"]].to_numpy(), ends)


def test_every_outlier_is_in_its_frame_with_what_was_expected(model: Model) -> None:
    found = outlier_frame(model)
    assert found["time"].tolist() == [MONTHS[30]]
    assert found["value"].tolist() == [90.0]
    assert found["expected"].tolist() == pytest.approx([35.0], abs=1.0)
    assert found["aside"].tolist() == [True]
    assert found["chance"].iloc[0] > 0.99


def test_tests_on_later_rows_name_their_ends_as_dates(model: Model) -> None:
    found = backtest_frame(model)
    assert list(found.columns) == ["expression", "until", "n", "rmse", "log_density", "crps", "coverage95"]
    assert pd.api.types.is_datetime64_any_dtype(found["until"])
    assert (found["until"] < MONTHS[-1]).all()


def test_the_frontier_is_the_search_with_the_criterion_of_the_data(model: Model) -> None:
    frame = SearchFrames(model.search, model.dataset.n, model.penalty).frontier
    for row, one in zip(frame.itertuples(), model.search.frontier, strict=True):
        assert (row.expression, row.parameters) == (str(one.kernel), one.kernel.values)
        assert row.bic == bic(one.nll, one.kernel.expr, model.dataset.n) + model.penalty


def test_parts_have_the_sentences_of_the_report_in_its_order(model: Model) -> None:
    estimator = AutomaticStatistician(average=False)._set_model(model)
    found = parts(explain(Predictor(model, Options(average=False))))
    assert [part.sentence for part in found] == estimator.describe()
    moved = [(part.mean + 1.0, part.std) for part in found]
    for one, other in zip(found, parts(estimator.decomposition(), moved), strict=True):
        np.testing.assert_array_equal(other.mean, one.mean + 1.0)


def test_a_search_shows_its_best_models_and_its_levels_in_a_notebook(model: Model) -> None:
    found = SearchFrames(model.search, model.dataset.n, model.penalty)
    shown = found._repr_html_()
    assert shown.startswith(f"<p>Search({len(found.frontier)} models")
    assert shown.count("<tr") == 2 + min(10, len(found.frontier)) + len(found.trace)
    assert shown.count(found.frontier["expression"][0]) >= 2  # among the best, and the best of a level
    assert "<script" not in shown
