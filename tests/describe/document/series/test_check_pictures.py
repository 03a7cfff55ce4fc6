"""Pictures of checks: likeness of neighbours against the formula, and when the test of forecasts is drawn."""

from __future__ import annotations

import numpy as np
import pytest
from tests.describe.checks import ERRORS, trial, trial_fact

from autostatistician.describe.document.document import Band, Points
from autostatistician.describe.document.series.check_pictures import checks_figure, spreads_figure
from autostatistician.describe.facts.curves import PartSpread


def test_neighbours_are_correlated_as_the_formula_says() -> None:
    panel = checks_figure(ERRORS, None).panels[1]
    (points,) = [layer for layer in panel.layers if isinstance(layer, Points)]
    lag = 3
    expected = np.sum(ERRORS[lag:] * ERRORS[:-lag]) / np.sum(ERRORS**2)
    assert points.y[lag - 1] == pytest.approx(expected)
    (band,) = [layer for layer in panel.layers if isinstance(layer, Band)]
    assert band.upper[0] == pytest.approx(1.96 / np.sqrt(len(ERRORS)))


@pytest.mark.parametrize(("rows", "panels"), [(40, 3), (8, 3), (7, 2)])
def test_a_test_of_too_few_rows_is_not_drawn(rows: int, panels: int) -> None:
    figure = checks_figure(ERRORS, trial_fact(trial(0.9, rows=rows)))
    assert len(figure.panels) == panels
    assert ("forecast ranges" in figure.alt) is (panels == 3)


def test_every_part_has_its_panel() -> None:
    x = np.linspace(-2.0, 2.0, 5)
    figure = spreads_figure([PartSpread(part, x, x - 1.0, x + 1.0, 2.0 * x) for part in (1, 3)])
    assert [panel.title for panel in figure.panels] == ["Part 1", "Part 3"]
    (points,) = [layer for layer in figure.panels[0].layers if isinstance(layer, Points)]
    assert points.y.tolist() == (2.0 * x).tolist()
