"""Precision and recall of what reports say, on made data with known truth: series, tables and classes.

A row tells of a generator and a kind of claim: claims told and true, prominent truths and how many of them are told,
95 % ranges and how many hold the truth. Rows of a kind "step, P 0.5-0.8" are of claims with such a probability, told
or not. False claims are printed.

About 15 minutes of one core.

Usage: python benchmarks/truth.py [--generator line kink] [--draws 20] [--first 1000]
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from common import Bench, Row, command
from truth_makers import TABLES, TARGET, MadeTable
from truth_series import KINDS, SERIES, Claim, Made, by_probability, claims_of, counts, judged
from truth_tables import TABLE_KINDS, TableClaim, table_claims, table_counts, table_judged

MAKERS = {**SERIES, **TABLES}
COUNTS = ("claims", "true", "truths", "told", "ranges", "hold")


def made(name: str, draw: int) -> Made | MadeTable:
    """A draw of a generator."""
    return MAKERS[name](np.random.default_rng([list(MAKERS).index(name), draw]))


def record_of(data: Made | MadeTable) -> dict[str, Any]:
    """The JSON record of the report on the data, by the command that users give."""
    columns, named = (data.columns, []) if isinstance(data, Made) else (data.table, ["--target", TARGET])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.csv"
        pd.DataFrame(columns).to_csv(path, index=False)
        asked = [sys.executable, "-m", "autostatistician", "report", path.name, "--json", "--quiet", "--n-jobs", "1"]
        answer = subprocess.run([*asked, *named], capture_output=True, text=True, cwd=folder, check=True)
    return dict(json.loads(answer.stdout))


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
    return [*wrong], {kind: counts(claims, data, kind) for kind in KINDS} | by_probability(record, data)


def run(case: Row, _: argparse.Namespace) -> list[Row]:
    """The counts of a generator over some of its draws, by kind of claim."""
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    for draw in range(case["first"], case["first"] + case["draws"]):
        data = made(case["generator"], draw)
        false, by_kind = compared(data, record_of(data))
        for claim in false:
            print(f"false, {case['generator']} {draw}: {asdict(claim)}", flush=True)
        for kind, of_draw in by_kind.items():
            sums[kind].update(of_draw)
    told = {kind: found for kind, found in sums.items() if any(found.values())}
    return [{"kind": kind} | {key: found[key] for key in COUNTS} for kind, found in told.items()]


BENCH = Bench(
    file="truth.csv", case=("generator", "kind", "draws", "first"), columns=("code", *COUNTS), run=run,
    options={"generator": tuple(MAKERS), "draws": (3,), "first": (0,)},
)  # fmt: skip

if __name__ == "__main__":
    command(__doc__, BENCH)
