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
    RESULTS,
    Ledger,
    arguments,
    chosen_settings,
    code_version,
    fitted,
    predictive_scores,
    read_rows,
    series_names,
    settings_text,
    split_series,
    table,
)
from measures import Overall, by_variant, overall, read_reference, series_scores

Row = dict[str, Any]

CASE = ("series", "split", "axis", "method", "seed", "settings")
COLUMNS = (
    *("code", "n_train", "n_test", "rmse", "mae", "nlp", "crps", "coverage95"),
    *("seconds", "n_jobs", "bic", "nll", "expression"),
)
CRITERIA = ("auto", "bic", "aic", "laplace", "evidence", "loo")


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
    """One row per method, axis and settings, over the series; several seeds of a series count as one (their mean)."""
    known = read_reference(kind)
    found = []
    for axis in dict.fromkeys(row["axis"] for row in rows):
        own = [row for row in rows if (row["split"], row["axis"]) == (kind, axis)]
        for variant, of_it in by_variant(own).items():
            key = {"method": variant.method, "axis": axis, "settings": variant.settings}
            found.append(key | _shown(overall(series_scores(of_it, known))) | {"code": _codes(of_it)})
    return found


def _shown(one: Overall) -> Row:
    return {
        "series": one.series,
        "seeds": f"{one.seeds:g}",
        "rmse/ABCD": f"{one.ratio:.3f}",
        "better": one.better,
        "rmse/best": f"{one.to_best:.3f}",
        "nlp better": "" if one.denser is None else one.denser,
        "crps/ARIMA": "" if one.to_arima is None else f"{one.to_arima:.3f}",
        "coverage": "" if one.coverage is None else f"{one.coverage:.3f}",
        "worst": "" if one.worst is None else f"{one.worst:.2f}",
        "seconds": "" if one.seconds is None else f"{one.seconds:.1f}",
    }


def _codes(rows: list[Row]) -> str:
    codes = sorted({row["code"] for row in rows})
    return " ".join(codes) if len(codes) < 3 else "mixed"


def by_series(rows: list[Row], kind: str) -> list[Row]:
    """The ratio of the RMSE to that of ABCD-accuracy for every series, mean of the seeds; a column per method."""
    known = read_reference(kind)
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for axis in dict.fromkeys(row["axis"] for row in rows):
        own = [row for row in rows if (row["split"], row["axis"]) == (kind, axis)]
        for variant, of_it in by_variant(own).items():
            name = " ".join(filter(None, (variant.method, axis, variant.settings)))
            for series, one in series_scores(of_it, known).items():
                found[series][name] = one.ratio
    names = list(dict.fromkeys(name for ratios in found.values() for name in ratios))
    return [
        {"series": series} | {name: f"{ratios[name]:.2f}" if name in ratios else "" for name in names}
        for series, ratios in sorted(found.items())
    ]


def main() -> None:
    """Run what is missing in the table, or show what it says."""
    parser = arguments(__doc__, "")
    parser.set_defaults(csv=None)
    parser.add_argument("--split", choices=("extrapolation", "interpolation"), default="extrapolation")
    parser.add_argument("--axis", nargs="+", choices=("raw", "calendar"), default=["raw"])
    parser.add_argument("--series", nargs="+", help="names or their first letters; all by default")
    parser.add_argument("--criterion", nargs="+", choices=CRITERIA, default=["auto"], help="what the search goes by")
    given = parser.parse_args()
    given.csv = given.csv or RESULTS / f"{given.split}.csv"
    for criterion in given.criterion if not given.summary else ():
        run_all(given, chosen_settings(given) | ({} if criterion == "auto" else {"criterion": criterion}))
    rows = read_rows(given.csv) + read_rows(given.csv.with_name("peers.csv"))
    print(table(summary(rows, given.split)))
    print()
    print(table(by_series(rows, given.split)))


if __name__ == "__main__":
    main()
