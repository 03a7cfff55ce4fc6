"""Averaged predictions: mixtures over the models that a search visited."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician import AutomaticStatistician
from autostatistician.average import ensemble

X = np.arange(40.0)[:, None]
Y = 5.0 + np.sin(X[:, 0] / 4.0) + 0.1 * np.random.default_rng(0).normal(size=40)


@pytest.fixture(scope="module")
def model() -> AutomaticStatistician:
    return AutomaticStatistician(max_depth=3, restarts=3, n_jobs=1).fit(X, Y)


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
    np.testing.assert_allclose(std, np.sqrt(found.weights @ (sds**2 + (means - middle) ** 2)))
    inside = model.predict_signal(ahead, return_std=True)[1]
    assert (inside < std).all()


def test_without_averaging_the_best_model_predicts_alone(model: AutomaticStatistician) -> None:
    ahead = np.array([[60.0]])
    alone = AutomaticStatistician(max_depth=3, restarts=3, n_jobs=1, average=False).fit(X, Y)
    assert str(alone.kernel_) == str(model.kernel_)
    assert alone.predict(ahead)[0] != model.predict(ahead)[0]
    np.testing.assert_allclose(alone.predict(ahead), alone._posterior.observations(ahead)[0])


def test_the_report_shows_the_forecast_of_the_estimator(model: AutomaticStatistician) -> None:
    told, frame = model.decomposition(4).forecast, model.forecast(4)
    np.testing.assert_allclose(told.mean, frame["mean"])
    np.testing.assert_allclose(told.limits[1], frame["upper"])


def test_statements_have_probabilities(model: AutomaticStatistician) -> None:
    found = model.statements()
    assert list(found.columns) == ["text", "probability", "in_best"]
    assert found["probability"].between(0.05, 1.0).all()
    assert found["in_best"].any()


def test_a_saved_model_averages_alike(model: AutomaticStatistician, tmp_path: object) -> None:
    path = f"{tmp_path}/model.json"
    model.save(path)
    again = AutomaticStatistician.load(path)
    assert again.forecast(3).equals(model.forecast(3))


def test_covariances_have_the_variances_of_the_mixture_on_their_diagonal(model: AutomaticStatistician) -> None:
    ahead = np.array([[41.0], [50.0], [60.0]])
    for predict in (model.predict, model.predict_signal):
        mean, sd = predict(ahead, return_std=True)
        other, cov = predict(ahead, return_cov=True)
        np.testing.assert_allclose(other, mean)
        np.testing.assert_allclose(np.sqrt(np.diag(cov)), sd)
        assert np.linalg.eigvalsh(cov).min() > 0.0


def test_covariances_of_a_logarithm_are_those_of_the_mixture() -> None:
    model = AutomaticStatistician(max_depth=2, restarts=2, n_jobs=1, target_transform="log").fit(X, np.exp(Y / 5.0))
    sd = model.predict([[41.0], [50.0]], return_std=True)[1]
    np.testing.assert_allclose(np.sqrt(np.diag(model.predict([[41.0], [50.0]], return_cov=True)[1])), sd)
