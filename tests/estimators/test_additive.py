"""Additive kernels: polynomials against double loops, gradients, identities, effects and shares."""

from __future__ import annotations

from math import comb

import numpy as np
import pandas as pd
import pytest

from autostatistician import AdditiveGPRegressor
from autostatistician.errors import InputError

RNG = np.random.default_rng(0)
X = RNG.normal(size=(25, 3))
Y = np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * RNG.normal(size=25)


def test_predictions_are_those_of_the_textbook() -> None:
    model = AdditiveGPRegressor(n_restarts=1).fit(X, Y)
    kernel, new = model.fitted_.kernel, X[:5] + 0.3
    K = kernel.matrix(model.X_train_) + kernel.noise_variance * np.eye(25)
    cross = kernel.covariance((new - model.centre_) / model.scale_, model.X_train_)
    mean, cov = model.predict(new, return_cov=True)
    expected = model.y_mean_ + cross @ np.linalg.solve(K, Y - model.y_mean_)
    assert mean == pytest.approx(expected)
    _, sd = model.predict(new, return_std=True)
    assert sd == pytest.approx(np.sqrt(cov.diagonal()))
    z = (Y[:5] - mean) / sd
    assert model.log_density(new, Y[:5]) == pytest.approx(-0.5 * z**2 - np.log(sd * np.sqrt(2 * np.pi)))


def test_a_sum_of_columns_is_found_and_carries_beyond_the_data() -> None:
    """Trained on an L of two arms, the sum is known in the corner between them (Duvenaud et al. 2011, figure 5)."""
    side = np.linspace(0.0, 3.0, 15)
    arms = np.array([*[(a, 0.0) for a in side], *[(0.0, b) for b in side], *[(0.3, b) for b in side]])
    noise = 0.02 * np.random.default_rng(0).normal(size=len(arms))
    model = AdditiveGPRegressor().fit(arms, np.sin(arms[:, 0]) + np.cos(arms[:, 1]) + noise)
    assert model.orders_["share"][0] > 90.0
    corner = np.array([[2.0, 2.0], [1.5, 2.5]])
    assert model.predict(corner) == pytest.approx(np.sin(corner[:, 0]) + np.cos(corner[:, 1]), abs=0.3)


def test_limits_leave_room_for_smooth_functions() -> None:
    """They have large variances, and beside those a column that does not matter needs a very long lengthscale."""
    rng = np.random.default_rng(0)
    inputs = rng.normal(size=(80, 5))
    y = inputs[:, 0] * inputs[:, 1] + inputs[:, 1] * inputs[:, 2] + 0.2 * rng.normal(size=80)
    model = AdditiveGPRegressor(n_restarts=1, learned_priors=False).fit(inputs, y)
    assert model.log_evidence_ > -35.0  # -37.4 with tighter limits


def test_a_base_for_each_column() -> None:
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    listed = AdditiveGPRegressor(["Per", "SE", "Lin"], n_restarts=1).fit(frame, Y)
    named = AdditiveGPRegressor({"a": "Per", 2: "Lin"}, n_restarts=1).fit(frame, Y)
    assert [base.symbol for base in listed.fitted_.kernel.layout.bases] == ["Per", "SE", "Lin"]
    assert np.array_equal(listed.predict(frame), named.predict(frame))


def test_orders_can_be_chosen() -> None:
    model = AdditiveGPRegressor(orders=(3, 1), n_restarts=1).fit(X, Y)
    assert model.fitted_.kernel.layout.orders == (1, 3)
    assert model.orders_["order"].tolist() == [1, 2, 3]  # a product of three columns holds what two of them do


def test_orders_of_orthogonal_kernels_have_the_variance_of_their_terms() -> None:
    """Which is not one: what is constant has been taken off."""
    model = AdditiveGPRegressor(orthogonal=True, max_order=2, n_restarts=1).fit(X, Y)
    kernel = model.fitted_.kernel
    numbers, scales, _, _ = kernel.layout.split(kernel.u)
    base = kernel.layout.bases[0]
    z = [base.value(x, x, one) for x, one in zip(model.X_train_.T, kernel.layout.by_column(numbers), strict=True)]
    each = kernel.layout.term_variances(scales)
    expected = np.mean(sum(z)) * each[1], np.mean(z[0] * z[1] + z[0] * z[2] + z[1] * z[2]) * each[2]
    assert kernel.order_variances(model.X_train_)[1:] == pytest.approx(np.array(expected))


def test_orders_are_told() -> None:
    model = AdditiveGPRegressor(n_restarts=1, max_order=2).fit(X, Y)
    assert model.orders_["sets"].tolist() == [3, comb(3, 2)]
    assert model.orders_["share"].sum() == pytest.approx(100.0)


def test_the_same_seed_gives_the_same_numbers() -> None:
    one, two = (AdditiveGPRegressor(n_restarts=2, random_state=3).fit(X, Y).predict(X) for _ in range(2))
    assert np.array_equal(one, two)


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ({"kernel": "XY"}, "a leaf among"),
        ({"orders": "some"}, "'free' or 'all-subsets'"),
        ({"orthogonal": True, "kernel": "RQ"}, "kernel='SE'"),
        ({"kernel": ["SE", "SE"]}, "one leaf for each of the 3 columns"),
        ({"kernel": {"z": "SE"}}, "a column among column 0"),
        ({"orders": (0, 4)}, "orders from 1 to 3"),
        ({"max_order": 0}, "max_order as a whole number from 1"),
        ({"n_restarts": 0}, "n_restarts as a whole number from 1"),
    ],
)
def test_settings_are_checked(setting: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        AdditiveGPRegressor(**setting).fit(X, Y)


def test_hard_tables() -> None:
    wide = RNG.normal(size=(6, 9))
    assert np.isfinite(AdditiveGPRegressor(n_restarts=1, max_order=2).fit(wide, wide[:, 0]).predict(wide)).all()
    constant = np.column_stack([X, np.ones(25)])
    assert np.isfinite(AdditiveGPRegressor(n_restarts=1).fit(constant, Y).predict(constant)).all()
    assert AdditiveGPRegressor(n_restarts=1).fit(X, np.full(25, 2.0)).predict(X) == pytest.approx(2.0, abs=1e-6)
    with pytest.raises(InputError, match="at most 1000000 rows"):
        AdditiveGPRegressor().fit(np.broadcast_to(0.0, (1_000_001, 1)), np.broadcast_to(0.0, 1_000_001))
    with pytest.raises(InputError, match="different columns"):
        AdditiveGPRegressor(n_restarts=1).fit(X, Y).effect((0, 0), X)


@pytest.mark.parametrize(
    "settings",
    [
        {"order_lengthscales": "sqrt"},
    ],
)
def test_options_that_do_not_go_together(settings: dict[str, object]) -> None:
    with pytest.raises(InputError):
        AdditiveGPRegressor(n_restarts=1, **settings).fit(X, Y)


def test_joint_predictions_and_draws_agree_with_densities() -> None:
    model = AdditiveGPRegressor(max_order=2, n_restarts=1).fit(X, Y)
    mean, cov = model.predict(X[:4] + 0.3, return_cov=True)
    assert model.predict(X[:4] + 0.3, return_std=True)[1] == pytest.approx(np.sqrt(cov.diagonal()))
    drawn = model.sample_y(X[:4] + 0.3, 4000)
    assert drawn.shape == (4, 4000)
    assert drawn.mean(axis=1) == pytest.approx(mean, abs=0.1)
    density = np.exp(model.log_density(np.repeat(X[:1] + 0.3, 2000, axis=0), np.linspace(-15.0, 15.0, 2000)))
    assert density.sum() * 30.0 / 2000.0 == pytest.approx(1.0, abs=0.01)
