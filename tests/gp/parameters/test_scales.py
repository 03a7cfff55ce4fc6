"""Scales of data: what they can show, and the noise that must be there."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from autostatistician.gp.parameters.scales import SURE_CYCLES, ColumnScale, Scales, measure

Vector = NDArray[np.float64]
RNG = np.random.default_rng(1)


def _measured(x: Vector, y: Vector) -> Scales:
    return measure(x[:, None], y, ("x",))


def test_scattered_places_show_what_close_neighbours_can_tell_apart() -> None:
    x = np.sort(np.random.default_rng(1).uniform(0.0, 100.0, 100))
    shortest = _measured(x, RNG.normal(size=100)).columns["x"].shortest_period
    assert 2.0 * np.diff(x).min() < shortest < 2.0 * np.median(np.diff(x))


def test_noise_has_a_floor_and_it_lies_below_the_noise() -> None:
    x = np.arange(200.0)
    for level in (0.01, 0.1, 1.0):
        y = np.sin(x / 20.0) + level * np.random.default_rng(0).normal(size=200)
        assert 0.01 * level < _measured(x, y).noise_floor < 0.3 * level


def test_with_several_columns_there_is_no_series_to_be_rough() -> None:
    X = np.random.default_rng(0).normal(size=(40, 2))
    assert measure(X, 3.0 * X[:, 1], ("a", "b")).noise_floor < 1e-3


def test_a_high_level_leaves_room_for_small_noise() -> None:
    # The total solar irradiance: 1360 W / m2, and 0.003 of noise in the quiet decades around 1680.
    x, rng = np.linspace(0.0, 1.0, 400), np.random.default_rng(0)
    assert _measured(x, 1000.0 + 0.003 * rng.standard_normal(400)).noise_floor < 0.003


def test_rounding_of_the_target_is_noise() -> None:
    x = np.arange(200.0)
    rounded = _measured(x, np.round(20.0 * np.sin(x / 40.0)))
    assert rounded.noise_floor >= 0.5 / np.sqrt(12.0)


def test_the_order_of_rows_does_not_matter() -> None:
    x, y = np.arange(40.0), RNG.normal(size=40)
    order = RNG.permutation(len(x))
    mixed, straight = _measured(x[order], y[order]), _measured(x, y)
    assert mixed.columns == straight.columns
    assert mixed.noise_floor == straight.noise_floor
    assert mixed.y_rms == pytest.approx(straight.y_rms)


@pytest.mark.parametrize(
    ("x", "y"),
    [(np.ones(5), np.arange(5.0)), (np.arange(5.0), np.zeros(5)), (1e-14 * np.arange(5.0) + 1.0, np.full(5, 3.0))],
    ids=["one place", "nothing but zero", "places that differ by rounding"],
)
def test_scales_of_degenerate_data_are_above_zero(x: Vector, y: Vector) -> None:
    found = _measured(x, y)
    column = found.only
    assert min(found.y_rms, found.noise_floor, column.range, column.gap, column.shortest_period) > 0.0
    assert column.longest_period > column.shortest_period


@given(st.floats(1e-3, 1e3), st.floats(-1e3, 1e3), st.floats(1e-3, 1e3))
def test_scales_change_with_the_units(by: float, shift: float, unit: float) -> None:
    x, y = np.arange(30.0), np.random.default_rng(2).normal(size=30)
    here, there = _measured(x, y), _measured(by * x + shift, unit * y)
    assert there.only.covered == pytest.approx(by * here.only.covered, rel=1e-6)
    assert there.only.shortest_period == pytest.approx(by * here.only.shortest_period, rel=1e-6)
    assert there.only.longest_period == pytest.approx(by * here.only.longest_period, rel=1e-6)
    assert (there.y_rms, there.noise_floor) == pytest.approx((unit * here.y_rms, unit * here.noise_floor), rel=1e-6)


def test_cycles_of_the_calendar_are_believed_when_they_are_seen_nearly_twice() -> None:
    column = ColumnScale(0.0, 23.0, 1.0, 7.0, natural_periods=(12.0, 24.0))
    assert column.is_named(12.5)
    assert not column.is_named(13.0)
    assert not column.is_named(24.0)  # seen once
    assert column.missing_cycles(12.0) == 0.0
    assert column.missing_cycles(10.0) == SURE_CYCLES - 2.4


def test_a_period_that_no_calendar_names_was_chosen_among_all_that_can_be_told_apart() -> None:
    named = ColumnScale(0.0, 47.0, 1.0, 14.0, natural_periods=(12.0,))
    assert [named.others(period) for period in (12.0, 6.0, 3.0)] == [1.0, 1.0, 1.0]
    assert named.others(9.0) == 24.0
    assert ColumnScale(0.0, 47.0, 1.0, 14.0).others(9.0) == 1.0  # without a calendar none is singled out
