"""Pictures of tables: what is drawn is what was found, thinned evenly, on the scale of the model."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.decompose.table.tables import dataset, decomposition, model

from autostatistician.describe.axis.scale import Scale
from autostatistician.describe.document.document import Line, Points
from autostatistician.describe.document.panels import BarPanel, HeatPanel
from autostatistician.describe.document.table.pictures import (
    MOST_POINTS,
    curve_figure,
    errors_figure,
    joint_figures,
    overview_figure,
)
from autostatistician.describe.facts.findings import TableFindings
from autostatistician.describe.observe.table.findings import table_findings

SCALE = Scale(target="y")


@pytest.fixture(scope="module")
def found() -> TableFindings:
    return table_findings(decomposition(model(), dataset(60)))


def test_bars_are_shares_in_per_cent_of_the_columns_that_are_used(found: TableFindings) -> None:
    bars, _ = overview_figure(found, SCALE).panels
    assert isinstance(bars, BarPanel)
    used = [fact for fact in found.columns if fact.used]
    assert bars.names == tuple(fact.column for fact in used)
    np.testing.assert_allclose(bars.values, [100.0 * fact.number for fact in used])


def test_without_effects_only_predictions_are_drawn(found: TableFindings) -> None:
    idle = replace(found, columns=tuple(replace(fact, used=False) for fact in found.columns))
    (panel,) = overview_figure(idle, SCALE).panels
    assert panel.title == "Predicted from all others"


def test_a_scatter_of_many_values_is_thinned_and_says_so(found: TableFindings) -> None:
    n = MOST_POINTS + 1
    many = {name: np.linspace(0.0, 1.0, n) for name in ("y", "predicted", "lower", "upper", "errors")}
    figure = overview_figure(replace(found, left_out=replace(found.left_out, **many)), SCALE)
    (points,) = [layer for layer in figure.panels[-1].layers if isinstance(layer, Points)]
    assert len(points.y) == MOST_POINTS
    assert f"Of {n} values {MOST_POINTS}, evenly chosen, are drawn." in figure.caption


def test_effects_of_a_logarithm_are_drawn_in_per_cent(found: TableFindings) -> None:
    (effect,) = [one for one in found.effects if one.columns == ("a",)]
    plain, log = (curve_figure(effect, scale).panels[0] for scale in (SCALE, Scale(target="y", level=2.0)))
    lines = [next(layer for layer in panel.layers if isinstance(layer, Line)) for panel in (plain, log)]
    np.testing.assert_allclose(lines[1].y, 100.0 * np.expm1(lines[0].y))
    assert (plain.y_label, log.y_label) == ("effect on 'y'", "effect on 'y', %")


def test_categories_are_bars_with_their_names(found: TableFindings) -> None:
    (effect,) = [one for one in found.effects if one.columns == ("a",)]
    (curve,) = effect.curves.along
    named = replace(curve, levels=("x", "y", "z"), x=np.arange(3.0), mean=curve.mean[:3], lower=curve.lower[:3],
                    upper=curve.upper[:3])  # fmt: skip
    (panel,) = curve_figure(replace(effect, curves=replace(effect.curves, along=(named,))), SCALE).panels
    assert isinstance(panel, BarPanel)
    assert panel.names == ("x", "y", "z")


def test_only_joint_effects_have_a_map(found: TableFindings) -> None:
    for effect in found.effects:
        figures = joint_figures(effect, SCALE)
        assert len(figures) == (len(effect.columns) == 2)
        if figures:
            heat = figures[0].panels[0]
            assert isinstance(heat, HeatPanel)
            assert (heat.x_label, heat.y_label) == effect.columns
            assert np.array(heat.values).shape == (heat.x.size, heat.y.size)


def test_errors_tell_what_ranges_held(found: TableFindings) -> None:
    figure = errors_figure(replace(found.left_out, levels=(0.5, 0.95), held=(0.4, 0.9)))
    assert "ranges of 50% and 95% hold 40% and 90% of the values" in figure.alt
