"""Groups of observations over a density."""

from __future__ import annotations

import numpy as np

from autostatistician.describe.document.document import Figure
from autostatistician.describe.document.panels import DensityPanel, GroupPoints
from autostatistician.report.figures import figure_matplotlib, figure_svg, legend

X = np.linspace(-2.0, 2.0, 9)
BUMP = tuple(np.exp(-(x**2) - X**2) for x in X)


def _figure(density: tuple[np.ndarray, ...] = BUMP, levels: tuple[float, ...] = (0.1, 0.5)) -> Figure:
    groups = tuple(GroupPoints(X[:4] + k, X[:4], f"cluster {k}", group=k, mark=f"<{k}>") for k in (1, 2, 9))
    panel = DensityPanel("", "a", "b", groups, x_places=X, y_places=X, density=density, levels=levels)
    return Figure("f", "", "", (panel,))


def test_groups_have_colours_of_their_own_and_a_legend() -> None:
    assert [(key.kind, key.role, key.label) for key in legend(_figure())] == [
        ("points", "group-1", "cluster 1"), ("points", "group-2", "cluster 2"), ("points", "group-1", "cluster 9")
    ]  # fmt: skip
    svg = figure_svg(_figure())
    assert "var(--group-1" in svg
    assert "var(--group-2" in svg
    assert "&lt;9&gt;" in svg


def test_marks_stand_beside_a_row_of_their_group() -> None:
    axes = figure_matplotlib(_figure()).axes[0]
    marks = {text.get_text(): text.xy for text in axes.texts}
    assert marks["<1>"] in {(x + 1, x) for x in X[:4].tolist()}


def test_each_level_is_shaded_and_what_is_beyond_the_density_is_not() -> None:
    axes = figure_matplotlib(_figure()).axes[0]
    assert len(axes.collections) == 2
    assert len(figure_matplotlib(_figure(levels=(0.1, 5.0))).axes[0].collections) == 1
    assert len(figure_matplotlib(_figure(density=())).axes[0].collections) == 0


def test_the_axes_hold_the_density_and_the_rows() -> None:
    low, high = figure_matplotlib(_figure()).axes[0].get_xlim()
    assert low < -2.0
    assert high > 8.5


def test_alone_on_a_page_shapes_are_seen_as_such() -> None:
    width, height = figure_matplotlib(_figure()).get_size_inches()
    assert height > 0.6 * width
