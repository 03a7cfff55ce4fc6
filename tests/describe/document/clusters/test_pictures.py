"""Figures of reports on clusters."""

from __future__ import annotations

from dataclasses import replace

from tests.describe.cluster_cases import findings

from autostatistician.describe.document.clusters.pictures import course_figure, observed_figure, states_figure
from autostatistician.describe.document.document import Line, Marker
from autostatistician.describe.document.panels import DensityPanel, GroupPoints


def test_rows_lie_in_colours_over_a_density() -> None:
    (panel,) = observed_figure(findings()).panels
    assert isinstance(panel, DensityPanel)
    assert (panel.x_label, panel.y_label) == ("mass", "colour index")
    groups = [layer for layer in panel.layers if isinstance(layer, GroupPoints)]
    assert [(one.group, one.mark, len(one.y)) for one in groups] == [(1, "1", 20), (2, "2", 12), (3, "3", 8)]


def test_chains_are_small_multiples_with_the_end_of_the_warm_up() -> None:
    figure = course_figure(findings())
    assert [panel.title for panel in figure.panels] == ["Chain 1", "Chain 2"]
    line, marker = figure.panels[0].layers
    assert isinstance(line, Line)
    assert line.y.max() == 5.0
    assert isinstance(marker, Marker)
    assert marker.x == 3.0
    assert figure.alt == "Stepped lines that end at three and three clusters."


def test_states_are_titled_by_their_sweeps() -> None:
    figure = states_figure(findings())
    assert figure is not None
    assert [panel.title for panel in figure.panels] == ["at the start", "sweep 6"]
    assert states_figure(replace(findings(), states=())) is None
