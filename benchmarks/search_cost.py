"""What a search costs, and what it finds: seconds of one processor, evaluations and evidence on varied series.

The series are made: those of known truth (`truth_series.py`) of at most 240 rows, and months drawn from many
structures at 30 to 1000 rows. A row of the table is one search with default settings and one worker, by one version of
the code; rows of several versions stay beside each other. Of each later version the summary counts the series on which
its best model is better or worse than that of the first one by more than half a deviance, and those on which another
structure was selected.

Usage: python benchmarks/search_cost.py [--rows 200] [--series draw-60] [--csv benchmarks/results/search-cost.csv]
"""

from __future__ import annotations

import argparse
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from autostatistician.data.load import load
from autostatistician.model.fitting import fit_model
from autostatistician.search.run import Settings
from common import DEFAULT_LANGUAGE, RESULTS, Ledger, Row, code_version, run_command
from truth_series import SERIES

Array = NDArray[np.float64]

LARGEST_MADE = 240  # rows
DRAWN = {30: 5, 60: 6, 100: 5, 144: 5, 200: 4, 350: 2, 500: 3, 1000: 3}  # series of so many rows
WORTH_A_MENTION = 0.5  # in deviance
GROUPS = (50, 80, 120, 160, 240, 400, 600, 2000)  # rows at most


def drawn(rng: np.random.Generator, n: int) -> Array:
    """Values (n,) of a level, and by chance a trend, a season, another cycle, a walk, a step and growth."""
    row, noise = np.arange(n), float(rng.uniform(0.5, 3.0))
    values = 60.0 + noise * rng.standard_normal(n)
    chance = rng.random(6)
    if chance[0] < 0.5:
        values += rng.normal(0.0, 20.0) * row / n
    if chance[1] < 0.6:
        values += _cycle(rng, row, 12.0) * (1.0 if chance[2] < 0.7 else 1.0 + row / n)
    if chance[3] < 0.25:
        values += _cycle(rng, row, float(rng.uniform(5.0, n / 4.0)))
    if chance[4] < 0.5:
        values += np.cumsum(rng.normal(0.0, rng.uniform(0.2, 1.5), n))
    if chance[5] < 0.2:
        values += np.where(row < rng.uniform(0.3, 0.7) * n, 0.0, rng.normal(0.0, 12.0))
    if rng.random() < 0.3:
        values = np.exp(values / 60.0 + 0.02 * rng.random() * row / n)
    return np.asarray(values)


def _cycle(rng: np.random.Generator, row: NDArray[np.intp], period: float) -> Array:
    turns = 2.0 * np.pi * (row / period + rng.random())
    return np.asarray(rng.uniform(1.0, 8.0) * (np.sin(turns) + rng.uniform(0.0, 0.5) * np.sin(2.0 * turns)))


def tables() -> Iterator[tuple[str, Callable[[], pd.DataFrame]]]:
    """The names of all series, and how their tables are made."""
    for name, made in SERIES.items():
        yield name, lambda name=name, made=made: pd.DataFrame(made(_rng(name)).columns)
    for n, count in DRAWN.items():
        for number in range(count):
            yield f"drawn-{n}-{number}", lambda n=n, number=number: _months(drawn(_rng(f"{n} {number}"), n))


def _rng(name: str) -> np.random.Generator:
    return np.random.default_rng(zlib.crc32(name.encode()))


def _months(values: Array) -> pd.DataFrame:
    months = pd.date_range("1930-01-01", periods=len(values), freq="MS")
    return pd.DataFrame({"month": months, "value": values.round(4)})


def searched(name: str, table: pd.DataFrame) -> Row:
    """One search: what it found and what it took."""
    dataset = load(table, target="value")
    began = time.process_time()
    model = fit_model(dataset, DEFAULT_LANGUAGE, Settings(n_jobs=1))
    seconds = time.process_time() - began
    scores = [candidate.score for candidate in model.search.frontier]
    return {
        "series": name,
        "code": code_version(),
        "n": dataset.n,
        "cpu_seconds": round(seconds, 2),
        "evaluations": model.search.evaluations,
        "other_evaluations": 0 if model.other is None else model.other.search.evaluations,
        "transform": model.choice.transform.name,
        "gain": "" if model.choice.gain is None else round(model.choice.gain, 2),
        "score": round(model.search.best.score, 2),
        "lowest": round(min(scores), 2),
        "expression": str(model.search.best.kernel),
    }


COLUMNS = [
    "n",
    "cpu_seconds",
    "evaluations",
    "other_evaluations",
    "transform",
    "gain",
    "score",
    "lowest",
    "expression",
]


def compared(rows: list[Row]) -> list[Row]:
    """One row for every version of the code and group of sizes: the cost, and what was found beside the first."""
    codes = list(dict.fromkeys(row["code"] for row in rows))
    by_case = {(row["code"], row["series"]): row for row in rows}
    first = codes[0] if codes else ""
    summary: list[Row] = []
    low = 0
    for high in GROUPS:
        for code in codes:
            here = [row for row in rows if row["code"] == code and low < int(row["n"]) <= high]
            pairs = [(row, by_case[first, row["series"]]) for row in here if (first, row["series"]) in by_case]
            gains = [float(old["lowest"]) - float(row["lowest"]) for row, old in pairs]
            if pairs:
                summary.append(
                    {
                        "rows": f"{low + 1}-{high}",
                        "code": code,
                        "series": len(pairs),
                        "cpu_seconds": round(sum(float(row["cpu_seconds"]) for row, _ in pairs) / len(pairs), 2),
                        "before": round(sum(float(old["cpu_seconds"]) for _, old in pairs) / len(pairs), 2),
                        "evaluations": sum(int(row["evaluations"]) for row, _ in pairs) // len(pairs),
                        "better": sum(gain > WORTH_A_MENTION for gain in gains),
                        "worse": sum(gain < -WORTH_A_MENTION for gain in gains),
                        "sum_of_gains": round(sum(gains), 1),
                        "other_structures": sum(row["expression"] != old["expression"] for row, old in pairs),
                    }
                )
        low = high
    return summary


def main() -> None:
    """Search, write and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--csv", type=Path, default=RESULTS / "search-cost.csv", help="the table")
    parser.add_argument("--rows", type=int, nargs=2, default=(0, 2000), help="of the series, at least and at most")
    parser.add_argument("--series", nargs="*", default=[], help="these alone, by their first letters")
    parser.add_argument("--fresh", action="store_true", help="do again what the table has already")
    parser.add_argument("--summary", action="store_true", help="run nothing, show what the table says")

    def run_all(given: argparse.Namespace) -> None:
        ledger = Ledger(given.csv, ("series", "code"), COLUMNS, fresh=given.fresh)
        for name, made in tables():
            wanted = not given.series or name.startswith(tuple(given.series))
            if not wanted or ledger.done({"series": name, "code": code_version()}):
                continue
            table = made()
            most = LARGEST_MADE if name in SERIES else 10**9
            if given.rows[0] < len(table) <= min(given.rows[1], most):
                ledger.write(searched(name, table))

    run_command(parser, run_all, compared)


if __name__ == "__main__":
    main()
