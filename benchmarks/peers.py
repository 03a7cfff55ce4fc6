"""Forecasts of the 13 series by other methods, in the same columns as `extrapolation.csv`.

The peers are told what ours has to find: real dates, a regular grid (its gaps filled along straight lines for the
methods that need one) and the lengths of the seasons. Install them with `pip install -e '.[bench]'`; those that are
missing are skipped with a word. A seasonal naive forecast is always there.

About 3 minutes of one core.

Usage: python benchmarks/peers.py [--method seasonal-naive AutoETS Prophet] [--series 01-airline]
"""

import argparse
import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module

import numpy as np

from common import NORMAL_95, Array, Bench, Row, Split, command, package_version, scores, split_series
from series import CASE, COLUMNS, SERIES

KIND = "extrapolation"
# In steps of the grid, by the frequency of the series; and the sunspot cycle, which no calendar tells.
SEASONS = {"month": (12,), "day": (7, 365), "hour": (24, 168)}
TOLD = {"02-solar": (11,)}


@dataclass(frozen=True, eq=False)
class Task:
    """What a peer gets: the training values on the regular grid, the cells to predict, the seasons, the split."""

    values: Array  # of every cell up to the last training row; gaps filled
    ahead: Array  # how many cells after the last training row each test row lies, from 1
    seasons: tuple[int, ...]
    split: Split


@dataclass(frozen=True, eq=False)
class Forecast:
    """Mean, standard deviation and 95 % interval at the test rows."""

    mean: Array
    sd: Array
    lower: Array | None = None
    upper: Array | None = None


Method = Callable[[Task], Forecast]


def task_of(split: Split, name: str) -> Task:
    """The training part on the grid of its axis."""
    axis = split.train.axis
    assert axis is not None
    assert axis.step is not None, "the calendar axis of every series has a grid"
    first, last = split.train.x[0], split.train.x[-1]
    cells = np.round((split.train.x - first) / axis.step)
    ahead = np.round((split.test_X[:, 0] - last) / axis.step)
    values = np.interp(np.arange(cells[-1] + 1), cells, split.train.y)
    return Task(values, ahead.astype(int), TOLD.get(name, SEASONS.get(axis.frequency, ())), split)


def seasonal_naive(task: Task) -> Forecast:
    """The value one season (the longest) ago; its error grows with the square root of the number of seasons."""
    season = task.seasons[-1] if task.seasons else 1
    turns = (task.ahead - 1) // season + 1
    mean = task.values[len(task.values) - 1 + task.ahead - turns * season]
    step = np.sqrt(np.mean((task.values[season:] - task.values[:-season]) ** 2))
    return Forecast(mean, step * np.sqrt(turns))


def statsforecast(name: str, task: Task) -> Forecast:
    """AutoARIMA, AutoETS, AutoTheta, or MSTL with one of them for the trend."""
    models = import_module("statsforecast.models")
    if name.startswith("MSTL"):
        if not task.seasons:
            return statsforecast(f"Auto{name.removeprefix('MSTL-')}", task)
        trend = models.AutoETS(model="ZZN") if name == "MSTL-ETS" else models.AutoARIMA(seasonal=False)
        model = models.MSTL(season_length=list(task.seasons), trend_forecaster=trend)
    else:
        model = getattr(models, name)(season_length=task.seasons[0] if task.seasons else 1)
    found = model.forecast(y=task.values, h=int(task.ahead.max()), level=[95])
    mean, lower, upper = (np.asarray(found[key], dtype=float)[task.ahead - 1] for key in ("mean", "lo-95", "hi-95"))
    return Forecast(mean, (upper - lower) / (2.0 * NORMAL_95), lower, upper)


def prophet(task: Task) -> Forecast:
    """Prophet with its defaults and real dates; a yearly series has a day for every year, and the season it is told."""
    import pandas as pd

    axis = task.split.train.axis
    assert axis is not None
    model = import_module("prophet").Prophet(interval_width=0.95)
    x, ahead = task.split.train.x, task.split.test_X[:, 0]
    if axis.frequency == "year":
        model = import_module("prophet").Prophet(
            interval_width=0.95, yearly_seasonality=False, weekly_seasonality=False, daily_seasonality=False
        )
        for season in task.seasons:
            model.add_seasonality(f"every {season}", season, fourier_order=3)
        times = [pd.Timestamp("1970-01-01") + pd.to_timedelta(np.round(part - x[0]), unit="D") for part in (x, ahead)]
    else:
        times = [pd.DatetimeIndex(axis.times(part)) for part in (x, ahead)]
    model.fit(pd.DataFrame({"ds": times[0], "y": task.split.train.y}), seed=0)
    np.random.seed(0)  # Prophet draws its intervals from the global generator
    found = model.predict(pd.DataFrame({"ds": times[1]}))
    mean, lower, upper = (found[key].to_numpy() for key in ("yhat", "yhat_lower", "yhat_upper"))
    return Forecast(mean, (upper - lower) / (2.0 * NORMAL_95), lower, upper)


# Name -> the package it needs ("" for none) and the method.
METHODS: dict[str, tuple[str, Method]] = {
    "seasonal-naive": ("", seasonal_naive),
    **{
        name: ("statsforecast", partial(statsforecast, name))
        for name in ("AutoETS", "AutoTheta", "AutoARIMA", "MSTL-ETS", "MSTL-ARIMA")
    },
    "Prophet": ("prophet", prophet),
}


def predicted(method: str, task: Task) -> Row:
    """The scores of a method."""
    for name in ("cmdstanpy", "prophet"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    found = METHODS[method][1](task)
    return scores(task.split.test_y, found.mean, found.sd, found.lower, found.upper)


def run(case: Row, given: argparse.Namespace) -> Row:
    """Predict the test part of one series."""
    split = split_series(given.data, KIND, case["series"], "calendar")
    sizes = {"n_train": split.train.n, "n_test": len(split.test_y), "n_jobs": 1}
    return predicted(case["method"], task_of(split, case["series"])) | sizes


BENCH = Bench(
    file="peers.csv", case=CASE, columns=COLUMNS, run=run,
    code=lambda case: package_version(METHODS[case["method"]][0]),
    options={"method": tuple(METHODS), "series": SERIES, "split": (KIND,), "axis": ("calendar",), "seed": (0,),
             "settings": ("",)},
)  # fmt: skip

if __name__ == "__main__":
    command(__doc__, BENCH)
