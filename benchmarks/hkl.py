"""Hierarchical kernel learning and straight lines on tables, fold by fold, against the published figures.

Five sets with a number and six with two classes as target, with the folds of the original (Duvenaud 2014, tables 6.4
and 6.6) and its settings. The columns (and numbers to predict) are standardised with all rows, as they were there.
Published figures are those of the penalty with the least training error (``training``); ``cv`` chooses it by five
folds of the training rows. Of a number the squared error, of classes the share of errors and the mean negative log
probability. The published logistic regression lacks an intercept; here it has one. The other rivals of these papers,
an additive model of single columns and one of all subsets, are methods of ``additive.py``.

About 12 minutes of one core.

Usage: python benchmarks/hkl.py [--set servo heart] [--method training cv linear] [--fold 0 1]
"""

import argparse
from typing import Any

import numpy as np

from autostatistician import HKLClassifier, HKLRegressor
from classes import standardised as labelled
from common import REFERENCE, Bench, Row, command, read_rows
from regression import FOLDS, SETS, published, standardised

CLASSES = ("breast", "pima", "sonar", "ionosphere", "liver", "heart")
HKL = ("training", "cv")
METHODS = (*HKL, "linear")
MOST = {"regression": 300, "classification": 400}  # subsets at a time
RIDGE = 0.01  # of the logistic regression, which has no best one where classes are separable


def run(case: Row, given: argparse.Namespace) -> Row:
    """Fit nine folds, predict the tenth."""
    classes = case["set"] in CLASSES
    X, y, folds = (labelled if classes else standardised)(given.data, case["set"])
    test = folds == case["fold"]
    model = _model(case["method"], classes).fit(X[~test], y[~test])
    scores = _of_classes(model, X[test], y[test]) if classes else _of_numbers(model, X[test], y[test])
    return scores | _told(model)


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


BENCH = Bench(
    file="hkl.csv", case=("set", "method", "fold"), run=run,
    columns=("error", "nll", "seconds", "lambda", "subsets", "gap", "proven", "code"),
    options={"method": METHODS, "set": (*SETS, *CLASSES), "fold": tuple(range(FOLDS))},
)  # fmt: skip

if __name__ == "__main__":
    command(__doc__, BENCH)
