"""Additive Gaussian processes on five regression sets, fold by fold, against the published figures; and their speed.

Columns and targets are standardised with all rows, as they were in the original (Duvenaud 2014, table 6.4); the folds
are the original ones. Seconds of a fit are of the processor. The shares of the orders stand in the table of results.
--speed times the covariance matrix with its gradient at n = 500, D = 13, R = 10, as a ratio to what LAPACK does in an
evaluation anyhow, beside the steps that automatic differentiation takes (the recursion on whole matrices, everything
kept, then backwards), and beside the package autograd where it is installed. `additive_shares.py` has the tables of
orders and of shares.

Usage: python benchmarks/additive.py [--sets servo] [--methods SE all-subsets orthogonal ARD GAM likely]
       python benchmarks/additive.py --sets bach --methods "turned GAM" --folds 0 1 2
       python benchmarks/additive.py --speed
"""

from __future__ import annotations

import argparse
import hashlib
import time
import tracemalloc
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from autostatistician import AdditiveGPRegressor, additive
from autostatistician.additive.base import base_of
from autostatistician.additive.kernel import AdditiveKernel, Layout
from common import RESULTS, Ledger, arguments, code_version, read_rows, table
from folds import ADDITIVE, FOLDS, SETS, standardised, summary

Row = dict[str, Any]
CASE, COLUMNS = ("set", "method", "fold"), ("mse", "nll", "seconds", "shares", "code")
SPEED_CASE, SPEED_COLUMNS = ("n", "columns", "orders", "method"), ("milliseconds", "to_lapack", "matrices", "code")
METHODS: dict[str, dict[str, Any]] = {
    "SE": {},
    "all-subsets": {"orders": "all-subsets"},
    "orthogonal": {"orthogonal": True, "max_order": 2},
    "ARD": {},  # the highest order alone
    "GAM": {"max_order": 1},
    "likely": {"learned_priors": False},
}


@cache
def code() -> str:
    """The version of the code as of the other benchmarks, with a hash of the room of the additive model."""
    digest = hashlib.sha256()
    for path in sorted(Path(additive.__file__).parent.glob("*.py")):
        if path.name not in ("effects.py", "shares.py"):  # pictures and words
            digest.update(path.read_bytes())
    return f"{code_version()}.{digest.hexdigest()[:8]}"


def regressor(method: str, columns: int) -> AdditiveGPRegressor:
    """The model of a method for so many columns."""
    return AdditiveGPRegressor(**METHODS[method] | ({"orders": (columns,)} if method == "ARD" else {}))


def prior_shares(model: AdditiveGPRegressor) -> dict[int, float]:
    """What part in per cent of the prior variance each order has, as is published; a constant has none."""
    kernel = model.fitted_.kernel
    variances = dict(zip(kernel.layout.orders, kernel.order_variances(model.X_train_), strict=True))
    variances.pop(0, None)
    return {order: 100.0 * variance / sum(variances.values()) for order, variance in variances.items()}


def run(data: Path, case: Row) -> Row:
    """Fit nine folds, predict the tenth."""
    X, y, folds = standardised(data, case["set"])
    test = folds == case["fold"]
    start = time.process_time()
    model = regressor(case["method"], X.shape[1]).fit(X[~test], y[~test])
    seconds = time.process_time() - start
    mse = float(np.mean((model.predict(X[test]) - y[test]) ** 2))
    nll = float(-np.mean(model.log_density(X[test], y[test])))
    shares = " ".join(f"{order}:{share:.1f}" for order, share in prior_shares(model).items())
    found = {"mse": round(mse, 5), "nll": round(nll, 5), "seconds": round(seconds, 1), "shares": shares}
    return case | found | {"code": code()}


# Speed -----------------------------------------------------------------------------------------------------


def speed(path: Path) -> None:
    """Time the matrix with its gradient, in processor time, and count its memory in matrices of that size."""
    n, columns, orders = 500, 13, 10
    rng = np.random.default_rng(0)
    X, layout = rng.normal(size=(n, columns)), Layout((base_of("SE"),) * columns, tuple(range(1, orders + 1)))
    u, outer = rng.normal(0.0, 0.2, layout.size), np.ones((n, n))
    ways: dict[str, Callable[[], object]] = {
        "ours": lambda: (AdditiveKernel(layout, u).matrix(X), AdditiveKernel(layout, u).gradient(X, outer))
    }
    ways["whole matrices backwards"] = lambda: _backwards(X, orders)
    direct = _with_autograd(X, orders)
    if direct is not None:
        ways["autograd"] = direct
    ledger = Ledger(path, SPEED_CASE, SPEED_COLUMNS, fresh=True)
    with threadpool_limits(limits=1):
        floor = _milliseconds(lambda: np.linalg.inv(np.linalg.cholesky(X @ X.T + n * np.eye(n))))
        for method, way in ways.items():
            spent = _milliseconds(way)
            case = {"n": n, "columns": columns, "orders": orders, "method": method, "code": code()}
            found = {"milliseconds": round(spent, 1), "to_lapack": round(spent / floor, 1)}
            ledger.write(case | found | {"matrices": round(_bytes(way) / (8 * n**2), 1)})
    print(table(read_rows(path)))


def _milliseconds(way: Callable[[], object]) -> float:
    """The median of seven runs after one; processor time, which others on the machine disturb little."""
    way()
    spent = []
    for _ in range(7):
        start = time.process_time()
        way()
        spent.append(1000.0 * (time.process_time() - start))
    return float(np.median(spent))


def _bytes(way: Callable[[], object]) -> int:
    """The most memory that is asked for at a time."""
    tracemalloc.start()
    way()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def _backwards(X: np.ndarray, orders: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The matrix and the gradients of its sum by log lengthscales and variances, every step recorded as a tape does."""
    n, columns = X.shape
    squares = [(X[:, None, d] - X[None, :, d]) ** 2 for d in range(columns)]
    z = [np.exp(-0.5 * one) for one in squares]
    tape = [[np.ones((n, n)), *[np.zeros((n, n))] * orders]]
    for one in z:
        last = tape[-1]
        tape.append([last[0], *(last[r] + one * last[r - 1] for r in range(1, orders + 1))])
    sizes, outer = np.ones(orders), np.ones((n, n))
    K = sum((size * one for size, one in zip(sizes, tape[-1][1:], strict=True)), np.zeros((n, n)))
    by_sizes = np.array([np.sum(outer * one) for one in tape[-1][1:]])
    by = [np.zeros((n, n)), *(size * outer for size in sizes)]
    found = np.zeros(columns)
    for d in range(columns - 1, -1, -1):
        by_z = np.zeros((n, n))
        for r in range(1, orders + 1):  # upwards: by[r] is still that of the step above
            by_z = by_z + by[r] * tape[d][r - 1]
            by[r - 1] = by[r - 1] + by[r] * z[d]
        found[d] = np.sum(by_z * z[d] * squares[d])
    return K, found, by_sizes


def _with_autograd(X: np.ndarray, orders: int) -> Callable[[], object] | None:
    """The same by the recursion on whole matrices, with automatic differentiation."""
    try:
        import autograd.numpy as anp
        from autograd import value_and_grad
    except ImportError:
        return None
    squares = [(X[:, None, d] - X[None, :, d]) ** 2 for d in range(X.shape[1])]

    def summed(u: Any) -> Any:
        found = [np.ones_like(squares[0]), *[np.zeros_like(squares[0])] * orders]
        for d, square in enumerate(squares):
            z = anp.exp(-0.5 * square * anp.exp(-2.0 * u[d]))
            found = [found[0], *(found[r] + z * found[r - 1] for r in range(1, orders + 1))]
        return anp.sum(sum(anp.exp(u[len(squares) + r - 1]) * found[r] for r in range(1, orders + 1)))

    both, start = value_and_grad(summed), np.zeros(len(squares) + orders)
    return lambda: both(start)


def main() -> None:
    """Run what is missing, or show what the table says."""
    parser: argparse.ArgumentParser = arguments(__doc__, "additive.csv", languages=())
    parser.add_argument("--sets", nargs="+", default=list(SETS), choices=SETS)
    parser.add_argument("--methods", nargs="+", default=["SE"], choices=list(METHODS))
    parser.add_argument("--folds", nargs="+", type=int, default=list(range(FOLDS)))
    parser.add_argument("--speed", action="store_true", help="time one evaluation instead")
    given = parser.parse_args()
    if given.speed:
        return speed(RESULTS / "additive-speed.csv")
    ledger, stamp = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh), code()
    for method in given.methods if not given.summary else ():
        for name in given.sets:
            for fold in given.folds:
                case = {"set": name, "method": method, "fold": fold}
                if not ledger.done(case | {"code": stamp}):
                    ledger.write(run(given.data, case))
    print(table(summary(read_rows(given.csv), METHODS, ADDITIVE, ".0f")))


if __name__ == "__main__":
    main()
