"""Counts by an exposure through fit, forecast, files, new rows and report."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from autostatistician import AutomaticStatistician, TargetOptions
from autostatistician.errors import InputError
from autostatistician.inference.likelihoods.binomial import Binomial
from autostatistician.inference.likelihoods.poisson import Poisson

N = 72
MONTHS = np.arange(N + 6)
RNG = np.random.default_rng(0)
CARS = np.round(2000.0 * np.exp(0.02 * MONTHS + 0.3 * RNG.standard_normal(N + 6)))
RATE = 0.004 * np.exp(0.6 * np.sin(2.0 * np.pi * MONTHS / 12.0))
FRAME = pd.DataFrame({
    "month": pd.date_range("2014-01-01", periods=N + 6, freq="MS"), "deaths": RNG.poisson(RATE * CARS), "cars": CARS,
})  # fmt: skip
PAST, AHEAD = FRAME.iloc[:N], FRAME.iloc[N:]


@pytest.fixture(scope="module")
def fitted() -> AutomaticStatistician:
    options = TargetOptions(exposure="cars")
    return AutomaticStatistician(max_depth=1, n_restarts=2, n_jobs=1, target_options=options).fit(PAST, "deaths")


@pytest.mark.slow
def test_rates_are_modelled_and_their_trend_is_not_that_of_the_exposure(fitted: AutomaticStatistician) -> None:
    assert isinstance(fitted.model_.likelihood, Poisson)
    assert "Per" in str(fitted.kernel_)
    rate = fitted.predict_signal(FRAME[["month"]])
    assert np.abs(np.log(rate / (1000.0 * RATE))).mean() < 0.15


def test_ranges_are_those_of_counts_in_what_is_planned(fitted: AutomaticStatistician) -> None:
    plan = AHEAD[["month", "cars"]]
    ahead = fitted.forecast(future=plan)
    assert ahead["cars"].tolist() == AHEAD["cars"].tolist()
    for name in ("lower", "upper"):
        counts = ahead[name] * ahead["cars"] / 1000.0
        assert counts.to_numpy() == pytest.approx(np.round(counts), abs=1e-6)
    ten = fitted.forecast(future=plan.assign(cars=10.0 * plan["cars"]))
    assert (ten["std"] < ahead["std"]).all()
    assert ten["mean"].to_numpy() == pytest.approx(ahead["mean"].to_numpy())
    assert fitted.predictive(plan).std == pytest.approx(ahead["std"].to_numpy())
    assert not ahead.attrs["notes"]
    (note,) = fitted.forecast(6).attrs["notes"]
    assert note.startswith("Without a plan for 'cars', it is taken as")


@pytest.mark.parametrize(
    ("plan", "found"),
    [
        (
            AHEAD[["month"]].assign(cars=0.0),
            "a number above zero as exposure in column 'cars' for every row of the plan",
        ),
        (AHEAD[["month"]].assign(cars=[1.0, np.nan, 1.0, 1.0, 1.0, 1.0]), "found none"),
        (AHEAD[["month"]].assign(wagons=1.0), "a plan of any of the columns 'cars'"),
    ],
)
def test_a_plan_without_exposure_is_refused(fitted: AutomaticStatistician, plan: pd.DataFrame, found: str) -> None:
    with pytest.raises(InputError, match=found):
        fitted.forecast(future=plan)


@pytest.mark.slow
def test_files_reports_and_new_rows_know_it(fitted: AutomaticStatistician, tmp_path: Path) -> None:
    fitted.save(tmp_path / "model.json")
    model = AutomaticStatistician.load(tmp_path / "model.json")
    pd.testing.assert_frame_equal(model.forecast(3), fitted.forecast(3))
    text = model.report(tmp_path / "rates.md").read_text()
    assert "Automatic report on 'deaths per 1,000 cars'" in text
    assert "each in as much of 'cars' as its row has" in text
    assert "Without a plan for 'cars'" in text
    news = model.update(AHEAD.iloc[:3])
    assert (news.rows, news.surprising) == (3, False)
    with pytest.raises(InputError, match="a table of new rows with the column 'cars'"):
        model.update(AHEAD[["month"]].iloc[3:], AHEAD["deaths"].iloc[3:])


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
