"""Pictures of errors: normal errors lie on the line, and shares inside of the range of chance."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pytest

from autostatistician.describe.document.document import Band, Line, Points
from autostatistician.describe.document.error_pictures import held_panel, quantile_panel
from autostatistician.describe.document.panels import Ranges

NORMAL = np.array([NormalDist().inv_cdf((i + 0.5) / 200) for i in range(200)])


def test_normal_errors_lie_on_the_line() -> None:
    mixed = np.random.default_rng(0).permutation(NORMAL)
    (points,) = [layer for layer in quantile_panel(mixed).layers if isinstance(layer, Points)]
    np.testing.assert_allclose(points.y, points.x, atol=1e-12)


def test_the_range_of_chance_holds_normal_errors_and_not_wider_ones() -> None:
    rng = np.random.default_rng(1)
    for scale, most in ((1.0, 0.2), (2.0, 1.0)):
        panel = quantile_panel(scale * rng.standard_normal(200))
        (band,) = [layer for layer in panel.layers if isinstance(layer, Band)]
        (points,) = [layer for layer in panel.layers if isinstance(layer, Points)]
        outside = float(np.mean((points.y < band.lower) | (points.y > band.upper)))
        assert (outside < most) if scale == 1.0 else (outside > 0.5)


def test_shares_are_drawn_in_per_cent_against_their_levels() -> None:
    panel = held_panel("Ranges", (0.5, 0.8), (0.4, 0.9))
    (points,) = [layer for layer in panel.layers if isinstance(layer, Points)]
    assert (points.x.tolist(), points.y.tolist()) == ([50.0, 80.0], [40.0, 90.0])
    assert not any(isinstance(layer, Ranges) for layer in panel.layers)


def test_of_independent_rows_chance_narrows_with_their_number() -> None:
    def width(rows: int) -> float:
        chance = held_panel("Ranges", (0.5,), (0.5,), rows).layers[0]
        assert isinstance(chance, Ranges)
        return float(chance.upper[1] - chance.lower[1])

    assert width(100) == pytest.approx(2 * 1.96 * 5.0)
    assert width(400) == pytest.approx(width(100) / 2)
    assert any(isinstance(layer, Line) for layer in held_panel("Ranges", (0.5,), (0.5,), 9).layers)
