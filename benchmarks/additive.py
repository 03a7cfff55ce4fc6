"""Additive Gaussian processes on five regression sets, fold by fold, against the published figures; and their speed.

Columns and targets are standardised with all rows, as they were in the original (Duvenaud 2014, table 6.4); the folds
are the original ones. The shares of the orders stand in the table of results. --speed times the covariance matrix with
its gradient at n = 500, D = 13, R = 10, as a ratio to what LAPACK does in an evaluation anyhow, beside the steps that
automatic differentiation takes (the recursion on whole matrices, everything kept, then backwards), and beside PyTorch
where it is installed. `additive_shares.py` has the tables of orders and of shares.

Usage: python benchmarks/additive.py [--sets servo] [--methods SE all-subsets orthogonal ARD GAM]
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
from scipy.stats import t as student_t
from threadpoolctl import threadpool_limits

from autostatistician import additive
from autostatistician.additive import AdditiveGPRegressor
from autostatistician.additive.base import base_of
from autostatistician.additive.kernel import AdditiveKernel, Layout
from common import RESULTS, Ledger, arguments, code_version, read_rows, table

Row = dict[str, Any]
CASE, COLUMNS = ("set", "method", "fold"), ("mse", "nll", "seconds", "shares", "code")
SPEED_CASE, SPEED_COLUMNS = ("n", "columns", "orders", "method"), ("milliseconds", "to_lapack", "matrices", "code")
SETS = ("bach", "concrete", "pumadyn8nh", "servo", "housing")
# Means over the folds of the additive model and of the structure search (Duvenaud 2014, tables 6.4 and 6.5).
ADDITIVE_MSE = dict(zip(SETS, (0.045, 0.089, 0.316, 0.110, 0.102), strict=True))
ADDITIVE_ERROR = dict(zip(SETS, (0.003, 0.010, 0.023, 0.038, 0.015), strict=True))  # standard errors of these means
ADDITIVE_NLL = dict(zip(SETS, (-0.131, 0.114, 0.841, 0.309, 0.194), strict=True))
METHODS: dict[str, dict[str, Any]] = {
    "SE": {},
    "all-subsets": {"orders": "all-subsets"},
    "orthogonal": {"orthogonal": True, "max_order": 2},
    "ARD": {},  # the highest order alone
    "GAM": {"max_order": 1},
}
FOLDS = 10


@cache
def code() -> str:
    """The version of the code as of the other benchmarks, with a hash of the room of the additive model."""
    digest = hashlib.sha256()
    for path in sorted(Path(additive.__file__).parent.glob("*.py")):
        if path.name not in ("effects.py", "shares.py"):  # pictures and words
            digest.update(path.read_bytes())
    return f"{code_version()}.{digest.hexdigest()[:8]}"


def standardised(data: Path, name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Inputs, targets and folds of a set: the last two columns of its file."""
    rows = np.loadtxt(data / "regression" / f"{name}.csv", delimiter=",", skiprows=1)
    folds, rows = rows[:, -1].astype(int), rows[:, :-1]
    spread = rows.std(axis=0, ddof=1)
    rows = (rows - rows.mean(axis=0)) / np.where(spread > 0.0, spread, 1.0)
    return rows[:, :-1], rows[:, -1], folds


def regressor(method: str, columns: int) -> AdditiveGPRegressor:
    """The model of a method for so many columns."""
    return AdditiveGPRegressor(**METHODS[method] | ({"orders": (columns,)} if method == "ARD" else {}))


def run(data: Path, case: Row) -> Row:
    """Fit nine folds, predict the tenth."""
    X, y, folds = standardised(data, case["set"])
    test = folds == case["fold"]
    start = time.perf_counter()
    model = regressor(case["method"], X.shape[1]).fit(X[~test], y[~test])
    seconds = time.perf_counter() - start
    mse = float(np.mean((model.predict(X[test]) - y[test]) ** 2))
    nll = float(-np.mean(model.log_density(X[test], y[test])))
    shares = " ".join(f"{int(order)}:{share:.1f}" for order, share in model.orders_[["order", "share"]].to_numpy())
    found = {"mse": round(mse, 5), "nll": round(nll, 5), "seconds": round(seconds, 1), "shares": shares}
    return case | found | {"code": code()}


def summary(rows: list[Row]) -> list[Row]:
    """Means over the folds beside the published ones; p-values of a t-test that they differ.

    The published figures of single folds are not known, so the test takes both means as uncertain by their standard
    errors (Welch); the published errors are those of table 6.4, for the likelihood none is known.
    """
    found = []
    for name in SETS:
        for method in METHODS:
            own = [row for row in rows if (row["set"], row["method"]) == (name, method)]
            if own:
                found.append({"set": name, "method": method, "folds": len(own), **_compared(name, own)})
    return found


def _compared(name: str, own: list[Row]) -> Row:
    shown: Row = {}
    for measure, published, error in (
        ("mse", ADDITIVE_MSE[name], ADDITIVE_ERROR[name]),
        ("nll", ADDITIVE_NLL[name], 0.0),
    ):
        values = np.array([float(row[measure]) for row in own])
        spread = values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else float("nan")
        p = 2.0 * float(student_t.sf(abs(values.mean() - published) / np.hypot(spread, error), len(values) - 1))
        shown |= {measure: f"{values.mean():.3f}", f"{measure} published": published, f"{measure} p": f"{p:.2f}"}
    return shown | {"seconds": f"{np.mean([float(row['seconds']) for row in own]):.0f}"}


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
        ways["PyTorch autograd"] = direct
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
        import torch
    except ImportError:
        return None
    torch.set_num_threads(1)
    inputs = torch.tensor(X)

    def way() -> object:
        lengths = torch.zeros(X.shape[1], dtype=torch.float64, requires_grad=True)
        sizes = torch.zeros(orders, dtype=torch.float64, requires_grad=True)
        lags = (inputs[:, None] - inputs[None]) / torch.exp(lengths)
        z = torch.exp(-0.5 * lags**2)
        found = [torch.ones_like(z[..., 0]), *[torch.zeros_like(z[..., 0])] * orders]
        for column in range(X.shape[1]):
            found = [found[0], *(found[r] + z[..., column] * found[r - 1] for r in range(1, orders + 1))]
        K = sum(torch.exp(size) * one for size, one in zip(sizes, found[1:], strict=True))
        K.sum().backward()
        return lengths.grad

    return way


def main() -> None:
    """Run what is missing, or show what the table says."""
    parser: argparse.ArgumentParser = arguments(__doc__, "additive.csv", languages=())
    parser.add_argument("--sets", nargs="+", default=list(SETS), choices=SETS)
    parser.add_argument("--methods", nargs="+", default=["SE"], choices=list(METHODS))
    parser.add_argument("--speed", action="store_true", help="time one evaluation instead")
    given = parser.parse_args()
    if given.speed:
        return speed(RESULTS / "additive-speed.csv")
    ledger, stamp = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh), code()
    for method in given.methods if not given.summary else ():
        for name in given.sets:
            for fold in range(FOLDS):
                case = {"set": name, "method": method, "fold": fold}
                if not ledger.done(case | {"code": stamp}):
                    ledger.write(run(given.data, case))
    print(table(summary(read_rows(given.csv))))


if __name__ == "__main__":
    main()
