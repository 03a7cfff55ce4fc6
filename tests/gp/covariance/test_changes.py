"""The weight of the first operand of a change: its sides, and its derivatives by finite differences."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.strategies import ALL_LEAVES, kernels

from autostatistician.errors import InputError
from autostatistician.gp.covariance import covariance, prior_variance, slopes_by_points, variance_slopes_by_points
from autostatistician.kernels.evaluators import change_weights, weights_and_slopes
from autostatistician.kernels.expr import ChangePoint, ChangeWindow, Leaf
from autostatistician.kernels.kernel import Kernel, leaf
from autostatistician.kernels.text import parse_kernel

Array = NDArray[np.float64]
COLUMNS = ("a", "b")
PLACES = st.lists(st.tuples(st.floats(-2.0, 2.0), st.floats(-2.0, 2.0)), min_size=1, max_size=3)
STEP_OF_SLOPES = 1e-5


def _differences(kernel: Kernel, X: Array, X2: Array, index: int) -> Array:
    """Every row of ``X`` moved to either side, by the plain definition."""
    step = np.zeros(X.shape[1])
    step[index] = STEP_OF_SLOPES
    above, below = (covariance(kernel, X + sign * step, X2, COLUMNS) for sign in (1.0, -1.0))
    return np.asarray((above - below) / (2.0 * STEP_OF_SLOPES))


@given(kernels(columns=COLUMNS, symbols=[one for one in ALL_LEAVES if one != "Cat"], max_leaves=5), PLACES, PLACES)
def test_the_slope_is_the_limit_of_differences(
    kernel: Kernel, first: list[tuple[float, float]], second: list[tuple[float, float]]
) -> None:
    # No kink of a rough leaf, at the other place or where it begins, is within a step.
    X, X2 = np.array(first) + 1e-3 * np.e, np.array(second) + 1e-3 * np.pi
    near = np.abs(X[:, None, :] - X2[None, :, :]).min(axis=2) < 2.0 * STEP_OF_SLOPES
    for index in range(len(COLUMNS)):
        expected = _differences(kernel, X, X2, index)
        size = max(1.0, *(float(np.abs(one).max()) for one in (expected, covariance(kernel, X, X2, COLUMNS))))
        found = slopes_by_points(kernel, X, X2, np.where(near, 0.0, 1.0), COLUMNS)[0][:, index]
        wanted = np.where(near, 0.0, expected).sum(axis=1)
        np.testing.assert_allclose(found, wanted, atol=1e-5 * size, rtol=1e-5)


def test_what_does_not_depend_on_a_column_is_flat_along_it() -> None:
    X = np.random.default_rng(0).normal(size=(5, 2))
    elsewhere = leaf("SE", "a", lengthscale=1.0, sd=1.0) * leaf("C", sd=2.0) + leaf("WN", sd=1.0)
    assert not slopes_by_points(elsewhere, X, X, np.ones((5, 5)), COLUMNS)[0][:, 1].any()
    codes = np.array([[0.0, 0.0], [1.0, 0.3], [0.0, 1.0]])
    for groups in (leaf("Cat", "a", contrast=1.0, sd=1.0), parse_kernel("Cat2r0[a](sd1=1, sd2=2)")):
        moved = slopes_by_points(groups, codes, codes + np.array([0.0, 1.0]), np.ones((3, 3)), COLUMNS)
        assert not np.any(moved)


def test_a_column_that_is_not_there_is_named() -> None:
    with pytest.raises(InputError, match="'c'"):
        slopes_by_points(
            leaf("SE", "c", lengthscale=1.0, sd=1.0), np.zeros((2, 2)), np.zeros((2, 2)), np.eye(2), COLUMNS
        )


RNG = np.random.default_rng(0)
X1, X2, WEIGHTS = RNG.normal(size=(4, 2)), RNG.normal(size=(5, 2)), RNG.normal(size=(4, 5))
STEP = 1e-6

KERNELS = [
    "SE[a](lengthscale=0.8, sd=1.3) * SE[b](lengthscale=1.7, sd=0.9)",
    "RQ[b](lengthscale=0.8, sd=1.3, alpha=0.7) + Lin[a](sd=0.4, location=0) * Per[b](lengthscale=1.1, period=2, sd=1)",
    "CP[a](SE[b](lengthscale=0.8, sd=1.3), C(sd=0.4); location=0.1, steepness=1.2) * Lin[b](sd=1.0, location=-0.3)",
    "CW[b](SE[b](lengthscale=0.8, sd=1.3), Lin[a](sd=0.4, location=0.3); location=0.1, steepness=1.2, width=0.9)",
    "Matern32[a](lengthscale=0.8, sd=1.3) + C(sd=2.0) + IOU[b](lengthscale=0.7, sd=0.4, location=-9)",
]


@pytest.mark.parametrize("text", KERNELS)
def test_slopes_are_those_of_differences(text: str) -> None:
    kernel = parse_kernel(text)
    by_X, by_X2 = slopes_by_points(kernel, X1, X2, WEIGHTS, COLUMNS)
    by_variance = variance_slopes_by_points(kernel, X1, WEIGHTS[:, 0], COLUMNS)
    for place, _ in np.ndenumerate(X1):
        step = np.zeros_like(X1)
        step[place] = STEP
        above, below = (covariance(kernel, X1 + sign * step, X2, COLUMNS) for sign in (1.0, -1.0))
        assert by_X[place] == pytest.approx(np.sum(WEIGHTS * (above - below)) / (2 * STEP), rel=1e-5, abs=1e-7)
        above, below = (prior_variance(kernel, X1 + sign * step, COLUMNS) for sign in (1.0, -1.0))
        assert by_variance[place] == pytest.approx(WEIGHTS[:, 0] @ (above - below) / (2 * STEP), rel=1e-5, abs=1e-7)
    turned = slopes_by_points(kernel, X2, X1, WEIGHTS.T, COLUMNS)
    np.testing.assert_allclose(turned[1], by_X, atol=1e-10)
    np.testing.assert_allclose(turned[0], by_X2, atol=1e-10)


X = np.linspace(-3.0, 5.0, 9)
CASES = [(ChangePoint(Leaf("C"), Leaf("SE")), (0.7, 2.0)), (ChangeWindow(Leaf("C"), Leaf("SE")), (0.7, 2.0, 3.0))]


@pytest.mark.parametrize(("expr", "own"), CASES, ids=["point", "window"])
def test_derivatives(expr: ChangePoint | ChangeWindow, own: tuple[float, ...]) -> None:
    for index, derivative in enumerate(weights_and_slopes(expr, X, own)[1]):
        moved = [list(own), list(own)]
        for sign, numbers in zip((-1.0, 1.0), moved, strict=True):  # the location as it is, the others as logarithms
            numbers[index] = numbers[index] + sign * 1e-6 if index == 0 else numbers[index] * np.exp(sign * 1e-6)
        low, high = (change_weights(expr, X, tuple(numbers))[0] for numbers in moved)
        np.testing.assert_allclose(derivative, (high - low) / 2e-6, atol=1e-8)


def test_weights_follow_the_tanh_and_keep_their_digits_far_away() -> None:
    (point, _), (window, _) = CASES
    before, after = change_weights(point, X, (1.0, 2.0))
    np.testing.assert_allclose(before, 0.5 * (1.0 - np.tanh(2.0 * (X - 1.0))))
    np.testing.assert_allclose(before + after, 1.0)
    assert 0.0 < change_weights(point, np.array([30.0]), (1.0, 2.0))[0][0] < 1e-49
    outside, inside = change_weights(window, X, (1.0, 2.0, 3.0))
    rise, fall = np.tanh(2.0 * (X + 0.5)), np.tanh(2.0 * (X - 2.5))
    np.testing.assert_allclose(inside, 0.25 * (1.0 + rise) * (1.0 - fall), atol=1e-15)
    np.testing.assert_allclose(outside + inside, 1.0)
    assert 0.0 < change_weights(window, np.array([2.5]), (2.5, 10.0, 8.0))[0][0] < 1e-34
