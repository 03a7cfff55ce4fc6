"""Rows that stand for all."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from autostatistician.decompose.rows import evenly_spaced, in_stretches, typical


@given(st.integers(1, 3000), st.integers(2, 400))
def test_they_are_distinct_hold_both_ends_and_leave_gaps_of_one_size(n: int, most: int) -> None:
    rows = evenly_spaced(n, most)
    assert len(rows) == min(n, most)
    assert (rows[0], rows[-1]) == (0, n - 1)
    gaps = np.diff(rows)
    assert gaps.size == 0 or 1 <= gaps.min() <= gaps.max() <= gaps.min() + 1


def test_of_none_there_are_none() -> None:
    assert evenly_spaced(0, 5).tolist() == []
    assert evenly_spaced(5, 1).tolist() == [0]


def test_stretches_of_neighbours_reach_from_end_to_end() -> None:
    rows = in_stretches(100_000, 20_000)
    assert (rows[0], rows[-1], len(rows)) == (0, 99_999, 20_000)
    assert float(np.mean(np.diff(rows) == 1)) > 0.97
    assert np.diff(rows).max() < 300


def test_typical_rows_have_the_means_of_all() -> None:
    X = np.random.default_rng(0).normal(size=(150, 3))
    few, spaced = (
        np.abs([(X[rows] ** power).mean(axis=0) - (X**power).mean(axis=0) for power in (1, 2)])
        for rows in (typical(X, 40), evenly_spaced(150, 40))
    )
    assert few.max() < 0.06
    assert spaced.max() > 0.1
    assert len(np.unique(typical(X, 40))) == 40
    assert typical(np.zeros((5, 0)), 3).size == 3
