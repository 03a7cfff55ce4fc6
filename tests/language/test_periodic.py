"""The leaves that repeat: the formula of their source, their limits, and that they repeat."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import iv

from autostatistician.language.periodic import cos, cos_derivatives, cos_slope, per, per_slope

LAGS = np.array([0.0, 1e-4, 1e-3, 0.03, 0.1, 0.24, 0.5, 0.61, 0.77, 1.0, 1.3, -0.4, 2.9, -5.05])


@pytest.mark.parametrize("lengthscale", [0.4, 0.9, 2.0])
def test_periodic_is_the_formula_of_its_source(lengthscale: float) -> None:
    z, cosine = lengthscale**-2, np.cos(2 * np.pi * LAGS / 0.7)
    expected = (np.exp(z * cosine) - iv(0, z)) / (np.exp(z) - iv(0, z))
    np.testing.assert_allclose(per(LAGS, lengthscale, 0.7, 1.0), expected, atol=1e-13)


@pytest.mark.parametrize("lengthscale", [0.05, 0.7, 5.0, 50.0])
def test_periodic_has_no_constant_part(lengthscale: float) -> None:
    lags = np.arange(4096) / 4096 * 3.0
    assert abs(per(lags, lengthscale, 3.0, 1.0).mean()) < 1e-14


def test_a_long_lengthscale_leaves_a_cosine() -> None:
    cosine = cos(LAGS, 0.7, 2.0)
    np.testing.assert_allclose(per(LAGS, np.inf, 0.7, 2.0), cosine, atol=1e-14)
    np.testing.assert_allclose(per(LAGS, 1e5, 0.7, 2.0), cosine, atol=1e-9)


@given(st.floats(-3.0, 3.0), st.floats(0.1, 30.0), st.floats(0.3, 5.0), st.integers(-40, 40))
def test_values_and_slopes_repeat_after_every_period(lag: float, lengthscale: float, period: float, turns: int) -> None:
    here, there = np.array([lag]), np.array([lag + turns * period])
    steepest = np.abs(per_slope(np.linspace(0.0, period, 200), lengthscale, period, 1.0)).max()
    near = {"rtol": 0.0, "atol": 1e-11 * (1.0 + steepest) ** 2}
    np.testing.assert_allclose(per(there, lengthscale, period, 1.0), per(here, lengthscale, period, 1.0), **near)
    np.testing.assert_allclose(cos(there, period, 1.0), cos(here, period, 1.0), **near)
    np.testing.assert_allclose(cos_slope(there, period, 1.0), cos_slope(here, period, 1.0), **near)


@pytest.mark.parametrize("lag", [0.35, 1.05, -0.35])
def test_half_a_period_away(lag: float) -> None:
    value, (by_period, _) = cos_derivatives(np.array([lag]), 0.7, 1.0)
    assert value[0] == pytest.approx(-1.0, abs=1e-14)
    assert by_period[0] == pytest.approx(0.0, abs=1e-13)
