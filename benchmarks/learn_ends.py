"""How often values far off what came before are the start of something that lasts: the odds for the last rows.

Over the `learning` series of the corpus: a run of one, two or three rows far from the rows before it, seasons taken off
by the medians of logarithms or differences, is followed by rows near the old level or near the new one. Where steps
lasted before in the same series, the next one does more often; of single rows, those that went back tell the contrary.
``lasting`` is the share where nothing happened before, if what did multiplies the odds by (steps + 1) / (singles + 1);
that 1 is about as probable as any number is (``loss``, beside that of 1/2 and 2, and of ``mean`` alone). Written to
`results/ends.csv`; the package holds the rounded shares (`search/before/ends.py`).

Usage: python benchmarks/learn_ends.py
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.special import expit

from common import RESULTS
from corpus_series import KINDS, learning

Array = NDArray[np.float64]

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


def learned(events: pd.DataFrame, weight: float) -> tuple[float, float]:
    """The share that lasts without events before, and the loss of the odds with them."""
    singles = events["singles"] if events["rows"].iloc[0] == 1 else 0.0
    more = np.log1p(events["steps"] / weight) - np.log1p(singles / weight)
    lasts = np.where(events["lasts"], 1.0, -1.0)
    found = minimize_scalar(lambda logit: float(np.logaddexp(0.0, -lasts * (logit + more)).sum()))
    return float(expit(found.x)), float(found.fun)


def main() -> None:
    """Count, print and write."""
    counted = [pair for kind in KINDS for one in learning(kind) for pair in runs(one.values, SEASONS[kind])]
    events = pd.DataFrame(counted, columns=["rows", "lasts", "singles", "steps"])
    table = []
    for rows, group in events.groupby("rows"):
        fits = {weight: learned(group, weight) for weight in WEIGHTS}
        losses = {f"loss {weight:g}": round(loss, 2) for weight, (_, loss) in fits.items()}
        table.append({"rows": rows, "count": len(group), "mean": round(group["lasts"].mean(), 3),
                      "lasting": round(fits[1.0][0], 3), **losses})  # fmt: skip
    print(pd.DataFrame(table))
    pd.DataFrame(table).to_csv(RESULTS / "ends.csv", index=False)


if __name__ == "__main__":
    main()
