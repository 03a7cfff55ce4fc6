"""Deep kernels of the lag: their published values, their limit, and the mixtures that they are."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import gammaln

from autostatistician.language.deep_lags import SMALL, deep, endless, endless_derivatives, endless_slope
from autostatistician.language.lag_functions import matern12, se

LAGS = np.array([-3.0, -0.4, 1e-6, 0.05, 0.5, 1.0, 2.0, 3.0])


def test_the_limit_has_the_known_values_and_solves_its_equation() -> None:
    np.testing.assert_allclose(
        endless(np.array([0.5, 1.0, 2.0, 3.0]), 1.0, 1.0), [0.5796, 0.3017, 0.0525, 0.0041], atol=5e-5
    )
    k = endless(LAGS, 1.0, 1.0)
    np.testing.assert_allclose(k - np.log(k), 1.0 + LAGS**2 / 2.0, rtol=1e-14)


def test_more_and_more_layers_fall_to_the_limit() -> None:
    far = LAGS[np.abs(LAGS) > 1e-3]  # where layers are forgotten at the rate k
    values = np.array([deep(far, 1.3, 2.0, layers=layers) for layers in (1, 2, 3, 4, 5, 3000)])
    np.testing.assert_allclose(values[0], se(far, 1.3, 2.0), rtol=1e-15)
    assert (np.diff(values, axis=0) < 0.0).all()
    np.testing.assert_allclose(values[-1], endless(far, 1.3, 2.0), rtol=1e-12)


def test_the_limit_is_a_mixture_of_squared_exponentials_with_the_weights_of_borel() -> None:
    count = np.arange(1.0, 400.0)
    weights = np.exp((count - 1.0) * np.log(count) - count - gammaln(count + 1.0))
    far = LAGS[np.abs(LAGS) > 0.3]
    mixture = weights @ np.array([se(far, 1.0 / np.sqrt(one), 1.0) for one in count])
    np.testing.assert_allclose(endless(far, 1.0, 1.0), mixture, rtol=1e-9)


def test_layers_are_mixtures_over_the_sizes_of_families() -> None:
    rng, layers = np.random.default_rng(0), 3
    generation = people = np.ones(100_000, dtype=np.int64)
    for _ in range(layers - 1):
        generation = rng.poisson(generation)
        people = people + generation
    mixture = np.exp(-np.multiply.outer(LAGS**2 / 2.0, people)).mean(axis=1)
    np.testing.assert_allclose(deep(LAGS, 1.0, 1.0, layers=layers), mixture, atol=0.01)


def test_the_limit_has_the_kink_of_a_wandering_level_and_lighter_tails() -> None:
    near = np.array([1e-9, 1e-5, 1e-3])
    np.testing.assert_allclose(1.0 - endless(near, 1.0, 1.0), 1.0 - matern12(near, 1.0, 1.0), rtol=2e-4, atol=1e-16)
    np.testing.assert_allclose(endless_slope(np.array([-1e-12, 0.0, 1e-12]), 0.5, 3.0), [18.0, 0.0, -18.0])
    assert endless(np.array(6.0), 1.0, 1.0) < 1e-5 * matern12(np.array(6.0), 1.0, 1.0)
    _, (by_length, by_sd) = endless_derivatives(np.array([0.0]), 0.5, 3.0)
    assert (by_length[0], by_sd[0]) == (0.0, 18.0)


@pytest.mark.parametrize("function", [endless, endless_slope])
def test_no_step_where_the_series_ends(function: object) -> None:
    assert callable(function)
    below, above = function(np.array([np.nextafter(SMALL, 0.0), SMALL]), 1.0, 1.0)
    assert below == pytest.approx(above, rel=1e-13)
