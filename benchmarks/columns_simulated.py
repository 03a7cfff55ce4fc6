"""Simulated tables with time and columns whose effects are known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

__all__ = ["LONGEST_LAG", "Simulated", "late_column", "sales", "several_columns"]

Array = NDArray[np.float64]

PERIODS = {"MS": 12.0, "W-MON": 52.18, "D": 7.0}
LONGEST_LAG = {"MS": 12, "W-MON": 12, "D": 7}
PROMOTION, PRICE = 25.0, -6.0


@dataclass(frozen=True, eq=False)
class Simulated:
    """A table with columns "date" and "y", what one unit of each other column adds, and how many steps later.

    ``over_time`` is what there is beside the columns and the noise.
    """

    frame: pd.DataFrame
    effects: dict[str, float]
    lags: dict[str, int]
    over_time: Array


def several_columns(seed: int) -> Simulated:
    """Two to five columns, half of which act."""
    rng = np.random.default_rng(seed)
    dates, over_time, period = _time(rng, int(rng.integers(50, 220)))
    common = rng.normal(size=len(dates))
    columns, effects = {}, {}
    for place in range(int(rng.integers(2, 6))):
        kind = str(rng.choice(["flag", "noise", "autocorrelated", "correlated", "trend", "season"]))
        values = _column(kind, len(dates), period, common, rng)
        if np.ptp(values) > 0.0:
            name = f"{kind}{place}"
            columns[name], effects[name] = values, _size(kind, values, 0.5, rng) if rng.random() < 0.5 else 0.0
    added = np.sum([effects[name] * columns[name] for name in columns], axis=0)
    y = over_time + added + rng.normal(size=len(dates))
    return Simulated(pd.DataFrame({"date": dates, "y": y, **columns}), effects, dict.fromkeys(columns, 0), over_time)


def late_column(seed: int) -> Simulated:
    """A column that acts 1 to 12 steps later (of days up to 7), and one that does not act."""
    rng = np.random.default_rng(seed)
    dates, over_time, period = _time(rng, int(rng.integers(100, 220)))
    n, lag = len(dates), int(rng.integers(1, 1 + LONGEST_LAG[str(dates.freqstr)]))
    kind = str(rng.choice(["flag", "noise", "autocorrelated"]))
    whole = _column(kind, n + lag, period, rng.normal(size=n + lag), rng)
    size = _size(kind, whole, 1.0, rng)
    frame = pd.DataFrame({"date": dates, kind: whole[lag:], "other": rng.normal(size=n)})
    y = over_time + size * whole[:n] + rng.normal(size=n)
    return Simulated(frame.assign(y=y), {kind: size, "other": 0.0}, {kind: lag, "other": 0}, over_time)


def sales(seed: int) -> Simulated:
    """120 weeks of sales with a trend and a season, a price that moves, promotions now and then."""
    rng = np.random.default_rng(seed)
    n = 120
    weeks = np.arange(n)
    price = np.repeat(rng.normal(10.0, 1.0, n // 6), 6).round(2)
    promotion = (rng.random(n) < 0.15).astype(float)
    over_time = 200.0 + 0.3 * weeks + 15.0 * np.sin(2.0 * np.pi * weeks / PERIODS["W-MON"])
    y = over_time + PRICE * price + PROMOTION * promotion + rng.normal(0.0, 5.0, n)
    dates = pd.date_range("2023-01-02", periods=n, freq="W-MON")
    frame = pd.DataFrame({"date": dates, "y": y, "price": price, "promo": promotion.astype(int)})
    return Simulated(frame, {"price": PRICE, "promo": PROMOTION}, {"price": 0, "promo": 0}, over_time)


def _time(rng: np.random.Generator, n: int) -> tuple[pd.DatetimeIndex, Array, float]:
    """Dates, a level with one of four trends and perhaps a season, and the length of the season in steps."""
    step = str(rng.choice(list(PERIODS)))
    period, at = PERIODS[step], np.arange(n)
    trends = (0.05 * at, np.cumsum(rng.normal(0.0, 0.4, n)), 6.0 / (1.0 + np.exp((0.5 * n - at) * 12.0 / n)), 0.0 * at)
    season = rng.choice([0.0, 2.0, 4.0]) * np.sin(2.0 * np.pi * at / period + rng.uniform(0.0, 6.0))
    return pd.date_range("2015-01-01", periods=n, freq=step), 20.0 + trends[rng.integers(4)] + season, period


def _column(kind: str, n: int, period: float, common: Array, rng: np.random.Generator) -> Array:
    """The values (n,) of a column of some kind."""
    at = np.arange(n)
    if kind == "flag":
        return np.asarray(rng.random(n) < rng.choice([0.1, 0.3]), dtype=np.float64)
    if kind == "noise":
        return rng.normal(10.0, 2.0, n)
    if kind == "autocorrelated":
        values, news = np.zeros(n), rng.normal(size=n)
        for row in range(1, n):
            values[row] = 0.9 * values[row - 1] + news[row]
        return values
    if kind == "correlated":
        return common + 0.6 * rng.normal(size=n)
    if kind == "trend":
        return 0.03 * at + np.cumsum(rng.normal(0.0, 0.3, n))
    return np.asarray(np.cos(2.0 * np.pi * at / period) + 0.5 * rng.normal(size=n))


def _size(kind: str, values: Array, least: float, rng: np.random.Generator) -> float:
    """An effect of ``least`` to 3 times the noise: of a flag, or of a standard deviation of another column."""
    size = float(rng.choice([-1.0, 1.0]) * rng.uniform(least, 3.0))
    return size if kind == "flag" else size / float(values.std())
