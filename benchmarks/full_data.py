"""The search on all the data of the 13 series, raw numbers: BIC against the best of the original's three runs.

All the data means all: outliers are kept, since a BIC compares with another one on the same rows only.

Usage: python benchmarks/full_data.py [--language full interpretable] [--seeds 0 1 2] [--series 01 07] [--summary]
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from typing import Any

from common import (
    REFERENCE,
    Ledger,
    arguments,
    chosen_settings,
    code_version,
    fitted,
    read_rows,
    seeds_of_one_code,
    series_names,
    settings_text,
    table,
    whole_series,
)

Row = dict[str, Any]

CASE = ("series", "language", "seed", "settings")
COLUMNS = ("code", "n", "bic", "nll", "seconds", "n_jobs", "evaluations", "expression")
SAME_ROWS = {"outliers": "keep"}  # not among the settings of a row: it is part of what this benchmark is


def run_all(given: argparse.Namespace) -> None:
    settings, code = chosen_settings(given), code_version()
    ledger = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh)
    for seed in given.seeds:
        for language in given.language:
            for name in series_names(given.data, given.series):
                row = {"series": name, "language": language, "seed": seed, "settings": settings_text(settings)}
                row["code"] = code
                if ledger.done(row):
                    continue
                dataset = whole_series(given.data, name, "raw")
                model, found = fitted(dataset, language, seed, SAME_ROWS | settings | {"n_jobs": given.jobs})
                row |= found | {"n": dataset.n, "evaluations": model.model_.search.evaluations}
                ledger.write(row)
                line = "{series:18} {language:13} seed {seed}: bic {bic:.1f} in {seconds:.0f} s: {expression}"
                print(line.format(**row), flush=True)


def summary(rows: list[Row]) -> list[Row]:
    """One row per series, language and settings: the BIC of the first seed, the spread, and the original's."""
    known = {(row["series"], row["language"]): row for row in read_rows(REFERENCE / "full_data.csv")}
    groups: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in rows:
        groups[row["language"], row["settings"], row["series"]].append(row)
    found = []
    for (language, settings, series), found_runs in sorted(groups.items()):
        own = seeds_of_one_code(found_runs)
        values = [float(row["bic"]) for row in own]
        theirs = known.get((series, language))
        difference = values[0] - float(theirs["best_bic"]) if theirs else None
        found.append(
            {
                "series": series,
                "language": language,
                "settings": settings,
                "bic": f"{values[0]:.1f}",
                "original": theirs["best_bic"] if theirs else "",
                "difference": "" if difference is None else f"{difference:+.1f}",
                "reached": "" if difference is None else ("yes" if round(difference, 1) <= 0.0 else "no"),
                "seeds": len(own),
                "spread": f"{max(values) - min(values):.1f}",
                "original's": theirs["spread"] if theirs else "",
                "seconds": f"{max(float(row['seconds']) for row in own):.0f}",
            }
        )
    return found


def main() -> None:
    """Run what is missing in the table, or show what it says."""
    parser = arguments(__doc__, "full-data.csv", languages=("full", "interpretable"))
    parser.add_argument("--series", nargs="+", help="names or their first letters; all by default")
    given = parser.parse_args()
    if not given.summary:
        run_all(given)
    found = summary(read_rows(given.csv))
    print(table(found))
    for language in sorted({row["language"] for row in found}):
        of_it = [row for row in found if row["language"] == language]
        reached = sum(row["reached"] == "yes" for row in of_it)
        print(f"{language}: {reached} of {len(of_it)}; largest spread {max(float(row['spread']) for row in of_it)}")


if __name__ == "__main__":
    main()
