"""A model beside those of statsforecast."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.there import there

from autostatistician import AutomaticStatistician, TargetOptions, load_example
from autostatistician.adapters.statsforecast import AutomaticStatisticianModel, times_of_season
from autostatistician.errors import InputError

PLAIN = TargetOptions("none", outliers="keep")  # nothing is chosen before the search
QUICK = AutomaticStatistician("linear", max_depth=1, n_restarts=1, n_jobs=1, target_options=PLAIN)
N = 30
LINE = 10.0 + 2.0 * np.arange(N + 2.0)
NOISY = LINE + np.random.default_rng(0).normal(size=N + 2)
PERIODS = {
    12: "month", 4: "quarter", 2: "half-year", 6: "2 months", 3: "4 months", 7: "day", 365: "day", 52: "week",
    5: "business day", 24: "hour", 168: "hour", 36: "40 minutes", 48: "30 minutes", 96: "15 minutes", 60: "minute",
}  # fmt: skip


@pytest.mark.parametrize(("length", "frequency"), PERIODS.items())
def test_a_season_of_a_calendar_is_that_calendar(length: int, frequency: str) -> None:
    model = AutomaticStatisticianModel(length, QUICK).fit(NOISY[:N])
    axis = there(model.estimator_.dataset_.axis)
    assert axis.frequency == frequency
    period = length * (axis.step or axis.gap)
    assert any(abs(period / natural - 1.0) < 0.005 for natural in axis.natural_periods)
    np.testing.assert_allclose(model.predict(2)["mean"], model.estimator_.forecast(2)["mean"], rtol=1e-9)


@pytest.mark.parametrize("length", [10, 13, 100])
def test_another_season_is_a_year(length: int) -> None:
    days = times_of_season(length, 2 * length + 1).astype("M8[s]").astype(np.int64) / 86400.0
    assert days[length] - days[0] == pytest.approx(365.2425, abs=1e-4)
    assert np.ptp(np.diff(days)) < 1e-4
    dataset = AutomaticStatisticianModel(length, QUICK).fit(NOISY[:N]).estimator_.dataset_
    assert there(dataset.axis).natural_periods[-1] == pytest.approx(
        365.2425 * (1.0 if there(dataset.axis).unit == "day" else 24.0), rel=1e-3
    )


@pytest.mark.slow
@pytest.mark.parametrize("length", [10, 13])
def test_a_season_that_is_told_is_used(length: int) -> None:
    season = 5.0 * np.sin(2.0 * np.pi * np.arange(6 * length) / length)
    noise = np.random.default_rng(1).normal(size=6 * length)
    simple = AutomaticStatistician(max_depth=2, n_restarts=4, n_jobs=1)
    made = AutomaticStatisticianModel(length, simple).forecast(season[: 5 * length] + noise[: 5 * length], length)
    np.testing.assert_allclose(made["mean"], season[5 * length :], atol=1.5)


@pytest.mark.parametrize("length", [0, -1, 2.5])
def test_other_lengths_are_refused(length: Any) -> None:
    with pytest.raises(InputError, match="season_length"):
        AutomaticStatisticianModel(length, QUICK).fit(NOISY)


def test_ranges_are_named_and_lie_in_one_another() -> None:
    made = AutomaticStatisticianModel(estimator=QUICK).forecast(NOISY[:N], 2, level=[95, 80], fitted=True)
    ranges = ["lo-95", "lo-80", "hi-80", "hi-95"]
    assert list(made) == ["mean", *ranges, "fitted", *(f"fitted-{name}" for name in ranges)]
    ends = np.array([made[name] for name in ("lo-95", "lo-80", "mean", "hi-80", "hi-95")])
    assert np.all(np.diff(ends, axis=0) > 0.0)
    np.testing.assert_allclose(made["fitted"], LINE[:N], atol=2.0)


@pytest.mark.slow
def test_columns_act_where_they_are_planned() -> None:
    promo = (np.arange(N + 2) % 3 == 0).astype(float)[:, None]
    made = AutomaticStatisticianModel(7, QUICK).forecast(
        NOISY[:N] + 40.0 * promo[:N, 0], 2, promo[:N], np.array([[1.0], [0.0]]), fitted=True
    )
    np.testing.assert_allclose(made["mean"], LINE[N:] + np.array([40.0, 0.0]), atol=4.0)
    np.testing.assert_allclose(made["fitted"], LINE[:N] + 40.0 * promo[:N, 0], atol=4.0)


@pytest.mark.slow
def test_months_of_a_made_calendar_give_the_numbers_of_those_with_dates() -> None:
    airline = load_example("airline")
    simple = AutomaticStatistician(max_depth=1, n_restarts=2, n_jobs=1)
    made = AutomaticStatisticianModel(12, simple).forecast(airline.y, 12, level=[95])
    ours = AutomaticStatistician(max_depth=1, n_restarts=2, n_jobs=1).fit(airline).forecast(12)
    np.testing.assert_allclose(made["mean"], ours["mean"], rtol=1e-4)
    np.testing.assert_allclose(made["lo-95"], ours["lower"], rtol=1e-3)


def test_new_is_a_copy_and_unfitted_models_say_so() -> None:
    model = AutomaticStatisticianModel(12, QUICK, alias="AS")
    copy = model.new().fit(NOISY[:N])
    assert repr(copy) == "AS"
    assert not hasattr(model, "estimator_")
    with pytest.raises(InputError, match="call fit first"):
        model.predict(2)


class TestInStatsForecast:
    """Within the library itself."""

    @pytest.fixture
    def panel(self) -> pd.DataFrame:
        days = pd.date_range("2024-01-01", periods=N, freq="D")
        levels = {"a": 0.0, "b": 50.0}
        series = [pd.DataFrame({"unique_id": name, "ds": days, "y": NOISY[:N] + levels[name]}) for name in levels]
        return pd.concat(series, ignore_index=True)

    @pytest.mark.slow
    @pytest.mark.parametrize("workers", [1, 2])
    def test_forecasts_of_several_series(self, panel: pd.DataFrame, workers: int) -> None:
        library = pytest.importorskip("statsforecast", reason="needs statsforecast (extra 'statsforecast')")
        models = [AutomaticStatisticianModel(7, QUICK, alias="AS")]
        made = library.StatsForecast(models=models, freq="D", n_jobs=workers).forecast(df=panel, h=2, level=[80])
        assert list(made.columns) == ["unique_id", "ds", "AS", "AS-lo-80", "AS-hi-80"]
        alone = models[0].forecast(NOISY[:N], 2, level=[80])
        np.testing.assert_allclose(made["AS"][:2], alone["mean"], rtol=1e-9)
        np.testing.assert_allclose(made["AS-hi-80"][:2], alone["hi-80"], rtol=1e-9)
        np.testing.assert_allclose(made["AS"][2:], LINE[N:] + 50.0, atol=2.0)

    @pytest.mark.slow
    def test_fit_predict_and_fitted_values(self, panel: pd.DataFrame) -> None:
        library = pytest.importorskip("statsforecast", reason="needs statsforecast (extra 'statsforecast')")
        panel["promo"] = np.tile((np.arange(N) % 3 == 0).astype(float), 2)
        plan = pd.DataFrame({"unique_id": ["a", "b"], "ds": pd.Timestamp("2024-01-31"), "promo": 1.0})
        told = library.StatsForecast(models=[AutomaticStatisticianModel(7, QUICK)], freq="D").fit(df=panel)
        made = told.predict(h=1, X_df=plan, level=[95])
        assert np.all(made["AutomaticStatistician-lo-95"] < made["AutomaticStatistician-hi-95"])
        told.forecast(df=panel, h=1, X_df=plan, fitted=True)
        fitted = told.forecast_fitted_values()
        np.testing.assert_allclose(fitted["AutomaticStatistician"], fitted["y"], atol=4.0)

    @pytest.mark.slow
    def test_cross_validation(self, panel: pd.DataFrame) -> None:
        library = pytest.importorskip("statsforecast", reason="needs statsforecast (extra 'statsforecast')")
        machine = library.StatsForecast(models=[AutomaticStatisticianModel(7, QUICK, alias="AS")], freq="D")
        made = machine.cross_validation(df=panel, h=2, n_windows=2, level=[80])
        assert len(made) == 8
        np.testing.assert_allclose(made["AS"], made["y"], atol=5.0)
