"""What forecasts gain by an average over both scales: the values as they are, and their logarithm.

Series of the `learning` half of the corpus are searched on each scale. The forecasts on the scale that the evidence
chooses are mixed with those on the other: by shares that are the same for all, and by the odds of the scales. The
last way is that of the package, which leaves the logarithm out where the odds are against it. Losses
are those of the corpus, relative to the seasonal naive rule. Written to `results/scales.csv`; the package holds the
share (`model/other_scale.py`).

Usage: python benchmarks/learn_scales.py [--every 4 6] [--rows 64]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import expit

from autostatistician import AutomaticStatistician
from autostatistician.inference.predictive.averaged import Averaged
from autostatistician.inference.predictive.predictive import Predictive
from autostatistician.model.other_scale import SHARE_OF_OTHER
from common import RESULTS, code_version
from corpus_peers import forecast
from corpus_scores import LEVELS, NAIVE, scored
from corpus_series import Series, learning

Forecasts = tuple[Series, float, tuple[Predictive, Predictive], Predictive | Averaged]

SHARES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 1.0)
DISCOUNTS = (0.05, 0.25, 1.0)  # of the odds
MEASURES = ("mase", "sql", "msis")


def on_both(series: Series) -> Forecasts | None:
    """The forecasts on the scale that was chosen and on the other, their log odds, and what the package makes of them.

    None where the evidence did not compare the scales.
    """
    frame, n = pd.DataFrame({"date": series.dates}), len(series.values)
    known, ahead = frame[:n], frame[n:]
    model = AutomaticStatistician(n_jobs=1).fit(known, series.values)
    choice = model.model_.choice
    if choice.gain is None:
        return None
    alone, other = (
        AutomaticStatistician(n_jobs=1, target_transform=name).fit(known, series.values).predictive(ahead)
        for name in (("log", "none") if choice.transform.is_log else ("none", "log"))
    )
    return series, 0.5 * choice.gain, (alone, other), model.predictive(ahead)


def losses(forecasts: Forecasts) -> Iterator[dict[str, Any]]:
    """One row for every way to share the weight between the scales."""
    series, odds, parts, ours = forecasts
    shares = [("share", share, share) for share in SHARES]
    shares += [("odds", discount, float(expit(-discount * odds))) for discount in DISCOUNTS]
    mixed = [(way, number, Averaged(*parts, np.full(series.horizon, share))) for way, number, share in shares]
    naive = scored(series, forecast(NAIVE, series)[0])
    for way, number, ahead in [*mixed, ("package", SHARE_OF_OTHER, ours)]:
        found = scored(series, ahead.quantiles(LEVELS))
        yield (
            {"kind": series.kind, "way": way, "number": number}
            | {name: value for one in MEASURES for name, value in ((one, found[one]), (f"{one} naive", naive[one]))}
            | {"coverage": found["coverage"]}
        )


def main() -> None:
    """Forecast, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, nargs=2, default=(4, 6), help="yearly and quarterly: one of so many")
    parser.add_argument("--rows", type=int, default=64, help="at most")
    given = parser.parse_args()
    rows = []
    for kind, every in zip(("yearly", "quarterly"), given.every, strict=True):
        for series in learning(kind)[::every]:
            found = on_both(series) if len(series.values) <= given.rows else None
            rows += [] if found is None else list(losses(found))
    groups = pd.DataFrame(rows).groupby(["kind", "way", "number"], sort=False)
    table = groups.mean()
    out = pd.DataFrame({one: table[one] / table[f"{one} naive"] for one in MEASURES})
    out = out.assign(coverage=table["coverage"], series=groups.size(), code=code_version()).round(3)
    print(out.to_string())
    out.reset_index().to_csv(RESULTS / "scales.csv", index=False)


if __name__ == "__main__":
    main()
