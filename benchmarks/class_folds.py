"""What commands that compare classifiers by folds share: peers, scores of a fold, the run over all that is missing."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from common import Ledger, Row, arguments, code_version, read_rows, table

CASE = ("set", "method", "fold")
FOLDS = 10
LEAST = 1e-12  # probability, of classifiers that are sure


def peer(method: str) -> Any:
    """Boosting or EBM with usual settings, not fitted yet."""
    if method == "boosting":
        from sklearn.ensemble import HistGradientBoostingClassifier

        return HistGradientBoostingClassifier(random_state=0)
    from interpret.glassbox import ExplainableBoostingClassifier

    return ExplainableBoostingClassifier(random_state=0, n_jobs=1)


def scored(model: Any, X: np.ndarray, y: np.ndarray, train: np.ndarray, test: np.ndarray) -> tuple[Any, Row]:
    """A classifier fitted to some rows, and on others: per cent of errors, mean negative log probability, seconds."""
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted = model.fit(X[train], y[train])
    p = fitted.predict_proba(X[test])
    seconds = time.process_time() - start
    came = p[np.arange(len(p)), np.searchsorted(fitted.classes_, y[test])]
    error = 100.0 * float(np.mean(fitted.predict(X[test]) != y[test]))
    nll = -float(np.mean(np.log(np.maximum(came, LEAST))))
    return fitted, {"error": round(error, 3), "nll": round(nll, 5), "seconds": round(seconds, 2)}


def means(rows: Sequence[Row], sets: Sequence[str], methods: Sequence[str]) -> list[Row]:
    """Means over the folds of each set and method that has some."""
    shown: list[Row] = []
    for name in sets:
        for method in methods:
            folds = [row for row in rows if (row["set"], row["method"]) == (name, method)]
            if folds:
                scores = {key: f"{fmean(float(row[key]) for row in folds):.3g}" for key in ("error", "nll", "seconds")}
                shown.append({"set": name, "method": method, "folds": len(folds)} | scores)
    return shown


def run_missing(
    purpose: str | None,
    file: str,
    columns: tuple[str, ...],
    sets: Sequence[str],
    methods: Sequence[str],
    run: Callable[[Path, str, int, str], Row],
    summary: Callable[[list[Row]], list[Row]],
) -> None:
    """The command: run what the table lacks (data, set, fold, method), or show what it says."""
    parser = arguments(purpose, file, languages=())
    parser.add_argument("--sets", nargs="+", default=list(sets), choices=sets)
    parser.add_argument("--methods", nargs="+", default=list(methods), choices=methods)
    parser.add_argument("--folds", nargs="+", type=int, default=list(range(FOLDS)))
    given = parser.parse_args()
    ledger, stamp = Ledger(given.csv, CASE, columns, fresh=given.fresh), code_version()
    for method in given.methods if not given.summary else ():
        if method == "ebm" and find_spec("interpret") is None:
            print("ebm is not installed: it has no rows")
            continue
        for name in given.sets:
            for fold in given.folds:
                case = {"set": name, "method": method, "fold": fold, "code": stamp}
                if not ledger.done(case):
                    ledger.write(case | run(given.data, name, fold, method))
    print(table(summary(read_rows(given.csv))))
