"""How often the 95 % ranges that a report states hold the truth, on simulated data whose truth is known.

Every set is drawn anew and its model fitted with the structure that made it, so that the ranges alone are tested, not
the search. The ranges are those of the facts that sentences are made from. Lines, effects and steps stand beside
what least squares say of the same data.

About 4 minutes of one core.

Usage: python benchmarks/ranges.py [--kind line] [--set 0 1 2]
"""

import argparse
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import t as student

from autostatistician.claims.claim import told
from autostatistician.claims.kinds import Kind
from autostatistician.data.dataset import Dataset, in_order
from autostatistician.data.times.axes import plain_axis
from autostatistician.data.transform import modelled, transform_of
from autostatistician.decompose.records.series import Decomposition, Fitted
from autostatistician.decompose.records.table import TableDecomposition
from autostatistician.decompose.series.decomposition import decompose
from autostatistician.decompose.table.decomposition import decompose_table
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.part import ChangeSteepness, ConstantLevel, LinearTrend
from autostatistician.describe.observe.series.parts import component_facts
from autostatistician.describe.observe.table.effects import effect_claims
from autostatistician.gp.engines.choice import condition
from autostatistician.gp.fitting import fit
from autostatistician.gp.problem import Problem
from autostatistician.kernels.kernel import Kernel, leaf
from autostatistician.search.starting.standardisation import standard
from common import Array, Bench, Row, command

COLUMNS = ("truth", "number", "low", "high", "squares_low", "squares_high", "code")


class Told(NamedTuple):
    """One stated range: what of, the truth, the number, the range, and that of least squares where there is one."""

    what: str
    truth: float
    number: float
    span: tuple[float, float]
    squares: tuple[float, float] | None = None


# --- what is common to all kinds ------------------------------------------------------------------------------------


def _dataset(X: Array, y: Array, levels: dict[str, tuple[str, ...]] | None = None) -> Dataset:
    if X.ndim == 1:
        return Dataset(X[:, None], y, ("x",), "y", plain_axis("x", X))
    names = tuple("abc"[: X.shape[1]])
    return Dataset(X, y, names, "y", None, levels=levels or {})


def _fitted(start: Kernel, data: Dataset) -> Kernel:
    """The model with fitted numbers, in the units of the data."""
    maps, problem, scales = standard(data)
    return maps.to_data(fit(maps.to_standard(start), problem, scales).kernel)


def _series(start: Kernel, x: Array, y: Array, log: bool = False) -> Decomposition:
    transform = transform_of("log" if log else "none", y)
    data = in_order(modelled(_dataset(x, y), transform))
    kernel = _fitted(start, data)
    posterior = condition(kernel, Problem.of(data))
    return decompose(
        posterior, data, fitted=Fitted(kernel, 0.0, 0.0, 1, 0.0, 1), horizon=1, grid_points=10,
        transform=transform,
    )  # fmt: skip


def _table(start: Kernel, data: Dataset) -> TableDecomposition:
    kernel = _fitted(start, data)
    return decompose_table(condition(kernel, Problem.of(data)), data, fitted=Fitted(kernel, 0.0, 0.0, 1, 0.0, 1))


def _facts(found: Decomposition, kind: type[Fact]) -> Iterator[tuple[str, Any]]:
    """The facts of one kind that have a range, with the expression of their part."""
    for part in found.components:
        for fact in component_facts(part, found):
            if isinstance(fact, kind):
                yield str(part.kernel), fact


def _squares(columns: list[Array], y: Array, index: int) -> tuple[float, float]:
    """The 95 % range of one coefficient by least squares."""
    H = np.column_stack(columns)
    found, residual, *_ = np.linalg.lstsq(H, y, rcond=None)
    free = len(y) - H.shape[1]
    sd = float(np.sqrt(residual[0] / free * np.linalg.inv(H.T @ H)[index, index]))
    half = float(student.ppf(0.975, free)) * sd
    return float(found[index]) - half, float(found[index]) + half


# --- the kinds ------------------------------------------------------------------------------------------------------


def _line(rng: np.random.Generator) -> Iterator[Told]:
    """Rows from few to many, slopes of three to twenty of their own errors, levels from none to ten rises."""
    n, slope = int(rng.integers(12, 80)), float(rng.normal())
    x = np.arange(float(n))
    sd = abs(slope) * np.sqrt(np.sum((x - x.mean()) ** 2)) / rng.uniform(3.0, 20.0)
    y = rng.uniform(-10.0, 10.0) * slope * n + slope * x + sd * rng.standard_normal(n)
    middle = float(x.mean() - y.mean() / np.polyfit(x, y, 1)[0])
    found = _series(leaf("Lin", sd=abs(slope), location=middle) + leaf("WN", sd=sd), x, y)
    for _, fact in _facts(found, LinearTrend):
        yield Told("slope", slope, fact.number, fact.interval, _squares([np.ones(n), x], y, 1))


def _growth(rng: np.random.Generator) -> Iterator[Told]:
    n, rate = int(rng.integers(15, 60)), rng.uniform(0.02, 0.2)
    x = np.arange(float(n))
    sd = rate * np.sqrt(np.sum((x - x.mean()) ** 2)) / rng.uniform(5.0, 40.0)
    logs = rng.uniform(0.0, 8.0) + rate * x + sd * rng.standard_normal(n)
    start = leaf("Lin", sd=rate, location=-0.5 * n) + leaf("WN", sd=sd)
    for _, fact in _facts(_series(start, x, np.exp(logs), log=True), LinearTrend):
        yield Told("rate", rate, fact.number, fact.interval, _squares([np.ones(n), x], logs, 1))


def _step(rng: np.random.Generator) -> Iterator[Told]:
    n, sd = int(rng.integers(40, 90)), 1.0
    x, place = np.arange(float(n)), rng.uniform(0.3, 0.7) * n
    before, after = rng.uniform(3.0, 9.0), rng.uniform(12.0, 18.0)
    y = np.where(x < place, before, after) + sd * rng.standard_normal(n)
    start = Kernel.change_point(leaf("C", sd=before), leaf("C", sd=after), place, 3.0) + leaf("WN", sd=sd)
    yield from _changed(_series(start, x, y), place, before, after)


def _gradual(rng: np.random.Generator) -> Iterator[Told]:
    n, sd = int(rng.integers(60, 110)), 1.0
    x, place = np.arange(float(n)), rng.uniform(0.35, 0.65) * n
    steepness = rng.uniform(12.0, 30.0) / n
    before, after = rng.uniform(3.0, 7.0), rng.uniform(9.0, 14.0)
    share = 0.5 + 0.5 * np.tanh(steepness * (x - place))
    y = before * (1.0 - share) + after * share + sd * rng.standard_normal(n)
    start = Kernel.change_point(leaf("C", sd=before), leaf("C", sd=after), place, steepness) + leaf("WN", sd=sd)
    yield from _changed(_series(start, x, y), place, before, after)


def _changed(found: Decomposition, place: float, before: float, after: float) -> Iterator[Told]:
    for part, fact in _facts(found, ConstantLevel):
        first = part == "CP(C, 0)"
        yield Told("level before" if first else "level after", before if first else after, fact.number, fact.interval)
    _, fact = next(_facts(found, ChangeSteepness))
    if fact.location_interval is not None:
        yield Told("place", place, fact.location, fact.location_interval)


def _level(rng: np.random.Generator) -> Iterator[Told]:
    """A level under autoregressive deviations and noise."""
    n, memory = int(rng.integers(60, 150)), rng.uniform(1.5, 6.0)
    x, level = np.arange(float(n)), rng.uniform(5.0, 20.0)
    wander = np.zeros(n)
    for row in range(n):
        before = wander[row - 1] if row else rng.standard_normal() / np.sqrt(1.0 - np.exp(-2.0 / memory))
        wander[row] = np.exp(-1.0 / memory) * before + np.sqrt(1.0 - np.exp(-2.0 / memory)) * rng.standard_normal()
    y = level + wander + 0.3 * rng.standard_normal(n)
    start = leaf("C", sd=level) + leaf("Matern12", lengthscale=memory, sd=1.0) + leaf("WN", sd=0.3)
    for _, fact in _facts(_series(start, x, y), ConstantLevel):
        yield Told("level", level, fact.number, fact.interval)


def _effects(rng: np.random.Generator, straight: bool) -> Iterator[Told]:
    """The effect of a column from its lowest to its highest value, and the difference of two groups."""
    n, slope, apart, sd = int(rng.integers(30, 100)), rng.uniform(1.0, 4.0), rng.uniform(1.0, 3.0), 1.0
    X = np.column_stack([rng.uniform(0.0, 3.0, n), rng.permutation(n) % 2])
    y = rng.uniform(5.0, 50.0) + slope * X[:, 0] + apart * X[:, 1] + sd * rng.standard_normal(n)
    own = leaf("Lin", "a", sd=slope, location=1.5) if straight else leaf("SE", "a", lengthscale=3.0, sd=slope)
    start = own + leaf("C", sd=20.0) + leaf("Cat", "b", contrast=1.0, sd=1.0) + leaf("WN", sd=sd)
    data = _dataset(X, y, {"b": ("first", "second")})
    found = _table(start, data)
    reach = float(np.ptp(X[:, 0]))
    for index, (name, truth, scale) in enumerate((("a", slope * reach, reach), ("b", apart, 1.0)), 1):
        low, high = _squares([np.ones(n), X[:, 0], X[:, 1]], y, index)
        (effect,) = (one for one in found.effects if one.columns == (name,))
        (course,) = told(effect_claims(effect, found), Kind.COURSE)
        what = "difference of groups" if name == "b" else "effect of a column"
        change = course.more["change"]
        yield Told(what, truth, change.value, change.interval, (scale * low, scale * high))


KINDS: dict[str, Callable[[np.random.Generator], Iterator[Told]]] = {
    "line": _line,
    "growth": _growth,
    "step": _step,
    "gradual change": _gradual,
    "level with memory": _level,
    "table, straight": lambda rng: _effects(rng, straight=True),
    "table, smooth": lambda rng: _effects(rng, straight=False),
}


# --- the command ----------------------------------------------------------------------------------------------------


def run(case: Row, _: argparse.Namespace) -> list[Row]:
    """What is told of one set, beside the truth."""
    place = list(KINDS).index(case["kind"])
    return [_row(told) for told in KINDS[case["kind"]](np.random.default_rng([place, case["set"]]))]


def _row(told: Told) -> Row:
    low, high = told.squares or ("", "")
    numbers = {"truth": told.truth, "number": told.number, "low": told.span[0], "high": told.span[1]}
    every = {**numbers, "squares_low": low, "squares_high": high}
    return {"what": told.what, **{name: f"{value:.6g}" if value != "" else "" for name, value in every.items()}}


def summary(rows: list[Row]) -> list[Row]:
    """For every kind and number: how many ranges held the truth, and how wide they were against least squares."""
    every = defaultdict[tuple[str, str], list[Row]](list)
    for row in rows:
        every[row["kind"], row["what"]].append(row)
    for row in rows:
        every["all", ""].append(row)
    return [
        {
            "kind": kind,
            "what": what,
            "ranges": len(found),
            "held": f"{np.mean([held(row) for row in found]):.3f}",
            "least squares held": _mean(np.mean, [held(row, "squares_") for row in beside]),
            "width / theirs": _mean(np.median, [_width(row) / _width(row, "squares_") for row in beside]),
        }
        for (kind, what), found in every.items()
        for beside in ([row for row in found if row["squares_low"]],)
    ]


def held(row: Row, whose: str = "") -> bool:
    """Whether a range holds the truth."""
    return float(row[f"{whose}low"]) <= float(row["truth"]) <= float(row[f"{whose}high"])


def _width(row: Row, whose: str = "") -> float:
    return float(row[f"{whose}high"]) - float(row[f"{whose}low"])


def _mean(of: Callable[[list[Any]], Any], values: list[Any]) -> str:
    return f"{of(values):.3f}" if values else ""


BENCH = Bench(
    file="ranges.csv", case=("kind", "set", "what"), columns=COLUMNS, run=run,
    options={"set": tuple(range(30)), "kind": tuple(KINDS)},
)  # fmt: skip

if __name__ == "__main__":
    command(__doc__, BENCH)
