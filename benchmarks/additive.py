"""Additive Gaussian processes on tables: the five sets of the original, their speed, many rows, shares of orders.

`additive.csv`: fold by fold against the published figures. Columns and targets are standardised with all rows, as they
were in the original (Duvenaud 2014, table 6.4); the folds are the original ones.
`additive-speed.csv`: the covariance matrix with its gradient at n = 500, D = 13, R = 10, as a ratio to what LAPACK does
in an evaluation anyhow, beside the steps that automatic differentiation takes (the recursion on whole matrices,
everything kept, then backwards), and beside the package autograd where it is installed.
`additive-rows.csv`: first order alone on many rows: points in all columns beside places of single columns. Made data: a
sum of sines, each of its own column and speed, with noise of 0.3. Both ways fit a bound; the logarithm of the evidence
without a bound is computed for what each has found, by products whose cost grows with rows times columns
(`models.additive.many_rows`), with its standard error. Errors are of the function at 1000 other rows.
`additive-orders.csv`: the shares of the orders on the seven sets of table 6.1 of Duvenaud 2014 (the first fold, rows of
the other nine), beside the published ones, with the log marginal likelihood of the numbers found here and of the best
ones that have the published shares: where the dominant order differs, the likelihood says which explains the data
better. Both are the most likely numbers, as in the original, without learned priors. The three sets of classes are
fitted by least squares to labels of -1 and 1 here, in the original by expectation propagation, so their shares need
not agree.

About 22 minutes of one core; all ten folds take 45.

Usage: python benchmarks/additive.py [--only additive.csv] [--set servo] [--method SE all-subsets ARD] [--fold 0 1]
"""

import argparse
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

from autostatistician import AdditiveGPRegressor
from autostatistician.gp.covariance import NotPositiveDefinite
from autostatistician.models.additive.base import base_of
from autostatistician.models.additive.evidence import learned_prior, negative_log_evidence
from autostatistician.models.additive.kernel import AdditiveKernel, Layout
from autostatistician.models.additive.many_rows import chosen_places, exact_evidence, fit_columns, fit_many
from common import Array, Bench, Row, code_version, command, package_version
from regression import SETS, standardised

METHODS: dict[str, dict[str, Any]] = {
    "SE": {},
    "all-subsets": {"orders": "all-subsets"},
    "orthogonal": {"orthogonal": True, "max_order": 2},
    "ARD": {},  # the highest order alone
    "GAM": {"max_order": 1},
    "likely": {"learned_priors": False},
}


def regressor(method: str, columns: int) -> AdditiveGPRegressor:
    """The model of a method for so many columns."""
    return AdditiveGPRegressor(**METHODS[method] | ({"orders": (columns,)} if method == "ARD" else {}))


def prior_shares(model: AdditiveGPRegressor) -> dict[int, float]:
    """What part in per cent of the prior variance each order has, as is published; a constant has none."""
    kernel = model.fitted_.kernel
    variances = dict(zip(kernel.layout.orders, kernel.order_variances(model.X_train_), strict=True))
    variances.pop(0, None)
    return {order: 100.0 * variance / sum(variances.values()) for order, variance in variances.items()}


def of_fold(case: Row, given: argparse.Namespace) -> Row:
    """Fit nine folds, predict the tenth."""
    X, y, folds = standardised(given.data, case["set"])
    test = folds == case["fold"]
    model = regressor(case["method"], X.shape[1]).fit(X[~test], y[~test])
    mse = float(np.mean((model.predict(X[test]) - y[test]) ** 2))
    nll = float(-np.mean(model.log_density(X[test], y[test])))
    shares = " ".join(f"{order}:{share:.1f}" for order, share in prior_shares(model).items())
    return {"mse": round(mse, 5), "nll": round(nll, 5), "shares": shares}


# Speed -----------------------------------------------------------------------------------------------------

SIZE, WIDTH, ORDERS = 500, 13, 10


def timed(case: Row, _: argparse.Namespace) -> Row:
    """The matrix with its gradient, in processor time, and its memory in matrices of that size."""
    n, columns, orders = case["n"], case["columns"], case["orders"]
    rng = np.random.default_rng(0)
    X, layout = rng.normal(size=(n, columns)), Layout((base_of("SE"),) * columns, tuple(range(1, orders + 1)))
    u, outer = rng.normal(0.0, 0.2, layout.size), np.ones((n, n))
    ways: dict[str, Callable[[], object]] = {
        "ours": lambda: (AdditiveKernel(layout, u).matrix(X), AdditiveKernel(layout, u).gradient(X, outer)),
        "whole matrices backwards": lambda: _backwards(X, orders),
        "autograd": lambda: direct(),
    }
    direct = _with_autograd(X, orders) if case["method"] == "autograd" else object
    way = ways[case["method"]]
    floor = _milliseconds(lambda: np.linalg.inv(np.linalg.cholesky(X @ X.T + n * np.eye(n))))
    spent = _milliseconds(way)
    matrices = round(_bytes(way) / (8 * n**2), 1)
    return {"milliseconds": round(spent, 1), "to_lapack": round(spent / floor, 1), "matrices": matrices}


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


def _with_autograd(X: np.ndarray, orders: int) -> Callable[[], object]:
    """The same by the recursion on whole matrices, with automatic differentiation."""
    import autograd.numpy as anp
    from autograd import value_and_grad

    squares = [(X[:, None, d] - X[None, :, d]) ** 2 for d in range(X.shape[1])]

    def summed(u: Any) -> Any:
        found = [np.ones_like(squares[0]), *[np.zeros_like(squares[0])] * orders]
        for d, square in enumerate(squares):
            z = anp.exp(-0.5 * square * anp.exp(-2.0 * u[d]))
            found = [found[0], *(found[r] + z * found[r - 1] for r in range(1, orders + 1))]
        return anp.sum(sum(anp.exp(u[len(squares) + r - 1]) * found[r] for r in range(1, orders + 1)))

    both, start = value_and_grad(summed), np.zeros(len(squares) + orders)
    return lambda: both(start)


# Many rows -------------------------------------------------------------------------------------------------

WAYS = {"rows": fit_many, "columns": fit_columns}
WIDE, TEST_ROWS, NOISE, PLACES = 10, 1000, 0.3, 600


def made(rows: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Inputs, the function and observations of it; the last rows are those of the test."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows + TEST_ROWS, WIDE))
    function = sum(np.sin((1.0 + column / 2.0) * x) / (1.0 + 0.3 * column) for column, x in enumerate(X.T))
    return X, function, function + NOISE * rng.normal(size=len(X))


def of_many_rows(case: Row, _: argparse.Namespace) -> Row:
    """Fit, predict, and say how far the bound is from the evidence."""
    rows, layout = case["rows"], Layout((base_of(case["leaf"]),) * WIDE, (1,))
    X, function, y = made(rows)
    mean, size = y[:rows].mean(), y[:rows].std()
    target = (y[:rows] - mean) / size
    start = time.process_time()
    fitted = WAYS[case["method"]](layout, X[:rows], target, 1, np.random.default_rng(0), learned_prior(layout))
    seconds = time.process_time() - start
    predicted = mean + size * fitted.posterior.project(None, X[rows:]).mean
    start = time.process_time()
    places = chosen_places(fitted.kernel, X[:rows], PLACES)
    exact = exact_evidence(fitted.kernel, X[:rows], target, places, np.random.default_rng(0))
    return {
        "error": round(float(np.sqrt(np.mean((predicted - function[rows:]) ** 2))), 4),
        "noise": round(float(np.sqrt(fitted.kernel.noise_variance) * size), 4),
        "bound": round(-fitted.nll, 1),
        "exact": round(exact.value, 1),
        "exact_error": round(exact.error, 1),
        "seconds": round(seconds, 1),
        "exact_seconds": round(time.process_time() - start, 1),
    }


# Orders ----------------------------------------------------------------------------------------------------

CLASSES = ("pima", "liver", "heart")
SETS_OF_ORDERS = (*CLASSES, "concrete", "pumadyn8nh", "servo", "housing")
# Per cent of the prior variance by order (Duvenaud 2014, table 6.1).
PUBLISHED = {
    "pima": (0.1, 0.1, 0.1, 0.3, 1.5, 96.4, 1.4, 0.0),
    "liver": (0.0, 0.2, 99.7, 0.1, 0.0, 0.0),
    "heart": (77.6, 0.0, 0.0, 0.0, 0.1, 0.1, 0.1, 0.1, 0.1, 22.0),
    "concrete": (70.6, 13.3, 13.8, 2.3, 0.0, 0.0, 0.0, 0.0),
    "pumadyn8nh": (0.0, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 99.5),
    "servo": (58.7, 27.4, 0.0, 13.9),
    "housing": (0.1, 0.6, 80.6, 1.4, 1.8, 0.8, 0.7, 0.8, 0.6, 12.7),
}
LEAST = 0.02  # per cent that a published zero may stand for
STARTS, STEPS = 3, 150


def read(data: Path, name: str) -> tuple[Array, Array, Array]:
    """Standardised inputs, targets and folds of a set; labels stay -1 and 1."""
    if name not in CLASSES:
        return standardised(data, name)
    rows = np.loadtxt(data / "classification" / f"{name}.csv", delimiter=",", skiprows=1)
    X, y, folds = rows[:, :-3], rows[:, -3], rows[:, -2].astype(int)
    return (X - X.mean(axis=0)) / X.std(axis=0, ddof=1), y, folds


def orders_of(case: Row, given: argparse.Namespace) -> Row:
    """The shares of the orders found on the rows outside of the first fold, beside the published ones."""
    X, y, folds = read(given.data, case["set"])
    model = regressor("likely", X.shape[1]).fit(X[folds != 0], y[folds != 0])
    layout, published = model.fitted_.kernel.layout, np.array(PUBLISHED[case["set"]])
    with_published = _evidence_with(layout, np.maximum(published, LEAST), model.X_train_, _target(model, y[folds != 0]))
    shares = np.array(list(prior_shares(model).values()))
    return {
        "published": _words(published),
        "found": _words(shares),
        "dominant_published": int(np.argmax(published)) + 1,
        "dominant": int(np.argmax(shares)) + 1,
        "evidence_published": round(with_published, 2),
        "evidence": round(-model.fitted_.nll, 2),
    }


def _target(model: Any, y: Array) -> Array:
    return np.asarray((y - model.y_mean_) / model.y_scale_)


def _words(shares: Array) -> str:
    return " ".join(f"{share:.1f}" for share in shares)


def _evidence_with(layout: Layout, shares: Array, X: Array, y: Array) -> float:
    """The highest log marginal likelihood found with given shares of the orders; one number scales them all."""
    end, fixed = layout.ends[-1], np.log(shares / shares.sum())

    def objective(v: Array) -> tuple[float, Array]:
        u = np.concatenate([v[:end], fixed + v[end], v[end + 1 :]])
        try:
            value, by = negative_log_evidence(layout, u, X, y)
        except NotPositiveDefinite:
            return 1e25, np.zeros_like(v)
        return value, np.concatenate([by[:end], [by[end:-1].sum()], by[-1:]])

    rng, found = np.random.default_rng(0), []
    bounds = [*[(-3.0, 9.0)] * end, (-12.0, 10.0), (-5.0, 0.5)]
    for _ in range(STARTS):
        start = np.concatenate([rng.normal(0.5, 0.7, end), [0.0, np.log(0.3)]])
        options = {"maxiter": STEPS, "maxcor": 20}
        found.append(minimize(objective, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options).fun)
    return -float(min(found))


BENCHES = (
    Bench(
        file="additive.csv", case=("set", "method", "fold"), columns=("mse", "nll", "seconds", "shares", "code"),
        options={"method": ("SE", "GAM", "ARD"), "set": SETS, "fold": tuple(range(4))},
        more={"method": tuple(METHODS)}, run=of_fold,
    ),
    Bench(
        file="additive-speed.csv", case=("n", "columns", "orders", "method"),
        columns=("milliseconds", "to_lapack", "matrices", "code"),
        options={"n": (SIZE,), "columns": (WIDTH,), "orders": (ORDERS,),
                 "method": ("ours", "whole matrices backwards", "autograd")},
        code=lambda case: package_version("autograd") if case["method"] == "autograd" else code_version(), run=timed,
    ),
    Bench(
        file="additive-rows.csv", case=("rows", "columns", "leaf", "method"),
        columns=("error", "noise", "bound", "exact", "exact_error", "seconds", "exact_seconds", "code"),
        options={"rows": (20_000,), "columns": (WIDE,), "leaf": ("SE", "Matern12"), "method": tuple(WAYS)},
        run=of_many_rows,
    ),
    Bench(
        file="additive-orders.csv", case=("set",), run=orders_of, options={"set": SETS_OF_ORDERS},
        columns=("published", "found", "dominant_published", "dominant", "evidence_published", "evidence", "code"),
    ),
)  # fmt: skip

if __name__ == "__main__":
    command(__doc__, *BENCHES)
