"""The slope of covariances along a column, against differences of the plain definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.strategies import ALL_LEAVES, kernels

from autostatistician.errors import InputError
from autostatistician.inference.covariance.matrices import covariance
from autostatistician.inference.covariance.slopes import covariance_slope
from autostatistician.language.kernel import Kernel, leaf
from autostatistician.language.text import parse_kernel

Array = NDArray[np.float64]

COLUMNS = ("a", "b")
PLACES = st.lists(st.tuples(st.floats(-2.0, 2.0), st.floats(-2.0, 2.0)), min_size=1, max_size=3)
STEP = 1e-5


def _differences(kernel: Kernel, X: Array, X2: Array, index: int) -> Array:
    """Every row of ``X`` moved to either side, by the plain definition."""
    step = np.zeros(X.shape[1])
    step[index] = STEP
    above, below = (covariance(kernel, X + sign * step, X2, COLUMNS) for sign in (1.0, -1.0))
    return np.asarray((above - below) / (2.0 * STEP))


@given(kernels(columns=COLUMNS, symbols=[one for one in ALL_LEAVES if one != "Cat"], max_leaves=5), PLACES, PLACES)
def test_the_slope_is_the_limit_of_differences(
    kernel: Kernel, first: list[tuple[float, float]], second: list[tuple[float, float]]
) -> None:
    # No kink of a rough leaf, at the other place or where it begins, is within a step.
    X, X2 = np.array(first) + 1e-3 * np.e, np.array(second) + 1e-3 * np.pi
    near = np.abs(X[:, None, :] - X2[None, :, :]).min(axis=2) < 2.0 * STEP
    for index, column in enumerate(COLUMNS):
        expected = _differences(kernel, X, X2, index)
        size = max(1.0, float(np.abs(expected).max()), float(np.abs(covariance(kernel, X, X2, COLUMNS)).max()))
        found = covariance_slope(kernel, X, X2, column, COLUMNS)
        np.testing.assert_allclose(found[~near], expected[~near], atol=1e-5 * size, rtol=1e-5)


@pytest.mark.parametrize(
    "text",
    [
        "SE(lengthscale=0.7, sd=1.2)",
        "RQ(lengthscale=0.7, sd=1.2, alpha=0.6)",
        "Matern12(lengthscale=0.7, sd=1.2)",
        "Matern32(lengthscale=0.7, sd=1.2)",
        "Per(lengthscale=0.6, period=0.9, sd=1.2)",
        "Cos(period=0.9, sd=1.2)",
        "Lin(sd=1.3, location=0.2) * SE(lengthscale=0.7, sd=1) + WN(sd=1)",
        "CP(SE(lengthscale=0.7, sd=1), Lin(sd=1, location=0); location=0.5, steepness=3)",
        "CW(SE(lengthscale=0.7, sd=1), Matern32(lengthscale=1, sd=2); location=0.5, steepness=3, width=0.4)",
    ],
)
def test_moving_a_row_moves_the_whole_matrix_as_the_slope_says(text: str) -> None:
    """Row and column of the row that moves change by its slopes, their common entry by twice its slope."""
    kernel, X, moved = parse_kernel(text), np.array([0.0, 0.31, 0.5, 1.2]), 1
    step = np.zeros(4)
    step[moved] = 1e-6
    change = (covariance(kernel, X + step) - covariance(kernel, X - step)) / 2e-6
    slope = covariance_slope(kernel, X)[moved]
    expected = np.zeros((4, 4))
    expected[moved] += slope
    expected[:, moved] += slope
    np.testing.assert_allclose(change, expected, atol=1e-7)


def test_what_does_not_depend_on_a_column_is_flat_along_it() -> None:
    X = np.random.default_rng(0).normal(size=(5, 2))
    elsewhere = leaf("SE", "a", lengthscale=1.0, sd=1.0) * leaf("C", sd=2.0) + leaf("WN", sd=1.0)
    assert not covariance_slope(elsewhere, X, None, "b", COLUMNS).any()
    codes = np.array([[0.0, 0.0], [1.0, 0.3], [0.0, 1.0]])
    for groups in (leaf("Cat", "a", contrast=1.0, sd=1.0), parse_kernel("Cat2r0[a](sd1=1, sd2=2)")):
        assert not covariance_slope(groups, codes, codes + np.array([0.0, 1.0]), "a", COLUMNS).any()


def test_a_column_that_is_not_there_is_named() -> None:
    with pytest.raises(InputError, match="'c'"):
        covariance_slope(leaf("SE", "a", lengthscale=1.0, sd=1.0), np.zeros((2, 2)), None, "c", COLUMNS)
