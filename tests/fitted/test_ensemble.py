"""Averaged predictions: mixtures over the models that a search visited."""

import numpy as np
import pytest

from autostatistician import AutomaticStatistician, TargetOptions
from autostatistician.fitted.ensemble import ensemble
from autostatistician.fitted.predictions import WIDER, chance_of_break

X = np.arange(40.0)[:, None]
Y = 5.0 + np.sin(X[:, 0] / 4.0) + 0.1 * np.random.default_rng(0).normal(size=40)


@pytest.fixture(scope="module")
def model() -> AutomaticStatistician:
    return AutomaticStatistician(
        max_depth=3, n_restarts=3, n_jobs=1, target_options=TargetOptions(transform="none")
    ).fit(X, Y)


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


@pytest.mark.slow
def test_a_report_after_a_change_of_settings_shows_the_new_bands() -> None:
    model = AutomaticStatistician(language="interpretable", max_depth=2, n_restarts=2, n_jobs=1)
    x = np.arange(30.0)
    model.fit(x[:, None], 0.1 * x + np.random.default_rng(5).normal(size=30))
    for average in (True, False):
        told = model.set_params(average=average).explanation(4)
        ahead = model.forecast(4)
        assert told.forecast.upper == pytest.approx(ahead["upper"].to_numpy(), rel=1e-4)
        assert (told.averaged > 1) == average
