"""Hierarchical kernel learning as estimators: contract, tuning, what is told, and clear errors."""

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from autostatistician import HKLClassifier, HKLRegressor
from autostatistician.errors import InputError

RNG = np.random.default_rng(7)
FRAME = pd.DataFrame(RNG.uniform(-2.0, 2.0, (60, 3)), columns=["heat", "dose", "lot"])
Y = 5.0 + 2.0 * np.sin(FRAME["heat"]) + FRAME["heat"] * FRAME["dose"] + 0.2 * RNG.normal(size=60)
LABELS = np.where(FRAME["heat"] * FRAME["dose"] > 0.0, "yes", "no")
QUICK: dict[str, Any] = {"lambdas": (1.0, 1e-3, 1e-5), "cv": 2}


@pytest.fixture(scope="module")
def model() -> HKLRegressor:
    return HKLRegressor(growth=2.0, cv=3).fit(FRAME, Y)


def test_what_was_chosen_is_told(model: HKLRegressor) -> None:
    chosen = set(model.subsets_["subset"])
    assert {("heat",), ("dose",), ("heat", "dose")} <= chosen
    assert model.subsets_["subset"][0] in {("heat",), ("heat", "dose")}
    assert all(model.subsets_["norm"].diff().dropna() <= 0.0)
    assert model.proven_
    assert 0.0 <= model.gap_ <= model.gap


def test_the_path_ends_at_the_penalty_with_the_least_held_out_loss(model: HKLRegressor) -> None:
    shown = model.path_
    assert shown["lambda"].iloc[-1] == model.lambda_
    assert shown["held_out_loss"].idxmin() == len(shown) - 1
    assert shown["proven"].all()
    assert np.mean((model.predict(FRAME) - Y) ** 2) / Y.var() == pytest.approx(
        2.0 * shown["training_loss"].iloc[-1], rel=0.02
    )


def test_tuning_by_training_error_takes_the_least_penalty_of_all() -> None:
    trained = HKLRegressor("training").fit(FRAME, Y)
    assert trained.lambda_ == min(trained.lambdas)
    assert len(trained.path_) == 21
    assert trained.path_["held_out_loss"].isna().all()


def test_units_do_not_matter(model: HKLRegressor) -> None:
    other = clone(model).fit(FRAME * [10.0, 0.1, 3.0] + 7.0, 100.0 * Y - 3.0)
    assert other.predict(FRAME * [10.0, 0.1, 3.0] + 7.0) == pytest.approx(100.0 * model.predict(FRAME) - 3.0, rel=1e-4)


def test_classes_are_labels_with_probabilities() -> None:
    model = HKLClassifier(growth=2.0, cv=3).fit(FRAME, LABELS)
    assert model.classes_.tolist() == ["no", "yes"]
    assert np.mean(model.predict(FRAME) == LABELS) > 0.9
    chances = model.predict_proba(FRAME)
    assert chances.sum(axis=1) == pytest.approx(1.0)
    assert np.array_equal(chances[:, 1] > 0.5, model.decision_function(FRAME) > 0.0)
    assert model.subsets_["subset"][0] == ("heat", "dose")
    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict_proba(FRAME), chances)


def test_rows_without_a_pattern_get_their_mean() -> None:
    assert HKLRegressor(**QUICK).fit(FRAME, np.full(60, 3.0)).predict(FRAME) == pytest.approx(3.0)


def test_a_limit_of_subsets_is_told() -> None:
    limited = HKLRegressor(growth=2.0, max_subsets=2, lambdas=(1e-5,)).fit(FRAME, Y)
    assert not limited.proven_
    assert limited.gap_ > limited.gap


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"tuning": "best"}, "tuning='cv'"),
        ({"lambdas": (1.0, 0.0)}, "lambdas above zero"),
        ({"growth": -1.0}, "growth above zero"),
        ({"rank": 0}, "rank as a whole number from 1"),
        ({"cv": 1}, "cv as a whole number from 2"),
    ],
)
def test_settings_out_of_range(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        HKLRegressor(**settings).fit(FRAME, Y)


def test_labels_and_columns_that_it_cannot_use() -> None:
    with pytest.raises(InputError, match="one class only, 'a'"):
        HKLClassifier().fit(FRAME, ["a"] * 60)
    with pytest.raises(InputError, match="none in row 2"):
        HKLClassifier().fit(FRAME, np.array(["a", None] * 30, dtype=object))
    with pytest.raises(InputError, match="Only binary classification"):
        HKLClassifier().fit(FRAME, ["a", "b", "c"] * 20)
    with pytest.raises(InputError, match="categories in column 'kind'"):
        HKLRegressor().fit(FRAME.assign(kind=LABELS), Y)
