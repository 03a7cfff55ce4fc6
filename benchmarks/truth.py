"""Precision and recall of what reports say, on made data with known truth.

A row tells of a generator and a kind of claim: claims told and true, prominent truths and how many of them are told,
95 % ranges and how many hold the truth; "code" is the commit of the package that was asked,
so that the table holds several versions. A generator that has rows of a version and number of draws is done.

Usage: python benchmarks/truth.py [--draws 20] [--only line,kink] [--jobs 1]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd

import autostatistician
from common import RESULTS, Ledger, read_rows, table
from truth_compare import KINDS, Made, claims_of, counts, judged
from truth_series import SERIES

DRAWS = 20
COUNTS = ("claims", "true", "truths", "told", "ranges", "hold")


def commit() -> str:
    """The commit of the package that is imported."""
    folder = Path(autostatistician.__file__).parent
    asked = ["git", "-C", str(folder), "rev-parse", "--short", "HEAD"]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()


def made(name: str, draw: int) -> Made:
    """A draw of a generator."""
    return SERIES[name](np.random.default_rng([list(SERIES).index(name), draw]))


def record_of(data: Made) -> dict[str, Any]:
    """The JSON record of the report on the data, by the command that users give."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.csv"
        pd.DataFrame(data.columns).to_csv(path, index=False)
        asked = [sys.executable, "-m", "autostatistician", "report", path.name, "--json", "--quiet", "--jobs", "1"]
        answer = subprocess.run(asked, capture_output=True, text=True, cwd=folder, check=True)
    return dict(json.loads(answer.stdout))


def scored(name: str, draws: int) -> list[dict[str, Any]]:
    """The rows of a generator; false claims are printed."""
    sums = {kind: Counter[str]() for kind in KINDS}
    for draw in range(draws):
        data = made(name, draw)
        claims = claims_of(record_of(data), next(iter(data.columns.values())))
        for claim in claims:
            if not judged(claim, data):
                print(f"false, {name} {draw}: {asdict(claim)}", flush=True)
        for kind, sum_ in sums.items():
            sum_.update(counts(claims, data, kind))
    told = {kind: sum_ for kind, sum_ in sums.items() if any(sum_.values())}
    return [{"generator": name, "kind": kind, "draws": draws} | _plain(sum_) for kind, sum_ in told.items()]


def _plain(sum_: Counter[str]) -> dict[str, int]:
    return {key: sum_[key] for key in COUNTS}


def _write(ledger: Ledger, name: str, draws: int, code: str) -> None:
    for row in scored(name, draws):
        ledger.write(row | {"code": code})


def main() -> None:
    """Score the generators that are left."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=DRAWS)
    parser.add_argument("--only", default=",".join(SERIES), help="generators, with commas between them")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--results", type=Path, default=RESULTS / "truth.csv")
    given = parser.parse_args()
    names = given.only.split(",")
    if unknown := [name for name in names if name not in SERIES]:
        parser.error(f"expected generators among {', '.join(SERIES)}; found {', '.join(unknown)}; leave them out")
    code = commit()
    done = {(row["generator"], row["draws"]) for row in read_rows(given.results) if row["code"] == code}
    ledger = Ledger(given.results, ("generator", "kind", "code", "draws"), COUNTS)
    left = [name for name in names if (name, str(given.draws)) not in done]
    joblib.Parallel(given.jobs)(joblib.delayed(_write)(ledger, name, given.draws, code) for name in left)
    print(table(read_rows(given.results)))


if __name__ == "__main__":
    main()
