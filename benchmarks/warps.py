"""What maps of the target whose shape is learned gain beside the data as they are and their logarithm.

`maps`: the map that "learned" takes of series whose target is a map of a trend, a cycle and noise. `simulated`: the
same, every fifth row held out; each map that can be asked for is fitted. `learning`: the official test sets of the half
of the corpus that settings are learned from, forecast with "auto" and with "learned". A shape is taken there whenever
it is more probable at all, so that rows show what a margin would do; the package's stands in `search/constants.py`.
`choosing`: the same with the margin of the package on the fifth of M3 that settings are compared on. `tables`: a tenth
of the rows of a table held out, within a budget of seconds. Log scores are mean log densities in the units of the data
(higher is better; no lower than -20 for a value), coverage is that of 95 % ranges. Written to `results/warps-PART.csv`.

The rule for `choosing`, written before it was run for the first time: learned maps become the default if, over all of
its series (those without such a map count as no change), the mean change of the log score is not below zero and the
mean change of the logarithm of the scaled quantile loss is not above zero, each told with its standard error, and the
time of the process is at most `MOST_TIME` as long on the series that are fitted both ways.

Usage: python benchmarks/warps.py maps [--each 30]
       python benchmarks/warps.py simulated [--each 4] [--ways auto learned]
       python benchmarks/warps.py learning [--each 12]
       python benchmarks/warps.py choosing [--each 200]
       python benchmarks/warps.py tables [--budget 20]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from autostatistician import AutomaticStatistician, TargetOptions
from autostatistician.data.load import load
from autostatistician.errors import InputError
from autostatistician.language.languages import LANGUAGES
from autostatistician.search.before import Choice, chosen_likelihood, transforms
from autostatistician.search.settings import Settings
from common import DATA, RESULTS, code_version
from corpus import spread
from corpus_scores import LEVELS, scored
from corpus_series import KINDS, Array, Series, choosing, learning, task_name

Row = dict[str, Any]

WAYS = ("none", "log", "auto", "box-cox", "sinh-arcsinh", "learned")
LEAST = -20.0  # of a log density
ROWS, HELD_OUT = 100, 5  # of a simulated series; one of so many is held out
TABLES = ("concrete", "housing", "servo")
MOST_TIME, TIMED = 1.1, 8  # of the time with "auto"; series of a kind that are fitted both ways in any case
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


def on_simulated(each: int, ways: Sequence[str]) -> Iterator[Row]:
    """One row for every target, seed and map."""
    for name, seed in product((*TARGETS, "skewed noise"), range(each)):
        X, y = simulated(name, seed)
        out = np.arange(len(y)) % HELD_OUT == HELD_OUT - 1
        for way in ways:
            try:
                model, seconds = fitted(way, X[~out].reset_index(drop=True), y[~out])
            except InputError:  # there is no such map of values below zero
                continue
            scores = measured(model, X[out].reset_index(drop=True), y[out])
            yield {"target": name, "seed": seed, "way": way, "map": model.transform_.name, **scores, "seconds": seconds}


def on_maps(each: int) -> Iterator[Row]:
    """One row for every target and seed: the map that is taken of all rows, and how sure that is."""
    for name, seed in product((*TARGETS, "skewed noise"), range(each)):
        X, y = simulated(name, seed)
        choice = chosen(X, y)
        found = choice.transform.name
        yield {"target": name, "seed": seed, "map": found, "shape": shape_of(choice), "gain": choice.gain}


def chosen(X: pd.DataFrame, y: Array) -> Choice:
    """The map that "learned" takes, without the search that would follow."""
    settings = Settings(criterion="evidence", transform="learned", n_jobs=1)
    return chosen_likelihood(load(X.assign(y=y), target="y"), settings, LANGUAGES["extended"].with_priors)


def shape_of(choice: Choice) -> str:
    """The numbers of a learned shape; nothing of another map."""
    warp = choice.transform.warp
    return "" if warp is None else " ".join(f"{value:.2f}" for value in warp.numbers)


def on_learning(each: int, most_rows: int = 180) -> Iterator[Row]:
    """One row for every series of the corpus, and its losses with "auto" and "learned"."""
    transforms.MARGIN_FOR_SHAPE = 0.0
    for kind, dataset in product(KINDS, ("M1", "Tourism")):
        every = [series for series in learning(kind, dataset) if len(series.values) <= most_rows]
        for series in spread(every, each):
            yield from _on_series(series)


def on_choosing(each: int, before: pd.DataFrame) -> Iterator[Row]:
    """The same of M3 with the margin of the package, but for the series of rows that were made before.

    Where no shape is taken both are the same model, which is not fitted, but for the first series of a kind.
    """
    for kind in KINDS:
        for place, series in enumerate(spread(choosing(kind), each)):
            if series.name in set(before["series"]):
                continue
            timed = place < TIMED
            is_shaped = bool(
                shape_of(chosen(pd.DataFrame({"date": series.dates[: len(series.values)]}), series.values))
            )
            if timed or is_shaped:
                yield from (row | {"timed": timed} for row in _on_series(series, anew=timed))
            else:
                unfitted = {"task": task_name(series.dataset, series.kind), "series": series.name, "timed": False}
                yield from ({**unfitted, "way": way, "shape": ""} for way in ("learned", "auto"))


def _on_series(series: Series, *, anew: bool = False) -> Iterator[Row]:
    """A row for "learned" and one for "auto", which is the same model where no shape is taken, unless made ``anew``."""
    n = len(series.values)
    frame = pd.DataFrame({"date": series.dates})
    known, ahead = frame[:n], frame[n:].reset_index(drop=True)
    model, seconds = fitted("learned", known, series.values)
    choice = model.model_.choice
    shape = shape_of(choice)
    ways = {"learned": (model, seconds), "auto": (model, seconds)}
    if shape or anew:
        ways["auto"] = fitted("auto", known, series.values)
    for way, (found, spent) in ways.items():
        losses = scored(series, found.predictive(ahead).quantiles(LEVELS))
        yield {
            "task": task_name(series.dataset, series.kind), "series": series.name, "way": way,
            "map": found.transform_.name, "shape": shape, "gain": choice.gain if shape else 0.0,
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


def changes(rows: pd.DataFrame, margin: float = 0.0) -> pd.DataFrame:
    """What "learned" changes of every series where its shape wins by more than a margin; elsewhere nothing.

    Of the log score the difference, of the others the logarithms of their ratios.
    """
    wide = rows.set_index(["task", "series", "way"]).unstack("way")
    learned, auto = (wide.xs(way, axis=1, level="way") for way in ("learned", "auto"))
    taken = learned["gain"] > margin
    made = {"log_score": learned["log_score"] - auto["log_score"]}
    made |= {name: np.log(learned[name] / auto[name]) for name in ("mase", "sql", "msis")}
    return pd.DataFrame(made).where(taken, 0.0).assign(taken=taken)


def by_margin(rows: pd.DataFrame) -> pd.DataFrame:
    """The same over the series where a shape wins by so much, with the share of what came that ranges held."""
    coverage = rows.pivot(index=["task", "series"], columns="way", values="coverage")
    made = []
    for margin in MARGINS:
        found = changes(rows, margin)
        taken = found.pop("taken")
        covered = coverage[taken].mean()[["auto", "learned"]]
        made.append({"margin": margin, "shapes": taken.sum(), "series": len(found), **found[taken].mean(), **covered})
    return pd.DataFrame(made).round(3)


def judged(rows: pd.DataFrame) -> str:
    """What the rule says of "learned" against "auto"; see the head of this file."""
    found = changes(rows)
    score, loss = found["log_score"], found["sql"]
    seconds = rows[rows["timed"]].groupby("way")["seconds"].sum()
    time_ratio = float(seconds["learned"] / seconds["auto"])
    passes = score.mean() >= 0.0 >= loss.mean() and time_ratio <= MOST_TIME
    said = [f"{change.mean():+.4f} (standard error {change.sem():.4f})" for change in (score, loss)]
    return (
        f"Over all {len(found)} series, {found['taken'].sum()} of them with a learned scale, the log score changes by "
        f"{said[0]} and the logarithm of the scaled quantile loss by {said[1]}; searches take {time_ratio:.2f} times "
        f"as long. By the rule such scales {'are the default' if passes else 'stay an option'}."
    )


def kept(rows: Iterator[Row], path: Path, before: list[Row]) -> pd.DataFrame:
    """The rows after those ``before`` them, written to the file one by one."""
    made, stamp = list(before), code_version()
    for row in rows:
        made.append(row | {"code": stamp})
        pd.DataFrame(made).round(4).to_csv(path, index=False)
    return pd.DataFrame(made)


def main() -> None:
    """Fit, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=("maps", "simulated", "learning", "choosing", "tables"))
    parser.add_argument("--each", type=int, default=None, help="seeds of a target, or series of a task or kind")
    parser.add_argument("--budget", type=float, default=20.0, help="seconds of a search of a table")
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS, help="maps to ask for, of made series")
    given = parser.parse_args()
    path = RESULTS / f"warps-{given.part}.csv"
    before = pd.read_csv(path) if given.part == "choosing" and path.exists() else pd.DataFrame({"series": []})
    made = {
        "maps": lambda: on_maps(given.each or 30), "simulated": lambda: on_simulated(given.each or 4, given.ways),
        "learning": lambda: on_learning(given.each or 12), "choosing": lambda: on_choosing(given.each or 200, before),
        "tables": lambda: on_tables(given.budget),
    }  # fmt: skip
    rows = kept(made[given.part](), path, before.to_dict("records"))
    if given.part == "choosing":
        print(judged(rows))
    if given.part in {"learning", "choosing"}:
        print(by_margin(rows).to_string())
    elif given.part == "maps":
        print(pd.crosstab(rows["target"], rows["map"]).to_string())
    else:
        print(rows.groupby(["target", "way"], sort=False).mean(numeric_only=True).round(3).to_string())


if __name__ == "__main__":
    main()
