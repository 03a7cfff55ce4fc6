"""What orders, columns and pairs account for in additive models: two tables.

The shares of the orders on the seven sets of table 6.1 of Duvenaud 2014 (the first fold, rows of the other nine),
beside the published ones, with the log marginal likelihood of the numbers found here and of the best ones that have
the published shares: where the dominant order differs, the likelihood says which explains the data better. Both are
the most likely numbers, as in the original, without learned priors. The three
sets of classes are fitted by least squares to labels of -1 and 1 here, in the original by expectation propagation, so
their shares need not agree.

--compare: shares of the variance of the fitted function (Sobol 1993) that columns and pairs have under the usual
product of all columns (ARD), the additive kernel, and the orthogonal additive kernel (Lu et al. 2022), fitted to all
rows.

Usage: python benchmarks/additive_shares.py [--sets servo]
       python benchmarks/additive_shares.py --compare [--sets concrete]
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

from additive import code, prior_shares, regressor
from autostatistician.additive.evidence import negative_log_evidence
from autostatistician.additive.kernel import Layout
from autostatistician.inference.covariance.factor import NotPositiveDefinite
from common import RESULTS, Ledger, arguments, read_rows, table
from folds import standardised

Row = dict[str, Any]
Array = np.ndarray[Any, np.dtype[np.float64]]

CLASSES = ("pima", "liver", "heart")
SETS = (*CLASSES, "concrete", "pumadyn8nh", "servo", "housing")
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

ORDERS_CASE = ("set",)
ORDERS_COLUMNS = ("published", "found", "dominant_published", "dominant", "evidence_published", "evidence", "code")
SHARES_CASE, SHARES_COLUMNS = ("set", "method", "term"), ("share", "evidence", "code")
COMPARED = ("ARD", "SE", "orthogonal")
SHOWN = 1.0  # per cent that a term must reach with one of the methods to be printed


def read(data: Path, name: str) -> tuple[Array, Array, Array]:
    """Standardised inputs, targets and folds of a set; labels stay -1 and 1."""
    if name not in CLASSES:
        return standardised(data, name)
    rows = np.loadtxt(data / "classification" / f"{name}.csv", delimiter=",", skiprows=1)
    X, y, folds = rows[:, :-3], rows[:, -3], rows[:, -2].astype(int)
    return (X - X.mean(axis=0)) / X.std(axis=0, ddof=1), y, folds


# Orders ----------------------------------------------------------------------------------------------------


def orders_of(data: Path, name: str) -> Row:
    """The shares of the orders found on the rows outside of the first fold, beside the published ones."""
    X, y, folds = read(data, name)
    model = regressor("likely", X.shape[1]).fit(X[folds != 0], y[folds != 0])
    layout, published = model.fitted_.kernel.layout, np.array(PUBLISHED[name])
    with_published = _evidence_with(layout, np.maximum(published, LEAST), model.X_train_, _target(model, y[folds != 0]))
    shares = np.array(list(prior_shares(model).values()))
    return {
        "set": name,
        "published": _words(published),
        "found": _words(shares),
        "dominant_published": int(np.argmax(published)) + 1,
        "dominant": int(np.argmax(shares)) + 1,
        "evidence_published": round(with_published, 2),
        "evidence": round(-model.fitted_.nll, 2),
        "code": code(),
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


# Comparison ------------------------------------------------------------------------------------------------


def shares_of(data: Path, name: str, method: str) -> list[Row]:
    """The shares of columns and pairs of one model of one set."""
    X, y, _ = read(data, name)
    model = regressor(method, X.shape[1]).fit(X, y)
    names = _columns(data, name)
    places = {f"column {place}": column for place, column in enumerate(names)}
    shown = [(" x ".join(places[one] for one in columns) or "more columns", share)
             for columns, share in model.sobol().itertuples(index=False)]  # fmt: skip
    common = {"set": name, "method": method, "evidence": round(-model.fitted_.nll, 2), "code": code()}
    return [common | {"term": term, "share": round(share, 2)} for term, share in shown]


def _columns(data: Path, name: str) -> list[str]:
    folder = "classification" if name in CLASSES else "regression"
    with (data / folder / f"{name}.csv").open(encoding="utf-8") as file:
        return file.readline().strip().split(",")


def compared(rows: list[Row], name: str) -> list[Row]:
    """One row for each term that has a share worth the name, one column for each method."""
    own = [row for row in rows if row["set"] == name]
    terms = list(dict.fromkeys(row["term"] for row in own if float(row["share"]) >= SHOWN))
    shares = {(row["term"], row["method"]): row["share"] for row in own}
    found: list[Row] = [
        {"set": name, "term": one} | {way: shares.get((one, way), "-") for way in COMPARED} for one in terms
    ]
    evidence = {row["method"]: row["evidence"] for row in own}
    return [*found, {"set": name, "term": "log evidence"} | {way: evidence.get(way, "-") for way in COMPARED}]


def main() -> None:
    """Run what is missing, and show what the tables say."""
    parser: argparse.ArgumentParser = arguments(__doc__, "additive-orders.csv", languages=())
    parser.add_argument("--sets", nargs="+", default=None, choices=SETS)
    parser.add_argument("--compare", action="store_true", help="shares of columns and pairs under three kernels")
    given = parser.parse_args()
    if given.compare:
        return _compare(given)
    ledger = Ledger(given.csv, ORDERS_CASE, ORDERS_COLUMNS, fresh=given.fresh)
    for name in (given.sets or SETS) if not given.summary else ():
        if not ledger.done({"set": name, "code": code()}):
            ledger.write(orders_of(given.data, name))
    print(table(read_rows(given.csv)))


def _compare(given: argparse.Namespace) -> None:
    path = RESULTS / "additive-shares.csv" if given.csv.name == "additive-orders.csv" else given.csv
    ledger, names = Ledger(path, SHARES_CASE, SHARES_COLUMNS, fresh=given.fresh), given.sets or ("concrete", "servo")
    for name in names if not given.summary else ():
        for method in COMPARED:
            if not ledger.done({"set": name, "method": method, "term": "more columns", "code": code()}):
                for row in shares_of(given.data, name, method):
                    ledger.write(row)
    rows = read_rows(path)
    for name in names:
        print(table(compared(rows, name)))


if __name__ == "__main__":
    main()
