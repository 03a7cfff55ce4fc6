"""Forecasts (or, with --split interpolation, filled gaps) of the 13 series, against the published results.

Every series is fitted with the default settings on its training part; the test part is predicted. --axis raw keeps
the numbers of the file, --axis calendar reads them as dates. --summary compares with the original's results, and
shows the rows of `peers.py` beside ours.

Usage: python benchmarks/extrapolation.py [--split interpolation] [--axis raw calendar] [--seeds 0 1 2]
       python benchmarks/extrapolation.py --criterion bic aic laplace loo
       python benchmarks/extrapolation.py --summary
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path
from typing import Any

from common import (
    REFERENCE,
    RESULTS,
    Ledger,
    arguments,
    chosen_settings,
    code_version,
    fitted,
    geometric_mean,
    predictive_scores,
    read_rows,
    series_names,
    settings_text,
    split_series,
    table,
)

Row = dict[str, Any]

CASE = ("series", "split", "axis", "method", "seed", "settings")
COLUMNS = (
    *("code", "n_train", "n_test", "rmse", "mae", "nlp", "crps", "coverage95"),
    *("seconds", "n_jobs", "bic", "nll", "expression"),
)
CRITERIA = ("bic", "aic", "laplace", "loo")
# The nine columns of the original's tables; the older system of 2013 is not among them.
PRINTED = (
    *("ABCD-accuracy", "ABCD-interpretability", "spectral", "trend-cyclical-irregular", "MKL"),
    *("Eureqa", "changepoint", "SE", "linear"),
)


def run(case: Row, data: Path, jobs: int | None, settings: Row) -> Row:
    """Fit one training set, predict its test set."""
    split = split_series(data, case["split"], case["series"], case["axis"])
    model, found = fitted(split.train, case["method"], case["seed"], {**settings, "n_jobs": jobs})
    sizes = {"n_train": split.train.n, "n_test": len(split.test_y)}
    return {**case, **sizes, **predictive_scores(split.test_y, model.predictive(split.places)), **found}


def run_all(given: argparse.Namespace, settings: Row) -> None:
    code = code_version()
    ledger = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh)
    for seed in given.seeds:
        for axis in given.axis:
            for language in given.language:
                for name in series_names(given.data, given.series):
                    case = {"series": name, "split": given.split, "axis": axis, "method": language, "seed": seed}
                    case |= {"settings": settings_text(settings), "code": code}
                    if ledger.done(case):
                        continue
                    row = run(case, given.data, given.jobs, settings)
                    ledger.write(row)
                    print(
                        "{series:18} {axis:8} {method:13} seed {seed}: rmse {rmse:<9g} nlp {nlp:<8g} crps {crps:<9g} "
                        "coverage {coverage95:.2f}, {seconds:.0f} s: {expression}".format(**row),
                        flush=True,
                    )


# What the tables say ---------------------------------------------------------------------------------------


def summary(rows: list[Row], kind: str) -> list[Row]:
    """One row per method, axis and settings; the ratios of several seeds are averaged in the logarithm."""
    known = _reference(kind)
    groups: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in rows:
        if row["split"] == kind and row["rmse"]:
            groups[row["method"], row["axis"], row["settings"]].append(row)
    return [dict(zip(("method", "axis", "settings"), key, strict=True)) | _figures(own, known, kind)
            for key, own in groups.items()]  # fmt: skip


def _reference(kind: str) -> dict[tuple[str, str], Row]:
    found = {(row["series"], row["method"]): row for row in read_rows(REFERENCE / f"{kind}.csv")}
    for series in {series for series, _ in found}:
        best = min(float(found[series, name]["rmse"]) for name in PRINTED)
        found[series, "best"] = {"rmse": str(best)}
    return found


def _figures(rows: list[Row], known: dict[tuple[str, str], Row], kind: str) -> Row:
    def ratio(row: Row, score: str, other: str) -> float:
        return float(row[score]) / float(known[row["series"], other][score])

    count = len({row["series"] for row in rows})
    seeds = len(rows) / count
    against = "ABCD-accuracy"
    better = sum(ratio(row, "rmse", against) < 1.0 for row in rows)
    denser = sum(float(row["nlp"]) < float(known[row["series"], against]["nlp"]) for row in rows)
    covered = [float(row["coverage95"]) for row in rows]
    arima = kind == "extrapolation"
    return {
        "series": count,
        "seeds": f"{seeds:g}",
        "rmse/ABCD": f"{geometric_mean(ratio(row, 'rmse', against) for row in rows):.3f}",
        "better": f"{better / seeds:.1f}",
        "rmse/best": f"{geometric_mean(ratio(row, 'rmse', 'best') for row in rows):.3f}",
        "nlp better": f"{denser / seeds:.1f}",
        "crps/ARIMA": f"{geometric_mean(ratio(r, 'crps', 'AutoARIMA') for r in rows):.3f}" if arima else "",
        "coverage": f"{sum(covered) / len(covered):.3f}",
        "worst": f"{min(covered):.2f}",
        "seconds": f"{sorted(float(row['seconds']) for row in rows)[len(rows) // 2]:.1f}",
        "code": " ".join(sorted({row["code"] for row in rows})) if len({row["code"] for row in rows}) < 3 else "mixed",
    }


def by_series(rows: list[Row], kind: str) -> list[Row]:
    """The ratio of the RMSE to that of ABCD-accuracy for every series, mean of the seeds; a column per method."""
    known = _reference(kind)
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    names: list[str] = []
    for row in (row for row in rows if row["split"] == kind and row["rmse"]):
        name = " ".join(filter(None, (row["method"], row["axis"], row["settings"])))
        names += [] if name in names else [name]
        ratio = float(row["rmse"]) / float(known[row["series"], "ABCD-accuracy"]["rmse"])
        found[row["series"]][name].append(ratio)
    return [
        {"series": series}
        | {name: f"{geometric_mean(ratios[name]):.2f}" if name in ratios else "" for name in names}
        for series, ratios in sorted(found.items())
    ]  # fmt: skip


def main() -> None:
    """Run what is missing in the table, or show what it says."""
    parser = arguments(__doc__, "")
    parser.set_defaults(csv=None)
    parser.add_argument("--split", choices=("extrapolation", "interpolation"), default="extrapolation")
    parser.add_argument("--axis", nargs="+", choices=("raw", "calendar"), default=["raw"])
    parser.add_argument("--series", nargs="+", help="names or their first letters; all by default")
    parser.add_argument("--criterion", nargs="+", choices=CRITERIA, default=["bic"], help="what the search minimises")
    given = parser.parse_args()
    given.csv = given.csv or RESULTS / f"{given.split}.csv"
    for criterion in given.criterion if not given.summary else ():
        run_all(given, chosen_settings(given) | ({} if criterion == "bic" else {"criterion": criterion}))
    rows = read_rows(given.csv) + read_rows(given.csv.with_name("peers.csv"))
    print(table(summary(rows, given.split)))
    print()
    print(table(by_series(rows, given.split)))


if __name__ == "__main__":
    main()
