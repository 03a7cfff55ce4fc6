"""What maps of the target whose shape is learned gain beside the data as they are and their logarithm.

`warps-maps.csv`: the map that "learned" takes of series whose target is a map of a trend, a cycle and noise.
`warps-simulated.csv`: the same, every fifth row held out; each map that can be asked for is fitted.
`warps-learning.csv`: the official test sets of series that settings are learned from, forecast with "auto" and with
"learned". A shape is taken there whenever it is more probable at all, so that rows show what a margin would do; the
package's stands in `search/constants.py`.
`warps-choosing.csv`: the same with the margin of the package on series of M3 that settings are compared on. Where no
shape is taken both are the same model, which is not fitted, but for the first series of a kind.
Log scores are mean log densities in the units of the data (higher is better; no lower than -20 for a value), coverage
is that of 95 % ranges.

The rule for the last, written before it was run for the first time: learned maps become the default if, over all of its
series (those without such a map count as no change), the mean change of the log score is not below zero and the mean
change of the logarithm of the scaled quantile loss is not above zero, each told with its standard error, and the time
of the process is at most `MOST_TIME` as long on the series that are fitted both ways.

About 9 minutes of one core.

Usage: python benchmarks/warps.py [--only warps-maps.csv] [--target square] [--seed 0 1]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from unittest.mock import patch

import numpy as np
import pandas as pd

from autostatistician import AutomaticStatistician, TargetOptions
from autostatistician.data.load import load
from autostatistician.errors import InputError
from autostatistician.language.languages import LANGUAGES
from autostatistician.search.before import Choice, chosen_likelihood, transforms
from autostatistician.search.settings import Settings
from common import Array, Bench, Row, command, processor
from corpus import spread
from corpus_scores import LEVELS, scored
from corpus_series import KINDS, Series, choosing, learning, task_name

WAYS = ("none", "log", "auto", "box-cox", "sinh-arcsinh", "learned")
LEAST = -20.0  # of a log density
ROWS, HELD_OUT = 100, 5  # of a simulated series; one of so many is held out
MOST_TIME, TIMED = 1.1, 8  # of the time with "auto"; series of a kind that are fitted both ways in any case
EACH, MOST_ROWS = 6, 180  # series of a kind that are learned from, and of their rows
CHOOSING = 60  # series of a kind that are chosen by
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


def fitted(way: str, X: pd.DataFrame, y: Array) -> tuple[AutomaticStatistician, float]:
    """A model with this map, and the seconds of its process."""
    began = processor()
    target = TargetOptions(way, outliers="keep")
    model = AutomaticStatistician(n_jobs=1, target_options=target).fit(X, y)
    return model, processor() - began


def on_simulated(case: Row, _: argparse.Namespace) -> Row | list[Row]:
    """What held-out rows say of a map; nothing where there is no such map of values below zero."""
    X, y = simulated(case["target"], case["seed"])
    out = np.arange(len(y)) % HELD_OUT == HELD_OUT - 1
    try:
        model, seconds = fitted(case["way"], X[~out].reset_index(drop=True), y[~out])
    except InputError:
        return []
    return measured(model, X[out].reset_index(drop=True), y[out]) | {"map": model.transform_.name, "seconds": seconds}


def on_maps(case: Row, _: argparse.Namespace) -> Row:
    """The map that is taken of all rows, and how sure that is."""
    choice = chosen(*simulated(case["target"], case["seed"]))
    return {"map": choice.transform.name, "shape": shape_of(choice), "gain": choice.gain}


def chosen(X: pd.DataFrame, y: Array) -> Choice:
    """The map that "learned" takes, without the search that would follow."""
    settings = Settings(criterion="evidence", transform="learned", n_jobs=1)
    return chosen_likelihood(load(X.assign(y=y), target="y"), settings, LANGUAGES["extended"].with_priors)


def shape_of(choice: Choice) -> str:
    """The numbers of a learned shape; nothing of another map."""
    warp = choice.transform.warp
    return "" if warp is None else " ".join(f"{value:.2f}" for value in warp.numbers)


def on_learning(case: Row, _: argparse.Namespace) -> list[Row]:
    """Series of the corpus with "auto" and "learned"."""
    every = [series for series in learning(case["kind"], case["dataset"]) if len(series.values) <= MOST_ROWS]
    with patch.object(transforms, "MARGIN_FOR_SHAPE", 0.0):
        return [row for series in spread(every, EACH) for row in _on_series(series)]


def on_choosing(case: Row, _: argparse.Namespace) -> list[Row]:
    """The same of M3 with the margin of the package."""
    found: list[Row] = []
    for place, series in enumerate(spread(choosing(case["kind"]), CHOOSING)):
        timed = place < TIMED
        known = pd.DataFrame({"date": series.dates[: len(series.values)]})
        if timed or shape_of(chosen(known, series.values)):
            found += [row | {"timed": timed} for row in _on_series(series, anew=timed)]
        else:
            unfitted = {"task": task_name(series.dataset, series.kind), "series": series.name, "timed": False}
            found += [unfitted | {"way": way, "shape": ""} for way in ("learned", "auto")]
    return found


def _on_series(series: Series, *, anew: bool = False) -> list[Row]:
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
    rows = []
    for way, (found, spent) in ways.items():
        losses = scored(series, found.predictive(ahead).quantiles(LEVELS))
        rows.append({
            "task": task_name(series.dataset, series.kind), "series": series.name, "way": way,
            "map": found.transform_.name, "shape": shape, "gain": choice.gain if shape else 0.0,
            "log_score": measured(found, ahead, series.future)["log_score"],
            "mase": losses["mase"], "sql": losses["sql"], "msis": losses["msis"], "coverage": losses["coverage"],
            "seconds": spent,
        })  # fmt: skip
    return rows


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


LOSSES = ("map", "shape", "gain", "log_score", "mase", "sql", "msis", "coverage", "seconds", "code")
BENCHES = (
    Bench(
        file="warps-maps.csv", case=("target", "seed"), columns=("map", "shape", "gain", "code"), run=on_maps,
        options={"target": (*TARGETS, "skewed noise"), "seed": tuple(range(8))},
    ),
    Bench(
        file="warps-simulated.csv", case=("target", "seed", "way"), run=on_simulated,
        columns=("map", "log_score", "error", "coverage", "seconds", "code"),
        options={"target": (*TARGETS, "skewed noise"), "seed": (0,), "way": WAYS},
    ),
    Bench(
        file="warps-learning.csv", case=("kind", "dataset", "task", "series", "way"), columns=LOSSES, run=on_learning,
        options={"kind": KINDS, "dataset": ("M1", "Tourism")},
    ),
    Bench(
        file="warps-choosing.csv", case=("kind", "task", "series", "way"), columns=(*LOSSES, "timed"), run=on_choosing,
        options={"kind": KINDS},
    ),
)  # fmt: skip

if __name__ == "__main__":
    command(__doc__, *BENCHES)
