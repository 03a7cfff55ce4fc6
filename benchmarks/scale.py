"""Seconds and memory of the search of a long series with default settings, and of the report on what it found.

The series are the first rows of `taylor` (half-hourly demand of electricity, 3696 rows: hardly any noise) and
made ones: hourly values with a cycle of the day whose size wanders, one of the week, slow and quick changes,
noise.
A case can be run by itself (`--only made-10000`), in a process of its own, so that the peak of the memory is its own.

Usage: python benchmarks/scale.py [--only taylor-1000 ...] [--summary]
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician import AutomaticStatistician
from common import Ledger, arguments, code_version, run_command, workers
from corpus_series import taylor

__all__ = ["CASES", "COLUMNS", "made"]

Array = NDArray[np.float64]
Row = dict[str, Any]

KEY = ("case", "n_jobs")
COLUMNS = ("code", "n", "search_seconds", "report_seconds", "megabytes", "page_megabytes", "bic", "expression")
SIZES = {"taylor": (500, 1000, 3000, 3696), "made": (500, 1000, 3000, 10_000, 100_000)}
CASES = tuple(f"{name}-{n}" for name, sizes in SIZES.items() for n in sizes)
HOURS_OF_DAY, DAYS_OF_WEEK = 24.0, 7.0


def made(n: int, seed: int = 0) -> tuple[Array, Array]:
    """Days (n,) and values (n,) of a made series of hours.

    >>> days, values = made(100)
    >>> float(days[24]), values.shape
    (1.0, (100,))
    """
    rng = np.random.default_rng(seed)
    days = np.arange(n) / HOURS_OF_DAY
    size = 1.0 + 0.3 * _smooth(n, days[-1] / 4.0, rng)
    day = np.sin(2.0 * np.pi * days + 0.4 * np.sin(4.0 * np.pi * days))
    week = 0.8 * np.cos(2.0 * np.pi * days / DAYS_OF_WEEK)
    slow, quick = 3.0 * _smooth(n, days[-1] / 5.0, rng), 0.5 * _smooth(n, 0.15, rng)
    return days, 20.0 + slow + size * day + week + quick + 0.3 * rng.standard_normal(n)


def _smooth(n: int, days: float, rng: np.random.Generator) -> Array:
    """A smooth function (n,) of size one with this lengthscale, drawn by its spectrum on a longer circle."""
    lags = np.minimum(np.arange(4 * n), 4 * n - np.arange(4 * n)) / HOURS_OF_DAY
    spectrum = np.maximum(np.fft.rfft(np.exp(-0.5 * (lags / days) ** 2)).real, 0.0)
    drawn: Array = np.fft.irfft(np.fft.rfft(rng.standard_normal(4 * n)) * np.sqrt(spectrum), 4 * n)[:n]
    return drawn


def series(case: str) -> tuple[Array, Array]:
    """Places and values of a case."""
    name, n = case.split("-")
    if name == "made":
        return made(int(n))
    values = taylor()[: int(n)]
    return np.arange(len(values)) / 48.0, values


def run(case: str, jobs: int) -> Row:
    """Search and report."""
    x, y = series(case)
    began = time.perf_counter()
    model = AutomaticStatistician(n_jobs=jobs).fit(x[:, None], y)
    searched = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        page = model.report(Path(folder) / "page.html")
        size = page.stat().st_size / 1e6
    done = time.perf_counter()
    peak = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    best = model.model_.search.best
    return {
        "n": len(y),
        "search_seconds": f"{searched - began:.1f}",
        "report_seconds": f"{done - searched:.1f}",
        "megabytes": round(peak / 1024),
        "page_megabytes": f"{size:.2f}",
        "bic": f"{model.search_.trace['bic'].iloc[-1]:.1f}",
        "expression": str(best.kernel),
    }


def run_all(given: argparse.Namespace) -> None:
    """The cases that are not in the table."""
    ledger = Ledger(given.csv, KEY, COLUMNS, fresh=given.fresh)
    for case in given.only:
        key = {"case": case, "n_jobs": given.jobs or workers(), "code": code_version()}
        if not ledger.done(key):
            row = {**key, **run(case, key["n_jobs"])}
            ledger.write(row)
            print(
                "{case:14} search {search_seconds} s, report {report_seconds} s: {expression}".format(**row), flush=True
            )


def main() -> None:
    """Run what is missing in the table, or show what it says."""
    parser = arguments(__doc__, "scale.csv")
    parser.add_argument("--only", nargs="+", choices=CASES, default=list(CASES))
    run_command(parser, run_all)


if __name__ == "__main__":
    main()
