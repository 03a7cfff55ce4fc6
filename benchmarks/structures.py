"""Whether a search finds one structure that no single step of its grammar leads to, and none where there is noise.

Ten kinds of 130 to 250 rows without a calendar, beside white noise of one size: two cycles of nearly the same length
("near"); a cycle that is silent in a window, that begins or ends midway ("window", "begins", "lost"), whose every
other turn is higher ("doubled"), that gives way to a longer one ("gives way"), that is weaker than the noise ("weak"),
or that jumps by half a turn ("phase"); and a cycle whose noise, or whose level, is another from a place on ("noise",
"step"). ``found`` says whether the periods of the model that is told, and the places of its changes, are the true ones.
Of white noise, and of noise that remembers ("white", "red"), it says whether no cycle or change is told.

About 5 minutes of one core.

Usage: python benchmarks/structures.py [--kind near window] [--seed 0 1 2]
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.signal import lfilter

import common
from autostatistician.data.load import load
from autostatistician.kernels.kernel import Kernel, parameters
from common import Array, Bench, Row

TABLE = "structures.csv"
DRAWS, DRAWS_OF_NOISE = 4, 20  # of every kind
NEAR_PERIOD = 0.04  # relative error up to which a period is the true one
NEAR_PLACE = 0.4  # periods, or so many rows where these are more, up to which a change is at the true place
LEAST_ROWS = 8.0
MEMORY = 0.5  # of red noise from row to row


class Made(NamedTuple):
    """Values (n,), the periods in them, and the rows at which something changes."""

    values: Array
    periods: tuple[float, ...] = ()
    places: tuple[float, ...] = ()


class Parts(NamedTuple):
    """What series are made of: rows (n,), noise (n,), a period, a cycle (n,) of it, and the row where it changes."""

    t: Array
    noise: Array
    period: float
    wave: Array
    at: float
    rng: np.random.Generator

    def cycle(self, period: float, size: float) -> Array:
        """Another cycle (n,)."""
        return size * np.sin(2.0 * np.pi * (self.t / period + self.rng.uniform()))


def _near(of: Parts) -> Made:
    other = of.rng.uniform(1.12, 1.25) * of.period
    return Made(of.wave + of.cycle(other, 2.5) + of.noise, (of.period, other))


def _window(of: Parts) -> Made:
    last = of.at + of.rng.uniform(0.2, 0.3) * len(of.t)
    return Made(of.wave * ((of.t < of.at) | (of.t >= last)) + of.noise, (of.period,), (of.at, last))


def _begins(of: Parts) -> Made:
    return Made(of.wave * (of.t >= of.at) + of.noise, (of.period,), (of.at,))


def _lost(of: Parts) -> Made:
    return Made(of.wave * (of.t < of.at) + of.noise, (of.period,), (of.at,))


def _doubled(of: Parts) -> Made:
    turns = of.wave + np.sin(np.pi * of.t / of.period)
    return Made(turns + 0.15 * np.cumsum(of.rng.normal(0.0, 1.0, len(of.t))) + of.noise, (2.0 * of.period,))


def _gives_way(of: Parts) -> Made:
    longer = of.rng.uniform(1.4, 1.7) * of.period
    return Made(np.where(of.t < of.at, of.wave, of.cycle(longer, 3.0)) + of.noise, (of.period, longer), (of.at,))


def _weak(of: Parts) -> Made:
    return Made(0.25 * of.wave + 0.1 * np.cumsum(of.rng.normal(0.0, 1.0, len(of.t))) + of.noise, (of.period,))


def _phase(of: Parts) -> Made:
    return Made(of.wave * np.where(of.t < of.at, 1.0, -1.0) + of.noise, (of.period,), (of.at,))


def _noise(of: Parts) -> Made:
    return Made(of.wave + of.noise * np.where(of.t < of.at, 1.0, 3.0), (of.period,), (of.at,))


def _step(of: Parts) -> Made:
    return Made(of.wave + 3.0 * (of.t >= of.at) + of.noise, (of.period,), (of.at,))


MAKERS: dict[str, Callable[[Parts], Made]] = {
    "near": _near, "window": _window, "begins": _begins, "lost": _lost, "doubled": _doubled, "gives way": _gives_way,
    "weak": _weak, "phase": _phase, "noise": _noise, "step": _step,
    "white": lambda of: Made(of.noise), "red": lambda of: Made(lfilter([1.0], [1.0, -MEMORY], of.noise)),
}  # fmt: skip
WITHOUT = ("white", "red")


def made(kind: str, number: int, seed: int) -> Made:
    """A series of a kind."""
    rng = np.random.default_rng([seed, number, list(MAKERS).index(kind)])
    n = int(rng.integers(130, 251))
    t, period, at = np.arange(float(n)), rng.uniform(8.0, 15.0), float(rng.integers(int(0.3 * n), int(0.6 * n)))
    wave = 3.0 * np.sin(2.0 * np.pi * (t / period + rng.uniform()))
    return MAKERS[kind](Parts(t, rng.normal(0.0, 1.0, n), period, wave, at, rng))


def periods_of(kernel: Kernel) -> list[float]:
    """The periods of a kernel."""
    named = zip(parameters(kernel.expr), kernel.values, strict=True)
    return [value for parameter, value in named if parameter.name == "period"]


def places_of(kernel: Kernel) -> Iterator[float]:
    """Where a kernel changes: of windows their beginning and their end."""
    own: dict[object, dict[str, float]] = {}
    for parameter, value in zip(parameters(kernel.expr), kernel.values, strict=True):
        own.setdefault(parameter.path, {})[parameter.name] = value
    for values in own.values():
        if "steepness" in values:
            half = 0.5 * values.get("width", 0.0)
            yield from {values["location"] - half, values["location"] + half}


def is_found(series: Made, kernel: Kernel) -> bool:
    """Whether a kernel has the periods and the changes of a series; of noise, whether it has none."""
    periods, places = periods_of(kernel), list(places_of(kernel))
    if not series.periods:
        return not periods and not places
    slack = max(LEAST_ROWS, NEAR_PLACE * series.periods[0])
    return all(_is_among(period, periods, NEAR_PERIOD * period) for period in series.periods) and all(
        _is_among(place, places, slack) for place in series.places
    )


def _is_among(value: float, others: Sequence[float], slack: float) -> bool:
    return any(abs(value - other) <= slack for other in others)


def run(case: Row, _: argparse.Namespace) -> Row:
    """One search."""
    series = made(case["kind"], case["number"], case["seed"])
    n = len(series.values)
    data = load(np.arange(float(n))[:, None], series.values, name=case["kind"], axis="raw")
    estimator, row = common.fitted(data, common.DEFAULT_LANGUAGE, 0, {})
    return row | {"n": n, "found": int(is_found(series, estimator.model_.kernel))}


def summary(rows: Sequence[Row]) -> Iterator[str]:
    """What was found of every kind, and the time that it took."""
    for kind in MAKERS:
        some = [row for row in rows if row["kind"] == kind]
        found, seconds = (sum(float(row[name]) for row in some) for name in ("found", "seconds"))
        yield f"{kind:10} {found:3.0f} of {len(some):2}  {seconds:6.1f} s of the processor"
    there = [float(row["found"]) for row in rows if row["kind"] not in WITHOUT]
    told = [1.0 - float(row["found"]) for row in rows if row["kind"] in WITHOUT]
    yield f"found {sum(there):.0f} of {len(there)}; told of noise {sum(told):.0f} of {len(told)}"


BENCH = Bench(
    file=TABLE, case=("kind", "number", "seed"), columns=("code", "n", "found", "seconds", "evaluations", "expression"),
    run=run, options={"kind": tuple(MAKERS), "number": tuple(range(DRAWS_OF_NOISE)), "seed": (0,)},
    wanted=lambda case: case["number"] < (DRAWS_OF_NOISE if case["kind"] in WITHOUT else DRAWS),
)  # fmt: skip

if __name__ == "__main__":
    folder = Path(sys.argv[sys.argv.index("--results") + 1]) if "--results" in sys.argv else common.RESULTS
    try:
        common.command(__doc__, BENCH)
    finally:
        print(
            *summary([row for row in common.read_rows(folder / TABLE) if row["code"] == common.code_version()]),
            sep="\n",
        )
