"""Equations learned from data: the language `equations` and the default one, beside symbolic regression (gplearn).

Sets: five functions whose formula is known, which were written down, with their noise and seeds, before any method
had seen them, and the forecasts of the last tenth of the
13 series on the stored axis, where Eureqa's figures are published. Of the series the default language is left to
`extrapolation.py`. gplearn has 1000 programs, 20 generations and 60 seconds of the processor at most, one start
(`--seed`), and may be in another environment: `--python` names an interpreter that has it.

About 9 minutes of one core.

Usage: python benchmarks/equations.py [--method equations default gplearn] [--set quadratic] [--python PATH]
"""

import argparse
import json
import os
import subprocess
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from autostatistician.data.load import load
from autostatistician.errors import InputError
from autostatistician.estimators.formula import Formula, FormulaTerm, Monomial
from beside import THREADS, version_by
from common import DEFAULT_LANGUAGE, Array, Bench, Row, Split, code_version, command, fitted, split_series
from measures import read_reference
from series import SERIES

N, UNTIL, AHEAD = 100, 10.0, 12.5  # rows, the end of their stretch, the end of the one to predict
NOISE = 0.05  # standard deviation, over that of the function at the rows
GRID = 501  # places from the first row to the end of what is predicted
SAME_PERIOD = 0.03  # relative difference up to which two waves are the same

Atom = tuple[int, float]  # a power, and cycles in a unit of the column (0 for none)


@dataclass(frozen=True, eq=False)
class Function:
    """A formula, and the seed of the noise around it."""

    formula: Formula
    seed: int

    @property
    def grid(self) -> Array:
        """Places (GRID,) over both stretches."""
        return np.linspace(0.0, AHEAD, GRID)

    @property
    def span(self) -> float:
        """The range of the function over both stretches."""
        return float(np.ptp(self.formula(self.grid)))

    def split(self) -> Split:
        """Noisy rows to learn from, and the function itself on the grid ahead of them."""
        x = np.linspace(0.0, UNTIL, N)
        y = self.formula(x)
        y = y + np.random.default_rng(self.seed).normal(0.0, NOISE * float(np.std(y)), N)
        ahead = self.grid[self.grid > UNTIL]
        return Split(load(x[:, None], y, axis="raw"), ahead[:, None], self.formula(ahead))


def _formula(terms: dict[Monomial, float], *, logarithmic: bool = False) -> Formula:
    exact = tuple(FormulaTerm(number, number, number, monomial) for monomial, number in terms.items())
    return Formula("y", ("x",), (0.0,), exact, logarithmic, (), 0.0)


def _sine(period: float, power: int = 0) -> Monomial:
    return Monomial(((0, power),) if power else (), ((0, period, "sin"),))


_LEVEL, _LINE, _SQUARE = Monomial(), Monomial(((0, 1),)), Monomial(((0, 2),))
_PERIODS = Monomial((), ((0, 4.0, "sin"), (0, 1.1, "cos")))
FUNCTIONS = {
    "line and sine": Function(_formula({_LEVEL: 2.0, _LINE: 0.5, _sine(2.5): 1.5}), 0),
    "quadratic": Function(_formula({_LEVEL: 1.0, _LINE: -1.2, _SQUARE: 0.25}), 1),
    "growing sine": Function(_formula({_LEVEL: 3.0, _sine(2.0): 0.5, _sine(2.0, 1): 0.3}), 2),
    "exponential growth": Function(_formula({_LEVEL: float(np.log(2.0)), _LINE: 0.25}, logarithmic=True), 3),
    "product of two periods": Function(_formula({_LEVEL: 1.0, _PERIODS: 2.0}), 4),
}


def has_terms_of(found: Formula, true: Formula) -> bool:
    """Whether a formula is made of the terms of another, no more and no fewer; levels and numbers do not count.

    Products of waves are taken as the sum of waves that they are; terms whose range holds zero are left out.
    """
    if not found.exact or found.logarithmic != true.logarithmic:
        return False
    ours, theirs = _atoms(found), _atoms(true)
    return _are_among(ours, theirs) and _are_among(theirs, ours)


def _atoms(formula: Formula) -> set[Atom]:
    atoms: set[Atom] = set()
    for term in formula.terms:
        if term.lower <= 0.0 <= term.upper:
            continue
        cycles = {0.0}
        for _, period, _ in term.monomial.waves:
            cycles = {abs(known + sign / period) for known in cycles for sign in (-1.0, 1.0)}
        atoms |= {(sum(power for _, power in term.monomial.powers), each) for each in cycles}
    return atoms - {(0, 0.0)}


def _are_among(some: set[Atom], others: set[Atom]) -> bool:
    return all(
        any(power == other and abs(cycles - theirs) <= SAME_PERIOD * cycles for other, theirs in others)
        for power, cycles in some
    )


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
    model, told = fitted(split.train, METHODS[method], seed, {"max_depth": DEEPEST})
    where = replace(split.train, X=places[:, None], y=np.zeros(len(places)))
    mean = model.predictive(where).mean
    shown, seconds = f"max_depth={DEEPEST}", told["seconds"]
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
        return row | {"ahead": _rms(ahead - split.test_y)}
    unit = function.span / 100.0
    row |= {"inside": _rms((at_rows - function.formula(x)) / unit), "ahead": _rms((ahead - split.test_y) / unit)}
    greatest = np.max(np.abs(on_grid - function.formula(function.grid))) / unit
    terms = None if method == PEER else int(found.formula is not None and has_terms_of(found.formula, function.formula))
    return row | {"greatest": f"{greatest:.6g}", "terms": terms}


def _rms(misses: Array) -> str:
    return f"{np.sqrt(np.mean(misses**2)):.6g}"


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


BENCH = Bench(
    file="equations.csv", case=("set", "method", "seed"), columns=COLUMNS, run=run,
    options={"method": tuple(METHODS), "set": (*FUNCTIONS, *SERIES), "seed": (0,)},
    code=lambda case: version_by(PEER) if case["method"] == PEER else code_version(),
    wanted=lambda case: case["method"] != "default" or case["set"] in FUNCTIONS,
)  # fmt: skip

if __name__ == "__main__":
    command(__doc__, BENCH)
