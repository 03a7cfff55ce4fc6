"""An estimator says why a series changed."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
from tests.promoted import fitted

from autostatistician import AutomaticStatistician, TargetOptions, split_by_period
from autostatistician.errors import InputError

pytestmark = pytest.mark.as_for_users
TIMES = np.arange(60.0)
DATES = pd.date_range("2019-01-01", periods=60, freq="MS")
SALES = 100.0 + 0.2 * TIMES + 8.0 * np.sin(2 * np.pi * TIMES / 12) + np.random.default_rng(0).normal(size=60)


@cache
def _fitted(log: bool = False) -> AutomaticStatistician:
    options = TargetOptions(transform="log" if log else "none")
    model = AutomaticStatistician(language="se", max_depth=1, n_jobs=1, target_options=options)
    sales = np.exp(0.05 * SALES) if log else SALES
    return model.fit(pd.DataFrame({"month": DATES, "sales": sales}), "sales")


def test_a_year_that_the_model_has_no_cycle_for_is_found() -> None:
    parts = _fitted().seasonal_decompose(period="year")
    truth = 32.0 / (32.0 + 0.04 * 60**2 / 12)
    assert parts.lower - 0.05 < truth < parts.upper + 0.05
    assert parts.lower > 2.0 * parts.expected
    assert parts.curves["time"].tolist() == DATES.tolist()
    whole = parts.curves["cycle"] + parts.curves["rest"]
    np.testing.assert_allclose(whole, _fitted().predict_signal(pd.DataFrame({"month": DATES})), atol=0.5)
    np.testing.assert_allclose(parts.curves["cycle"][12:], parts.curves["cycle"][:-12], atol=1e-8)
    assert _fitted().seasonal_decompose(period=1.0).share == parts.share  # the axis of months is in years


def test_it_is_the_split_of_the_model_with_wider_bands() -> None:
    model = _fitted().model_
    found, held = (
        _fitted().seasonal_decompose(period="year"),
        split_by_period(model.kernel, model.problem.X, model.problem.y, 1.0),
    )
    np.testing.assert_allclose(found.curves["cycle"], held.cycle.mean, atol=1e-9)
    assert found.expected == held.expected
    wide, narrow = found.curves["cycle_upper"] - found.curves["cycle"], held.cycle.upper - held.cycle.mean
    assert wide.mean() > 1.005 * narrow.mean()


def test_of_a_part_by_its_number() -> None:
    first = _fitted().seasonal_decompose(period="year", part=1)
    assert first.share == _fitted().seasonal_decompose(period="year").share  # the only one that is no noise
    with pytest.raises(InputError, match="no noise"):
        _fitted().seasonal_decompose(period="year", part=2)
    with pytest.raises(InputError, match="a part from 1 to 2"):
        _fitted().seasonal_decompose(period="year", part=3)


@pytest.mark.slow
def test_on_a_logarithmic_scale_about_the_typical_level() -> None:
    parts = _fitted(log=True).seasonal_decompose(period="year")
    assert parts.scale == "log"
    assert parts.curves["rest"].mean() == pytest.approx(0.0, abs=0.2)


def test_what_has_no_period_says_so() -> None:
    with pytest.raises(InputError, match="one of year, quarter"):
        _fitted().seasonal_decompose(period="fortnight")
    with pytest.raises(InputError, match="a period from"):
        _fitted().seasonal_decompose(period=4.0)
    table = AutomaticStatistician(language="linear", max_depth=1, n_restarts=2, n_jobs=1)
    table.fit(np.random.default_rng(0).normal(size=(30, 2)), np.arange(30.0))
    with pytest.raises(InputError, match="a series of numbers"):
        table.seasonal_decompose(period=1.0)


MONTHS = pd.date_range("2019-01-01", periods=60, freq="MS")
Y = 50.0 + 0.2 * np.arange(60.0) + np.random.default_rng(1).standard_normal(60)
PLAIN = TargetOptions("none", outliers="keep")  # nothing is chosen before the search
MODEL = AutomaticStatistician(language="linear", max_depth=1, n_restarts=2, n_jobs=1, target_options=PLAIN)


def test_the_effect_with_its_rows_and_sentences() -> None:
    table = pd.DataFrame({"month": MONTHS, "sales": Y + 6.0 * (MONTHS >= "2023-01-01")})
    effect = MODEL.impact(table, "sales", since="2023")
    assert len(effect.rows) == 12
    assert effect.average[0] == pytest.approx(6.0, abs=1.5)
    assert effect.average[1] < effect.average[0] < effect.average[2]
    assert effect.total[0] == pytest.approx(effect.rows["effect"].sum())
    assert effect.is_event
    assert str(effect).startswith("Since January 2023 (12 rows) 'sales' is ")
    assert (effect.rows["effect_lower"] < effect.rows["effect"]).all()
    assert not hasattr(MODEL, "model_")


def test_what_has_no_before_and_after_is_refused() -> None:
    with pytest.raises(InputError, match="a series of numbers in time"):
        MODEL.impact(np.random.default_rng(0).normal(size=(30, 2)), Y[:30], since=3)
    with pytest.raises(InputError, match="before the event"):
        MODEL.impact(pd.DataFrame({"month": MONTHS, "sales": Y}), "sales", since="2019-03-01")


def test_a_change_is_told_with_columns_and_closes() -> None:
    change = fitted().explain(at="2025-01", against="2024-01")
    assert (len(change.at), len(change.against)) == (4, 5)
    assert change.scale == "none"
    assert change.difference == pytest.approx(change.values[0] - change.values[1])
    assert sum(part.mean for part in change.parts) == pytest.approx(change.difference)
    assert [part.kind for part in change.parts] == ["part", "column", "column", "chance"]
    assert str(change).startswith("'sales': January 2025 (")
    assert all(part.lower <= part.mean <= part.upper for part in change.parts)
    assert len(change.sentences) == 5


def test_a_series_without_columns_on_a_logarithmic_scale() -> None:
    x = np.arange(30.0)
    y = np.exp(0.1 * x + 0.02 * np.random.default_rng(1).normal(size=30))
    model = AutomaticStatistician(language="linear", max_depth=1, n_restarts=2, n_jobs=1, criterion="evidence")
    model.set_params(target_options=None).fit(x[:, None], y)
    change = model.explain(at=20, against=10)
    assert sum(part.mean for part in change.parts) == pytest.approx(change.difference)
    ratio = y[20] / y[10]
    assert change.difference == pytest.approx(np.log(ratio) if change.scale == "log" else y[20] - y[10])


def test_times_that_are_not_there_are_named() -> None:
    with pytest.raises(InputError, match="the nearest row is 2024-01-01"):
        fitted().explain(at="2023-05-01", against="2024-01-01")
