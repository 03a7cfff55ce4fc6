"""Forecasts of ten real tables with time and columns, beside Prophet, AutoARIMA and boosted trees with the same.

The last tenth of the rows is held out: its columns are known, its targets are not. Ours is run with the columns and
over time alone. Scores are those of `corpus_scores.py` (MASE, quantile loss and MSIS scaled by the error of the
seasonal naive rule within the known values, coverage of 95 % bands); seconds are those of one core.

Usage: python benchmarks/columns.py [--tables bikes walmart] [--method ours Prophet] [--summary]
"""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np

from autostatistician.data.load import load
from columns_peers import METHODS, TREE, forecast
from columns_tables import TABLES, Table, without_columns
from common import Array, Ledger, Row, arguments, code_version, fitted, geometric_mean, read_rows, table
from corpus_scores import LEVELS, NAIVE, OURS, scored
from peers import package_version

CASE = ("table", "method")
MEASURES = ("sql", "mase", "msis")
COLUMNS = ("code", "n", "horizon", *MEASURES, "coverage", *(f"{name}_to_naive" for name in MEASURES))
COLUMNS = (*COLUMNS, "seconds", "acting", "expression")
ALONE = "ours, time alone"
TOLD = 0.5  # probability that a column acts, from which on it is named


@dataclass(frozen=True, eq=False)
class Known:
    """What the scores of a forecast need of a table: known values, and those to come that there are."""

    values: Array
    future: Array
    period: int


def run(name: str, method: str, code: str) -> Row:
    """Forecast one table by one method, and score the forecast beside the seasonal naive rule."""
    whole = TABLES[name]()
    start = _seconds()
    if method in (OURS, ALONE):
        quantiles, row = ours(whole if method == OURS else without_columns(whole))
    else:
        quantiles, fault = forecast(method, whole)
        row = {"expression": fault}
    row["seconds"] = round(_seconds() - start, 2)
    measured, naive = _scored(whole, quantiles), _scored(whole, forecast(NAIVE, whole)[0])
    ratios = {f"{measure}_to_naive": round(measured[measure] / naive[measure], 4) for measure in MEASURES}
    sizes = {"n": len(whole.values), "horizon": whole.horizon}
    return {"table": name, "method": method, "code": code} | sizes | measured | ratios | row


def ours(whole: Table) -> tuple[Array, Row]:
    """Quantiles (horizon, levels) by the estimator with its defaults, the columns that act, and the expression."""
    data = load(whole.hidden, target=whole.target)
    ahead = whole.frame[["date"]].iloc[-whole.horizon :]
    model, row = fitted(data, "extended", 0, {"n_jobs": 1})
    effects = model.model_.effects
    chances = {} if effects is None else effects.probabilities
    acting = sorted((name for name in chances if chances[name] > TOLD), key=lambda name: -chances[name])
    told = "; ".join(f"{name} {chances[name]:.2f}" for name in acting)
    quantiles = model.predictive(ahead).quantiles(LEVELS)
    return np.asarray(quantiles), {"expression": row["expression"], "acting": told}


def _seconds() -> float:
    """Seconds of processors that this process and its children took."""
    return sum(os.times()[:4])


def _scored(whole: Table, quantiles: Array) -> Row:
    there = np.isfinite(whole.future)
    return scored(Known(whole.values, whole.future[there], whole.period), quantiles[there])  # type: ignore[arg-type]


# What the table says ---------------------------------------------------------------------------------------


def summary(rows: list[Row]) -> list[Row]:
    """By method: ratios to the seasonal naive rule (geometric means), coverage, on how many tables ours is better."""
    known = {(row["table"], row["method"]): row for row in rows}
    found = []
    for method in dict.fromkeys(row["method"] for row in rows):
        mine = [row for row in rows if row["method"] == method]
        pairs = [(row, known[row["table"], OURS]) for row in mine if (row["table"], OURS) in known]
        better = sum(float(beside["sql"]) < float(row["sql"]) for row, beside in pairs)
        ratios = {
            f"{name} / naive": f"{geometric_mean(float(row[f'{name}_to_naive']) for row in mine):.3f}"
            for name in MEASURES
        }
        coverage = np.array([float(row["coverage"]) for row in mine])
        found.append(
            {"method": method, "tables": len(mine)}
            | ratios
            | {
                "coverage": f"{coverage.mean():.3f}",
                "worst": f"{coverage.min():.2f}",
                "ours better": f"{better} of {len(pairs)}",
                "seconds": f"{np.median([float(row['seconds']) for row in mine]):.1f}",
            }
        )
    return found


def by_table(rows: list[Row]) -> list[Row]:
    """The quantile loss over that of the seasonal naive rule, a line for each table."""
    methods = dict.fromkeys(row["method"] for row in rows)
    known = {(row["table"], row["method"]): row["sql_to_naive"] for row in rows}
    names = dict.fromkeys(row["table"] for row in rows)
    return [{"table": name} | {method: known.get((name, method), "") for method in methods} for name in names]


def main() -> None:
    """Run what is missing in the table, or show what it says."""
    every = [NAIVE, OURS, ALONE, "Prophet", "AutoARIMA", TREE]
    parser = arguments(__doc__, "columns.csv", languages=())
    parser.add_argument("--tables", nargs="+", choices=list(TABLES), default=list(TABLES))
    parser.add_argument("--method", nargs="+", choices=every, default=every)
    given = parser.parse_args()
    ledger = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh)
    for method in () if given.summary else given.method:
        code = code_version() if method in (OURS, ALONE) else package_version(METHODS[method][0])
        if code is None:
            print(f"left out: {method}, because {METHODS[method][0]} is not installed")
            continue
        for name in given.tables:
            if not ledger.done({"table": name, "method": method, "code": code}):
                row = run(name, method, code)
                ledger.write(row)
                line = (
                    "{table:12} {method:17} sql {sql:<8g} ({sql_to_naive:.3f}) coverage {coverage:.2f} {seconds:6.1f} s"
                )
                print(line.format(**row), row.get("acting", ""), flush=True)
    rows = read_rows(given.csv)
    print(table(summary(rows)), table(by_table(rows)), sep="\n\n")


if __name__ == "__main__":
    main()
