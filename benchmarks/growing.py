"""Forecasts of made series whose growth changes, beside the automatic models of statsforecast.

Four kinds of 30 to 120 rows: lines with a kink; curves that approach a level (exponentials and S-curves, seen to
between a third and nearly all of it); counts that add up, of events that come evenly, ever more rarely or in a wave;
and trends that are damped from step to step. What is expected after the last row, and how it scatters, is known.

``direction``: whether a forecast ends on the side of the last level where the truth ends, of series whose truth moves
by more than two of its own deviations; ``sql``: twice the mean pinball loss of the deciles, expected over all that may
come, in units of that of the truth (1: nothing is left to gain); ``coverage``: the chance that a range of 95 % holds
what comes; ``width``: of these ranges, in units of those of the truth.

About 3 minutes of one core.

Usage: python benchmarks/growing.py [--kind saturation] [--seed 0 1 2] [--method ours AutoETS]
"""

import argparse
from dataclasses import replace
from statistics import fmean
from typing import NamedTuple

import numpy as np
from scipy.special import expit

from common import Array, Bench, Row, code_version, command, options, package_version, processor
from corpus import METHODS, forecast, ours
from corpus_scores import LEVELS, OURS, scored
from corpus_series import Series

PEERS = ("AutoETS", "AutoARIMA", "AutoTheta")
SERIES = 20  # of every kind
CLEAR = 2.0  # deviations
DRAWS = 500  # of what comes


class Made(NamedTuple):
    """Values (n,), the level at the last of them, and futures (draws, horizon)."""

    values: Array
    level: float
    futures: Array


def _about(mean: Array, n: int, sd: float, rng: np.random.Generator) -> Made:
    """Values that scatter evenly about a mean (n + horizon,)."""
    futures = mean[n:] + rng.normal(0.0, sd, (DRAWS, len(mean) - n))
    return Made(mean[:n] + rng.normal(0.0, sd, n), float(mean[n - 1]), futures)


def _kink(n: int, horizon: int, rng: np.random.Generator) -> Made:
    """A line that bends between three and eight tenths of its rows."""
    t, at = np.arange(float(n + horizon)), rng.uniform(0.3, 0.8) * n
    before, after = rng.normal(0.0, 1.0, 2)
    mean = rng.uniform(-1.0, 2.0) * n + before * t + (after - before) * np.maximum(t - at, 0.0)
    return _about(mean, n, rng.choice([0.5, 1.5, 4.0]), rng)


def _saturation(n: int, horizon: int, rng: np.random.Generator) -> Made:
    """An exponential approach to a level, or an S-curve."""
    t, level = np.arange(float(n + horizon)) / n, 10.0 ** rng.uniform(0.0, 3.0)
    curves = 1.0 - np.exp(-rng.uniform(1.0, 4.0) * t), expit(rng.uniform(5.0, 12.0) * (t - rng.uniform(0.3, 0.7)))
    mean = level * (rng.uniform(0.0, 0.3) + curves[rng.integers(2)])
    return _about(mean, n, level * rng.choice([0.01, 0.03, 0.08]), rng)


def _cumulative(n: int, horizon: int, rng: np.random.Generator) -> Made:
    """Events so far: as many in every step, fewer and fewer, or a wave of them; uneven beyond chance or not."""
    t, size = np.arange(float(n + horizon)) / n, 10.0 ** rng.uniform(0.7, 2.3)
    wave = expit(rng.uniform(5.0, 12.0) * (t - rng.uniform(0.3, 0.7)))
    rates = np.ones_like(t), np.exp(-rng.uniform(1.0, 3.0) * t), 4.0 * wave * (1.0 - wave)
    rate, shape = size * rates[rng.integers(3)], rng.choice([10.0, 100.0, 1e6])
    past = np.cumsum(rng.poisson(rate[:n] * rng.gamma(shape, 1.0 / shape, n))).astype(float)
    events = rng.poisson(rate[n:] * rng.gamma(shape, 1.0 / shape, (DRAWS, horizon)))
    return Made(past, float(past[-1]), past[-1] + np.cumsum(events, axis=1))


def _damped(n: int, horizon: int, rng: np.random.Generator) -> Made:
    """A level with a slope that every step damps and moves, and values that scatter about it."""
    damping, moves, noise = rng.uniform(0.8, 0.97), rng.choice([0.05, 0.2, 0.5]), rng.choice([0.2, 1.0, 3.0])
    level, slope, levels = np.full(DRAWS, rng.uniform(10.0, 100.0)), np.full(DRAWS, rng.normal(0.0, 1.5)), []
    for step in range(n + horizon):
        slope = damping * slope + moves * rng.normal(0.0, 1.0, 1 if step < n else DRAWS)  # one past, many futures
        level = level + slope
        levels.append(level)
    every = np.array(levels)
    values = every[:n, 0] + noise * rng.normal(0.0, 1.0, n)
    return Made(values, float(every[n - 1, 0]), (every[n:] + noise * rng.normal(0.0, 1.0, (horizon, DRAWS))).T)


MAKERS = {"kink": _kink, "saturation": _saturation, "cumulative": _cumulative, "damped": _damped}


def made(kind: str, number: int, seed: int) -> tuple[Series, Made]:
    """A series of a kind with what came, and what was known of it."""
    rng = np.random.default_rng([seed, number, list(MAKERS).index(kind)])
    found = MAKERS[kind](int(rng.integers(30, 121)), int(rng.integers(12, 25)), rng)
    return Series("made", "yearly", f"{kind} {number}", found.values, found.futures[0], 1), found


def run(case: Row, _: argparse.Namespace) -> Row:
    """Forecast one series and score the forecast."""
    series, known = made(case["kind"], case["number"], case["seed"])
    start, method = processor(), case["method"]
    quantiles, told = ours(series, options(case["settings"])) if method == OURS else (forecast(method, series)[0], {})
    seconds = processor() - start
    truth = np.quantile(known.futures, LEVELS, axis=0).T
    futures = [replace(series, future=future) for future in known.futures]
    best, loss = (fmean(scored(one, each)["sql"] for one in futures) for each in (truth, quantiles))
    (low, high), (lowest, highest) = quantiles[:, [0, -1]].T, truth[:, [0, -1]].T
    moved, sd = known.futures[:, -1].mean() - known.level, known.futures[:, -1].std()
    forecast_moved = quantiles[-1, len(LEVELS) // 2] - known.level
    return {
        "n": len(series.values), "sql": round(loss / best, 4),
        "coverage": round(float(np.mean((low <= known.futures) & (known.futures <= high))), 4),
        "width": round(float(np.mean(high - low) / np.mean(highest - lowest)), 4),
        "direction": int(moved * forecast_moved > 0.0) if abs(moved) > CLEAR * sd else "",
        "seconds": round(seconds, 2), "expression": told.get("expression", ""),
    }  # fmt: skip


def code(case: Row) -> str | None:
    """Of ours or of the package of a peer."""
    return code_version() if case["method"] == OURS else package_version(METHODS[case["method"]][0])


BENCH = Bench(
    file="growing.csv", case=("kind", "number", "seed", "method", "settings"), run=run, code=code,
    columns=("code", "n", "sql", "coverage", "width", "direction", "seconds", "expression"),
    options={"kind": tuple(MAKERS), "number": tuple(range(SERIES)), "seed": (0,), "method": (OURS, *PEERS),
             "settings": ("",)},
)  # fmt: skip


if __name__ == "__main__":
    command(__doc__, BENCH)
