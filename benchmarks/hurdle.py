"""Items sold on few days, several at once: a hurdle beside the other laws of counts.

Made series of 196 days, the last 28 of them forecast: nothing with a chance of .3 to .8, else one and a Poisson number
about a mean of 2 to 15 that has a week and may drift. In every other series the chance of nothing drifts, too, which
the hurdle of the package does not know. Scores: the mean log probability of a count, and the loss of `intermittent.py`.

Usage: python benchmarks/hurdle.py [--count 5] [--summary]
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from autostatistician import AutomaticStatistician, TargetOptions
from common import Ledger, Row, arguments, code_version, geometric_mean, read_rows, table
from intermittent import AHEAD, LEVELS, PAST, loss

Array = NDArray[np.float64]

CASE = ("seed", "likelihood")
COLUMNS = ("code", "drifts", "zeros", "chosen", "log_score", "loss", "coverage95", "expression", "seconds")
LIKELIHOODS = ("auto", "poisson", "negative-binomial")
FIRST_SEED = 19_000
QUICK = {"max_depth": 2, "n_restarts": 2, "n_jobs": 1}  # of all alike


def made(seed: int) -> Array:
    """Items sold on each day."""
    rng, days = np.random.default_rng(seed), np.arange(PAST + AHEAD)
    size = rng.uniform(2.0, 15.0) * np.exp(rng.uniform(0.0, 0.4) * np.sin(2.0 * np.pi * days / 7.0))
    size = size * np.exp(rng.choice([0.0, 0.003]) * days)
    odds = np.log(1.0 / rng.uniform(0.3, 0.8) - 1.0) + (rng.choice([-1.0, 1.0]) * days / PAST if seed % 2 else 0.0)
    some = rng.random(len(days)) < 1.0 / (1.0 + np.exp(-odds))
    return np.where(some, 1.0 + rng.poisson(size), 0.0)


def run(seed: int, likelihood: str, code: str) -> Row:
    """One model of the past of a series, and its forecast."""
    sold = made(seed)
    days = pd.DataFrame({"day": pd.date_range("2015-01-05", periods=PAST + AHEAD, freq="D")})
    start, options = time.process_time(), TargetOptions(likelihood=likelihood)
    model = AutomaticStatistician(**QUICK, target_options=options).fit(
        days.iloc[:PAST], pd.Series(sold[:PAST], name="sold")
    )
    ahead = model.predictive(days.iloc[PAST:])
    quantiles = ahead.quantiles(LEVELS.tolist())
    inside = (quantiles[:, 1] <= sold[PAST:]) & (sold[PAST:] <= quantiles[:, 7])
    return {
        "seed": seed, "likelihood": likelihood, "code": code, "drifts": seed % 2,
        "zeros": f"{np.mean(sold == 0.0):.2f}", "chosen": getattr(model.model_.likelihood, "name", "gaussian"),
        "log_score": f"{ahead.log_density(sold[PAST:]).mean():.4f}", "loss": f"{loss(quantiles, sold):.5f}",
        "coverage95": f"{inside.mean():.3f}", "expression": str(model.kernel_),
        "seconds": f"{time.process_time() - start:.1f}",
    }  # fmt: skip


def summary(rows: Sequence[Row]) -> list[Row]:
    """By whether the chance of nothing drifts: mean log scores, losses, what was chosen."""
    found: list[Row] = []
    for drifts in ("0", "1"):
        for likelihood in LIKELIHOODS:
            mine = [row for row in rows if row["drifts"] == drifts and row["likelihood"] == likelihood]
            if mine:
                found.append({
                    "chance drifts": drifts, "likelihood": likelihood, "series": len(mine),
                    "hurdle": sum(row["chosen"] == "hurdle" for row in mine),
                    "log score": f"{np.mean([float(row['log_score']) for row in mine]):.3f}",
                    "loss": f"{geometric_mean(float(row['loss']) for row in mine):.4f}",
                    "ranges hold": f"{np.mean([float(row['coverage95']) for row in mine]):.3f}",
                    "seconds": f"{np.mean([float(row['seconds']) for row in mine]):.1f}",
                })  # fmt: skip
    return found


def main() -> None:
    """Run what is missing in the table, or show what it says."""
    parser = arguments(__doc__, "hurdle.csv", languages=())
    parser.add_argument("--count", type=int, default=5, help="series")
    given = parser.parse_args()
    ledger, code = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh), code_version()
    for seed in () if given.summary else range(FIRST_SEED, FIRST_SEED + given.count):
        for likelihood in LIKELIHOODS:
            if ledger.left([{"seed": seed, "likelihood": likelihood, "code": code}]):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    ledger.write(run(seed, likelihood, code))
    print(table(summary(read_rows(given.csv))))


if __name__ == "__main__":
    main()
