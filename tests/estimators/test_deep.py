"""Deep processes as estimators: contract, predictions as mixtures, clear errors."""

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.integrate import trapezoid
from sklearn.base import clone

from autostatistician import DeepGPRegressor
from autostatistician.errors import InputError

RNG = np.random.default_rng(6)
X = RNG.uniform(0.0, 10.0, (80, 1))
Y = np.where(X[:, 0] > 5.0, 30.0, 10.0) + RNG.normal(size=80)
PLACES = np.linspace(-1.0, 11.0, 25)[:, None]


@pytest.mark.slow
@pytest.mark.parametrize("step", [False, True])
def test_the_depth_follows_the_data(step: bool) -> None:
    y = Y if step else np.sin(0.7 * X[:, 0]) + 0.1 * np.random.default_rng(0).normal(size=80)
    found = DeepGPRegressor("auto", max_layers=2, max_iter=150, n_restarts=1, n_inducing=15).fit(X, y)
    assert found.n_layers_ == (2 if step else 1)
    assert found.depths_["layers"].tolist() == [1, 2]
    assert found.depths_["weight"].sum() == pytest.approx(1.0)
    fixed = DeepGPRegressor(found.n_layers_, max_iter=150, n_restarts=1, n_inducing=15).fit(X, y)
    assert fixed.predict(PLACES).tobytes() == found.predict(PLACES).tobytes()
    assert found.depths_.loc[found.depths_["chosen"], "bound"].item() == fixed.bound_


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"kernel": "SE + WN"}, "without noise; found white noise in SE"),
        ({"kernel": ["SE"]}, "a kernel for each of 2 layers; found 1"),
        ({"kernel": "SE(lengthscale=1, sd=1)"}, "without numbers"),
        ({"kernel": "SE[other]"}, "other"),
        ({"layers": "deep"}, "layers='auto'"),
        ({"layers": "auto", "max_layers": 0}, "max_layers as a whole number from 1"),
    ],
)
def test_kernels_and_depths_that_will_not_do(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        DeepGPRegressor(**{"layers": 2, **settings}).fit(X, Y)


QUICK: dict[str, Any] = {"max_iter": 200, "n_restarts": 3, "n_inducing": 15, "paths": 100}


@pytest.fixture(scope="module")
def model() -> DeepGPRegressor:
    return DeepGPRegressor(**QUICK).fit(X, Y)


def test_a_step_is_a_step(model: DeepGPRegressor) -> None:
    mean, sd = model.predict([[2.0], [4.0], [6.0], [8.0]], return_std=True)
    assert mean == pytest.approx([10.0, 10.0, 30.0, 30.0], abs=1.0)
    assert np.all((sd > 1.0) & (sd < 2.0))  # noise of one, and some doubt
    assert model.noise_ == pytest.approx(1.0, rel=0.3)
    assert model.n_iter_ == len(model.trace_) == 200
    assert model.bound_ > DeepGPRegressor(layers=1, n_inducing=15).fit(X, Y).bound_ + 15.0


@pytest.mark.slow
def test_quantiles_moments_and_densities_are_of_one_mixture(model: DeepGPRegressor) -> None:
    mean, sd = model.predict(PLACES, return_std=True)
    grid = np.linspace(-60.0, 100.0, 4001)
    for place in (0, 12, 24):
        density = np.exp(model.log_density(np.repeat(PLACES[[place]], len(grid), axis=0), grid))
        assert trapezoid(density, grid) == pytest.approx(1.0, abs=1e-3)
        assert trapezoid(density * grid, grid) == pytest.approx(mean[place], abs=0.02)
        assert trapezoid(density * (grid - mean[place]) ** 2, grid) == pytest.approx(sd[place] ** 2, rel=0.01)
        low, middle, high = model.predict_quantiles(PLACES[[place]])[0]
        below = grid <= middle
        assert trapezoid(density[below], grid[below]) == pytest.approx(0.5, abs=0.02)
        assert low < middle < high


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes_and_units_do_not_matter(model: DeepGPRegressor) -> None:
    again = clone(model).fit(X, Y)
    assert again.predict(PLACES).tobytes() == model.predict(PLACES).tobytes()
    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict(PLACES), model.predict(PLACES))
    other = clone(model).fit(1000.0 * X + 5.0, 0.01 * Y - 7.0)
    assert other.predict(1000.0 * X + 5.0) == pytest.approx(0.01 * model.predict(X) - 7.0, abs=0.01)


def test_many_rows_are_predicted_in_turns(model: DeepGPRegressor) -> None:
    many = np.repeat(PLACES, 40, axis=0)
    assert model.predict(many)[::40] == pytest.approx(model.predict(PLACES))


def test_rows_without_a_pattern_get_their_mean() -> None:
    assert DeepGPRegressor(**QUICK | {"max_iter": 20}).fit(X, np.full(80, 3.0)).predict(PLACES) == pytest.approx(3.0)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"layers": 0}, "layers as a whole number from 1"),
        ({"width": 1.5}, "width as a whole number"),
        ({"n_inducing": 0}, "n_inducing as a whole number"),
        ({"max_iter": 0}, "max_iter as a whole number"),
        ({"n_restarts": True}, "n_restarts as a whole number"),
        ({"paths": -1}, "paths as a whole number"),
        ({"learning_rate": float("nan")}, "learning_rate above zero"),
        ({"n_inducing": 10**10}, None),
    ],
)
def test_settings_out_of_range(settings: dict[str, Any], said: str | None) -> None:
    model = DeepGPRegressor(**QUICK | {"max_iter": 2} | settings)
    if said is None:
        assert len(model.fit(X, Y).fits_[0].network.last.Z) == 80
    else:
        with pytest.raises(InputError, match=said):
            model.fit(X, Y)


def test_columns_and_levels_that_it_cannot_use(model: DeepGPRegressor) -> None:
    with pytest.raises(InputError, match="categories in column 'kind'"):
        DeepGPRegressor().fit(pd.DataFrame({"x": X[:, 0], "kind": ["a", "b"] * 40}), Y)
    with pytest.raises(InputError, match="levels between 0 and 1"):
        model.predict_quantiles(X, levels=[1.5])
    with pytest.raises(InputError, match="random sample"):
        DeepGPRegressor(n_inducing=10**6).fit(np.arange(20000.0)[:, None], np.arange(20000.0))
