"""The searches of the 13 series of the original papers: forecasts, filled gaps, all the data, learning curve, times.

`extrapolation.csv`, `interpolation.csv`: every series is fitted with the default settings on its training part, and the
test part is predicted. Axis "raw" keeps the numbers of the file, "calendar" reads them as dates. The poorer languages
of the original take part on three of the series, with `max_depth=3`.
`full-data.csv`: the BIC on all the data, against the best of the original's three runs. All the data means all:
outliers are kept, since a BIC compares with another one on the same rows only.
`learning-curve.csv`: the mean squared error of the rest of a series after its first 10, 20, ... 90 %, by language.
`speed.csv`: seconds of one search with default settings at five sizes.

About 42 minutes of one core.

Usage: python benchmarks/series.py [--only extrapolation.csv] [--series 01-airline] [--seed 0 1]
"""

import argparse
from dataclasses import replace

from autostatistician.data.dataset import Dataset
from autostatistician.kernels.grammar import LANGUAGES
from common import (
    DEFAULT_LANGUAGE,
    REFERENCE,
    Bench,
    Row,
    command,
    fitted,
    options,
    predictive_scores,
    read_rows,
    split_series,
    whole_series,
)
from measures import RESTRICTED

SERIES = tuple(dict.fromkeys(row["series"] for row in read_rows(REFERENCE / "extrapolation.csv")))
FEW, SHALLOW = SERIES[:3], "max_depth=3"  # what the poorer languages are run on, and how deep
SIZES = {15: "01-airline", 40: "01-airline", 144: "01-airline", 500: "03-mauna", 1000: "12-births"}
CASE = ("series", "split", "axis", "method", "seed", "settings")
COLUMNS = (
    *("code", "n_train", "n_test", "rmse", "mae", "nlp", "crps", "coverage95"),
    *("seconds", "n_jobs", "bic", "nll", "expression"),
)


# Forecasts and gaps ----------------------------------------------------------------------------------------


def forecast(case: Row, given: argparse.Namespace) -> Row:
    """Fit one training set, predict its test set."""
    split = split_series(given.data, case["split"], case["series"], case["axis"])
    model, found = fitted(split.train, case["method"], case["seed"], options(case["settings"]))
    sizes = {"n_train": split.train.n, "n_test": len(split.test_y)}
    return sizes | predictive_scores(split.test_y, model.predictive(split.places)) | found


def is_wanted(case: Row) -> bool:
    """Poorer languages on few series, on the stored axis and not as deep."""
    if case["method"] not in RESTRICTED:
        return case["settings"] != SHALLOW
    return (case["series"] in FEW, case["axis"], case["settings"]) == (True, "raw", SHALLOW)


def _forecasts(split: str, axes: tuple[str, ...]) -> Bench:
    return Bench(
        file=f"{split}.csv", case=CASE, columns=COLUMNS, run=forecast, wanted=is_wanted,
        options={"seed": (0,), "axis": axes, "method": (DEFAULT_LANGUAGE, *RESTRICTED), "series": SERIES,
                 "split": (split,), "settings": ("", SHALLOW)},
        more={"method": tuple(LANGUAGES)},
    )  # fmt: skip


# All the data, parts of them -------------------------------------------------------------------------------


def on_all_data(case: Row, given: argparse.Namespace) -> Row:
    """Search the whole of a series."""
    dataset = whole_series(given.data, case["series"], "raw")
    settings = {"outliers": "keep"} | options(case["settings"])
    return fitted(dataset, case["language"], case["seed"], settings)[1] | {"n": dataset.n}


def after_a_part(case: Row, given: argparse.Namespace) -> Row:
    """Fit the first part of a series and score the rest."""
    whole = whole_series(given.data, case["series"], case["axis"])
    n = round(whole.n * case["percent"] / 100)
    places = replace(whole, X=whole.X[n:], y=0.0 * whole.y[n:])
    model, found = fitted(first(whole, n), case["language"], case["seed"], options(case["settings"]))
    scored = predictive_scores(whole.y[n:] + whole.offset, model.predictive(places))
    mse = float(f"{scored['rmse'] ** 2:.6g}")
    return scored | found | {"mse": mse, "n_train": n, "n_test": whole.n - n}


def timed(case: Row, given: argparse.Namespace) -> Row:
    """Search the first rows of a series."""
    whole = whole_series(given.data, case["series"], case["axis"])
    return fitted(first(whole, case["n"]), case["language"], case["seed"], options(case["settings"]))[1]


def first(whole: Dataset, n: int) -> Dataset:
    """The first rows."""
    return replace(whole, X=whole.X[:n], y=whole.y[:n])


BENCHES = (
    _forecasts("extrapolation", ("raw", "calendar")),
    _forecasts("interpolation", ("raw",)),
    Bench(
        file="full-data.csv", case=("series", "language", "seed", "settings"), run=on_all_data,
        columns=("code", "n", "bic", "nll", "seconds", "n_jobs", "evaluations", "expression"),
        options={"seed": (0,), "language": ("full",), "series": SERIES, "settings": ("",)},
        more={"language": tuple(LANGUAGES)},
    ),
    Bench(
        file="learning-curve.csv", case=("series", "axis", "language", "percent", "seed", "settings"), run=after_a_part,
        columns=("code", "n_train", "n_test", "mse", "rmse", "nlp", "crps", "coverage95", "seconds", "n_jobs", "bic",
                 "expression"),
        options={"series": ("01-airline",), "axis": ("raw",), "seed": (0,), "language": tuple(LANGUAGES),
                 "percent": tuple(range(10, 100, 10)), "settings": ("",)},
        more={"series": SERIES},
    ),
    Bench(
        file="speed.csv", case=("series", "n", "axis", "language", "seed", "settings", "n_jobs"), run=timed,
        columns=("code", "seconds", "evaluations", "bic", "nll", "expression"),
        options={"n": tuple(SIZES), "series": tuple(dict.fromkeys(SIZES.values())), "axis": ("raw",),
                 "language": (DEFAULT_LANGUAGE,), "seed": (0,), "settings": ("",)},
        wanted=lambda case: SIZES.get(case["n"]) == case["series"],
    ),
)  # fmt: skip


if __name__ == "__main__":
    command(__doc__, *BENCHES)
