"""Bars as they stand in the axes: from zero to their number, the first on top, odd ones left out."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

from autostatistician.describe.document.panels import BarPanel
from autostatistician.report.bars import draw_bars
from autostatistician.report.draw import Box
from autostatistician.report.figures import page_style


def _drawn(values: list[float]) -> Figure:
    numbers = np.array(values)
    panel = BarPanel(
        "t", "share", "", (), tuple(f"c{i}" for i in range(len(values))), numbers, numbers - 1.0, numbers + 1.0
    )
    figure = Figure(figsize=(5.0, 3.0), dpi=72)
    with page_style():
        draw_bars(figure, panel, Box(0.0, 0.0, 360.0, 216.0))
    return figure


def test_bars_reach_from_zero_to_their_number() -> None:
    (axes,) = _drawn([5.0, 2.0, -3.0]).axes
    ends = [sorted({round(float(x), 9) for x in patch.get_path().vertices[:, 0]}) for patch in axes.patches]
    assert ends == [[0.0, 5.0], [0.0, 2.0], [-3.0, 0.0]]
    rows = [float(np.mean(patch.get_path().vertices[:4, 1])) for patch in axes.patches]
    assert rows == pytest.approx([0.0, 1.0, 2.0])
    assert axes.get_ylim()[0] > axes.get_ylim()[1]  # the first on top


def test_bars_without_negative_numbers_begin_at_the_edge() -> None:
    (axes,) = _drawn([5.0, 2.0]).axes
    assert axes.get_xlim()[0] == 0.0


def test_what_is_no_number_has_no_bar() -> None:
    (axes,) = _drawn([5.0, np.nan]).axes
    assert len(axes.patches) == 1
    assert [label.get_text() for label in axes.get_yticklabels()] == ["c0", "c1"]


def test_no_bars_need_no_axes() -> None:
    assert _drawn([]).axes == []
