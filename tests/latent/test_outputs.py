"""Rows in standard units, their patterns of empty cells, and principal coordinates."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.latent.outputs import Outputs, principal_coordinates

RNG = np.random.default_rng(0)
ROWS = 3.0 + RNG.normal(size=(12, 4)) * [1.0, 10.0, 0.1, 5.0]
GAPS = ROWS.copy()
GAPS[2, 1] = GAPS[5, 1] = GAPS[7, 3] = np.nan


def test_columns_have_mean_zero_and_deviation_one() -> None:
    outputs = Outputs.of(GAPS)
    np.testing.assert_allclose(np.nanmean(outputs.Y, axis=0), 0.0, atol=1e-12)
    np.testing.assert_allclose(np.nanstd(outputs.Y, axis=0), 1.0)
    np.testing.assert_allclose(outputs.standard(GAPS), outputs.Y)
    assert outputs.log_unit == pytest.approx([12, 10, 12, 11] @ np.log(outputs.scale))


def test_a_column_that_does_not_vary_keeps_its_unit() -> None:
    outputs = Outputs.of(np.array([[1.0, 7.0], [2.0, 7.0]]))
    assert outputs.scale.tolist() == [0.5, 1.0]


def test_patterns_hold_every_observed_cell_once() -> None:
    outputs, seen = Outputs.of(GAPS), np.zeros((12, 4), dtype=int)
    patterns = list(outputs.patterns())
    for pattern in patterns:
        assert np.isfinite(outputs.block(pattern)).all()
        seen[np.ix_(pattern.rows, pattern.columns)] += 1
    np.testing.assert_array_equal(seen, np.isfinite(GAPS))
    assert len(patterns) == 3


def test_coordinates_of_a_plane_are_found_also_where_cells_are_empty() -> None:
    true = RNG.normal(size=(30, 2)) * [3.0, 1.0]
    rows = true @ RNG.normal(size=(2, 6))
    whole = principal_coordinates(rows, 2, RNG)
    np.testing.assert_allclose(whole.T @ whole / 30, np.eye(2) * whole.var(axis=0), atol=0.1)
    rows[4, 2] = rows[9, 0] = np.nan
    np.testing.assert_allclose(principal_coordinates(rows, 2, RNG), whole, atol=0.4)
    emptied = principal_coordinates(np.nan_to_num(rows), 2, RNG)
    assert np.abs(principal_coordinates(rows, 2, RNG) - whole).max() < 0.7 * np.abs(emptied - whole).max()


def test_coordinates_beyond_the_rank_are_small() -> None:
    rows = np.outer(np.linspace(-1.0, 1.0, 9), [1.0, 2.0])
    found = principal_coordinates(rows, 2, np.random.default_rng(0))
    assert found[:, 0].std() == pytest.approx(1.0)
    assert 0.0 < found[:, 1].std() < 0.2
    assert np.isfinite(principal_coordinates(np.zeros((4, 2)), 2, RNG)).all()
