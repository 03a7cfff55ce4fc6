"""Estimators in files: the same predictions, no code, and words for what cannot be read."""

import json
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import is_classifier
from sklearn.exceptions import NotFittedError

import autostatistician
from autostatistician import (
    GPLVM,
    HKLRegressor,
    InfiniteGaussianMixture,
    InfiniteWarpedMixture,
    SemiParametricGPRegressor,
    SymmetricGPRegressor,
)
from autostatistician.errors import InputError

RNG = np.random.default_rng(0)
X = pd.DataFrame({"age": RNG.normal(size=30), "mass": RNG.normal(size=30)})
Y = np.sin(X["age"]) + 0.1 * RNG.normal(size=30)
CLASSES = np.where(Y > 0.0, "high", "low")
QUICK: dict[str, dict[str, Any]] = {
    "AdditiveGPClassifier": {},
    "AdditiveGPRegressor": {"n_restarts": 1},
    "DeepGPRegressor": {"n_restarts": 1, "max_iter": 20, "kernel": ["SE", "SE + Lin"]},
    "GPClassifier": {"kernel": "SE + C"},
    "GPRegressor": {"n_restarts": 1},
    "HKLClassifier": {"lambdas": (1e-3, 1e-4)},
    "HKLRegressor": {"lambdas": (1e-3, 1e-4)},
    "MultiOutputGPRegressor": {"n_restarts": 1},
    "SemiParametricGPRegressor": {"n_restarts": 1},
    "SymmetricGPRegressor": {"n_restarts": 1},
}


@cache
def fitted(name: str) -> Any:
    """The estimator of a name as it is fitted to these rows; nobody may change it."""
    model = getattr(autostatistician, name)(**QUICK[name])
    return model.fit(X, CLASSES if is_classifier(model) else Y)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::autostatistician.gp.classes.approximations.SeparableWarning")
@pytest.mark.parametrize("name", QUICK)
def test_a_file_holds_the_whole_model(name: str, tmp_path: Path) -> None:
    model = fitted(name)
    model.save(tmp_path / "model.json")
    again = type(model).load(tmp_path / "model.json")
    ask = "predict_proba" if is_classifier(model) else "predict"
    np.testing.assert_array_equal(getattr(again, ask)(X), getattr(model, ask)(X))
    assert again.get_params() == model.get_params()
    assert list(again.feature_names_in_) == ["age", "mass"]


@pytest.mark.parametrize(
    ("kind", "ask"),
    [(InfiniteWarpedMixture, "score_samples"), (InfiniteGaussianMixture, "predict"), (GPLVM, "transform")],
)
def test_a_file_holds_a_model_without_a_target(kind: Any, ask: str, tmp_path: Path) -> None:
    model = kind(**({"max_iter": 20} if kind is GPLVM else {"n_chains": 1, "n_sweeps": 4, "n_jobs": 1}))
    model.fit(X)
    model.save(tmp_path / "model.json")
    again = kind.load(tmp_path / "model.json")
    np.testing.assert_array_equal(getattr(again, ask)(X), getattr(model, ask)(X))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The file of a small model."""
    HKLRegressor(lambdas=(1e-3,)).fit(X, Y).save(tmp_path / "model.json")
    return tmp_path / "model.json"


def test_a_model_of_another_kind_or_version_is_refused(path: Path) -> None:
    with pytest.raises(InputError, match=r"a SymmetricGPRegressor that `save` wrote.*found a HKLRegressor"):
        SymmetricGPRegressor.load(path)
    record = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(record | {"version": "0.0.9"}), encoding="utf-8")
    with pytest.raises(InputError, match=r"found one of 0\.0\.9; fit and save it again"):
        HKLRegressor.load(path)


@pytest.mark.parametrize(
    "model",
    [
        None,
        [],
        {"!": "object"},
        {"!": "object", "class": "os:system", "state": {"!": "dict", "items": []}},
        {"!": "object", "class": "autostatistician._io.files:Path", "state": {"!": "dict", "items": []}},
        {"!": "function", "function": "autostatistician._io.files:write_whole"},
        {"!": "partial", "function": "autostatistician._io.files:write_whole", "items": ["x"]},
        {"!": "array", "dtype": "<f8", "shape": [9], "scalar": False, "data": "AAAA"},
        {"!": "tuple", "class": "autostatistician._io.files:write_whole", "items": []},
    ],
)
def test_a_file_names_nothing_that_acts(path: Path, model: Any) -> None:
    record = json.loads(path.read_text(encoding="utf-8")) | {"model": model}
    path.write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(InputError, match="a HKLRegressor that `save` wrote"):
        HKLRegressor.load(path)


@pytest.mark.parametrize("text", ["", "[]", "{}", "\x00", f'{{"version": "{version("autostatistician")}"}}'])
def test_what_is_no_model_is_refused(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="a HKLRegressor that `save` wrote"):
        HKLRegressor.load(path)
    with pytest.raises(InputError, match="No such file"):
        HKLRegressor.load(path.with_name("other.json"))


def test_functions_of_the_caller_are_no_data(tmp_path: Path) -> None:
    model = SemiParametricGPRegressor("WN", basis=lambda rows: rows[:, :1], n_restarts=1)
    with pytest.raises(NotFittedError):
        model.save(tmp_path / "model.json")
    with pytest.raises(InputError, match="settings that are data, to save a model; found a function"):
        model.fit(X, Y).save(tmp_path / "model.json")
    assert list(tmp_path.iterdir()) == []
