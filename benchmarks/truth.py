"""Precision and recall of what reports say, on made data with known truth: series, tables and classes.

A row tells of a generator and a kind of claim: claims told and true, prominent truths and how many of them are told,
95 % ranges and how many hold the truth; "code" is the commit of the package that was asked,
so that the table holds several versions. A generator that has rows of a version and number of draws is done.

Records of reports are kept in a folder, so that a changed comparison needs no report anew, whatever version it is of.

Usage: python benchmarks/truth.py [--draws 20] [--only line,kink] [--jobs 1] [--records FOLDER [--code VERSION]]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from dataclasses import asdict
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd

import autostatistician
from common import RESULTS, Ledger, read_rows, table
from truth_compare import KINDS, Claim, Made, claims_of, counts, judged
from truth_series import SERIES
from truth_table_compare import TABLE_KINDS, TARGET, MadeTable, TableClaim, table_claims, table_counts, table_judged
from truth_tables import TABLES

DRAWS = 20
MAKERS = {**SERIES, **TABLES}
COUNTS = ("claims", "true", "truths", "told", "ranges", "hold")


def commit() -> str:
    """The commit of the package that is imported."""
    folder = Path(autostatistician.__file__).parent
    asked = ["git", "-C", str(folder), "rev-parse", "--short", "HEAD"]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()


def made(name: str, draw: int) -> Made | MadeTable:
    """A draw of a generator."""
    return MAKERS[name](np.random.default_rng([list(MAKERS).index(name), draw]))


def record_of(data: Made | MadeTable) -> dict[str, Any]:
    """The JSON record of the report on the data, by the command that users give."""
    columns, named = (data.columns, []) if isinstance(data, Made) else (data.table, ["--target", TARGET])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.csv"
        pd.DataFrame(columns).to_csv(path, index=False)
        asked = [sys.executable, "-m", "autostatistician", "report", path.name, "--json", "--quiet", "--jobs", "1"]
        answer = subprocess.run([*asked, *named], capture_output=True, text=True, cwd=folder, check=True)
    return dict(json.loads(answer.stdout))


def kept_record(name: str, draw: int, records: Path | None, code: str) -> dict[str, Any]:
    """The record of a draw, from the folder of records where it is there; else it is made, and kept there.

    Raises
    ------
    FileNotFoundError
        When it is not there, and the package at hand is of another version.
    """
    path = None if records is None else records / code / f"{name}-{draw}.json"
    if path is not None and path.exists():
        return dict(json.loads(path.read_text()))
    if code != commit():
        raise FileNotFoundError(f"expected a record {path}; found none, and the package at hand is {commit()}; run it")
    record = record_of(made(name, draw))
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(record))
    return record


def compared(
    data: Made | MadeTable, record: dict[str, Any]
) -> tuple[list[Claim | TableClaim], dict[str, dict[str, int]]]:
    """The false claims of a record, and the counts by kind of claim."""
    if isinstance(data, MadeTable):
        told = table_claims(record)
        false = [claim for claim in told if not table_judged(claim, data, told)]
        return [*false], {kind: table_counts(told, data, kind) for kind in TABLE_KINDS}
    claims = claims_of(record, next(iter(data.columns.values())))
    wrong = [claim for claim in claims if not judged(claim, data)]
    return [*wrong], {kind: counts(claims, data, kind) for kind in KINDS}


def scored(name: str, draws: int, records: Path | None, code: str, first: int = 0) -> list[dict[str, Any]]:
    """The rows of a generator from its draw ``first`` on; false claims are printed."""
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    for draw in range(first, first + draws):
        data = made(name, draw)
        false, by_kind = compared(data, kept_record(name, draw, records, code))
        for claim in false:
            print(f"false, {name} {draw}: {asdict(claim)}", flush=True)
        for kind, of_draw in by_kind.items():
            sums[kind].update(of_draw)
    told = {kind: sum_ for kind, sum_ in sums.items() if any(sum_.values())}
    start = {"generator": name, "draws": draws, "code": code}
    return [start | {"kind": kind} | _plain(sum_) for kind, sum_ in told.items()]


def _plain(sum_: Counter[str]) -> dict[str, int]:
    return {key: sum_[key] for key in COUNTS}


def _write(ledger: Ledger, name: str, draws: int, records: Path | None, code: str, first: int) -> None:
    for row in scored(name, draws, records, code, first):
        ledger.write(row)


def main() -> None:
    """Score the generators that are left."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=DRAWS)
    parser.add_argument("--first", type=int, default=0, help="the first draw: those that nobody has looked at")
    parser.add_argument("--only", default=",".join(MAKERS), help="generators, with commas between them")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--results", type=Path, default=RESULTS / "truth.csv")
    parser.add_argument("--records", type=Path, help="where records are kept, by version")
    parser.add_argument("--code", help="a version that has all its records")
    given = parser.parse_args()
    names = given.only.split(",")
    if unknown := [name for name in names if name not in MAKERS]:
        parser.error(f"expected generators among {', '.join(MAKERS)}; found {', '.join(unknown)}; leave them out")
    code = given.code or commit()
    done = {(row["generator"], row["draws"]) for row in read_rows(given.results) if row["code"] == code}
    ledger = Ledger(given.results, ("generator", "kind", "code", "draws"), COUNTS)
    left = [name for name in names if (name, str(given.draws)) not in done]
    asked = (joblib.delayed(_write)(ledger, name, given.draws, given.records, code, given.first) for name in left)
    joblib.Parallel(given.jobs)(asked)
    print(table(read_rows(given.results)))


if __name__ == "__main__":
    main()
