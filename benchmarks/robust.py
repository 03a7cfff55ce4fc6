"""Gross outliers in made series: whether forecasts stay those of the clean series, and what is told of the outliers.

Series of five kinds with 60 to 200 rows; one row in twenty is off by 6 to 15 standard deviations of what cannot be
foreseen in one step. Each is modelled as it is (``clean``), with outliers of which none is among the last three rows
(``inside``), with one or two of them there (``end``), and with outliers inside and a new level that begins with the
last row, or the last two (``level``). A forecast is the mean of the next twelve rows. ``moved`` is how far it is from
that of the clean series (for ``level``: moved to the new one), in standard deviations of the latter and in per cent of
its level; ``middle_percent`` is the same of the median, which hardly moves as long as odd rows at the end are more
probably outliers than the start of a new level: the mean reckons with both.

About 4 minutes of one core.

Usage: python benchmarks/robust.py [--seed 7000 7001]
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from autostatistician import AutomaticStatistician
from common import Array, Bench, Row, command, processor

COLUMNS = (
    "code", "rows", "outliers", "named", "false", "lasting", "moved_sd", "moved_percent", "middle_percent", "width",
    "coverage95", "crps", "mean", "expression", "seconds",
)  # fmt: skip
KINDS = ("level", "trend", "season", "walk", "exponential")
VARIANTS = ("clean", "inside", "end", "level")
AHEAD, SHARE, SMALLEST, LARGEST = 12, 0.05, 6.0, 15.0
FIRST_SEED = 7000  # of those that judge; none below was used for building
LAST = 3  # rows that are the end


@dataclass(frozen=True, eq=False)
class Made:
    """A series with its next rows, and which of its rows are outliers; what cannot be foreseen has the size ``sd``."""

    y: Array
    future: Array
    sd: float
    out: NDArray[np.bool_]
    moved: float = 0.0  # by a new level


def clean(kind: str, seed: int) -> Made:
    """A series of a kind without outliers."""
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    n = int(rng.integers(60, 201))
    t = np.arange(n + AHEAD, dtype=np.float64)
    level, sd = rng.uniform(50.0, 100.0), rng.uniform(1.0, 4.0)
    noise = rng.normal(0.0, sd, len(t))
    match kind:
        case "level":
            y = level + noise
        case "trend":
            y = level + rng.choice([-1.0, 1.0]) * rng.uniform(0.1, 0.4) * level * t / n + noise
        case "season":
            y = level + rng.uniform(2.0, 5.0) * sd * np.sin(2.0 * np.pi * (t / 12.0 + rng.uniform())) + noise
            y += rng.uniform(-0.3, 0.3) * level * t / n
        case "walk":
            y = level + np.cumsum(0.5 * rng.normal(0.0, sd, len(t))) + 0.8 * noise
        case _:
            y = level * np.exp(rng.uniform(0.5, 1.5) * t / n + noise / level)
            sd = sd / level * y[n - 1]
    return Made(y[:n], y[n:], float(sd), np.zeros(n, dtype=bool))


def spoiled(made: Made, variant: str, kind: str, seed: int) -> Made:
    """The same with outliers, or with these and a new level at its end."""
    if variant == "clean":
        return made
    rng = np.random.default_rng([seed, KINDS.index(kind), VARIANTS.index(variant)])
    n = len(made.y)
    out, y = np.zeros(n, dtype=bool), made.y.copy()
    out[rng.choice(n - LAST, max(2, round(SHARE * n)), replace=False)] = True
    if variant == "end":
        out[n - LAST + rng.choice(LAST, int(rng.integers(1, 3)), replace=False)] = True
    scale = made.sd * (y / y[-1] if kind == "exponential" else np.ones(n))
    y += out * rng.choice([-1.0, 1.0], n) * rng.uniform(SMALLEST, LARGEST, n) * scale
    moved = 0.0
    if variant == "level":
        moved = float(rng.choice([-1.0, 1.0]) * rng.uniform(SMALLEST, LARGEST) * made.sd)
        y[n - int(rng.integers(1, 3)) :] += moved
    return Made(y, made.future + moved, made.sd, out, moved)


def fitted(made: Made) -> tuple[AutomaticStatistician, float]:
    """A model of a series of months, and its seconds."""
    times = pd.DataFrame({"time": pd.date_range("2000-01-01", periods=len(made.y), freq="MS")})
    start = processor()
    return AutomaticStatistician(n_jobs=1).fit(times, made.y), processor() - start


def run(case: Row, _: argparse.Namespace) -> list[Row]:
    """The variants of a series beside each other."""
    kind, before = KINDS[case["seed"] % len(KINDS)], dict[str, Any]()
    return [{"kind": kind, "variant": variant} | _variant(kind, case["seed"], variant, before) for variant in VARIANTS]


def _variant(kind: str, seed: int, variant: str, before: dict[str, Any]) -> Row:
    """One model; ``before`` has the forecast of the clean series, and is given it by that."""
    made = spoiled(clean(kind, seed), variant, kind, seed)
    model, seconds = fitted(made)
    ahead = model.predictive(model.forecast(AHEAD)[["time"]])
    lower, middle, upper = ahead.quantiles((0.025, 0.5, 0.975)).T
    if variant == "clean":
        before |= {"mean": ahead.mean, "middle": middle, "sd": ahead.std, "width": upper - lower}
    moved = np.abs(ahead.mean - before["mean"] - made.moved)
    told = model.outliers_
    rows = {12 * (when.year - 2000) + when.month - 1 for when in pd.to_datetime(told["time"])}
    true = set(np.flatnonzero(made.out).tolist())
    last = {row for row in rows if row >= len(made.y) - LAST}
    return {
        "rows": len(made.y), "outliers": len(true),
        "named": len(rows & true), "false": len(rows - true - (last if variant == "level" else set())),
        "lasting": f"{model.model_.screening.lasting:.3f}", "moved_sd": f"{np.mean(moved / before['sd']):.3f}",
        "moved_percent": f"{_percent(ahead.mean, before['mean'] + made.moved):.3f}",
        "middle_percent": f"{_percent(middle, before['middle'] + made.moved):.3f}",
        "width": f"{np.mean(upper - lower) / np.mean(before['width']):.3f}",
        "coverage95": f"{np.mean((lower <= made.future) & (made.future <= upper)):.3f}",
        "crps": f"{ahead.crps(made.future).mean() / made.sd:.4f}", "mean": f"{ahead.mean.mean():.6g}",
        "expression": str(model.kernel_), "seconds": f"{seconds:.1f}",
    }  # fmt: skip


def _percent(forecast: Array, clean: Array) -> float:
    """How far a forecast is from another, in per cent of the latter's level."""
    return float(100.0 * np.abs(forecast - clean).mean() / np.abs(clean).mean())


def summary(rows: Sequence[Row]) -> list[Row]:
    """By variant: how far forecasts moved, shares of outliers named, false names for a series, coverage, CRPS."""
    found: list[Row] = []
    for variant in VARIANTS:
        mine = [row for row in rows if row["variant"] == variant]
        if mine:
            names = ("outliers", "named", "false", "moved_percent", "coverage95", "crps")
            column = {name: np.array([float(row[name]) for row in mine]) for name in names}
            out = column["outliers"].sum()
            found.append({
                "variant": variant, "series": len(mine),
                "moved by less than 5 %": f"{np.mean(column['moved_percent'] < 5.0):.3f}",
                "moved %": f"{np.mean(column['moved_percent']):.2f}",
                "named": f"{column['named'].sum() / out:.3f}" if out else "-",
                "falsely named": f"{column['false'].mean():.2f}",
                "coverage": f"{column['coverage95'].mean():.3f}", "CRPS": f"{column['crps'].mean():.3f}",
            })  # fmt: skip
    return found


BENCH = Bench(
    file="robust.csv", case=("seed", "kind", "variant"), columns=COLUMNS, run=run,
    options={"seed": tuple(range(FIRST_SEED, FIRST_SEED + 20))},
)  # fmt: skip

if __name__ == "__main__":
    command(__doc__, BENCH)
