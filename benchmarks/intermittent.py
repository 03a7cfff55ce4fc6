"""Intermittent demand beside peers: quantile loss on made series of items sold a day.

Series are made after the published description of the M5 competition (Makridakis et al. 2022, International Journal of
Forecasting 38, 1325-1336): most days of most items sell nothing, sales follow the week, come in lumps, drift, end and
begin, and items are out of stock for a while. The loss is that of its uncertainty track: pinball losses at nine levels
over the mean absolute change of the past from day to day.

Peers are those of `statsforecast`; `--python` names the interpreter that has it.

Usage: python benchmarks/intermittent.py [--method auto poisson AutoETS] [--count 60] [--python PATH] [--summary]
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from autostatistician import AutomaticStatistician, TargetOptions
from common import Ledger, Row, arguments, code_version, geometric_mean, read_rows, table

Array = NDArray[np.float64]

HERE = Path(__file__).parent
CASE = ("method", "series")
COLUMNS = ("code", "zeros", "loss", "coverage95", "chosen", "expression", "seconds")
OWN = ("auto", "gaussian")
PEERS = (
    "CrostonClassic", "CrostonSBA", "CrostonOptimized", "TSB", "IMAPA", "ADIDA", "AutoETS", "SeasonalNaive",
)  # fmt: skip
LEVELS = np.array([0.005, 0.025, 0.165, 0.25, 0.5, 0.75, 0.835, 0.975, 0.995])  # of the M5 competition
FIRST_SEED = 9000
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
    start = time.process_time()
    options = TargetOptions(likelihood=method)
    model = AutomaticStatistician(n_jobs=1, target_options=options).fit(
        days.iloc[:PAST], pd.Series(sold[:PAST], name="sold")
    )
    quantiles = model.predictive(days.iloc[PAST:]).quantiles(LEVELS.tolist())
    law = getattr(model.model_.likelihood, "name", model.transform_.name)
    return np.maximum(quantiles, 0.0), {
        "chosen": law, "expression": str(model.kernel_), "seconds": f"{time.process_time() - start:.1f}",
    }  # fmt: skip


def peer(name: str, every: Sequence[Array], python: str) -> Array:
    """Quantiles (number of series, h, number of levels) by a peer, in its environment."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "series.npz", Path(folder) / "quantiles.npy"
        np.savez(source, y=np.array([sold[:PAST] for sold in every]), h=AHEAD, levels=LEVELS)
        subprocess.run([python, str(HERE / "intermittent_one.py"), name, str(source), str(target)], check=True)
        return np.asarray(np.load(target))


def row(method: str, seed: int, code: str, quantiles: Array, about: Row) -> Row:
    """What the table says of one forecast."""
    sold = made(seed)
    inside = (quantiles[:, 1] <= sold[PAST:]) & (sold[PAST:] <= quantiles[:, 7])
    return {
        "method": method, "series": seed, "code": code, "zeros": f"{np.mean(sold == 0.0):.2f}",
        "loss": f"{loss(quantiles, sold):.5f}", "coverage95": f"{inside.mean():.3f}", **about,
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


def main() -> None:
    """Run what is missing in the table, or show what it says."""
    parser = arguments(__doc__, "intermittent.csv", languages=())
    parser.add_argument("--method", nargs="+", default=[*PEERS, *OWN], help="these alone")
    parser.add_argument("--count", type=int, default=60, help="series")
    parser.add_argument("--python", default=sys.executable, help="interpreter that runs the peers")
    given = parser.parse_args()
    ledger, code = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh), code_version()
    seeds = [FIRST_SEED + k for k in range(given.count)]
    for method in () if given.summary else given.method:
        version = code if method in OWN else ""
        cases = [{"method": method, "series": seed, "code": version} for seed in seeds]
        left = [case["series"] for case in ledger.left(cases)]
        if method in PEERS and left:
            for seed, quantiles in zip(left, peer(method, [made(seed) for seed in left], given.python), strict=True):
                ledger.write(row(method, seed, version, quantiles, {}))
        for seed in left if method in OWN else ():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                ledger.write(row(method, seed, version, *own(method, made(seed))))
    print(table(summary(read_rows(given.csv))))


if __name__ == "__main__":
    main()
