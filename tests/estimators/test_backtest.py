"""Forecasts from earlier ends of the data are those that would have been printed then, scored as is usual."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from tests.saved_models.models import saved

from autostatistician import AutomaticStatistician, TargetOptions
from autostatistician.errors import InputError
from autostatistician.estimators.backtest import DECILES
from autostatistician.fitted import backtest
from autostatistician.fitted.backtest import Split, rolling, simple_forecasts
from autostatistician.fitted.predictions import Options, Predictor
from autostatistician.gp.predictive import Averaged

X = np.arange(40.0)
Y = 0.5 * X + np.random.default_rng(0).normal(size=40)
PLAIN = TargetOptions("none", outliers="keep")  # nothing is chosen before the search
QUICK = {"language": "linear", "max_depth": 1, "n_restarts": 1, "n_jobs": 1, "target_options": PLAIN}


@pytest.fixture(scope="module")
def line() -> AutomaticStatistician:
    return AutomaticStatistician(**QUICK).fit(X[:, None], Y)


def test_origins_roll_to_the_latest_that_there_is(line: AutomaticStatistician) -> None:
    splits = rolling(line._predictor(), horizon=4, step=2, n_splits=2)
    assert [split.origin for split in splits] == [33.0, 35.0]
    for split in splits:
        np.testing.assert_array_equal(split.x, split.origin + 1.0 + np.arange(4.0))
        np.testing.assert_array_equal(split.y, Y[split.x.astype(int)])
        np.testing.assert_array_equal(split.known[0], X[: len(split.known[0])])
    assert len(rolling(line._predictor(), horizon=20)) == 1  # twelve rows are left before the first


def test_of_few_rows_it_is_the_forecast_that_was_printed_then(line: AutomaticStatistician) -> None:
    (split,) = rolling(line._predictor(), horizon=4, n_splits=1)
    then = AutomaticStatistician(**QUICK).fit(X[:36, None], Y[:36]).forecast(4)
    assert split.searched
    np.testing.assert_array_equal(split.forecast.mean, then["mean"])
    np.testing.assert_array_equal(split.forecast.quantiles((0.025, 0.975)), then[["lower", "upper"]])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["airline", "promotions", "counts"])
def test_of_more_rows_what_is_forecast_has_no_part_in_the_fit(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backtest, "MOST_ROWS_SEARCHED", 0)
    model = saved(name).model_
    later = model.dataset.x > model.dataset.x[-4]
    other = replace(model, dataset=replace(model.dataset, y=np.where(later, 2.0 * model.dataset.y, model.dataset.y)))
    one, two = (
        rolling(Predictor(each, Options(average=name != "promotions")), horizon=3, n_splits=1)[0]
        for each in (model, other)
    )
    assert not one.searched
    np.testing.assert_allclose(one.forecast.mean, two.forecast.mean, rtol=1e-6)
    assert not np.allclose(one.y, two.y)
    assert isinstance(one.forecast, Averaged) is (model.other is not None and name != "promotions")


def test_scores_are_those_of_the_forecasts(line: AutomaticStatistician) -> None:
    found = line.backtest(horizon=3, step=5, n_splits=2)
    rows = found.forecasts[found.forecasts["forecast"] == "model"]
    missed, error = (rows["value"] - rows["median"]).abs(), rows["value"] - rows["mean"]
    told = found.scores.loc["model"]
    assert told["n"] == 6
    assert told["mae"] == pytest.approx(missed.mean())
    assert told["rmse"] == pytest.approx(np.sqrt((error**2).mean()))
    scale = [np.abs(np.diff(Y[: int(cutoff) + 1])).mean() for cutoff in rows["cutoff"]]
    assert told["mase"] == pytest.approx((missed / scale).mean())
    assert told["coverage95"] == rows["value"].between(rows["lower95"], rows["upper95"]).mean()
    assert told["width80"] == pytest.approx((rows["upper80"] - rows["lower80"]).mean())
    loss, size = 0.0, np.abs(rows["value"]).sum()
    for split in rolling(line._predictor(), 3, 5, 2):
        missed = split.y[:, None] - split.forecast.quantiles(DECILES.tolist())
        loss += 2.0 * np.where(missed > 0.0, DECILES * missed, (DECILES - 1.0) * missed).mean(axis=1).sum()
    assert told["quantile_loss"] == pytest.approx(loss / size)
    assert found.by_step.loc["model", "step"].tolist() == [1, 2, 3]
    assert (found.by_step["n"] == 2).all()
    assert "random walk with drift" in str(found)
    assert found.searched


def test_simple_forecasts_are_those_of_textbooks() -> None:
    known = (np.arange(24.0), np.tile([0.0, 4.0, 2.0, 6.0], 6) + np.repeat(np.arange(6.0), 4))
    split = Split(23.0, known, np.arange(24.0, 30.0), np.zeros(6), None, False)  # type: ignore[arg-type]
    naive, drift = simple_forecasts(split, 4.0, 1.0).values()
    np.testing.assert_array_equal(naive.mean, [5.0, 9.0, 7.0, 11.0, 5.0, 9.0])
    np.testing.assert_allclose(naive.std, np.sqrt([1.0, 1.0, 1.0, 1.0, 2.0, 2.0]))  # each year is one more
    slope, h = 11.0 / 23.0, np.arange(1.0, 7.0)
    np.testing.assert_allclose(drift.mean, 11.0 + slope * h)
    np.testing.assert_allclose(drift.std, np.std(np.diff(known[1]) - slope) * np.sqrt(h * (1.0 + h / 23.0)))


@pytest.mark.as_for_users
def test_values_that_were_set_aside_are_forecast_too() -> None:
    y = Y.copy()
    y[30] = 80.0
    model = AutomaticStatistician(**QUICK | {"target_options": TargetOptions("none")}).fit(X[:, None], y)
    assert len(model.model_.aside) == 1
    rows = model.backtest(horizon=12, n_splits=1).forecasts
    assert 80.0 in rows["value"].tolist()


def test_what_has_no_later_rows_or_too_few_is_refused(line: AutomaticStatistician) -> None:
    with pytest.raises(InputError, match="at least 52 rows for 2 times 20 rows ahead, 20 apart; found 40"):
        line.backtest(20, n_splits=2)
    with pytest.raises(InputError, match="whole number from 1"):
        line.backtest(step=0)
    table = pd.DataFrame({"a": X, "b": np.sin(X)})
    with pytest.raises(InputError, match="a series of numbers, for a backtest"):
        AutomaticStatistician(**QUICK).fit(table, Y).backtest()
