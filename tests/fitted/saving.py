"""One saved model of each kind, kept for the versions to come: ``python -m tests.fitted.saving``.

Writes ``tests/fitted/saved/VERSION/KIND.json`` and, beside them, what each foresees and what is printed of the series
for machines. What is there is left alone, so that it stays that of the day on which its version was released.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from autostatistician import AutomaticStatistician, AutomaticStatisticianClassifier, TargetOptions, __version__

__all__ = ["FOLDER", "KINDS", "main"]
FOLDER = Path(__file__).parent / "saved"
QUICK = {"max_depth": 1, "n_restarts": 1, "n_jobs": 1, "random_state": 0}
ROWS = 30


def _table(**columns: object) -> pd.DataFrame:
    return pd.DataFrame({"month": pd.date_range("2020-01-01", periods=ROWS, freq="MS"), **columns})


def _regressor(target: str, table: pd.DataFrame, options: TargetOptions | None = None) -> AutomaticStatistician:
    return AutomaticStatistician(**QUICK, target_options=options).fit(table, target)  # type: ignore[arg-type]


def _series() -> AutomaticStatistician:
    noise = np.random.default_rng(0).normal(size=ROWS)
    return _regressor("sold", _table(sold=50.0 + 2.0 * np.arange(ROWS) + noise))


def _logarithm() -> AutomaticStatistician:
    noise = np.random.default_rng(1).normal(0.0, 0.05, size=ROWS)
    return _regressor("sold", _table(sold=np.exp(0.1 * np.arange(ROWS) + noise)), TargetOptions(transform="log"))


def _beside() -> AutomaticStatistician:
    rng = np.random.default_rng(2)
    price = rng.normal(10.0, 1.0, ROWS)
    return _regressor("sold", _table(price=price, sold=90.0 - 4.0 * price + rng.normal(size=ROWS)))


def _counts() -> AutomaticStatistician:
    cases = np.random.default_rng(3).poisson(3.0, ROWS)
    return _regressor("cases", _table(cases=cases), TargetOptions(likelihood="poisson"))


def _shares() -> AutomaticStatistician:
    late = np.random.default_rng(4).binomial(200, 0.2, ROWS)
    return _regressor("late", _table(late=late, trains=np.full(ROWS, 200)), TargetOptions(totals="trains"))


def _rows() -> AutomaticStatistician:
    rng = np.random.default_rng(5)
    table = pd.DataFrame(
        {"size": rng.uniform(40.0, 160.0, ROWS), "place": np.array(["town", "field"])[np.arange(ROWS) % 2]}
    )
    table["price"] = 2.0 * table["size"] + 30.0 * (table["place"] == "town") + rng.normal(0.0, 5.0, ROWS)
    return _regressor("price", table)


def _classes(count: int) -> AutomaticStatisticianClassifier:
    rng = np.random.default_rng(6)
    X = rng.normal(size=(2 * ROWS, 2))
    names = np.array(["low", "middle", "high"][:count])
    edges = np.quantile(X[:, 0], np.linspace(0.0, 1.0, count + 1)[1:-1])
    labels = names[np.searchsorted(edges, X[:, 0] + 0.3 * rng.normal(size=2 * ROWS))]
    return AutomaticStatisticianClassifier(**QUICK).fit(X, labels)  # type: ignore[arg-type]


KINDS: dict[str, Callable[[], AutomaticStatistician | AutomaticStatisticianClassifier]] = {
    "series": _series,
    "logarithm": _logarithm,
    "columns beside": _beside,
    "counts": _counts,
    "shares": _shares,
    "table": _rows,
    "two classes": lambda: _classes(2),
    "three classes": lambda: _classes(3),
}


def read(path: Path) -> AutomaticStatistician | AutomaticStatisticianClassifier:
    """A saved model, by the face that its name asks for."""
    return (AutomaticStatisticianClassifier if "classes" in path.stem else AutomaticStatistician).load(path)


def predictions(model: AutomaticStatistician | AutomaticStatisticianClassifier) -> list[list[float]]:
    """What a model foresees: three steps ahead, three rows of a table, or the chances of three rows."""
    if isinstance(model, AutomaticStatisticianClassifier):
        return model.predict_proba(np.array([[-1.0, 0.0], [0.0, 0.0], [1.0, 0.0]])).tolist()
    if model.dataset_.axis is None:
        rows = pd.DataFrame({"size": [50.0, 90.0, 150.0], "place": ["town", "field", "town"]})
        return np.column_stack(model.predict(rows, return_std=True)).tolist()
    return model.forecast(3)[["mean", "std"]].to_numpy().tolist()


def documents(folder: Path) -> None:
    """What the command line prints for machines of the saved series, and its report as JSON."""
    written = {
        "search.json": ("describe", "series.json", "--json"),
        "forecast.json": ("forecast", "series.json", "--horizon", "3", "--json"),
        "answer.json": ("ask", "series.json", "trend", "--json"),
    }
    (folder / "documents").mkdir(exist_ok=True)
    for name, words in written.items():
        if not (path := folder / "documents" / name).exists():
            made = [sys.executable, "-m", "autostatistician", *words]
            path.write_bytes(subprocess.run(made, cwd=folder, check=True, capture_output=True).stdout)
    if not (path := folder / "documents" / "report.json").exists():
        read(folder / "series.json").report(path)


def main() -> None:
    """Make what is not there."""
    folder = FOLDER / __version__
    folder.mkdir(parents=True, exist_ok=True)
    for name, made in KINDS.items():
        path = folder / f"{name.replace(' ', '_')}.json"
        if not path.exists():
            made().save(path)
    models = sorted(path for path in folder.glob("*.json") if path.stem != "predictions")
    of_the_day = folder / "predictions.json"
    expected = json.loads(of_the_day.read_text(encoding="utf-8")) if of_the_day.exists() else {}
    expected |= {path.stem: predictions(read(path)) for path in models if path.stem not in expected}
    of_the_day.write_text(json.dumps(expected, indent=1) + "\n", encoding="utf-8")
    documents(folder)


if __name__ == "__main__":
    main()
