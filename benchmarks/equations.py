"""Equations learned from data: the language `equations` and the default one, beside symbolic regression (gplearn).

Sets: the five functions of `equations_functions.py`, whose formula is known, and the forecasts of the last tenth of the
13 series on the stored axis, where Eureqa's figures are published. Of the series the default language is left to
`extrapolation.py`. gplearn has 1000 programs, 20 generations and 60 seconds of the processor at most, several starts
(`--seeds`), and may be in another environment: `--python` names an interpreter that has it.

Usage: python benchmarks/equations.py [--method equations default gplearn] [--only 01 quadratic] [--python PATH]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from autostatistician.errors import InputError
from autostatistician.estimators.formula import Formula
from beside import THREADS, version_by
from common import (
    DEFAULT_LANGUAGE,
    Array,
    Ledger,
    Row,
    Split,
    arguments,
    code_version,
    fitted,
    geometric_mean,
    run_command,
    series_names,
    settings_text,
    split_series,
)
from equations_functions import FUNCTIONS, has_terms_of
from measures import read_reference

__all__ = ["DEEPEST", "METHODS", "PEER", "RIGHT", "best_starts", "is_right", "standardised_error", "summary"]

CASE = ("set", "method", "seed")
COLUMNS = (
    *("code", "settings", "n_train", "n_test", "fitted", "inside", "ahead", "greatest", "terms"),
    *("seconds", "size", "formula"),
)
PEER = "gplearn"
METHODS = {"equations": "equations", "default": DEFAULT_LANGUAGE, PEER: ""}  # name -> language
DEEPEST = 3  # levels of our searches
LIMIT = 60.0  # seconds of the processor for one start of the peer
RIGHT = 2.0  # per cent of the range of a function, by which a formula may miss it anywhere
HERE = Path(__file__).resolve().parent


@dataclass(frozen=True, eq=False)
class Learned:
    """What a method says at the places that it was asked about, and its formula."""

    mean: Array
    seconds: float  # of the processor
    text: str
    size: int | None  # terms of ours, nodes of a program
    formula: Formula | None = None
    settings: str = ""


def ours(method: str, split: Split, places: Array, seed: int) -> Learned:
    """A search on one processor; the default language need not end at a formula."""
    settings = {"max_depth": DEEPEST, "n_jobs": 1}
    start = time.process_time()
    model, told = fitted(split.train, METHODS[method], seed, settings)
    seconds = time.process_time() - start
    where = replace(split.train, X=places[:, None], y=np.zeros(len(places)))
    mean = model.predictive(where).mean
    shown = settings_text({"max_depth": DEEPEST})
    try:
        formula = model.formula()
    except InputError:  # smooth curves alone
        return Learned(mean, seconds, told["expression"], None, settings=shown)
    return Learned(mean, seconds, str(formula), len(formula.terms), formula, shown)


def peer(python: str, split: Split, places: Array, seed: int) -> Learned:
    """One start of gplearn, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data.npz"
        np.savez(data, x=split.train.x, y=split.train.y + split.train.offset, places=places)
        command = [python, str(HERE / "equations_one.py"), str(data), str(seed), str(LIMIT)]
        done = subprocess.run(
            command, capture_output=True, text=True, env=os.environ | dict.fromkeys(THREADS, "1"), check=True
        )
    row = json.loads(done.stdout.splitlines()[-1])
    mean = np.array(row["mean"])
    return Learned(mean, row["seconds"], row["formula"], row["size"], settings=f"generations={row['generations']}")


def run(case: Row, given: argparse.Namespace) -> Row:
    """Learn one set; errors of a function are per cent of its range, those of a series in its units."""
    function = FUNCTIONS.get(case["set"])
    split = function.split() if function else split_series(given.data, "extrapolation", case["set"], "raw")
    x, y = split.train.x, split.train.y + split.train.offset
    places = np.concatenate([x, split.test_X[:, 0], function.grid if function else []])
    method, seed = case["method"], case["seed"]
    found = peer(given.python, split, places, seed) if method == PEER else ours(method, split, places, seed)
    at_rows, ahead, on_grid = np.split(found.mean, np.cumsum([len(x), len(split.test_y)]))
    row = {"n_train": len(x), "n_test": len(split.test_y), "fitted": _rms(at_rows - y), "size": found.size}
    row |= {"seconds": round(found.seconds, 2), "settings": found.settings, "formula": found.text}
    if function is None:
        return case | row | {"ahead": _rms(ahead - split.test_y)}
    unit = function.span / 100.0
    row |= {"inside": _rms((at_rows - function.formula(x)) / unit), "ahead": _rms((ahead - split.test_y) / unit)}
    greatest = np.max(np.abs(on_grid - function.formula(function.grid))) / unit
    terms = None if method == PEER else int(found.formula is not None and has_terms_of(found.formula, function.formula))
    return case | row | {"greatest": f"{greatest:.6g}", "terms": terms}


def _rms(misses: Array) -> str:
    return f"{np.sqrt(np.mean(misses**2)):.6g}"


def cases(given: argparse.Namespace) -> list[Row]:
    """What is to be run: first the functions, then the series; starts of the peer last."""
    sets = [*FUNCTIONS, *(series_names(given.data) if given.data.exists() else ())]
    sets = [name for name in sets if given.only is None or name.startswith(tuple(given.only))]
    versions = {PEER: version_by(given.python, PEER) if PEER in given.method else None}
    if PEER in given.method and versions[PEER] is None:
        print(f"left out: {PEER}, which is not installed")
    return [
        {"set": name, "method": method, "seed": seed, "code": code}
        for method in given.method
        for seed in (given.seeds if method == PEER else (0,))
        for name in sets
        if (code := versions.get(method) if method == PEER else code_version()) is not None
        and (method != "default" or name in FUNCTIONS)
    ]


def run_all(given: argparse.Namespace) -> None:
    """The cases that are not in the table."""
    ledger = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh)
    for case in ledger.left(cases(given)):
        row = run(case, given)
        ledger.write(row)
        line = "{set}, {method}, seed {seed}: fitted {fitted}, ahead {ahead}, {seconds} s: {formula:.100}"
        print(line.format(**row), flush=True)


# What the table says ---------------------------------------------------------------------------------------


def best_starts(rows: list[Row]) -> dict[tuple[str, str], Row]:
    """By set and method, of several starts the one that fits the rows best, which needs no look at what is ahead."""
    best: dict[tuple[str, str], Row] = {}
    for row in rows:
        key = row["set"], row["method"]
        best[key] = min(best.get(key, row), row, key=lambda each: float(each["fitted"]))
    return best


def is_right(row: Row) -> bool:
    """Whether the learned formula is the true function, wherever it was asked: within `RIGHT` per cent of its range."""
    return float(row["greatest"]) <= RIGHT


def standardised_error(series: str, rmse: float) -> float:
    """RMSE over the smallest of the nine published methods, as in the draft's table A.2."""
    return rmse / float(read_reference("extrapolation")[series, "best"]["rmse"])


def summary(rows: list[Row]) -> list[Row]:
    """One row a method: functions found, errors ahead, seconds (best starts; seconds of one start)."""
    best, found = best_starts(rows), []
    for method in dict.fromkeys(row["method"] for row in rows):
        own = [row for (_, name), row in best.items() if name == method]
        made = [row for row in own if row["set"] in FUNCTIONS]
        real = [standardised_error(row["set"], float(row["ahead"])) for row in own if row["set"] not in FUNCTIONS]
        found.append({
            "method": method, "functions": len(made), "right": sum(map(is_right, made)),
            "series": len(real), "rmse/best": f"{geometric_mean(real):.3f}" if real else "",
            "seconds": f"{np.median([float(row['seconds']) for row in own]):.1f}",
        })  # fmt: skip
    return found


def main() -> None:
    """Run what is missing in the table, or show what it says."""
    parser = arguments(__doc__, "equations.csv", languages=())
    parser.add_argument("--method", nargs="+", choices=METHODS, default=list(METHODS))
    parser.add_argument("--only", nargs="+", help="sets, also by their first letters; all by default")
    parser.add_argument("--seeds", nargs="+", type=int, default=[0, 1, 2], help="starts of gplearn")
    parser.add_argument("--python", default=sys.executable, help="interpreter that runs gplearn")
    run_command(parser, run_all, summary)


if __name__ == "__main__":
    main()
