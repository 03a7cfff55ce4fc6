"""Time of the approximate evidence of classes with its gradient, and of a whole fit, against scikit-learn.

Five hundred rows with eight columns, a squared exponential with a lengthscale for each. All are timed alternately in
one process with one BLAS thread, in seconds of the processor; each figure is the best of several rounds. ``first`` is
an evaluation that knows nothing, ``next`` one at lengthscales 2 % off those of the last, as an optimiser asks for them.

Usage: python benchmarks/classification_speed.py [--rounds N] [--csv FILE]
"""

# ruff: noqa: E402
from __future__ import annotations

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import argparse
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF, ConstantKernel

from autostatistician import GPClassifier
from autostatistician.inference.engines.choice import objective_of
from autostatistician.inference.likelihoods.bernoulli import Bernoulli
from autostatistician.inference.problem import Problem
from autostatistician.language.text import parse
from common import RESULTS, table, write_rows

ROWS, COLUMNS = 500, 8
METHODS = (("laplace", "logistic"), ("ep", "probit"))
STEP = 1.02

Array = NDArray[np.float64]


def data() -> tuple[Array, Array]:
    """Classes that three of the columns decide, with noise."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((ROWS, COLUMNS))
    y = np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + 0.5 * rng.standard_normal(ROWS)
    return X, np.where(y > 0.0, 1.0, -1.0)


def seconds(run: Callable[[], object]) -> float:
    """Of the processor, for one call."""
    start = time.process_time()
    run()
    return time.process_time() - start


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


def fits(X: Array, y: Array) -> dict[str, float]:
    """Seconds of whole fits."""
    found = {
        how: seconds(lambda h=how, k=link: GPClassifier("SE", inference=h, link=k).fit(X, y)) for how, link in METHODS
    }
    kernel = ConstantKernel(1.0) * RBF(np.ones(COLUMNS))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found["scikit-learn"] = seconds(lambda: GaussianProcessClassifier(kernel, random_state=0).fit(X, y))
    return found


def measure(rounds: int) -> list[dict[str, object]]:
    """A row for each method."""
    X, y = data()
    firsts, nexts, others = {how: np.inf for how, _ in METHODS}, {how: np.inf for how, _ in METHODS}, np.inf
    for _ in range(rounds):
        for how, link in METHODS:
            first, following = ours(X, y, how, link)
            firsts[how], nexts[how] = min(firsts[how], first), min(nexts[how], following)
        others = min(others, theirs(X, y))
    whole = fits(X, y)
    return [
        {
            "method": how,
            "link": link,
            "rows": ROWS,
            "lengthscales": COLUMNS,
            "first_ms": round(1e3 * firsts[how], 1),
            "next_ms": round(1e3 * nexts[how], 1),
            "sklearn_ms": round(1e3 * others, 1),
            "times_faster": round(others / nexts[how], 1),
            "times_faster_first": round(others / firsts[how], 1),
            "fit_s": round(whole[how], 2),
            "sklearn_fit_s": round(whole["scikit-learn"], 2),
            "fit_times_faster": round(whole["scikit-learn"] / whole[how], 1),
        }
        for how, link in METHODS
    ]


def main() -> None:
    """Run, print and keep the rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10, help="rounds of alternating measurements")
    parser.add_argument("--csv", type=Path, default=RESULTS / "classification-speed.csv", help="where rows are kept")
    given = parser.parse_args()
    rows = measure(given.rounds)
    write_rows(given.csv, rows)
    print(table(rows))


if __name__ == "__main__":
    main()
