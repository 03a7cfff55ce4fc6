"""Forecasts of series of three competitions (M1, M3, Tourism) over the official test sets, beside those of others.

Ours gets dates and values with the default settings, and is told nothing; the peers (seasonal naive, statsforecast,
Prophet) get the season and are asked for quantiles. A peer that cannot forecast a series (too few values for its
season) is replaced there by the seasonal naive rule. The table is made of every twentieth series of the half that may
be looked at, in eight tasks (`corpus_series.py` says what is for what, `corpus_scores.py` what is measured).

About 20 minutes of one core.

Usage: python benchmarks/corpus.py [--method ours AutoETS Prophet] [--task m3-yearly] [--settings criterion=laplace]
"""

import argparse
import logging
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtri

from autostatistician import AutomaticStatistician
from autostatistician.kernels.traits import effective_parameters
from common import Bench, Row, code_version, command, grouped, options, package_version, processor
from corpus_scores import FOUR, LEVELS, MEDIAN, NAIVE, OURS, SCORES, scored
from corpus_series import TASKS, Array, Series, tabled, task_name

GOLDEN = 0.5 * (5.0**0.5 - 1.0)  # multiples of it fill the unit interval evenly, however many there are
BANDS = (20, 40, 60, 80, 95)  # per cent; their ends and the median are the levels
DRAWS = 2000


def seasonal_naive(series: Any) -> Array:
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


def forecast(method: str, series: Any, methods: Mapping[str, Any] | None = None) -> tuple[Array, str]:
    """Quantiles (horizon, levels) by one of some methods, and what went wrong (empty: nothing)."""
    for name in ("cmdstanpy", "prophet"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        found = (methods or METHODS)[method][1](series)
        if np.isfinite(found).all():
            return found, ""
        return seasonal_naive(series), f"{NAIVE}: not finite"
    except Exception as error:  # whatever a peer raises, the others go on
        return seasonal_naive(series), f"{NAIVE}: {type(error).__name__}"


def spread(every: Sequence[Any], count: int) -> list[Any]:
    """Some of the series, spread evenly; a greater count adds to those of a smaller one.

    >>> spread("abcdefgh", 3), spread("abcdefgh", 4)
    (['a', 'f', 'c'], ['a', 'f', 'c', 'h'])
    """
    order = sorted(range(len(every)), key=lambda place: place * GOLDEN % 1.0)
    return [every[place] for place in order[:count]]


# One series ------------------------------------------------------------------------------------------------


@cache
def timed(method: str, task: str, name: str) -> tuple[Array, str, float]:
    """The forecast of a peer, its fault, and the seconds that it took; it is kept for the median."""
    start = processor()
    return *forecast(method, every_series()[task, name]), processor() - start


@cache
def every_series() -> dict[tuple[str, str], Series]:
    """By task and name."""
    return {(task_name(*task), one.name): one for task in TASKS for one in tabled(*task)[::2]}


def run(case: Row, _: argparse.Namespace) -> Row:
    """Forecast one series by the method of the case, and score the forecast."""
    method, key = case["method"], (case["task"], case["series"])
    one, start = every_series()[key], processor()
    if method == OURS:
        quantiles, found = ours(one, options(case["settings"]))
        seconds = processor() - start
    elif method == MEDIAN:
        every = [timed(each, *key) for each in FOUR]
        quantiles, found = middle([each for each, _, _ in every]), {}
        seconds = sum(each for _, _, each in every)
    else:
        quantiles, fault, seconds = timed(method, *key)
        found = {"expression": fault}
    return {"n": len(one.values), **scored(one, quantiles), "seconds": round(seconds, 2), **found}


def ours(one: Series, settings: Row) -> tuple[Array, Row]:
    """Quantiles (horizon, levels) by the estimator, and what it found."""
    X, n = pd.DataFrame({"date": one.dates}), len(one.values)
    model = AutomaticStatistician(n_jobs=1, **grouped(settings)).fit(X[:n], one.values)
    if model.interrupted_:  # half a search is no result
        raise KeyboardInterrupt
    kernel = model.kernel_
    found = {"parameters": effective_parameters(kernel.expr), "expression": str(kernel)}
    return np.asarray(model.predict_quantiles(X[n:], levels=LEVELS)), found


def code(case: Row) -> str | None:
    """Of ours or of the package of a peer."""
    if case["method"] == OURS:
        return code_version()
    return package_version(METHODS[FOUR[0] if case["method"] == MEDIAN else case["method"]][0])


def bench() -> Bench:
    """The table; the series are only there where their package is."""
    names = tuple(dict.fromkeys(name for _, name in every_series()))
    tasks = tuple(task_name(*task) for task in TASKS)
    return Bench(
        file="corpus.csv", case=("task", "series", "method", "settings"), run=run, code=code,
        columns=("code", "n", *SCORES, "size", "seconds", "parameters", "expression"),
        options={"series": names, "task": tasks, "method": (OURS, *METHODS, MEDIAN), "settings": ("",)},
        wanted=lambda case: (case["task"], case["series"]) in every_series(),
    )  # fmt: skip


if __name__ == "__main__":
    command(__doc__, bench())
