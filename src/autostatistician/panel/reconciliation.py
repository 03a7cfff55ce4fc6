"""Forecasts of sums of series that add up: those of a panel and of its levels, by MinT, with ranges by draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from scipy.sparse import csr_array, diags_array
from scipy.special import ndtri

from autostatistician.errors import InputError
from autostatistician.panel.aggregates import AggregatedTable, aggregated_table
from autostatistician.panel.records import PanelForecast, SeriesRecord
from autostatistician.panel.run import run_panel
from autostatistician.panel.settings import PanelSettings, SeriesTable

__all__ = ["Reconciled", "reconciled", "sums_of"]


Array = NDArray[np.float64]

FEWEST_ERRORS = 12  # of which correlations are estimated; a node with fewer has errors of its own

LEAST_SD = 1e-6  # of the largest

LEAST_SHRINKAGE = 1e-6  # so that errors that add up exactly, too, have a covariance with an inverse

DRAWS, FEWEST_DRAWS = 2000, 200  # of the forecasts of all series at a step

FARTHEST = 10.0  # standard deviations, to which the lines between quantiles go on

MOST_NUMBERS = 20_000_000  # in memory: with more series there are fewer draws


@dataclass(frozen=True, eq=False)
class Reconciled:
    """Records whose forecasts add up.

    Attributes
    ----------
    records : tuple of SeriesRecord
        Those of the sums, level by level, then those of the series in them: as before, but for their forecasts.
    left_out : dict
        Names of the series that are in no sum, by the reason; their forecasts stay as they are.
    table : AggregatedTable
        Which series make up each sum.
    """

    records: tuple[SeriesRecord, ...]
    left_out: dict[str, tuple[str, ...]]
    table: AggregatedTable


def sums_of(
    table: SeriesTable,
    records: Sequence[SeriesRecord],
    levels: Sequence[str | Sequence[str]],
    settings: PanelSettings,
    folder: Path | None = None,
    at_once: int = 1,
) -> Reconciled:
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
    summed = aggregated_table(table, records, levels)
    if len(summed.kept) < 2:
        raise InputError.of("two series with the same times, to be added up", str(len(summed.kept)), "sum others")
    above = list(run_panel(summed, settings, folder, at_once))
    return reconciled(summed, above, [records[index] for index in summed.kept], settings.search.seed)


def reconciled(
    table: AggregatedTable, above: Sequence[SeriesRecord], below: Sequence[SeriesRecord], seed: int
) -> Reconciled:
    """The records of the sums and of their series with forecasts that add up.

    Means are those of MinT with the covariance of the errors of forecasts one step ahead. Ranges are those of draws of
    all forecasts together, correlated as these errors are, which are made to add up one by one. What can only be zero
    or above stays so. A sum whose model failed is the sum of its series.

    Parameters
    ----------
    table : AggregatedTable
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
    adjusted = _told([*above, *below], forecasts[0], np.concatenate([every @ means, means]), ranges)
    return Reconciled(adjusted, table.left_out, table)


def _matrix(table: AggregatedTable) -> csr_array:
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
    adjusted = []
    for record, mean, limits in zip(records, means, ranges.transpose(1, 2, 0), strict=True):
        low, high = (tuple(map(tuple, side.tolist())) for side in (limits[:count], limits[count:]))
        adjusted.append(replace(record, forecast=PanelForecast(times, tuple(mean.tolist()), like.levels, low, high)))
    return tuple(adjusted)


# --- Forecasts of series and of their sums made to add up (MinT, Wickramasuriya -------------------------------------


@dataclass(frozen=True, eq=False)
class ErrorModel:
    """The covariance W of the errors of m nodes: their standard deviations, and correlations by few factors.

    Parameters
    ----------
    sds : array (m,)
    factors : array (m, k)
        Whose products are the correlations of the sample; k is the number of errors, far below m in large panels.
    shrinkage : float
        From these correlations (0) to none (1).
    """

    sds: Array
    factors: Array
    shrinkage: float

    @property
    def own(self) -> Array:
        """The share (m,) of its variance that each node has with no other."""
        return np.asarray(1.0 - (1.0 - self.shrinkage) * (self.factors**2).sum(axis=1))

    def times(self, weights: Array) -> Array:
        """W times a matrix (m, k)."""
        scaled = weights * self.sds[:, None]
        among = self.factors @ (self.factors.T @ scaled)
        return np.asarray(self.sds[:, None] * ((1.0 - self.shrinkage) * among + self.own[:, None] * scaled))

    def normals(self, rng: np.random.Generator, count: int) -> Array:
        """Standard normal draws (m, count) with the correlations of the sample as they are.

        Nothing is inverted here, so nothing is shrunk: the spread of a sum of errors is then that of the sample.
        """
        own_sd = np.sqrt(np.maximum(1.0 - (self.factors**2).sum(axis=1), 0.0))[:, None]
        common = rng.standard_normal((self.factors.shape[1], count))
        return np.asarray(self.factors @ common + own_sd * rng.standard_normal((len(self.sds), count)))


def error_model(errors: Array, usual: Array) -> ErrorModel:
    """The covariance of errors (T, m), shrunk towards none between different nodes as Schäfer and Strimmer 2005 do.

    Errors that are not known are NaN. A node with too few has the standard deviation in ``usual`` (m,), and errors of
    its own; so has each where fewer times are known than correlations need, which is weighted least squares.

    >>> rng = np.random.default_rng(0)
    >>> common = rng.standard_normal((200, 1))
    >>> model = error_model(common + 0.1 * rng.standard_normal((200, 3)), np.ones(3))
    >>> bool(model.shrinkage < 0.01), (model.factors @ model.factors.T).round(2)[0].tolist()
    (True, [1.0, 0.99, 0.99])
    """
    observed = np.isfinite(errors)
    counts = observed.sum(axis=0)
    means = np.where(observed, errors, 0.0).sum(axis=0) / np.maximum(counts, 1)
    centred = np.where(observed, errors - means, 0.0)
    squares = (centred**2).sum(axis=0)
    enough = (counts >= FEWEST_ERRORS) & (squares > 0.0)
    sds = np.where(enough, np.sqrt(squares / np.maximum(counts - 1, 1)), usual)
    sds = np.maximum(sds, LEAST_SD * sds.max() or 1.0)  # what is certain stays as it is, and has an inverse
    factors = np.where(enough, centred / np.sqrt(np.where(enough, squares, 1.0)), 0.0).T
    if not enough.any():
        return ErrorModel(sds, factors[:, :0], 1.0)
    return ErrorModel(sds, factors, max(_shrinkage(factors.T * np.sqrt(len(errors) - 1.0)), LEAST_SHRINKAGE))


def _shrinkage(x: Array) -> float:
    """By how much correlations of standardised values (T, m) are shrunk; Schäfer and Strimmer 2005, table 2, target D.

    The sums over all pairs of nodes are those of T times T products, however many nodes there are.

    >>> _shrinkage(np.random.default_rng(0).standard_normal((50, 5))) > 0.5
    True
    """
    count = len(x)
    of_squares = float(np.sum((x**2).sum(axis=1) ** 2) - np.sum(x**4))
    of_products = float(np.sum((x @ x.T) ** 2) - np.sum((x**2).sum(axis=0) ** 2))
    if of_products <= 0.0:
        return 1.0
    return float(np.clip(count * (of_squares - of_products / count) / ((count - 1.0) * of_products), 0.0, 1.0))


@dataclass(frozen=True, eq=False)
class Reconciliation:
    """The map from forecasts of all nodes, sums first, to those of the series that fit them best.

    Parameters
    ----------
    sums : csr_array (s, n)
        The matrix A, with ones where a series belongs to a sum.
    errors : ErrorModel
        Of s + n nodes.
    """

    sums: csr_array
    errors: ErrorModel

    @cached_property
    def _factor(self) -> tuple[Array, bool]:
        """The factor of U' W U, with U' = (I, -A), which takes forecasts that add up to zero."""
        sds, common_share = self.errors.sds[:, None], 1.0 - self.errors.shrinkage
        shared = self._apart(sds * self.errors.factors)
        count = self.sums.shape[0]
        variances = self.errors.own * self.errors.sds**2
        own = diags_array(variances[:count]) + self.sums @ diags_array(variances[count:]) @ self.sums.T
        return cast(tuple[Array, bool], cho_factor(common_share * shared @ shared.T + own.toarray(), lower=True))

    def _apart(self, forecasts: Array) -> Array:
        """U' times forecasts (s + n, k): by how much each sum lies above that of its series."""
        count = self.sums.shape[0]
        return np.asarray(forecasts[:count] - self.sums @ forecasts[count:])

    def series(self, forecasts: Array) -> Array:
        """The reconciled series (n, k) of forecasts (s + n, k): y - W U (U' W U)^-1 U' y, without its sums.

        >>> both = Reconciliation(csr_array(np.ones((1, 2))), ErrorModel(np.ones(3), np.zeros((3, 0)), 1.0))
        >>> both.series(np.array([[9.0], [2.0], [4.0]])).ravel().tolist()
        [3.0, 5.0]
        """
        moves = cho_solve(self._factor, self._apart(forecasts))
        moved = self.errors.times(np.concatenate([moves, -(self.sums.T @ moves)]))
        return np.asarray((forecasts - moved)[self.sums.shape[0] :])

    def normals(self, rng: np.random.Generator, count: int) -> Array:
        """Standard normal draws (s + n, count) for the errors of all nodes.

        Where correlations are not known, series are independent, and sums err as their series do together.
        """
        if self.errors.factors.shape[1]:
            return self.errors.normals(rng, count)
        sums, below = self.sums.shape
        own = rng.standard_normal((below, count))
        sds = self.errors.sds[sums:, None]
        above = self.sums @ (sds * own) / np.sqrt(np.maximum(self.sums @ sds**2, 1e-300))
        return np.concatenate([above, own])
