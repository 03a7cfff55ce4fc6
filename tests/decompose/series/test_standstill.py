"""Where a rise or fall stands still."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician.decompose.series.standstill import standstill

Array = NDArray[np.float64]

X = np.arange(80.0)


def same(levels: Array) -> Array:
    return levels


def around(curve: Array) -> Array:
    return curve + 0.2 * np.random.default_rng(0).normal(size=(200, 1))


def broken(*corners: tuple[float, float]) -> Array:
    return np.interp(X, *zip(*corners, strict=True))


@pytest.mark.parametrize(
    ("curve", "stretch"),
    [
        (broken((0.0, 40.0), (45.0, 39.0), (79.0, 10.0)), (0.0, 45.0)),
        (broken((0.0, 10.0), (30.0, 50.0), (79.0, 51.0)), (30.0, 79.0)),
        (broken((0.0, 0.0), (20.0, 30.0), (50.0, 30.0), (79.0, 60.0)), (20.0, 50.0)),
    ],
)
def test_a_plateau_is_found_where_it_is(curve: Array, stretch: tuple[float, float]) -> None:
    still = standstill(X, around(curve), curve + np.random.default_rng(1).normal(size=80), same, 0.27)
    assert still is not None
    assert (still.start, still.stop) == stretch
    assert still.first == pytest.approx(curve[int(stretch[0])], abs=0.2)
    assert still.last == pytest.approx(curve[int(stretch[1])], abs=0.2)


@pytest.mark.parametrize("curve", [0.5 * X, X**2 / 80.0, 40.0 * np.log1p(X / 20.0), 0.0 * X])
def test_what_only_bends_does_not_stand_still(curve: Array) -> None:
    assert standstill(X, around(curve), curve, same, 0.27) is None


def test_a_dip_that_is_made_up_for_is_part_of_it() -> None:
    curve = broken((0.0, 10.0), (20.0, 44.0), (40.0, 41.0), (55.0, 43.0), (79.0, 20.0))[20:]
    still = standstill(X[20:], around(curve), curve, same, 0.27)
    assert still is not None
    assert (still.start, still.stop) == (20.0, 55.0)


def test_what_goes_up_and_down_by_much_is_no_standstill() -> None:
    curve = broken((0.0, 40.0), (25.0, 22.0), (50.0, 39.0), (79.0, 10.0))
    assert standstill(X, around(curve), curve, same, 0.27) is None


def test_a_plateau_that_the_data_do_not_show_is_none() -> None:
    curve = broken((0.0, 40.0), (45.0, 39.0), (79.0, 10.0))
    assert standstill(X, around(curve), 40.0 - 0.4 * X, same, 0.27) is None


def test_curves_of_many_paces_stand_still_nowhere() -> None:
    some = np.random.default_rng(2).normal(0.0, 6.0, size=(200, 3))
    curves = np.array([broken((0.0, 0.0), (25.0, 12.0 + a), (50.0, 14.0 + b), (79.0, 40.0 + c)) for a, b, c in some])
    assert standstill(X, curves, np.median(curves, axis=0), same, 0.27) is None


@pytest.mark.parametrize("way", [1.0, -1.0])
def test_a_standstill_ends_with_the_jump_that_smooth_curves_begin_before(way: float) -> None:
    """A plateau was told to end ten months before values fell at once."""
    x, rng = np.arange(192.0), np.random.default_rng(3)
    early = np.interp(x, [0.0, 70.0, 191.0], [20.0, 0.0, 0.0])
    values = -way * (early - 15.0 * (x >= 169.0)) + rng.normal(size=192)
    curve = -way * (early - np.interp(x, [157.0, 181.0], [0.0, 15.0]))
    still = standstill(x, around(curve), values, same, 0.27)
    assert still is not None
    assert still.stop == 169.0
    assert still.last == pytest.approx(0.0, abs=2.0)


def test_a_gradual_fall_after_a_standstill_is_no_jump() -> None:
    curve = broken((0.0, 40.0), (45.0, 39.0), (79.0, 10.0))
    for seed in range(20):
        still = standstill(X, around(curve), curve + 4.0 * np.random.default_rng(seed).normal(size=80), same, 0.27)
        assert still is None or still.stop == 45.0
