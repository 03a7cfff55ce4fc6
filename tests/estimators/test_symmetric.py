"""The symmetric regressor: gradient, predictions with the symmetry, the textbook, scikit-learn's contract."""

import pickle
from itertools import product
from math import exp

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.inspection import permutation_importance
from sklearn.model_selection import GridSearchCV

from autostatistician import SymmetricGPRegressor
from autostatistician.errors import InputError
from autostatistician.estimators.symmetric import CONSTRUCTIONS
from autostatistician.gp.covariance import covariance
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.text import parse, parse_kernel
from autostatistician.models.symmetry import (
    Group,
    OrbitProduct,
    OrbitSum,
    generated,
    group,
    permutations,
    reflection,
    rotations,
    swap,
    translations,
    view_covariance,
)

RNG = np.random.default_rng(0)
N = 40

FRAME = pd.DataFrame(
    {
        "a": RNG.uniform(-2.0, 2.0, N),
        "kind": np.array(["x", "y"])[RNG.integers(0, 2, N)],
        "b": RNG.uniform(-2.0, 2.0, N),
    }
)

SIGN = np.where(FRAME["kind"] == "x", 2.0, 1.0)
VALUES = SIGN * np.sin(FRAME["a"] + FRAME["b"]).to_numpy() + 0.05 * RNG.standard_normal(N)
EXCHANGE = swap(3, (0,), (2,))
KERNEL = "SE[a] * SE[b] * Cat[kind] + WN"


def _latent(one: np.ndarray, other: np.ndarray) -> float:
    smooth = exp(-0.5 * (one[0] - other[0]) ** 2 / 0.7**2 - 0.5 * (one[2] - other[2]) ** 2 / 1.3**2)
    return smooth * (1.0 if one[1] == other[1] else 0.25)


@pytest.mark.parametrize("view", [OrbitSum, OrbitProduct])
def test_the_kernel_is_that_of_a_double_loop(view: type[OrbitSum] | type[OrbitProduct]) -> None:
    rows = np.column_stack([RNG.normal(size=6), RNG.integers(0, 3, 6), RNG.normal(size=6)])
    kernel = parse_kernel(
        "SE[a](lengthscale=0.7, sd=1) * SE[b](lengthscale=1.3, sd=1) * Cat[kind](contrast=3, sd=1)"
    )  # fmt: skip
    expected = np.zeros((6, 6))
    for (i, one), (j, other) in product(enumerate(rows), repeat=2):
        pairs = [_latent(x, z) for x, z in product((one, one[::-1]), (other, other[::-1]))]
        expected[i, j] = sum(pairs) / 2.0 if view is OrbitSum else float(np.prod(pairs)) ** 0.25
    assert view_covariance(kernel, view(EXCHANGE), rows, rows, ("a", "kind", "b")) == pytest.approx(expected)


@pytest.mark.parametrize("construction", ["sum", "projection", "product"])
def test_predictions_have_the_symmetry_and_know_the_category(construction: str) -> None:
    model = SymmetricGPRegressor(KERNEL, group=EXCHANGE, construction=construction, n_restarts=1).fit(FRAME, VALUES)
    new = pd.DataFrame({"a": [0.3, 1.0], "kind": ["x", "y"], "b": [0.9, -0.2]})
    turned = new.assign(a=new["b"], b=new["a"])
    assert model.predict(turned) == pytest.approx(model.predict(new), abs=1e-9)
    assert model.predict(new) == pytest.approx(np.array([2.0 * np.sin(1.2), np.sin(0.8)]), abs=0.3)
    assert model.inputs_.levels == {"kind": ("x", "y")}


def test_without_a_kernel_categories_have_theirs() -> None:
    model = SymmetricGPRegressor(group=EXCHANGE, n_restarts=1).fit(FRAME, VALUES)
    assert str(model.kernel_) == "C + SE[a] * SE[b] * Cat[kind] + WN"
    full = SymmetricGPRegressor("SE[a] * SE[b] * Cat2r1[kind] + WN", group=EXCHANGE, n_restarts=1).fit(FRAME, VALUES)
    assert np.isfinite(full.log_evidence_)


@pytest.mark.parametrize(
    "acting",
    [
        swap(3),
        reflection(3),
        reflection(3, [1], at=2.0),
        group([np.eye(3), np.array([[-1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])]),
    ],
)
def test_a_group_leaves_categories_alone(acting: object) -> None:
    with pytest.raises(InputError, match="a group that leaves categories as they are; found one that acts on 'kind'"):
        SymmetricGPRegressor(group=acting).fit(FRAME, VALUES)


Array = NDArray[np.float64]
CHANCE = np.random.default_rng(0)
X = CHANCE.uniform(-2.0, 2.0, (20, 2))
Y = np.sin(X[:, 0]) * np.sin(X[:, 1]) + 0.1 * CHANCE.normal(size=20)
NEW = np.array([[0.3, 1.2], [-1.0, 0.5], [0.7, 0.7]])
SMOOTH = "C + SE[x1] * SE[x2] + WN"


def _bowl(rows: Array) -> Array:
    return np.asarray(1.0 + (rows**2).sum(axis=1))


CASES: dict[str, dict[str, object]] = {
    "swap": {"group": swap(2)},
    "odd swap": {"group": swap(2, odd=True)},
    "turns": {"group": rotations(2, 3)},
    "projection": {"group": rotations(2, 2), "construction": "projection"},
    "product": {"group": swap(2), "construction": "product"},
    "multiplied": {"group": reflection(2, odd=True), "multiplier": _bowl},
}


@pytest.mark.parametrize("case", ["swap", "odd swap", "turns", "projection", "product"])
def test_predictions_and_draws_have_the_symmetry(case: str) -> None:
    model = SymmetricGPRegressor(n_restarts=1, **CASES[case]).fit(X, Y)  # type: ignore[arg-type]
    one: Group = CASES[case]["group"]  # type: ignore[assignment]
    mean, sd = model.predict(NEW, return_std=True)
    images = one.orbit(NEW)
    for image, sign in zip(images, one.signs, strict=True):
        there, sd_there = model.predict(image, return_std=True)
        assert there == pytest.approx(sign * mean, abs=1e-9)
        assert sd_there == pytest.approx(sd, abs=1e-9)
    draws = model.sample_y(images.reshape(-1, 2), n_samples=4).reshape(len(one), len(NEW), 4)
    assert draws == pytest.approx(one.signs[:, None, None] * draws[0], abs=1e-5)
    assert np.ptp(draws[0], axis=1).max() > 1e-3


@settings(max_examples=12)
@given(st.sampled_from(sorted(CASES)), st.integers(0, 1000))
def test_so_have_those_of_any_data(case: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows, one = rng.normal(size=(9, 2)), CASES[case]["group"]
    assert isinstance(one, Group)
    symmetric = {name: setting for name, setting in CASES[case].items() if name != "multiplier"}
    model = SymmetricGPRegressor(n_restarts=1, **symmetric).fit(rows, rng.normal(size=9))  # type: ignore[arg-type]
    images = np.array([model.predict(image) for image in one.orbit(NEW)])
    assert images == pytest.approx(one.signs[:, None] * images[0], abs=1e-9)


def test_predictions_are_those_of_the_textbook() -> None:
    model = SymmetricGPRegressor(SMOOTH, group=swap(2), n_restarts=1).fit(X, Y)
    names = ("x1", "x2")
    K = view_covariance(model.kernel_, model.view_, X, None, names)
    cross = view_covariance(model.kernel_, model.view_, NEW, X, names)
    mean, cov = model.predict(NEW, return_cov=True)
    assert mean == pytest.approx(cross @ np.linalg.solve(K, Y))
    prior = view_covariance(model.kernel_, model.view_, NEW, None, names)
    assert cov == pytest.approx(prior - cross @ np.linalg.solve(K, cross.T))
    assert model.predict(NEW, return_std=True)[1] == pytest.approx(np.sqrt(cov.diagonal()))
    assert model.predict(np.tile(NEW, (400, 1))) == pytest.approx(np.tile(mean, 400))


def test_what_is_passed_in_may_change_afterwards() -> None:
    rows = X.copy()
    model = SymmetricGPRegressor(group=swap(2), n_restarts=1).fit(rows, Y)
    before = model.predict(NEW)
    rows[:] = 0.0
    assert np.array_equal(model.predict(NEW), before)


def test_without_a_group_it_is_the_plain_process() -> None:
    model = SymmetricGPRegressor(SMOOTH, n_restarts=1).fit(X, Y)
    K = covariance(model.kernel_, X, None, ("x1", "x2"))
    expected = -0.5 * Y @ np.linalg.solve(K, Y) - 0.5 * np.linalg.slogdet(K)[1] - 10.0 * np.log(2.0 * np.pi)
    assert model.log_evidence_ == pytest.approx(expected)


def test_knowing_the_symmetry_helps() -> None:
    """The half of the plane without data is known as well as the other, and the evidence says so."""
    rng = np.random.default_rng(1)
    there = rng.uniform(0.0, 2.0, (40, 1)) + np.array([[0.0, -2.0]]) * rng.uniform(0.0, 1.0, (40, 2))
    truth = np.cos(there[:, 0] * 2.0) + there[:, 1] * 2.0
    y = truth + 0.05 * rng.normal(size=40)
    half = there[:, :1] * np.array([[1.0]])
    seen = np.cos(2.0 * half[:, 0]) + 0.05 * (y - truth)
    even, plain = (SymmetricGPRegressor(group=group, n_restarts=2).fit(half, seen) for group in (reflection(1), None))
    beyond = np.linspace(-2.0, -0.2, 30)[:, None]
    errors = [np.abs(model.predict(beyond) - np.cos(2.0 * beyond[:, 0])).max() for model in (even, plain)]
    assert errors[0] < 0.05 < 0.3 < errors[1]
    assert even.log_evidence_ > plain.log_evidence_


def test_a_known_factor_is_taken_out() -> None:
    x = np.linspace(0.0, 6.0, 40)[:, None]
    growth = np.exp(x[:, 0])
    y = growth * np.sin(3.0 * x[:, 0]) + 0.01 * np.random.default_rng(0).normal(size=40)
    model = SymmetricGPRegressor("SE + WN", multiplier=lambda rows: np.exp(rows[:, 0])).fit(x, y)
    size = parse_kernel("SE(lengthscale=1, sd=1)").named() | model.kernel_.parts[0].named()
    assert 0.2 < size["sd"] < 5.0  # the size of the sine, not that of the product
    assert model.predict([[6.1]]) == pytest.approx(np.exp(6.1) * np.sin(18.3), rel=0.05)


def test_functions_of_images_are_learned_in_every_place() -> None:
    rng = np.random.default_rng(2)
    images = rng.normal(size=(60, 4))

    def truth(rows: Array) -> Array:
        return np.sin(0.4 * (rows * np.roll(rows, 1, axis=1)).sum(axis=1))

    kernel = " * ".join(f"SE[x{pixel}]" for pixel in range(1, 5)) + " + WN"
    shifted, plain = (SymmetricGPRegressor(kernel, group=one, n_restarts=1).fit(images, truth(images))
                      for one in (translations(4), None))  # fmt: skip
    test = rng.normal(size=(100, 4))
    errors = [np.mean((model.predict(test) - truth(test)) ** 2) for model in (shifted, plain)]
    assert errors[0] < 0.3 * errors[1]


def test_kernels_in_every_form_and_names_of_columns() -> None:
    frame = pd.DataFrame(X, columns=["a b", "c"])
    text = "SE[a b] * SE[c] + WN"
    models = [SymmetricGPRegressor(form, group=swap(2), n_restarts=1).fit(frame, Y)
              for form in (text, parse(text), parse_kernel(text))]  # fmt: skip
    assert len({model.kernel_.values for model in models}) == 1
    assert isinstance(models[0].kernel_, Kernel)
    assert str(SymmetricGPRegressor(n_restarts=1).fit(frame, Y).kernel_) == "C + SE[a b] * SE[c] + WN"
    assert str(SymmetricGPRegressor(n_restarts=1).fit(X[:, :1], Y).kernel_) == "C + SE[x] + WN"


def test_numbers_that_are_given_are_where_the_fit_begins() -> None:
    best = SymmetricGPRegressor(SMOOTH, group=swap(2)).fit(X, Y)
    again = SymmetricGPRegressor(best.kernel_, group=swap(2), n_restarts=1).fit(X, Y)
    assert again.log_evidence_ == pytest.approx(best.log_evidence_, abs=1e-3)


def test_groups_can_be_chosen_by_cross_validation() -> None:
    rows = CHANCE.normal(size=(40, 2))
    y = (rows[:, 0] - rows[:, 1]) * rows.sum(axis=1) + 0.05 * CHANCE.normal(size=40)
    choices = {"group": [None, swap(2), swap(2, odd=True)]}
    search = GridSearchCV(SymmetricGPRegressor(n_restarts=1), choices, cv=3).fit(rows, y)
    assert search.best_params_["group"].odd
    found = permutation_importance(search.best_estimator_, rows, y, n_repeats=2, random_state=0)
    assert found.importances_mean.min() > 0.1
    again = pickle.loads(pickle.dumps(search.best_estimator_))
    assert np.array_equal(again.predict(rows), search.predict(rows))


def test_the_same_seed_gives_the_same_numbers() -> None:
    one, two = (SymmetricGPRegressor(group=swap(2), random_state=3).fit(X, Y).predict(NEW) for _ in range(2))
    assert np.array_equal(one, two)
    assert repr(clone(SymmetricGPRegressor(group=swap(2)))) == "SymmetricGPRegressor(group=Group(2 maps of 2 columns))"


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ({"construction": "mean"}, "construction='projection' or"),
        ({"n_restarts": 0}, "n_restarts as a whole number from 1"),
        ({"group": [[0, 1]]}, "a Group or None"),
        ({"group": swap(3)}, "rows of 3 columns"),
        ({"kernel": "SE + WN"}, "leaves on the columns 'x1', 'x2'; found a leaf"),
        ({"kernel": "(SE[x1] + WN) * SE[x2]"}, "white noise as a term, or as a factor of one"),
        ({"group": swap(2), "construction": "product", "kernel": "Lin[x1] + WN"}, "the term Lin"),
        ({"group": swap(2, odd=True), "construction": "product"}, "without signs"),
        ({"multiplier": lambda rows: rows}, "a multiplier that returns 20 numbers"),
    ],
)
def test_settings_are_checked(setting: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        SymmetricGPRegressor(**setting).fit(X, Y)  # type: ignore[arg-type]


def test_too_many_points_are_refused_with_a_remedy() -> None:
    rows = np.random.default_rng(0).normal(size=(60, 5))
    with pytest.raises(InputError, match=r"found 7200 \(60 rows, 120 images of each\); give fewer rows, or"):
        SymmetricGPRegressor(group=permutations(5)).fit(rows, rows[:, 0])
    model = SymmetricGPRegressor(group=permutations(5), construction="projection", n_restarts=1)
    assert model.fit(rows, rows.sum(axis=1)).predict(rows[:3, ::-1]) == pytest.approx(model.predict(rows[:3]))


def test_any_group_will_do() -> None:
    """The turn by a third written as a matrix, with an offset."""
    turn = np.array([[0.0, -1.0], [1.0, -1.0]])
    hexagon = generated([(turn, np.array([0.5, 0.0]))])
    model = SymmetricGPRegressor(group=group(zip(hexagon.matrices, hexagon.offsets, strict=True)), n_restarts=1).fit(
        X, Y
    )
    there = model.predict(NEW @ turn.T + np.array([0.5, 0.0]))
    assert there == pytest.approx(model.predict(NEW), abs=1e-9)


def test_all_constructions_are_there() -> None:
    assert list(CONSTRUCTIONS) == ["sum", "projection", "product"]
