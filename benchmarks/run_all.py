"""Every long benchmark, one after the other, two cases at a time; stop it and start it again as you like.

A case is one search: its own process with one worker and one BLAS thread, which is faster on two cores than one search
with two workers (the column n_jobs says so; `speed.py` alone measures with all cores, with nothing beside it). What the
tables have already from the same code is left out. A case that fails, or takes too long, is kept in `failures.csv`
with its error and is not tried again with the same code unless --retry is given.

Usage: python benchmarks/run_all.py [--budget-minutes 240] [--at-once 2] [--stage raw full-data] [--dry-run]
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import extrapolation
import full_data
import learning_curve
import speed
import synthetic
from common import (
    DATA,
    DEFAULT_LANGUAGE,
    RESULTS,
    Ledger,
    chosen_settings,
    code_version,
    read_rows,
    series_names,
    settings_text,
    workers,
)

__all__ = ["STAGES", "Job", "planned", "run"]

Row = dict[str, Any]

HERE = Path(__file__).resolve().parent
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
PAUSE = 0.2  # seconds between two looks at the running cases
FAILED = (("command",), ("code", "minutes", "error"))


@dataclass(frozen=True, eq=False)
class Job:
    """One case: the script and its arguments, the row of the table that it fills, and its number of observations."""

    script: str
    arguments: tuple[str, ...]
    table: str
    columns: tuple[str, ...]  # that tell the cases of the table apart
    case: Row
    size: int
    alone: bool = False  # nothing else may run meanwhile
    searches: bool = True  # the script can be told how many workers a search has

    @property
    def command(self) -> str:
        """The command as a reader would type it."""
        return " ".join((self.script, *self.arguments))


@dataclass
class Running:
    """A case that runs: its process, when it began, and where it writes."""

    job: Job
    process: subprocess.Popen[bytes]
    start: float
    output: IO[bytes]


# The plan --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """What all cases have in common."""

    data: Path
    languages: tuple[str, ...]
    options: tuple[str, ...]
    series: tuple[str, ...] | None = None

    def names(self) -> list[tuple[str, int]]:
        """The series with their sizes, shortest first."""
        sizes = {
            name: _length(self.data / "timeseries" / f"{name}.csv") for name in series_names(self.data, self.series)
        }
        return sorted(sizes.items(), key=lambda item: item[1])

    def settings(self, *more: str) -> tuple[str, tuple[str, ...]]:
        """Settings as they stand in the tables, and as options of a command."""
        options = (*self.options, *more)
        given = argparse.Namespace(depth=None, budget=None, option=options)
        return settings_text(chosen_settings(given)), (("--option", *options) if options else ())


def _length(path: Path) -> int:
    with path.open(encoding="utf-8") as file:
        return sum(1 for _ in file) - 1


def _forecasts(plan: Plan, axis: str, seed: int, *more: str, split: str = "extrapolation") -> list[Job]:
    text, options = plan.settings(*more)
    where = ("--split", split, "--axis", axis, "--seeds", str(seed))
    return [
        Job(
            "extrapolation.py",
            (*where, "--series", name, "--language", language, *options),
            *(f"{split}.csv", extrapolation.CASE),
            {"series": name, "split": split, "axis": axis, "method": language, "seed": seed, "settings": text},
            size,
        )
        for name, size in plan.names()
        for language in plan.languages
    ]


def _whole(plan: Plan, seed: int) -> list[Job]:
    text, options = plan.settings()
    return [
        Job(
            "full_data.py",
            ("--seeds", str(seed), "--series", name, "--language", language, *options),
            *("full-data.csv", full_data.CASE),
            {"series": name, "language": language, "seed": seed, "settings": text},
            size,
        )
        for name, size in plan.names()
        for language in ("full", "interpretable")
    ]


def _structures(plan: Plan) -> list[Job]:
    text, options = plan.settings()
    return [
        Job(
            "synthetic.py",
            ("--case", name, "--snr", f"{snr:g}", "--seeds", "0", "--language", language, *options),
            *("synthetic.csv", synthetic.CASE),
            {"case": name, "snr": 0.0 if name.startswith("noise") else snr, "language": language, "seed": 0,
             "settings": text},
            synthetic.SIZE,
        )
        for snr in (10.0, 1.0, 0.1)
        for name in synthetic.cases()
        for language in plan.languages
        if snr == 10.0 or not name.startswith("noise")
    ]  # fmt: skip


def _learning(plan: Plan, series: str = "01-airline") -> list[Job]:
    text, options = plan.settings()
    if plan.series and not series.startswith(plan.series):
        return []
    size = _length(plan.data / "timeseries" / f"{series}.csv")
    jobs = [
        Job(
            "learning_curve.py",
            ("--series", series, "--percent", str(percent), "--seeds", "0", "--language", language, *options),
            *("learning-curve.csv", learning_curve.CASE),
            {"series": series, "axis": "raw", "language": language, "percent": percent, "seed": 0, "settings": text},
            size * percent // 100,
        )
        for percent in range(10, 100, 10)
        for language in learning_curve.WANTED
    ]
    return jobs


def _times(plan: Plan) -> list[Job]:
    text, options = plan.settings()
    return [
        Job(
            "speed.py",
            ("--sizes", str(n), "--axis", "raw", "--seeds", "0", "--language", language, *options),
            *("speed.csv", speed.CASE),
            {"series": name, "n": n, "axis": "raw", "language": language, "seed": 0, "settings": text,
             "n_jobs": workers()},
            n,
            alone=True,
        )
        for n, name in speed.SIZES.items()
        for language in plan.languages
    ]  # fmt: skip


def _several(make: Callable[..., list[Job]], plan: Plan, *first: str) -> list[Job]:
    """Seeds 1 and 2, side by side for every series."""
    return [job for both in zip(*(make(plan, *first, seed) for seed in (1, 2)), strict=True) for job in both]


STAGES: dict[str, Callable[[Plan], list[Job]]] = {
    "raw": lambda plan: _forecasts(plan, "raw", 0),
    "full-data": lambda plan: _whole(plan, 0),
    "interpolation": lambda plan: _forecasts(plan, "raw", 0, split="interpolation"),
    "calendar": lambda plan: _forecasts(plan, "calendar", 0),
    "synthetic": _structures,
    "speed": _times,
    "raw-seeds": lambda plan: _several(_forecasts, plan, "raw"),
    "learning": _learning,
    "full-data-seeds": lambda plan: _several(_whole, plan),
    "calendar-seeds": lambda plan: _several(_forecasts, plan, "calendar"),
    "criteria": lambda plan: [
        job
        for criterion in ("bic", "aic", "laplace", "loo")
        for job in _forecasts(plan, "raw", 0, f"criterion={criterion}")
    ],
}  # fmt: skip


def planned(given: argparse.Namespace) -> list[Job]:
    """The cases in their order, without those that the tables have and those that failed with this code."""
    plan = Plan(given.data, tuple(given.language), tuple(given.option), tuple(given.series) if given.series else None)
    code = code_version()
    failed = {row["command"] for row in read_rows(given.results / "failures.csv") if row["code"] == code}
    return [
        job
        for stage in given.stage
        for job in sorted(STAGES[stage](plan), key=lambda job: job.size)
        if not Ledger(given.results / job.table, job.columns, ("code",)).done(job.case | {"code": code})
        and (given.retry or job.command not in failed)
    ]


# The run ---------------------------------------------------------------------------------------------------


def run(jobs: list[Job], given: argparse.Namespace) -> bool:
    """Run the cases until all are done or the time is over; whether all are done."""
    end = time.monotonic() + 60.0 * given.budget_minutes if given.budget_minutes else float("inf")
    waiting, running = list(jobs), list[Running]()
    try:
        while (waiting or running) and time.monotonic() < end:
            while waiting and _has_room(waiting[0], running, given.at_once):
                running.append(_started(waiting.pop(0), given))
            running = [one for one in running if not _has_ended(one, given, len(waiting) + len(running))]
            time.sleep(PAUSE)
    finally:
        for one in running:  # out of time, or stopped: these will be done again
            _stop(one)
    return not waiting and not running


def _has_room(job: Job, running: list[Running], at_once: int) -> bool:
    if not running:
        return True
    return not job.alone and not running[-1].job.alone and len(running) < at_once


def _started(job: Job, given: argparse.Namespace) -> Running:
    command = [sys.executable, str(HERE / job.script), *job.arguments]
    command += ["--data", str(given.data), "--csv", str(given.results / job.table)]
    command += ["--jobs", "1"] if job.searches and not job.alone else []
    output = tempfile.TemporaryFile()  # noqa: SIM115 - `_stop` closes it
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=output, env=os.environ | ONE_THREAD,
        start_new_session=True,
    )  # fmt: skip
    return Running(job, process, time.monotonic(), output)


def _has_ended(one: Running, given: argparse.Namespace, left: int) -> bool:
    """Whether a case ended by itself or had to be stopped; then its outcome is kept and said."""
    minutes = (time.monotonic() - one.start) / 60.0
    returned = one.process.poll()
    late = returned is None and minutes > given.case_minutes
    if returned is None and not late:
        return False
    error = f"stopped after {given.case_minutes:g} minutes" if late else _last_words(one) if returned else ""
    _stop(one)
    ledger = Ledger(given.results / "failures.csv", *FAILED)
    if error:
        row = {"command": one.job.command, "code": code_version(), "minutes": f"{minutes:.1f}", "error": error}
        ledger.write(row)
    else:
        ledger.remove({"command": one.job.command})
    print(f"{minutes:6.1f} min  {one.job.command}{f': FAILED, {error}' if error else ''}; {left - 1} left", flush=True)
    return True


def _last_words(one: Running) -> str:
    one.output.seek(0)
    lines = one.output.read().decode(errors="replace").split("\n")
    said = [line.strip() for line in lines if line.strip()]
    return said[-1][:300] if said else f"ended with code {one.process.returncode} without a word"


def _stop(one: Running) -> None:
    """End a case with the workers it may have."""
    if one.process.poll() is None:
        for kind in (signal.SIGTERM, signal.SIGKILL) if os.name == "posix" else ():
            os.killpg(one.process.pid, kind)
            if _is_gone(one.process):
                break
        else:
            one.process.kill()
        one.process.wait()
    one.output.close()


def _is_gone(process: subprocess.Popen[bytes]) -> bool:
    try:
        process.wait(timeout=5.0)
    except subprocess.TimeoutExpired:
        return False
    return True


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--budget-minutes", type=float, help="stop after so many minutes; no limit by default")
    parser.add_argument("--case-minutes", type=float, default=40.0, help="a case that takes longer has failed")
    parser.add_argument("--at-once", type=int, default=workers(), help="cases at a time; one per core by default")
    parser.add_argument("--stage", nargs="+", choices=list(STAGES), default=list(STAGES), help="all by default")
    parser.add_argument("--language", nargs="+", default=[DEFAULT_LANGUAGE], help="all stages but full-data, learning")
    parser.add_argument("--option", nargs="+", default=[], help="settings of the estimator, as name=value")
    parser.add_argument("--series", nargs="+", help="names or their first letters; all by default")
    parser.add_argument("--retry", action="store_true", help="also the cases that failed with this code")
    parser.add_argument("--dry-run", action="store_true", help="only list the cases that are to be run")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the benchmark data")
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder of the tables")
    return parser.parse_args()


def _said(jobs: list[Job]) -> Iterator[str]:
    yield f"{len(jobs)} cases to run"
    yield from (f"{job.size:6}  {job.command}" for job in jobs)


def main() -> None:
    """Run what is missing in the tables."""
    given = _arguments()
    jobs = planned(given)
    print("\n".join(_said(jobs)) if given.dry_run else next(_said(jobs)), flush=True)
    if not given.dry_run and not run(jobs, given):
        print(f"the {given.budget_minutes:g} minutes are over; the same command goes on from here")


if __name__ == "__main__":
    main()
