"""Classes of wide tables that come with scikit-learn, by ten folds, beside logistic regression, boosting and EBM.

None of the three is among the tables of the other commands, and nothing was chosen by them. Columns are given as they
are but to logistic regression, which gets them standardised over the rows of its fit. EBM takes part where `interpret`
is installed; in another environment `--methods ebm` adds its rows to the same table. Seconds are of the processor, for
fit and prediction together.

Usage: python benchmarks/wide_classes.py [--sets wine] [--methods auto logistic] [--folds 0 4]
       python benchmarks/wide_classes.py --summary
"""

from __future__ import annotations

import time
import warnings
from importlib.util import find_spec
from statistics import fmean
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.model_selection import StratifiedKFold

from common import Ledger, Row, arguments, code_version, read_rows, table

CASE, COLUMNS = ("set", "method", "fold"), ("error", "nll", "seconds", "rows", "columns", "code")
FOLDS = 10
SETS = ("cancer", "wine", "digits")
METHODS = ("auto", "ard", "logistic", "boosting", "ebm")
LEAST = 1e-12  # probability, of classifiers that are sure
TOLD_APART = (3, 8)  # of the ten digits


def rows_of(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Inputs and classes of a set."""
    if name == "digits":
        X, y = load_digits(return_X_y=True)
        two = np.isin(y, TOLD_APART)
        X, y = X[two], y[two]
        return X[:, X.std(axis=0) > 0.0], y
    return (load_breast_cancer if name == "cancer" else load_wine)(return_X_y=True)


def classifier(method: str) -> Any:
    """A classifier that was not fitted yet, with its usual settings."""
    match method:
        case "auto" | "ard":
            from autostatistician import GPClassifier

            return GPClassifier() if method == "auto" else GPClassifier("SE + C")
        case "logistic":
            from sklearn.linear_model import LogisticRegression
            from sklearn.pipeline import make_pipeline
            from sklearn.preprocessing import StandardScaler

            return make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
        case "boosting":
            from sklearn.ensemble import HistGradientBoostingClassifier

            return HistGradientBoostingClassifier(random_state=0)
        case _:
            from interpret.glassbox import ExplainableBoostingClassifier

            return ExplainableBoostingClassifier(random_state=0, n_jobs=1)


def run(X: np.ndarray, y: np.ndarray, fold: int, method: str) -> Row:
    """Fit all folds but one, predict that one: per cent of errors and mean negative log probability."""
    train, test = list(StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(X, y))[fold]
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = classifier(method).fit(X[train], y[train])
    p = model.predict_proba(X[test])
    seconds = time.process_time() - start
    came = p[np.arange(len(test)), np.searchsorted(model.classes_, y[test])]
    error = 100.0 * float(np.mean(model.classes_[p.argmax(axis=1)] != y[test]))
    nll = -float(np.mean(np.log(np.maximum(came, LEAST))))
    shape = {"rows": len(y), "columns": X.shape[1]}
    return {"error": round(error, 3), "nll": round(nll, 5), "seconds": round(seconds, 2)} | shape


def summary(rows: list[Row]) -> list[Row]:
    """Means over the folds."""
    found: list[Row] = []
    for name in SETS:
        for method in METHODS:
            own = [row for row in rows if (row["set"], row["method"]) == (name, method)]
            if own:
                means = {key: f"{fmean(float(row[key]) for row in own):.3g}" for key in ("error", "nll", "seconds")}
                found.append({"set": name, "method": method, "folds": len(own)} | means)
    return found


def main() -> None:
    """Run what is missing, or show what the table says."""
    parser = arguments(__doc__, "wide-classes.csv", languages=())
    parser.add_argument("--sets", nargs="+", default=list(SETS), choices=SETS)
    parser.add_argument("--methods", nargs="+", default=list(METHODS), choices=METHODS)
    parser.add_argument("--folds", nargs="+", type=int, default=list(range(FOLDS)))
    given = parser.parse_args()
    ledger, stamp = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh), code_version()
    for method in given.methods if not given.summary else ():
        if method == "ebm" and find_spec("interpret") is None:
            print("ebm is not installed: it has no rows")
            continue
        for name in given.sets:
            X, y = rows_of(name)
            for fold in given.folds:
                case = {"set": name, "method": method, "fold": fold, "code": stamp}
                if not ledger.done(case):
                    ledger.write(case | run(X, y, fold, method))
    print(table(summary(read_rows(given.csv))))


if __name__ == "__main__":
    main()
