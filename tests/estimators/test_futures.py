"""Forecasts with plans, rows with columns, and what if, in the terms of users."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from tests.promoted import AHEAD, PROMOTION, ROWS, fitted, table
from tests.saved_models.models import kept
from tests.there import there

from autostatistician import AutomaticStatistician, TargetOptions
from autostatistician.errors import InputError
from autostatistician.gp.count_likelihoods import Binomial, Poisson

N = 72
MONTHS = np.arange(N + 6)
RNG = np.random.default_rng(0)
CARS = np.round(2000.0 * np.exp(0.02 * MONTHS + 0.3 * RNG.standard_normal(N + 6)))
RATE = 0.004 * np.exp(0.6 * np.sin(2.0 * np.pi * MONTHS / 12.0))

FRAME = pd.DataFrame({
    "month": pd.date_range("2014-01-01", periods=N + 6, freq="MS"), "deaths": RNG.poisson(RATE * CARS), "cars": CARS,
})  # fmt: skip

PAST, LATER = FRAME.iloc[:N], FRAME.iloc[N:]


@kept("exposure")
def rates() -> AutomaticStatistician:
    options = TargetOptions(exposure="cars")
    return AutomaticStatistician(max_depth=1, n_restarts=2, n_jobs=1, target_options=options).fit(PAST, "deaths")


@pytest.mark.slow
def test_rates_are_modelled_and_their_trend_is_not_that_of_the_exposure(rates: AutomaticStatistician) -> None:
    assert isinstance(rates.model_.likelihood, Poisson)
    assert "Per" in str(rates.kernel_)
    rate = rates.predict_signal(FRAME[["month"]])
    assert np.abs(np.log(rate / (1000.0 * RATE))).mean() < 0.15


@pytest.mark.slow
def test_ranges_are_those_of_counts_in_what_is_planned(rates: AutomaticStatistician) -> None:
    plan = LATER[["month", "cars"]]
    ahead = rates.forecast(future=plan)
    assert ahead["cars"].tolist() == LATER["cars"].tolist()
    for name in ("lower", "upper"):
        counts = ahead[name] * ahead["cars"] / 1000.0
        assert counts.to_numpy() == pytest.approx(np.round(counts), abs=1e-6)
    ten = rates.forecast(future=plan.assign(cars=10.0 * plan["cars"]))
    assert (ten["std"] < ahead["std"]).all()
    assert ten["mean"].to_numpy() == pytest.approx(ahead["mean"].to_numpy())
    assert rates.predictive(plan).std == pytest.approx(ahead["std"].to_numpy())
    assert not ahead.attrs["notes"]
    (note,) = rates.forecast(6).attrs["notes"]
    assert note.startswith("Without a plan for 'cars', it is taken as")


@pytest.mark.parametrize(
    ("plan", "found"),
    [
        (
            LATER[["month"]].assign(cars=0.0),
            "a number above zero as exposure in column 'cars' for every row of the plan",
        ),
        (LATER[["month"]].assign(cars=[1.0, np.nan, 1.0, 1.0, 1.0, 1.0]), "found none"),
        (LATER[["month"]].assign(wagons=1.0), "a plan of any of the columns 'cars'"),
    ],
)
def test_a_plan_without_exposure_is_refused(rates: AutomaticStatistician, plan: pd.DataFrame, found: str) -> None:
    with pytest.raises(InputError, match=found):
        rates.forecast(future=plan)


@pytest.mark.slow
def test_files_reports_and_new_rows_know_it(rates: AutomaticStatistician, tmp_path: Path) -> None:
    rates.save(tmp_path / "model.json")
    model = AutomaticStatistician.load(tmp_path / "model.json")
    pd.testing.assert_frame_equal(model.forecast(3), rates.forecast(3))
    text = model.report(tmp_path / "rates.md").read_text()
    assert "Automatic report on 'deaths per 1,000 cars'" in text
    assert "each in as much of 'cars' as its row has" in text
    assert "Without a plan for 'cars'" in text
    news = model.update(LATER.iloc[:3])
    assert (news.rows, news.surprising) == (3, False)
    with pytest.raises(InputError, match="a table of new rows with the column 'cars'"):
        model.update(LATER[["month"]].iloc[3:], LATER["deaths"].iloc[3:])


@pytest.mark.slow
def test_shares_of_totals_stay_between_none_and_all(tmp_path: Path) -> None:
    totals = np.round(20.0 * np.exp(0.3 * np.random.default_rng(1).standard_normal(N + 6)))
    chance = 1.0 / (1.0 + np.exp(-3.0 - np.sin(2.0 * np.pi * MONTHS / 12.0)))
    on_time = np.random.default_rng(2).binomial(totals.astype(int), chance)
    frame = pd.DataFrame({"month": FRAME["month"], "punctual": on_time, "trains": totals})
    options = TargetOptions(totals="trains")
    model = AutomaticStatistician(max_depth=1, n_restarts=2, n_jobs=1, target_options=options)
    model.fit(frame.iloc[:N], "punctual")
    assert isinstance(model.model_.likelihood, Binomial)
    ahead = model.forecast(future=frame.iloc[N:][["month", "trains"]])
    assert (ahead["lower"] >= 0.0).all()
    assert (ahead["upper"] <= 1.0).all()
    parts = ahead["upper"] * ahead["trains"]
    assert parts.to_numpy() == pytest.approx(np.round(parts), abs=1e-6)
    assert model.predict_signal(frame[["month"]]) == pytest.approx(chance, abs=0.08)
    model.save(tmp_path / "model.json")
    loaded = AutomaticStatistician.load(tmp_path / "model.json")
    pd.testing.assert_frame_equal(loaded.forecast(3), model.forecast(3))
    text = loaded.report(tmp_path / "shares.md").read_text()
    assert "taken as parts of totals (binomial), each of as many as its row has in 'trains'" in text
    assert not loaded.update(frame.iloc[N : N + 3]).surprising


def test_totals_are_no_matter_for_counts_about_a_rate() -> None:
    options = TargetOptions(totals="cars", likelihood="poisson")
    with pytest.raises(InputError, match="likelihood 'auto' beside totals; found 'poisson'"):
        AutomaticStatistician(max_depth=1, n_jobs=1, target_options=options).fit(PAST, "deaths")


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
    (note,) = frame.attrs["notes"]
    assert note.startswith("Without a plan for 'promo', values are taken to vary as they did so far")
    assert "Without a plan for 'price', values are taken as in the year before" in note
    assert fitted(True).forecast(3).attrs["notes"] == []
    for model in (fitted(), fitted(True)):  # also where the data have a plan
        np.testing.assert_allclose(model.forecast(3, future="last-year")["mean"], frame["mean"], rtol=1e-9)


def test_of_a_plan_for_several_series_the_rows_of_the_own_one_are_taken() -> None:
    model = clone(fitted())._set_model(fitted().model_)
    dataset = replace(model.model_.dataset, where={"shop": "B"})
    model._set_model(replace(model.model_, dataset=dataset))
    plans = pd.concat([PLAN.assign(shop="A", promo=0, price=9.0), PLAN.assign(shop="B")])
    np.testing.assert_allclose(model.forecast(future=plans)["mean"], fitted().forecast(future=PLAN)["mean"])
    other = model.what_if(plans.assign(promo=1 - plans["promo"]), future=plans)
    expected = fitted().what_if(PLAN.assign(promo=1 - PLAN["promo"]), future=PLAN)
    np.testing.assert_allclose(other.difference["mean"], expected.difference["mean"])


def test_the_forecast_of_a_time_is_that_of_its_rows() -> None:
    model = fitted()
    frame = model.forecast(AHEAD)
    told = model.ask("forecast", at=frame["time"][1])
    (fact,) = told.facts
    mean, low, high = frame.loc[1, ["mean", "lower", "upper"]]
    assert (fact["number"], fact["interval"]) == (pytest.approx(mean), pytest.approx([low, high]))
    assert told.sentences[0].startswith("Without a plan for 'promo'")
    assert "95% range" in told.sentences[-1]


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
    assert there(planned.covariates).fillings == ()
    np.testing.assert_allclose(there(planned.covariates).forecast.mean, model.forecast(future=PLAN)["mean"])
    plain = model.explanation(AHEAD)
    assert [name for name, _ in there(plain.covariates).fillings] == ["promo", "price"]
    assert any(
        "beyond them" in warning for warning in model.report(future=PLAN.assign(price=99.0)).to_dict()["warnings"]
    )
