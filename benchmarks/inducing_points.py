"""Where inducing points stand: rows by pivoted Cholesky, by k-means++ or by chance, and rows that then move.

The numbers of a given structure are fitted to 5000 rows of a set of `tables_scale.py`, then held. For every choice of
as many points: the bound (nats), the error of 5000 rows that none has seen (in standard deviations of the target), and
the seconds that the choice and one posterior take on one core.

Usage: python benchmarks/inducing_points.py [--sets friedman flights] [--summary]
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from sklearn.cluster import kmeans_plusplus

from autostatistician.inference.engines.inducing.moved import moved
from autostatistician.inference.engines.inducing.objective import InducingObjective
from autostatistician.inference.engines.inducing.posterior import conditioned_by_points
from autostatistician.inference.engines.inducing.selection import inducing_rows
from autostatistician.inference.fitting.multistart import Table, best_fit
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import Kernel, unset
from autostatistician.language.text import parse
from autostatistician.threads import one_thread
from common import Array, Ledger, Row, arguments, code_version, read_rows, table
from tables_scale import split

__all__ = ["METHODS", "STRUCTURES", "standardised", "summary"]

CASE, COLUMNS = ("set", "points", "method"), ("rows", "bound", "rmse", "seconds", "code")
ENGINE = ("inference", "language")
ROWS, POINTS, STEPS = 5000, (25, 100, 300), 10
STRUCTURES = {
    "friedman": "SE[x1] * SE[x2] + SE[x3] + SE[x4] + Lin[x5] + WN",
    "flights": "SE[lat] * Matern32[day] * Matern32[lon] * Lin[distance] + SE[lon] * Lin[distance] + WN",
}


def _pivoted(kernel: Kernel, problem: Problem, count: int) -> Array:
    return np.asarray(problem.X[inducing_rows(kernel, problem, count)])


def _spread(kernel: Kernel, problem: Problem, count: int) -> Array:
    return np.asarray(kmeans_plusplus(problem.X, count, random_state=0)[0])


def _by_chance(kernel: Kernel, problem: Problem, count: int) -> Array:
    return np.asarray(problem.X[np.random.default_rng(0).choice(problem.n, count, replace=False)])


def _moved(kernel: Kernel, problem: Problem, count: int) -> Array:
    first = InducingObjective(kernel.expr, problem, count, _pivoted(kernel, problem, count))
    return moved(first, kernel.values, STEPS).points_for(kernel.values)


METHODS: dict[str, Callable[[Kernel, Problem, int], Array]] = {
    "pivoted Cholesky": _pivoted, "k-means++": _spread, "by chance": _by_chance,
    f"pivoted Cholesky, then {STEPS} steps": _moved,
}  # fmt: skip


def standardised(name: str, count: int) -> tuple[Problem, Array, Array]:
    """Rows of a set to learn from, and some to predict, all columns and the target in standard units."""
    (X, y), (X_new, y_new) = split(name, count, 0)
    known, new = X.to_numpy(dtype=float), X_new.to_numpy(dtype=float)
    middle, spread = known.mean(axis=0), known.std(axis=0)
    problem = Problem(np.ascontiguousarray((known - middle) / spread), (y - y.mean()) / y.std(), tuple(X.columns))
    return problem, (new - middle) / spread, (y_new - y.mean()) / y.std()


def fitted(text: str, problem: Problem) -> Kernel:
    """The structure with the numbers that the rows tell."""
    rows = Table(problem.X, problem.y, problem.columns)
    return best_fit(unset(parse(text)), rows, 2, np.random.default_rng(0))


def run(case: Row, kernel: Kernel, data: tuple[Problem, Array, Array]) -> Row:
    """Choose points, condition and predict."""
    problem, X, y = data
    start = time.process_time()
    places = METHODS[case["method"]](kernel, problem, case["points"])
    posterior = conditioned_by_points(kernel, problem, np.ascontiguousarray(places))
    seconds = time.process_time() - start
    error = float(np.sqrt(np.mean((posterior.signal(X)[0] - y) ** 2)) / y.std())
    found = {"bound": round(posterior.log_evidence, 1), "rmse": round(error, 4), "seconds": round(seconds, 2)}
    return case | {"rows": problem.n} | found


def summary(rows: list[Row]) -> list[Row]:
    """The rows as they are, but for the code."""
    return [{name: row[name] for name in (*CASE, *COLUMNS[:-1])} for row in rows]


def main() -> None:
    """Run what is missing, or show what the table says."""
    parser = arguments(__doc__, "inducing-points.csv", languages=())
    parser.add_argument("--sets", nargs="+", default=list(STRUCTURES), choices=STRUCTURES)
    given = parser.parse_args()
    ledger, code = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh), {"code": code_version(ENGINE)}
    for name in given.sets if not given.summary else ():
        cases = [{"set": name, "points": count, "method": one} | code for count in POINTS for one in METHODS]
        left = ledger.left(cases)
        if left:
            data = standardised(name, ROWS)
            with one_thread():
                kernel = fitted(STRUCTURES[name], data[0])
                for case in left:
                    ledger.write(run(case, kernel, data))
    print(table(summary(read_rows(given.csv))))


if __name__ == "__main__":
    main()
