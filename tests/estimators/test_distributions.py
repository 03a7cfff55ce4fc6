"""Quantiles and densities follow from the predictive distribution of an estimator."""

from typing import Any

import numpy as np
import pytest
from scipy.stats import norm
from tests.saved_models.models import saved

from autostatistician import (
    AdditiveGPRegressor,
    AutomaticStatistician,
    DeepGPRegressor,
    MultiOutputGPRegressor,
    SemiParametricGPRegressor,
)
from autostatistician.data.transform import Transform
from autostatistician.errors import InputError
from autostatistician.estimators.distributions import JointRegressor
from autostatistician.gp.posterior.projection import with_marginals
from autostatistician.gp.predictive import Predictive, predictive

RNG = np.random.default_rng(0)
X = RNG.uniform(0.0, 5.0, (25, 2))
Y = np.sin(X[:, 0]) + X[:, 1] + 0.1 * RNG.normal(size=25)
NEAR = X[:4] + 0.05
QUICK: dict[str, Any] = {"max_depth": 1, "n_restarts": 1, "n_jobs": 1}

REGRESSORS = [
    AdditiveGPRegressor(n_restarts=1),
    SemiParametricGPRegressor(n_restarts=1),
    MultiOutputGPRegressor(n_restarts=1),
    DeepGPRegressor(max_iter=30, n_inducing=8, n_restarts=1, paths=30),
    AutomaticStatistician(**QUICK),
]


@pytest.mark.slow
@pytest.mark.parametrize("model", REGRESSORS, ids=lambda model: type(model).__name__)
def test_draws_have_the_moments_of_predictions(model: Any) -> None:
    model.fit(X, Y)
    mean, cov = model.predict(NEAR, return_cov=True)
    sd = model.predict(NEAR, return_std=True)[1]
    assert sd == pytest.approx(np.sqrt(cov.diagonal()), rel=1e-6)
    drawn = model.sample_y(NEAR, 4000, random_state=1)
    assert drawn.shape == (4, 4000)
    assert drawn.mean(axis=1) == pytest.approx(mean, abs=0.1 * sd.max())
    assert np.cov(drawn) == pytest.approx(cov, abs=0.1 * cov.max())
    assert model.sample_y(NEAR, 3).tobytes() == model.sample_y(NEAR, 3).tobytes()
    with pytest.raises(InputError, match="return_std or return_cov"):
        model.predict(NEAR, return_std=True, return_cov=True)
    with pytest.raises(InputError, match="n_samples"):
        model.sample_y(NEAR, 0)


def test_outputs_are_drawn_together() -> None:
    model = MultiOutputGPRegressor(n_restarts=1).fit(X, np.column_stack([Y, -2.0 * Y]))
    far = X[:2] + 9.0
    drawn = model.sample_y(far, 500)
    assert drawn.shape == (2, 2, 500)
    assert np.corrcoef(drawn[0])[0, 1] < -0.9
    assert model.predict(far, return_cov=True)[1].shape == (2, 2, 2)


@pytest.mark.slow
def test_draws_of_counts_are_counts() -> None:
    model = saved("counts")
    drawn = model.sample_y(["2023-12-01", "2024-01-01"], 400)
    assert (drawn >= 0.0).all()
    assert (drawn == np.round(drawn)).all()
    assert drawn.mean() == pytest.approx(3.0, rel=0.3)  # the rate of its data


def test_draws_have_the_whole_spread_and_its_tails() -> None:
    of_one = predictive(np.zeros(1), np.ones(1), Transform())
    drawn = with_marginals(of_one, np.eye(1), 20_000, np.random.default_rng(0), whole=False)[0]
    assert np.std(drawn) == pytest.approx(1.0, abs=0.01)
    assert np.abs(drawn).max() > 3.5
    assert len(np.unique(drawn)) == 20_000


class Normal(JointRegressor):
    """A standard normal distribution about every value."""

    def predictive(self, X: Any) -> Predictive:
        return Predictive(np.asarray(X, dtype=float)[None], np.ones((1, len(X))), np.ones(1), Transform())


def test_quantiles_and_densities_are_those_of_the_distribution() -> None:
    x = [0.0, 5.0]
    quantiles = Normal().predict_quantiles(x, levels=(0.1, 0.5))
    np.testing.assert_allclose(quantiles, [norm.ppf([0.1, 0.5]), norm.ppf([0.1, 0.5], loc=5.0)])
    np.testing.assert_allclose(Normal().log_density(x, [1.0, 5.0]), norm.logpdf([1.0, 0.0]))


def test_levels_are_checked_before_the_work() -> None:
    with pytest.raises(InputError, match="levels between 0 and 1"):
        Normal().predict_quantiles([0.0], levels=(0.0,))
