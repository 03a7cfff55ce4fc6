"""Classes of wide tables that come with scikit-learn, by ten folds, beside logistic regression, boosting and EBM.

None of the three is among the tables of the other commands, and nothing was chosen by them. Columns are given as they
are but to logistic regression, which gets them standardised over the rows of its fit. EBM takes part where `interpret`
is installed; in another environment `--methods ebm` adds its rows to the same table. Seconds are of the processor, for
fit and prediction together.

Usage: python benchmarks/wide_classes.py [--sets wine] [--methods auto logistic] [--folds 0 4]
       python benchmarks/wide_classes.py --summary
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.model_selection import StratifiedKFold

from class_folds import FOLDS, means, peer, run_missing, scored
from common import Row

COLUMNS = ("error", "nll", "seconds", "rows", "columns", "code")
SETS = ("cancer", "wine", "digits")
METHODS = ("auto", "ard", "logistic", "boosting", "ebm")
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
        case _:
            return peer(method)


def run(_: Path, name: str, fold: int, method: str) -> Row:
    """Fit all folds but one, predict that one."""
    X, y = rows_of(name)
    train, test = list(StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(X, y))[fold]
    return scored(classifier(method), X, y, train, test)[1] | {"rows": len(y), "columns": X.shape[1]}


def summary(rows: list[Row]) -> list[Row]:
    """Means over the folds."""
    return means(rows, SETS, METHODS)


if __name__ == "__main__":
    run_missing(__doc__, "wide-classes.csv", COLUMNS, SETS, METHODS, run, summary)
