"""Time of one evaluation with its gradient within a stack, against one by one and against the LAPACK floor.

Microseconds a member, for four typical expressions; each figure is the best of several rounds in one process with one
BLAS thread.

Usage: python benchmarks/stacked.py [--csv FILE] [--rounds N]
"""

# ruff: noqa: E402
from __future__ import annotations

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from autostatistician.inference.covariance.matrices import covariance
from autostatistician.inference.engines.lag_space import LagSpace
from autostatistician.inference.problem import Problem
from autostatistician.inference.stacked import StackedObjective
from autostatistician.language.kernel import Kernel, leaf
from common import RESULTS, table, write_rows
from engine import lapack_floor

LEVEL, NOISE = leaf("C", sd=1.0), leaf("WN", sd=0.3)
SMOOTH, CYCLE = leaf("SE", lengthscale=0.3, sd=1.0), leaf("Per", lengthscale=1.0, period=0.2, sd=1.0)
MODELS = (
    SMOOTH * CYCLE + leaf("Wiener", sd=1.0, location=0.0) + LEVEL + NOISE,
    LEVEL + leaf("Lin", sd=1.0, location=0.5) + SMOOTH + NOISE,
    Kernel.change_point(SMOOTH + LEVEL, CYCLE, location=0.5, steepness=20.0) + NOISE,
    LEVEL + leaf("IOU", lengthscale=0.3, sd=1.0, location=0.0) + CYCLE + NOISE,
)
SIZES, MEMBERS = (30, 60, 144), (4, 16, 64)  # neighbours of a fit on one side and on both; draws of an evidence


def best(run: Callable[[], object], rounds: int, repeats: int) -> float:
    """Microseconds of the processor for a call: the least of the rounds; others may work beside it."""
    run()
    least = np.inf
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(repeats):
            run()
        least = min(least, time.process_time() - start)
    return 1e6 * float(least) / repeats


def measure(kernel: Kernel, n: int, rounds: int) -> dict[str, object]:
    """One row of the benchmark."""
    rng, x = np.random.default_rng(0), np.linspace(0.0, 1.0, n)[:, None]
    problem = Problem(x, rng.standard_normal(n))
    alone = LagSpace().objective(kernel.expr, problem)
    row: dict[str, object] = {
        "expression": str(kernel),
        "n": n,
        "floor": round(best(lapack_floor(covariance(kernel, x)), rounds, 20), 1),
        "alone": round(best(lambda: alone.value_and_gradient(kernel.values), rounds, 20), 1),
    }
    stack = StackedObjective(kernel.expr, problem)
    for members in MEMBERS:
        values = np.array(kernel.values) * np.exp(0.05 * rng.standard_normal((members, len(kernel.values))))
        spent = best(lambda values=values: stack.value_and_gradient(values), rounds, max(1, 32 // members))
        row[f"stack_of_{members}"] = round(spent / members, 1)
    return row


def main() -> None:
    """Measure all and write them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--csv", type=Path, default=RESULTS / "stacked.csv")
    parser.add_argument("--rounds", type=int, default=12)
    given = parser.parse_args()
    rows = [measure(kernel, n, given.rounds) for n in SIZES for kernel in MODELS]
    write_rows(given.csv, rows)
    print(table(rows))


if __name__ == "__main__":
    main()
