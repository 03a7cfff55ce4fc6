"""Known errors of measurement and limits of detection: whether 95 % ranges of the values hold on made data.

Series and tables of amounts are made with a smooth truth, scatter, and errors whose standard deviations are known and
differ from row to row; of some, the lowest quarter or the highest tenth lies beyond a limit of detection. The values
without their errors, of rows that the model has and of others, are held against the ranges of predictions. Every fourth
of the 200 is a case of the usual run.

About 2 minutes of one core.

Usage: python benchmarks/measured.py [--kind series table] [--seen errors below above] [--seed 0 4]
"""

import argparse

import numpy as np

from autostatistician import AutomaticStatistician
from autostatistician.data.load import load
from common import Array, Bench, Row, command

COLUMNS = ("code", "inside", "inside_new", "inside_limits", "error", "seconds")
KINDS, SEEN = ("series", "table"), ("errors", "below", "above", "both")
EVERY = tuple(range(25))
ROWS, NEW = 80, 40
LIMITS = {"below": (0.25, 1.0), "above": (0.0, 0.9), "both": (0.25, 1.0), "errors": (0.0, 1.0)}  # shares of the values


def truth_of(kind: str, rng: np.random.Generator) -> tuple[Array, Array]:
    """Inputs (n, d) and the values (n,) that are measured there."""
    n = ROWS + NEW
    if kind == "series":
        X = np.arange(n, dtype=float)[:, None]
        f = 8.0 + rng.uniform(-0.02, 0.03) * X[:, 0] + np.sin(2.0 * np.pi * X[:, 0] / rng.uniform(25.0, 60.0))
    else:
        X = rng.normal(size=(n, 2))
        f = 8.0 + X[:, 0] + rng.uniform(0.5, 1.5) * np.sin(1.5 * X[:, 1])
    return X, f + rng.normal(0.0, 0.3, n)


def run(case: Row, _: argparse.Namespace) -> Row:
    """One data set."""
    rng = np.random.default_rng(1000 * KINDS.index(case["kind"]) + case["seed"])
    X, truth = truth_of(case["kind"], rng)
    errors = rng.uniform(0.05, 1.0, len(truth)) if case["seen"] in ("errors", "both") else np.zeros(len(truth))
    y = truth + errors * rng.normal(size=len(truth))
    low, high = (float(np.quantile(y, share)) for share in LIMITS[case["seen"]])
    cells = [f"<{low:.4f}" if v < low else f">{high:.4f}" if v > high else f"{v:.5f}" for v in y]
    known = np.sort(rng.permutation(len(y))[:ROWS])
    new = np.setdiff1d(np.arange(len(y)), known)
    table = {f"x{k}": column[known] for k, column in enumerate(X.T, 1)} | {"y": [cells[row] for row in known]}
    named = {"time": "x1", "axis": "raw"} if case["kind"] == "series" else {"inputs": ["x1", "x2"]}
    error = errors[known] if errors.any() else None
    model = AutomaticStatistician(n_jobs=1, max_depth=4).fit(load(table, target="y", error=error, **named))
    inside, missed = _inside(model, X, truth)
    beyond = np.array([cell[0] in "<>" for cell in cells])
    at_limits = inside[known][beyond[known]]
    return {
        "inside": f"{inside[known].mean():.4f}", "inside_new": f"{inside[new].mean():.4f}",
        "inside_limits": f"{at_limits.mean():.4f}" if at_limits.size else "",
        "error": f"{np.sqrt(np.mean(missed[new] ** 2)):.4f}",
    }  # fmt: skip


def _inside(model: AutomaticStatistician, X: Array, truth: Array) -> tuple[Array, Array]:
    lower, upper = model.predictive(X).quantiles([0.025, 0.975]).T
    return (lower <= truth) & (truth <= upper), model.predict(X) - truth


BENCH = Bench(
    file="measured.csv", case=("kind", "seen", "seed"), columns=COLUMNS, run=run,
    options={"kind": KINDS, "seen": SEEN, "seed": EVERY[::4]}, more={"seed": EVERY},
)  # fmt: skip

if __name__ == "__main__":
    command(__doc__, BENCH)
