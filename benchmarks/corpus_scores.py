"""Measures of forecasts of the corpus, per series and over series.

A forecast is an array of quantiles (horizon, levels) at `LEVELS`. Per series everything is scaled by the mean absolute
error of the seasonal naive rule within the known values (that of MASE), but for the weighted quantile loss. Over the
series of a task the measures are means, that of the weighted quantile loss weighted by the sums of the absolute values
that came (the sum of all losses over the sum of all values). Over tasks: the geometric mean of ratios to the seasonal
naive rule on the same series. Published tables let every quantile of that rule be its point forecast, so the ratio of
the weighted quantile loss is to that, too; those of the scaled quantile loss and of MSIS are to the rule with a spread.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import numpy as np

from common import geometric_mean
from corpus_series import Array, Series
from measures import Variant, by_variant

Row = dict[str, Any]

DECILES = tuple(round(0.1 * k, 1) for k in range(1, 10))
LEVELS = (0.025, *DECILES, 0.975)
MISS = 2.0 / 0.05  # what a value outside a band of 95 % costs

SCORES = ("mase", "wql", "sql", "msis", "coverage")
OURS = "ours"
NAIVE = "seasonal-naive"
FOUR = ("AutoETS", "AutoARIMA", "AutoTheta", "AutoCES")
MEDIAN = "median of four"
PEERS = (*FOUR, MEDIAN, "Prophet")


# One series ------------------------------------------------------------------------------------------------


def scored(series: Series, quantiles: Array) -> Row:
    """The measures of one forecast.

    ``mase``: mean absolute error of the median; ``sql`` and ``wql``: twice the pinball loss, mean of the deciles,
    scaled and relative to the sum of the absolute values (``size``); ``msis``: the interval score of the 95 % band;
    ``coverage``: the share of what came within it.
    """
    y, (low, *middle, high) = series.future, quantiles.T
    scale = float(np.mean(np.abs(series.values[series.period :] - series.values[: -series.period])))
    loss = float(np.mean([_pinball(y, one, level) for one, level in zip(middle, DECILES, strict=True)]))
    size = float(np.sum(np.abs(y)))
    width = (high - low) + MISS * (np.maximum(low - y, 0.0) + np.maximum(y - high, 0.0))
    found = {
        "mase": np.mean(np.abs(y - middle[len(middle) // 2])) / scale,
        "wql": loss * len(y) / size,
        "sql": loss / scale,
        "msis": np.mean(width) / scale,
        "coverage": np.mean((low <= y) & (y <= high)),
        "size": size,
    }
    return {name: float(f"{value:.4g}") for name, value in found.items()}


def _pinball(y: Array, quantile: Array, level: float) -> float:
    """Twice the mean pinball loss."""
    short = y - quantile
    return 2.0 * float(np.mean(np.maximum(level * short, (level - 1.0) * short)))


# Many series -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Standing:
    """The scores of one variant over the series of one task, or over all tasks (task "all").

    ``relative`` is by measure the ratio to the seasonal naive rule on the same series.
    """

    task: str
    series: int
    relative: dict[str, float]
    coverage: float
    seconds: float


def standing(rows: Sequence[Row]) -> dict[Variant, list[Standing]]:
    """For every variant the standing on each task, and at the end that over all of its tasks."""
    variants = by_variant(rows)
    naive = _of_series(variants.get(Variant(NAIVE), []))
    found = {}
    for variant, own in variants.items():
        own = [row for row in own if _key(row) in naive]
        tasks = [_standing(task, part, naive) for task, part in by_task(own).items()]
        if tasks:
            found[variant] = [*tasks, _over_tasks(tasks, own)]
    return found


def by_task(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Rows by task, in the order of their first rows."""
    found: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        found[row["task"]].append(row)
    return dict(found)


Key = tuple[str, str]


def _key(row: Row) -> Key:
    return row["task"], row["series"]


def _of_series(rows: Sequence[Row]) -> dict[Key, Row]:
    return {_key(row): row for row in rows}


def _standing(task: str, rows: Sequence[Row], naive: dict[Key, Row]) -> Standing:
    same = [naive[_key(row)] for row in rows]
    relative = {name: _mean(rows, name) / _mean(same, name) for name in ("mase", "sql", "msis")}
    relative["wql"] = _mean(rows, "wql") / _mean([row | {"wql": _without_spread(row)} for row in same], "wql")
    coverage = fmean(float(row["coverage"]) for row in rows)
    return Standing(task, len(rows), relative, coverage, _seconds(rows))


def _without_spread(row: Row) -> float:
    """The weighted quantile loss, were every quantile the median: in the mean of the deciles its absolute error."""
    return float(row["wql"]) * float(row["mase"]) / float(row["sql"])


def _over_tasks(tasks: Sequence[Standing], rows: Sequence[Row]) -> Standing:
    relative = {name: geometric_mean(one.relative[name] for one in tasks) for name in tasks[0].relative}
    coverage = fmean(one.coverage for one in tasks)
    return Standing("all", len(rows), relative, coverage, _seconds(rows))


def _mean(rows: Sequence[Row], name: str) -> float:
    weights = [float(row["size"]) if name == "wql" else 1.0 for row in rows]
    return float(np.average([float(row[name]) for row in rows], weights=weights))


def _seconds(rows: Sequence[Row]) -> float:
    return fmean(float(row["seconds"]) for row in rows)
