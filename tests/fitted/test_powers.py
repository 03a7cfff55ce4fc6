"""Models on the scale of a power: predictions, updates, files, questions."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from autostatistician import AutomaticStatistician, TargetOptions
from autostatistician.data.transform import Transform
from autostatistician.errors import InputError
from autostatistician.search.preprocessing import Choice

N, MORE = 36, 6
DATES = pd.DataFrame({"date": pd.date_range("2015-01-01", periods=N + MORE, freq="MS")})
RNG = np.random.default_rng(1)
G = np.sin(np.arange(N + MORE) * np.pi / 6.0) + 0.25 * RNG.normal(size=N + MORE)
Y = (6.0 + G) ** 3 / 10.0


@pytest.fixture(scope="module")
def model() -> AutomaticStatistician:
    options = TargetOptions("box-cox", "keep")
    return AutomaticStatistician(n_jobs=1, max_depth=1, average=False, target_options=options).fit(DATES[:N], Y[:N])


def test_predictions_are_maps_of_normal_ones(model: AutomaticStatistician) -> None:
    made = model.predictive(DATES[:4])
    low, median, high = made.quantiles((0.025, 0.5, 0.975)).T
    np.testing.assert_allclose(model.transform_.forward(median), made.means[0])
    np.testing.assert_allclose([made.cdf(low), made.cdf(high)], [[0.025] * 4, [0.975] * 4], atol=1e-9)
    draws = model.transform_.back(made.means[0] + made.sds[0] * np.random.default_rng(0).standard_normal((20_000, 1)))
    np.testing.assert_allclose(made.mean, draws.mean(axis=0), rtol=0.05)
    mean, cov = model.predict(DATES[N:], return_cov=True)
    np.testing.assert_allclose(mean, model.predict(DATES[N:]))
    np.testing.assert_allclose(np.sqrt(cov.diagonal()), model.predict(DATES[N:], return_std=True)[1])


def test_likelihoods_are_those_of_the_data(model: AutomaticStatistician) -> None:
    found = model.model_
    on_scale = found.posterior.log_evidence
    assert -found.search.best.nll == pytest.approx(on_scale + found.log_jacobian, abs=1e-6)


def test_a_shape_leaves_sums_or_factors_no_question(model: AutomaticStatistician) -> None:
    """The gain of a shape is not that of a logarithm over the values, or of these over it."""
    shaped = replace(model.model_, choice=replace(model.model_.choice, gain=0.5))
    assert shaped.scale_probability is None
    assert replace(shaped, choice=Choice(Transform(), 0.5)).scale_probability == pytest.approx(
        1.0 / (1.0 + np.exp(-0.25))
    )


def test_a_difference_is_one_of_the_data(model: AutomaticStatistician) -> None:
    change = model.explain(at="2016-03", against="2016-09")
    first, second = Y[[14, 20]]
    assert change.difference == pytest.approx(first - second)
    assert sum(part.mean for part in change.parts) == pytest.approx(first - second)


def test_files_and_new_rows(model: AutomaticStatistician, tmp_path: Path) -> None:
    model.save(tmp_path / "model.json")
    loaded = AutomaticStatistician.load(tmp_path / "model.json")
    assert loaded.transform_ == model.transform_
    surprise = loaded.update(DATES[N:], Y[N:])
    assert surprise.rows == MORE
    anew = loaded.model_
    assert anew.transform == model.transform_
    np.testing.assert_allclose(anew.modelled.y[N:], model.transform_.forward(Y[N:]))
    with pytest.raises(InputError, match="above zero: their power is modelled"):
        loaded.update(DATES[N:].assign(date=pd.date_range("2019-01-01", periods=MORE, freq="MS")), -np.ones(MORE))


def test_the_page_tells_the_scale(model: AutomaticStatistician, tmp_path: Path) -> None:
    text = model.report(tmp_path / "page.md").read_text()
    assert "The model is of a power of 'y' that was learned from the data" in text
    assert " (the power is one)" in text
    scale = next(fact for fact in model.to_dict()["facts"] if fact["fact"] == "ShapedScale")
    assert scale["power"] == pytest.approx(model.transform_.power)
    with pytest.raises(InputError, match="a scale whose shape was learned"):
        model.formula()


@pytest.mark.slow
def test_columns_act_on_the_scale() -> None:
    promo = (np.random.default_rng(2).random(N + MORE) < 0.3).astype(float)
    y = (6.0 + G + 1.5 * promo) ** 2
    frame = DATES.assign(promo=promo)
    options = TargetOptions("box-cox", "keep")
    model = AutomaticStatistician(n_jobs=1, max_depth=1, target_options=options).fit(frame[:N], y[:N])
    answer = model.what_if({"promo": 1}, 3, future=frame[N : N + 3].assign(promo=0.0))
    truth = (6.0 + G[N : N + 3] + 1.5) ** 2 - (6.0 + G[N : N + 3]) ** 2
    assert answer.average[0] == pytest.approx(truth.mean(), rel=0.3)


def test_an_unknown_map_is_refused() -> None:
    with pytest.raises(InputError, match="'box-cox'"):
        AutomaticStatistician(target_options=TargetOptions("boxcox")).fit(DATES[:N], Y[:N])
