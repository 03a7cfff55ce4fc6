"""Moments of limited values against draws."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.data.transform import Transform
from autostatistician.inference.predictive.limited import limited_moments
from autostatistician.inference.predictive.predictive import Predictive

DRAWS = np.random.default_rng(0).normal(size=2_000_000)
SCALES = {"none": Transform(), "log": Transform("log", 10.0)}


@pytest.mark.parametrize("name", SCALES)
@pytest.mark.parametrize(("low", "high"), [(9.0, np.inf), (-np.inf, 12.0), (8.0, 11.0), (0.0, np.inf), (14.0, 20.0)])
def test_moments_are_those_of_clipped_draws(name: str, low: float, high: float) -> None:
    transform = SCALES[name]
    mean, sd = (10.0, 3.0) if name == "none" else (0.0, 0.3)
    found = limited_moments(np.array([mean]), np.array([sd]), transform, low, high)
    clipped = np.clip(transform.back(mean + sd * DRAWS), low, high)
    np.testing.assert_allclose([one[0] for one in found], [clipped.mean(), clipped.std()], rtol=0.005, atol=0.003)


def test_far_limits_and_none_change_nothing_not_even_a_digit() -> None:
    means, sds = np.array([50.0, 3e5]), np.array([1.0, 0.0])
    plain = limited_moments(means, sds, Transform(), -np.inf, np.inf)
    far = limited_moments(means, sds, Transform(), 0.0, 1e6)
    assert all(np.array_equal(one, other) for one, other in zip(plain, far, strict=True))


def test_values_that_are_certain_beyond_a_limit_lie_at_it() -> None:
    mean, sd = limited_moments(np.array([-5.0]), np.array([0.0]), Transform(), 0.0, np.inf)
    assert (mean[0], sd[0]) == (0.0, 0.0)


def test_mixtures_stop_at_their_limits() -> None:
    means, sds, weights = np.array([[1.0], [-2.0]]), np.array([[2.0], [1.0]]), np.array([0.6, 0.4])
    found = Predictive(means, sds, weights, Transform(), offset=1.0, low=0.0)
    draws = np.concatenate([2.0 + 2.0 * DRAWS[:1_200_000], -1.0 + DRAWS[1_200_000:]])
    clipped = np.maximum(draws, 0.0)
    assert found.mean[0] == pytest.approx(clipped.mean(), abs=0.01)
    assert found.std[0] == pytest.approx(clipped.std(), abs=0.01)
    np.testing.assert_allclose(found.quantiles([0.1, 0.9])[0], np.quantile(clipped, [0.1, 0.9]), atol=0.02)
    assert found.cdf(np.array([-0.1]))[0] == 0.0
    assert found.cdf(np.array([0.0]))[0] == pytest.approx(np.mean(clipped == 0.0), abs=0.002)
    assert np.isneginf(found.log_density(np.array([-0.1]))[0])
