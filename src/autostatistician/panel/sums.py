"""Forecasts of sums of series that add up: those of a panel and of its levels, by MinT, with ranges by draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.special import ndtri

from autostatistician.errors import InputError
from autostatistician.panel.mint import Reconciliation, error_model
from autostatistician.panel.records import PanelForecast, SeriesRecord
from autostatistician.panel.run import run_panel
from autostatistician.panel.settings import PanelSettings, SeriesTable
from autostatistician.panel.summed import SummedTable, summed_table

__all__ = ["Sums", "reconciled", "sums_of"]

Array = NDArray[np.float64]

DRAWS, FEWEST_DRAWS = 2000, 200  # of the forecasts of all series at a step
FARTHEST = 10.0  # standard deviations, to which the lines between quantiles go on
MOST_NUMBERS = 20_000_000  # in memory: with more series there are fewer draws


@dataclass(frozen=True, eq=False)
class Sums:
    """Records whose forecasts add up.

    Attributes
    ----------
    records : tuple of SeriesRecord
        Those of the sums, level by level, then those of the series in them: as before, but for their forecasts.
    left_out : dict
        Names of the series that are in no sum, by the reason; their forecasts stay as they are.
    table : SummedTable
        Which series make up each sum.
    """

    records: tuple[SeriesRecord, ...]
    left_out: dict[str, tuple[str, ...]]
    table: SummedTable


def sums_of(
    table: SeriesTable,
    records: Sequence[SeriesRecord],
    levels: Sequence[Sequence[str]],
    settings: PanelSettings,
    folder: Path | None = None,
    at_once: int = 1,
) -> Sums:
    """Model the sums of a panel by some ``levels`` of its ids as the series were, and make all forecasts add up.

    Parameters
    ----------
    table, records
        The series, and their records in the order of the table.
    levels : sequence of sequences of str
        For each level the ids that its sums have: ``[["region"], []]`` are a sum for each region, and the total.
    settings : PanelSettings
        Those of the records.
    folder, at_once
        As of `run_panel`, for the run over the sums.

    Raises
    ------
    InputError
        When a level names no id, or there are no two series that share their times.
    """
    summed = summed_table(table, records, levels)
    if len(summed.kept) < 2:
        raise InputError.of("two series with the same times, to be added up", str(len(summed.kept)), "sum others")
    above = list(run_panel(summed, settings, folder, at_once))
    return reconciled(summed, above, [records[index] for index in summed.kept], settings.search.seed)


def reconciled(table: SummedTable, above: Sequence[SeriesRecord], below: Sequence[SeriesRecord], seed: int) -> Sums:
    """The records of the sums and of their series with forecasts that add up.

    Means are those of MinT with the covariance of the errors of forecasts one step ahead. Ranges are those of draws of
    all forecasts together, correlated as these errors are, which are made to add up one by one. What can only be zero
    or above stays so. A sum whose model failed is the sum of its series.

    Parameters
    ----------
    table : SummedTable
    above, below : sequences of SeriesRecord
        Of its sums, and of its series, in their order.
    seed : int
        Of the draws.
    """
    modelled = [place for place, record in enumerate(above) if record.forecast is not None]
    nodes = [*(above[place] for place in modelled), *below]
    forecasts = [record.forecast for record in nodes if record.forecast is not None]
    every = _matrix(table)
    steps = min(len(forecast.times) for forecast in forecasts)
    errors = error_model(_aligned(nodes), np.array([_spread(forecast) for forecast in forecasts]))
    fitting = Reconciliation(csr_array(every[modelled]), errors)
    floor = np.array([0.0 if _never_below_zero(record) else -np.inf for record in below])[:, None]
    means = np.maximum(fitting.series(np.array([forecast.mean[:steps] for forecast in forecasts])), floor)
    rng = np.random.default_rng(seed)
    count = int(np.clip(MOST_NUMBERS // len(nodes), FEWEST_DRAWS, DRAWS))
    levels = forecasts[0].levels
    tails = np.array([0.5 - 0.005 * level for level in levels])
    ranges = np.empty((steps, len(above) + len(below), 2 * len(levels)))
    for step in range(steps):
        drawn = np.maximum(fitting.series(_drawn(forecasts, step, fitting.normals(rng, count))), floor)
        both = np.concatenate([every @ drawn, drawn])
        ranges[step] = np.quantile(both, np.concatenate([tails, 1.0 - tails]), axis=1).T
    told = _told([*above, *below], forecasts[0], np.concatenate([every @ means, means]), ranges)
    return Sums(told, table.left_out, table)


def _matrix(table: SummedTable) -> csr_array:
    """The ones and zeros (s, n) that say which series make up each sum."""
    ends = np.cumsum([0, *(len(members) for members in table.members)])
    places = np.array([place for members in table.members for place in members], dtype=np.int64)
    return csr_array((np.ones(len(places)), places, ends), shape=(len(table), len(table.kept)))


def _aligned(nodes: Sequence[SeriesRecord]) -> Array:
    """The errors (T, m) of all nodes at the times at which any has one; NaN where it has none."""
    times = {time: row for row, time in enumerate(sorted({time for node in nodes for time in node.error_times}))}
    errors = np.full((len(times), len(nodes)), np.nan)
    for column, node in enumerate(nodes):
        errors[[times[time] for time in node.error_times], column] = node.errors
    return errors


def _spread(forecast: PanelForecast) -> float:
    """The standard deviation of the first step, by its widest range."""
    return (forecast.high[-1][0] - forecast.low[-1][0]) / (2.0 * float(ndtri(0.5 + 0.005 * forecast.levels[-1])))


def _never_below_zero(record: SeriesRecord) -> bool:
    """Whether neither the values nor the ranges of a series go below zero."""
    forecast = record.forecast
    return forecast is not None and min(record.values, default=-1.0) >= 0.0 and min(map(min, forecast.low)) >= 0.0


def _drawn(forecasts: Sequence[PanelForecast], step: int, normals: Array) -> Array:
    """Draws (m, count) of a step from standard normal ones: their quantiles lie on lines between those of the ranges.

    >>> told = PanelForecast(("1",), (0.0,), (80, 95), ((-1.2816,), (-1.96,)), ((1.2816,), (1.96,)))
    >>> _drawn([told], 0, np.array([[0.0, 1.0, -3.0]])).round(3).tolist()
    [[0.0, 1.0, -3.0]]
    """
    upper = ndtri(0.5 + 0.005 * np.array(forecasts[0].levels))
    places = np.array([-FARTHEST, *-upper[::-1], *upper, FARTHEST])
    drawn = np.empty_like(normals)
    for row, forecast in enumerate(forecasts):
        values = np.array([*(low[step] for low in forecast.low[::-1]), *(high[step] for high in forecast.high)])
        slopes = np.diff(values) / np.diff(places[1:-1])
        first = values[0] - slopes[0] * (places[1] + FARTHEST)
        last = values[-1] + slopes[-1] * (FARTHEST - places[-2])
        drawn[row] = np.interp(normals[row], places, [first, *values, last])
    return drawn


def _told(
    records: Sequence[SeriesRecord], like: PanelForecast, means: Array, ranges: NDArray[np.float64]
) -> tuple[SeriesRecord, ...]:
    """The records with their new forecasts: means (m, steps), ranges (steps, m, lower limits and upper ones)."""
    count = len(like.levels)
    times = like.times[: means.shape[1]]
    told = []
    for record, mean, limits in zip(records, means, ranges.transpose(1, 2, 0), strict=True):
        low, high = (tuple(map(tuple, side.tolist())) for side in (limits[:count], limits[count:]))
        told.append(replace(record, forecast=PanelForecast(times, tuple(mean.tolist()), like.levels, low, high)))
    return tuple(told)
