"""Columns beside counts: their effects beside those of a plain Poisson regression, at usual values, ahead, in files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from autostatistician import AutomaticStatistician, TargetOptions
from autostatistician.data.dataset import counted

QUICK = {"language": "linear", "max_depth": 1, "n_restarts": 2, "n_jobs": 1}
N, AHEAD = 100, 10


def table(seed: int = 0, rate: float = 8.0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    months = np.arange(N + AHEAD)
    rain, other = (rng.random(N + AHEAD) < 0.3).astype(float), rng.normal(size=N + AHEAD)
    cars = rng.uniform(50.0, 150.0, N + AHEAD).round(1)
    log_rate = np.log(rate) + 0.2 * np.sin(2.0 * np.pi * months / 12.0) + 0.6 * rain
    trains = rng.integers(40, 90, N + AHEAD)
    return pd.DataFrame({
        "month": pd.date_range("2012-01-01", periods=N + AHEAD, freq="MS"), "sold": rng.poisson(np.exp(log_rate)),
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


@pytest.fixture(scope="module")
def model() -> AutomaticStatistician:
    return AutomaticStatistician(**QUICK).fit(table().iloc[:N][["month", "sold", "rain", "other"]], "sold")


@pytest.mark.slow
def test_effects_are_those_of_a_regression_and_others_say_nothing(model: AutomaticStatistician) -> None:
    made, given = model.model_, table().iloc[:N]
    assert made.counted is not None
    assert made.effects is not None
    assert made.effects.acting == ("rain",)
    assert made.effects.probabilities["other"] < 0.3
    added = made.effects.mean_added(made.dataset.x)
    effect = float(added[given["rain"] == 1.0].mean() - added[given["rain"] == 0.0].mean())
    assert effect == pytest.approx(regression(given["sold"].to_numpy(), given["rain"].to_numpy()), abs=0.06)


def test_the_model_is_of_usual_values_and_keeps_the_counts(model: AutomaticStatistician) -> None:
    data, sold = model.model_.dataset, table()["sold"].to_numpy()[:N]
    assert counted(data).y.tolist() == sold.tolist()
    assert model.model_.observed == pytest.approx(sold)
    rainy = table()["rain"].to_numpy()[:N] == 1.0
    assert (data.y[rainy & (sold > 0)] < 0.75 * sold[rainy & (sold > 0)]).all()


def test_forecasts_follow_a_plan_and_are_whole(model: AutomaticStatistician, tmp_path: Path) -> None:
    plan = table().iloc[N:]
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
    update = grown.update(table().iloc[N:])
    assert update.rows == AHEAD
    assert update.inside >= AHEAD - 2
    assert grown.model_.observed == pytest.approx(table()["sold"].to_numpy())
    assert grown.model_.effects is not None
    assert grown.model_.effects.acting == ("rain",)


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
    made = AutomaticStatistician(**QUICK, target_options=options).fit(given.iloc[:N][columns], target)
    effects = made.model_.effects
    assert effects is not None
    assert effects.acting == ("rain",)
    x = made.model_.dataset.x
    draws = effects.added_by("rain", x[given["rain"].to_numpy()[:N] == 1.0][:1])[:, 0]
    assert abs(draws.mean() - effect) < 3.5 * draws.std() < 0.6
    plan = given.iloc[N:][["month", "rain", "other", *beside]]
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
