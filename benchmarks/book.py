"""What the tables of the sources lack here, made over night: the cases of which no row is there, two at a time.

The list of all tables and of what they lack is that of `python docs/gallery/make.py --missing`. `run_all.py` renews
rows of older code; this command only fills gaps, whatever code made the other rows. It goes on where it was. A case
that fails, or takes too long, is kept in `failures.csv` and not tried again with the same code unless --retry is given.
EBM is left out where `interpret` is not installed, gplearn where --python names no interpreter that has it.

Usage: python benchmarks/book.py [--budget-minutes 480] [--only regression.csv additive.csv] [--dry-run]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from itertools import product
from pathlib import Path

import additive
import class_folds
import classification
import equations
import extrapolation
import folds
import hkl
import regression
from beside import version_by
from common import DATA, RESULTS, Row, code_version, read_rows, series_names, workers
from measures import RESTRICTED
from page_additive import OPTIONS
from run_all import Job, run

__all__ = ["lacking"]

DEPTH = 3  # levels of the searches of poorer languages
SERIES_OF_SPLITS = ("extrapolation", "interpolation")


def everything(given: argparse.Namespace) -> Iterator[Job]:
    """All cases of those tables that take long, the tables in the order of the book."""
    yield from _restricted(given.data)
    yield from _equations(given)
    yield from _additive()
    yield from _regression()
    yield from _classes()


def lacking(given: argparse.Namespace) -> list[Job]:
    """The cases of which no row is there, without those that failed with this code."""
    code = code_version()
    failed = {row["command"] for row in read_rows(given.results / "failures.csv") if row["code"] == code}
    there: dict[str, set[tuple[str, ...]]] = {}
    found = []
    for job in everything(given):
        if job.table not in there:
            rows = read_rows(given.results / job.table)
            there[job.table] = {tuple(row[column] for column in job.columns) for row in rows}
        is_there = tuple(str(job.case[column]) for column in job.columns) in there[job.table]
        if not is_there and (given.retry or job.command not in failed) and job.table in (given.only or there):
            found.append(job)
    return found


def _restricted(data: Path) -> Iterator[Job]:
    """Tables A.1 and A.2: the languages that are columns there."""
    for split, series, language in product(SERIES_OF_SPLITS, series_names(data), RESTRICTED):
        arguments = ("--split", split, "--series", series, "--language", language, "--depth", str(DEPTH))
        case = {"series": series, "split": split, "axis": "raw", "method": language, "seed": 0}
        yield Job("extrapolation.py", arguments, f"{split}.csv", extrapolation.CASE,
                  case | {"settings": f"max_depth={DEPTH}"}, 0)  # fmt: skip


def _equations(given: argparse.Namespace) -> Iterator[Job]:
    """Eureqa's column of the same tables."""
    has_peer = version_by(given.python, equations.PEER) is not None
    for method, series in product(("equations", equations.PEER), series_names(given.data)):
        if method == equations.PEER and not has_peer:
            continue
        arguments = ("--method", method, "--only", series, "--seeds", "0", "--python", given.python)
        case = {"set": series, "method": method, "seed": 0}
        yield Job("equations.py", arguments, "equations.csv", equations.CASE, case, 0, searches=False)


def _additive() -> Iterator[Job]:
    """Whether options of additive processes pay."""
    shown = dict.fromkeys(name for option, other, _ in OPTIONS for name in (other, option))
    cases = _by_folds(folds.SETS, shown)
    yield from (_of_folds("additive.py", "additive.csv", additive.CASE, case) for case in cases)


def _regression() -> Iterator[Job]:
    """Tables 6.4 and 6.5."""
    for case in _by_folds(folds.SETS, _can_run(regression.METHODS, "search-evidence")):
        yield _of_folds("regression.py", "regression.csv", regression.CASE, case)


def _classes() -> Iterator[Job]:
    """Tables 6.6 and 6.7."""
    for case in _by_folds(classification.PUBLISHED, _can_run(classification.METHODS, "gp-laplace")):
        yield _of_folds("classification.py", "classification.csv", class_folds.CASE, case)
    for case in _by_folds(hkl.CLASSES, hkl.METHODS):
        yield _of_folds("hkl.py", "hkl.csv", hkl.CASE, case)


def _can_run(methods: Iterable[str], *others: str) -> list[str]:
    """The methods that are rows of the tables and installed; the others are not rows."""
    absent = () if find_spec("interpret") else ("ebm",)
    return [name for name in methods if name not in (*others, *absent)]


def _by_folds(sets: Iterable[str], methods: Iterable[str]) -> Iterator[Row]:
    """Fold by fold, so that all sets have some before one has all."""
    for fold, name, method in product(range(folds.FOLDS), sets, methods):
        yield {"set": name, "method": method, "fold": fold}


def _of_folds(script: str, table: str, columns: tuple[str, ...], case: Row) -> Job:
    arguments = ("--sets", case["set"], "--methods", case["method"], "--folds", str(case["fold"]))
    return Job(script, arguments, table, columns, case, 0, searches=False)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--budget-minutes", type=float, help="stop after so many minutes; no limit by default")
    parser.add_argument("--case-minutes", type=float, default=120.0, help="a case that takes longer has failed")
    parser.add_argument("--at-once", type=int, default=workers(), help="cases at a time; one per core by default")
    parser.add_argument("--only", nargs="+", help="tables, such as additive.csv; all by default")
    parser.add_argument("--python", default=sys.executable, help="interpreter that has gplearn")
    parser.add_argument("--retry", action="store_true", help="also the cases that failed with this code")
    parser.add_argument("--dry-run", action="store_true", help="only list the cases that are to be run")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the benchmark data")
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder of the tables")
    return parser.parse_args()


def main() -> None:
    """Run what is lacking in the tables."""
    given = _arguments()
    jobs = lacking(given)
    print("\n".join([f"{len(jobs)} cases to run", *(job.command for job in jobs if given.dry_run)]), flush=True)
    if not given.dry_run and not run(jobs, given):
        print(f"the {given.budget_minutes:g} minutes are over; the same command goes on from here")


if __name__ == "__main__":
    main()
