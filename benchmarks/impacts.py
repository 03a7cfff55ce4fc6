"""Effects of events beside what is known of them: simulated months with a price and promotions, half without an event.

Every second table has an event in its last 6 to 12 months that moves all of them by 1 to 6 standard deviations of the
noise. A row says whether the 95 % range of the mean effect holds the truth, and whether an event is told.

About 7 minutes of one core.

Usage: python benchmarks/impacts.py [--seed 1000 1001]
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np
import pandas as pd

from autostatistician import AutomaticStatistician
from common import Bench, Row, command

COLUMNS = ("code", "rows", "after", "effect", "estimate", "low", "high", "p_value", "placebo_p", "is_event", "seconds")
FIRST_SEED = 1000


def made(seed: int) -> tuple[pd.DataFrame, int, float]:
    """A table, the row at which its event begins, and how large that is (0: there is none)."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(48, 90))
    begins, months = n - int(rng.integers(6, 13)), np.arange(n)
    price, promotion = rng.normal(5.0, 1.0, n), (rng.random(n) < 0.25).astype(float)
    course = [0.2 * months, np.cumsum(rng.normal(0.0, 0.3, n)), 0.0 * months][rng.integers(3)]
    season = rng.choice([0.0, 3.0]) * np.sin(2.0 * np.pi * months / 12.0)
    effect = 0.0 if seed % 2 else float(rng.choice([-1.0, 1.0]) * rng.uniform(1.0, 6.0))
    sales = 50.0 + course + season + 4.0 * promotion - 1.5 * (price - 5.0) + rng.normal(size=n)
    dates = pd.date_range("2015-01-01", periods=n, freq="MS")
    frame = pd.DataFrame({"month": dates, "sales": sales + effect * (months >= begins), "price": price})
    return frame.assign(promotion=promotion), begins, effect


def run(case: Row, _: argparse.Namespace) -> Row:
    """What `impact` says of a table."""
    frame, begins, effect = made(case["seed"])
    model = AutomaticStatistician(max_depth=1, n_restarts=2, n_jobs=1)
    told = model.impact(frame, "sales", since=str(frame["month"].iloc[begins].date()))
    numbers = {"effect": effect, **dict(zip(("estimate", "low", "high"), told.average, strict=True))}
    numbers |= {"p_value": told.p_value, "placebo_p": told.placebo_p}
    row = {"rows": len(frame), "after": len(frame) - begins, "is_event": int(told.is_event)}
    return row | {name: f"{number:.4g}" for name, number in numbers.items()}


def summary(rows: Sequence[Row]) -> list[Row]:
    """How often ranges hold and events are told, of tables with an event and without."""
    found = []
    for name, real in (("event", True), ("none", False)):
        mine = [row for row in rows if bool(float(row["effect"])) is real]
        holds = [float(row["low"]) <= float(row["effect"]) <= float(row["high"]) for row in mine]
        told = [row["is_event"] == "1" for row in mine]
        shares = {"ranges hold": f"{np.mean(holds):.3f}", "called an event": f"{np.mean(told):.3f}"} if mine else {}
        found += [{"tables with": name, "count": len(mine), **shares}] if mine else []
    return found


BENCH = Bench(
    file="impacts.csv", case=("seed",), columns=COLUMNS, run=run,
    options={"seed": tuple(range(FIRST_SEED, FIRST_SEED + 40))},
)  # fmt: skip

if __name__ == "__main__":
    command(__doc__, BENCH)
