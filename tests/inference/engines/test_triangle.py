"""The diagonals of a work matrix are columns of a view of it."""

from __future__ import annotations

import numpy as np

from autostatistician.inference.engines.triangle import UpperTriangle


def test_diagonals_are_read_without_a_copy() -> None:
    triangle = UpperTriangle(4)
    triangle.matrix[...] = np.triu(np.arange(1.0, 17.0).reshape(4, 4))
    for lag in range(4):
        expected = np.append(np.diagonal(triangle.matrix, lag), np.zeros(lag))
        np.testing.assert_array_equal(triangle.diagonals[:, lag], expected)
    triangle.main += 100.0
    assert (np.diagonal(triangle.matrix) > 100.0).all()
    assert np.shares_memory(triangle.diagonals, triangle.matrix)
