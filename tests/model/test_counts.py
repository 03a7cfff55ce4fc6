"""Models of counts: what a search finds, forecasts, files, new rows."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from autostatistician import AutomaticStatistician, TargetOptions
from autostatistician.data.dataset import Dataset
from autostatistician.data.times.axes import Axis
from autostatistician.errors import InputError
from autostatistician.inference.likelihoods.hurdle import Hurdle
from autostatistician.inference.likelihoods.negative_binomial import NegativeBinomial
from autostatistician.inference.likelihoods.poisson import Poisson
from autostatistician.inference.predictive import CountPredictive
from autostatistician.language.kernel import leaf
from autostatistician.model.counts import pseudo_targets
from autostatistician.model.fitted import Model
from autostatistician.model.storage import from_json, to_json
from autostatistician.search.state import Watched

N = 60
MONTHS = pd.date_range("2017-01-01", periods=N, freq="MS")
RATE = 2.5 * np.exp(0.9 * np.sin(2.0 * np.pi * np.arange(N) / 12.0))
FRAME = pd.DataFrame({"month": MONTHS, "cases": np.random.default_rng(5).poisson(RATE)})
QUICK = {"max_depth": 1, "n_restarts": 2, "n_jobs": 1}


@pytest.fixture(scope="module")
def fitted() -> AutomaticStatistician:
    return AutomaticStatistician(**QUICK).fit(FRAME, "cases")


@pytest.mark.slow
def test_counts_are_chosen_and_their_season_is_found(fitted: AutomaticStatistician) -> None:
    assert isinstance(fitted.model_.likelihood, Poisson)
    assert "Per" in str(fitted.kernel_)
    assert fitted.model_.choice.gain is not None


def test_forecasts_are_whole_numbers_that_are_possible(fitted: AutomaticStatistician) -> None:
    ahead = fitted.forecast(12)
    for name in ("lower", "upper"):
        assert (ahead[name] == ahead[name].round()).all()
    assert (ahead["lower"] >= 0.0).all()
    assert (ahead["mean"] > 0.0).all()
    next_rate = 2.5 * np.exp(0.9 * np.sin(2.0 * np.pi * np.arange(N, N + 12) / 12.0))
    assert np.abs(np.log(ahead["mean"] / next_rate)).max() < 0.7
    made = fitted.predictive(FRAME[["month"]])
    assert isinstance(made, CountPredictive)
    assert np.isfinite(made.log_density(FRAME["cases"].to_numpy(dtype=float))).all()


def test_the_rate_is_known_better_than_counts(fitted: AutomaticStatistician) -> None:
    _, of_counts = fitted.predict(FRAME[["month"]], return_std=True)
    mean, of_rate = fitted.predict_signal(FRAME[["month"]], return_std=True)
    assert (of_counts**2 > of_rate**2 + 0.9 * mean).all()
    joint = fitted.predict(FRAME[["month"]].iloc[:5], return_cov=True)[1]
    assert np.sqrt(joint.diagonal()) == pytest.approx(of_counts[:5])


def test_likelihoods_are_those_of_the_counts(fitted: AutomaticStatistician) -> None:
    model = fitted.model_
    best = model.search.best
    assert best.nll == pytest.approx(-(model.posterior.log_evidence + model.log_jacobian), abs=0.05)
    of_truth = -float(np.sum(FRAME["cases"] * np.log(RATE) - RATE))
    assert best.nll > of_truth  # which knew the rate


def test_a_file_keeps_a_model_of_counts(fitted: AutomaticStatistician, tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    fitted.save(path)
    assert json.loads(path.read_text())["likelihood"] == {"name": "poisson"}
    loaded = AutomaticStatistician.load(path)
    pd.testing.assert_frame_equal(loaded.forecast(6), fitted.forecast(6))
    again = to_json(from_json(to_json(fitted.model_)))
    assert again == to_json(fitted.model_)
    spoilt = to_json(fitted.model_)
    spoilt["dataset"]["y"][3] = 1.5
    with pytest.raises(InputError):
        from_json(spoilt)


def test_new_counts_are_taken_in(fitted: AutomaticStatistician, tmp_path: Path) -> None:
    fitted.save(tmp_path / "model.json")
    model = AutomaticStatistician.load(tmp_path / "model.json")
    times = pd.date_range("2022-01-01", periods=6, freq="MS")
    usual = pd.DataFrame({"month": times, "cases": [3, 4, 6, 6, 5, 3]})
    news = model.update(usual)
    assert news.rows == 6
    assert not news.surprising
    assert model.dataset_.n == N + 6
    more = pd.DataFrame({"month": pd.date_range("2022-07-01", periods=3, freq="MS"), "cases": [60, 80, 70]})
    assert model.update(more).surprising
    with pytest.raises(InputError, match="counts: whole numbers from zero"):
        model.update(pd.DataFrame({"month": pd.date_range("2022-10-01", periods=1, freq="MS"), "cases": [0.5]}))


def test_a_report_tells_counts(fitted: AutomaticStatistician, tmp_path: Path) -> None:
    text = fitted.report(tmp_path / "counts.md").read_text()
    assert "are taken as counts about a rate (Poisson), because that makes them more probable" in text
    assert fitted.result()["likelihood"] == "poisson"
    assert "Values below 0" not in text or "The chance of a value of 0 is" in text


@pytest.mark.slow
def test_another_likelihood_is_taken_where_it_is_asked_for() -> None:
    asked = TargetOptions(likelihood="gaussian")
    normal = AutomaticStatistician("linear", **QUICK, target_options=asked).fit(FRAME, "cases")
    assert not isinstance(normal.model_.likelihood, Poisson)
    with pytest.raises(InputError, match="likelihood among"):
        AutomaticStatistician(**QUICK, target_options=TargetOptions(likelihood="binomial")).fit(FRAME, "cases")


def test_pseudo_targets_stand_for_the_counts() -> None:
    y = FRAME["cases"].to_numpy(dtype=float)
    data = Dataset(np.arange(float(N))[:, None], y, ("x",), "cases", Axis("x", "", "", 1.0))
    likelihood = Poisson(replace(Poisson().transform, name="log", scale=2.5, shift=3.0, least=0.5))
    targets = pseudo_targets(data, likelihood, leaf("C", sd=3.0) + leaf("WN", sd=0.5))
    assert targets.data.counts is not None
    assert targets.data.noise is not None
    assert targets.data.counts.tolist() == y.tolist()
    assert np.corrcoef(targets.data.y, y)[0, 1] > 0.9


@pytest.mark.slow
def test_every_level_is_heard_of_in_the_terms_of_the_counts(tmp_path: Path) -> None:
    heard: list[Watched] = []
    path = tmp_path / "levels.json"
    model = AutomaticStatistician(**QUICK).fit(FRAME, "cases", callback=heard.append, checkpoint=path)
    assert heard
    assert heard[-1].transform == model.transform_
    assert heard[-1].nll == pytest.approx(model.model_.search.best.nll, abs=10.0)
    so_far = Model.so_far(model.dataset_, "extended", heard[-1])
    assert np.isfinite(so_far.posterior.signal()[0]).all()
    assert not np.isinf([step.nll for step in model.model_.search.trace]).any()


@pytest.mark.slow
def test_zeros_with_a_chance_of_their_own_are_modelled_kept_and_told(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    frame = FRAME.assign(cases=np.where(rng.random(N) < 0.6, 0, 1 + rng.poisson(RATE)))
    options = TargetOptions(likelihood="hurdle")
    model = AutomaticStatistician(**QUICK, target_options=options).fit(frame, "cases")
    law = model.model_.likelihood
    assert isinstance(law, Hurdle)
    ahead = model.predictive(pd.DataFrame({"month": pd.date_range("2022-01-01", periods=6, freq="MS")}))
    assert np.exp(ahead.log_density(np.zeros(6))) == pytest.approx(law.none)
    assert (ahead.mean < model.predict_signal(frame[["month"]]).max()).all()
    model.save(tmp_path / "model.json")
    loaded = AutomaticStatistician.load(tmp_path / "model.json")
    pd.testing.assert_frame_equal(loaded.forecast(6), model.forecast(6))
    text = model.report(tmp_path / "counts.md").read_text()
    assert f"'cases' is 0 with a chance of {100.0 * law.none:.0f}% (between" in text
    news = model.update(
        pd.DataFrame({"month": pd.date_range("2022-01-01", periods=4, freq="MS"), "cases": [0, 4, 0, 0]})
    )
    assert not news.surprising
    with pytest.raises(InputError, match="a series of counts without an exposure"):
        AutomaticStatistician(**QUICK, target_options=replace(options, exposure="at risk")).fit(
            frame.assign(**{"at risk": 10.0}), "cases"
        )


@pytest.mark.slow
def test_counts_of_rates_that_scatter_are_modelled_kept_and_told(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    frame = FRAME.assign(cases=rng.poisson(3.0 * RATE * rng.gamma(1.0, 1.0, N)))
    options = TargetOptions(likelihood="negative-binomial")
    model = AutomaticStatistician(**QUICK, target_options=options).fit(frame, "cases")
    law = model.model_.likelihood
    assert isinstance(law, NegativeBinomial)
    assert law.dispersion == pytest.approx(1.0, rel=0.5)
    _, sd = model.predict(frame[["month"]], return_std=True)
    rate, of_rate = model.predict_signal(frame[["month"]], return_std=True)
    assert (sd**2 > of_rate**2 + rate + 0.9 * law.dispersion * rate**2).all()
    model.save(tmp_path / "model.json")
    assert json.loads((tmp_path / "model.json").read_text())["likelihood"] == {
        "name": "negative-binomial", "dispersion": law.dispersion
    }  # fmt: skip
    loaded = AutomaticStatistician.load(tmp_path / "model.json")
    pd.testing.assert_frame_equal(loaded.forecast(6), model.forecast(6))
    text = model.report(tmp_path / "counts.md").read_text()
    assert "counts about a rate that itself scatters (negative binomial), as was asked for" in text
    news = model.update(pd.DataFrame({"month": pd.date_range("2022-01-01", periods=3, freq="MS"), "cases": [9, 4, 12]}))
    assert not news.surprising
