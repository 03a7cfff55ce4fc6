"""Leaves with stationary increments: half their variance, its derivatives, slope and limits."""

from __future__ import annotations

from decimal import Decimal, getcontext
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autostatistician.language.increments import INTEGRATED_OU, WIENER, iou, wiener
from autostatistician.language.lag_functions import LagFunction

LAGS = np.array([-7.0, -0.3, 0.0, 1e-4, 0.2, 1.0, 5.0, 40.0])
RATIOS = (1e-12, 1e-8, 1e-4, 0.01, 0.0999, 0.1, 0.1001, 0.5, 1.0, 30.0, 1000.0)


@pytest.mark.parametrize("ratio", RATIOS)
def test_no_digits_of_a_damped_trend_are_lost(ratio: float) -> None:
    getcontext().prec = 60
    u = Decimal(ratio)
    exact = float(u - 1 + (-u).exp())
    np.testing.assert_allclose(iou(np.array(ratio), 1.0, 1.0), exact, rtol=1e-14)


@pytest.mark.parametrize(
    ("function", "own"), [(WIENER, (1.3,)), (INTEGRATED_OU, (2.3, 0.7)), (INTEGRATED_OU, (90.0, 2.0))]
)
def test_derivatives_and_slope_are_limits_of_differences(function: LagFunction, own: tuple[float, ...]) -> None:
    value, derivatives = function.value_and_derivatives(LAGS, *own)
    np.testing.assert_array_equal(value, function.value(LAGS, *own))
    step = 1e-5
    for index, derivative in enumerate(derivatives):
        ends = [[one * np.exp(sign * step * (at == index)) for at, one in enumerate(own)] for sign in (1, -1)]
        differences = (function.value(LAGS, *ends[0]) - function.value(LAGS, *ends[1])) / (2.0 * step)
        np.testing.assert_allclose(derivative, differences, rtol=1e-6, atol=1e-9)
    differences = (function.value(LAGS + step, *own) - function.value(LAGS - step, *own)) / (2.0 * step)
    np.testing.assert_allclose(function.slope(LAGS, *own), differences, rtol=1e-6, atol=1e-8)


def test_a_damped_trend_with_a_long_memory_is_a_line_and_with_none_a_walk() -> None:
    np.testing.assert_allclose(iou(LAGS, 1e9, 3.0), 4.5 * LAGS**2, rtol=1e-7)
    apart = LAGS[np.abs(LAGS) > 0.1]
    np.testing.assert_allclose(iou(apart, 1e-9, 3.0), wiener(apart, 3.0 * sqrt(2e-9)), rtol=1e-7)


def test_with_a_growing_slope_of_long_memory_it_is_an_integrated_walk() -> None:
    # The slope then walks with variance 2 sd^2 / lengthscale a unit; a second difference over one unit has 2/3 of it.
    memory, weights = 1e5, np.array([1.0, -2.0, 1.0])
    g = iou(np.subtract.outer(np.arange(3.0), np.arange(3.0)), memory, sqrt(memory / 2.0))
    assert -weights @ g @ weights == pytest.approx(2.0 / 3.0, rel=1e-4)


@given(st.floats(0.01, 100.0), st.floats(0.01, 10.0), st.integers(0, 2**32))
def test_they_are_half_the_variance_of_increments(lengthscale: float, sd: float, seed: int) -> None:
    # Weights that sum to zero: the variance of a weighted sum is minus the quadratic form of g, and never negative.
    rng = np.random.default_rng(seed)
    x, weights = rng.uniform(-5.0, 5.0, 9), rng.normal(size=9)
    weights -= weights.mean()
    lags = np.subtract.outer(x, x)
    for g in (iou(lags, lengthscale, sd), wiener(lags, sd)):
        assert -weights @ g @ weights >= -1e-10 * np.abs(g).max()
