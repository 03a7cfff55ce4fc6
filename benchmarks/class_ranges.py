"""How often 95 % ranges of chances hold the chance that classes were drawn with, on made tables.

The function behind the chance is made by plain numpy, a set is drawn anew each time, and chances are asked at new rows
that are drawn like those of the fit. A range should hold 95 % of them on average over sets, whatever the function.
``bias`` is the mean of told less true chances, ``width`` the mean width of the ranges; ``least`` is the smallest
share that one function has, ``excess`` how much the log loss lies above that of the true chances. ``told`` is the share
that the ranges hold along the curves of a report (effects of one column, all others as on average over the data).

The table has rows of three versions: before and after a search for classes was averaged with the plain forms
(`model.plain_forms`), and, of a sample of the sets, with curves by all models that are averaged, a fourth form and
chances sharpened by rows left out. Truths here have logistic tails: where chances are near 0 and 1, a model with the
probit link (the default) has ranges that end before them (`steep line`).

Usage: python benchmarks/class_ranges.py [--sets 20] [--methods kernel auto search logistic] [--rows 60 150 400]
       python benchmarks/class_ranges.py --summary
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from statistics import fmean
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from common import Ledger, Row, arguments, code_version, read_rows, table

Array = NDArray[np.float64]
Signal = Callable[[Array], Array]

CASE = ("code", "method", "function", "rows", "set")
COLUMNS = ("inside", "width", "bias", "excess", "told")
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
METHODS = ("kernel", "laplace", "auto", "search")
SEARCHES = {"search": "probit", "logistic": "logistic"}  # with their links


def drawn(function: str, rows: int, number: int) -> tuple[Array, Array, Array, Array]:
    """Rows with their classes, and new rows with the chances of the second class."""
    rng = np.random.default_rng([list(FUNCTIONS).index(function), rows, number])
    X = rng.uniform(-1.7, 1.7, (rows + ASKED, WIDTH))
    chance = 1.0 / (1.0 + np.exp(-FUNCTIONS[function](X)))
    came = (rng.uniform(size=rows) < chance[:rows]).astype(int)
    came[:2] = [0, 1]  # of both classes at least one
    return X[:rows], came, X[rows:], chance[rows:]


def classifier(method: str) -> Any:
    """A classifier that was not fitted yet."""
    from autostatistician import AutomaticStatisticianClassifier, GPClassifier

    match method:
        case "kernel":
            return GPClassifier("SE + C")
        case "laplace":
            return GPClassifier("SE + C", inference="laplace")
        case "auto":
            return GPClassifier()
        case _:
            link = SEARCHES[method]
            return AutomaticStatisticianClassifier("interpretable", max_depth=4, n_restarts=2, n_jobs=1, link=link)


def measured(case: Row) -> Row:
    """Fit one set and compare its ranges with the chances."""
    X, came, new, chance = drawn(case["function"], case["rows"], case["set"])
    names = [f"x{column + 1}" for column in range(WIDTH)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = classifier(case["method"]).fit(pd.DataFrame(X, columns=names), came)
        low, high = model.probability_interval(pd.DataFrame(new, columns=names))
        told = model.predict_proba(pd.DataFrame(new, columns=names))[:, 1]
    inside = float(np.mean((low <= chance) & (chance <= high)))
    excess = chance * np.log(chance / told) + (1.0 - chance) * np.log((1.0 - chance) / (1.0 - told))
    held = told_along(model, FUNCTIONS[case["function"]], X, names) if case["method"] in SEARCHES else None
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
    for effect in model.decomposition().effects:
        if len(effect.columns) == 1:
            along, column = effect.along[0], names.index(effect.columns[0])
            rows = np.repeat(X[None], len(along.x), axis=0)
            rows[:, :, column] = along.x[:, None]
            truth = 1.0 / (1.0 + np.exp(-np.array([function(some).mean() for some in rows])))
            held.append(float(np.mean((along.chances.lower <= truth) & (truth <= along.chances.upper))))
    return fmean(held) if held else None


def summary(rows: list[Row]) -> list[Row]:
    """Means over the sets, of each version of the code, method and number of rows."""
    shown: list[Row] = []
    for code, method, n in dict.fromkeys((row["code"], row["method"], int(row["rows"])) for row in rows):
        own = [row for row in rows if (row["code"], row["method"], int(row["rows"])) == (code, method, n)]
        by_function = {
            name: fmean(float(row["inside"]) for row in own if row["function"] == name)
            for name in dict.fromkeys(row["function"] for row in own)
        }
        shown.append(
            {"code": code, "method": method, "rows": n, "sets": len(own)}
            | {"inside": f"{fmean(by_function.values()):.3f}", "least": f"{min(by_function.values()):.3f}"}
            | {key: _mean(own, key) for key in ("width", "bias", "excess", "told")}
        )
    return shown


def _mean(rows: list[Row], key: str) -> str:
    """Of those that have it."""
    values = [float(row[key]) for row in rows if row.get(key)]
    return f"{fmean(values):.3f}" if values else ""


def main() -> None:
    """Run what the table lacks, and show what it says."""
    parser = arguments(__doc__, "class-ranges.csv", languages=())
    parser.add_argument("--sets", type=int, default=20, help="of each function and number of rows")
    parser.add_argument("--methods", nargs="+", default=list(METHODS), choices=(*METHODS, "logistic"))
    parser.add_argument("--rows", nargs="+", type=int, default=[60, 150, 400])
    parser.add_argument("--functions", nargs="+", default=list(FUNCTIONS), choices=list(FUNCTIONS))
    given = parser.parse_args()
    ledger, stamp = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh), code_version()
    cases = [
        {"method": method, "function": function, "rows": rows, "set": number, "code": stamp}
        for method in given.methods
        for rows in given.rows
        for number in range(given.sets)
        for function in given.functions
    ]
    for case in cases if not given.summary else ():
        if not ledger.done(case):
            ledger.write(case | measured(case))
    print(table(summary(read_rows(given.csv))))


if __name__ == "__main__":
    main()
