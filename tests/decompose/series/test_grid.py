"""The plotting grid."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autostatistician.decompose.series.grid import MOST_POINTS, finest_detail, plotting_grid
from autostatistician.language.kernel import Kernel, leaf

FLAT = leaf("C", sd=1.0)


@given(
    st.lists(st.integers(-1000, 1000), min_size=1, max_size=30),
    st.integers(0, 40),
    st.floats(1e-3, 1e3),
    st.integers(2, 300),
)
def test_from_the_first_datum_to_the_last_forecast(values: list[int], steps: int, gap: float, points: int) -> None:
    x = np.sort(np.array(values, dtype=float))
    future = x[-1] + gap * np.arange(1, steps + 1)
    grid = plotting_grid(FLAT, x, future, points)
    end = future[-1] if steps else x[-1]
    assert grid[0] == x[0]
    assert grid[-1] == pytest.approx(end)
    assert x[-1] in grid
    assert len(grid) == (max(points, 1 + (x[-1] > x[0]) + bool(steps)) if end > x[0] else 1)
    assert (np.diff(grid) > 0.0).all()


@pytest.mark.parametrize(
    ("kernel", "points"),
    [
        (leaf("Cos", period=0.1, sd=1.0), 801),
        (leaf("Per", lengthscale=2.0, period=0.1, sd=1.0), 801),
        (leaf("SE", lengthscale=0.01, sd=1.0), 2000),
        (leaf("SE", lengthscale=1.0, sd=1.0) * leaf("Lin", sd=1.0, location=0.0), 100),
        (Kernel.change_point(FLAT, leaf("Cos", period=0.2, sd=1.0), 3.0, 1.0), 401),
        (leaf("SE", lengthscale=1e-9, sd=1.0), 100),
        (leaf("IOU", lengthscale=0.01, sd=1.0, location=0.0), 2000),
        (leaf("Wiener", sd=1.0, location=0.0), 100),
    ],
)
def test_short_periods_and_lengthscales_get_more_points(kernel: Kernel, points: int) -> None:
    assert len(plotting_grid(kernel, np.linspace(0.0, 10.0, 20), np.zeros(0), 100)) == points <= MOST_POINTS


def test_a_single_place_is_a_single_point() -> None:
    assert plotting_grid(FLAT, np.array([2.0, 2.0]), np.zeros(0), 600).tolist() == [2.0]


def test_a_kernel_without_detail_has_no_finest() -> None:
    assert finest_detail(FLAT + leaf("WN", sd=1.0), 1.0) == inf


def test_details_between_the_places_of_a_regular_axis_are_not_drawn() -> None:
    x, ahead = 1949.0 + np.array([0, 1, 2, 5, 6]) / 12.0, 1949.0 + np.arange(7, 10) / 12.0
    jagged, soft = (leaf("Per", lengthscale=scale, period=1.0, sd=1.0) for scale in (0.1, 1.0))
    found = plotting_grid(jagged, x, ahead, 100, 1 / 12)
    assert found == pytest.approx(1949.0 + np.arange(10) / 12.0)
    assert x[-1] in found
    assert len(plotting_grid(soft, x, ahead, 100, 1 / 12)) == 100
    assert len(plotting_grid(jagged, x, ahead, 100)) >= 100


def test_where_the_points_are_too_few_the_end_is_in_full_detail() -> None:
    x, future = np.linspace(0.0, 1000.0, 400), 1000.0 + np.arange(1.0, 21.0)
    grid = plotting_grid(leaf("Cos", period=1.0, sd=1.0), x, future, 600)
    assert len(grid) == MOST_POINTS
    assert grid[0] == 0.0
    assert grid[-1] == 1020.0
    assert 1000.0 in grid
    assert (np.diff(grid) > 0.0).all()
    assert np.diff(grid)[-900:].max() == pytest.approx(1.0 / 8.0, rel=0.02)
    assert np.diff(grid)[:900].max() < 1.0
