from copy import copy
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from autostatistician import AutomaticStatistician, TargetOptions
from autostatistician.model import other_scale
from autostatistician.model.other_scale import SHARE_OF_OTHER

N = 16
DATES = pd.DataFrame({"date": pd.date_range("1990", periods=N + 4, freq="YS")})


def _growing(n: int) -> np.ndarray:
    return np.asarray(np.exp(4.0 + 0.08 * np.arange(n) + 0.05 * np.random.default_rng(3).normal(size=n)))


@pytest.fixture(scope="module")
def model() -> AutomaticStatistician:
    return AutomaticStatistician(n_jobs=1, max_depth=2).fit(DATES[:N], _growing(N))


def test_both_scales_are_searched(model: AutomaticStatistician) -> None:
    other = model.model_.on_other_scale
    assert other is not None
    assert other.transform.is_log != model.model_.transform.is_log
    np.testing.assert_allclose(other.transform.back(other.modelled.y), model.model_.dataset.y)
    assert other.on_other_scale is None


def test_forecasts_average_over_both_and_the_past_does_not(model: AutomaticStatistician) -> None:
    alone = copy(model)
    alone.model_ = replace(model.model_, other=None)
    np.testing.assert_array_equal(model.predict(DATES[:N]), alone.predict(DATES[:N]))
    ahead = model.predictive(DATES[N:])
    np.testing.assert_allclose(ahead.share, SHARE_OF_OTHER)
    np.testing.assert_array_equal(ahead.first.mean, alone.predict(DATES[N:]))
    assert not np.allclose(ahead.first.mean, ahead.second.mean)
    mean, cov = model.predict(DATES[N - 2 :], return_cov=True)
    np.testing.assert_allclose(mean, model.predict(DATES[N - 2 :]))
    np.testing.assert_allclose(np.sqrt(cov.diagonal()), model.predictive(DATES[N - 2 :]).std)


@pytest.mark.parametrize(
    "setting", [{"target_options": TargetOptions(transform="log")}, {"criterion": "bic"}, {"average": False}]
)
def test_a_scale_that_was_asked_for_or_not_compared_is_alone(setting: dict[str, object]) -> None:
    asked = AutomaticStatistician(n_jobs=1, max_depth=1, **setting).fit(DATES[:N], _growing(N))
    assert not hasattr(asked.predictive(DATES[N:]), "share")


def test_a_search_that_is_interrupted_on_the_other_scale_leaves_the_chosen_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted(*args: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(other_scale, "search", interrupted)
    found = AutomaticStatistician(n_jobs=1, max_depth=1).fit(DATES[:N], _growing(N))
    assert found.model_.choice.gain is not None
    assert found.model_.other is None


def test_a_long_series_is_searched_on_the_chosen_scale_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(other_scale, "MOST_ROWS", N - 1)  # the rows of `model`, which has both scales
    long = AutomaticStatistician(n_jobs=1, max_depth=1).fit(DATES[:N], _growing(N))
    assert long.model_.choice.gain is not None
    assert long.model_.other is None


def test_a_line_with_odds_against_the_logarithm_has_no_share_of_it() -> None:
    line = 50.0 + 4.0 * np.arange(N) + np.random.default_rng(1).normal(size=N)
    model = AutomaticStatistician(n_jobs=1, max_depth=1).fit(DATES[:N], line).model_
    assert not model.transform.is_log
    assert model.choice.probability > 0.95
    assert model.other is None


def test_new_rows_reach_both(model: AutomaticStatistician) -> None:
    grown = copy(model)
    before = grown.forecast(1)["mean"][0]
    grown.update(DATES[N : N + 1], [2.0 * before])
    other = grown.model_.on_other_scale
    assert other is not None
    assert other.dataset.n == N + 1
    assert other.search.best.nll > model.model_.other.search.best.nll
    assert grown.forecast(1)["mean"][0] > before


def test_a_value_below_zero_leaves_no_logarithm() -> None:
    line = 60.0 + 2.0 * np.arange(N) + 5.0 * np.random.default_rng(1).normal(size=N)
    grown = AutomaticStatistician(n_jobs=1, max_depth=1).fit(DATES[:N], line)
    assert not grown.model_.transform.is_log
    assert grown.model_.other is not None
    grown.update(DATES[N : N + 1], [-1.0])
    assert grown.model_.other is None
