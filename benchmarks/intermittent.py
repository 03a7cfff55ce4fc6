"""Intermittent demand beside peers: quantile loss on made series of items sold a day.

Series are made after the published description of the M5 competition (Makridakis et al. 2022, International Journal of
Forecasting 38, 1325-1336): most days of most items sell nothing, sales follow the week, come in lumps, drift, end and
begin, and items are out of stock for a while. The loss is that of its uncertainty track: pinball losses at nine levels
over the mean absolute change of the past from day to day.

Peers are those of `statsforecast`. Croston's family has no ranges of its own; they are those of conformal prediction,
as statsforecast offers them.

About 5 minutes of one core.

Usage: python benchmarks/intermittent.py [--method auto poisson AutoETS] [--series 9000 9001]
"""

import argparse
from collections.abc import Sequence

import numpy as np
import pandas as pd

from autostatistician import AutomaticStatistician, TargetOptions
from common import Array, Bench, Row, code_version, command, geometric_mean, package_version

COLUMNS = ("code", "zeros", "loss", "coverage95", "chosen", "expression", "seconds")
OWN = ("auto", "gaussian")
PEERS = (
    "CrostonClassic", "CrostonSBA", "CrostonOptimized", "TSB", "IMAPA", "ADIDA", "AutoETS", "SeasonalNaive",
)  # fmt: skip
LEVELS = np.array([0.005, 0.025, 0.165, 0.25, 0.5, 0.75, 0.835, 0.975, 0.995])  # of the M5 competition
FIRST_SEED = 9000
WINDOWS = 2  # of the days ahead, by whose errors ranges are made
WEEK = 7
PAST, AHEAD = 168, 28  # days


def made(seed: int) -> Array:
    """Items sold on each day, the last of them to be forecast."""
    rng = np.random.default_rng(seed)
    days = np.arange(PAST + AHEAD)
    week = np.exp(rng.uniform(0.0, 0.4) * np.array([-0.5, -0.6, -0.6, -0.3, 0.3, 0.9, 0.8]))[days % 7]
    drift = np.exp(np.cumsum(rng.normal(0.0, rng.choice([0.0, 0.03]), len(days))))
    rate = np.exp(rng.normal(-0.9, 0.9)) * week * drift
    lumps = rng.choice([0.0, 0.5, 1.5])  # dispersion of the rate of a day
    if lumps:
        rate = rate * rng.gamma(1.0 / lumps, lumps, len(days))
    customers = rng.poisson(rate)
    batch = rng.choice([1.0, 0.5])  # chance that a customer takes no more
    sold = np.array([n + rng.negative_binomial(n, batch) if n and batch < 1.0 else n for n in customers], dtype=float)
    if rng.random() < 0.3:  # out of stock
        begin = int(rng.integers(0, PAST - 30))
        sold[begin : begin + int(rng.integers(7, 28))] = 0.0
    if rng.random() < 0.2:  # not sold before
        sold[: int(rng.integers(20, 80))] = 0.0
    return sold if np.count_nonzero(sold[:PAST]) >= 4 else made(seed + 100_000)


def loss(quantiles: Array, sold: Array) -> float:
    """The mean pinball loss of quantiles (h, number of levels), over the mean change from day to day of the past."""
    errors = sold[PAST:, None] - quantiles
    pinball = np.maximum(LEVELS * errors, (LEVELS - 1.0) * errors)
    return float(pinball.mean() / np.abs(np.diff(sold[:PAST])).mean())


def own(method: str, sold: Array) -> tuple[Array, Row]:
    """Quantiles by a model of ours, and what it is."""
    days = pd.DataFrame({"day": pd.date_range("2015-01-05", periods=PAST + AHEAD, freq="D")})
    options = TargetOptions(likelihood=method)
    model = AutomaticStatistician(n_jobs=1, target_options=options).fit(
        days.iloc[:PAST], pd.Series(sold[:PAST], name="sold")
    )
    quantiles = model.predictive(days.iloc[PAST:]).quantiles(LEVELS.tolist())
    law = getattr(model.model_.likelihood, "name", model.transform_.name)
    return np.maximum(quantiles, 0.0), {
        "chosen": law, "expression": str(model.kernel_),
    }  # fmt: skip


def peer(name: str, sold: Array) -> Array:
    """Quantiles (h, number of levels) of one series; the levels are symmetric about a half."""
    from statsforecast import models
    from statsforecast.utils import ConformalIntervals

    bands = [float(100.0 * (1.0 - 2.0 * level)) for level in LEVELS if level < 0.5]
    kind = getattr(models, name)
    if name in ("AutoETS", "SeasonalNaive"):
        model = kind(season_length=WEEK)
    else:
        intervals = ConformalIntervals(h=AHEAD, n_windows=WINDOWS)
        options = {"alpha_d": 0.1, "alpha_p": 0.1} if name == "TSB" else {}
        model = kind(prediction_intervals=intervals, **options)
    made = model.forecast(y=sold[:PAST], h=AHEAD, level=sorted(bands))
    low = [np.asarray(made[_key(made, "lo", band)]) for band in bands]
    high = [np.asarray(made[_key(made, "hi", band)]) for band in bands[::-1]]
    return np.maximum(np.array([*low, np.asarray(made["mean"]), *high]).T, 0.0)


def _key(made: dict[str, object], side: str, band: float) -> str:
    """The name of an end of a band, however its number is written."""
    return next(key for key in made if key.startswith(side) and abs(float(key.split("-", 1)[1]) - band) < 1e-9)


def run(case: Row, _: argparse.Namespace) -> Row:
    """One forecast of one series."""
    sold = made(case["series"])
    is_own = case["method"] not in PEERS
    quantiles, about = own(case["method"], sold) if is_own else (peer(case["method"], sold), {})
    inside = (quantiles[:, 1] <= sold[PAST:]) & (sold[PAST:] <= quantiles[:, 7])
    return {
        "zeros": f"{np.mean(sold == 0.0):.2f}", "loss": f"{loss(quantiles, sold):.5f}",
        "coverage95": f"{inside.mean():.3f}", **about,
    }  # fmt: skip


def summary(rows: Sequence[Row]) -> list[Row]:
    """The geometric mean of the losses of every method over the series that all have, the least first."""
    by: dict[str, dict[str, Row]] = {}
    for each in rows:
        by.setdefault(each["method"], {})[each["series"]] = each
    common = set.intersection(*(set(each) for each in by.values())) if by else set()
    least = {name: min(float(each[name]["loss"]) for each in by.values()) for name in common}
    found = []
    for method, each in by.items():
        mine = [each[name] for name in sorted(common)]
        found.append({
            "method": method, "series": len(mine),
            "loss": f"{geometric_mean(float(one['loss']) for one in mine):.4f}",
            "ranges hold": f"{np.mean([float(one['coverage95']) for one in mine]):.3f}",
            "first": sum(float(one["loss"]) <= least[one["series"]] for one in mine),
        })  # fmt: skip
    return sorted(found, key=lambda one: float(one["loss"]))


BENCH = Bench(
    file="intermittent.csv", case=("method", "series"), columns=COLUMNS, run=run,
    options={"method": (*PEERS, *OWN), "series": tuple(range(FIRST_SEED, FIRST_SEED + 60))},
    more={"method": ("poisson",)},
    code=lambda case: package_version("statsforecast") if case["method"] in PEERS else code_version(),
)  # fmt: skip

if __name__ == "__main__":
    command(__doc__, BENCH)
