"""Classifiers: six published sets, three wide tables, ranges of chances, and time, beside peers in the same run.

`classification.csv`: six sets, fold by fold, beside the best published Gaussian processes. Columns are standardised
with all rows, as they were in the original (Duvenaud 2014, tables 6.6 and 6.7); the folds are the original ones.
`wide-classes.csv`: three wide tables that come with scikit-learn, by ten folds. None of them is among the tables of
the other commands, and nothing was chosen by them. Columns are given as they are but to logistic regression, which
gets them standardised over the rows of its fit.
`class-ranges.csv`: how often 95 % ranges of chances hold the chance that classes were drawn with, on made tables of
three columns, of which seven functions use none, one or two.
`classification-speed.csv`: time of the approximate evidence with its gradient, and of a whole fit, against
scikit-learn: 500 rows with eight columns, a squared exponential with a lengthscale for each. All are timed
alternately in one process; each figure is the best of several rounds. ``first`` is an evaluation that knows nothing,
``next`` one at lengthscales 2 % off those of the last, as an optimiser asks for them.

EBM takes part where `interpret` is installed, on two folds. Every method has one core; seconds are of the processor,
for fit and prediction together.

About 20 minutes of one core.

Usage: python benchmarks/classes.py [--only wide-classes.csv] [--set wine] [--method auto logistic] [--fold 0 4]
"""

import argparse
from collections.abc import Callable
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF, ConstantKernel
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from autostatistician import AdditiveGPClassifier, AutomaticStatisticianClassifier, GPClassifier
from autostatistician.gp.engines.choice import objective_of
from autostatistician.gp.likelihoods import Bernoulli
from autostatistician.gp.problem import Problem
from autostatistician.kernels.text import parse
from common import Array, Bench, Row, code_version, command, package_version, processor

FOLDS = 10
LEAST = 1e-12  # probability, of classifiers that are sure
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
    """A classifier that was not fitted yet, with its usual settings."""
    match method:
        case "auto":
            return GPClassifier()
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
            return make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
        case "boosting":
            return HistGradientBoostingClassifier(random_state=0)
        case "ebm":
            from interpret.glassbox import ExplainableBoostingClassifier

            return ExplainableBoostingClassifier(random_state=0, n_jobs=1)
    return AutomaticStatisticianClassifier("interpretable", max_depth=4, n_restarts=2, n_jobs=1)


def scored(method: str, X: Array, y: np.ndarray, train: np.ndarray, test: np.ndarray) -> Row:
    """A classifier fitted to some rows; on others per cent of errors, mean negative log probability."""
    start = processor()
    fitted = classifier(method, X.shape[1]).fit(X[train], y[train])
    p = fitted.predict_proba(X[test])
    seconds = processor() - start
    came = p[np.arange(len(p)), np.searchsorted(fitted.classes_, y[test])]
    error = 100.0 * float(np.mean(fitted.predict(X[test]) != y[test]))
    nll = -float(np.mean(np.log(np.maximum(came, LEAST))))
    evidence = round(fitted.log_evidence_, 2) if hasattr(fitted, "log_evidence_") else ""
    return {"error": round(error, 3), "nll": round(nll, 5), "seconds": round(seconds, 2), "evidence": evidence}


def of_fold(case: Row, given: argparse.Namespace) -> Row:
    """Fit nine folds, predict the tenth."""
    X, y, folds = standardised(given.data, case["set"])
    return scored(case["method"], X, y, folds != case["fold"], folds == case["fold"])


# Wide tables -----------------------------------------------------------------------------------------------

WIDE = ("cancer", "wine", "digits")
WIDE_METHODS = {"auto": "auto", "ard": "gp", "logistic": "logistic", "boosting": "boosting", "ebm": "ebm"}
TOLD_APART = (3, 8)  # of the ten digits


def rows_of(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Inputs and classes of a set."""
    if name == "digits":
        X, y = load_digits(return_X_y=True)
        two = np.isin(y, TOLD_APART)
        X, y = X[two], y[two]
        return X[:, X.std(axis=0) > 0.0], y
    return (load_breast_cancer if name == "cancer" else load_wine)(return_X_y=True)


def of_wide(case: Row, _: argparse.Namespace) -> Row:
    """Fit all folds but one, predict that one."""
    X, y = rows_of(case["set"])
    train, test = list(StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(X, y))[case["fold"]]
    return scored(WIDE_METHODS[case["method"]], X, y, train, test) | {"rows": len(y), "columns": X.shape[1]}


def wide(rows: list[Row]) -> list[Row]:
    """Means over the folds of each set and method that has some."""
    shown: list[Row] = []
    for name, method in product(WIDE, WIDE_METHODS):
        own = [row for row in rows if (row["set"], row["method"]) == (name, method)]
        if own:
            scores = {key: f"{fmean(float(row[key]) for row in own):.3g}" for key in ("error", "nll", "seconds")}
            shown.append({"set": name, "method": method, "folds": len(own)} | scores)
    return shown


# Ranges of chances -----------------------------------------------------------------------------------------

Signal = Callable[[Array], Array]
ASKED = 200  # new rows
WIDTH = 3  # columns, of which functions use one or two

FUNCTIONS: dict[str, Signal] = {
    "line": lambda X: 1.5 * X[:, 0],
    "steep line": lambda X: 4.0 * X[:, 0] - 1.0,
    "wave": lambda X: 2.0 * np.sin(2.5 * X[:, 0]),
    "peak": lambda X: 2.0 - 2.0 * X[:, 0] ** 2,
    "two": lambda X: 1.5 * X[:, 0] + 1.5 * np.sin(2.5 * X[:, 1]),
    "together": lambda X: 2.0 * X[:, 0] * X[:, 1],
    "nothing": lambda X: -0.8 + 0.0 * X[:, 0],
}
RANGE_METHODS = {"kernel": "gp", "laplace": "gp-laplace", "auto": "auto", "search": "search"}


def drawn(function: str, rows: int, number: int) -> tuple[Array, Array, Array, Array]:
    """Rows with their classes, and new rows with the chances of the second class."""
    rng = np.random.default_rng([list(FUNCTIONS).index(function), rows, number])
    X = rng.uniform(-1.7, 1.7, (rows + ASKED, WIDTH))
    chance = 1.0 / (1.0 + np.exp(-FUNCTIONS[function](X)))
    came = (rng.uniform(size=rows) < chance[:rows]).astype(int)
    came[:2] = [0, 1]  # of both classes at least one
    return X[:rows], came, X[rows:], chance[rows:]


def of_range(case: Row, _: argparse.Namespace) -> Row:
    """Fit one set and compare its ranges with the chances."""
    X, came, new, chance = drawn(case["function"], case["rows"], case["draw"])
    names = [f"x{column + 1}" for column in range(WIDTH)]
    model = classifier(RANGE_METHODS[case["method"]], WIDTH).fit(pd.DataFrame(X, columns=names), came)
    low, high = model.probability_interval(pd.DataFrame(new, columns=names))
    told = model.predict_proba(pd.DataFrame(new, columns=names))[:, 1]
    inside = float(np.mean((low <= chance) & (chance <= high)))
    excess = chance * np.log(chance / told) + (1.0 - chance) * np.log((1.0 - chance) / (1.0 - told))
    held = told_along(model, FUNCTIONS[case["function"]], X, names) if case["method"] == "search" else None
    return {
        "inside": round(inside, 3),
        "width": round(float(np.mean(high - low)), 4),
        "bias": round(float(np.mean(told - chance)), 4),
        "excess": round(float(np.mean(excess)), 4),
        "told": "" if held is None else round(held, 3),
    }


def told_along(model: Any, function: Signal, X: Array, names: list[str]) -> float | None:
    """The share of the curves of a report whose ranges hold the truth; None where no effect of one column is told."""
    held = []
    for effect in model.explanation().effects:
        if len(effect.columns) == 1:
            along, column = effect.along[0], names.index(effect.columns[0])
            rows = np.repeat(X[None], len(along.x), axis=0)
            rows[:, :, column] = along.x[:, None]
            truth = 1.0 / (1.0 + np.exp(-np.array([function(some).mean() for some in rows])))
            held.append(float(np.mean((along.chances.lower <= truth) & (truth <= along.chances.upper))))
    return fmean(held) if held else None


def ranges(rows: list[Row]) -> list[Row]:
    """Means over the sets, of each method and number of rows, by the code of its last row."""
    shown: list[Row] = []
    last = {(row["method"], int(row["rows"])): row["code"] for row in rows}
    for (method, n), code in last.items():
        own = [row for row in rows if (row["code"], row["method"], int(row["rows"])) == (code, method, n)]
        by_function = {
            name: fmean(float(row["inside"]) for row in own if row["function"] == name)
            for name in dict.fromkeys(row["function"] for row in own)
        }
        shown.append(
            {"method": method, "rows": n, "sets": len(own)}
            | {"inside": f"{fmean(by_function.values()):.3f}", "least": f"{min(by_function.values()):.3f}"}
            | {key: _mean(own, key) for key in ("width", "bias", "excess", "told")}
        )
    return shown


def _mean(rows: list[Row], key: str) -> str:
    """Of those that have it."""
    values = [float(row[key]) for row in rows if row.get(key)]
    return f"{fmean(values):.3f}" if values else ""


# Time ------------------------------------------------------------------------------------------------------

ROWS, COLUMNS, ROUNDS = 500, 8, 10
LINKS = {"laplace": "logistic", "ep": "probit"}
STEP = 1.02


def data() -> tuple[Array, Array]:
    """Classes that three of the columns decide, with noise."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((ROWS, COLUMNS))
    y = np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + 0.5 * rng.standard_normal(ROWS)
    return X, np.where(y > 0.0, 1.0, -1.0)


def seconds(run: Callable[[], object]) -> float:
    """Of the processor, for one call."""
    start = processor()
    run()
    return processor() - start


def ours(X: Array, y: Array, how: str, link: str) -> tuple[float, float]:
    """Seconds of a first evaluation and of the next one."""
    columns = tuple(f"x{place}" for place in range(COLUMNS))
    expr = parse(" * ".join(f"SE[{name}]" for name in columns))
    objective = objective_of(expr, Problem(X, y, columns, likelihood=Bernoulli(link)), how)

    def at(lengthscale: float) -> Callable[[], object]:
        values = (lengthscale, 2.0, *(lengthscale, 1.0) * (COLUMNS - 1))
        return lambda: objective.value_and_gradient(values)

    return seconds(at(2.0)), seconds(at(2.0 * STEP))


def theirs(X: Array, y: Array) -> float:
    """Seconds of an evaluation by scikit-learn."""
    kernel = ConstantKernel(4.0) * RBF(np.full(COLUMNS, 2.0))
    model = GaussianProcessClassifier(kernel, optimizer=None).fit(X, y)
    theta = model.kernel_.theta
    return seconds(lambda: model.log_marginal_likelihood(theta, eval_gradient=True, clone_kernel=False))


def timed(case: Row, _: argparse.Namespace) -> Row:
    """Milliseconds of evaluations, seconds of whole fits."""
    X, y = data()
    how, link = case["method"], LINKS[case["method"]]
    rounds = [(*ours(X, y, how, link), theirs(X, y)) for _ in range(ROUNDS)]
    first, following, others = map(min, zip(*rounds, strict=True))
    whole = seconds(lambda: GPClassifier("SE", inference=how, link=link).fit(X, y))
    kernel = ConstantKernel(1.0) * RBF(np.ones(COLUMNS))
    whole_of_others = seconds(lambda: GaussianProcessClassifier(kernel, random_state=0).fit(X, y))
    return {
        "link": link, "rows": ROWS, "lengthscales": COLUMNS, "first_ms": round(1e3 * first, 1),
        "next_ms": round(1e3 * following, 1), "sklearn_ms": round(1e3 * others, 1),
        "times_faster": round(others / following, 1), "times_faster_first": round(others / first, 1),
        "fit_s": round(whole, 2), "sklearn_fit_s": round(whole_of_others, 2),
        "fit_times_faster": round(whole_of_others / whole, 1),
    }  # fmt: skip


def code(case: Row) -> str | None:
    """Of peers the version of ours as well: they are compared within one run."""
    return package_version("interpret-core" if case["method"] == "ebm" else "") and code_version()


def _few_of_ebm(case: Row) -> bool:
    return case["method"] != "ebm" or case["fold"] < 2


BENCHES = (
    Bench(
        file="classification.csv", case=("set", "method", "fold"), run=of_fold, code=code, wanted=_few_of_ebm,
        columns=("error", "nll", "seconds", "evidence", "code"),
        options={"method": METHODS, "set": tuple(PUBLISHED), "fold": tuple(range(FOLDS))},
    ),
    Bench(
        file="wide-classes.csv", case=("set", "method", "fold"), run=of_wide, code=code, wanted=_few_of_ebm,
        columns=("error", "nll", "seconds", "rows", "columns", "code"),
        options={"method": tuple(WIDE_METHODS), "set": WIDE, "fold": tuple(range(FOLDS))},
    ),
    Bench(
        file="class-ranges.csv", case=("method", "function", "rows", "draw"), run=of_range,
        columns=("code", "inside", "width", "bias", "excess", "told"),
        options={"method": tuple(RANGE_METHODS), "rows": (60, 150), "draw": tuple(range(6)),
                 "function": tuple(FUNCTIONS)},
    ),
    Bench(
        file="classification-speed.csv", case=("method",), run=timed, options={"method": tuple(LINKS)},
        columns=("link", "rows", "lengthscales", "first_ms", "next_ms", "sklearn_ms", "times_faster",
                 "times_faster_first", "fit_s", "sklearn_fit_s", "fit_times_faster", "code"),
    ),
)  # fmt: skip

if __name__ == "__main__":
    command(__doc__, *BENCHES)
