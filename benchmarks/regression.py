"""The structure search on five regression sets, fold by fold, beside the published figures and peers in the same run.

Columns and targets are standardised with all rows, as they were in the original (Duvenaud 2014, tables 6.4 and 6.5);
the folds are the original ones. Peers that predict no distribution get a normal one, whose variance is that of their
errors in a five-fold cross-validation of the training rows. EBM and pyGAM take part where they are installed.
Every method has one core; seconds are of the processor, for fit and prediction together, so that what else runs on a
machine does not count. "search" is the one with default settings, "search-evidence" weighs models by evidence under
the priors for tables, and "search-all" has the leaves of the row "search, all kernels" of the draft (SE, RQ, Per, Lin).

Usage: python benchmarks/regression.py [--sets servo] [--folds 0 1]
           [--methods search search-evidence gp-ard boosting ebm gam]
       python benchmarks/regression.py --summary
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from autostatistician import AutomaticStatistician
from common import Ledger, Row, arguments, code_version, read_rows, table
from folds import FOLDS, SEARCH, SETS, standardised, summary

CASE, COLUMNS = ("set", "method", "fold"), ("mse", "nll", "seconds", "model", "code")
SEARCHES: dict[str, Row] = {
    "search": {},
    "search-evidence": {"criterion": "evidence"},
    "search-all": {"language": "cks2013"},
}
METHODS = (*SEARCHES, "gp-ard", "boosting", "ebm", "gam")
INNER = 5  # folds of the training rows, for the variance of peers without one


def run(X: np.ndarray, y: np.ndarray, test: np.ndarray, method: str) -> Row:
    """Fit nine folds, predict the tenth: mean squared error and mean negative log density."""
    start = time.process_time()
    match method:
        case "search" | "search-evidence" | "search-all":
            mse, nll, model = _searched(X, y, test, SEARCHES[method])
        case "gp-ard":
            mse, nll, model = _gp_ard(X, y, test)
        case _:
            mse, nll, model = _plain(method, X, y, test)
    seconds = time.process_time() - start
    return {"mse": round(mse, 5), "nll": round(nll, 5), "seconds": round(seconds, 1), "model": model}


def _searched(X: np.ndarray, y: np.ndarray, test: np.ndarray, settings: Row) -> tuple[float, float, str]:
    model = AutomaticStatistician(n_jobs=1, **settings).fit(X[~test], y[~test])
    nll = -float(np.mean(model.log_density(X[test], y[test])))
    return float(np.mean((model.predict(X[test]) - y[test]) ** 2)), nll, str(model.kernel_)


def _gp_ard(X: np.ndarray, y: np.ndarray, test: np.ndarray) -> tuple[float, float, str]:
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

    kernel = ConstantKernel(1.0, (1e-4, 1e4)) * RBF(np.ones(X.shape[1]), (1e-2, 1e4)) + WhiteKernel(0.1, (1e-6, 10.0))
    model = GaussianProcessRegressor(kernel, n_restarts_optimizer=2, random_state=0).fit(X[~test], y[~test])
    mean, sd = model.predict(X[test], return_std=True)
    return (*_scores(y[test] - mean, sd), str(model.kernel_))


def _plain(method: str, X: np.ndarray, y: np.ndarray, test: np.ndarray) -> tuple[float, float, str]:
    from sklearn.model_selection import KFold

    X_train, y_train = X[~test], y[~test]
    errors = np.empty(len(y_train))
    for train, held in KFold(INNER, shuffle=True, random_state=0).split(X_train):
        errors[held] = y_train[held] - _peer(method).fit(X_train[train], y_train[train]).predict(X_train[held])
    mean = _peer(method).fit(X_train, y_train).predict(X[test])
    sd = np.full(int(test.sum()), np.sqrt(np.mean(errors**2)))
    return (*_scores(y[test] - mean, sd), "")


def _peer(method: str) -> Any:
    match method:
        case "boosting":
            from sklearn.ensemble import HistGradientBoostingRegressor

            return HistGradientBoostingRegressor(random_state=0)
        case "ebm":
            from interpret.glassbox import ExplainableBoostingRegressor

            return ExplainableBoostingRegressor(random_state=0, n_jobs=1)
        case _:
            from pygam import LinearGAM

            return LinearGAM()


def _scores(errors: np.ndarray, sd: np.ndarray) -> tuple[float, float]:
    return float(np.mean(errors**2)), float(np.mean(0.5 * np.log(2.0 * np.pi * sd**2) + 0.5 * (errors / sd) ** 2))


def main() -> None:
    """Run what is missing, or show what the table says."""
    parser = arguments(__doc__, "regression.csv", languages=())
    parser.add_argument("--sets", nargs="+", default=list(SETS), choices=SETS)
    parser.add_argument("--methods", nargs="+", default=["search"], choices=METHODS)
    parser.add_argument("--folds", nargs="+", type=int, default=list(range(FOLDS)))
    given = parser.parse_args()
    ledger, stamp = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh), code_version()
    for method in given.methods if not given.summary else ():
        for name in given.sets:
            X, y, folds = standardised(given.data, name)
            for fold in given.folds:
                case = {"set": name, "method": method, "fold": fold, "code": stamp}
                if not ledger.done(case):
                    ledger.write(case | run(X, y, folds == fold, method))
    print(table(summary(read_rows(given.csv), METHODS, SEARCH, ".1f")))


if __name__ == "__main__":
    main()
