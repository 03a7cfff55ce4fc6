"""One Gaussian process for 10 000 rows by inducing points, by estimates of their bound, by random features, by ULISSE.

The process has one squared exponential with a lengthscale for every column of a set of `tables_scale.py`. Numbers begin
at the most likely ones for 1000 rows; ``exact, 2000 rows`` is one matrix of that many. Random features hold numbers.
For 5000 rows that none has seen: the error in standard deviations of the target; for the first 200 of them the mean
negative log density, where a method has one. Seconds of one core, megabytes of a process of its own.

Usage: python benchmarks/approximations.py [--sets flights] [--rows 10000] [--methods ...] [--summary]
"""

from __future__ import annotations

import multiprocessing
import resource
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from ard import Numbers, expression, numbers_of
from autostatistician.inference.engines.choice import condition
from autostatistician.inference.fitting.multistart import Table, best_fit
from autostatistician.inference.fitting.optimise import fit
from autostatistician.inference.parameters.scales import measure
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import Kernel, unset
from autostatistician.threads import one_thread
from common import Array, Ledger, Row, arguments, code_version, read_rows, table
from inducing_points import standardised
from random_features import predicted
from tables_scale import SETS
from unbiased_solves import ascended, unbiased_solution

__all__ = ["METHODS", "summary"]

CASE, COLUMNS = ("set", "rows", "method"), ("rmse", "nlpd", "seconds", "megabytes", "code")
ENGINE = ("inference", "language")
ROWS_OF_START, ROWS_EXACT, STEPS = 1000, 2000, 30
WITH_DENSITY = 200  # of the new rows

Found = tuple[Array, Array | None]  # means (m,) of new rows; variances of the first ones with the noise


def _by_engine(name: str, rows: int | None = None) -> Callable[[Kernel, Problem, Array], Found]:
    def run(kernel: Kernel, problem: Problem, new: Array) -> Found:
        problem = problem if rows is None else problem.rows(np.arange(rows))
        scales = measure(problem.X, problem.y, problem.columns)
        found = fit(kernel, problem, scales, STEPS, prefer=name).kernel
        posterior = condition(found, problem, name)
        sd = posterior.signal(new[:WITH_DENSITY])[1]
        return posterior.signal(new)[0], sd**2 + numbers_of(found).noise

    return run


def _random_features(kernel: Kernel, problem: Problem, new: Array) -> Found:
    return predicted(numbers_of(kernel), problem.X, problem.y, new, np.random.default_rng(0)), None


def _ulisse(kernel: Kernel, problem: Problem, new: Array) -> Found:
    system = ascended(numbers_of(kernel), problem.X, problem.y, np.random.default_rng(0))

    def solved(b: Array) -> Array:
        return unbiased_solution(lambda p: system.K @ p, b, system.eased, None)

    numbers: Numbers = system.numbers
    cross = numbers.covariance(new, problem.X)
    explained = [float(row @ solved(row)) for row in cross[:WITH_DENSITY]]
    return cross @ solved(problem.y), numbers.variance + numbers.noise - np.array(explained)


METHODS: dict[str, Callable[[Kernel, Problem, Array], Found]] = {
    "exact, 2000 rows": _by_engine("blocks", ROWS_EXACT),
    "inducing points": _by_engine("inducing points"),
    "stochastic inducing points": _by_engine("stochastic inducing points"),
    "random features": _random_features,
    "ULISSE": _ulisse,
}


def run(case: Row) -> Row:
    """Fit and predict; best in a process of its own."""
    problem, X, y = standardised(case["set"], case["rows"])
    some = problem.rows(np.arange(ROWS_OF_START))
    with one_thread():
        rows, begin = Table(some.X, some.y, some.columns), unset(expression(problem.columns))
        kernel = best_fit(begin, rows, 2, np.random.default_rng(0))
        start = time.process_time()
        mean, variance = METHODS[case["method"]](kernel, problem, X)
        seconds = time.process_time() - start
    rmse = float(np.sqrt(np.mean((mean - y) ** 2)) / y.std())
    nlpd = float("nan") if variance is None else _density(y[:WITH_DENSITY], mean[:WITH_DENSITY], variance)
    megabytes = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0)
    return case | {"rmse": round(rmse, 4), "nlpd": round(nlpd, 4), "seconds": round(seconds, 1), "megabytes": megabytes}


def _density(y: Array, mean: Array, variance: Array) -> float:
    return float(np.mean(0.5 * (np.log(2.0 * np.pi * variance) + (y - mean) ** 2 / variance)))


def summary(rows: list[Row]) -> list[Row]:
    """The rows as they are, but for the code."""
    return [{name: row[name] for name in (*CASE, *COLUMNS[:-1])} for row in rows]


def main() -> None:
    """Run what is missing, or show what the table says."""
    parser = arguments(__doc__, "approximations.csv", languages=())
    parser.add_argument("--sets", nargs="+", default=["flights"], choices=SETS)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--methods", nargs="+", default=list(METHODS), choices=METHODS)
    given = parser.parse_args()
    ledger, code = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh), {"code": code_version(ENGINE)}
    cases = [{"set": name, "rows": given.rows, "method": one} | code for name in given.sets for one in given.methods]
    for case in ledger.left(cases) if not given.summary else ():
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process:
            ledger.write(process.submit(run, case).result())
    print(table(summary(read_rows(given.csv))))


if __name__ == "__main__":
    main()
