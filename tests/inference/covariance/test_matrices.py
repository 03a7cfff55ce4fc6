"""Dense covariances against double loops and against scikit-learn's kernels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from scipy.special import i0e
from sklearn.gaussian_process import kernels as sk
from tests import oracles
from tests.strategies import kernels

from autostatistician.errors import InputError
from autostatistician.inference.covariance.matrices import covariance, prior_variance, signal_and_noise
from autostatistician.language.expr import Sum
from autostatistician.language.kernel import Kernel, leaf
from autostatistician.language.traits import is_noise

X = np.array([[0.0], [0.4], [1.1], [1.1], [2.5], [-3.0]])
X2 = np.array([[0.4], [7.0], [-0.2]])
COLUMNS = ("age", "dose")


def _close(found: np.ndarray, expected: np.ndarray, scale: float) -> None:
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-11 * scale)


@given(kernels())
def test_every_expression_is_the_double_loop(kernel: Kernel) -> None:
    scale = float(prior_variance(kernel, np.vstack([X, X2])).max())
    _close(covariance(kernel, X), oracles.covariance(kernel, X), scale)
    _close(covariance(kernel, X, X2, noise="coincide"), oracles.covariance(kernel, X, X2), scale)


@given(kernels(columns=COLUMNS))
def test_leaves_act_on_their_columns(kernel: Kernel) -> None:
    points = np.random.default_rng(3).normal(size=(5, 2))
    found = covariance(kernel, points, None, COLUMNS)
    _close(found, oracles.covariance(kernel, points, None, COLUMNS), float(np.abs(found).max()))
    swapped = covariance(kernel, points[:, ::-1], None, COLUMNS[::-1])
    _close(swapped, found, float(np.abs(found).max()))


@given(kernels())
def test_symmetric_positive_and_with_the_stated_diagonal(kernel: Kernel) -> None:
    K = covariance(kernel, X)
    scale = float(K.diagonal().max())
    _close(K, K.T, scale)
    _close(K.diagonal(), prior_variance(kernel, X), scale)
    assert np.linalg.eigvalsh(K).min() >= -1e-9 * scale


@given(kernels(max_leaves=4), kernels(max_leaves=4))
def test_sums_add_and_products_multiply(first: Kernel, second: Kernel) -> None:
    A, B = covariance(first, X), covariance(second, X)
    _close(covariance(first + second, X), A + B, float(A.max() + B.max()))
    _close(covariance(first * second, X), A * B, float(A.max() * B.max()))


@given(kernels())
def test_signal_and_noise_are_the_whole(kernel: Kernel) -> None:
    signal, noise = signal_and_noise(kernel)
    assert signal is None or not is_noise(signal)
    if noise is not None:
        assert all(is_noise(part) for part in (noise.parts if isinstance(noise.expr, Sum) else (noise,)))
    K = covariance(kernel, X)
    total = sum(covariance(half, X) for half in (signal, noise) if half is not None)
    _close(np.asarray(total), K, float(K.max()))


def test_leaves_are_those_of_scikit_learn() -> None:
    ours = leaf("SE", lengthscale=0.7, sd=2.0)
    np.testing.assert_allclose(covariance(ours, X, X2), 4.0 * sk.RBF(0.7)(X, X2))
    ours = leaf("RQ", lengthscale=0.7, sd=2.0, alpha=1.5)
    np.testing.assert_allclose(covariance(ours, X, X2), 4.0 * sk.RationalQuadratic(0.7, 1.5)(X, X2))
    ours = leaf("Lin", sd=2.0, location=0.5)
    np.testing.assert_allclose(covariance(ours, X, X2), 4.0 * sk.DotProduct(0.0)(X - 0.5, X2 - 0.5), atol=1e-13)
    ours = leaf("WN", sd=2.0)
    np.testing.assert_allclose(covariance(ours, X), sk.WhiteKernel(4.0)(X))
    ours = leaf("C", sd=2.0)
    np.testing.assert_allclose(covariance(ours, X, X2), sk.ConstantKernel(4.0)(X, X2))


@pytest.mark.parametrize("lengthscale", [0.2, 1.0, 4.0])
def test_periodic_is_scikit_learns_without_its_mean(lengthscale: float) -> None:
    mean = i0e(lengthscale**-2)
    expected = (sk.ExpSineSquared(lengthscale, 1.7)(X, X2) - mean) / (1.0 - mean)
    ours = leaf("Per", lengthscale=lengthscale, period=1.7, sd=1.0)
    np.testing.assert_allclose(covariance(ours, X, X2), expected, atol=1e-12)


def test_noise_is_one_draw_per_row_unless_asked() -> None:
    noise = leaf("WN", sd=3.0)
    np.testing.assert_array_equal(covariance(noise, X), 9.0 * np.eye(6))
    np.testing.assert_array_equal(covariance(noise, X, X), np.zeros((6, 6)))
    same_place = np.where(X == X.T, 9.0, 0.0)
    np.testing.assert_array_equal(covariance(noise, X, X, noise="coincide"), same_place)


@pytest.mark.parametrize(("column", "found"), [("weight", "'weight'"), (None, "without a column")])
def test_unknown_columns_are_named(column: str | None, found: str) -> None:
    with pytest.raises(InputError, match=found):
        covariance(leaf("SE", column, lengthscale=1.0, sd=1.0), np.zeros((2, 2)), None, COLUMNS)


def test_inputs_may_be_one_vector_and_are_not_changed() -> None:
    kernel = leaf("SE", lengthscale=1.0, sd=1.0) * leaf("Lin", sd=1.0, location=0.0)
    before = X.copy()
    np.testing.assert_array_equal(covariance(kernel, X[:, 0], X2[:, 0]), covariance(kernel, X, X2))
    np.testing.assert_array_equal(prior_variance(kernel, X[:, 0]), prior_variance(kernel, X))
    np.testing.assert_array_equal(X, before)


def test_a_damped_trend_with_a_long_memory_is_a_line_and_with_a_short_one_a_walk() -> None:
    x = np.array([-2.0, 0.0, 0.5, 1.0, 3.0, 8.0])
    line = covariance(leaf("Lin", sd=2.0, location=1.0), x)
    lasting = covariance(leaf("IOU", lengthscale=1e9, sd=2.0, location=1.0), x)
    np.testing.assert_allclose(lasting, line, atol=1e-6)
    walk = covariance(leaf("Wiener", sd=2.0, location=1.0), x)
    fleeting = covariance(leaf("IOU", lengthscale=1e-9, sd=2.0 / np.sqrt(2e-9), location=1.0), x)
    np.testing.assert_allclose(fleeting, walk, atol=1e-6)
