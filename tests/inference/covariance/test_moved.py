"""Sums of covariances when points move, beside differences."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.inference.covariance import covariance, prior_variance
from autostatistician.inference.covariance.moved import slopes_by_points, variance_slopes_by_points
from autostatistician.language.text import parse_kernel

RNG = np.random.default_rng(0)
X, X2, WEIGHTS = RNG.normal(size=(4, 2)), RNG.normal(size=(5, 2)), RNG.normal(size=(4, 5))
NAMES, STEP = ("a", "b"), 1e-6
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
    by_X, by_X2 = slopes_by_points(kernel, X, X2, WEIGHTS, NAMES)
    by_variance = variance_slopes_by_points(kernel, X, WEIGHTS[:, 0], NAMES)
    for place, _ in np.ndenumerate(X):
        step = np.zeros_like(X)
        step[place] = STEP
        gap = np.sum(WEIGHTS * (covariance(kernel, X + step, X2, NAMES) - covariance(kernel, X - step, X2, NAMES)))
        assert by_X[place] == pytest.approx(gap / (2 * STEP), rel=1e-5, abs=1e-7)
        spread = WEIGHTS[:, 0] @ (prior_variance(kernel, X + step, NAMES) - prior_variance(kernel, X - step, NAMES))
        assert by_variance[place] == pytest.approx(spread / (2 * STEP), rel=1e-5, abs=1e-7)
    turned = slopes_by_points(kernel, X2, X, WEIGHTS.T, NAMES)
    np.testing.assert_allclose(turned[1], by_X, atol=1e-10)
    np.testing.assert_allclose(turned[0], by_X2, atol=1e-10)
