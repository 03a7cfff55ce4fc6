"""Learning curve: from the first 10, 20, ... 90 % of a series, the mean squared error of the rest.

Languages that the installed version does not know are left out with a word.

Usage: python benchmarks/learning_curve.py [--series 01-airline] [--language linear se full] [--summary]
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from dataclasses import replace
from typing import Any

from autostatistician.language.languages import LANGUAGES
from common import (
    Ledger,
    arguments,
    chosen_settings,
    code_version,
    fitted,
    predictive_scores,
    run_command,
    series_names,
    settings_text,
    whole_series,
)

Row = dict[str, Any]

CASE = ("series", "axis", "language", "percent", "seed", "settings")
COLUMNS = (
    *("code", "n_train", "n_test", "mse", "rmse", "nlp", "crps", "coverage95"),
    *("seconds", "n_jobs", "bic", "expression"),
)
WANTED = tuple(LANGUAGES)


def run(row: Row, given: argparse.Namespace, settings: Row) -> Row:
    """Fit the first part of a series and score the rest."""
    whole = whole_series(given.data, row["series"], row["axis"])
    n = round(whole.n * row["percent"] / 100)
    train = replace(whole, X=whole.X[:n], y=whole.y[:n])
    places = replace(whole, X=whole.X[n:], y=0.0 * whole.y[n:])
    model, found = fitted(train, row["language"], row["seed"], {**settings, "n_jobs": given.jobs})
    scored = predictive_scores(whole.y[n:] + whole.offset, model.predictive(places))
    mse = float(f"{scored['rmse'] ** 2:.6g}")
    return {**row, **scored, **found, "mse": mse, "n_train": n, "n_test": whole.n - n}


def run_all(given: argparse.Namespace) -> None:
    settings, code = chosen_settings(given), code_version()
    ledger = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh)
    known = [name for name in given.language if name in list(LANGUAGES)]
    for name in sorted({*given.language} - {*known}):
        print(f"left out: this version knows no language {name!r}")
    cases = [
        {"series": series, "axis": given.axis, "language": language, "percent": percent, "seed": seed}
        for series in series_names(given.data, given.series)
        for seed in given.seeds
        for language in known
        for percent in given.percent
    ]
    for case in cases:
        case |= {"settings": settings_text(settings), "code": code}
        if ledger.done(case):
            continue
        row = run(case, given, settings)
        ledger.write(row)
        print(
            "{series} {language:13} {percent} %: mse {mse:<9g} {seconds:.0f} s: {expression}".format(**row), flush=True
        )


def summary(rows: list[Row]) -> list[Row]:
    """Languages by fractions: the mean squared error, averaged over seeds."""
    found: dict[tuple[str, ...], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        key = (row["series"], row["axis"], row["language"], row["settings"])
        found[key][row["percent"]].append(float(row["mse"]))
    percents = sorted({row["percent"] for row in rows}, key=int)
    return [
        dict(zip(("series", "axis", "language", "settings"), key, strict=True))
        | {f"{p} %": f"{sum(mse[p]) / len(mse[p]):.5g}" if p in mse else "" for p in percents}
        for key, mse in found.items()
    ]  # fmt: skip


def main() -> None:
    """Run what is missing in the table, or show what it says."""
    parser = arguments(__doc__, "learning-curve.csv", languages=WANTED)
    parser.add_argument("--series", nargs="+", default=["01-airline"])
    parser.add_argument("--axis", choices=("raw", "calendar"), default="raw")
    parser.add_argument("--percent", type=int, nargs="+", default=list(range(10, 100, 10)))
    run_command(parser, run_all, summary)


if __name__ == "__main__":
    main()
