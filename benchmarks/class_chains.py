"""Chains for classes beside expectation propagation and Laplace's approximation, on few and on more rows.

Of heart, liver and pima some rows, drawn anew for every seed, are learned from, and all others are foreseen, with the
same kernel, "SE + C". Beside error and log loss stands how sure chances are: ``surprise`` is the log loss less what the
chances themselves expect of it, above zero where they are too sure. Seconds are of one core, for fit and prediction.

Usage: python benchmarks/class_chains.py [--sets heart] [--methods ep mcmc] [--summary]
"""

from __future__ import annotations

import time
import warnings
from functools import cache
from pathlib import Path
from statistics import fmean

import numpy as np

from autostatistician import GPClassifier
from class_folds import LEAST
from classification import standardised
from common import Ledger, Row, arguments, code_version, read_rows, table

__all__ = ["SETS", "summary"]

CASE, COLUMNS = ("set", "rows", "method", "seed"), ("error", "nll", "surprise", "r_hat", "effective", "seconds", "code")
SETS, ROWS, METHODS, SEEDS = ("heart", "liver", "pima"), (60, 150), ("laplace", "ep", "mcmc"), 3


@cache
def code() -> str:
    """The version of the code that decides about the figures."""
    return code_version(
        ("inference/classes", "inference/fitting", "estimators/classifier.py", "estimators/sampled_classes.py")
    )


def run(data: Path, case: Row) -> Row:
    """Fit to some rows, predict the others."""
    X, y, _ = standardised(data, case["set"])
    order = np.random.default_rng(case["seed"]).permutation(len(y))
    own, new = np.split(order, [case["rows"]])
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = GPClassifier("SE + C", inference=case["method"]).fit(X[own], y[own])
    p = np.clip(model.predict_proba(X[new]), LEAST, 1.0)
    seconds = time.process_time() - start
    came = p[np.arange(len(p)), np.searchsorted(model.classes_, y[new])]
    nll, expected = -np.log(came).mean(), -(p * np.log(p)).sum(axis=1).mean()
    found = {"error": 100.0 * np.mean(came < 0.5), "nll": nll, "surprise": nll - expected}
    row = case | {key: round(float(value), 4) for key, value in found.items()}
    told = getattr(model, "diagnostics_", None)
    chains = {"r_hat": "", "effective": ""}
    if told is not None:
        chains = {"r_hat": round(float(told["r_hat"].max()), 3), "effective": round(float(told["effective"].min()))}
    return row | chains | {"seconds": round(seconds, 1), "code": code()}


def summary(rows: list[Row]) -> list[Row]:
    """Means over the seeds; of the chains the worst R-hat and the fewest effective draws."""
    shown: list[Row] = []
    for name, count, method in [(name, count, method) for name in SETS for count in ROWS for method in METHODS]:
        own = [row for row in rows if (row["set"], int(row["rows"]), row["method"]) == (name, count, method)]
        if own:
            means = {
                key: f"{fmean(float(row[key]) for row in own):.3f}" for key in ("error", "nll", "surprise", "seconds")
            }
            worst = {
                "r_hat": max(row["r_hat"] for row in own),
                "effective": min(own, key=lambda row: float(row["effective"] or 0.0))["effective"],
            }
            shown.append({"set": name, "rows": count, "method": method, "seeds": len(own)} | means | worst)
    return shown


def main() -> None:
    """Run what is missing, or show what the table says."""
    parser = arguments(__doc__, "class-chains.csv", languages=())
    parser.add_argument("--sets", nargs="+", default=list(SETS), choices=SETS)
    parser.add_argument("--methods", nargs="+", default=list(METHODS), choices=METHODS)
    given = parser.parse_args()
    ledger = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh)
    cases = [
        {"set": name, "rows": count, "method": method, "seed": seed}
        for seed in range(SEEDS)
        for count in ROWS
        for name in given.sets
        for method in given.methods
    ]
    for case in cases if not given.summary else ():
        if not ledger.done(case | {"code": code()}):
            ledger.write(run(given.data, case))
    print(table(summary(read_rows(given.csv))))


if __name__ == "__main__":
    main()
