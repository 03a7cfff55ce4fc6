"""Laws of deep kernels: positive definite, of features, with their fixed points and limits."""

from __future__ import annotations

from math import comb, log, pi, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import ndtr, psi

from autostatistician.additive.kernel import weighted_sum
from autostatistician.deep.compositions import composition
from autostatistician.errors import InputError
from autostatistician.inference.covariance.matrices import covariance
from autostatistician.language.kernel import leaf
from autostatistician.language.lag_functions import endless
from autostatistician.language.text import parse_kernel
from deep_kernels import Features, arc_cosine, deep_covariance, of_features
from dropout import order_weights
from slopes import jacobians, log_slope_moments, spectra


@pytest.mark.parametrize("layers", [1, 6])
def test_logarithms_of_slopes_have_the_corrected_moments(layers: int) -> None:
    logs = np.log(np.abs(jacobians(layers, 1, 100_000, np.random.default_rng(0), slope=1.7))).ravel()
    mean, variance = log_slope_moments(1.7, layers)
    assert logs.mean() == pytest.approx(mean, abs=0.05)
    assert logs.var() == pytest.approx(variance, rel=0.05)


def test_the_slopes_of_drawn_compositions_have_them_too() -> None:
    kernel, step, rng = parse_kernel("SE(lengthscale=2, sd=3)"), 0.01, np.random.default_rng(1)
    ends = np.array([composition(kernel, 3, np.array([[0.0], [step]]), rng)[-1, :, 0] for _ in range(2000)])
    logs = np.log(np.abs(np.diff(ends, axis=1)) / step)
    mean, variance = log_slope_moments(1.5, 3)
    assert logs.mean() == pytest.approx(mean, abs=0.25)
    assert logs.var() == pytest.approx(variance, rel=0.25)


def _distance_from_normal(layers: int) -> float:
    """The largest difference of distribution functions (Kolmogorov) of the standardised logarithm."""
    logs = np.sort(np.log(np.abs(jacobians(layers, 1, 20_000, np.random.default_rng(2)).ravel())))
    mean, variance = log_slope_moments(1.0, layers)
    return float(np.abs(ndtr((logs - mean) / sqrt(variance)) - (np.arange(len(logs)) + 0.5) / len(logs)).max())


def test_the_slope_of_a_deep_function_is_log_normal() -> None:
    assert _distance_from_normal(1) > 0.08
    assert _distance_from_normal(50) < 0.03


def test_slopes_whose_mean_size_stays_are_ever_smaller_nearly_everywhere() -> None:
    sizes = np.abs(jacobians(4, 1, 200_000, np.random.default_rng(3), slope=sqrt(pi / 2.0))).ravel()
    assert sizes.mean() == pytest.approx(1.0, abs=0.1)
    assert log_slope_moments(sqrt(pi / 2.0))[0] < 0.0
    assert np.median(sizes) < 0.5


def test_volumes_have_the_exact_expectation() -> None:
    # The squared determinant of a Gaussian matrix is a product of independent chi-squared numbers.
    width, layers = 4, 3
    _, logs = np.linalg.slogdet(jacobians(layers, width, 20_000, np.random.default_rng(4), slope=1.0))
    expected = layers * sum(0.5 * (psi(0.5 * free) + log(2.0)) for free in range(1, width + 1))
    assert logs.mean() == pytest.approx(expected, abs=0.1)


def test_one_direction_remains_with_depth_unless_layers_are_connected() -> None:
    rng = np.random.default_rng(5)
    shallow, deep = (np.median(spectra(jacobians(layers, 5, 500, rng)), axis=0) for layers in (2, 50))
    assert shallow[1] > 0.4
    assert deep[1] < 1e-3
    connected = np.median(spectra(jacobians(50, 5, 500, rng, slope=1.0 / 3.0, connected=True)), axis=0)
    assert connected[1] > 0.4
    assert connected[4] > 0.02


def test_widths_over_a_hundred_keep_the_spectrum_flat() -> None:
    rng = np.random.default_rng(6)
    wide = spectra(jacobians(30, 150, 5, rng, inputs=5)).mean(axis=0)
    narrow = np.median(spectra(jacobians(30, 5, 500, rng)), axis=0)
    assert wide[4] > 0.15
    assert wide[1] > 0.5
    assert narrow[1] < 0.05


def test_singular_values_drift_apart_by_what_the_width_says() -> None:
    # The growth of the i-th per layer is half the mean logarithm of a chi-squared number of width - i degrees.
    width, layers = 20, 250
    found = spectra(jacobians(layers, width, 100, np.random.default_rng(7), inputs=3))
    drift = -np.log(found[:, 2]).mean() / layers
    assert drift == pytest.approx(0.5 * (psi(0.5 * width) - psi(0.5 * (width - 2))), rel=0.2)
    assert drift == pytest.approx(2 * 1.0 / (2.0 * width), rel=0.3)  # two steps of the simple rule


def test_the_first_layer_may_have_other_inputs() -> None:
    assert jacobians(2, 7, 3, np.random.default_rng(0), inputs=2).shape == (3, 7, 2)
    assert jacobians(2, 7, 3, np.random.default_rng(0), inputs=2, connected=True).shape == (3, 7, 2)
    with pytest.raises(InputError, match="at least one layer; found 0"):
        jacobians(0, 7, 3, np.random.default_rng(0))


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


@pytest.mark.parametrize(("columns", "rate"), [(1, 0.3), (7, 0.5), (10, 0.9), (3, 0.0), (3, 1.0)])
def test_the_weights_of_all_subsets_sum_to_one(columns: int, rate: float) -> None:
    weights = order_weights(columns, rate)
    assert sum(comb(columns, order) * weights[order] for order in range(columns + 1)) == pytest.approx(1.0)


def test_nothing_dropped_is_the_product_and_everything_a_constant() -> None:
    assert order_weights(3, 0.0).tolist() == [0.0, 0.0, 0.0, 1.0]
    assert order_weights(3, 1.0).tolist() == [1.0, 0.0, 0.0, 0.0]
    with pytest.raises(InputError, match="between 0 and 1"):
        order_weights(3, 1.2)


def test_dropped_hidden_units_change_the_size_alone() -> None:
    rng, kept, units = np.random.default_rng(2), 0.3, 200
    phases, frequencies = rng.uniform(0.0, 2.0 * np.pi, units), rng.normal(size=units)
    hidden = np.sqrt(2.0 / units) * np.cos(np.multiply.outer(X_OF_DROPOUT[:, 0], frequencies) + phases)
    weights = rng.normal(size=(20_000, units)) * (rng.random((20_000, units)) < kept)
    values = weights @ hidden.T
    np.testing.assert_allclose(values.T @ values / len(values), kept * hidden @ hidden.T, atol=0.03)
    # And their distribution is that of a Gaussian process: no heavier tails.
    assert np.mean(values[:, 0] ** 4) / np.mean(values[:, 0] ** 2) ** 2 == pytest.approx(3.0, abs=0.3)


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
