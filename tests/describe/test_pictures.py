"""What the pictures of parts show: constants without a panel of their own, fine cycles by their last few."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.data.dataset import Dataset
from autostatistician.decompose import Decomposition, decompose
from autostatistician.decompose.records import Fitted
from autostatistician.describe.document import Figure, Line, Points
from autostatistician.describe.narrative import document
from autostatistician.describe.pictures import CYCLES
from autostatistician.language.kernel import Kernel, leaf

NOISE = leaf("WN", sd=0.3)


def _taken_apart(kernel: Kernel, y: np.ndarray) -> Decomposition:
    data = Dataset(np.arange(float(len(y)))[:, None], y, ("x",), "y", None)
    return decompose(kernel, data, fitted=Fitted(kernel, 1.0, 2.0, 3, 1.0, 10), horizon=8, grid_points=100)


def _of_parts(found: Decomposition) -> list[Figure]:
    parts = next(one for one in document(found).sections if one.id == "parts")
    return [block for one in parts.sections for block in one.blocks if isinstance(block, Figure)]


def _line(figure: Figure, panel: int) -> Line:
    return next(layer for layer in figure.panels[panel].layers if isinstance(layer, Line))


@pytest.mark.parametrize(("period", "cut"), [(4.0, True), (40.0, False)])
def test_of_a_fine_cycle_the_last_few_are_drawn(period: float, cut: bool) -> None:
    x = np.arange(320.0)
    cycle = leaf("Per", sd=1.0, period=period, lengthscale=1.0)
    found = _taken_apart(cycle + NOISE, np.sin(2 * np.pi * x / period))
    figure = _of_parts(found)[0]
    start = float(_line(figure, 0).x[0])
    assert start == (pytest.approx(319.0 - CYCLES * period, abs=1.0) if cut else 0.0)
    assert ("the last twelve cycles" in figure.caption) == cut
    assert _line(figure, 1).x[0] == 0.0


def test_a_constant_is_drawn_with_the_data_alone_and_noise_by_itself_too() -> None:
    y = 5.0 + 0.3 * np.random.default_rng(0).normal(size=40)
    found = _taken_apart(leaf("C", sd=5.0) + NOISE, y)
    kinds = {part.is_noise: figure for part, figure in zip(found.components, _of_parts(found), strict=True)}
    assert len(kinds[False].panels) == 1
    assert len(kinds[True].panels) == 2


def test_noise_is_shown_where_it_applies() -> None:
    x = np.arange(60.0)
    kernel = leaf("C", sd=5.0) + Kernel.change_point(NOISE, leaf("WN", sd=1.0), 30.5, 20.0)
    y = 5.0 + np.where(x < 31, 0.3, 1.0) * np.random.default_rng(0).normal(size=60)
    found = _taken_apart(kernel, y)
    shown = [
        next(layer for layer in figure.panels[0].layers if isinstance(layer, Points)).x
        for part, figure in zip(found.components, _of_parts(found), strict=True)
        if part.is_noise
    ]
    assert sorted((float(one.min()), float(one.max())) for one in shown) == [(0.0, 30.0), (31.0, 59.0)]
