"""Additive kernels: polynomials against double loops, gradients, identities, effects and shares."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb, prod

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import approx_fprime

from autostatistician import AdditiveGPRegressor
from autostatistician.additive.base import BASES, base_of
from autostatistician.additive.evidence import negative_log_evidence
from autostatistician.additive.kernel import AdditiveKernel, Layout
from autostatistician.additive.orders import newton_girard, polynomials, weighted_sum, weighted_sum_gradient
from autostatistician.additive.shares import relevance_sentence
from autostatistician.errors import InputError

RNG = np.random.default_rng(0)
X = RNG.normal(size=(25, 3))
Y = np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * RNG.normal(size=25)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 99))
def test_polynomials_are_sums_over_subsets(columns: int, order: int, seed: int) -> None:
    z = np.random.default_rng(seed).uniform(-1.0, 1.0, (columns, 4))
    slow = [sum(np.prod(z[list(one)], axis=0) for one in combinations(range(columns), r)) for r in range(order + 1)]
    assert polynomials(z, order) == pytest.approx(np.array([np.broadcast_to(one, 4) for one in slow]), abs=1e-12)


def test_no_entries_are_no_trouble() -> None:
    assert weighted_sum(np.empty((3, 0)), np.ones(3)).shape == (0,)


def test_newton_girard_loses_the_digits_that_the_recursion_keeps() -> None:
    z = np.random.default_rng(1).uniform(0.0, 1.0, (60, 1))
    exact = [Fraction(1), *[Fraction(0)] * 40]
    for one in z[:, 0]:
        exact = [exact[0], *(exact[r] + Fraction(one) * exact[r - 1] for r in range(1, 41))]
    kept = abs(polynomials(z, 40)[40, 0] / float(exact[40]) - 1.0)
    lost = abs(newton_girard(z, 40)[40, 0] / float(exact[40]) - 1.0)
    assert kept < 1e-14
    assert lost > 1e-11


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 99))
def test_gradient_of_the_recursion(columns: int, order: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    z, weights, outer = rng.normal(size=(columns, 3)), rng.normal(size=order + 1), rng.normal(size=3)
    by_weights, by_z = weighted_sum_gradient(z, weights, outer)
    assert by_weights == pytest.approx(approx_fprime(weights, lambda w: float(outer @ weighted_sum(z, w))), abs=1e-5)
    found = approx_fprime(z.ravel(), lambda v: float(outer @ weighted_sum(v.reshape(z.shape), weights)))
    assert by_z.ravel() == pytest.approx(found, rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("symbol", BASES)
def test_gradient_of_the_evidence(symbol: str) -> None:
    layout = Layout((base_of(symbol),) * 3, (1, 2, 3))
    _check_gradient(layout)


@pytest.mark.parametrize(
    "layout",
    [
        Layout((base_of("SE", orthogonal=True),) * 3, (0, 1, 2)),
        Layout((base_of("SE"),) * 3, (0, 1, 2, 3), tied=True),
        Layout((base_of("RQ"),) * 3, (1, 2), stretched=True),
        Layout((base_of("SE"),) * 3, (0, 1, 2, 3), tied=True, stretched=True),
    ],
)
def test_gradient_of_the_evidence_of_the_variants(layout: Layout) -> None:
    _check_gradient(layout)


def _check_gradient(layout: Layout) -> None:
    u = np.random.default_rng(2).normal(0.0, 0.3, layout.size)
    value, gradient = negative_log_evidence(layout, u, X, Y)
    assert np.isfinite(value)
    found = approx_fprime(u, lambda v: negative_log_evidence(layout, v, X, Y)[0], 1e-6)
    assert gradient == pytest.approx(found, rel=2e-3, abs=2e-3)


def test_the_highest_order_of_se_is_the_product_of_all_columns() -> None:
    layout = Layout((base_of("SE"),) * 3, (3,))
    kernel = AdditiveKernel(layout, np.array([0.1, -0.2, 0.3, 0.0, -2.0]))
    lengths = np.exp([0.1, -0.2, 0.3])
    expected = np.exp(-0.5 * (((X[:, None] - X[None]) / lengths) ** 2).sum(axis=2))
    assert kernel.matrix(X) == pytest.approx(expected)
    assert kernel.covariance(X[:4], X) == pytest.approx(expected[:4])
    assert kernel.variance(X) == pytest.approx(1.0)


def test_all_subsets_is_a_product_and_dropping_inputs_makes_it() -> None:
    """Input dropout with probability 1/2 averages over all subsets: 2^-D prod_d (1 + k_d) (Duvenaud 2014)."""
    layout = Layout((base_of("SE"),) * 3, (0, 1, 2, 3), tied=True)
    u = np.array([0.1, -0.2, 0.3, -3.0 * np.log(2.0), 0.0, -2.0])
    each = [np.exp(-0.5 * ((X[:, None, d] - X[None, :, d]) / np.exp(u[d])) ** 2) for d in range(3)]
    masks = [prod((each[d] for d in range(3) if mask >> d & 1), start=np.ones((25, 25))) for mask in range(8)]
    assert AdditiveKernel(layout, u).matrix(X) == pytest.approx(np.mean(masks, axis=0))
    assert AdditiveKernel(layout, u).matrix(X) == pytest.approx(np.prod([1.0 + k for k in each], axis=0) / 8.0)


def test_orthogonal_kernels_average_to_zero_under_normal_inputs() -> None:
    base = base_of("SE", orthogonal=True)
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    values = base.value(nodes, np.full(60, 0.7), np.array([-0.3]))
    assert weights @ values / weights.sum() == pytest.approx(0.0, abs=1e-6)


SETS = [one for order in (0, 1, 2, 3) for one in combinations(range(3), order)]


@pytest.mark.parametrize("settings_", [{}, {"order_lengthscales": True}, {"base": ["SE", "Lin", "RQ"]}])
def test_effects_of_all_sets_sum_to_the_function(settings_: dict[str, object]) -> None:
    model = AdditiveGPRegressor(restarts=1, random_state=1, **settings_).fit(X, Y)
    total = sum(model.effect(one, X)[0] for one in SETS)
    assert total + model.y_mean_ == pytest.approx(model.predict(X))


def test_effects_average_to_zero_over_each_column() -> None:
    model = AdditiveGPRegressor(restarts=1).fit(X, Y)
    moved = np.repeat(X[:1], len(X), axis=0)
    moved[:, 1] = X[:, 1]
    for columns in ((1,), (0, 1), (0, 1, 2)):
        mean, sd = model.effect(columns, moved)
        assert mean.mean() == pytest.approx(0.0, abs=1e-9)
        assert (sd > 0.0).all()


def test_the_effect_of_a_column_is_that_of_a_linear_map_of_the_joint_posterior() -> None:
    """The mean over the values of the other columns, minus that over all columns, by brute force."""
    inputs, size = X[:6], 6
    model = AdditiveGPRegressor(restarts=1).fit(inputs, Y[:6])
    kernel, others = model.fitted_.kernel, inputs[:, 1:]
    grid = np.array([[a, b, c] for a in (0.4, *inputs[:, 0]) for b in others[:, 0] for c in others[:, 1]])
    weights = np.full((size + 1, size**2), -1.0 / size**3)
    weights[0] = 1.0 / size**2
    cross = kernel.covariance((grid - model.centre_) / model.scale_, model.X_train_)
    K = kernel.matrix(model.X_train_) + kernel.noise_variance * np.eye(size)
    joint = kernel.matrix((grid - model.centre_) / model.scale_) - cross @ np.linalg.solve(K, cross.T)
    mean, sd = model.effect(0, np.array([[0.4, 0.0, 0.0]]))
    assert mean[0] == pytest.approx(model.y_scale_ * weights.ravel() @ cross @ model.fitted_.alpha)
    assert sd[0] == pytest.approx(model.y_scale_ * np.sqrt(weights.ravel() @ joint @ weights.ravel()))


def test_predictions_are_those_of_the_textbook() -> None:
    model = AdditiveGPRegressor(restarts=1).fit(X, Y)
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
    """Trained on an L of two arms, the sum is known in the corner between them (Duvenaud et al. 2011, figure 2)."""
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
    assert AdditiveGPRegressor(restarts=1).fit(inputs, y).log_evidence_ > -35.0  # -37.4 with tighter limits


@pytest.mark.parametrize("orthogonal", [False, True])
def test_shares_are_those_of_sobol(orthogonal: bool) -> None:
    rng = np.random.default_rng(0)
    inputs = rng.normal(size=(150, 3))
    y = 2.0 * inputs[:, 0] + inputs[:, 1] * inputs[:, 0]  # variances 4 and 1
    noisy = y + 0.05 * rng.normal(size=150)
    shares = AdditiveGPRegressor(orthogonal=orthogonal, max_order=2, restarts=1).fit(inputs, noisy).sobol()
    assert shares["columns"].tolist()[:2] == [("column 0",), ("column 0", "column 1")]
    assert shares["columns"].tolist()[-1] == ()
    assert shares["share"].to_numpy()[:2] == pytest.approx([80.0, 20.0], abs=6.0)
    assert shares["share"].sum() == pytest.approx(100.0)


def test_columns_that_do_not_matter_are_said_not_to() -> None:
    frame = pd.DataFrame(np.random.default_rng(1).normal(size=(80, 3)), columns=["wind", "rain", "day"])
    y = 3.0 * np.sin(frame["wind"]) + frame["wind"] * frame["rain"]
    found = AdditiveGPRegressor(restarts=1).fit(frame, y).relevance_
    assert found["column"].tolist() == ["wind", "rain", "day"]
    assert found["share"][2] < 0.1
    assert found["sentence"][2] == (
        "day does not matter: less than 0.1 % of the variance of the fitted function depends on it."
    )
    assert found["alone"][1] < 0.5 * found["share"][1]
    assert found["sentence"][1].startswith("rain matters: ")
    flat = AdditiveGPRegressor(restarts=1).fit(frame, np.ones(80)).relevance_
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


def test_a_base_for_each_column() -> None:
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    listed = AdditiveGPRegressor(["Per", "SE", "Lin"], restarts=1).fit(frame, Y)
    named = AdditiveGPRegressor({"a": "Per", 2: "Lin"}, restarts=1).fit(frame, Y)
    assert [base.symbol for base in listed.fitted_.kernel.layout.bases] == ["Per", "SE", "Lin"]
    assert np.array_equal(listed.predict(frame), named.predict(frame))


def test_orders_can_be_chosen() -> None:
    model = AdditiveGPRegressor(orders=(3, 1), restarts=1).fit(X, Y)
    assert model.orders_["order"].tolist() == [1, 3]


def test_orders_of_orthogonal_kernels_have_the_variance_of_their_terms() -> None:
    """Which is not one: what is constant has been taken off."""
    model = AdditiveGPRegressor(orthogonal=True, max_order=2, restarts=1).fit(X, Y)
    kernel = model.fitted_.kernel
    numbers, scales, _, _ = kernel.layout.split(kernel.u)
    base = kernel.layout.bases[0]
    z = [base.value(x, x, one) for x, one in zip(model.X_train_.T, kernel.layout.by_column(numbers), strict=True)]
    each = kernel.layout.term_variances(scales)
    expected = np.mean(sum(z)) * each[1], np.mean(z[0] * z[1] + z[0] * z[2] + z[1] * z[2]) * each[2]
    assert model.orders_["variance"].to_numpy() == pytest.approx(model.y_scale_**2 * np.array(expected))


def test_orders_are_told() -> None:
    model = AdditiveGPRegressor(restarts=1, max_order=2).fit(X, Y)
    assert model.orders_["terms"].tolist() == [3, comb(3, 2)]
    assert model.orders_["share"].sum() == pytest.approx(100.0)


def test_the_same_seed_gives_the_same_numbers() -> None:
    one, two = (AdditiveGPRegressor(restarts=2, random_state=3).fit(X, Y).predict(X) for _ in range(2))
    assert np.array_equal(one, two)


def test_the_picture_has_a_panel_for_each_column() -> None:
    four = np.column_stack([X, X[::-1, 0]])
    model = AdditiveGPRegressor(restarts=1, max_order=1).fit(four, Y)
    assert [axes.has_data() for axes in model.plot_effects().figure.axes] == [True] * 4
    with pytest.raises(InputError, match="an order among"):
        model.plot_effects(order=2)


def test_the_picture_of_pairs_has_a_map_and_slices_for_each() -> None:
    model = AdditiveGPRegressor(restarts=1, max_order=2).fit(pd.DataFrame(X, columns=["a", "b", "c"]), Y)
    figure = model.plot_effects(2, order=2)
    panels = [axes for axes in figure.axes if axes.get_label() != "<colorbar>"]
    assert len(panels) == 4
    assert (panels[0].get_xlabel(), panels[0].get_ylabel()) == ("b", "c")  # Y has their product
    assert [line.get_label() for line in panels[1].lines][1].startswith("c = ")
    assert len(panels[1].collections) == 3  # bands


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ({"base": "XY"}, "a base among"),
        ({"orders": "some"}, "'free' or 'all-subsets'"),
        ({"orthogonal": True, "base": "RQ"}, "base='SE'"),
        ({"base": ["SE", "SE"]}, "one base for each of the 3 columns"),
        ({"base": {"z": "SE"}}, "a column among column 0"),
        ({"orders": (0, 4)}, "orders from 1 to 3"),
        ({"max_order": 0}, "max_order of at least 1"),
        ({"restarts": 0}, "restarts of at least 1"),
    ],
)
def test_settings_are_checked(setting: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        AdditiveGPRegressor(**setting).fit(X, Y)


def test_hard_tables() -> None:
    wide = RNG.normal(size=(6, 9))
    assert np.isfinite(AdditiveGPRegressor(restarts=1, max_order=2).fit(wide, wide[:, 0]).predict(wide)).all()
    constant = np.column_stack([X, np.ones(25)])
    assert np.isfinite(AdditiveGPRegressor(restarts=1).fit(constant, Y).predict(constant)).all()
    assert AdditiveGPRegressor(restarts=1).fit(X, np.full(25, 2.0)).predict(X) == pytest.approx(2.0, abs=1e-6)
    with pytest.raises(InputError, match="at most 5000 rows"):
        AdditiveGPRegressor().fit(np.zeros((5001, 1)), np.zeros(5001))
    with pytest.raises(InputError, match="different columns"):
        AdditiveGPRegressor(restarts=1).fit(X, Y).effect((0, 0), X)
