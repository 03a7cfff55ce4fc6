"""The data whose searches, forecasts and claims are recorded: made tables of every kind, and the bundled examples."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

__all__ = ["KINDS", "Case", "cases"]

# Generators with known truth, which the benchmark on words has too.
sys.path.append(str(Path(__file__).resolve().parents[2] / "benchmarks"))
from truth_makers import TABLES
from truth_series import SERIES

KINDS = {"series": 200, "tables": 60, "classes": 20, "counts": 20, "panels": 20, "long": 12}
FIRST_DRAW = 5000  # those below are the benchmark's
MOST_ROWS = 250  # of a short series, and of a table
RECORDED = {"table:": 14, "classes:": 4}  # generators; those that the benchmark has got since come after them
EXAMPLES = ("airline", "el-nino", "mauna-loa", "nile", "sunspots")
LONG = ((300, "MS", 12.0), (400, "D", 7.0), (420, "MS", 12.0), (500, "D", 7.0), (600, "h", 24.0), (800, "D", 7.0),
        (1000, "D", 7.0))  # fmt: skip


@dataclass(frozen=True, eq=False)
class Case:
    """A table and the options by which it is modelled."""

    name: str
    frame: pd.DataFrame
    options: tuple[str, ...] = ()


def cases(kind: str) -> Iterator[Case]:
    """All recorded cases of a kind, in their order."""
    return islice(_MAKERS[kind](), KINDS[kind])


def _generator(*key: int) -> np.random.Generator:
    return np.random.default_rng([FIRST_DRAW, *key])


def _drawn(makers: dict[str, Callable[[np.random.Generator], Any]]) -> Iterator[tuple[str, Any]]:
    """A first draw of each generator, a second of each, and so on, without the large ones."""
    small = [name for name in makers if "thousand" not in name]
    for draw in range(1000):
        for number, name in enumerate(small):
            yield f"{name} {draw}", makers[name](_generator(number, draw))


def _series() -> Iterator[Case]:
    every = ((name, pd.DataFrame(made.columns)) for name, made in _drawn(SERIES))
    return (Case(name, frame) for name, frame in every if len(frame) <= MOST_ROWS)


def _tables_of(start: str) -> Iterator[Case]:
    small = [name for name in TABLES if name.startswith(start) and "thousand" not in name]
    makers = {name: TABLES[name] for name in small[: RECORDED[start]]}
    every = ((name, pd.DataFrame(made.table)) for name, made in _drawn(makers))
    return (Case(name, frame, ("--target", "y")) for name, frame in every if len(frame) <= MOST_ROWS)


def _counts() -> Iterator[Case]:
    """Poisson counts and wider ones, about a level that rises, has a season, or stays."""
    for draw in range(1000):
        rng, n = _generator(draw), 36 + 12 * (draw % 4)
        row = np.arange(n)
        rate = np.exp(0.5 + 0.4 * (draw % 5) + 0.01 * (draw % 3) * row + 0.5 * (draw % 2) * np.sin(row * np.pi / 6.0))
        spread = rng.gamma(2.0, 0.5, n) if draw % 4 == 3 else 1.0
        dates = pd.date_range("2015-01", periods=n, freq="MS").strftime("%Y-%m-%d")
        frame = pd.DataFrame({"month": dates, "cases": rng.poisson(rate * spread)})
        yield Case(f"counts {draw}", frame, ("--likelihood", "negative-binomial" if draw % 4 == 3 else "poisson"))


def _panels() -> Iterator[Case]:
    """Four shops of monthly sales: some share a season, some grow, one is noise."""
    for draw in range(1000):
        rng, n = _generator(draw), 24 + 12 * (draw % 3)
        dates = pd.date_range("2019-01", periods=n, freq="MS").strftime("%Y-%m-%d")
        season = 10.0 * np.sin(np.arange(n) * np.pi / 6.0 + draw)
        levels = {
            "north": 100.0 + season, "south": 80.0 + season + 0.5 * np.arange(n), "east": 50.0 + np.zeros(n),
            "west": 60.0 * np.exp(0.02 * np.arange(n)),
        }  # fmt: skip
        parts = [
            pd.DataFrame({"shop": name, "month": dates, "sales": level + rng.normal(0.0, 3.0, n)})
            for name, level in levels.items()
        ]
        yield Case(f"panel {draw}", pd.concat(parts, ignore_index=True), ("--id", "shop"))


def _long() -> Iterator[Case]:
    """The bundled examples, and series of three hundred to a thousand rows."""
    examples = Path(__file__).resolve().parents[2] / "src" / "autostatistician" / "data" / "examples"
    for name in EXAMPLES:
        yield Case(name, pd.read_csv(examples / f"{name}.csv", comment="#"))
    for number, (n, step, period) in enumerate(LONG):
        rng, row = _generator(number), np.arange(n)
        level = 50.0 + 0.02 * row + 8.0 * np.sin(2.0 * np.pi * row / period) + np.cumsum(rng.normal(0.0, 0.3, n))
        dates = pd.date_range("2010-01-01", periods=n, freq=step).astype(str)
        yield Case(f"{n} rows", pd.DataFrame({"time": dates, "value": level + rng.normal(0.0, 2.0, n)}))


_MAKERS: dict[str, Callable[[], Iterator[Case]]] = {
    "series": _series,
    "tables": lambda: _tables_of("table:"),
    "classes": lambda: _tables_of("classes:"),
    "counts": _counts,
    "panels": _panels,
    "long": _long,
}
