"""Ranges of 95 % ahead of simulated counts and shares: what they hold, and what they hold by the models themselves.

A range of whole numbers holds more than its level: of counts about a rate of .4 the one from 0 to 2 holds .99. So the
chance that the forecast itself gives its range stands beside the share of values in it, and beside both the share of
values whose place in their distribution, drawn evenly within that of their whole number, lies in its middle 95 %.

Counts are those of `counts.py`; shares are parts of totals about a season and a trend or a walk of the log odds, some
scattering more than chance; columns are counts with one column that acts and one that does not.

Usage: python benchmarks/count_ranges.py [--count 20] [--kinds counts columns] [--summary]
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence

import numpy as np
import pandas as pd

from autostatistician import AutomaticStatistician, TargetOptions
from common import Ledger, Row, arguments, code_version, read_rows, table
from counts import simulated

CASE = ("kind", "seed")
COLUMNS = ("code", "rows", "ahead", "law", "held", "expected", "placed", "seconds")
KINDS = ("counts", "shares", "columns")
FIRST_SEED, HELD_OUT, LEVEL = 6000, 0.2, 0.95


def shares(seed: int) -> pd.DataFrame:
    """Parts of totals over some years of months."""
    rng = np.random.default_rng(seed)
    months = np.arange(int(rng.integers(60, 121)))
    chance = rng.choice([0.05, 0.2, 0.6, 0.95])
    odds = np.log(chance / (1.0 - chance)) + rng.choice([0.0, 0.5]) * np.sin(2.0 * np.pi * months / 12.0)
    odds = odds + [0.006 * months, np.cumsum(rng.normal(0.0, 0.05, len(months))), 0.0 * months][rng.integers(3)]
    odds = odds + (rng.normal(0.0, 0.3, len(months)) if seed % 2 else 0.0)
    total = rng.integers(int(rng.choice([5, 40, 400])), 500, len(months))
    parts = rng.binomial(total, 1.0 / (1.0 + np.exp(-odds)))
    times = pd.date_range("2010-01-01", periods=len(months), freq="MS")
    return pd.DataFrame({"time": times, "count": parts, "total": total})


def with_columns(seed: int) -> pd.DataFrame:
    """Counts whose rate follows one of two columns."""
    rng = np.random.default_rng(seed)
    frame = simulated(seed)
    acts = rng.normal(size=len(frame)).round(2)
    frame["count"] = rng.poisson(np.maximum(frame["count"].rolling(6, min_periods=1).mean(), 0.2) * np.exp(0.4 * acts))
    return frame.assign(acts=acts, other=rng.normal(size=len(frame)).round(2))


def run(kind: str, seed: int, code: str) -> Row:
    """The ranges of the last fifth of a series."""
    frame = {"counts": simulated, "shares": shares, "columns": with_columns}[kind](seed)
    ahead = round(HELD_OUT * len(frame))
    before, after, start = frame.iloc[:-ahead], frame.iloc[-ahead:].drop(columns="count"), time.process_time()
    options = TargetOptions(totals="total") if kind == "shares" else TargetOptions(likelihood="poisson")
    model = AutomaticStatistician(n_jobs=1, target_options=options).fit(before, "count")
    made, y = model.predictive(after), frame["count"].to_numpy(dtype=np.float64)[-ahead:]
    one = 1.0 / after["total"].to_numpy() if kind == "shares" else np.ones(ahead)
    y = y * one
    lower, upper = made.quantiles((0.5 - 0.5 * LEVEL, 0.5 + 0.5 * LEVEL)).T
    expected = made.cdf(upper + 1e-9) - np.where(lower > 0.0, made.cdf(lower - 0.5 * one), 0.0)
    below = np.where(y > 0.0, made.cdf(y - 0.5 * one), 0.0)
    place = below + np.random.default_rng(seed).random(ahead) * np.exp(made.log_density(y))
    return {
        "kind": kind, "seed": seed, "code": code, "rows": len(before), "ahead": ahead,
        "law": model.model_.likelihood.name, "held": f"{np.mean((lower <= y + 1e-9) & (y <= upper + 1e-9)):.4f}",
        "expected": f"{expected.mean():.4f}", "placed": f"{np.mean(np.abs(2.0 * place - 1.0) <= LEVEL):.4f}",
        "seconds": f"{time.process_time() - start:.1f}",
    }  # fmt: skip


def summary(rows: Sequence[Row]) -> list[Row]:
    """Means over all values ahead of a kind."""
    found: list[Row] = []
    for kind in KINDS:
        mine = [row for row in rows if row["kind"] == kind]
        if mine:
            ahead = np.array([float(row["ahead"]) for row in mine])
            means = {
                name: f"{np.average([float(row[name]) for row in mine], weights=ahead):.3f}"
                for name in ("held", "expected", "placed")
            }
            found.append({"kind": kind, "series": len(mine), "values": f"{ahead.sum():.0f}", **means})
    return found


def main() -> None:
    """Run what is missing in the table, or show what it says."""
    parser = arguments(__doc__, "count-ranges.csv", languages=())
    parser.add_argument("--count", type=int, default=20, help="series of each kind")
    parser.add_argument("--kinds", nargs="+", default=list(KINDS), choices=KINDS)
    given = parser.parse_args()
    ledger, code = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh), code_version()
    for seed in () if given.summary else range(FIRST_SEED, FIRST_SEED + given.count):
        for kind in given.kinds:
            if ledger.left([{"kind": kind, "seed": seed, "code": code}]):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    ledger.write(run(kind, seed, code))
    print(table(summary(read_rows(given.csv))))


if __name__ == "__main__":
    main()
