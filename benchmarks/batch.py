"""How well more workers of dask would be used, for many short series and for one search.

The series are the last 60 values of those of the corpus that may be looked at, 500 of them; `--count` takes an even
sample. The efficiency is of simulated time: durations that one process recorded (of whole series, and of the fits of
one search with what lies between them) are handed to workers in turn, each hand-over with the time that dask takes for
one on this machine, measured with one and two workers. Of 500 series the durations are drawn from the recorded ones.

Usage: python benchmarks/batch.py [--parts overhead series search] [--count 40] [--summary]
"""

from __future__ import annotations

import argparse
import heapq
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd
from joblib import delayed, parallel_config

from autostatistician import AutomaticStatistician
from autostatistician.search.racing import runner
from autostatistician.search.racing.workers import gathered
from common import ENGINE, Ledger, arguments, code_version, read_rows, run_command
from corpus_series import DATASETS, KINDS, Series, series
from scale import made

__all__ = ["EVERY", "makespan", "short_series"]

Row = dict[str, Any]

CASE = ("part", "workers")
COLUMNS = ("code", "count", "seconds", "milliseconds", "efficiency")
PARTS = ("overhead", "series", "search")
EVERY, ROWS = 500, 60
ROWS_OF_SEARCH = 1000
WORKERS = (1, 2, 4, 8)
CALLS, SLEEP, ROUNDS = 100, 0.02, 5  # that measure what a hand-over takes: the least of the rounds
CODE = (*ENGINE, "describe", "decompose", "report", "wording")


# Many series -----------------------------------------------------------------------------------------------


def short_series(count: int) -> list[Series]:
    """An even sample of those with 60 values or more; 500 of them are all."""
    every = [one for dataset in DATASETS for kind in KINDS for one in series(dataset, kind) if len(one.values) >= ROWS]
    chosen = [every[place] for place in _even(len(every), EVERY)]
    return [chosen[place] for place in _even(EVERY, count)]


def _even(of: int, count: int) -> list[int]:
    return [int(place) for place in np.linspace(0, of - 1, count).round()]


def write_tables(folder: Path, count: int) -> None:
    """One CSV file a series, its last 60 values with dates."""
    for one in short_series(count):
        known = pd.DataFrame({"date": one.dates[: len(one.values)].strftime("%Y-%m-%d"), "value": one.values})
        known.tail(ROWS).to_csv(folder / f"{one.dataset}-{one.name}.csv", index=False)


def seconds_of_series(count: int) -> list[float]:
    """What each series takes, search, report, model and forecast, in this process."""
    found = []
    with tempfile.TemporaryDirectory() as name:
        tables = Path(name)
        write_tables(tables, count)
        for file in sorted(tables.iterdir()):
            start = time.process_time()
            model = AutomaticStatistician(n_jobs=1).fit(str(file))
            model.forecast().to_csv(file.with_suffix(".forecast"))
            model.report(file.with_suffix(".html"))
            model.save(file.with_suffix(".json"))
            found.append(time.process_time() - start)
    return found


# Simulated time --------------------------------------------------------------------------------------------


def makespan(seconds: Sequence[float], workers: int, overhead: float) -> float:
    """When the last of some tasks ends that are handed in turn to whoever is free, each with an overhead.

    >>> makespan([1.0, 1.0, 1.0], 2, 0.0), makespan([1.0, 1.0], 1, 0.5)
    (2.0, 3.0)
    """
    free = [0.0] * workers
    for one in seconds:
        heapq.heapreplace(free, free[0] + one + overhead)
    return max(free)


@dataclass(eq=False)
class Recorded:
    """The fits of a search in one process, by call; and what its whole took."""

    calls: list[tuple[bool, list[float]]] = field(default_factory=list)  # whether it pays to spread them
    seconds: float = 0.0

    def simulated(self, workers: int, overhead: float) -> float:
        """The whole search with so many workers: what lies between the calls is done by one."""
        spread = [tasks for pays, tasks in self.calls if pays]
        alone = self.seconds - sum(map(sum, spread))
        if workers == 1:
            return self.seconds
        return alone + sum(makespan(_batches(tasks, workers), workers, overhead) for tasks in spread)


def _batches(tasks: list[float], workers: int) -> list[float]:
    """As the search deals them out."""
    count = min(len(tasks), runner.BATCHES_PER_WORKER * workers)
    return [sum(tasks[start::count]) for start in range(count)]


def recorded_search() -> Recorded:
    """The search of a made series of 1000 rows, by its defaults; shorter ones are hardly spread at all."""
    found, (x, y) = Recorded(), made(ROWS_OF_SEARCH)
    fits, task = runner.Runner.fits, runner.run_task

    def noted(self: runner.Runner, tasks: Any, context: Any, stop: Any) -> Any:
        pays = context.scales.priors is None or self._seconds(tasks) > runner.SECONDS_OF_WORKERS
        found.calls.append((pays and len(tasks) > 1, []))
        return fits(self, tasks, context, stop)

    def timed(*given: Any) -> Any:
        start = time.process_time()
        result = task(*given)
        found.calls[-1][1].append(time.process_time() - start)
        return result

    with patch.object(runner.Runner, "fits", noted), patch.object(runner, "run_task", timed):
        start = time.process_time()
        AutomaticStatistician(n_jobs=1).fit(x[:, None], y)
        found.seconds = time.process_time() - start
    return found


def seconds_of_hand_over(workers: int) -> float:
    """What dask takes for a task beside its own time, with workers on this machine."""
    from dask.distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster),
        parallel_config("dask"),
    ):
        list(gathered([delayed(time.sleep)(0.0)] * workers, workers))
        least = np.inf
        for _ in range(ROUNDS):
            start = time.perf_counter()
            list(gathered([delayed(time.sleep)(SLEEP)] * CALLS, workers))
            least = min(least, time.perf_counter() - start)
        return least * workers / CALLS - SLEEP


# The table -------------------------------------------------------------------------------------------------


def rows_of(part: str, given: argparse.Namespace) -> list[Row]:
    """The rows of one part."""
    if part == "overhead":
        return [
            {"workers": count, "count": CALLS, "milliseconds": f"{1e3 * seconds_of_hand_over(count):.2f}"}
            for count in (1, 2)
        ]
    overhead = max(float(row["milliseconds"]) for row in read_rows(given.csv) if row["part"] == "overhead") / 1e3
    if part == "search":
        found = recorded_search()
        return _efficiencies(
            {count: found.simulated(count, overhead) for count in WORKERS}, sum(len(one) for _, one in found.calls)
        )
    drawn = np.random.default_rng(0).choice(seconds_of_series(given.count), EVERY).tolist()
    return _efficiencies({count: makespan(drawn, count, overhead) for count in WORKERS}, EVERY)


def _efficiencies(seconds: dict[int, float], count: int) -> list[Row]:
    return [
        {"workers": workers, "count": count, "seconds": f"{one:.1f}", "efficiency": f"{seconds[1] / one / workers:.3f}"}
        for workers, one in seconds.items()
    ]


def run_all(given: argparse.Namespace) -> None:
    """The parts that are not in the table."""
    ledger = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh)
    for part in PARTS:
        known: Row = {"part": part, "code": code_version(CODE)}
        if part in given.parts and not ledger.done(known | {"workers": 1}):
            for row in rows_of(part, given):
                ledger.write(known | row)


def main() -> None:
    """Run what is missing in the table, or show what it says."""
    parser = arguments(__doc__, "batch.csv", languages=())
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--count", type=int, default=40, help="series")
    run_command(parser, run_all)


if __name__ == "__main__":
    main()
