"""Folds and the greedy order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autostatistician.decompose.series.order import Counted, fold_rows, greedy_order, mean_error

Y = [np.array([1.0, 2.0]), np.array([3.0, 4.0])]


@given(st.integers(1, 500))
def test_contiguous_folds_hold_every_row_once(n: int) -> None:
    folds = fold_rows(n)
    assert len(folds) == min(10, n)
    assert np.concatenate(folds).tolist() == list(range(n))
    assert max(map(len, folds)) - min(map(len, folds)) <= 1


def test_overlapping_folds_share_a_row_with_the_one_before() -> None:
    folds = fold_rows(144, "overlapping")
    assert [int(rows[0]) for rows in folds] == [0, 13, 27, 42, 56, 71, 85, 99, 114, 128]
    assert [int(rows[-1]) for rows in folds] == [13, 27, 42, 56, 71, 85, 99, 114, 128, 143]


def test_of_counts_that_are_mostly_zero_their_mean_misses_least() -> None:
    counted = Counted(np.array([0.0, 0.0, 0.0, 2.0]), lambda f, rows: np.exp(f))
    rows = [np.array([0, 1]), np.array([2, 3])]
    targets = [np.log(np.full(2, 0.9)), np.log(np.full(2, 0.9))]
    errors = [
        counted.error([target - np.log(rate) for target in targets], targets, rows) for rate in (1e-9, 0.5, 1.0, 1e99)
    ]
    assert errors[1] == pytest.approx(counted.of_mean) == min(errors)
    assert errors[0] == pytest.approx(1.0)  # though the mean absolute miss of zero is less than that of the mean
    assert errors[3] < 1e4  # a part alone may foresee any number


def test_parts_come_in_the_order_of_the_error_that_is_asked_for() -> None:
    parts, noise = [[np.array([1.0])], [np.array([3.0])]], [False, False]
    target = [np.array([1.2])]
    assert greedy_order(parts, target, noise).indices == (0, 1)
    assert greedy_order(parts, target, noise, lambda rest: float(np.abs(rest[0] + 2.0).sum())).indices == (1, 0)


def test_the_greatest_gain_comes_first() -> None:
    little, much = [0.1 * fold for fold in Y], [0.8 * fold for fold in Y]
    order = greedy_order([little, much], Y, [False, False])
    assert order.indices == (1, 0)
    assert order.errors == (pytest.approx(0.2 * mean_error(Y)), pytest.approx(0.1 * mean_error(Y)))


def test_ties_keep_their_order_and_noise_comes_last() -> None:
    nothing = [np.zeros(2), np.zeros(2)]
    assert greedy_order([nothing] * 4, Y, [True, False, True, False]).indices == (1, 3, 0, 2)


def test_noise_follows_signal_that_helps_only_together() -> None:
    up, down = [100.0 + fold for fold in Y], [np.full(2, -100.0)] * 2
    assert greedy_order([[np.zeros(2)] * 2, up, down], Y, [True, False, False]).indices[-1] == 0


def test_signal_that_spoils_the_prediction_follows_noise() -> None:
    spoils = [-0.5 * fold for fold in Y]
    assert greedy_order([spoils, [np.zeros(2)] * 2], Y, [False, True]).indices == (1, 0)


def test_a_spoilt_prediction_that_no_one_can_see_comes_before_noise() -> None:
    whole, spoils = [(1.0 + 1e-6) * fold for fold in Y], [1e-5 * fold for fold in Y]
    assert greedy_order([spoils, [np.zeros(2)] * 2, whole], Y, [False, True, False]).indices == (2, 0, 1)


def test_the_error_is_the_unweighted_mean_of_the_folds() -> None:
    assert mean_error([np.array([1.0, -3.0]), np.array([4.0])]) == 3.0
