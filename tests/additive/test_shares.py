"""Effects, shares and relevance of columns."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from autostatistician import AdditiveGPRegressor
from autostatistician.additive.averages import ByOrder
from autostatistician.additive.shares import Effects, relevance_sentence

RNG = np.random.default_rng(0)
X = RNG.normal(size=(25, 3))
Y = np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * RNG.normal(size=25)
SETS = [one for order in (0, 1, 2, 3) for one in combinations(range(3), order)]


@pytest.mark.parametrize("settings_", [{}, {"order_lengthscales": True}, {"kernel": ["SE", "Lin", "RQ"]}])
def test_effects_of_all_sets_sum_to_the_function(settings_: dict[str, object]) -> None:
    model = AdditiveGPRegressor(n_restarts=1, random_state=1, **settings_).fit(X, Y)
    total = sum(model.effect(one, X)[0] for one in SETS)
    assert total + model.y_mean_ == pytest.approx(model.predict(X))


def test_effects_average_to_zero_over_each_column() -> None:
    model = AdditiveGPRegressor(n_restarts=1).fit(X, Y)
    moved = np.repeat(X[:1], len(X), axis=0)
    moved[:, 1] = X[:, 1]
    for columns in ((1,), (0, 1), (0, 1, 2)):
        mean, sd = model.effect(columns, moved)
        assert mean.mean() == pytest.approx(0.0, abs=1e-9)
        assert (sd > 0.0).all()


def test_the_effect_of_a_column_is_that_of_a_linear_map_of_the_joint_posterior() -> None:
    """The mean over the values of the other columns, minus that over all columns, by brute force."""
    inputs, size = X[:6], 6
    model = AdditiveGPRegressor(n_restarts=1).fit(inputs, Y[:6])
    kernel, others = model.fitted_.kernel, inputs[:, 1:]
    grid = np.array([[a, b, c] for a in (0.4, *inputs[:, 0]) for b in others[:, 0] for c in others[:, 1]])
    weights = np.full((size + 1, size**2), -1.0 / size**3)
    weights[0] = 1.0 / size**2
    cross = kernel.covariance((grid - model.centre_) / model.scale_, model.X_train_)
    K = kernel.matrix(model.X_train_) + kernel.noise_variance * np.eye(size)
    joint = kernel.matrix((grid - model.centre_) / model.scale_) - cross @ np.linalg.solve(K, cross.T)
    mean, sd = model.effect(0, np.array([[0.4, 0.0, 0.0]]))
    assert mean[0] == pytest.approx(model.y_scale_ * weights.ravel() @ cross @ model.fitted_.posterior.alpha)
    assert sd[0] == pytest.approx(model.y_scale_ * np.sqrt(weights.ravel() @ joint @ weights.ravel()))


@pytest.mark.parametrize("orthogonal", [False, True])
def test_shares_are_those_of_sobol(orthogonal: bool) -> None:
    rng = np.random.default_rng(0)
    inputs = rng.normal(size=(150, 3))
    y = 2.0 * inputs[:, 0] + inputs[:, 1] * inputs[:, 0]  # variances 4 and 1
    noisy = y + 0.05 * rng.normal(size=150)
    shares = AdditiveGPRegressor(orthogonal=orthogonal, max_order=2, n_restarts=1).fit(inputs, noisy).sobol()
    assert shares["columns"].tolist()[:2] == [("column 0",), ("column 0", "column 1")]
    assert shares["columns"].tolist()[-1] == ()
    assert shares["share"].to_numpy()[:2] == pytest.approx([80.0, 20.0], abs=6.0)
    assert shares["share"].sum() == pytest.approx(100.0)


@pytest.mark.parametrize(
    ("together", "expected"), [((0, 1), [50.0, 50.0, 0.0, 0.0]), ((0, 1, 2), [50.0, 0.0, 50.0, 0.0])]
)
def test_orders_are_those_of_the_function(together: tuple[int, ...], expected: list[float]) -> None:
    """Whichever orders of the kernel stand for it: it gave 99 % to the last one."""
    inputs = np.random.default_rng(0).normal(size=(150, 4))
    y = inputs[:, list(together)].prod(axis=1) + inputs[:, 3] + 0.1 * np.random.default_rng(1).normal(size=150)
    model = AdditiveGPRegressor(n_restarts=1).fit(inputs, y)
    orders, shares = model.orders_, model.sobol()
    assert orders["share"].to_numpy() == pytest.approx(np.array(expected), abs=12.0)
    assert orders["share"].sum() == pytest.approx(100.0)
    of_single = shares["share"][shares["columns"].map(len) == 1].sum()
    assert orders["share"][0] == pytest.approx(of_single)


@pytest.mark.parametrize("settings_", [{}, {"order_lengthscales": True}, {"kernel": ["SE", "Lin", "RQ"]}])
def test_means_by_order_are_sums_of_effects(settings_: dict[str, object]) -> None:
    model = AdditiveGPRegressor(n_restarts=1, random_state=1, **settings_).fit(X, Y)
    places = ByOrder(Effects(model.fitted_).averages, model.X_train_)
    found = model.y_scale_ * model.fitted_.posterior.project(None, places).mean
    for order in range(4):
        total = sum(model.effect(one, X)[0] for one in SETS if len(one) == order)
        assert found[:, order] == pytest.approx(total, abs=1e-6)


def test_columns_that_do_not_matter_are_said_not_to() -> None:
    frame = pd.DataFrame(np.random.default_rng(1).normal(size=(80, 3)), columns=["wind", "rain", "day"])
    y = 3.0 * np.sin(frame["wind"]) + frame["wind"] * frame["rain"]
    found = AdditiveGPRegressor(n_restarts=1).fit(frame, y).relevance_
    assert found["column"].tolist() == ["wind", "rain", "day"]
    assert found["share"][2] < 0.1
    assert found["sentence"][2] == (
        "day does not matter: less than 0.1 % of the variance of the fitted function depends on it."
    )
    assert found["alone"][1] < 0.5 * found["share"][1]
    assert found["sentence"][1].startswith("rain matters: ")
    flat = AdditiveGPRegressor(n_restarts=1).fit(frame, np.ones(80)).relevance_
    assert flat["share"].tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("found", "words"),
    [
        ((0.4, 0.1), "x hardly matters: 0.4 % of the variance of the fitted function."),
        ((30.2, 4.0), "x matters: 30 % of the variance of the fitted function, 4 % by itself."),
        ((3.24, 3.0), "x matters: 3.2 % of the variance of the fitted function, nearly all of it by itself."),
    ],
)
def test_words_of_relevance(found: tuple[float, float], words: str) -> None:
    assert relevance_sentence("x", found) == words
