"""Series with known truth, made by plain numpy that knows nothing of the language of models."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from truth_compare import Made, Truth

__all__ = ["SERIES"]

Array = NDArray[np.float64]
Rng = np.random.Generator
# Rows in a unit of the axis: years of months and quarters, days, rows.
PER_UNIT = {"MS": 12.0, "QS": 4.0, "YS": 1.0, "D": 1.0, "rows": 1.0}


@dataclass(frozen=True)
class Wave:
    """A season of ``rows``, ``swing`` from its lowest to its highest, which is at row ``top`` first."""

    rows: float
    swing: float
    top: float
    growth: float = 0.0  # of the swing, by the end

    def seen(self, count: int) -> float:
        """From its lowest to its highest at rows 0 to count - 1."""
        return float(np.ptp(self.values(count)))

    def values(self, count: int) -> Array:
        """The season at rows 0 to count - 1."""
        row = np.arange(count)
        size = 0.5 * self.swing * (1.0 + self.growth * row / count)
        return np.asarray(size * np.cos(2.0 * np.pi * (row - self.top) / self.rows))


def _made(
    rng: Rng,
    level: Array,
    sd: float | Array,
    *,
    freq: str = "MS",
    waves: tuple[Wave, ...] = (),
    told: tuple[Truth, ...] = (),
    events: Array | float = 0.0,
    values: Callable[[Array], Array] = np.asarray,
    gaps: float = 0.0,
) -> Made:
    """Rows with a level (n,), seasons, events and noise, as tables have them; a share of rows may be missing."""
    n = len(level)
    sds = np.broadcast_to(np.asarray(sd, dtype=float), n)
    y = values(level + sum(wave.values(n) for wave in waves) + events + rng.normal(0.0, 1.0, n) * sds)
    seasons = tuple(
        Truth("season", w.rows / PER_UNIT[freq], at=w.top, until=w.top + w.rows, swing=None if w.growth else w.seen(n))
        for w in waves
    )
    whole = min(n, 2 * max((w.rows for w in waves), default=0))  # rows of the first cycles, where tops are told, stay
    kept = np.append(np.arange(whole), whole + np.sort(rng.permutation(n - whole)[: round((1.0 - gaps) * n) - whole]))
    dated = freq != "rows"
    times = np.array(pd.date_range("2015-01-01", periods=n, freq=freq).strftime("%Y-%m-%d")) if dated else np.arange(n)
    columns = {"date" if dated else "row": times[kept].tolist(), "value": np.round(y, 3)[kept].tolist()}
    return Made(columns, level[kept] + np.zeros(len(kept)), float(np.median(sds)), (*seasons, *told))


def _flat(n: int, level: float = 100.0) -> Array:
    return np.full(n, level)


def _line(n: int, slope: float, level: float = 100.0) -> Array:
    return level + slope * np.arange(n)


def _step(rng: Rng) -> Made:
    return _made(rng, 100.0 + 25.0 * (np.arange(60) >= 35), 4.0, told=(Truth("step", 25.0, at=35.0),))


def _down_season(rng: Rng) -> Made:
    level = 100.0 - 30.0 * (np.arange(72) >= 40)
    return _made(rng, level, 4.0, waves=(Wave(12, 24.0, 6),), told=(Truth("step", -30.0, at=40.0),))


def _two_steps(rng: Rng) -> Made:
    row = np.arange(100)
    told = Truth("step", 30.0, at=30.0), Truth("step", -40.0, at=70.0)
    return _made(rng, 200.0 + 30.0 * (row >= 30) - 40.0 * (row >= 70), 5.0, told=told)


def _lockdown(rng: Rng) -> Made:
    row = np.arange(96)
    level = 900.0 + 4.0 * row
    events = np.where((row >= 62) & (row < 77), -0.75 * level, 0.0)
    told = (Truth("event", float(events[62]), at=62.0, until=77.0),)
    return _made(rng, level, 25.0, waves=(Wave(12, 60.0, 6),), events=events, told=told)


def _scatter(rng: Rng) -> Made:
    sds = np.where(np.arange(96) < 48, 2.0, 8.0)
    return _made(rng, _flat(96, 60.0), sds, told=(Truth("scatter", 4.0, at=48.0, slack=9.0),))


def _days_of_scatter(rng: Rng) -> Made:
    sds = np.where(np.arange(200) < 110, 2.0, 8.0)
    return _made(rng, _flat(200, 60.0), sds, freq="D", told=(Truth("scatter", 4.0, at=110.0, slack=15.0),))


def _walk(rng: Rng) -> Made:
    return _made(rng, 100.0 + np.cumsum(rng.normal(2.0, 2.0, 60)), 0.5)


def _still_walk(rng: Rng) -> Made:
    return _made(rng, 100.0 + np.cumsum(rng.normal(0.0, 2.0, 120)), 0.5)


def _arma(rng: Rng) -> Made:
    noise, level = rng.normal(0.0, 3.0, 160), np.zeros(160)
    for row in range(1, 160):
        level[row] = 0.7 * level[row - 1] + noise[row] + 0.3 * noise[row - 1]
    return _made(rng, 50.0 + level, 0.3)


def _single(row: int, size: float) -> Truth:
    """A value that stands alone: a report may say it as an event, or only among the values set aside."""
    return Truth("event", size, at=float(row), until=row + 1.0, slack=0.5, prominent=False)


def _outliers(rng: Rng) -> Made:
    sizes = {12: -40.0, 25: 50.0, 41: -60.0}
    events = np.zeros(60)
    events[list(sizes)] = list(sizes.values())
    return _made(rng, _flat(60), 4.0, events=events, told=tuple(_single(row, size) for row, size in sizes.items()))


def _last_outlier(rng: Rng) -> Made:
    return _made(rng, _flat(36), 5.0, events=-60.0 * (np.arange(36) == 35), told=(_single(35, -60.0),))


def _kink(rng: Rng) -> Made:
    return _made(rng, 100.0 + np.maximum(np.arange(60) - 30, 0) * 2.0, 3.0)


def _roof(rng: Rng) -> Made:
    row = np.arange(80)
    return _made(rng, 100.0 + np.where(row < 45, 1.2 * row, 54.0 - 0.9 * (row - 45)), 4.0)


def _s_shape(rng: Rng) -> Made:
    return _made(rng, 100.0 + 60.0 / (1.0 + np.exp(-(np.arange(72) - 36) / 5.0)), 4.0)


def _damped(rng: Rng) -> Made:
    return _made(rng, 100.0 + 80.0 * (1.0 - np.exp(-np.arange(60) / 12.0)), 4.0)


def _exponential(rng: Rng) -> Made:
    level = 100.0 * np.exp(0.03 * np.arange(72))
    return _made(rng, level, 0.05 * level)


def _ramp(rng: Rng) -> Made:
    return _made(rng, 100.0 + np.clip(np.arange(90) - 40, 0, 12) * 3.0, 3.0)


def _counts(rng: Rng) -> Made:
    level = 4.0 + 3.0 * np.cos(2.0 * np.pi * (np.arange(96) - 6) / 12.0)
    table = _made(rng, _flat(96, 4.0), 0.0, waves=(Wave(12, 6.0, 6),))
    return Made(table.columns | {"value": rng.poisson(level).tolist()}, _flat(96, 4.0), 2.0, table.truths)


def _percentages(rng: Rng) -> Made:
    return _made(rng, _flat(80, 98.5), 1.2, values=lambda y: np.minimum(y, 100.0))


def _rounded(rng: Rng) -> Made:
    return _made(rng, _line(70, 0.15, 20.0), 1.0, values=np.round)


def _week(rng: Rng) -> Made:
    return _made(rng, _line(200, 0.05, 80.0), 4.0, freq="D", waves=(Wave(7, 24.0, 4),))


def _two_waves(rng: Rng) -> Made:
    return _made(rng, _flat(240, 50.0), 2.0, freq="rows", waves=(Wave(12, 16.0, 3), Wave(41, 10.0, 10.25)))


def _year_and_long(rng: Rng) -> Made:
    return _made(rng, _flat(240, 50.0), 2.0, waves=(Wave(12, 16.0, 3), Wave(41, 10.0, 10.25)))


def _two_thousand(rng: Rng) -> Made:
    return _made(rng, _line(2000, 0.01), 5.0, freq="D", waves=(Wave(7, 20.0, 4),))


SERIES: dict[str, Callable[[Rng], Made]] = {
    "noise": lambda rng: _made(rng, _flat(60), 5.0),
    "line": lambda rng: _made(rng, _line(60, 1.0), 4.0),
    "falling line": lambda rng: _made(rng, _line(48, -1.5, 200.0), 6.0),
    "season": lambda rng: _made(rng, _flat(72), 3.0, waves=(Wave(12, 30.0, 6),)),
    "line and season": lambda rng: _made(rng, _line(72, 0.8), 3.0, waves=(Wave(12, 24.0, 6),)),
    "quarters": lambda rng: _made(rng, _line(48, 1.0, 300.0), 4.0, freq="QS", waves=(Wave(4, 40.0, 1),)),
    "growing swings": lambda rng: _made(rng, _line(96, 1.0), 3.0, waves=(Wave(12, 12.0, 6, 2.0),)),
    "gaps": lambda rng: _made(rng, _line(96, 0.8), 3.0, waves=(Wave(12, 24.0, 6),), gaps=0.15),
    "eight rows": lambda rng: _made(rng, _line(8, 6.0), 2.0, freq="YS"),
    "step up": _step,
    "step down and season": _down_season,
    "two steps": _two_steps,
    "lockdown": _lockdown,
    "kink": _kink,
    "roof": _roof,
    "ramp": _ramp,
    "s-shape": _s_shape,
    "damped trend": _damped,
    "exponential": _exponential,
    "walk with drift": _walk,
    "walk": _still_walk,
    "arma": _arma,
    "scatter quadruples": _scatter,
    "scatter by days": _days_of_scatter,
    "outliers": _outliers,
    "last outlier": _last_outlier,
    "counts": _counts,
    "percentages": _percentages,
    "rounded": _rounded,
    "week": _week,
    "two waves": _two_waves,
    "year and long wave": _year_and_long,
    "two thousand rows": _two_thousand,
}
