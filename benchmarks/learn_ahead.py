"""Learn the rules of forecasts that come with the package as rounded numbers; what each gains stands in a table.

Series of the `learning` half of the corpus are fitted with the defaults, and forecast in several ways. Losses are those
of the corpus, relative to the seasonal naive rule: geometric means over six tasks.

`growth`: lines on the logarithm, pooled with models, go on by so much of their growth (`fitted/growth_curves.py`).
`breaks`: errors of forecasts are as the models expect, or larger by some factor with a chance that falls with the
number of rows: a mixture of two scales (`fitted/predictions.py`).
`scales`: the other scale, and growth curves, have a weight by some power of the odds (`fitted/transform_averaging.py`).
`ends`: how often values far off what came before are the start of something that lasts. A run of one, two or three rows
far from the rows before it, seasons taken off by the medians of logarithms or differences, is followed by rows near the
old level or near the new one. Where steps lasted before in the same series, the next one does more often; of single
rows, those that went back tell the contrary. ``lasting`` is the share where nothing happened before, if what did
multiplies the odds by (steps + 1) / (singles + 1); that 1 is about as probable as any number is (``loss``, beside that
of 1/2 and 2, and of ``mean`` alone) (`search/preprocessing/outliers.py`).

Usage: python benchmarks/learn_ahead.py growth|breaks|scales|ends [--each 12] [--rows 180]
"""

import argparse
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from types import ModuleType
from unittest.mock import patch

import numpy as np
import pandas as pd
from scipy.optimize import minimize_scalar
from scipy.special import expit

from autostatistician import AutomaticStatistician
from autostatistician.fitted import growth_curves, predictions, transform_averaging
from autostatistician.fitted.predictions import Predictor
from common import RESULTS, Array, Row, code_version, geometric_mean
from corpus import forecast, spread
from corpus_scores import LEVELS, NAIVE, scored
from corpus_series import KINDS, Series, learning, task_name

MEASURES = ("mase", "sql", "msis")


def by_numbers(module: ModuleType, numbers: dict[str, tuple[float, ...]], series: Series) -> Iterator[Row]:
    """One row for every choice of some numbers of a module by which a series is forecast."""
    known = pd.DataFrame({"date": series.dates[: len(series.values)]})
    model = AutomaticStatistician(n_jobs=1).fit(known, series.values).model_
    assert model.dataset.axis is not None
    X = model.dataset.axis.future(model.last, series.horizon)[:, None]
    for values in product(*numbers.values()):
        chosen = dict(zip(numbers, values, strict=True))
        with patch.multiple(module, **chosen):
            ahead = Predictor(replace(model)).predictive(X)
        yield chosen | beside_naive(series, ahead.quantiles(LEVELS))


def beside_naive(series: Series, quantiles: Array) -> Row:
    """The task of a series, the scores of a forecast of it and those of the seasonal naive rule."""
    found, naive = scored(series, quantiles), scored(series, forecast(NAIVE, series)[0])
    both = {name: value for one in MEASURES for name, value in ((one, found[one]), (f"{one} naive", naive[one]))}
    return {"task": task_name(series.dataset, series.kind), "coverage": found["coverage"], **both}


# How often what is odd at the end lasts ---------------------------------------------------------------------

SEASONS = {"yearly": 1, "quarterly": 4, "monthly": 12}
BEFORE, AFTER = 8, 6  # rows looked at
FAR = 6.0  # robust standard deviations of one value about the rows before it
LONGEST = 3
WEIGHTS = (1.0, 0.5, 2.0, np.inf)  # of what is known before any event of a series


def deviations(y: Array, season: int) -> tuple[Array, Array]:
    """The series without its season, and the scale of single values about a line through those before."""
    level = np.log(y) if y.min() > 0.0 else y
    if season > 1:
        phases = np.arange(len(y)) % season
        smooth = pd.Series(level).rolling(season, center=True, min_periods=1).median().to_numpy()
        typical = np.array([np.median((level - smooth)[phases == phase]) for phase in range(season)])
        level = level - typical[phases]
    errors = np.array([level[t] - _ahead(level[t - BEFORE : t]) for t in range(BEFORE, len(level))])
    return level, 1.4826 * np.median(np.abs(errors)) if len(errors) else np.inf


def _ahead(known: Array) -> float:
    """The next value on a line of median slope."""
    return float(np.median(known) + np.median(np.diff(known)) * (len(known) + 1) / 2)


def runs(y: Array, season: int) -> list[tuple[int, bool, int, int]]:
    """Every start of something odd as (how many of its rows are odd so far, whether it lasts, events before).

    Events before are single rows that went back, and steps that lasted.
    """
    level, scale = deviations(y, season)
    out, singles, steps = [], 0, 0
    for t in range(BEFORE, len(level) - LONGEST - AFTER):
        usual, slope = _ahead(level[t - BEFORE : t]), np.median(np.diff(level[t - BEFORE : t]))
        size = level[t] - usual
        if not abs(size) > FAR * scale > 0.0 or abs(level[t - 1] - usual) > 0.5 * abs(size):
            continue
        later = level[t : t + LONGEST + AFTER] - usual - slope * np.arange(LONGEST + AFTER)
        lasts = bool(np.median(later[LONGEST:]) / size > 0.5)
        odd = int(np.argmin(np.append(later[:LONGEST] / size > 0.5, False)))
        out += [(rows, lasts, singles, steps) for rows in range(1, odd + 1)]
        singles, steps = singles + (odd == 1 and not lasts), steps + lasts
    return out


def lasting(events: pd.DataFrame, weight: float) -> tuple[float, float]:
    """The share that lasts without events before, and the loss of the odds with them."""
    singles = events["singles"] if events["rows"].iloc[0] == 1 else 0.0
    more = np.log1p(events["steps"] / weight) - np.log1p(singles / weight)
    lasts = np.where(events["lasts"], 1.0, -1.0)
    found = minimize_scalar(lambda logit: float(np.logaddexp(0.0, -lasts * (logit + more)).sum()))
    return float(expit(found.x)), float(found.fun)


def learn_ends() -> pd.DataFrame:
    """Count, by how many rows are odd so far."""
    counted = [pair for kind in KINDS for one in learning(kind) for pair in runs(one.values, SEASONS[kind])]
    events = pd.DataFrame(counted, columns=["rows", "lasts", "singles", "steps"])
    table = []
    for rows, group in events.groupby("rows"):
        fits = {weight: lasting(group, weight) for weight in WEIGHTS}
        losses = {f"loss {weight:g}": round(loss, 2) for weight, (_, loss) in fits.items()}
        table.append({"rows": rows, "count": len(group), "mean": round(group["lasts"].mean(), 3),
                      "lasting": round(fits[1.0][0], 3), **losses})  # fmt: skip
    return pd.DataFrame(table)


# The command -----------------------------------------------------------------------------------------------

WAYS: dict[str, tuple[ModuleType, dict[str, tuple[float, ...]]]] = {
    "growth": (growth_curves, {"GOES_ON_BY_PERCENT": (0.4, 0.6, 0.8, 1.0)}),
    "breaks": (predictions, {"BREAKS": (0.0, 4.0, 6.0, 8.0, 12.0), "WIDER": (3.0, 4.0, 6.0)}),
    "scales": (transform_averaging, {"ODDS_THAT_COUNT": (0.0, 0.05, 0.1, 0.25, 1.0)}),
}


def learn_losses(what: str, each: int, most: int) -> pd.DataFrame:
    """Forecast series of the learning half in several ways, and what that gains."""
    module, numbers = WAYS[what]
    way, rows = list(numbers), list[Row]()
    for kind, dataset in product(KINDS, ("M1", "Tourism")):
        every = [series for series in learning(kind, dataset) if len(series.values) <= most]
        rows += [row for series in spread(every, each) for row in by_numbers(module, numbers, series)]
        print(f"{task_name(dataset, kind)}: {len(rows)} rows", flush=True)
    sums = pd.DataFrame(rows).groupby([*way, "task"]).mean()
    ratios = pd.DataFrame({one: sums[one] / sums[f"{one} naive"] for one in MEASURES}).groupby(level=way)
    out = ratios.agg(geometric_mean).assign(coverage=sums["coverage"].groupby(level=way).mean())
    return out.round(3).assign(series=len(rows) // len(out), code=code_version()).reset_index()


def main() -> None:
    """Learn, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=(*WAYS, "ends"))
    parser.add_argument("--each", type=int, default=12, help="series of every task at most")
    parser.add_argument("--rows", type=int, default=180, help="of a series at most")
    given = parser.parse_args()
    found = learn_ends() if given.what == "ends" else learn_losses(given.what, given.each, given.rows)
    print(found.to_string())
    found.to_csv(RESULTS / f"{given.what}.csv", index=False)


if __name__ == "__main__":
    main()
