"""First order alone on many rows: points in all columns beside places of single columns, and the exact evidence.

Made data: a sum of sines, each of its own column and speed, with noise of 0.3. Both ways fit a bound; the logarithm of
the evidence without a bound is computed for what each has found, by products whose cost grows with rows times columns
(`additive.column_products`), with its standard error. Errors are of the function at 1000 other rows. Seconds are of the
processor.

Usage: python benchmarks/additive_rows.py [--rows 20000] [--leaves SE Matern12] [--methods rows columns]
"""

from __future__ import annotations

import time

import numpy as np

from additive import code
from autostatistician.additive.base import base_of
from autostatistician.additive.column_products import exact_evidence
from autostatistician.additive.evidence import learned_prior
from autostatistician.additive.first_order import chosen_places, fit_columns
from autostatistician.additive.kernel import Layout
from autostatistician.additive.many_rows import fit_many
from common import Ledger, Row, arguments, read_rows, table

CASE = ("rows", "columns", "leaf", "method")
COLUMNS = ("error", "noise", "bound", "exact", "exact_error", "seconds", "exact_seconds", "code")
METHODS = {"rows": fit_many, "columns": fit_columns}
WIDE, TEST_ROWS, NOISE, PLACES = 10, 1000, 0.3, 600


def made(rows: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Inputs, the function and observations of it; the last rows are those of the test."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows + TEST_ROWS, WIDE))
    function = sum(np.sin((1.0 + column / 2.0) * x) / (1.0 + 0.3 * column) for column, x in enumerate(X.T))
    return X, function, function + NOISE * rng.normal(size=len(X))


def run(case: Row) -> Row:
    """Fit, predict, and say how far the bound is from the evidence."""
    rows, layout = case["rows"], Layout((base_of(case["leaf"]),) * WIDE, (1,))
    X, function, y = made(rows)
    mean, size = y[:rows].mean(), y[:rows].std()
    target = (y[:rows] - mean) / size
    start = time.process_time()
    fitted = METHODS[case["method"]](layout, X[:rows], target, 1, np.random.default_rng(0), learned_prior(layout))
    seconds = time.process_time() - start
    predicted = mean + size * fitted.posterior.project(None, X[rows:]).mean
    start = time.process_time()
    places = chosen_places(fitted.kernel, X[:rows], PLACES)
    exact = exact_evidence(fitted.kernel, X[:rows], target, places, np.random.default_rng(0))
    return case | {
        "error": round(float(np.sqrt(np.mean((predicted - function[rows:]) ** 2))), 4),
        "noise": round(float(np.sqrt(fitted.kernel.noise_variance) * size), 4),
        "bound": round(-fitted.nll, 1),
        "exact": round(exact.value, 1),
        "exact_error": round(exact.error, 1),
        "seconds": round(seconds, 1),
        "exact_seconds": round(time.process_time() - start, 1),
        "code": code(),
    }


def main() -> None:
    """Run what is missing, or show what the table says."""
    parser = arguments(__doc__, "additive-rows.csv", languages=())
    parser.add_argument("--rows", nargs="+", type=int, default=[20_000])
    parser.add_argument("--leaves", nargs="+", default=["SE", "Matern12"])
    parser.add_argument("--methods", nargs="+", default=list(METHODS), choices=METHODS)
    given = parser.parse_args()
    ledger = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh)
    for rows in given.rows if not given.summary else ():
        for leaf in given.leaves:
            for method in given.methods:
                case = {"rows": rows, "columns": WIDE, "leaf": leaf, "method": method}
                if not ledger.done(case | {"code": code()}):
                    ledger.write(run(case))
    print(table(read_rows(given.csv)))


if __name__ == "__main__":
    main()
