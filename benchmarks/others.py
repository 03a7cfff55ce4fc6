"""Forecasts of series that no other benchmark holds, beside other methods: what works must hold elsewhere, too.

The series come with two packages, statsmodels and pmdarima (`pip install -e '.[bench]'`). The last tenth of the time of
each is predicted from what precedes it. Ours gets the positions and is told nothing; the others are told the season.
Where the zero of a logarithm lies (`data/transform.py`) and by how much it must win (`transforms.py` of
`search/preprocessing`) was chosen by forecasts of 27 such series, these among them, so their errors are a little
smaller than those of unseen series.

About 6 minutes of one core.

Usage: python benchmarks/others.py [--series Nile] [--method ours AutoETS]
"""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from autostatistician.data.load import load
from common import (
    Array,
    Bench,
    Row,
    Split,
    code_version,
    command,
    fitted,
    geometric_mean,
    package_version,
    predictive_scores,
)
from peers import METHODS, Task, predicted

COLUMNS = ("code", "n_train", "n_test", "rmse", "mae", "nlp", "crps", "coverage95", "seconds", "expression")
OURS, REFERENCE = "ours", "AutoETS"
PEERS = ("seasonal-naive", "AutoETS", "AutoTheta", "AutoARIMA")
AHEAD = 0.1  # of the length in time
LONGEST = 300  # observations; of longer series the last ones


@dataclass(frozen=True)
class Series:
    """Where values come from, and how many of them make a year (or another unit of time) and a season."""

    values: Callable[[], Sequence[float]]
    per_unit: float
    season: int = 1

    def split(self) -> Split:
        """All but the last tenth to learn from; the tenth to predict."""
        y = np.asarray(self.values(), dtype=float)
        y = y[np.isfinite(y)][-LONGEST:]  # some end with months to come
        x = np.arange(len(y)) / self.per_unit
        known = x <= x[-1] * (1.0 - AHEAD)
        return Split(load(x[known, None], y[known], axis="raw"), x[~known, None], y[~known])


def _pmdarima(name: str) -> Sequence[float]:
    import pmdarima.datasets

    found: Sequence[float] = getattr(pmdarima.datasets, f"load_{name}")()
    return found


def _statsmodels(name: str, column: str) -> Sequence[float]:
    from statsmodels import datasets

    frame = getattr(datasets, name).load_pandas().data
    found: Sequence[float] = frame[column].to_numpy()
    return found


def _el_nino() -> Sequence[float]:
    from statsmodels.datasets import elnino

    found: Sequence[float] = elnino.load_pandas().data.set_index("YEAR").to_numpy().ravel()
    return found


SERIES = {
    "Nile": Series(partial(_statsmodels, "nile", "volume"), 1.0),
    "lynx": Series(partial(_pmdarima, "lynx"), 1.0),
    "heartrate": Series(partial(_pmdarima, "heartrate"), 2.0),
    "austres": Series(partial(_pmdarima, "austres"), 4.0, 4),
    "ausbeer": Series(partial(_pmdarima, "ausbeer"), 4.0, 4),
    "woolyrnq": Series(partial(_pmdarima, "woolyrnq"), 4.0, 4),
    "wineind": Series(partial(_pmdarima, "wineind"), 12.0, 12),
    "elnino": Series(_el_nino, 12.0, 12),
    "germany-rate": Series(partial(_statsmodels, "interest_inflation", "R"), 4.0, 4),
    **{
        f"usa-{name}": Series(partial(_statsmodels, "macrodata", name), 4.0, 4)
        for name in ("realgdp", "realinv", "cpi", "infl", "tbilrate")
    },
}


def run(case: Row, _: argparse.Namespace) -> Row:
    """Ours fits with the defaults; a peer is told the season."""
    one = SERIES[case["series"]]
    split = one.split()
    sizes = {"n_train": split.train.n, "n_test": len(split.test_y)}
    if case["method"] != OURS:
        return sizes | predicted(
            case["method"], Task(split.train.y, np.arange(1, len(split.test_y) + 1), (one.season,), split)
        )
    model, found = fitted(split.train, "extended", case["seed"], {})
    return sizes | predictive_scores(split.test_y, model.predictive(split.places)) | found


# What the table says ---------------------------------------------------------------------------------------


def summary(rows: list[Row]) -> list[Row]:
    """Of every method: errors and CRPS over those of AutoETS (geometric means over the series), coverage."""
    known = {(row["series"], row["method"]): row for row in rows}
    found = []
    for method in dict.fromkeys(row["method"] for row in rows):
        both = [name for name in SERIES if {(name, method), (name, REFERENCE)} <= known.keys()]
        if both:
            found.append({"method": method, "series": len(both), **_compared(known, method, both)})
    return found


def _compared(known: dict[tuple[str, str], Row], method: str, names: list[str]) -> Row:
    def ratio(measure: str) -> str:
        pairs = [(float(known[name, method][measure]), float(known[name, REFERENCE][measure])) for name in names]
        return f"{geometric_mean(own / theirs for own, theirs in pairs):.3f}"

    covered: Array = np.array([float(known[name, method]["coverage95"]) for name in names])
    return {
        "RMSE / AutoETS": ratio("rmse"),
        "CRPS / AutoETS": ratio("crps"),
        "coverage": f"{covered.mean():.3f}",
        "worst": f"{covered.min():.2f}",
    }


BENCH = Bench(
    file="others.csv", case=("series", "method", "seed"), columns=COLUMNS, run=run,
    options={"series": tuple(SERIES), "method": (OURS, *PEERS), "seed": (0,)},
    code=lambda case: code_version() if case["method"] == OURS else package_version(METHODS[case["method"]][0]),
)  # fmt: skip

if __name__ == "__main__":
    command(__doc__, BENCH)
