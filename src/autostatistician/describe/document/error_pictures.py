"""Pictures of errors: how they are spread, and how many values lie in ranges of each width."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from autostatistician.describe.document.document import Band, Line, Panel, Points
from autostatistician.describe.document.panels import Ranges
from autostatistician.forms import BAND_SDS
from autostatistician.wording.messages import message, say, say_as

__all__ = ["CHANCE", "EXPECTED", "held_panel", "quantile_panel"]

CHANCE = message("95% range of chance")
EXPECTED = message("as expected")


def quantile_panel(errors: NDArray[np.float64]) -> Panel:
    """Standardised errors (n,) in order, against those expected of normal ones."""
    n = len(errors)
    share = (np.arange(n) + 0.5) / n
    expected = np.array([NormalDist().inv_cdf(quantile) for quantile in share.tolist()])
    # the places of ordered normal values vary by about this (the delta method)
    density = np.exp(-0.5 * expected**2) / np.sqrt(2.0 * np.pi)
    half = BAND_SDS * np.sqrt(share * (1.0 - share) / n) / density
    layers = (
        Band(expected, expected - half, expected + half, say(CHANCE), "signal"),
        Line(expected, expected, say(EXPECTED), "mean"),
        Points(expected, np.sort(errors), say_as("in a picture", "found")),
    )
    x_label, y_label = say_as("in a picture", "expected"), say_as("in a picture", "found")
    return Panel(say("Spread of the errors"), x_label, y_label, layers)


def held_panel(title: str, levels: Sequence[float], held: Sequence[float], rows: int | None = None) -> Panel:
    """The shares of values inside ranges of each level; of independent ``rows`` with the range of chance."""
    x = 100.0 * np.array([0.0, *levels, 1.0])
    inside = 100.0 * np.array([0.0, *held, 1.0])
    seen = Points(x[1:-1], inside[1:-1], say_as("in a picture", "found"))
    layers: list[Line | Points | Band] = [Line(x, x, say(EXPECTED), "mean"), seen]
    if rows is not None:
        half = BAND_SDS * np.sqrt(x * (100.0 - x) / rows)
        layers.insert(0, Ranges(x, x - half, np.minimum(x + half, 100.0), say(CHANCE), "signal"))
    return Panel(title, say("level of the range, %"), say("values inside, %"), tuple(layers))
