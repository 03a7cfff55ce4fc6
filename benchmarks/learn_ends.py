"""How often values far off what came before are the start of something that lasts: the odds for the last rows.

Over the `learning` series of the corpus: a run of one, two or three rows far from the rows before it, seasons taken off
by the medians of logarithms or differences, is followed by rows near the old level or near the new one. Written to
`results/ends.csv`; the package holds the rounded shares (`search/before/outliers.py`).

Usage: python benchmarks/learn_ends.py
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from common import RESULTS
from corpus_series import KINDS, learning

Array = NDArray[np.float64]

SEASONS = {"yearly": 1, "quarterly": 4, "monthly": 12}
BEFORE, AFTER = 8, 6  # rows looked at
FAR = 6.0  # robust standard deviations of one value about the rows before it
LONGEST = 3


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


def runs(y: Array, season: int) -> list[tuple[int, bool]]:
    """Every start of something odd as (how many of its rows are odd so far, whether it lasts)."""
    level, scale = deviations(y, season)
    out = []
    for t in range(BEFORE, len(level) - LONGEST - AFTER):
        usual, slope = _ahead(level[t - BEFORE : t]), np.median(np.diff(level[t - BEFORE : t]))
        size = level[t] - usual
        if not abs(size) > FAR * scale > 0.0 or abs(level[t - 1] - usual) > 0.5 * abs(size):
            continue
        later = level[t : t + LONGEST + AFTER] - usual - slope * np.arange(LONGEST + AFTER)
        lasts = bool(np.median(later[LONGEST:]) / size > 0.5)
        odd = int(np.argmin(np.append(later[:LONGEST] / size > 0.5, False)))
        out += [(rows, lasts) for rows in range(1, odd + 1)]
    return out


def main() -> None:
    """Count, print and write."""
    counted = [pair for kind in KINDS for one in learning(kind) for pair in runs(one.values, SEASONS[kind])]
    table = pd.DataFrame(counted, columns=["rows", "lasts"]).groupby("rows")["lasts"].agg(["count", "mean"]).round(3)
    print(table)
    table.reset_index().to_csv(RESULTS / "ends.csv", index=False)


if __name__ == "__main__":
    main()
