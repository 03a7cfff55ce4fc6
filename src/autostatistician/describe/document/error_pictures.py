"""Pictures of errors: how they are spread, and how many values lie in ranges of each width."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from autostatistician.describe.document.document import Band, Line, Panel, Points
from autostatistician.describe.document.panels import Ranges
from autostatistician.forms import BAND_SDS

__all__ = ["CHANCE", "EXPECTED", "held_panel", "quantile_panel"]

CHANCE = "95% range of chance"
EXPECTED = "as expected"


def quantile_panel(errors: NDArray[np.float64]) -> Panel:
    """Standardised errors (n,) in order, against those expected of normal ones."""
    n = len(errors)
    share = (np.arange(n) + 0.5) / n
    expected = np.array([NormalDist().inv_cdf(quantile) for quantile in share.tolist()])
    # the places of ordered normal values vary by about this (the delta method)
    density = np.exp(-0.5 * expected**2) / np.sqrt(2.0 * np.pi)
    half = BAND_SDS * np.sqrt(share * (1.0 - share) / n) / density
    layers = (
        Band(expected, expected - half, expected + half, CHANCE, "signal"),
        Line(expected, expected, EXPECTED, "mean"),
        Points(expected, np.sort(errors), "found"),
    )
    return Panel("Spread of the errors", "expected", "found", layers)


def held_panel(title: str, levels: Sequence[float], held: Sequence[float], rows: int | None = None) -> Panel:
    """The shares of values inside ranges of each level; of independent ``rows`` with the range of chance."""
    x = 100.0 * np.array([0.0, *levels, 1.0])
    inside = 100.0 * np.array([0.0, *held, 1.0])
    layers: list[Line | Points | Band] = [Line(x, x, EXPECTED, "mean"), Points(x[1:-1], inside[1:-1], "found")]
    if rows is not None:
        half = BAND_SDS * np.sqrt(x * (100.0 - x) / rows)
        layers.insert(0, Ranges(x, x - half, np.minimum(x + half, 100.0), CHANCE, "signal"))
    return Panel(title, "level of the range, %", "values inside, %", tuple(layers))
