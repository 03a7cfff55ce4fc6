"""A forecaster of sktime."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from autostatistician import AutomaticStatistician, TargetOptions, load_example

pytest.importorskip("sktime", reason="needs sktime (extra 'sktime')")

from sktime.utils.estimator_checks import check_estimator

from autostatistician.adapters.sktime import AutomaticStatisticianForecaster

PLAIN = TargetOptions("none", outliers="keep")  # nothing is chosen before the search
QUICK = AutomaticStatistician("linear", max_depth=1, n_restarts=1, n_jobs=1, target_options=PLAIN)
N = 30
DAYS = pd.period_range("2024-01-01", periods=N + 2, freq="D")
LINE = pd.Series(10.0 + 2.0 * np.arange(N + 2.0), DAYS, name="sales")
NOISY = LINE + np.random.default_rng(0).normal(size=N + 2)
PROMO = pd.DataFrame({"promo": np.arange(N + 2) % 3 == 0}, DAYS)
SOME_CHECKS = ["test_doctest_examples", "test_get_test_params", "test_valid_estimator_class_tags"]


def _failures(**which: Any) -> dict[str, Any]:
    answers = check_estimator(AutomaticStatisticianForecaster, verbose=False, **which)
    assert answers
    return {name: answer for name, answer in answers.items() if answer != "PASSED"}


@pytest.mark.filterwarnings("ignore")  # theirs
def test_some_of_the_checks_of_sktime() -> None:
    assert _failures(tests_to_run=SOME_CHECKS) == {}


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.filterwarnings("ignore")
def test_all_checks_of_sktime() -> None:
    assert _failures() == {}


def test_the_numbers_of_the_airline_are_those_of_the_estimator() -> None:
    airline = load_example("airline")
    y = pd.Series(airline.y, pd.period_range("1949-01", periods=airline.n, freq="M"))
    simple = AutomaticStatistician(max_depth=1, n_restarts=2, n_jobs=1)
    ours = AutomaticStatistician(max_depth=1, n_restarts=2, n_jobs=1).fit(airline).forecast(12)
    forecaster = AutomaticStatisticianForecaster(simple).fit(y)
    steps = list(range(1, 13))
    np.testing.assert_allclose(forecaster.predict(fh=steps), ours["mean"], rtol=1e-9)
    ends = forecaster.predict_interval(fh=steps, coverage=0.95)
    np.testing.assert_allclose(ends, ours[["lower", "upper"]], rtol=1e-9)
    np.testing.assert_allclose(forecaster.predict_var(fh=steps).iloc[:, 0], ours["std"] ** 2, rtol=1e-9)


def test_horizons_may_be_relative_absolute_and_within_the_data() -> None:
    from sktime.forecasting.base import ForecastingHorizon

    forecaster = AutomaticStatisticianForecaster(QUICK).fit(NOISY[:N])
    relative = forecaster.predict(fh=[-3, 0, 2])
    absolute = forecaster.predict(fh=ForecastingHorizon(DAYS[[N - 4, N - 1, N + 1]], is_relative=False))
    pd.testing.assert_series_equal(relative, absolute)
    assert list(relative.index) == list(DAYS[[N - 4, N - 1, N + 1]])
    assert relative.name == "sales"
    np.testing.assert_allclose(relative, LINE[relative.index], atol=2.0)


def test_columns_act_where_they_are_planned() -> None:
    y = NOISY + 40.0 * PROMO["promo"]
    forecaster = AutomaticStatisticianForecaster(QUICK).fit(y[:N], X=PROMO[:N])
    np.testing.assert_allclose(forecaster.predict(fh=[1, 2], X=PROMO[N:]), y[N:], atol=4.0)
    np.testing.assert_allclose(forecaster.predict(fh=[-1, 0], X=PROMO[:N]), y[N - 2 : N], atol=4.0)


def test_missing_values_are_forecast_within_the_data() -> None:
    y = NOISY[:N].copy()
    y.iloc[[4, N - 1]] = np.nan
    made = AutomaticStatisticianForecaster(QUICK).fit(y).predict(fh=[5 - N, 0, 1])
    np.testing.assert_allclose(made, LINE[made.index], atol=2.0)


def test_covariances_belong_to_the_variances() -> None:
    forecaster = AutomaticStatisticianForecaster(QUICK).fit(NOISY[:N])
    cov = forecaster.predict_var(fh=[1, 2], cov=True)
    var = forecaster.predict_var(fh=[1, 2])
    assert cov.shape == (2, 2)
    np.testing.assert_allclose(np.diag(cov), var.to_numpy()[:, 0], rtol=1e-6)


@pytest.mark.parametrize("update_params", [False, True])
def test_new_rows_are_taken_in(update_params: bool) -> None:
    forecaster = AutomaticStatisticianForecaster(QUICK).fit(NOISY[: N - 5], X=PROMO[: N - 5])
    before = forecaster.estimator_.kernel_
    forecaster.update(NOISY[N - 5 : N], X=PROMO[N - 5 : N], update_params=update_params)
    assert forecaster.estimator_.dataset_.n == N
    assert (str(forecaster.estimator_.kernel_) == str(before)) or update_params
    np.testing.assert_allclose(forecaster.predict(fh=[1, 2], X=PROMO[N:]), LINE[N:], atol=2.0)
    forecaster.update(NOISY[N:] * np.nan, X=PROMO[N:], update_params=False)
    assert forecaster.estimator_.dataset_.n == N


def test_settings_within_the_estimator_can_be_set_by_name() -> None:
    forecaster = AutomaticStatisticianForecaster(AutomaticStatistician()).set_params(estimator__max_depth=3)
    assert forecaster.estimator.max_depth == 3
    assert str(AutomaticStatisticianForecaster(QUICK).fit(LINE[:N]).get_fitted_params()["kernel"])
