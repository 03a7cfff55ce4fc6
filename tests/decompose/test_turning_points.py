"""Turning points that a posterior is sure of."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autostatistician.decompose.turning_points import contrast, is_sure, turning_points

CURVES = st.lists(st.integers(-20, 20).map(float), min_size=2, max_size=25).map(np.array)


@given(st.permutations(range(12)).map(lambda values: np.array(values, dtype=float)))
def test_without_doubt_and_details_they_are_the_extremes(mean: np.ndarray) -> None:
    cov = 1e-12 * np.eye(len(mean))
    extremes = [
        place
        for place in range(1, 11)
        if mean[place] in (mean[place - 1 : place + 2].max(), mean[place - 1 : place + 2].min())
    ]
    assert turning_points(mean, cov, 1e-3) == [0, *extremes, 11]


@given(CURVES, st.floats(0.01, 9.0))
def test_every_leg_between_several_stops_is_sure(mean: np.ndarray, sd: float) -> None:
    cov, size = sd**2 * np.eye(len(mean)), float(np.ptp(mean))
    stops = turning_points(mean, cov, size)
    assert stops == sorted(set(stops))
    if len(stops) == 2:
        assert stops == [0, len(mean) - 1]
    else:
        assert all(is_sure(contrast(mean, cov, *leg), size) for leg in pairwise(stops))


def test_the_least_of_what_is_unsure_goes_first() -> None:
    mean = np.array([0.0, 10.0, 9.5, 9.9, 4.0])
    assert turning_points(mean, 1e-6 * np.eye(5), 10.0) == [0, 1, 4]


def test_a_flat_top_or_bottom_is_one_turn_where_the_curve_comes_to_rest() -> None:
    cov = 1e-12 * np.eye(7)
    assert turning_points(np.array([0.0, 2.0, 2.0, 2.0, 1.0, 1.0, 3.0]), cov, 2.0) == [0, 1, 4, 6]
    assert turning_points(np.array([0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 2.0]), cov, 2.0) == [0, 6]


@given(CURVES)
def test_legs_go_up_and_down_in_turn(mean: np.ndarray) -> None:
    stops = turning_points(mean, 1e-12 * np.eye(len(mean)), 1e-3)
    signs = np.sign(np.diff(mean[stops]))
    assert len(stops) == 2 or (signs[1:] == -signs[:-1]).all()


def test_what_two_places_share_is_not_in_their_difference() -> None:
    cov = np.full((2, 2), 4.0) + 1e-4 * np.eye(2)
    assert is_sure(contrast(np.array([0.0, 0.1]), cov, 0, 1), 0.1)
    assert not is_sure(contrast(np.array([0.0, 0.1]), 4.0 * np.eye(2), 0, 1), 0.1)


def test_a_turn_is_the_highest_place_also_where_a_rise_to_it_is_unsure() -> None:
    mean = np.array([0.0, 3.0, 2.5, 3.4, 0.0])
    unsure_at_the_top = np.diag([1e-4, 1e-4, 1e-4, 1.0, 1e-4])  # the fall from the first top is sure, the rise is not
    assert turning_points(mean, unsure_at_the_top, 3.4) == [0, 3, 4]


@pytest.mark.parametrize("doubt", [30.0, 50.0, 200.0])
def test_a_doubtful_end_takes_no_sure_turn_with_it(doubt: float) -> None:
    x = np.arange(60)
    mean = np.interp(x, [0, 12, 17, 25, 38, 50, 59], [16.0, -66.0, 36.0, -76.0, 56.0, -40.0, -5.0])
    for late, turns in ((x > 48, [12, 17, 25, 38]), (x < 12, [17, 25, 38, 50])):
        stops = turning_points(mean, np.diag(np.where(late, doubt**2, 1e-4)), 132.0)
        assert set(turns) <= set(stops)
