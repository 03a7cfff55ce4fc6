"""Classifiers on six sets, fold by fold, beside the best published Gaussian processes and peers in the same run.

Columns are standardised with all rows, as they were in the original (Duvenaud 2014, tables 6.6 and 6.7); the folds are
the original ones. EBM takes part where it is installed, and is said to be absent where it is not. Every method has one
core; seconds are of the processor, for fit and prediction together.

Usage: python benchmarks/classification.py [--sets heart] [--methods gp additive logistic] [--folds 0 4]
       python benchmarks/classification.py --summary
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF, ConstantKernel

from autostatistician import AdditiveGPClassifier, GPClassifier
from class_folds import means, peer, run_missing, scored
from common import Row

COLUMNS = ("error", "nll", "seconds", "evidence", "code")
# The best published Gaussian process: per cent of errors and negative log density.
PUBLISHED = {
    "breast": (4.73, 0.146),
    "pima": (22.4, 0.461),
    "sonar": (15.7, 0.377),
    "ionosphere": (6.83, 0.236),
    "liver": (27.3, 0.569),
    "heart": (16.1, 0.393),
}
METHODS = ("gp", "gp-laplace", "additive", "first-order", "sklearn-gp", "logistic", "boosting", "ebm")


def standardised(data: Path, name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Inputs, classes and folds of a set."""
    path = data / "classification" / f"{name}.csv"
    header = path.read_text(encoding="utf-8").splitlines()[0].split(",")
    rows = np.loadtxt(path, delimiter=",", skiprows=1)
    spread = rows.std(axis=0, ddof=1)
    inputs = [place for place, column in enumerate(header) if column not in ("y", "fold", "fold_gpss")]
    X = ((rows - rows.mean(axis=0)) / np.where(spread > 0.0, spread, 1.0))[:, inputs]
    return X, rows[:, header.index("y")].astype(int), rows[:, header.index("fold")].astype(int)


def classifier(method: str, columns: int) -> Any:
    """A classifier that was not fitted yet."""
    match method:
        case "gp":
            return GPClassifier("SE + C")
        case "gp-laplace":
            return GPClassifier("SE + C", inference="laplace")
        case "additive":
            return AdditiveGPClassifier()
        case "first-order":
            return AdditiveGPClassifier(max_order=1)
        case "sklearn-gp":
            kernel = ConstantKernel(1.0, (1e-4, 1e4)) * RBF(np.ones(columns), (1e-2, 1e4))
            return GaussianProcessClassifier(kernel, random_state=0)
        case "logistic":
            from sklearn.linear_model import LogisticRegression

            return LogisticRegression(max_iter=1000)
        case _:
            return peer(method)


def run(data: Path, name: str, fold: int, method: str) -> Row:
    """Fit nine folds, predict the tenth."""
    X, y, folds = standardised(data, name)
    model, row = scored(classifier(method, X.shape[1]), X, y, folds != fold, folds == fold)
    evidence = round(model.log_evidence_, 2) if hasattr(model, "log_evidence_") else ""
    return row | {"evidence": evidence}


def summary(rows: list[Row]) -> list[Row]:
    """Means over the folds beside what was published."""
    return [
        row
        | {"best published error": f"{PUBLISHED[row['set']][0]}", "best published nll": f"{PUBLISHED[row['set']][1]}"}
        for row in means(rows, tuple(PUBLISHED), METHODS)
    ]


if __name__ == "__main__":
    run_missing(__doc__, "classification.csv", COLUMNS, tuple(PUBLISHED), METHODS, run, summary)
