"""Deep Gaussian processes of two and three layers beside shallow ones: a step, airline passengers, two tables.

The step goes from -1 to 1 in the middle of 150 places with noise of 0.1; of airline every fifth month, by chance, is
held out and filled in from the others; servo and concrete have three of their ten folds. Each is done for three seeds,
of data and fit. ``exact`` is the exact process with one lengthscale for each column: it is fitted from its own starts
and from the numbers of the sparse one, and the better by evidence on the rows of the fit is taken. Errors are in
standard deviations of the target that was learned from; seconds are of one core.

About 6 minutes of one core.

Usage: python benchmarks/deep.py [--set step servo] [--method exact 1 2 3] [--seed 0 1]
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

import numpy as np

from autostatistician import DeepGPRegressor, SymmetricGPRegressor
from autostatistician.kernels.kernel import Kernel, parameters
from autostatistician.kernels.text import parse_kernel
from common import Array, Bench, Row, command
from regression import standardised

SETS = ("step", "airline", "servo", "concrete")
METHODS = ("exact", "1", "2", "3")  # the exact process, or how many layers
SEEDS = 3
Split = tuple[Array, Array, Array, Array]  # rows and targets to learn from, and to predict


def split(data: Path, name: str, seed: int) -> Split:
    """The data of a case; all columns and the target in standard units of what is learned from."""
    rng = np.random.default_rng(seed)
    if name == "step":
        X = rng.uniform(-1.0, 1.0, (1150, 1))
        y, test = np.sign(X[:, 0]) + 0.1 * rng.normal(size=1150), np.arange(1150) >= 150
    elif name == "airline":
        X, y = np.split(np.loadtxt(data / "timeseries" / "01-airline.csv", delimiter=",", skiprows=1), 2, axis=1)
        y, test = y[:, 0], rng.permutation(len(y)) < len(y) // 5
    else:
        X, y, folds = standardised(data, name)
        test = folds == seed
    spread = X[~test].std(axis=0)
    X = (X - X[~test].mean(axis=0)) / np.where(spread > 0.0, spread, 1.0)
    y = (y - y[~test].mean()) / y[~test].std()
    return X[~test], y[~test], X[test], y[test]


def run(case: Row, given: argparse.Namespace) -> Row:
    """Fit and predict."""
    X, y, new, truth = split(given.data, case["set"], case["seed"])
    if case["method"] == "exact":
        model = _exact(X, y)
        mean, sd = model.predict(new, return_std=True)
        bound, densities = model.log_evidence_, -0.5 * np.log(2.0 * np.pi * sd**2) - 0.5 * ((truth - mean) / sd) ** 2
    else:
        model = DeepGPRegressor(int(case["method"]), random_state=case["seed"]).fit(X, y)
        mean, bound, densities = model.predict(new), model.bound_, model.log_density(new, truth)
    found = {"rmse": np.sqrt(np.mean((mean - truth) ** 2)), "nll": -np.mean(densities), "bound": bound}
    return {key: round(float(value), 4) for key, value in found.items()}


def _exact(X: Array, y: Array) -> SymmetricGPRegressor:
    """The exact process, from its own starts or from the numbers of the sparse one."""
    names = [f"x{place + 1}" for place in range(X.shape[1])] if X.shape[1] > 1 else ["x"]
    expr = parse_kernel(" * ".join(f"SE[{name}]" for name in names) + " + WN").expr
    last = DeepGPRegressor(1).fit(X, y).fits_[0].network.last
    known = {
        "lengthscale": iter(np.exp(last.kernel.log_scales)),
        "sd": iter([np.exp(0.5 * last.kernel.log_variance), *[1.0] * (X.shape[1] - 1), np.exp(0.5 * last.log_noise)]),
    }
    told = Kernel(expr, tuple(float(next(known[one.name])) for one in parameters(expr)))
    return max((SymmetricGPRegressor(one).fit(X, y) for one in (expr, told)), key=lambda one: one.log_evidence_)


def paired(rows: Sequence[Row], name: str, method: str, measure: str, other: str = "exact") -> tuple[float, float]:
    """The mean difference of a measure to that of another method over the seeds, and its standard error."""
    known = {(row["method"], row["seed"]): float(row[measure]) for row in rows if row["set"] == name}
    both = [seed for one, seed in known if one == method and (other, seed) in known]
    gaps = [known[method, seed] - known[other, seed] for seed in both]
    return fmean(gaps), float(np.std(gaps, ddof=1) / np.sqrt(len(gaps))) if len(gaps) > 1 else float("nan")


BENCH = Bench(
    file="deep.csv", case=("set", "method", "seed"), columns=("rmse", "nll", "bound", "seconds", "code"), run=run,
    options={"set": SETS, "method": METHODS, "seed": tuple(range(SEEDS))},
)  # fmt: skip

if __name__ == "__main__":
    command(__doc__, BENCH)
