"""What other methods forecast of a table with time and columns: quantiles (horizon, levels) at `corpus_scores.LEVELS`.

All get the same columns, known for the rows to come. The seasonal naive rule, which uses none, is the yardstick.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable
from importlib import import_module

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import ndtri

from columns_tables import Table
from corpus_scores import LEVELS, NAIVE

__all__ = ["METHODS", "TREE", "forecast"]

Array = NDArray[np.float64]

TREE = "boosted tree"
BANDS = (20, 40, 60, 80, 95)  # per cent; their ends and the median are the levels
LONGEST_SEASON = 24  # rows, of a seasonal ARIMA; longer ones are told as Fourier terms
PAIRS = 20_000  # of origin and row to forecast, at most, that trees learn from
RECENT = 3  # values before the origin


def seasonal_naive(table: Table) -> Array:
    """The value a season ago, Gaussian, with the spread of its errors times the root of the number of seasons."""
    y, period = table.values, table.period
    turns = np.arange(table.horizon) // period + 1
    mean = y[len(y) + np.arange(table.horizon) - turns * period]
    step = np.sqrt(np.mean((y[period:] - y[:-period]) ** 2))
    return np.asarray(mean[:, None] + (step * np.sqrt(turns))[:, None] * ndtri(LEVELS))


def prophet(table: Table) -> Array:
    """Prophet with its defaults, every column an additional regressor."""
    columns = table.columns
    frame = columns.assign(ds=table.frame["date"], y=table.hidden[table.target])
    model = import_module("prophet").Prophet()
    for name in columns:
        model.add_regressor(name)
    model.fit(frame.iloc[: -table.horizon], seed=0)
    np.random.seed(0)  # Prophet draws from the global generator
    drawn = model.predictive_samples(frame.iloc[-table.horizon :])["yhat"]
    return np.asarray(np.quantile(drawn, LEVELS, axis=1)).T


def auto_arima(table: Table) -> Array:
    """Regression with errors of an automatic seasonal ARIMA (statsforecast); long seasons as Fourier terms."""
    n, rows = len(table.values), np.arange(len(table.frame))
    waves = [
        wave(2.0 * np.pi * order * rows / length)
        for length, pairs in table.waves
        for order in range(1, pairs + 1)
        for wave in (np.cos, np.sin)
    ]
    explaining = np.column_stack([table.columns.to_numpy(), *waves])
    explaining = explaining[:, np.ptp(explaining[:n], axis=0) > 0.0]
    explaining = (explaining - explaining[:n].mean(axis=0)) / explaining[:n].std(axis=0)
    explaining = explaining[:, _independent(explaining[:n])]  # two columns of the riders are the same
    season = table.period if table.period <= LONGEST_SEASON else 1
    model = import_module("statsforecast.models").AutoARIMA(season_length=season)
    found = model.forecast(
        y=table.values, h=table.horizon, X=explaining[:n], X_future=explaining[n:], level=list(BANDS)
    )
    low, high = ([np.asarray(found[f"{side}-{band}"]) for band in BANDS] for side in ("lo", "hi"))
    return np.array([*low[::-1], found["mean"], *high]).T


def _independent(X: Array) -> NDArray[np.bool_]:
    """Which columns (n, p) are no combination of those before them."""
    pivots = np.abs(np.linalg.qr(X)[1].diagonal())
    return np.asarray(pivots > 1e-8 * pivots.max())


def boosted_tree(table: Table) -> Array:
    """Gradient boosting of each quantile (scikit-learn), straight for every number of rows ahead.

    A row to learn from is a pair of an origin and a row after it. It is told what was known at the origin (the last
    values, the last one of the same place in the season, the step from it), how far ahead it is, and its date and
    columns. What is learned is the distance to the mean of the last season, since trees do not extrapolate a trend.
    """
    from sklearn.ensemble import HistGradientBoostingRegressor

    y, period, horizon = table.values, table.period, table.horizon
    known = np.column_stack([_calendar(table.frame["date"]), table.columns.to_numpy()])
    rng = np.random.default_rng(0)
    first = max(period, RECENT)
    origins = np.arange(first, len(y))  # of the first row to be forecast
    pairs = np.array([(origin, row) for origin in origins for row in range(origin, min(origin + horizon, len(y)))])
    if len(pairs) > PAIRS:
        pairs = pairs[rng.choice(len(pairs), PAIRS, replace=False)]
    ahead = np.array([(len(y), len(y) + step) for step in range(horizon)])
    told, levels = _told(y, period, pairs, known)
    to_come, ending = _told(y, period, ahead, known)
    found = []
    for level in LEVELS:
        tree = HistGradientBoostingRegressor(loss="quantile", quantile=level, learning_rate=0.05, random_state=0)
        found.append(ending + tree.fit(told, y[pairs[:, 1]] - levels).predict(to_come))
    return np.sort(np.array(found), axis=0).T


def _told(y: Array, period: int, pairs: NDArray[np.intp], known: Array) -> tuple[Array, Array]:
    """What trees are told of pairs of origin and row (m, 2), and the mean of the season before the origin (m,)."""
    origin, row = pairs.T
    sums = np.concatenate([[0.0], np.cumsum(y)])
    level = (sums[origin] - sums[origin - period]) / period
    turns = (row - origin) // period + 1
    recent = [y[origin - back] - level for back in range(1, RECENT + 1)]
    same_place = row - turns * period
    changed = known[row] - known[same_place]
    return np.column_stack([row - origin, *recent, y[same_place] - level, known[row], changed]), level


def _calendar(dates: pd.Series) -> Array:
    """The parts of the dates that the rows differ in."""
    when = dates.dt
    parts = np.column_stack([when.month, when.dayofyear, when.dayofweek, when.hour + when.minute / 60.0])
    sub_monthly = len(dates) > 1 and dates.diff().median() < pd.Timedelta(days=27)
    return np.asarray(parts if sub_monthly else parts[:, :1], dtype=np.float64)


# Name -> the package it needs ("" for none) and the method.
METHODS: dict[str, tuple[str, Callable[[Table], Array]]] = {
    NAIVE: ("", seasonal_naive),
    "Prophet": ("prophet", prophet),
    "AutoARIMA": ("statsforecast", auto_arima),
    TREE: ("scikit-learn", boosted_tree),
}


def forecast(method: str, table: Table) -> tuple[Array, str]:
    """Quantiles (horizon, levels), and what went wrong (empty: nothing), where the seasonal naive rule stands in."""
    for name in ("cmdstanpy", "prophet"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = METHODS[method][1](table)
        if np.isfinite(found).all():
            return found, ""
        return seasonal_naive(table), f"{NAIVE}: not finite"
    except Exception as error:  # whatever a peer raises, the others go on
        return seasonal_naive(table), f"{NAIVE}: {type(error).__name__}"
