"""Box plots of errors on the thirteen series: the methods of the sources as printed, and this library.

From the tables of `benchmarks/reference` and `benchmarks/results` alone; nothing is searched here.
"""

from __future__ import annotations

from collections import defaultdict
from math import exp, log
from statistics import fmean

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from look import COLOURS, HERE, INK, MUTED

__all__ = ["boxes", "standardised"]

BENCHMARKS = HERE.parents[1] / "benchmarks"
# The columns of the tables of the sources, as they are named on the page of results.
PRINTED = (
    *("ABCD-accuracy", "ABCD-interpretability", "spectral", "trend-cyclical-irregular", "MKL"),
    *("Eureqa", "changepoint", "SE", "linear"),
)
SHORT = {"trend-cyclical-irregular": "trend, cyclical,\nirregular", "changepoint": "change\npoints"}
LIMIT = 3.5  # where the boxes of the sources end
Errors = dict[str, dict[str, float]]


def standardised(split: str) -> Errors:
    """For each method and series the RMSE over the smallest of the methods that were printed.

    Ours is the default language on the stored axis, the geometric mean of its seeds.
    """
    known = pd.read_csv(BENCHMARKS / "reference" / f"{split}.csv").query("method in @PRINTED")
    smallest = known.groupby("series")["rmse"].min()
    errors: Errors = defaultdict(dict)
    for row in known.itertuples():
        errors[str(row.method)][str(row.series)] = float(row.rmse) / smallest[row.series]
    own = pd.read_csv(BENCHMARKS / "results" / f"{split}.csv", keep_default_na=False)
    own = own[(own["axis"] == "raw") & (own["method"] == "extended") & (own["settings"] == "")]
    for series, values in own.groupby("series")["rmse"]:
        errors["this library"][str(series)] = exp(fmean(map(log, values))) / smallest[series]
    return errors


def boxes(split: str) -> Figure:
    """A box for each method, the best median first; what lies beyond the limit is written at its place."""
    errors = {method: list(values.values()) for method, values in standardised(split).items()}
    order = sorted(errors, key=lambda method: (np.median(errors[method]), method))
    figure = Figure(figsize=(9.5, 4.2))
    axes = figure.subplots()
    colours = [COLOURS[1] if method == "this library" else COLOURS[0] for method in order]
    drawn = axes.boxplot([errors[method] for method in order], patch_artist=True, widths=0.55, sym=".")
    for box, middle, colour in zip(drawn["boxes"], drawn["medians"], colours, strict=True):
        box.set(facecolor=colour, alpha=0.45, edgecolor=colour)
        middle.set(color=INK, linewidth=1.6)
    for place, method in enumerate(order, start=1):
        beyond = sorted(value for value in errors[method] if value > LIMIT)
        axes.text(place, LIMIT, "\n".join(f"{value:.3g}" for value in beyond), ha="center", size=8, color=MUTED)
    axes.axhline(1.0, color=MUTED, linewidth=0.8, dashes=(4, 3))
    axes.set_ylim(min(0.9, 0.95 * min(map(min, errors.values()))), LIMIT)
    names = [SHORT.get(method, method.replace("-", "-\n")) for method in order]
    axes.set_xticks(range(1, len(order) + 1), names, fontsize=9)
    axes.set_ylabel("RMSE over the best of those printed")
    return figure
