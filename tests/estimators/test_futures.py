"""Forecasts with plans, rows with columns, and what if, in the terms of users."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from tests.promoted import AHEAD, PROMOTION, ROWS, fitted, table

from autostatistician import AutomaticStatistician
from autostatistician.errors import InputError

PLAN = table()[ROWS:].drop(columns="sales")


@pytest.mark.slow
def test_a_forecast_goes_as_far_as_its_plan_and_follows_it() -> None:
    model = fitted()
    frame = model.forecast(future=PLAN)
    assert len(frame) == AHEAD
    assert frame.attrs["notes"] == []
    np.testing.assert_allclose(frame["mean"], model.predict(PLAN))
    assert len(model.forecast(2, future=PLAN)) == 2
    pd.testing.assert_frame_equal(fitted(True).forecast(AHEAD), frame)


def test_without_a_plan_it_is_said_what_was_assumed() -> None:
    frame = fitted().forecast(3)
    assert frame.attrs["notes"][0].startswith(
        "Without a plan for 'promo', 'price', values are taken as in the year before"
    )
    assert fitted(True).forecast(3).attrs["notes"] == []
    np.testing.assert_array_equal(fitted().forecast(3, future="last-year")["mean"], frame["mean"])


def test_the_forecast_of_a_time_is_that_of_its_rows() -> None:
    model = fitted()
    frame = model.forecast(AHEAD)
    told = model.ask("forecast", at=frame["time"][1])
    (fact,) = told.facts
    mean, low, high = frame.loc[1, ["mean", "lower", "upper"]]
    assert (fact["number"], fact["interval"]) == (pytest.approx(mean), pytest.approx([low, high]))
    assert told.sentences[0].startswith("Without a plan for 'promo'")
    assert "95% range" in told.sentences[-1]
    for at, said in ((None, "a time"), ("2024-01-01", "after the data")):
        with pytest.raises(InputError, match=said):
            model.ask("forecast", at=at)
    with pytest.raises(InputError, match="and 'why' alone"):
        model.ask("trend", at="2025-01-06")


def test_rows_are_predicted_with_the_columns_beside_them() -> None:
    model, rows = fitted(), table()[:ROWS]
    off, on = (model.predict(rows.assign(promo=value)) for value in (0.0, 1.0))
    np.testing.assert_allclose(on - off, PROMOTION, atol=1.0)
    as_it_was = model.predict(rows[["week"]])
    np.testing.assert_allclose(as_it_was, model.predict(rows))
    np.testing.assert_allclose(as_it_was, np.where(rows["promo"] == 1.0, on, off))
    _, cov = model.predict(rows[:3].assign(promo=1.0), return_cov=True)
    assert cov.shape == (3, 3)
    np.testing.assert_allclose(model.predictive(PLAN).mean, model.predict(PLAN))
    np.testing.assert_allclose(model.predict(rows[::-1]), as_it_was[::-1])


def test_two_values_at_one_time_are_refused() -> None:
    rows = pd.concat([PLAN, PLAN.assign(promo=1.0 - PLAN["promo"])])
    with pytest.raises(InputError, match="one value of 'promo' at each time"):
        fitted().predict(rows)
    assert len(fitted().predict(pd.concat([PLAN, PLAN]))) == 2 * AHEAD


def test_what_if_by_values_and_by_another_plan() -> None:
    model = fitted()
    answer = model.what_if({"promo": 1}, 3, future=PLAN.assign(promo=0.0))
    assert answer.average[1] < PROMOTION + 0.5 < answer.average[2] + 1.0
    other = model.what_if(PLAN.assign(promo=1.0), 3, future=PLAN.assign(promo=0.0))
    pd.testing.assert_frame_equal(other.difference, answer.difference)
    assert str(answer).startswith("With 'promo' at 1, 'sales' would be 20")
    assert "other plan" in str(other)
    assert answer.total[0] == pytest.approx(3.0 * answer.average[0])
    assert "extrapolated" in str(model.what_if({"price": 50}, 2))
    assert len(answer.first) == len(answer.second) == 3


def test_what_cannot_be_asked_is_refused() -> None:
    x = np.arange(20.0)[:, None]
    plain = AutomaticStatistician(language="linear", max_depth=1, n_restarts=2, n_jobs=1).fit(
        x, 2.0 * x[:, 0] + x[:, 0] % 3
    )
    for ask in (
        lambda: plain.what_if({"promo": 1}), lambda: plain.forecast(3, future=PLAN), lambda: fitted().forecast(0),
        lambda: fitted().forecast(3, future="no such file.csv"),
    ):  # fmt: skip
        with pytest.raises(InputError):
            ask()


@pytest.mark.slow
def test_a_report_takes_a_plan_as_known_to_its_end() -> None:
    model = fitted()
    planned = model.report(future=PLAN).explanation
    assert planned.covariates is not None
    assert planned.covariates.fillings == ()
    np.testing.assert_allclose(planned.covariates.forecast.mean, model.forecast(future=PLAN)["mean"])
    plain = model.report(horizon=AHEAD).explanation
    assert plain.covariates is not None
    assert [name for name, _ in plain.covariates.fillings] == ["promo", "price"]
    assert any(
        "beyond them" in warning for warning in model.report(future=PLAN.assign(price=99.0)).result()["warnings"]
    )
