"""Panels without layers of their own stay panels."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.describe.document.document import Band, Figure, Panel
from autostatistician.describe.document.panels import BarPanel, HeatPanel, Ranges, TreeNode, TreePanel
from autostatistician.report.figures import legend

X = np.arange(3.0)


@pytest.mark.parametrize("kind", [BarPanel, HeatPanel, TreePanel])
def test_they_have_no_layers_and_so_no_legend(kind: type[Panel]) -> None:
    panel = kind("t", "x", "y", ())
    assert isinstance(panel, Panel)
    assert legend(Figure("f", "", "", (panel,))) == ()


def test_ranges_are_bands() -> None:
    assert isinstance(Ranges(X, X - 1.0, X + 1.0, "95% range"), Band)


def test_two_panels_do_not_share_their_arrays() -> None:
    first, second = (BarPanel("t", "x", "y", (), names=("a",), values=np.array([value])) for value in (1.0, 2.0))
    assert (float(first.values[0]), float(second.values[0])) == (1.0, 2.0)
    assert BarPanel("t", "x", "y", ()).values.size == 0


def test_nodes_know_their_parent() -> None:
    root = TreeNode(0, "WN", "BIC 9.0", None, True)
    assert TreePanel("", "", "", (), (("Level 0", ""),), (root, TreeNode(1, "SE", "", 0, False))).nodes[1].parent == 0
