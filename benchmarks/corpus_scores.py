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
from statistics import fmean, median
from typing import Any

import numpy as np
from scipy.stats import rankdata

from common import geometric_mean
from corpus_series import Array, Series
from measures import Variant, by_variant

Row = dict[str, Any]

DECILES = tuple(round(0.1 * k, 1) for k in range(1, 10))
LEVELS = (0.025, *DECILES, 0.975)
MISS = 2.0 / 0.05  # what a value outside a band of 95 % costs

SCORES = ("mase", "wql", "sql", "msis", "coverage")
RANKED = ("mase", "sql", "msis")
OURS = "ours"
NAIVE = "seasonal-naive"
FOUR = ("AutoETS", "AutoARIMA", "AutoTheta", "AutoCES")
MEDIAN = "median of four"
PEERS = (*FOUR, MEDIAN, "Prophet")
SHORT, LARGE = 30, 5  # rows below which a series is short, parameters above which its model is large


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

    ``relative`` is by measure the ratio to the seasonal naive rule on the same series, ``ranks`` the median rank
    among itself, ours with its defaults and the peers on the series that all of them have (None without such
    series); another variant of ours takes the place of the defaults.
    """

    task: str
    series: int
    relative: dict[str, float]
    coverage: float
    ranks: dict[str, float | None]
    large: float | None  # share of short series whose model has many parameters
    seconds: float


def standing(rows: Sequence[Row]) -> dict[Variant, list[Standing]]:
    """For every variant the standing on each task, and at the end that over all of its tasks."""
    variants = by_variant(rows)
    naive = _of_series(variants.get(Variant(NAIVE), []))
    field = {name: _of_series(variants[Variant(name)]) for name in (OURS, *PEERS) if Variant(name) in variants}
    found = {}
    for variant, own in variants.items():
        own = [row for row in own if _key(row) in naive]
        ranks = _ranks(_of_series(own), [them for name, them in field.items() if name != variant.method])
        tasks = [_standing(task, part, naive, ranks) for task, part in by_task(own).items()]
        if tasks:
            found[variant] = [*tasks, _over_tasks(tasks, own, ranks)]
    return found


def by_task(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Rows by task, in the order of their first rows."""
    found: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        found[row["task"]].append(row)
    return dict(found)


Key = tuple[str, str]
Ranks = dict[Key, dict[str, float]]


def _key(row: Row) -> Key:
    return row["task"], row["series"]


def _of_series(rows: Sequence[Row]) -> dict[Key, Row]:
    return {_key(row): row for row in rows}


def _ranks(own: dict[Key, Row], others: Sequence[dict[Key, Row]]) -> Ranks:
    """By series that all have the rank in each measure; equal values share the mean of their ranks."""
    keys = [key for key in own if others and all(key in them for them in others)]
    ranks: Ranks = {key: {} for key in keys}
    for name in RANKED if keys else ():
        values = [[float(each[key][name]) for each in (own, *others)] for key in keys]
        for key, rank in zip(keys, rankdata(values, axis=1)[:, 0], strict=True):
            ranks[key][name] = float(rank)
    return ranks


def _standing(task: str, rows: Sequence[Row], naive: dict[Key, Row], ranks: Ranks) -> Standing:
    same = [naive[_key(row)] for row in rows]
    relative = {name: _mean(rows, name) / _mean(same, name) for name in ("mase", "sql", "msis")}
    relative["wql"] = _mean(rows, "wql") / _mean([row | {"wql": _without_spread(row)} for row in same], "wql")
    coverage = fmean(float(row["coverage"]) for row in rows)
    return Standing(task, len(rows), relative, coverage, _medians(ranks, rows), _large(rows), _seconds(rows))


def _without_spread(row: Row) -> float:
    """The weighted quantile loss, were every quantile the median: in the mean of the deciles its absolute error."""
    return float(row["wql"]) * float(row["mase"]) / float(row["sql"])


def _over_tasks(tasks: Sequence[Standing], rows: Sequence[Row], ranks: Ranks) -> Standing:
    relative = {name: geometric_mean(one.relative[name] for one in tasks) for name in tasks[0].relative}
    coverage = fmean(one.coverage for one in tasks)
    return Standing("all", len(rows), relative, coverage, _medians(ranks, rows), _large(rows), _seconds(rows))


def _mean(rows: Sequence[Row], name: str) -> float:
    weights = [float(row["size"]) if name == "wql" else 1.0 for row in rows]
    return float(np.average([float(row[name]) for row in rows], weights=weights))


def _medians(ranks: Ranks, rows: Sequence[Row]) -> dict[str, float | None]:
    found = [ranks[key] for key in map(_key, rows) if key in ranks]
    return {name: median(one[name] for one in found) if found else None for name in RANKED}


def _large(rows: Sequence[Row]) -> float | None:
    counts = [int(row["parameters"]) for row in rows if int(row["n"]) < SHORT and row.get("parameters")]
    return fmean(count > LARGE for count in counts) if counts else None


def _seconds(rows: Sequence[Row]) -> float:
    return fmean(float(row["seconds"]) for row in rows)


def to_best(rows: Sequence[Row], task: str) -> dict[Variant, tuple[str, float]]:
    """By variant the scaled quantile loss on a task over that of the best of the four and their median, with its name.

    The best is the one with the smallest mean over the series of the variant; those not measured on all are left out.
    """
    variants = by_variant([row for row in rows if row["task"] == task])
    found = {}
    for variant, own in variants.items():
        means = {}
        for name in (*FOUR, MEDIAN):
            them = _of_series(variants.get(Variant(name), []))
            if all(_key(row) in them for row in own):
                means[name] = fmean(float(them[_key(row)]["sql"]) for row in own)
        if means:
            best = min(means, key=lambda name: means[name])
            found[variant] = (best, fmean(float(row["sql"]) for row in own) / means[best])
    return found
