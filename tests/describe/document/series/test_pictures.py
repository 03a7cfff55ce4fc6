"""What the pictures of parts show: constants without a panel of their own, fine cycles by their last few."""

from __future__ import annotations

import numpy as np
import pytest
from tests.decompose.series.series import decomposed

from autostatistician.data.dataset import Dataset
from autostatistician.data.transform import Transform
from autostatistician.decompose.records.series import Decomposition, Fitted
from autostatistician.describe.document.document import Figure, Line, Points
from autostatistician.describe.document.series.pictures import LAST_CYCLES, SHOWN_SAMPLES
from autostatistician.describe.tell import document
from autostatistician.language.kernel import Kernel, leaf

NOISE = leaf("WN", sd=0.3)


def _taken_apart(kernel: Kernel, y: np.ndarray) -> Decomposition:
    data = Dataset(np.arange(float(len(y)))[:, None], y, ("x",), "y", None)
    return decomposed(kernel, data, fitted=Fitted(kernel, 1.0, 2.0, 3, 1.0, 10), horizon=8, grid_points=100)


def _of_parts(found: Decomposition) -> list[Figure]:
    parts = next(one for one in document(found).sections if one.id == "parts")
    return [block for one in parts.sections for block in one.blocks if isinstance(block, Figure)]


def _line(figure: Figure, panel: int) -> Line:
    layers = figure.panels[panel].layers
    return next(layer for layer in layers if isinstance(layer, Line) and layer.role == "mean")


@pytest.mark.slow
@pytest.mark.parametrize(("period", "cut"), [(4.0, True), (40.0, False)])
def test_of_a_fine_cycle_the_last_few_are_drawn(period: float, cut: bool) -> None:
    x = np.arange(320.0)
    cycle = leaf("Per", sd=1.0, period=period, lengthscale=1.0) * leaf("Cos", sd=1.0, period=1.5 * period)
    found = _taken_apart(cycle + NOISE, np.sin(2 * np.pi * x / period) * np.cos(2 * np.pi * x / (1.5 * period)))
    figure = _of_parts(found)[0]
    start = float(_line(figure, 0).x[0])
    assert start == (pytest.approx(319.0 - LAST_CYCLES * period, abs=1.0) if cut else 0.0)
    assert ("the last twelve cycles" in figure.caption) == cut
    assert _line(figure, 1).x[0] == 0.0


def test_a_constant_is_drawn_with_the_data_alone_and_noise_by_itself_too() -> None:
    y = 5.0 + 0.3 * np.random.default_rng(0).normal(size=40)
    found = _taken_apart(leaf("C", sd=5.0) + NOISE, y)
    kinds = {part.is_noise: figure for part, figure in zip(found.components, _of_parts(found), strict=True)}
    assert len(kinds[False].panels) == 1
    assert len(kinds[True].panels) == 2


@pytest.mark.slow
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


def test_curves_that_the_data_allow_are_drawn_beside_the_bands() -> None:
    x = np.arange(60.0)
    found = _taken_apart(leaf("SE", sd=1.0, lengthscale=10.0) + NOISE, np.sin(x / 9.0))
    overview = document(found).sections[0].blocks[0]
    assert isinstance(overview, Figure)
    for figure, start in ((_of_parts(found)[0], 0.0), (overview, 59.0)):
        samples = [one for one in figure.panels[0].layers if isinstance(one, Line) and one.role == "sample"]
        assert len(samples) == SHOWN_SAMPLES
        assert all(one.x[0] == start and one.x[-1] == 67.0 for one in samples)
        assert not np.array_equal(samples[0].y, samples[1].y)


@pytest.mark.parametrize("logarithm", [True, False])
def test_models_of_the_logarithm_are_drawn_on_an_axis_of_ratios(logarithm: bool) -> None:
    x, kernel = np.arange(60.0), leaf("Lin", sd=0.1, location=0.0) + NOISE
    transform = Transform("log", scale=1.0) if logarithm else Transform()
    y = 0.1 * x + 0.01 * np.sin(x)
    data = Dataset(x[:, None], y, ("x",), "y", None)
    fitted = Fitted(kernel, 1.0, 2.0, 3, 1.0, 10)
    found = decomposed(kernel, data, fitted=fitted, horizon=8, grid_points=100, transform=transform)
    overview = document(found).sections[0].blocks[0]
    assert isinstance(overview, Figure)
    assert overview.panels[0].logarithmic == logarithm
