"""What maps of the target whose shape is learned gain beside the data as they are and their logarithm.

`simulated`: series whose target is a map of a trend, a cycle and noise, every fifth row held out; each map that can
be asked for is fitted. `learning`: the official test sets of the half of the corpus that settings are learned from,
forecast with "auto" and with "learned". A shape is taken there whenever it is more probable at all, so that rows show
what a margin would do; the package holds the margin (`search/constants.py`). `tables`: a tenth of the rows of a table
held out, within a budget of seconds. Log scores are mean log densities in the units of the data (higher is better; no
lower than -20 for a value), coverage is that of 95 % ranges. Written to `results/warps-PART.csv`.

Usage: python benchmarks/warps.py simulated [--each 4]
       python benchmarks/warps.py learning [--each 12]
       python benchmarks/warps.py tables [--budget 20]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from autostatistician import AutomaticStatistician, TargetOptions
from autostatistician.errors import InputError
from autostatistician.search.before import transforms
from common import DATA, RESULTS, code_version
from corpus import spread
from corpus_scores import LEVELS, scored
from corpus_series import KINDS, Array, Series, learning, task_name

Row = dict[str, Any]

WAYS = ("none", "log", "auto", "box-cox", "sinh-arcsinh", "learned")
LEAST = -20.0  # of a log density
ROWS, HELD_OUT = 100, 5  # of a simulated series; one of so many is held out
TABLES = ("concrete", "housing", "servo")
MARGINS = (0.0, 2.0, 4.0, 6.0, 10.0, 20.0)
TARGETS: dict[str, Callable[[Array], Array]] = {
    "normal": lambda g: 50.0 + 10.0 * g,
    "square": lambda g: (4.0 + g) ** 2,
    "log-normal": lambda g: np.exp(3.0 + 0.5 * g),
    "reciprocal": lambda g: 100.0 / np.maximum(4.0 + 0.8 * g, 0.5),
    "either sign, skewed": lambda g: np.sinh(1.3 * np.arcsinh(g) + 0.6),
}


def simulated(name: str, seed: int) -> tuple[pd.DataFrame, Array]:
    """Months and values (n,) of a series; "skewed noise" has its noise from a gamma law, and no map."""
    rng = np.random.default_rng([seed, *name.encode()])
    steps = np.arange(ROWS)
    cycle = np.sin(2.0 * np.pi * steps / 12.0 + rng.uniform(0.0, 6.0))
    function = 0.15 * np.cumsum(rng.normal(size=ROWS)) + 0.8 * cycle
    dates = pd.DataFrame({"date": pd.date_range("2010-01-01", periods=ROWS, freq="MS")})
    if name == "skewed noise":
        return dates, 50.0 + 10.0 * (function + 0.5 * (rng.gamma(1.5, size=ROWS) - 1.5))
    g = function + 0.4 * rng.normal(size=ROWS)
    return dates, TARGETS[name]((g - g.mean()) / g.std())


def measured(model: AutomaticStatistician, X: pd.DataFrame, y: Array) -> Row:
    """The log score, the mean absolute error of medians and the coverage of held-out rows."""
    made = model.predictive(X)
    low, median, high = made.quantiles((0.025, 0.5, 0.975)).T
    return {
        "log_score": float(np.mean(np.maximum(made.log_density(y), LEAST))),
        "error": float(np.mean(np.abs(median - y))),
        "coverage": float(np.mean((low <= y) & (y <= high))),
    }


def fitted(way: str, X: pd.DataFrame, y: Array, budget: float | None = None) -> tuple[AutomaticStatistician, float]:
    """A model with this map, and the seconds of its process."""
    began = time.process_time()
    target = TargetOptions(way, outliers="keep")
    model = AutomaticStatistician(n_jobs=1, time_budget=budget, target_options=target).fit(X, y)
    return model, time.process_time() - began


def on_simulated(each: int) -> Iterator[Row]:
    """One row for every target, seed and map."""
    for name, seed in product((*TARGETS, "skewed noise"), range(each)):
        X, y = simulated(name, seed)
        out = np.arange(len(y)) % HELD_OUT == HELD_OUT - 1
        for way in WAYS:
            try:
                model, seconds = fitted(way, X[~out].reset_index(drop=True), y[~out])
            except InputError:  # there is no such map of values below zero
                continue
            scores = measured(model, X[out].reset_index(drop=True), y[out])
            yield {"target": name, "seed": seed, "way": way, "map": model.transform_.name, **scores, "seconds": seconds}


def on_learning(each: int, most_rows: int = 180) -> Iterator[Row]:
    """One row for every series of the corpus, and its losses with "auto" and "learned"."""
    transforms.MARGIN_FOR_SHAPE = 0.0
    for kind, dataset in product(KINDS, ("M1", "Tourism")):
        every = [series for series in learning(kind, dataset) if len(series.values) <= most_rows]
        for series in spread(every, each):
            yield from _on_series(series)


def _on_series(series: Series) -> Iterator[Row]:
    n = len(series.values)
    frame = pd.DataFrame({"date": series.dates})
    known, ahead = frame[:n], frame[n:].reset_index(drop=True)
    model, seconds = fitted("learned", known, series.values)
    choice = model.model_.choice
    shape = None if choice.transform.warp is None else choice.transform.warp.numbers
    ways = {"learned": (model, seconds), "auto": (model, seconds)}
    if shape is not None:
        ways["auto"] = fitted("auto", known, series.values)
    for way, (found, spent) in ways.items():
        losses = scored(series, found.predictive(ahead).quantiles(LEVELS))
        yield {
            "task": task_name(series.dataset, series.kind), "series": series.name, "way": way,
            "map": found.transform_.name, "shape": "" if shape is None else " ".join(f"{value:.2f}" for value in shape),
            "gain": choice.gain if shape is not None else 0.0,
            "log_score": measured(found, ahead, series.future)["log_score"],
            "mase": losses["mase"], "sql": losses["sql"], "msis": losses["msis"], "coverage": losses["coverage"],
            "seconds": spent,
        }  # fmt: skip


def on_tables(budget: float) -> Iterator[Row]:
    """One row for every table and map that can be asked for."""
    for name in TABLES:
        table = pd.read_csv(DATA / "regression" / f"{name}.csv").sample(frac=1.0, random_state=0, ignore_index=True)
        X, y, cut = table.iloc[:, :-1], table.iloc[:, -1].to_numpy(dtype=float), len(table) // 10
        for way in ("none", "log", "box-cox", "sinh-arcsinh"):
            model, seconds = fitted(way, X[cut:].reset_index(drop=True), y[cut:], budget)
            scores = measured(model, X[:cut], y[:cut])
            yield {"target": name, "seed": 0, "way": way, "map": model.transform_.name, **scores, "seconds": seconds}


def by_margin(rows: pd.DataFrame) -> pd.DataFrame:
    """What "learned" gains over "auto" on the corpus where a shape has to win by so much."""
    wide = rows.set_index(["task", "series", "way"]).unstack("way")
    gain, made = wide["gain"]["learned"], []
    for margin in MARGINS:
        taken = gain > margin
        change = {"log_score": float((wide["log_score"]["learned"] - wide["log_score"]["auto"])[taken].mean())}
        for name in ("mase", "sql", "msis"):
            ratios = np.log(wide[name]["learned"] / wide[name]["auto"])[taken]
            change[name] = float(np.exp(ratios.mean()))
        covered = {way: float(wide["coverage"][way][taken].mean()) for way in ("auto", "learned")}
        made.append({"margin": margin, "shapes": int(taken.sum()), "series": len(wide), **change, **covered})
    return pd.DataFrame(made).round(3)


def main() -> None:
    """Fit, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=("simulated", "learning", "tables"))
    parser.add_argument("--each", type=int, default=None, help="seeds of a target, or series of a task")
    parser.add_argument("--budget", type=float, default=20.0, help="seconds of a search of a table")
    given = parser.parse_args()
    if given.part == "learning":
        rows = pd.DataFrame(on_learning(given.each or 12))
        print(by_margin(rows).to_string())
    else:
        rows = pd.DataFrame(on_tables(given.budget) if given.part == "tables" else on_simulated(given.each or 4))
        print(rows.groupby(["target", "way"], sort=False).mean(numeric_only=True).round(3).to_string())
    rows.round(4).assign(code=code_version()).to_csv(RESULTS / f"warps-{given.part}.csv", index=False)


if __name__ == "__main__":
    main()
