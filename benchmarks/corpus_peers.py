"""The peers on the corpus: seasonal naive, statsforecast, Prophet. They get the season and are asked for quantiles.

A peer that cannot forecast a series (too few values for its season) is replaced there by the seasonal naive rule.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module

import numpy as np
from scipy.special import ndtri

from corpus_scores import FOUR, LEVELS, NAIVE
from corpus_series import Array, Series

__all__ = ["METHODS", "forecast", "middle"]

BANDS = (20, 40, 60, 80, 95)  # per cent; their ends and the median are the levels
DRAWS = 2000


def seasonal_naive(series: Series) -> Array:
    """The value a season ago, Gaussian, with the spread of its errors times the root of the number of seasons."""
    y, period = series.values, series.period
    turns = np.arange(series.horizon) // period + 1
    mean = y[len(y) + np.arange(series.horizon) - turns * period]
    step = np.sqrt(np.mean((y[period:] - y[:-period]) ** 2))
    return np.asarray(mean[:, None] + (step * np.sqrt(turns))[:, None] * ndtri(LEVELS))


def statsforecast(name: str, series: Series) -> Array:
    """One of the automatic models with its defaults and the season."""
    model = getattr(import_module("statsforecast.models"), name)(season_length=series.period)
    found = model.forecast(y=series.values.copy(), h=series.horizon, level=list(BANDS))
    low, high = ([np.asarray(found[f"{side}-{band}"]) for band in BANDS] for side in ("lo", "hi"))
    return np.array([*low[::-1], found["mean"], *high]).T


def prophet(series: Series) -> Array:
    """Prophet with its defaults, told that there is a season within the year or, for yearly values, none."""
    import pandas as pd

    n = len(series.values)
    model = import_module("prophet").Prophet(
        yearly_seasonality=series.period > 1,
        weekly_seasonality=False,
        daily_seasonality=False,
        uncertainty_samples=DRAWS,
    )
    model.fit(pd.DataFrame({"ds": series.dates[:n], "y": series.values}), seed=0)
    np.random.seed(0)  # Prophet draws from the global generator
    drawn = model.predictive_samples(pd.DataFrame({"ds": series.dates[n:]}))["yhat"]
    return np.asarray(np.quantile(drawn, LEVELS, axis=1)).T


def middle(forecasts: Sequence[Array]) -> Array:
    """The median of several forecasts, quantile by quantile."""
    return np.asarray(np.median(np.array(forecasts), axis=0))


# Name -> the package it needs ("" for none) and the method.
METHODS: dict[str, tuple[str, Callable[[Series], Array]]] = {
    NAIVE: ("", seasonal_naive),
    **{name: ("statsforecast", partial(statsforecast, name)) for name in FOUR},
    "Prophet": ("prophet", prophet),
}


def forecast(method: str, series: Series) -> tuple[Array, str]:
    """Quantiles (horizon, levels), and what went wrong (empty: nothing)."""
    for name in ("cmdstanpy", "prophet"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = METHODS[method][1](series)
        if np.isfinite(found).all():
            return found, ""
        return seasonal_naive(series), f"{NAIVE}: not finite"
    except Exception as error:  # whatever a peer raises, the others go on
        return seasonal_naive(series), f"{NAIVE}: {type(error).__name__}"
