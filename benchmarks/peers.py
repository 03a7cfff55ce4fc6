"""Forecasts of the 13 series by other methods, in the same columns as `extrapolation.py`.

The peers are told what ours has to find: real dates, a regular grid (its gaps filled along straight lines for the
methods that need one) and the lengths of the seasons. Install them with `pip install -e '.[bench]'`; those that are
missing are skipped with a word. A seasonal naive forecast is always there.

Usage: python benchmarks/peers.py [--method seasonal-naive AutoETS Prophet] [--series 01 07] [--summary]
"""

from __future__ import annotations

import argparse
import logging
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from common import (
    NORMAL_95,
    Array,
    Ledger,
    Split,
    arguments,
    read_rows,
    scores,
    series_names,
    split_series,
    table,
)
from extrapolation import CASE, COLUMNS, by_series, summary

Row = dict[str, Any]

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


def package_version(package: str) -> str | None:
    """The installed version of a peer, as it stands in the table; None when it is missing."""
    try:
        return f"{package} {version(package)}" if package else "own"
    except PackageNotFoundError:
        return None


def run(case: Row, given: argparse.Namespace) -> Row:
    """Predict the test part of one series."""
    split = split_series(given.data, KIND, case["series"], "calendar")
    task = task_of(split, case["series"])
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = METHODS[case["method"]][1](task)
    seconds = round(time.perf_counter() - start, 2)
    scored = scores(split.test_y, found.mean, found.sd, found.lower, found.upper)
    sizes = {"n_train": split.train.n, "n_test": len(split.test_y)}
    return {**case, **scored, **sizes, "seconds": seconds, "n_jobs": 1}


def run_all(given: argparse.Namespace) -> None:
    ledger = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh)
    for method in given.method:
        code = package_version(METHODS[method][0])
        if code is None:
            print(f"left out: {method}, because {METHODS[method][0]} is not installed")
            continue
        for name in series_names(given.data, given.series):
            case = {"series": name, "split": KIND, "axis": "calendar", "method": method, "seed": 0, "settings": ""}
            case["code"] = code
            if ledger.done(case):
                continue
            try:
                row = run(case, given)
            except Exception as error:  # whatever a peer raises is said, and the others go on
                print(f"left out: {method} on {name}, which failed: {error}")
                continue
            ledger.write(row)
            line = "{series:18} {method:15} rmse {rmse:<9g} crps {crps:<9g} coverage {coverage95:.2f}, {seconds:.1f} s"
            print(line.format(**row), flush=True)


def main() -> None:
    """Run what is missing in the table, or show what it says."""
    parser = arguments(__doc__, "peers.csv", languages=())
    parser.add_argument("--method", nargs="+", choices=list(METHODS), default=list(METHODS))
    parser.add_argument("--series", nargs="+", help="names or their first letters; all by default")
    given = parser.parse_args()
    for name in ("cmdstanpy", "prophet"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    if not given.summary:
        run_all(given)
    rows = read_rows(given.csv)
    print(table(summary(rows, KIND)))
    print()
    print(table(by_series(rows, KIND)))


if __name__ == "__main__":
    main()
