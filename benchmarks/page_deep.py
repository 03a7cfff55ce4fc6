"""The section of the page of results about deep Gaussian processes."""

from __future__ import annotations

from statistics import fmean
from typing import Any

from deep import METHODS, SEEDS, SETS, paired
from goals import Tables
from page_text import NOTHING, bold, made_by, table

__all__ = ["deep_processes"]

Row = dict[str, Any]

NAMES = {"exact": "exact, shallow", "1": "sparse, shallow", "2": "two layers", "3": "three layers"}
MEASURES = {"rmse": "Root mean squared error", "nll": "Mean negative log density"}


def deep_processes(tables: Tables) -> list[str]:
    lines = ["## Deep Gaussian processes", ""]
    rows = tables.deep
    if not rows:
        return [*lines, NOTHING, ""]
    return [
        *lines,
        "`DeepGPRegressor` with its defaults beside an exact Gaussian process with one lengthscale for each column, on",
        f"the same rows: means over {SEEDS} seeds, of data (held-out months, folds) and fit, in standard deviations of",
        "the target. In brackets the mean difference to the exact process with its standard error. **Bold**",
        "where it is better by more than two of these. How fits are mixed and begun was chosen with these sets, so",
        "errors on others may be a little larger.",
        "",
        *(line for measure in MEASURES for line in _part(rows, measure)),
        *_verdict(rows),
        *_seconds(rows),
        made_by(rows, "deep.csv"),
        "",
    ]


def _own(rows: list[Row], name: str, method: str) -> list[Row]:
    return [row for row in rows if (row["set"], row["method"]) == (name, method)]


def _part(rows: list[Row], measure: str) -> list[str]:
    cells = [[NAMES[method], *(_cell(rows, name, method, measure) for name in SETS)] for method in METHODS]
    return [f"### {MEASURES[measure]}", "", *table(["method", *SETS], cells)]


def _cell(rows: list[Row], name: str, method: str, measure: str) -> str:
    own = _own(rows, name, method)
    if not own:
        return "–"
    mean = f"{fmean(float(row[measure]) for row in own):.3f}"
    if method == "exact" or not _own(rows, name, "exact"):
        return mean
    gap, error = paired(rows, name, method, measure)
    return f"{bold(mean, gap < -2.0 * error)} ({gap:+.3f} ± {error:.3f})"


def _verdict(rows: list[Row]) -> list[str]:
    """Where deep processes are worse by more than a standard error, once all seeds are there."""
    if any(len(_own(rows, name, method)) < SEEDS for name in SETS for method in METHODS):
        return []
    gaps = {
        f"{NAMES[method]} on {name} ({MEASURES[measure].lower()})": paired(rows, name, method, measure)
        for method in ("2", "3")
        for name in SETS
        for measure in MEASURES
    }
    worse = [said for said, (gap, error) in gaps.items() if gap > error]
    text = "Deep processes were to be no worse than shallow ones, within the standard error, and better on the step:"
    found = f"worse are {', '.join(worse)}." if worse else "none is worse."
    return [text, found, ""]


def _seconds(rows: list[Row]) -> list[str]:
    told = [
        f"{NAMES[method]} {fmean(float(row['seconds']) for row in own):.1f}"
        for method in METHODS
        if (own := [row for row in rows if row["method"] == method])
    ]
    return ["Seconds of a fit with its predictions, on one core of a busy machine:", f"{', '.join(told)}.", ""]
