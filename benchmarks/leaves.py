"""One curve beside a level and noise: the BIC of the 13 series by its leaf, smooth, rough or deep.

Usage: python benchmarks/leaves.py [--series 01 07] [--summary]
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from statistics import median
from typing import Any

from autostatistician.language.expr import Leaf
from autostatistician.language.languages import Language, Operator
from autostatistician.search.run import Settings, search
from common import Ledger, arguments, code_version, run_command, series_names, whole_series

Row = dict[str, Any]

LEAVES = ("SE", "RQ", "Matern12", "Matern32", "Deep2", "Deep3", "Deep")
CASE, COLUMNS = ("series", "leaf"), ("code", "n", "bic", "expression")
SETTINGS = Settings(max_depth=1, restarts=10, n_jobs=1, criterion="bic")


def run_all(given: argparse.Namespace) -> None:
    code = code_version(("data", "language", "inference", "search"))
    ledger = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh)
    for name in series_names(given.data, given.series):
        dataset = whole_series(given.data, name, "raw")
        for leaf in LEAVES:
            row: Row = {"series": name, "leaf": leaf, "code": code, "n": dataset.n}
            if ledger.done(row):
                continue
            language = Language(leaf, (leaf,), frozenset({Operator.ADD}), True, Leaf("C") + Leaf("WN"))
            best = search(dataset, language, SETTINGS).best
            ledger.write(row | {"bic": round(best.score, 2), "expression": str(best.kernel)})


def summary(rows: list[Row]) -> list[Row]:
    """By leaf: how many series it is the best of, and its BIC less that of `Matern12`."""
    by_series: dict[str, dict[str, float]] = defaultdict(dict)
    for row in rows:
        by_series[row["series"]][row["leaf"]] = float(row["bic"])
    whole = [bics for bics in by_series.values() if len(bics) == len(LEAVES)]
    found = []
    for leaf in LEAVES if whole else ():
        less = sorted(bics[leaf] - bics["Matern12"] for bics in whole)
        ends = {"least": less[0], "median": median(less), "most": less[-1]}
        best = sum(min(bics, key=bics.__getitem__) == leaf for bics in whole)
        found.append({"leaf": leaf, "series": len(whole), "best of": best} | {k: f"{v:+.1f}" for k, v in ends.items()})
    return found


def main() -> None:
    """Run what is missing in the table, and show what it says."""
    parser = arguments(__doc__, "leaves.csv", languages=())
    parser.add_argument("--series", nargs="+", help="names or their first letters; all by default")
    run_command(parser, run_all, summary)


if __name__ == "__main__":
    main()
