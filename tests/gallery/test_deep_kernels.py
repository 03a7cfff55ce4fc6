"""Laws of deep kernels: positive definite, of features, with their fixed points and limits."""

import numpy as np
import pytest

from autostatistician.gp.covariance import covariance
from autostatistician.kernels.kernel import leaf
from autostatistician.kernels.text import parse_kernel
from autostatistician.models.additive.kernel import weighted_sum
from deep_kernels import Features, arc_cosine, deep_covariance
from dropout import order_weights
from slopes import jacobians, log_slope_moments


@pytest.mark.parametrize("layers", [1, 6])
def test_logarithms_of_slopes_have_the_corrected_moments(layers: int) -> None:
    logs = np.log(np.abs(jacobians(layers, 1, 100_000, np.random.default_rng(0), slope=1.7))).ravel()
    mean, variance = log_slope_moments(1.7, layers)
    assert logs.mean() == pytest.approx(mean, abs=0.05)
    assert logs.var() == pytest.approx(variance, rel=0.05)


RNG = np.random.default_rng(0)
X_OF_DROPOUT = RNG.normal(size=(6, 4))

# Of every column the correlation of all pairs of rows: (4, 6, 6).
BY_COLUMN = np.array([covariance(leaf("SE", lengthscale=1.0, sd=1.0), column) for column in X_OF_DROPOUT.T])


@pytest.mark.parametrize("rate", [0.2, 0.5])
def test_the_mean_over_dropped_columns_is_the_additive_kernel_of_these_weights(rate: float) -> None:
    kept = np.random.default_rng(1).random((20_000, 4)) >= rate
    patterns, counts = np.unique(kept, axis=0, return_counts=True)
    products = np.array([BY_COLUMN[pattern].prod(axis=0) for pattern in patterns])
    mean = np.tensordot(counts / len(kept), products, axes=1)
    additive = weighted_sum(BY_COLUMN.reshape(4, -1), order_weights(4, rate)).reshape(6, 6)
    np.testing.assert_allclose(mean, additive, atol=0.02)
    np.testing.assert_allclose(additive, (rate + (1.0 - rate) * BY_COLUMN).prod(axis=0), rtol=1e-12)


X = np.array([-1.7, -0.4, 0.0, 0.1, 0.9, 2.5])

KERNELS = [
    "SE(lengthscale=0.7, sd=2)",
    "Lin(sd=1, location=0.3) + C(sd=0.5)",
    "Lin(sd=1, location=0) * Per(lengthscale=1, period=2, sd=1) + Deep(lengthscale=1, sd=1)",
    "CP(SE(lengthscale=1, sd=1), Matern12(lengthscale=1, sd=2); location=0, steepness=3)",
]


@pytest.mark.parametrize("text", KERNELS)
@pytest.mark.parametrize("features", ["SE", "step", "ramp"])
@pytest.mark.parametrize("connected", [False, True])
def test_they_are_covariances(text: str, features: Features, connected: bool) -> None:
    K = deep_covariance(parse_kernel(text), X, layers=3, features=features, connected=connected)
    np.testing.assert_allclose(K, K.T, atol=1e-12)
    assert np.linalg.eigvalsh(K).min() > -1e-10 * K.diagonal().max()
    rectangle = deep_covariance(parse_kernel(text), X[:2], X[2:], layers=3, features=features, connected=connected)
    np.testing.assert_allclose(rectangle, K[:2, 2:], atol=1e-10)


@pytest.mark.parametrize(("layers", "symbol"), [(2, "Deep2"), (3, "Deep3"), (2000, "Deep")])
def test_with_connection_it_is_the_leaf_of_the_language(layers: int, symbol: str) -> None:
    kernel = leaf("SE", lengthscale=2.0, sd=1.0)
    K = deep_covariance(kernel, X, layers=layers, connected=True, lengthscale=2.0)
    np.testing.assert_allclose(K, covariance(leaf(symbol, lengthscale=2.0, sd=1.0), X), atol=2e-3)
    far = np.abs(np.subtract.outer(X, X)) > 0.3
    np.testing.assert_allclose(K[far], covariance(leaf(symbol, lengthscale=2.0, sd=1.0), X)[far], rtol=1e-9)


@pytest.mark.parametrize("order", [0, 1])
def test_arc_cosine_kernels_are_means_over_random_features(order: int) -> None:
    points = np.array([[1.0, 0.0], [0.5, 0.8], [-2.0, 0.3]])
    below = np.random.default_rng(2).normal(size=(400_000, 2)) @ points.T
    features = (below > 0.0) * below**order
    gram = points @ points.T
    K = arc_cosine(gram, gram.diagonal(), gram.diagonal(), order)
    np.testing.assert_allclose(K, 2.0 * features.T @ features / len(below), atol=0.03)
