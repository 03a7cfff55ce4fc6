"""What forecasts gain where growth is drawn to that of the whole of the data, and by an average over both scales.

Series of the `learning` half of the corpus are fitted with the defaults, and forecast with other shares of the growth
of the past (on the logarithm of so much of it) and of the other scale. Losses are those of the corpus, relative to the
seasonal naive rule: geometric means over six tasks. Written to `results/growth.csv`; the package holds the shares
(`model/past_growth.py`, `model/other_scale.py`).

Usage: python benchmarks/learn_growth.py [--each 12] [--rows 180]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from autostatistician import AutomaticStatistician
from autostatistician.inference.predictive import Averaged, Predictive
from autostatistician.model.ensemble import ensemble
from autostatistician.model.fitted import Model
from autostatistician.model.past_growth import drawn_to_past, past_growth
from common import RESULTS, code_version, geometric_mean
from corpus import spread
from corpus_peers import forecast
from corpus_scores import LEVELS, NAIVE, scored
from corpus_series import KINDS, Array, Series, learning, task_name

MEASURES = ("mase", "sql", "msis")
PAST = (0.3, 0.6)  # shares of the growth of the past
BY_PERCENT = (0.5, 0.75, 1.0)  # of that growth on the logarithm
MOST = (1.0, 2.0)  # standard deviations of the growth by the model, by which a value moves at most
OTHER = (0.0, 0.4)  # shares of the other scale


def on_scale(model: Model, X: Array, past: float, by_percent: float, most: float) -> Predictive:
    """The forecast of the models on one scale."""
    members = ensemble(model)
    slope = past_growth(model.modelled) * (by_percent if model.transform.is_log else 1.0)
    moments = [member.observations(X) for member in members.members]
    means = [
        mean + drawn_to_past(member, X, slope, past, most)
        for member, (mean, _) in zip(members.members, moments, strict=True)
    ]
    sds = np.array([sd for _, sd in moments])
    return Predictive(np.array(means), sds, members.weights, model.transform, model.modelled.offset)


def losses(series: Series) -> Iterator[dict[str, Any]]:
    """One row for every way to forecast a series."""
    n = len(series.values)
    known = pd.DataFrame({"date": series.dates[:n]})
    model = AutomaticStatistician(n_jobs=1).fit(known, series.values).model_
    axis, other = model.dataset.axis, model.on_other_scale
    assert axis is not None
    X = axis.future(model.last, series.horizon)[:, None]
    for past, by_percent, most in ((0.0, 1.0, 0.0), *product(PAST, BY_PERCENT, MOST)):
        chosen = on_scale(model, X, past, by_percent, most)
        second = None if other is None else on_scale(other, X, past, by_percent, most)
        for share in OTHER:
            ahead = chosen if second is None else Averaged(chosen, second, np.full(series.horizon, share))
            yield (
                {"past": past, "by percent": by_percent, "most": most, "other": share}
                | beside_naive(series, ahead.quantiles(LEVELS))
            )


def beside_naive(series: Series, quantiles: Array) -> dict[str, Any]:
    """The task of a series, the scores of a forecast of it and those of the seasonal naive rule."""
    found, naive = scored(series, quantiles), scored(series, forecast(NAIVE, series)[0])
    both = {name: value for one in MEASURES for name, value in ((one, found[one]), (f"{one} naive", naive[one]))}
    return {"task": task_name(series.dataset, series.kind), "coverage": found["coverage"], **both}


def learn(text: str | None, name: str, losses: Callable[[Series], Iterable[dict[str, Any]]], way: list[str]) -> None:
    """Forecast series of the learning half in several ways, print what it gains, and write it to a table."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--each", type=int, default=12, help="series of every task at most")
    parser.add_argument("--rows", type=int, default=180, help="of a series at most")
    given = parser.parse_args()
    rows = []
    for kind, dataset in product(KINDS, ("M1", "Tourism")):
        every = [series for series in learning(kind, dataset) if len(series.values) <= given.rows]
        rows += [row for series in spread(every, given.each) for row in losses(series)]
        print(f"{task_name(dataset, kind)}: {len(rows)} rows", flush=True)
    sums = pd.DataFrame(rows).groupby([*way, "task"]).mean()
    ratios = pd.DataFrame({one: sums[one] / sums[f"{one} naive"] for one in MEASURES}).groupby(level=way)
    out = ratios.agg(geometric_mean).assign(coverage=sums["coverage"].groupby(level=way).mean())
    count = len(rows) // len(out)
    out = out.round(3).assign(series=count, code=code_version())
    print(out.to_string())
    out.reset_index().to_csv(RESULTS / name, index=False)


if __name__ == "__main__":
    learn(__doc__, "growth.csv", losses, ["past", "by percent", "most", "other"])
