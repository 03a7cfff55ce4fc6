"""Hierarchical kernel learning and straight lines on tables, fold by fold, against the published figures.

Five sets with a number and six with two classes as target, with the folds of the original (Duvenaud 2014, tables 6.4
and 6.6) and its settings. The columns (and numbers to predict) are standardised with all rows, as they were there.
Published figures are those of the penalty with the least training error (``training``); ``cv`` chooses it by five
folds of the training rows. Of a number the squared error, of classes the share of errors and the mean negative log
probability. The published logistic regression lacks an intercept; here it has one. The other rivals of these papers,
an additive model of single columns and one of all subsets, are methods of ``additive.py``.

Usage: python benchmarks/hkl.py [--sets servo heart] [--methods training cv linear] [--summary]
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from autostatistician import HKLClassifier, HKLRegressor
from common import REFERENCE, Ledger, Row, arguments, code_version, read_rows, table
from folds import FOLDS, SETS, different, published, standardised

__all__ = ["CLASSES", "METHODS", "HKL", "known_errors", "summary"]

CASE = ("set", "method", "fold")
COLUMNS = ("error", "nll", "seconds", "lambda", "subsets", "gap", "proven", "code")
CLASSES = ("breast", "pima", "sonar", "ionosphere", "liver", "heart")
HKL = ("training", "cv")
METHODS = (*HKL, "linear")
MOST = {"regression": 300, "classification": 400}  # subsets at a time
RIDGE = 0.01  # of the logistic regression, which has no best one where classes are separable


@cache
def code() -> str:
    """The version of the code that decides about the figures."""
    return code_version(("hkl", "estimators/hkl.py"))


def labelled(data: Path, name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Standardised inputs, classes and folds of a set."""
    rows = np.loadtxt(data / "classification" / f"{name}.csv", delimiter=",", skiprows=1)
    X, y, folds = rows[:, :-3], rows[:, -3], rows[:, -2].astype(int)
    spread = X.std(axis=0, ddof=1)
    return (X - X.mean(axis=0)) / np.where(spread > 0.0, spread, 1.0), y, folds


def run(data: Path, case: Row) -> Row:
    """Fit nine folds, predict the tenth."""
    classes = case["set"] in CLASSES
    X, y, folds = (labelled if classes else standardised)(data, case["set"])
    test, start = folds == case["fold"], time.process_time()
    model = _model(case["method"], classes).fit(X[~test], y[~test])
    scores = _of_classes(model, X[test], y[test]) if classes else _of_numbers(model, X[test], y[test])
    return case | scores | {"seconds": round(time.process_time() - start, 1)} | _told(model) | {"code": code()}


def _model(method: str, classes: bool) -> Any:
    if method == "linear":
        from sklearn.linear_model import LinearRegression, LogisticRegression

        return LogisticRegression(C=1.0 / RIDGE, max_iter=1000) if classes else LinearRegression()
    kind, most = (HKLClassifier, "classification") if classes else (HKLRegressor, "regression")
    return kind(method, max_subsets=MOST[most])


def _of_numbers(model: Any, X: np.ndarray, y: np.ndarray) -> Row:
    return {"error": round(float(np.mean((model.predict(X) - y) ** 2)), 5), "nll": ""}


def _of_classes(model: Any, X: np.ndarray, y: np.ndarray) -> Row:
    chances = model.predict_proba(X)[np.arange(len(y)), np.searchsorted(model.classes_, y)]
    nll = -float(np.mean(np.log(np.maximum(chances, 1e-300))))
    return {"error": round(100.0 * float(np.mean(model.predict(X) != y)), 4), "nll": round(nll, 5)}


def _told(model: Any) -> Row:
    if not hasattr(model, "gap_"):
        return dict.fromkeys(("lambda", "subsets", "gap", "proven"), "")
    told = {"subsets": len(model.subsets_), "gap": f"{model.gap_:.1e}", "proven": int(model.proven_)}
    return {"lambda": f"{model.lambda_:.2e}"} | told


# What the table says ---------------------------------------------------------------------------------------


def known_errors() -> dict[tuple[str, str], float]:
    """The published mean errors by set and method, in per cent for classes."""
    numbers = {(name, "HKL"): float(published()[name, "HKL"]["mse"]) for name in SETS}
    lines = {(name, "linear"): float(published()[name, "linear"]["mse"]) for name in SETS}
    classes = {(row["set"], row["method"]): float(row["error"]) for row in read_rows(REFERENCE / "classification.csv")}
    return numbers | lines | classes


def summary(rows: Sequence[Row]) -> list[Row]:
    """Means over the folds beside the published ones, with the p-value that they differ."""
    known, found = known_errors(), []
    for name in (*SETS, *CLASSES):
        for method in METHODS:
            own = [row for row in rows if (row["set"], row["method"]) == (name, method)]
            if own:
                found.append({"set": name, "method": method, "folds": len(own)} | _compared(own, known, name, method))
    return found


def _compared(own: Sequence[Row], known: dict[tuple[str, str], float], name: str, method: str) -> Row:
    errors = [float(row["error"]) for row in own]
    theirs = known[name, "HKL" if method in HKL else "linear"]
    gaps = [float(row["gap"]) for row in own if row["gap"]]
    return {
        "error": f"{fmean(errors):.3f}",
        "published": theirs,
        "ratio": f"{fmean(errors) / theirs:.2f}",
        "p": f"{different(errors, theirs):.2f}",
        "nll": f"{fmean(float(row['nll']) for row in own):.3f}" if own[0]["nll"] else "",
        "largest gap": f"{max(gaps):.1e}" if gaps else "",
        "seconds": f"{fmean(float(row['seconds']) for row in own):.1f}",
    }


def main() -> None:
    """Run what is missing, or show what the table says."""
    parser = arguments(__doc__, "hkl.csv", languages=())
    parser.add_argument("--sets", nargs="+", default=list(SETS), choices=(*SETS, *CLASSES))
    parser.add_argument("--methods", nargs="+", default=list(METHODS), choices=METHODS)
    parser.add_argument("--folds", nargs="+", type=int, default=list(range(FOLDS)))
    given = parser.parse_args()
    ledger = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh)
    for method in given.methods if not given.summary else ():
        for name in given.sets:
            for fold in given.folds:
                case = {"set": name, "method": method, "fold": fold}
                if not ledger.done(case | {"code": code()}):
                    ledger.write(run(given.data, case))
    print(table(summary(read_rows(given.csv))))


if __name__ == "__main__":
    main()
