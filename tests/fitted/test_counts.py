"""Models of counts: what a search finds, forecasts, files, new rows."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from tests.saved_models.models import kept
from tests.there import there

from autostatistician import AutomaticStatistician, TargetOptions
from autostatistician.data.dataset import Dataset, counted
from autostatistician.data.times.axes import Axis
from autostatistician.errors import InputError
from autostatistician.fitted.counts import pseudo_targets
from autostatistician.fitted.model import Model
from autostatistician.fitted.storage import from_json, to_json
from autostatistician.gp.count_likelihoods import Hurdle, NegativeBinomial, Poisson
from autostatistician.gp.counts import CountPredictive
from autostatistician.kernels.kernel import leaf
from autostatistician.search.state import Watched

LINEAR = {"language": "linear", "max_depth": 1, "n_restarts": 2, "n_jobs": 1}
ROWS, AHEAD = 100, 10


def table(seed: int = 0, rate: float = 8.0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    months = np.arange(ROWS + AHEAD)
    rain, other = ((rng.random(ROWS + AHEAD) < 0.3).astype(float), rng.normal(size=ROWS + AHEAD))
    cars = rng.uniform(50.0, 150.0, ROWS + AHEAD).round(1)
    log_rate = np.log(rate) + 0.2 * np.sin(2.0 * np.pi * months / 12.0) + 0.6 * rain
    trains = rng.integers(40, 90, ROWS + AHEAD)
    return pd.DataFrame({
        "month": pd.date_range("2012-01-01", periods=ROWS + AHEAD, freq="MS"),
        "sold": rng.poisson(np.exp(log_rate)),
        "accidents": rng.poisson(0.01 * cars * np.exp(log_rate)), "cars": cars,
        "late": rng.binomial(trains, 1.0 / (1.0 + np.exp(1.8 - 0.8 * rain))), "trains": trains,
        "rain": rain, "other": other,
    })  # fmt: skip


def regression(y: np.ndarray, rain: np.ndarray) -> float:
    """The effect by a Poisson regression on a season and the column, by Newton's method."""
    months = np.arange(len(y))
    waves = (np.sin(2.0 * np.pi * months / 12.0), np.cos(2.0 * np.pi * months / 12.0))
    X, b = np.column_stack([np.ones(len(y)), *waves, rain]), np.array([np.log(y.mean()), 0.0, 0.0, 0.0])
    for _ in range(20):
        mean = np.exp(X @ b)
        b = b + np.linalg.solve(X.T @ (mean[:, None] * X), X.T @ (y - mean))
    return float(b[3])


@kept("rain")
def model() -> AutomaticStatistician:
    return AutomaticStatistician(**LINEAR).fit(table().iloc[:ROWS][["month", "sold", "rain", "other"]], "sold")


@pytest.mark.slow
def test_effects_are_those_of_a_regression_and_others_say_nothing(model: AutomaticStatistician) -> None:
    made, given = model.model_, table().iloc[:ROWS]
    assert made.counted is not None
    assert made.effects is not None
    assert made.effects.acting == ("rain",)
    assert made.effects.probabilities["other"] < 0.3
    added = made.effects.mean_added(made.dataset.x)
    effect = float(added[given["rain"] == 1.0].mean() - added[given["rain"] == 0.0].mean())
    assert effect == pytest.approx(regression(given["sold"].to_numpy(), given["rain"].to_numpy()), abs=0.06)


@pytest.mark.slow
def test_the_model_is_of_usual_values_and_keeps_the_counts(model: AutomaticStatistician) -> None:
    data, sold = model.model_.dataset, table()["sold"].to_numpy()[:ROWS]
    assert counted(data).y.tolist() == sold.tolist()
    assert model.model_.observed == pytest.approx(sold)
    rainy = table()["rain"].to_numpy()[:ROWS] == 1.0
    assert (data.y[rainy & (sold > 0)] < 0.75 * sold[rainy & (sold > 0)]).all()


def test_forecasts_follow_a_plan_and_are_whole(model: AutomaticStatistician, tmp_path: Path) -> None:
    plan = table().iloc[ROWS:]
    made = model.forecast(future=plan[["month", "rain", "other"]])
    rain = plan["rain"].to_numpy() == 1.0
    assert made["mean"][rain].min() > 1.3 * made["mean"][~rain].max()
    assert (made["upper"] == made["upper"].round()).all()
    model.save(tmp_path / "model.json")
    again = AutomaticStatistician.load(tmp_path / "model.json").forecast(future=plan[["month", "rain", "other"]])
    np.testing.assert_allclose(again["mean"], made["mean"])
    assert model.what_if({"rain": 0}, future=plan).total[0] < 0.0


def test_new_rows_are_taken_with_their_columns(model: AutomaticStatistician, tmp_path: Path) -> None:
    model.save(tmp_path / "model.json")
    grown = AutomaticStatistician.load(tmp_path / "model.json")
    update = grown.update(table().iloc[ROWS:])
    assert update.rows == AHEAD
    assert update.inside >= AHEAD - 2
    assert grown.model_.observed == pytest.approx(table()["sold"].to_numpy())
    assert there(grown.model_.effects).acting == ("rain",)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "options", "effect"),
    [
        ("accidents", TargetOptions(exposure="cars"), 0.6),
        ("late", TargetOptions(totals="trains"), 0.8),
        ("sold", TargetOptions(likelihood="negative-binomial"), 0.6),
    ],
)
def test_columns_beside_exposures_totals_and_other_laws(target: str, options: TargetOptions, effect: float) -> None:
    given = table(1)
    beside = [name for name in ("cars", "trains") if name in (options.exposure, options.totals)]
    columns = ["month", target, "rain", "other", *beside]
    made = AutomaticStatistician(**LINEAR, target_options=options).fit(given.iloc[:ROWS][columns], target)
    effects = there(made.model_.effects)
    assert effects.acting == ("rain",)
    x = made.model_.dataset.x
    draws = effects.added_by("rain", x[given["rain"].to_numpy()[:ROWS] == 1.0][:1])[:, 0]
    assert abs(draws.mean() - effect) < 3.5 * draws.std() < 0.6
    plan = given.iloc[ROWS:][["month", "rain", "other", *beside]]
    ahead = made.forecast(future=plan)
    assert ahead.attrs["notes"] == []
    rain = plan["rain"].to_numpy() == 1.0
    assert ahead["mean"][rain].mean() > 1.3 * ahead["mean"][~rain].mean()
    if beside:
        (note, *_) = made.forecast(2).attrs["notes"]
        assert note.startswith(f"Without a plan for '{beside[0]}'")


def test_means_of_several_counts_have_chance_of_each_alone(model: AutomaticStatistician) -> None:
    predictor = model._predictor()
    x = model.model_.dataset.axis.future(model.model_.last, 30)[:, None]  # type: ignore[union-attr]
    mean, cov = predictor.joint(x)
    assert np.sqrt(cov.diagonal()) == pytest.approx(predictor.predictive(x).std, rel=1e-6)
    apart = cov - np.diag(cov.diagonal())
    _, rates = predictor.joint(x, signal=True)
    assert np.abs(apart).max() < 1.5 * rates.diagonal().max()
    assert mean.min() > 0.0


N = 60
MONTHS = pd.date_range("2017-01-01", periods=N, freq="MS")
RATE = 2.5 * np.exp(0.9 * np.sin(2.0 * np.pi * np.arange(N) / 12.0))
FRAME = pd.DataFrame({"month": MONTHS, "cases": np.random.default_rng(5).poisson(RATE)})
QUICK = {"max_depth": 1, "n_restarts": 2, "n_jobs": 1}


@kept("cases")
def fitted() -> AutomaticStatistician:
    return AutomaticStatistician(**QUICK).fit(FRAME, "cases")


@pytest.mark.slow
def test_counts_are_chosen_and_their_season_is_found(fitted: AutomaticStatistician) -> None:
    assert isinstance(fitted.model_.likelihood, Poisson)
    assert "Per" in str(fitted.kernel_)
    assert fitted.model_.choice.gain is not None


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_report_tells_counts(fitted: AutomaticStatistician, tmp_path: Path) -> None:
    text = fitted.report(tmp_path / "counts.md").read_text()
    assert "are taken as counts about a rate (Poisson), because that makes them more probable" in text
    assert fitted.to_dict()["likelihood"] == "poisson"
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
    assert targets.data.noise is not None
    assert there(targets.data.counts).tolist() == y.tolist()
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
