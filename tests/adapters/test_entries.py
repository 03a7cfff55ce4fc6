"""Quantiles of many series at once.

The page on other libraries keeps its word: its examples run.
"""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from autostatistician import AutomaticStatistician, TargetOptions
from autostatistician.adapters.entries import predict_quantiles
from autostatistician.errors import InputError

PLAIN = TargetOptions("none", outliers="keep")  # nothing is chosen before the search
QUICK = AutomaticStatistician("linear", max_depth=1, n_restarts=1, n_jobs=1, target_options=PLAIN)
N = 30
LINE = 10.0 + 2.0 * np.arange(N + 2.0)
NOISY = LINE + np.random.default_rng(0).normal(size=N + 2)
START = pd.Period("2020-01", "M")


def test_quantiles_and_means_of_a_generator_of_series() -> None:
    entries = ({"start": START, "target": NOISY[:N] + shift} for shift in (0.0, 100.0))
    quantiles, mean = predict_quantiles(entries, 2, [0.1, 0.5, 0.9], estimator=QUICK)
    assert quantiles.shape == (2, 2, 3)
    assert np.all(np.diff(quantiles, axis=2) > 0.0)
    np.testing.assert_allclose(mean, [LINE[N:], LINE[N:] + 100.0], atol=2.0)


def test_the_numbers_are_those_of_the_estimator() -> None:
    dates = pd.date_range(START.to_timestamp(), periods=N, freq="MS")
    ours = clone(QUICK).fit(dates, NOISY[:N]).forecast(2)
    entry = {"start": START, "target": NOISY[:N]}
    quantiles, mean = predict_quantiles([entry], 2, [0.025, 0.975], estimator=QUICK)
    np.testing.assert_allclose(mean[0], ours["mean"], rtol=1e-9)
    np.testing.assert_allclose(quantiles[0], ours[["lower", "upper"]], rtol=1e-9)


@pytest.mark.parametrize(
    ("times", "freq"),
    [
        ({"timestamp": pd.date_range("2020-01-01", periods=N, freq="MS")}, None),
        ({"timestamp": pd.date_range("2020-01-31", periods=N, freq="ME").to_numpy()}, None),
        ({"timestamp": pd.date_range("2020-01-06", periods=N, freq="15min")}, None),
        (
            {
                "timestamp": pd.date_range("2020-01-01", periods=N, freq="D")
                .delete(7)
                .append(pd.DatetimeIndex(["2020-01-31"]))
            },
            "D",
        ),
        ({"start": "2020-01"}, "M"),
        ({"start": pd.Timestamp("2020-01-06")}, "W-SUN"),
        ({"start": pd.Period("2020Q1", "Q")}, None),
    ],
)
def test_times_may_be_written_in_any_of_these_ways(times: dict[str, Any], freq: str | None) -> None:
    mean = predict_quantiles([{**times, "target": NOISY[:N]}], 2, [0.5], freq=freq, estimator=QUICK)[1]
    np.testing.assert_allclose(mean[0], LINE[N:], atol=4.0)


def test_missing_values_at_the_end_are_passed_over() -> None:
    target = NOISY[:N].copy()
    target[-2:] = np.nan
    mean = predict_quantiles([{"start": START, "target": target}], 2, [0.5], estimator=QUICK)[1]
    np.testing.assert_allclose(mean[0], LINE[N:], atol=2.0)


@pytest.mark.slow
def test_columns_that_are_known_act_in_the_future() -> None:
    promo = np.concatenate([np.arange(N) % 3 == 0, [True, False]]).astype(float)
    entry = {"start": START, "target": NOISY[:N] + 40.0 * promo[:N], "feat_dynamic_real": promo[None]}
    mean = predict_quantiles([entry], 2, [0.5], estimator=QUICK)[1]
    np.testing.assert_allclose(mean[0], LINE[N:] + np.array([40.0, 0.0]), atol=4.0)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"start": START, "target": [1.0, 2.0]}, "at least 3 rows"),
        ({"start": START, "target": [[1.0, 2.0, 3.0]]}, r"a target of shape \(n,\)"),
        ({"start": "2020-01", "target": NOISY}, "a start as pandas.Period, or freq"),
        (
            {"timestamp": pd.DatetimeIndex(["2020-01-01", "2020-01-03", "2020-01-04"]), "target": [1.0, 2.0, 4.0]},
            "equal steps",
        ),
        ({"start": START, "target": NOISY, "feat_dynamic_real": [NOISY]}, "34 values in each row"),
        ({"target": NOISY}, "start or timestamp"),
        ({"start": START}, "a target"),
    ],
)
def test_what_cannot_be_forecast_is_named(entry: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=f"series shop/7: .*{message}"):
        predict_quantiles([{**entry, "item_id": "shop/7"}], 2, [0.5], estimator=QUICK)


def test_no_series_give_empty_arrays() -> None:
    quantiles, mean = predict_quantiles([], 3, [0.1, 0.9])
    assert (quantiles.shape, mean.shape) == ((0, 3, 2), (0, 3))


def test_levels_are_checked() -> None:
    with pytest.raises(InputError, match="levels between 0 and 1"):
        predict_quantiles([{"start": START, "target": NOISY}], 2, [50.0], estimator=QUICK)


PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "other-libraries.md"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of the libraries
def test_the_examples_run(capsys: pytest.CaptureFixture[str]) -> None:
    for package in ("sktime", "statsforecast", "gluonts"):
        pytest.importorskip(package, reason=f"needs {package} (extra {package!r})")
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert len(blocks) == 4
    exec(compile("\n".join(blocks), PAGE.name, "exec"), {"__name__": "__main__"})
    shown = capsys.readouterr().out
    assert "1961-12" in shown
    assert "(1, 12, 3) (1, 12)" in shown
