"""Stand-ins for the loader and the estimator behind the command line."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

RECORD = {
    "expression": "SE + WN",
    "components": [],
    "nll": 1.5,
    "bic": float("nan"),
    "warnings": ["2 rows \x1b dropped"],
}


@dataclass(frozen=True)
class Step:
    """What the search tells."""

    level: int = 1
    max_depth: int = 10
    expression: str = "SE[weird [name]] + WN"
    bic: float = 12.0


class Fake:
    """The face of the estimator without its work."""

    made: Fake
    interrupted_ = False
    during_fit: Callable[[], None] = staticmethod(lambda: None)
    during_report: Callable[[], None] = staticmethod(lambda: None)

    def __init__(self, **arguments: Any) -> None:
        self.arguments, self.horizon = arguments, None
        Fake.made = self

    def fit(self, data: object, callback: Callable[[Step], None] | None = None, checkpoint: object = None) -> Fake:
        assert callback is not None
        callback(Step())
        self.during_fit()
        return self

    def result(self) -> dict[str, Any]:
        return dict(RECORD)

    def describe(self) -> list[str]:
        return ["A smooth function.", "Noise."]

    def report(self, path: Path, horizon: int | None = None) -> None:
        self.horizon = horizon
        self.during_report()
        Path(path).write_text("whole", encoding="utf-8")

    def save(self, path: Path) -> None:
        Path(path).write_text("{}", encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> Fake:
        return cls()

    def forecast(self, steps: int) -> pd.DataFrame:
        times = pd.date_range("1961-01-01", periods=steps, freq="MS")
        return pd.DataFrame({"time": times, "mean": 1.0, "std": 0.5, "lower": 0.0, "upper": 2.0})


@dataclass(frozen=True)
class Faked:
    """The class in the place of the estimator, and what the loader was asked for."""

    estimator: type[Fake]
    asked: list[tuple[str, dict[str, Any]]]


@pytest.fixture
def faked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Faked:
    """Stand-ins for the loader and the estimator, in an empty current folder."""
    asked: list[tuple[str, dict[str, Any]]] = []
    estimator = type("Estimator", (Fake,), {})

    def load(data: str, **options: Any) -> types.SimpleNamespace:
        asked.append((data, options))
        return types.SimpleNamespace(classes=())

    for name, value in (("data.load", {"load": load}),
                        ("estimators.statistician", {"AutomaticStatistician": estimator}),
                        ("estimators.statistician_classifier", {"AutomaticStatisticianClassifier": None}),
                        ("estimators.loading", {"load_estimator": estimator.load})):  # fmt: skip
        module = types.ModuleType(f"autostatistician.{name}")
        vars(module).update(value)
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("AUTOSTATISTICIAN_DEBUG", raising=False)
    return Faked(estimator, asked)


@pytest.fixture
def model(faked: Faked) -> str:
    """The path of a saved model."""
    Path("model.json").write_text("{}", encoding="utf-8")
    return "model.json"
