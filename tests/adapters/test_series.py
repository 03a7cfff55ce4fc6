"""Series of other libraries become our data sets, and their times and columns positions in these."""

import sys
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.there import there

from autostatistician import AutomaticStatistician, TargetOptions
from autostatistician.adapters.series import check_levels, fitted, for_prediction, for_update, not_installed, unfitted
from autostatistician.errors import InputError


def test_the_error_is_one_of_imports_and_names_the_package() -> None:
    error = not_installed("gluonts")
    assert error.name == "gluonts"
    assert str(error).endswith("pip install gluonts")


@pytest.mark.parametrize("package", ["sktime", "gluonts"])
def test_an_adapter_without_its_library_says_what_to_install(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == package or name.endswith(f"adapters.{package}")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ModuleNotFoundError, match=rf"pip install {package}"):
        __import__(f"autostatistician.adapters.{package}")


PLAIN = TargetOptions("none", outliers="keep")  # nothing is chosen before the search
QUICK = AutomaticStatistician("linear", max_depth=1, n_restarts=1, n_jobs=1, target_options=PLAIN)
N = 30
NOISE = np.random.default_rng(0).normal(size=N + 2)
LINE = 10.0 + 2.0 * np.arange(N + 2.0)

TIMES = {
    "whole numbers": pd.RangeIndex(100, 100 + N + 2),
    "numbers like years": pd.Index(np.arange(1950, 1950 + N + 2)),
    "months": pd.period_range("2020-01", periods=N + 2, freq="M"),
    "month ends": pd.date_range("2020-01-31", periods=N + 2, freq="ME", name="month"),
    "days": pd.date_range("2020-01-01", periods=N + 2, freq="D"),
    "weeks": pd.period_range("2020-01-06", periods=N + 2, freq="W-SUN"),
    "quarters": pd.period_range("2010Q1", periods=N + 2, freq="Q"),
    "quarters of an hour": pd.date_range("2020-01-01", periods=N + 2, freq="15min"),
}


@pytest.mark.parametrize("times", TIMES.values(), ids=TIMES.keys())
def test_any_index_is_an_axis_and_forecasts_are_those_of_the_estimator(times: Any) -> None:
    model = fitted(QUICK, times[:N], LINE[:N] + NOISE[:N])
    made = for_prediction(model, times[N:])
    ours = model.forecast(2)
    np.testing.assert_allclose(made.mean, ours["mean"], rtol=1e-9)
    np.testing.assert_allclose(made.quantiles([0.025, 0.975]), ours[["lower", "upper"]], rtol=1e-9)
    np.testing.assert_allclose(made.mean, LINE[N:], atol=2.0)


@pytest.mark.slow
def test_whole_numbers_stay_what_they_are() -> None:
    model = fitted(QUICK, TIMES["numbers like years"][:N], LINE[:N])
    assert not there(model.dataset_.axis).is_calendar
    assert model.dataset_.x[0] == 1950.0


def test_missing_values_are_left_out_and_leave_their_place() -> None:
    values = (LINE + NOISE)[:N].copy()
    values[[3, 4, N - 1]] = np.nan
    model = fitted(QUICK, TIMES["months"][:N], values)
    assert model.dataset_.n == N - 3
    np.testing.assert_allclose(for_prediction(model, TIMES["months"][N - 1 :]).mean, LINE[N - 1 :], atol=2.0)


@pytest.mark.slow
@pytest.mark.parametrize("times", [TIMES["days"], TIMES["whole numbers"]], ids=["days", "whole numbers"])
def test_columns_act_where_they_are_planned(times: Any) -> None:
    columns = pd.DataFrame({0: np.arange(N + 2) % 3 == 0, "shop": np.where(np.arange(N + 2) % 2, "a", "b")})
    values = pd.Series(LINE + NOISE + 40.0 * columns[0], name="shop")  # named as a column is
    model = fitted(QUICK, times[:N], values[:N], columns[:N])
    assert there(model.dataset_.covariates).names == ("0", "shop")
    assert model.dataset_.target == "shop_"
    made = for_prediction(model, times[N:], pd.DataFrame({0: [True, False], "shop": ["a", "b"]}))
    np.testing.assert_allclose(made.mean, LINE[N:] + np.array([40.0, 0.0]), atol=4.0)
    frame = for_update(
        model, times[N:], LINE[N:] + np.array([40.0, 0.0]), pd.DataFrame({0: [True, False], "shop": ["a", "b"]})
    )
    assert model.update(frame, "shop_").rows == 2


def test_options_of_the_target_reach_the_reading() -> None:
    options = TargetOptions(holidays={"fair": ["2020-01-09", "2020-01-21"]})
    estimator = AutomaticStatistician("linear", max_depth=1, n_restarts=1, n_jobs=1, target_options=options)
    model = fitted(estimator, TIMES["days"][:N], LINE[:N] + NOISE[:N])
    assert model.dataset_.covariates is not None


@pytest.mark.slow
def test_the_estimator_is_not_changed() -> None:
    fitted(QUICK, TIMES["days"][:N], LINE[:N])
    assert not hasattr(QUICK, "model_")
    assert unfitted(QUICK).get_params() == QUICK.get_params()


def test_too_few_values_are_refused() -> None:
    with pytest.raises(InputError, match="at least 3 rows"):
        fitted(QUICK, TIMES["days"][:4], [1.0, np.nan, 2.0, np.nan])


@pytest.mark.parametrize(("levels", "most"), [([0.0], 1.0), ([0.5, 1.0], 1.0), ([100.0], 100.0), ([np.nan], 1.0)])
def test_levels_beyond_their_ends_are_refused(levels: list[float], most: float) -> None:
    with pytest.raises(InputError, match="levels between 0 and"):
        check_levels(levels, most)
