"""Classifiers on six sets, fold by fold, beside the best published Gaussian processes and peers in the same run.

Columns are standardised with all rows, as they were in the original (Duvenaud 2014, tables 5.4 and 5.5); the folds are
the original ones. EBM takes part where it is installed, and is said to be absent where it is not. Every method has one
core; seconds are of the processor, for fit and prediction together.

Usage: python benchmarks/classification.py [--sets heart] [--methods gp additive logistic] [--folds 0 4]
       python benchmarks/classification.py --summary
"""

from __future__ import annotations

import time
import warnings
from importlib.util import find_spec
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF, ConstantKernel

from autostatistician import AdditiveGPClassifier, GPClassifier
from common import Ledger, Row, arguments, code_version, read_rows, table

CASE, COLUMNS = ("set", "method", "fold"), ("error", "nll", "seconds", "evidence", "code")
FOLDS = 10
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
LEAST = 1e-12  # probability, of classifiers that are sure


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
            return GPClassifier()
        case "gp-laplace":
            return GPClassifier(inference="laplace")
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
        case "boosting":
            from sklearn.ensemble import HistGradientBoostingClassifier

            return HistGradientBoostingClassifier(random_state=0)
        case _:
            from interpret.glassbox import ExplainableBoostingClassifier

            return ExplainableBoostingClassifier(random_state=0, n_jobs=1)


def run(X: np.ndarray, y: np.ndarray, test: np.ndarray, method: str) -> Row:
    """Fit nine folds, predict the tenth: per cent of errors and mean negative log density."""
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = classifier(method, X.shape[1]).fit(X[~test], y[~test])
    p = model.predict_proba(X[test])[np.arange(int(test.sum())), np.searchsorted(model.classes_, y[test])]
    seconds = time.process_time() - start
    error = 100.0 * float(np.mean(model.predict(X[test]) != y[test]))
    nll = -float(np.mean(np.log(np.maximum(p, LEAST))))
    evidence = round(model.log_evidence_, 2) if hasattr(model, "log_evidence_") else ""
    return {"error": round(error, 3), "nll": round(nll, 5), "seconds": round(seconds, 2), "evidence": evidence}


def summary(rows: list[Row]) -> list[Row]:
    """Means over the folds beside what was published."""
    found: list[Row] = []
    for name, (error, nll) in PUBLISHED.items():
        for method in METHODS:
            own = [row for row in rows if (row["set"], row["method"]) == (name, method)]
            if own:
                means = {one: fmean(float(row[one]) for row in own) for one in ("error", "nll", "seconds")}
                shown = {one: f"{value:.3g}" for one, value in means.items()}
                shown |= {"best published error": f"{error}", "best published nll": f"{nll}"}
                found.append({"set": name, "method": method, "folds": len(own)} | shown)
    return found


def main() -> None:
    """Run what is missing, or show what the table says."""
    parser = arguments(__doc__, "classification.csv", languages=())
    parser.add_argument("--sets", nargs="+", default=list(PUBLISHED), choices=PUBLISHED)
    parser.add_argument("--methods", nargs="+", default=list(METHODS), choices=METHODS)
    parser.add_argument("--folds", nargs="+", type=int, default=list(range(FOLDS)))
    given = parser.parse_args()
    ledger, stamp = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh), code_version()
    for method in given.methods if not given.summary else ():
        if method == "ebm" and find_spec("interpret") is None:
            print("ebm is not installed: it has no rows")
            continue
        for name in given.sets:
            X, y, folds = standardised(given.data, name)
            for fold in given.folds:
                case = {"set": name, "method": method, "fold": fold, "code": stamp}
                if not ledger.done(case):
                    ledger.write(case | run(X, y, folds == fold, method))
    print(table(summary(read_rows(given.csv))))


if __name__ == "__main__":
    main()
