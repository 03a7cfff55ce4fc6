"""What maps of the target whose shape is learned gain beside the data as they are and their logarithm.

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

About 7 minutes of one core.

Usage: python benchmarks/warps.py [--only warps-choosing.csv] [--kind yearly]
"""

from __future__ import annotations

import argparse
from unittest.mock import patch

import numpy as np
import pandas as pd

from autostatistician import AutomaticStatistician, TargetOptions
from autostatistician.data.load import load
from autostatistician.language.languages import LANGUAGES
from autostatistician.search.before import Choice, chosen_likelihood, transforms
from autostatistician.search.settings import Settings
from common import Array, Bench, Row, command, processor
from corpus import spread
from corpus_scores import LEVELS, scored
from corpus_series import KINDS, Series, choosing, learning, task_name

LEAST = -20.0  # of a log density
MOST_TIME, TIMED = 1.1, 8  # of the time with "auto"; series of a kind that are fitted both ways in any case
EACH, MOST_ROWS = 6, 180  # series of a kind that are learned from, and of their rows
CHOOSING = 60  # series of a kind that are chosen by


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
