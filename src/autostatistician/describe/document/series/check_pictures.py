"""What checks of a model and tests of its forecasts found, as pictures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from autostatistician.describe.document.document import Band, Figure, Line, Panel, Points
from autostatistician.describe.document.error_pictures import CHANCE, EXPECTED, held_panel, quantile_panel
from autostatistician.describe.facts.curves import PartSpread
from autostatistician.describe.facts.judgement import FEWEST_TESTED
from autostatistician.describe.facts.whole import ForecastTest
from autostatistician.forms import BAND_SDS
from autostatistician.wording.messages import say, say_as

__all__ = ["checks_figure", "spreads_figure"]

Array = NDArray[np.float64]


def checks_figure(errors: Array, test: ForecastTest | None) -> Figure:
    """The errors in order, how alike neighbours are, and the ranges of earlier forecasts where these were tested."""
    tested = (
        ()
        if test is None or test.rows < FEWEST_TESTED
        else (held_panel(say("Ranges of forecasts"), test.levels, test.held),)
    )
    panels = (quantile_panel(errors), _neighbours(errors), *tested)
    if tested:
        caption = say(
            "The errors in order against those expected, on the line they agree; how alike errors are at each "
            "distance, most lie in the band by chance alone; the share of later values in forecast ranges of each "
            "width."
        )
        alt = say(
            "Points of ordered errors along a diagonal, autocorrelations around zero in a band, and shares of values "
            "in forecast ranges against their levels."
        )
    else:
        caption = say(
            "The errors in order against those expected, on the line they agree; how alike errors are at each "
            "distance, most lie in the band by chance alone."
        )
        alt = say("Points of ordered errors along a diagonal, autocorrelations around zero in a band.")
    return Figure("fig-checks", caption, alt, tuple(panels))


def spreads_figure(spreads: Sequence[PartSpread]) -> Figure:
    """The values of every part in order, against those that the model expects."""
    x_label, y_label = say_as("in a picture", "expected"), say_as("in a picture", "found")
    panels = tuple(
        Panel(
            say("Part {number}", number=spread.part), x_label, y_label,
            (
                Band(spread.expected, spread.lower, spread.upper, say(CHANCE), "signal"),
                Line(spread.expected, spread.expected, say(EXPECTED), "mean"),
                Points(spread.expected, spread.ordered, y_label),
            ),
        )
        for spread in spreads
    )  # fmt: skip
    caption = say("The values of each part in order against those that the model expects, in units of its size.")
    alt = say("For every part, points of ordered values along a diagonal with the range of chance as a band.")
    return Figure("fig-spreads", caption, alt, panels)


def _neighbours(errors: Array) -> Panel:
    n = len(errors)
    lags = np.arange(1, min(n // 4, 40) + 1)
    size = float(errors @ errors) or 1.0
    likeness = np.array([float(errors[lag:] @ errors[:-lag]) / size for lag in lags])
    half = np.full(len(lags), BAND_SDS / np.sqrt(n))
    x = lags.astype(np.float64)
    layers = (Band(x, -half, half, say(CHANCE), "signal"), Points(x, likeness, say_as("in a picture", "found")))
    return Panel(say("Likeness of neighbours"), say("rows apart"), say("correlation"), layers)
