"""Runs over panels: what a run takes beside the fits, its memory, and short series searched for real.

Of 100 000 series whose fit is a sleep of ten milliseconds, ``overhead`` is the processor time of all processes as a
share of those milliseconds, and ``again`` the seconds in which a second run finds that all is done. The real series
are those of `batch.py`; an even sample of them tells the minutes of 1000 on as many processors as workers. ``many`` are
stretches of 18 rows of all our series of months, searched in the language of lines: real data of as many series as a
chain of shops has, in a time that can be waited for.

Usage: python benchmarks/panel.py [--parts overhead real many] [--count 200] [--fakes 100000] [--many 20000]
       [--workers 2] [--summary]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd
from joblib.externals.loky import get_reusable_executor

from autostatistician.data.dataset import Dataset
from autostatistician.data.load import load
from autostatistician.panel import run
from autostatistician.panel.records import FAILED
from autostatistician.panel.run import run_panel
from autostatistician.panel.settings import PanelSettings
from autostatistician.search.settings import Settings
from batch import ROWS, short_series
from common import ENGINE, Ledger, arguments, code_version, run_command
from corpus_series import DATASETS, Series, series
from panel_fake import SECONDS, FakeSettings, FakeTable, fake_records, megabytes

__all__ = ["ShortSeries", "overhead", "real"]

Row = dict[str, Any]

CASE = ("part", "workers", "count")
COLUMNS = ("code", "failed", "seconds", "processor", "overhead", "again", "parent_mb", "worker_mb", "minutes_of_1000")
PARTS = ("overhead", "real", "many")
MANY_ROWS = 18  # of a stretch
CODE = (*ENGINE, "describe", "panel")


class ShortSeries:
    """The last values of series of the corpus as a table."""

    ids = ("series",)

    def __init__(self, several: Sequence[Series]) -> None:
        self.several = several
        self.keys = [(f"{one.dataset}-{one.name}",) for one in several]

    def __len__(self) -> int:
        return len(self.several)

    def name(self, index: int) -> str:
        """That of the series with its data set."""
        return self.keys[index][0]

    def dataset(self, index: int) -> Dataset:
        """As a user's table of one series is read."""
        one = self.several[index]
        known = pd.DataFrame({"date": one.dates[: len(one.values)], "value": one.values})
        return load(known.tail(ROWS))


class Stretches(ShortSeries):
    """So many stretches of series of months, spread evenly over all that there are."""

    def __init__(self, count: int) -> None:
        every = [
            (one, start)
            for dataset in DATASETS
            for one in series(dataset, "monthly")
            for start in range(len(one.values) - MANY_ROWS + 1)
        ]
        chosen = [every[place] for place in np.linspace(0, len(every) - 1, count).round().astype(int)]
        super().__init__([one for one, _ in chosen])
        self.starts = [start for _, start in chosen]
        self.keys = [(f"{one.dataset}-{one.name}-{start}",) for one, start in chosen]

    def dataset(self, index: int) -> Dataset:
        """As a user's table of the stretch is read."""
        one, start = self.several[index], self.starts[index]
        rows = slice(start, start + MANY_ROWS)
        return load(pd.DataFrame({"date": one.dates[rows], "value": one.values[rows]}))


def overhead(count: int, workers: int) -> Row:
    """What a run takes beside fits that take ten milliseconds."""
    processes: dict[str, tuple[float, float]] = {}
    before = time.process_time()
    with tempfile.TemporaryDirectory() as name, patch.object(run, "records_of_chunk", fake_records):
        start = time.perf_counter()
        for record in run_panel(FakeTable(count), FakeSettings(), Path(name), workers):
            process, *numbers = record.notes
            seconds, memory = map(float, numbers)
            known = processes.get(process, (0.0, 0.0))
            processes[process] = (max(seconds, known[0]), max(memory, known[1]))
        middle = time.perf_counter()
        processor = time.process_time() - before + sum(seconds for seconds, _ in processes.values())
        parent = megabytes()
        assert sum(1 for _ in run_panel(FakeTable(count), FakeSettings(), Path(name), workers)) == count
        again = time.perf_counter() - middle
    get_reusable_executor().shutdown()  # its workers search nothing any more
    return {
        "failed": 0, "seconds": f"{middle - start:.1f}", "processor": f"{processor:.1f}",
        "overhead": f"{processor / count / SECONDS:.4f}", "again": f"{again:.1f}", "parent_mb": f"{parent:.0f}",
        "worker_mb": f"{max(memory for _, memory in processes.values()):.0f}",
    }  # fmt: skip


def real(count: int, workers: int) -> Row:
    """Short series with the usual settings."""
    return searched(ShortSeries(short_series(count)), PanelSettings(), workers)


def many(count: int, workers: int) -> Row:
    """Very many very short series in a small language."""
    return searched(Stretches(count), PanelSettings("linear", Settings(max_depth=1)), workers)


def searched(table: ShortSeries, settings: PanelSettings, workers: int) -> Row:
    """What a run over a panel takes; no record is kept."""
    start, processor, failed, count = time.perf_counter(), 0.0, 0, len(table)
    for record in run_panel(table, settings, None, workers):
        processor += record.seconds
        failed += record.status == FAILED
    seconds = time.perf_counter() - start
    minutes = processor / workers * 1000 / count / 60
    return {
        "failed": failed, "seconds": f"{seconds:.1f}", "processor": f"{processor:.1f}",
        "parent_mb": f"{megabytes():.0f}", "minutes_of_1000": f"{minutes:.1f}",
    }  # fmt: skip


def run_all(given: argparse.Namespace) -> None:
    """The parts that are not in the table."""
    ledger = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh)
    every = (("overhead", overhead, given.fakes), ("real", real, given.count), ("many", many, given.many))
    for part, measured, count in every:
        known: Row = {"part": part, "workers": given.workers, "count": count, "code": code_version(CODE)}
        if part in given.parts and not ledger.done(known):
            ledger.write(known | measured(count, given.workers))


def main() -> None:
    """Run what is missing in the table, or show what it says."""
    parser = arguments(__doc__, "panel.csv", languages=())
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--count", type=int, default=200, help="real series")
    parser.add_argument("--fakes", type=int, default=100_000, help="series whose fit is a sleep")
    parser.add_argument("--many", type=int, default=20_000, help="stretches of real series")
    parser.add_argument("--workers", type=int, default=2)
    run_command(parser, run_all)


if __name__ == "__main__":
    main()
