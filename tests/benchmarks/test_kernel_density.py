"""Leave-one-out likelihood of kernel widths: value, slopes, curvature, and its highest place."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from scipy.stats import norm
from sklearn.neighbors import KernelDensity

from clusters import best_widths, densities, left_out, log_densities

Y = np.random.default_rng(0).normal(size=(15, 3)) * [1.0, 2.0, 0.5]
U = np.log([0.5, 0.9, 0.3])


def test_the_value_is_that_of_every_row_from_the_others() -> None:
    expected = 0.0
    for i, row in enumerate(Y):
        others = np.delete(Y, i, axis=0)
        expected += np.log(np.mean(np.prod(norm.pdf(row, others, np.exp(U)), axis=1)))
        assert log_densities(others, np.exp(U), row[None, :])[0] == pytest.approx(
            np.log(np.mean(np.prod(norm.pdf(row, others, np.exp(U)), axis=1)))
        )
    assert left_out(Y, U)[0] == pytest.approx(expected)


def test_slopes_and_curvature() -> None:
    _, slope, curvature = left_out(Y, U)
    np.testing.assert_allclose(slope, approx_fprime(U, lambda u: left_out(Y, u)[0], 1e-7), atol=1e-4)
    differences = [approx_fprime(U, lambda u, d=d: left_out(Y, u)[1][d], 1e-7) for d in range(3)]
    np.testing.assert_allclose(curvature, differences, atol=1e-4)


def test_newton_steps_end_where_nothing_near_is_better() -> None:
    best = np.log(best_widths(Y))
    value, slope, _ = left_out(Y, best)
    assert np.abs(slope).max() < 1e-6
    for axis in np.eye(3):
        assert value > max(left_out(Y, best + 0.05 * axis)[0], left_out(Y, best - 0.05 * axis)[0])


def test_columns_without_structure_get_wide_kernels_beside_those_with_it() -> None:
    rng = np.random.default_rng(1)
    rows = np.column_stack([np.repeat([-3.0, 3.0], 40) + 0.1 * rng.normal(size=80), rng.normal(size=80)])
    narrow, wide = best_widths(rows)
    assert narrow < 0.15 < wide


def test_equal_rows_end_at_the_least_width() -> None:
    assert best_widths(np.repeat([[0.0], [1.0]], 5, axis=0))[0] == pytest.approx(0.5e-6)


def test_with_one_column_it_is_the_density_of_scikit_learn_in_any_units() -> None:
    rows = 3.0 * np.random.default_rng(0).normal(size=(60, 1))
    theirs = KernelDensity(bandwidth=float(best_widths(rows)[0])).fit(rows)
    np.testing.assert_allclose(densities(rows, rows), theirs.score_samples(rows))
    np.testing.assert_allclose(densities(1024.0 * rows, 1024.0 * rows), densities(rows, rows) - np.log(1024.0))
