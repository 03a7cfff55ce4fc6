"""Panels of every kind drawn into a box of a matplotlib figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autostatistician.describe.document.document import Panel
from autostatistician.describe.document.panels import BarPanel, HeatPanel, TreePanel
from autostatistician.report.bars import draw_bars
from autostatistician.report.draw import Box, draw_panel
from autostatistician.report.heat import draw_heat
from autostatistician.report.tree import draw_tree

if TYPE_CHECKING:
    from matplotlib.figure import Figure as MatplotlibFigure

__all__ = ["draw_any"]


def draw_any(figure: MatplotlibFigure, panel: Panel, box: Box) -> None:
    """Draw a panel into a box by its kind."""
    match panel:
        case BarPanel():
            draw_bars(figure, panel, box)
        case HeatPanel():
            draw_heat(figure, panel, box)
        case TreePanel():
            draw_tree(figure, panel, box)
        case _:
            draw_panel(figure, panel, box)
