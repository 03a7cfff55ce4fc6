"""Monthly series with known truth, made by plain numpy that knows nothing of the language of models."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from truth_compare import Made, Truth

__all__ = ["SERIES"]

Array = NDArray[np.float64]
FIRST = 2015
SLACK = 0.13  # a month and a half, in years
TENTH = 10


def _made(
    rng: np.random.Generator,
    level: Array,
    sd: float | Array,
    *,
    swing: float = 0.0,
    told: tuple[Truth, ...] = (),
    events: Array | None = None,
) -> Made:
    """Months with a level (n,), a yearly cosine, noise and events; what follows from these is added to the truths."""
    n, month = len(level), np.arange(len(level))
    season = swing * np.cos(2.0 * np.pi * (month - 6) / 12.0)
    sds = np.broadcast_to(np.asarray(sd, dtype=float), n)
    y = level + season + rng.normal(0.0, 1.0, n) * sds + (0.0 if events is None else events)
    part = max(n // TENTH, 2)
    rise = float(level[-part:].mean() - level[:part].mean())
    slope = float(12.0 * np.polyfit(month[-part:], level[-part:], 1)[0])
    noise = float(sds.mean())
    truths = [
        Truth("rise", rise, small=noise, prominent=abs(rise) > 3.0 * noise),
        Truth("slope", slope, small=noise * 12.0 / n, prominent=abs(slope) * n / 12.0 > 3.0 * noise),
        Truth("scatter", float(sds[-1] / sds[0]), prominent=bool(sds[-1] != sds[0])),
    ]
    if swing:
        truths.append(Truth("season", 1.0))
    dates = [f"{FIRST + k // 12}-{k % 12 + 1:02d}" for k in month]
    return Made({"month": dates, "value": np.round(y, 3).tolist()}, (*truths, *told))


def _at(month: int) -> float:
    return FIRST + month / 12.0


def _step(month: int, size: float) -> Truth:
    return Truth("step", size, at=_at(month), slack=SLACK)


def _event(month: int, size: float, slack: float = SLACK) -> Truth:
    return Truth("event", size, at=_at(month), slack=slack)


def _noise(rng: np.random.Generator) -> Made:
    return _made(rng, np.full(60, 100.0), 5.0)


def _line(rng: np.random.Generator) -> Made:
    return _made(rng, 100.0 + 1.0 * np.arange(60), 4.0)


def _falling_line(rng: np.random.Generator) -> Made:
    return _made(rng, 200.0 - 1.5 * np.arange(48), 6.0)


def _season(rng: np.random.Generator) -> Made:
    return _made(rng, np.full(72, 100.0), 3.0, swing=15.0)


def _line_season(rng: np.random.Generator) -> Made:
    return _made(rng, 100.0 + 0.8 * np.arange(72), 3.0, swing=12.0)


def _up(rng: np.random.Generator) -> Made:
    return _made(rng, 100.0 + 25.0 * (np.arange(60) >= 35), 4.0, told=(_step(35, 25.0),))


def _down_season(rng: np.random.Generator) -> Made:
    return _made(rng, 100.0 - 30.0 * (np.arange(72) >= 40), 4.0, swing=12.0, told=(_step(40, -30.0),))


def _kink(rng: np.random.Generator) -> Made:
    month = np.arange(60)
    return _made(rng, 100.0 + np.maximum(month - 30, 0) * 2.0, 3.0)


def _s_shape(rng: np.random.Generator) -> Made:
    return _made(rng, 100.0 + 60.0 / (1.0 + np.exp(-(np.arange(72) - 36) / 5.0)), 4.0)


def _damped(rng: np.random.Generator) -> Made:
    return _made(rng, 100.0 + 80.0 * (1.0 - np.exp(-np.arange(60) / 12.0)), 4.0)


def _drift(rng: np.random.Generator) -> Made:
    return _made(rng, 100.0 + np.cumsum(rng.normal(2.0, 2.0, 60)), 0.5)


def _scatter(rng: np.random.Generator) -> Made:
    return _made(rng, np.full(96, 60.0), np.where(np.arange(96) < 48, 2.0, 8.0))


def _outlier(rng: np.random.Generator) -> Made:
    return _made(rng, np.full(60, 100.0), 4.0, events=-60.0 * (np.arange(60) == 25), told=(_event(25, -60.0),))


def _last_outlier(rng: np.random.Generator) -> Made:
    return _made(rng, np.full(36, 100.0), 5.0, events=-60.0 * (np.arange(36) == 35), told=(_event(35, -60.0),))


def _lockdown(rng: np.random.Generator) -> Made:
    month = np.arange(96)
    level = 900.0 + 4.0 * month
    events = np.where((month >= 62) & (month < 77), -0.75 * level, 0.0)
    told = (_event(62, float(events[62:77].mean())), _step(62, float(events[62])), _step(77, float(-events[76])))
    return _made(rng, level, 25.0, swing=30.0, events=events, told=told)


SERIES: dict[str, Callable[[np.random.Generator], Made]] = {
    "noise": _noise,
    "line": _line,
    "falling line": _falling_line,
    "season": _season,
    "line and season": _line_season,
    "step up": _up,
    "step down and season": _down_season,
    "kink": _kink,
    "s-shape": _s_shape,
    "damped trend": _damped,
    "walk with drift": _drift,
    "scatter quadruples": _scatter,
    "outlier": _outlier,
    "last outlier": _last_outlier,
    "lockdown": _lockdown,
}
