"""One search from start to end: wall time, evaluations, likelihood and BIC level by level.

SERIES is the name of a bundled example, or the path of a CSV file with the columns x and y; the axis stays as it
is written ("raw") and outliers are kept, so that the figures compare with those published for the same numbers.

Usage: python benchmarks/search.py SERIES [--language L] [--seeds 0 1 2] [--jobs N] [--json] [--csv FILE]
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from autostatistician.data.load import load
from autostatistician.language.text import format_kernel
from autostatistician.model.fitting import fit_model
from autostatistician.search.run import Settings
from common import write_rows

Row = dict[str, object]


def run(series: str, language: str, seed: int, jobs: int | None) -> tuple[list[Row], str]:
    """One search on all rows, with the default settings otherwise: a row per level, and the model with its numbers."""
    dataset = load(series, axis="raw")
    model = fit_model(dataset, language, Settings(seed=seed, n_jobs=jobs, outliers="keep"))
    rows: list[Row] = [
        {
            "series": dataset.name,
            "n": dataset.n,
            "language": language,
            "seed": seed,
            "level": step.level,
            "nll": round(step.nll, 3),
            "bic": round(step.bic, 3),
            "evaluations": step.evaluations,
            "candidates": step.candidates,
            "seconds": round(step.seconds, 2),
            "expression": step.expression,
        }
        for step in model.search.trace
    ]
    return rows, format_kernel(model.kernel)


def main() -> None:
    """Run the searches asked for and print them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("series")
    parser.add_argument("--language", action="append", help="repeatable; default: interpretable and full")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0])
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--json", action="store_true", help="print a list of rows as JSON")
    parser.add_argument("--csv", type=Path, help="also write the rows to this file")
    arguments = parser.parse_args()
    rows: list[Row] = []
    for language in arguments.language or ["interpretable", "full"]:
        for seed in arguments.seeds:
            found, model = run(arguments.series, language, seed, arguments.jobs)
            rows += found
            if not arguments.json:
                print(f"{language}, seed {seed}: {model}")
                for row in found:
                    print("  {level:>2} {seconds:>7}s {evaluations:>7} {nll:>10} {bic:>10}  {expression}".format(**row))
    if arguments.json:
        json.dump(rows, sys.stdout, indent=1)
        sys.stdout.write("\n")
    if arguments.csv:
        write_rows(arguments.csv, rows)


if __name__ == "__main__":
    main()
