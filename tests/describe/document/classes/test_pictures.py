"""Figures of classes, as data."""

from __future__ import annotations

import numpy as np
import pytest
from tests.decompose.table.classes import decomposition, nothing

from autostatistician.describe.document.classes.pictures import foresight_figure, overview_of_classes
from autostatistician.describe.document.document import Band, Line, Points
from autostatistician.describe.document.panels import BarPanel, Ranges
from autostatistician.describe.document.table.pictures import curve_figure
from autostatistician.describe.observe.table.findings import class_findings, scale_for


def test_the_overview_has_bars_and_shares() -> None:
    found, scale = class_findings(decomposition()), scale_for(decomposition())
    bars, panel = overview_of_classes(found, scale).panels
    assert isinstance(bars, BarPanel)
    assert bars.names == ("age", "kind")
    span, line, points = panel.layers
    assert isinstance(span, Ranges)
    assert isinstance(line, Line)
    assert isinstance(points, Points)
    np.testing.assert_allclose(points.x, [100.0 * one.chance for one in found.calibration.bins])
    np.testing.assert_allclose(points.y, [100.0 * one.share for one in found.calibration.bins])
    assert (span.lower <= points.y).all()
    assert (points.y <= span.upper).all()
    assert len(overview_of_classes(class_findings(nothing()), scale).panels) == 1


def test_the_roc_curve_goes_from_corner_to_corner() -> None:
    found, scale = class_findings(decomposition()), scale_for(decomposition())
    figure = foresight_figure(found.roc, found.ranking, scale)
    curve = figure.panels[0].layers[0]
    assert isinstance(curve, Line)
    assert (curve.x[0], curve.y[0], curve.x[-1], curve.y[-1]) == (0.0, 0.0, 100.0, 100.0)
    assert np.trapezoid(curve.y, curve.x) / 1e4 == pytest.approx(found.ranking.number)
    assert f"{found.ranking.number:.3f}" in figure.caption


def test_effects_are_drawn_as_chances() -> None:
    found, scale = class_findings(decomposition()), scale_for(decomposition())
    age = curve_figure(found.effects[0], scale).panels[0]
    rows, band, line = age.layers
    assert isinstance(rows, Points)
    assert isinstance(band, Band)
    assert isinstance(line, Line)
    assert set(rows.y.tolist()) == {0.0, 100.0}
    assert age.y_label == "chance of 'yes', %"
    assert ((line.y > 0.0) & (line.y < 100.0) & (band.lower < line.y) & (line.y < band.upper)).all()
    assert line.y[0] > line.y[-1] + 40.0
