"""Forecasts of ten real tables with time and columns, beside Prophet, AutoARIMA and boosted trees with the same.

The last tenth of the rows is held out: its columns are known, its targets are not. Ours is run with the columns and
over time alone. Scores are those of `corpus_scores.py` (MASE, quantile loss and MSIS scaled by the error of the
seasonal naive rule within the known values, coverage of 95 % bands); seconds are those of one core.

About 9 minutes of one core.

Usage: python benchmarks/columns.py [--table bikes walmart] [--method ours Prophet]
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from autostatistician.data.load import load
from columns_tables import TABLES, Table, without_columns
from common import Array, Bench, Row, code_version, command, fitted, geometric_mean, package_version, processor
from corpus import forecast, seasonal_naive
from corpus_scores import LEVELS, NAIVE, OURS, scored

TREE = "boosted tree"
BANDS = (20, 40, 60, 80, 95)  # per cent; their ends and the median are the levels
LONGEST_SEASON = 24  # rows, of a seasonal ARIMA; longer ones are told as Fourier terms
PAIRS = 20_000  # of origin and row to forecast, at most, that trees learn from
RECENT = 3  # values before the origin


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
    parts = np.column_stack([when.month, when.day_of_year, when.day_of_week, when.hour + when.minute / 60.0])
    sub_monthly = len(dates) > 1 and dates.diff().median() < pd.Timedelta(days=27)
    return np.asarray(parts if sub_monthly else parts[:, :1], dtype=np.float64)


# Name -> the package it needs ("" for none) and the method.
METHODS: dict[str, tuple[str, Callable[[Table], Array]]] = {
    NAIVE: ("", seasonal_naive),
    "Prophet": ("prophet", prophet),
    "AutoARIMA": ("statsforecast", auto_arima),
    TREE: ("scikit-learn", boosted_tree),
}


MEASURES = ("sql", "mase", "msis")
COLUMNS = ("code", "n", "horizon", *MEASURES, "coverage", *(f"{name}_to_naive" for name in MEASURES))
COLUMNS = (*COLUMNS, "seconds", "acting", "expression")
ALONE = "ours, time alone"
TOLD = 0.5  # probability that a column acts, from which on it is named


@dataclass(frozen=True, eq=False)
class Known:
    """What the scores of a forecast need of a table: known values, and those to come that there are."""

    values: Array
    future: Array
    period: int


def run(case: Row, _: argparse.Namespace) -> Row:
    """Forecast one table by one method, and score the forecast beside the seasonal naive rule."""
    whole, method = TABLES[case["table"]](), case["method"]
    start = processor()
    if method in (OURS, ALONE):
        quantiles, row = ours(whole if method == OURS else without_columns(whole))
    else:
        quantiles, fault = forecast(method, whole, METHODS)
        row = {"expression": fault}
    row["seconds"] = round(processor() - start, 2)
    measured, naive = _scored(whole, quantiles), _scored(whole, forecast(NAIVE, whole, METHODS)[0])
    ratios = {f"{measure}_to_naive": round(measured[measure] / naive[measure], 4) for measure in MEASURES}
    sizes = {"n": len(whole.values), "horizon": whole.horizon}
    return sizes | measured | ratios | row


def ours(whole: Table) -> tuple[Array, Row]:
    """Quantiles (horizon, levels) by the estimator with its defaults, the columns that act, and the expression."""
    data = load(whole.hidden, target=whole.target)
    ahead = whole.frame[["date"]].iloc[-whole.horizon :]
    model, row = fitted(data, "extended", 0, {})
    effects = model.model_.effects
    chances = {} if effects is None else effects.probabilities
    acting = sorted((name for name in chances if chances[name] > TOLD), key=lambda name: -chances[name])
    told = "; ".join(f"{name} {chances[name]:.2f}" for name in acting)
    quantiles = model.predictive(ahead).quantiles(LEVELS)
    return np.asarray(quantiles), {"expression": row["expression"], "acting": told}


def _scored(whole: Table, quantiles: Array) -> Row:
    there = np.isfinite(whole.future)
    return scored(Known(whole.values, whole.future[there], whole.period), quantiles[there])  # type: ignore[arg-type]


# What the table says ---------------------------------------------------------------------------------------


def summary(rows: list[Row]) -> list[Row]:
    """By method: ratios to the seasonal naive rule (geometric means), coverage, on how many tables ours is better."""
    known = {(row["table"], row["method"]): row for row in rows}
    found = []
    for method in dict.fromkeys(row["method"] for row in rows):
        mine = [row for row in rows if row["method"] == method]
        pairs = [(row, known[row["table"], OURS]) for row in mine if (row["table"], OURS) in known]
        better = sum(float(beside["sql"]) < float(row["sql"]) for row, beside in pairs)
        ratios = {
            f"{name} / naive": f"{geometric_mean(float(row[f'{name}_to_naive']) for row in mine):.3f}"
            for name in MEASURES
        }
        coverage = np.array([float(row["coverage"]) for row in mine])
        found.append(
            {"method": method, "tables": len(mine)}
            | ratios
            | {
                "coverage": f"{coverage.mean():.3f}",
                "worst": f"{coverage.min():.2f}",
                "ours better": f"{better} of {len(pairs)}",
                "seconds": f"{np.median([float(row['seconds']) for row in mine]):.1f}",
            }
        )
    return found


def by_table(rows: list[Row]) -> list[Row]:
    """The quantile loss over that of the seasonal naive rule, a line for each table."""
    methods = dict.fromkeys(row["method"] for row in rows)
    known = {(row["table"], row["method"]): row["sql_to_naive"] for row in rows}
    names = dict.fromkeys(row["table"] for row in rows)
    return [{"table": name} | {method: known.get((name, method), "") for method in methods} for name in names]


BENCH = Bench(
    file="columns.csv", case=("table", "method"), columns=COLUMNS, run=run,
    options={"method": (NAIVE, OURS, ALONE, *(name for name in METHODS if name != NAIVE)), "table": tuple(TABLES)},
    code=lambda case: package_version(METHODS[case["method"]][0]) if case["method"] in METHODS else code_version(),
)  # fmt: skip

if __name__ == "__main__":
    command(__doc__, BENCH)
