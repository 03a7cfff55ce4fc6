"""Averaged predictions: mixtures over the models that a search visited."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from autostatistician import AutomaticStatistician, ModelAveraging, TargetOptions
from autostatistician.data.transform import Transform
from autostatistician.inference.predictive.predictive import Predictive
from autostatistician.model.ensemble import backtested, ensemble
from autostatistician.model.predictions import WIDER, chance_of_break

X = np.arange(40.0)[:, None]
Y = 5.0 + np.sin(X[:, 0] / 4.0) + 0.1 * np.random.default_rng(0).normal(size=40)


@pytest.fixture(scope="module")
def model() -> AutomaticStatistician:
    return AutomaticStatistician(
        max_depth=3, n_restarts=3, n_jobs=1, target_options=TargetOptions(transform="none")
    ).fit(X, Y)


def _as_they_are(mean: np.ndarray, cov: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return mean, cov


def test_the_members_share_the_weight(model: AutomaticStatistician) -> None:
    found = ensemble(model.model_)
    assert found.weights.sum() == pytest.approx(1.0)
    assert len(found.members) == len(found.weights) > 1
    means, sds = found.observations(X[:5])
    assert means.shape == sds.shape == (len(found.weights), 5)


def test_predictions_are_the_moments_of_the_mixture(model: AutomaticStatistician) -> None:
    ahead = np.array([[41.0], [60.0]])
    found = ensemble(model.model_)
    means, sds = found.observations(ahead)
    mean, std = model.predict(ahead, return_std=True)
    middle = found.weights @ means
    np.testing.assert_allclose(mean, middle + model.model_.modelled.offset)
    chance = chance_of_break(model.model_.dataset.n)
    after_breaks = 1.0 - chance + chance * WIDER**2
    np.testing.assert_allclose(std, np.sqrt(found.weights @ (after_breaks * sds**2 + (means - middle) ** 2)))
    inside = model.predict_signal(ahead, return_std=True)[1]
    assert (inside < std).all()


def test_without_averaging_the_best_model_predicts_alone(model: AutomaticStatistician) -> None:
    ahead = np.array([[60.0]])
    alone = AutomaticStatistician(average=False)._set_model(model.model_)
    assert alone.predict(ahead)[0] != model.predict(ahead)[0]
    np.testing.assert_allclose(alone.predict(ahead), alone.model_.posterior.observations(ahead)[0])


def test_statements_have_probabilities(model: AutomaticStatistician) -> None:
    found = model.statements()
    assert list(found.columns) == ["text", "probability", "in_best"]
    assert found["probability"].between(0.05, 1.0).all()
    assert found["in_best"].any()


def test_calibrated_bands_are_wider_beyond_the_data_and_the_same_inside(model: AutomaticStatistician) -> None:
    plain = ensemble(model.model_)
    wider = replace(plain, widening=2.0)
    places = np.array([[-3.0], [0.0], [20.0], [39.0], [45.0]])
    factors = np.array([2.0, 1.0, 1.0, 1.0, 2.0])
    for name in ("observations", "signal"):
        narrow, wide = (Predictive(*getattr(one, name)(places), one.weights, Transform()) for one in (plain, wider))
        np.testing.assert_allclose(wide.mean, narrow.mean)
        np.testing.assert_allclose(wide.std, factors * narrow.std)
        moved, before = (one.quantiles((0.025, 0.975)).T - one.mean for one in (wide, narrow))
        np.testing.assert_allclose(moved, factors * before)
    cov = wider.joint(places, Transform(), _as_they_are, signal=False)[1]
    np.testing.assert_allclose(
        cov, np.outer(factors, factors) * plain.joint(places, Transform(), _as_they_are, signal=False)[1]
    )


def test_the_settings_of_averages_take_effect_after_the_fit_and_are_saved(
    model: AutomaticStatistician, tmp_path: Path
) -> None:
    before = model.forecast(3)
    other = AutomaticStatistician()._set_model(model.model_)
    other.set_params(average=ModelAveraging(weights="backtest", calibrate=True))
    tested = backtested(other.model_)
    np.testing.assert_allclose(tested.weights("backtest").sum(), 1.0)
    assert ensemble(other.model_, "backtest", calibrate=True).widening == tested.widening("backtest") >= 1.0
    assert not other.forecast(3).equals(before)
    other.save(tmp_path / "model.json")
    assert AutomaticStatistician.load(tmp_path / "model.json").forecast(3).equals(other.forecast(3))
    assert other.set_params(average=ModelAveraging(weights="criterion", calibrate=False)).forecast(3).equals(before)


def test_with_several_inputs_nothing_is_tested() -> None:
    both = np.column_stack([X[:, 0], np.sin(X[:, 0])])
    model = AutomaticStatistician(
        max_depth=1, n_restarts=2, n_jobs=1, average=ModelAveraging(weights="backtest", calibrate=True)
    ).fit(both, Y)
    assert not backtested(model.model_).candidates
    assert np.isfinite(model.predict(both[:3])).all()


@pytest.mark.slow
def test_a_report_after_a_change_of_settings_shows_the_new_bands() -> None:
    model = AutomaticStatistician(language="interpretable", max_depth=2, n_restarts=2, n_jobs=1)
    x = np.arange(30.0)
    model.fit(x[:, None], 0.1 * x + np.random.default_rng(5).normal(size=30))
    for average in (True, False):
        told = model.set_params(average=average).decomposition(4)
        ahead = model.forecast(4)
        assert told.forecast.upper == pytest.approx(ahead["upper"].to_numpy(), rel=1e-4)
        assert (told.averaged > 1) == average
