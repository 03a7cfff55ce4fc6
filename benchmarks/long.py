"""Time of one log marginal likelihood of one column, with its gradient, as the rows grow; and its error.

The models are the original's best of its 13 series (structures; numbers where they are known, else plausible ones), on
as many evenly spaced places of the same range as there are rows. Beside the engine whose cost grows with n stands the
LAPACK floor of a matrix (Cholesky and inverse), timed alternately in one process with one BLAS thread, the best of
several rounds; all times are those of the processor. Up to 2000 rows, drawn from the model, the error of the evidence
is told; a model with too little noise, or too many columns, is one matrix's (no columns) as long as that can be.
As long as there is a floor, the engine that a search takes for the model is timed, too.

Usage: python benchmarks/long.py [--csv benchmarks/results/long.csv] [--rows 400 1000] [--summary]
"""

# ruff: noqa: E402
from __future__ import annotations

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import argparse
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

from autostatistician.inference.engines.choice import engine_for
from autostatistician.inference.engines.exact import MOST_ROWS
from autostatistician.inference.engines.lag_space import LagSpace
from autostatistician.inference.engines.semiseparable.objective import SemiseparableObjective
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import Kernel
from autostatistician.language.text import parse_kernel
from common import REFERENCE, RESULTS, Ledger, code_version, read_rows, table

Array = NDArray[np.float64]
Row = dict[str, Any]

CASE = ("model", "n")
COLUMNS = ("columns", "ms", "value_ms", "floor_ms", "ratio", "nats", "engine", "engine_ms", "engine_ratio", "code")
ROWS = (400, 1000, 3000, 10_000, 30_000, 100_000, 1_000_000)
MOST_FLOOR, MOST_EXACT = 3000, 2000
MOST_OF_ALL = 30_000  # rows; of more only some models are timed
LONGEST = ("03-mauna", "05-temperature", "07-call-centre")
LONG = ("01-airline", *LONGEST, "08-radio")
MOST_COLUMNS = 300  # of more than 5000 rows, which no matrix holds
SECONDS, ROUNDS = 0.7, 7  # for a case, after which no further round begins
PARTS = ("inference", "language")


def lapack_floor(K: NDArray[np.float64]) -> Callable[[], object]:
    """Cholesky and inverse of a covariance matrix: what no method on dense matrices can avoid."""
    work = np.empty_like(K)

    def run() -> None:
        np.copyto(work, K)
        factor, _ = lapack.dpotrf(work.T, lower=1, overwrite_a=1, clean=0)
        lapack.dpotri(factor, lower=1, overwrite_c=1)

    return run


def models() -> dict[str, tuple[float, float, Kernel]]:
    """First and last place and kernel of each model."""
    rows = read_rows(REFERENCE / "long_models.csv")
    return {row["model"]: (float(row["first"]), float(row["last"]), parse_kernel(row["kernel"])) for row in rows}


def problem(name: str, n: int) -> tuple[Kernel, Problem]:
    """A model on n rows; data of the model where one matrix can draw them."""
    first, last, kernel = models()[name]
    x, y = np.linspace(first, last, n), np.random.default_rng(0).standard_normal(n)
    if n <= MOST_EXACT:
        K = LagSpace().objective(kernel.expr, Problem(x, y)).covariance(kernel.values)
        K[np.diag_indices(n)] *= 1.0 + 1e-12
        y = np.linalg.cholesky(K) @ y
    return kernel, Problem(x, y)


def best(*runs: Callable[[], object]) -> list[float]:
    """The least seconds of each of some calls, made in turn."""
    found, began = [np.inf] * len(runs), process_time()
    for _ in range(ROUNDS):
        for index, run in enumerate(runs):
            start = process_time()
            run()
            found[index] = min(found[index], process_time() - start)
        if process_time() - began > SECONDS:
            break
    return found


def measure(name: str, n: int) -> Row:
    """One row of the table."""
    kernel, data = problem(name, n)
    objective = SemiseparableObjective(kernel.expr, data)
    columns = objective.columns(kernel.values)
    if columns > MOST_COLUMNS and n > MOST_ROWS:
        return {"columns": columns}
    runs: list[Callable[[], object]] = [
        lambda: objective.value_and_gradient(kernel.values),
        lambda: objective.value(kernel.values),
    ]
    taken = engine_for(kernel.expr, data, often=True)
    if n <= MOST_FLOOR:
        other = taken.objective(kernel.expr, data)
        runs += [lapack_floor(np.eye(n) + 0.5), lambda: other.value_and_gradient(kernel.values)]
    seconds = best(*runs)
    error = ""
    if n <= MOST_EXACT:
        exact = LagSpace().objective(kernel.expr, data).value(kernel.values)
        error = f"{objective.value(kernel.values) - exact:.2g}"
    milli = [f"{1e3 * one:.4g}" for one in seconds] + ["", ""]
    ratios = [f"{seconds[index] / seconds[2]:.3f}" if n <= MOST_FLOOR else "" for index in (0, -1)]
    known = dict(zip(("ms", "value_ms", "floor_ms", "engine_ms"), milli, strict=False))
    known |= {"ratio": ratios[0], "engine_ratio": ratios[1], "engine": taken.name if n <= MOST_FLOOR else ""}
    return known | {"columns": columns, "nats": error}


def main() -> None:
    """Measure what is missing in the table, and show it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--csv", type=Path, default=RESULTS / "long.csv", help="the table")
    parser.add_argument("--rows", type=int, nargs="*", default=ROWS)
    parser.add_argument("--fresh", action="store_true", help="measure again what is there")
    parser.add_argument("--summary", action="store_true", help="only show the table")
    given = parser.parse_args()
    if not given.summary:
        ledger = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh)
        for n in given.rows:
            for name in models() if n <= MOST_OF_ALL else LONG if n < ROWS[-1] else LONGEST:
                row = {"model": name, "n": n, "code": code_version(PARTS)}
                if not ledger.done(row):
                    ledger.write(row | measure(name, n))
    print(table(read_rows(given.csv)))


if __name__ == "__main__":
    main()
