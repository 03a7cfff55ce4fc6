"""Seconds of one search with default settings at five sizes: 15, 40, 144, 500 and 1000 observations.

The series are 01-airline and its first 15 and 40 rows, the first 500 rows of 03-mauna and 12-births, on the numbers of
their files. Run it alone:
times of a machine that does something else meanwhile say little.

Usage: python benchmarks/speed.py [--language full] [--seeds 0] [--axis raw calendar] [--summary]
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from dataclasses import replace
from statistics import median
from typing import Any

from common import (
    Ledger,
    arguments,
    chosen_settings,
    code_version,
    fitted,
    run_command,
    settings_text,
    whole_series,
    workers,
)

__all__ = ["CASE", "COLUMNS", "SIZES"]

Row = dict[str, Any]

CASE = ("series", "n", "axis", "language", "seed", "settings", "n_jobs")
COLUMNS = ("code", "seconds", "evaluations", "bic", "nll", "expression")
SIZES = {15: "01-airline", 40: "01-airline", 144: "01-airline", 500: "03-mauna", 1000: "12-births"}


def run(row: Row, given: argparse.Namespace, settings: Row) -> Row:
    """Search the first rows of a series."""
    whole = whole_series(given.data, row["series"], row["axis"])
    dataset = replace(whole, X=whole.X[: row["n"]], y=whole.y[: row["n"]])
    model, found = fitted(dataset, row["language"], row["seed"], {**settings, "n_jobs": row["n_jobs"]})
    return {**row, **found, "evaluations": model.model_.search.evaluations}


def run_all(given: argparse.Namespace) -> None:
    settings, code = chosen_settings(given), code_version()
    ledger = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh)
    cases = [
        {"series": SIZES[n], "n": n, "axis": axis, "language": language, "seed": seed}
        for n in given.sizes
        for axis in given.axis
        for language in given.language
        for seed in given.seeds
    ]
    for case in cases:
        case |= {"settings": settings_text(settings), "n_jobs": given.jobs or workers(), "code": code}
        if ledger.done(case):
            continue
        row = run(case, given, settings)
        ledger.write(row)
        print("{series:18} n = {n:<5} {axis:8} {language:13} {seconds:.1f} s: {expression}".format(**row), flush=True)


def summary(rows: list[Row]) -> list[Row]:
    """The median of the seconds over seeds, by size."""
    found: dict[tuple[str, ...], list[float]] = defaultdict(list)
    names = ("n", "series", "axis", "language", "settings", "n_jobs")
    for row in sorted(rows, key=lambda row: int(row["n"])):
        found[tuple(row[name] for name in names)].append(float(row["seconds"]))
    return [
        dict(zip(names, key, strict=True)) | {"runs": len(seconds), "seconds": f"{median(seconds):.1f}"}
        for key, seconds in found.items()
    ]


def main() -> None:
    """Run what is missing in the table, or show what it says."""
    parser = arguments(__doc__, "speed.csv")
    parser.add_argument("--sizes", type=int, nargs="+", choices=list(SIZES), default=list(SIZES))
    parser.add_argument("--axis", nargs="+", choices=("raw", "calendar"), default=["raw"])
    run_command(parser, run_all, summary)


if __name__ == "__main__":
    main()
