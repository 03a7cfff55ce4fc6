"""Time of one log marginal likelihood with its gradient, against the LAPACK floor and scikit-learn.

The model is SE * Per + Lin + SE + WN (9 free parameters), the one of the project's design notes. All three
are timed alternately in one process with one BLAS thread; each figure is the best of several rounds.

Usage: python benchmarks/engine.py [--json] [--rounds N] [--csv FILE]
"""

# ruff: noqa: E402
from __future__ import annotations

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, DotProduct, ExpSineSquared, WhiteKernel

from autostatistician.inference.covariance.matrices import covariance
from autostatistician.inference.engines.choice import objective_of
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import Kernel, leaf
from common import write_rows

SIZES = (144, 400, 1000)
CASES = ("grid", "gaps", "scattered")
REPEATS = {144: 60, 400: 12, 1000: 2}


def model() -> Kernel:
    """The kernel that is timed."""
    smooth = leaf("SE", lengthscale=8.0, sd=1.0) * leaf("Per", lengthscale=0.7, period=1.0, sd=1.0)
    return smooth + leaf("Lin", sd=0.3, location=-2.0) + leaf("SE", lengthscale=0.6, sd=0.4) + leaf("WN", sd=0.2)


def positions(case: str, n: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """A monthly grid, the same with 20 % of its cells missing, or scattered points."""
    if case == "grid":
        return np.arange(n) / 12.0
    if case == "gaps":
        kept = np.sort(rng.choice(round(n / 0.8), n, replace=False))
        return kept / 12.0
    return np.sort(rng.uniform(0.0, n / 12.0, n))


def lapack_floor(K: NDArray[np.float64]) -> Callable[[], object]:
    """Cholesky and inverse of a covariance matrix: what no method on dense matrices can avoid."""
    work = np.empty_like(K)

    def run() -> None:
        np.copyto(work, K)
        factor, _ = lapack.dpotrf(work.T, lower=1, overwrite_a=1, clean=0)
        lapack.dpotri(factor, lower=1, overwrite_c=1)

    return run


def scikit_learn(x: NDArray[np.float64], y: NDArray[np.float64]) -> Callable[[], object]:
    """The nearest model of scikit-learn: nine free parameters, the same kinds of kernel."""
    kernel = (
        ConstantKernel(1.0) * RBF(8.0) * ExpSineSquared(0.7, 1.0)
        + ConstantKernel(0.1) * DotProduct(2.0)
        + ConstantKernel(0.2) * RBF(0.6)
        + WhiteKernel(0.04)
    )
    regressor = GaussianProcessRegressor(kernel, optimizer=None, alpha=0.0).fit(x[:, None], y)
    theta = regressor.kernel_.theta
    return lambda: regressor.log_marginal_likelihood(theta, eval_gradient=True, clone_kernel=False)


def seconds(run: Callable[[], object], repeats: int) -> float:
    """Mean time of a call over some repeats."""
    start = time.perf_counter()
    for _ in range(repeats):
        run()
    return (time.perf_counter() - start) / repeats


def measure(case: str, n: int, rounds: int) -> dict[str, object]:
    """One row of the benchmark."""
    rng = np.random.default_rng(0)
    x, kernel = positions(case, n, rng), model()
    K = covariance(kernel, x[:, None])
    y = np.linalg.cholesky(K) @ rng.standard_normal(n)
    evidence = objective_of(kernel.expr, Problem(x[:, None], y, ("x",)))
    runs = {
        "ours": lambda: evidence.value_and_gradient(kernel.values),
        "floor": lapack_floor(K),
        "sklearn": scikit_learn(x, y),
    }
    best = dict.fromkeys(runs, np.inf)
    for _ in range(rounds):
        for name, run in runs.items():
            repeats = 1 if name == "sklearn" else REPEATS[n]
            best[name] = min(best[name], seconds(run, repeats))
    return {
        "case": case,
        "n": n,
        "ms": round(1e3 * best["ours"], 4),
        "floor_ms": round(1e3 * best["floor"], 4),
        "sklearn_ms": round(1e3 * best["sklearn"], 3),
        "ratio_to_floor": round(best["ours"] / best["floor"], 3),
        "ratio_to_sklearn": round(best["sklearn"] / best["ours"], 2),
    }


def main() -> None:
    """Run all cases and print them as a table or as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print a list of rows as JSON")
    parser.add_argument("--rounds", type=int, default=15, help="rounds of alternating measurements")
    parser.add_argument("--csv", type=Path, help="also write the rows to this file")
    arguments = parser.parse_args()
    rows = [measure(case, n, arguments.rounds) for case in CASES for n in SIZES]
    if arguments.csv:
        write_rows(arguments.csv, rows)
    if arguments.json:
        json.dump(rows, sys.stdout, indent=1)
        sys.stdout.write("\n")
        return
    sys.stdout.write("".join(f"{name:>17}" for name in rows[0]) + "\n")
    for row in rows:
        sys.stdout.write("".join(f"{value!s:>17}" for value in row.values()) + "\n")


if __name__ == "__main__":
    main()
