"""Laws of deep kernels: positive definite, of features, with their fixed points and limits."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician.errors import InputError
from autostatistician.inference.covariance.matrices import covariance
from autostatistician.language.deep_lags import endless
from autostatistician.language.kernel import leaf
from autostatistician.language.text import parse_kernel
from deep_kernels import Features, arc_cosine, deep_covariance, of_features

Array = NDArray[np.float64]

X = np.array([-1.7, -0.4, 0.0, 0.1, 0.9, 2.5])
PLANE = np.random.default_rng(0).normal(size=(7, 2))
SMOOTH = leaf("SE", lengthscale=1.0, sd=1.0)
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


def test_one_layer_is_the_kernel_itself() -> None:
    np.testing.assert_array_equal(deep_covariance(SMOOTH, X, layers=1, connected=True), covariance(SMOOTH, X))


def test_it_is_the_kernel_of_features() -> None:
    features = np.random.default_rng(1).normal(size=(5, 3))
    gram = features @ features.T
    square = ((features[:, None] - features) ** 2).sum(axis=2)
    np.testing.assert_allclose(of_features(gram, gram.diagonal(), gram.diagonal()), np.exp(-0.5 * square), rtol=1e-12)


def test_of_a_wave_it_is_the_periodic_kernel() -> None:
    # MacKay's: squared exponential of cosine and sine.
    K = deep_covariance(leaf("Cos", period=3.0, sd=2.0), X, layers=2)
    turns = np.cos(2.0 * np.pi * np.subtract.outer(X, X) / 3.0)
    np.testing.assert_allclose(K, np.exp(4.0 * (turns - 1.0)), rtol=1e-12)


def test_without_connection_everything_becomes_one_constant() -> None:
    lows = [deep_covariance(SMOOTH, X, layers=layers).min() for layers in (1, 2, 10, 100, 2000)]
    assert (np.diff(lows) > 0.0).all()
    assert lows[-1] == pytest.approx(1.0, abs=2e-3)


@pytest.mark.parametrize(("layers", "symbol"), [(2, "Deep2"), (3, "Deep3"), (2000, "Deep")])
def test_with_connection_it_is_the_leaf_of_the_language(layers: int, symbol: str) -> None:
    kernel = leaf("SE", lengthscale=2.0, sd=1.0)
    K = deep_covariance(kernel, X, layers=layers, connected=True, lengthscale=2.0)
    np.testing.assert_allclose(K, covariance(leaf(symbol, lengthscale=2.0, sd=1.0), X), atol=2e-3)
    far = np.abs(np.subtract.outer(X, X)) > 0.3
    np.testing.assert_allclose(K[far], covariance(leaf(symbol, lengthscale=2.0, sd=1.0), X)[far], rtol=1e-9)


@pytest.mark.parametrize("text", ["SE[a](lengthscale=3, sd=1)", "C(sd=9)", "Lin[b](sd=2, location=1)"])
def test_the_connected_limit_in_the_plane_is_that_of_the_distance_whatever_the_first_layer(text: str) -> None:
    K = deep_covariance(parse_kernel(text), PLANE, columns=("a", "b"), layers=3000, connected=True)
    distance = np.sqrt(((PLANE[:, None] - PLANE) ** 2).sum(axis=2))
    np.testing.assert_allclose(K, endless(distance, 1.0, 1.0), atol=2e-3)


@pytest.mark.parametrize("order", [0, 1])
def test_arc_cosine_kernels_are_means_over_random_features(order: int) -> None:
    points = np.array([[1.0, 0.0], [0.5, 0.8], [-2.0, 0.3]])
    below = np.random.default_rng(2).normal(size=(400_000, 2)) @ points.T
    features = (below > 0.0) * below**order
    gram = points @ points.T
    K = arc_cosine(gram, gram.diagonal(), gram.diagonal(), order)
    np.testing.assert_allclose(K, 2.0 * features.T @ features / len(below), atol=0.03)


def test_ramps_keep_the_variance_and_forget_the_differences_slowly() -> None:
    line = parse_kernel("Lin(sd=1, location=0) + C(sd=1)")
    few, many = (deep_covariance(line, X, layers=layers, features="ramp") for layers in (2, 200))
    np.testing.assert_allclose(many.diagonal(), 1.0 + X**2, rtol=1e-12)
    scale = np.sqrt(np.outer(1.0 + X**2, 1.0 + X**2))
    assert (few / scale).min() < 0.9
    assert (many / scale).min() > 0.99


def test_steps_tend_to_one_correlation_of_all_different_places() -> None:
    line = parse_kernel("Lin(sd=1, location=0) + C(sd=1)")
    K = deep_covariance(line, X, layers=60, features="step")
    fixed = K[0, -1]
    assert np.cos(np.pi * (1.0 - fixed)) == pytest.approx(fixed)  # the solution of r = 1 - arccos(r) / pi below one
    np.testing.assert_allclose(K, np.where(np.eye(len(X), dtype=bool), 1.0, fixed), atol=1e-6)


def test_features_of_nothing_are_like_all_others() -> None:
    nothing = arc_cosine(np.zeros((1, 2)), np.zeros(1), np.array([0.0, 4.0]), 1)
    np.testing.assert_array_equal(nothing, np.zeros((1, 2)))


def test_unknown_layers_are_refused() -> None:
    with pytest.raises(InputError, match="order 0 or 1"):
        arc_cosine(np.eye(2), np.ones(2), np.ones(2), 2)
    with pytest.raises(InputError, match="'SE', 'step' or 'ramp'"):
        deep_covariance(SMOOTH, X, layers=2, features="tanh")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="at least one layer; found 0"):
        deep_covariance(SMOOTH, X, layers=0)
