"""Record what searches, forecasts and reports give for the cases, as data.

Usage: python -m tests.recorded.record [--kinds series,tables] [--jobs 2] [--replay EVERY]

Without ``--replay`` the records are written anew; with it every so many-th case is made again and compared with its
record, and each difference is printed. A line of ``KIND.jsonl`` is a case: the expression with its scores, a forecast
(or predictions of the first rows), and the claims that are told, each with kind, number, range, unit, place and
probability, not as text.
"""

import argparse
import json
import math
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import joblib
import pandas as pd
from tests.recorded.cases import KINDS, Case, cases

from autostatistician.cli.main import main as command
from autostatistician.estimators.loading import load_estimator

__all__ = ["differences", "path_of", "record", "recorded"]

FOLDER = Path(__file__).resolve().parent
STEPS, ROWS = 6, 5  # of a forecast, and of a table that are predicted
DIGITS = 12
CLOSE = 1e-9  # relative difference that is none: sums may be in another order

Record = dict[str, Any]

# What is kept of a claim, under these names whatever the report calls them.
FIELDS = {
    "kind": ("kind", "fact"), "number": ("number", "swing", "share", "correlation"), "unit": ("unit",),
    "range": ("interval", "swing_interval"), "period": ("period",), "at": ("at", "from", "column", "columns", "along"),
    "until": ("until", "to"), "probability": ("probability",), "direction": ("direction",), "standing": ("standing",),
}  # fmt: skip
OF_COLUMNS = {
    "matters", "course", "act together", "explained", "foreseen", "noise",
}  # fmt: skip


def path_of(kind: str) -> Path:
    return FOLDER / f"{kind}.jsonl"


def recorded(kind: str) -> dict[str, Record]:
    """The records of a kind by the names of their cases."""
    lines = path_of(kind).read_text(encoding="utf-8").splitlines()
    return {each["name"]: each for each in map(json.loads, lines)}


def record(case: Case) -> Record:
    """What is made of a case, by the commands that users give."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data.csv"
        case.frame.to_csv(data, index=False)
        is_panel = "--id" in case.options
        found = _panel(case, data) if is_panel else _model(case, data)
    return {"name": case.name, **_rounded(found)}


def _run(*arguments: str) -> None:
    code = command(arguments)
    assert code == 0, arguments


def _model(case: Case, data: Path) -> Record:
    model, report = data.with_suffix(".model.json"), data.with_suffix(".json")
    _run("fit", str(data), "--output", str(model), "--quiet", "--n-jobs", "1", *case.options)
    fitted = load_estimator(model)
    fitted.report(report)
    told = json.loads(report.read_text(encoding="utf-8"))["record"]
    scores = {key: told.get(key) for key in ("expression", "nll", "bic")}
    return {**scores, "forecast": _ahead(fitted, case), "claims": list(_claims(told))}


def _ahead(fitted: Any, case: Case) -> list[Any]:
    """A forecast of a series; of a table predictions of its first rows."""
    if "--target" not in case.options:
        return [[str(value) if isinstance(value, pd.Timestamp) else float(value) for value in row]
                for row in fitted.forecast(STEPS).itertuples(index=False)]  # fmt: skip
    rows = case.frame.drop(columns="y").head(ROWS)
    if hasattr(fitted, "predict_proba"):
        return [list(map(float, row)) for row in fitted.predict_proba(rows)]
    mean, std = fitted.predict(rows, return_std=True)
    return [[float(one), float(other)] for one, other in zip(mean, std, strict=True)]


def _claims(told: Record) -> Iterator[Record]:
    """The claims on a function, else those on columns."""
    for entry in told.get("function", ()):
        if entry["told"]:
            yield _claim(entry)
    for entry in told["facts"]:
        if entry["fact"] in OF_COLUMNS:
            yield _claim(entry)


def _claim(entry: Record) -> Record:
    entry = entry | {"kind": entry["form"]} if entry["fact"] == "course" else entry
    chosen = {name: next((entry[key] for key in keys if key in entry), None) for name, keys in FIELDS.items()}
    return {name: value for name, value in chosen.items() if value is not None}


def _panel(case: Case, data: Path) -> Record:
    folder = data.parent / "panel"
    _run(
        "panel", str(data), "--output", str(folder), "--quiet", "--n-jobs", "1", "--horizon", str(STEPS), *case.options
    )
    lines = [json.loads(line) for path in sorted(folder.rglob("*.jsonl")) for line in path.read_text().splitlines()]
    series = sorted((line for line in lines if "name" in line), key=lambda line: line["name"])
    kept = ("name", "expression", "bic", "forecast", "claims")
    return {"series": [{key: each.get(key) for key in kept} for each in series]}


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else str(value)
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    return [_rounded(each) for each in value] if isinstance(value, list | tuple) else value


def differences(now: Any, then: Any, at: str = "") -> Iterator[str]:
    """Where two records differ, each with what there was and what there is."""
    if isinstance(now, dict) and isinstance(then, dict):
        for key in sorted(now.keys() | then.keys()):
            yield from differences(now.get(key), then.get(key), f"{at}.{key}")
    elif isinstance(now, list) and isinstance(then, list) and len(now) == len(then):
        for number, pair in enumerate(zip(now, then, strict=True)):
            yield from differences(*pair, f"{at}[{number}]")
    elif not _same(now, then):
        yield f"{at}: {then} is now {now}"


def _same(now: Any, then: Any) -> bool:
    numbers = isinstance(now, int | float) and isinstance(then, int | float)
    return math.isclose(now, then, rel_tol=CLOSE, abs_tol=CLOSE) if numbers else bool(now == then)


def _all(kinds: Iterable[str], jobs: int, every: int = 1) -> dict[str, list[Record]]:
    chosen = {kind: list(cases(kind))[::every] for kind in kinds}
    tasks = (joblib.delayed(record)(case) for each in chosen.values() for case in each)
    made = iter(joblib.Parallel(n_jobs=jobs, verbose=1)(tasks))
    return {kind: [next(made) for _ in each] for kind, each in chosen.items()}


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    asked.add_argument("--kinds", default=",".join(KINDS))
    asked.add_argument("--jobs", type=int, default=2)
    asked.add_argument("--replay", type=int, default=0, metavar="EVERY")
    given = asked.parse_args()
    made = _all(given.kinds.split(","), given.jobs, given.replay or 1)
    for kind, records in made.items():
        if given.replay:
            _compare(kind, records)
        else:
            path_of(kind).write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")


def _compare(kind: str, records: list[Record]) -> None:
    then = recorded(kind)
    changed = {each["name"]: list(differences(each, then[each["name"]])) for each in records}
    changed = {name: found for name, found in changed.items() if found}
    print(f"{kind}: {len(records)} replayed, {len(changed)} differ")  # noqa: T201
    for name, found in changed.items():
        print(f"  {name}", *found[:5], sep="\n    ")  # noqa: T201


if __name__ == "__main__":
    main()
