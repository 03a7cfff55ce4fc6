"""What checks of a model and tests of its forecasts found, as pictures."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.records.series import BAND, Calibration, Checks
from autostatistician.describe.document.document import Band, Figure, Line, Panel, Points
from autostatistician.describe.observe.checks import FEW

__all__ = ["checks_figure", "quantile_panel", "spreads_figure"]

Array = NDArray[np.float64]


def checks_figure(checks: Checks, calibration: Calibration | None) -> Figure:
    """The errors in order, how alike neighbours are, and the ranges of earlier forecasts where these were tested."""
    tested = () if calibration is None or calibration.rows < FEW else (_held(calibration),)
    panels = (quantile_panel(checks.errors), _neighbours(checks.errors), *tested)
    told = (
        "The errors in order against those expected, on the line they agree; how alike errors are at each distance, "
        "most lie in the band by chance alone"
    )
    told += "; the share of later values in forecast ranges of each width." if len(panels) == 3 else "."
    alt = "Points of ordered errors along a diagonal, autocorrelations around zero in a band"
    alt += ", and shares of values in forecast ranges against their levels." if len(panels) == 3 else "."
    return Figure("fig-checks", told, alt, panels)


def spreads_figure(checks: Checks) -> Figure:
    """The values of every part in order, against those that the model expects."""
    panels = tuple(
        Panel(
            f"Part {one.part}", "expected", "found",
            (
                Band(one.expected, one.lower, one.upper, "95% range of chance", "signal"),
                Line(one.expected, one.expected, "as expected", "mean"),
                Points(one.expected, one.found, "found"),
            ),
        )
        for one in checks.spreads
    )  # fmt: skip
    told = "The values of each part in order against those that the model expects, in units of its size."
    alt = "For every part, points of ordered values along a diagonal with the range of chance as a band."
    return Figure("fig-spreads", told, alt, panels)


def _neighbours(errors: Array) -> Panel:
    n = len(errors)
    lags = np.arange(1, min(n // 4, 40) + 1)
    size = float(errors @ errors) or 1.0
    found = np.array([float(errors[lag:] @ errors[:-lag]) / size for lag in lags])
    half = np.full(len(lags), BAND / np.sqrt(n))
    x = lags.astype(np.float64)
    band = Band(x, -half, half, "95% range of chance", "signal")
    return Panel("Likeness of neighbours", "rows apart", "correlation", (band, Points(x, found, "found")))


def _held(calibration: Calibration) -> Panel:
    x = 100.0 * np.array([0.0, *calibration.levels, 1.0])
    found = 100.0 * np.array([0.0, *calibration.held, 1.0])
    layers = (Line(x, x, "as expected", "mean"), Points(x[1:-1], found[1:-1], "found"))
    return Panel("Ranges of forecasts", "level of the range, %", "values inside, %", layers)


def quantile_panel(errors: Array) -> Panel:
    """Standardised errors (n,) in order, against those expected of normal ones."""
    n = len(errors)
    share = (np.arange(n) + 0.5) / n
    expected = np.array([NormalDist().inv_cdf(one) for one in share.tolist()])
    # the places of ordered normal values vary by about this (the delta method)
    density = np.exp(-0.5 * expected**2) / np.sqrt(2.0 * np.pi)
    half = BAND * np.sqrt(share * (1.0 - share) / n) / density
    layers = (
        Band(expected, expected - half, expected + half, "95% range of chance", "signal"),
        Line(expected, expected, "as expected", "mean"),
        Points(expected, np.sort(errors), "found"),
    )
    return Panel("Spread of the errors", "expected", "found", layers)
