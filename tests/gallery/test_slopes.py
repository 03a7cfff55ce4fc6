"""Slopes of compositions: the corrected moments of their logarithms, and what depth and width do to their spectra."""

from __future__ import annotations

from math import log, pi, sqrt

import numpy as np
import pytest
from scipy.special import ndtr, psi

from autostatistician.deep.compositions import composition
from autostatistician.errors import InputError
from autostatistician.language.text import parse_kernel
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
