"""Three and more classes: a search of each against the rest, and what all say together."""

from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.saved_models.models import saved

from autostatistician import AutomaticStatisticianClassifier
from autostatistician.errors import InputError
from autostatistician.estimators.loading import load_estimator
from autostatistician.estimators.statistician_classifier import checkpoint_of, forget


def test_two_classes_over_time_are_asked() -> None:
    rng = np.random.default_rng(4)
    days = pd.date_range("2024-01-01", periods=50)
    rain = np.where(rng.uniform(size=50) < np.arange(50) / 50.0, "yes", "no")
    model = AutomaticStatisticianClassifier(language="linear", max_depth=1, n_restarts=1, n_jobs=1)
    model.fit(pd.DataFrame({"day": days, "rain": rain}), "rain")
    told = model.ask("forecast", at="2024-02-21")
    (fact,) = told.facts
    frame = model.forecast(2)
    assert fact["number"] == pytest.approx(100.0 * frame["probability"][1])
    assert told.sentences[0].startswith("The chance of 'rain' = 'yes' for 21 February 2024 is ")
    with pytest.raises(InputError, match="a time after the data"):
        model.ask("forecast", at="2024-01-05")
    with pytest.raises(InputError, match="name one"):
        model.ask("forecast")


N = 90
QUICK: dict[str, Any] = {"language": "se", "max_depth": 1, "n_restarts": 2, "n_jobs": 1, "criterion": "bic"}
NAMES = np.array(["low", "mid", "top"])
TIMES = pd.date_range("2015-01-01", periods=60, freq="MS")


@cache
def _table() -> tuple[pd.DataFrame, Any]:
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"size": rng.uniform(0.0, 9.0, N), "idle": rng.normal(size=N)})
    return frame, NAMES[((frame["size"] + rng.normal(0.0, 0.7, N)) // 3.0).astype(int).clip(0, 2)]


@cache
def _of_table() -> AutomaticStatisticianClassifier:
    return AutomaticStatisticianClassifier(**QUICK).fit(*_table())


@cache
def _of_series() -> AutomaticStatisticianClassifier:
    rng = np.random.default_rng(3)
    kinds = NAMES[(np.arange(60) / 20.0 + rng.normal(0.0, 0.4, 60)).astype(int).clip(0, 2)]
    return AutomaticStatisticianClassifier(**QUICK).fit(pd.DataFrame({"month": TIMES, "kind": kinds}), "kind")


@pytest.mark.slow
def test_chances_sum_to_one_and_lie_in_their_ranges() -> None:
    X, y = _table()
    p = _of_table().predict_proba(X)
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
    assert _of_table().score(X, y) > 0.8
    low, high = _of_table().probability_interval(X)
    assert ((low <= p) & (p <= high) & (low >= 0.0) & (high <= 1.0)).all()
    mean, sd = _of_table().latent_mean_and_std(X)
    assert mean.shape == sd.shape == (N, 3)
    assert list(_of_table().predict(pd.DataFrame({"size": [0.5, 8.5], "idle": [0.0, 0.0]}))) == ["low", "top"]


@pytest.mark.slow
def test_each_class_has_a_model_of_its_own() -> None:
    X, _ = _table()
    each = _of_table().estimators_
    assert [one.classes_.tolist() for one in each] == [[f"not {name}", name] for name in NAMES]
    raw = np.column_stack([one.predict_proba(X)[:, 1] for one in each])
    np.testing.assert_allclose(_of_table().predict_proba(X), raw / raw.sum(axis=1, keepdims=True))
    assert len(_of_table().kernel_) == 3
    assert each[0].estimators_ == [each[0]]
    assert _of_table().transform(X).shape == (N, len(_of_table().get_feature_names_out()))
    assert len(_of_table().decompose(X)) >= 3
    assert set(_of_table().search_.frontier["class"]) == set(_of_table().search_.trace["class"]) == set(NAMES)
    assert _of_table().search_.best[0].startswith("low: ")
    with pytest.raises(InputError, match="one of estimators_"):
        _of_table().component_covariance()


@pytest.mark.slow
def test_a_saved_model_says_the_same(tmp_path: Path) -> None:
    X, _ = _table()
    path = tmp_path / "m.json"
    _of_table().save(path)
    twin = load_estimator(path)
    assert isinstance(twin, AutomaticStatisticianClassifier)
    np.testing.assert_allclose(twin.predict_proba(X), _of_table().predict_proba(X), atol=1e-6)
    assert twin.describe() == _of_table().describe()
    path.write_text(path.read_text().replace('"others": [', '"others": [], "once": ['))
    with pytest.raises(InputError, match="not those of its classes"):
        load_estimator(path)


@pytest.mark.slow
def test_the_page_tells_each_class(tmp_path: Path) -> None:
    text = _of_table().report(tmp_path / "r.md").read_text()
    assert all(f"= '{name}'" in text for name in NAMES)
    assert "iframe" in _of_table()._repr_html_()


@pytest.mark.slow
def test_chances_over_time_are_forecast_and_asked() -> None:
    ahead = _of_series().forecast(3)
    assert list(ahead)[:4] == ["time", "probability_low", "lower_low", "upper_low"]
    assert ahead["time"][0] == pd.Timestamp("2020-01-01")
    np.testing.assert_allclose(sum(ahead[f"probability_{name}"] for name in NAMES), 1.0)
    assert ahead["class"].tolist() == ["top"] * 3
    assert any("in the 15 steps after the data" in text for text in _of_series().describe())
    assert "in the 2 steps after the data" in " ".join(_of_series().report(horizon=2).sentences())
    assert "in the 2 steps after the data" in " ".join(_of_series().describe())
    with pytest.raises(InputError, match="no plan of columns"):
        _of_series().forecast(3, future="auto")


def test_what_one_class_leaves_of_the_processor_time_goes_to_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    budgets, dataset = list[float](), saved("kinds").dataset_

    def searched(self: AutomaticStatisticianClassifier, dataset: Any, callback: Any, kept: Any, budget: float) -> Any:
        budgets.append(budget)
        return SimpleNamespace(search=SimpleNamespace(interrupted=False, spent=2.0 * len(budgets)))

    monkeypatch.setattr(AutomaticStatisticianClassifier, "_model_of", searched)
    AutomaticStatisticianClassifier(time_budget=12.0)._models(dataset, None, None)
    assert budgets == [4.0, 5.0, 6.0]


@pytest.mark.slow
def test_time_is_dealt_out_and_checkpoints_are_kept(tmp_path: Path) -> None:
    kept = tmp_path / "levels.json"
    found = AutomaticStatisticianClassifier(**QUICK, time_budget=1e-3).fit(*_table(), checkpoint=kept)
    assert not found.complete_
    assert len(found.models_) == 3
    assert {len(model.search.trace) for model in found.models_} == {2}  # the first level of each is finished
    again = AutomaticStatisticianClassifier(**QUICK).fit(*_table(), checkpoint=kept)
    np.testing.assert_allclose(again.predict_proba(_table()[0]), _of_table().predict_proba(_table()[0]))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["levels-2.json", "levels-3.json", "levels.json"]
    forget(kept)
    assert not checkpoint_of(kept, 1).exists()
    assert not list(tmp_path.iterdir())
