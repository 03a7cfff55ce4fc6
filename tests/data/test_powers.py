"""Powers of a target: their laws, and likelihoods that others give."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from autostatistician.data.transform import Transform, power_of
from autostatistician.errors import InputError

POWERS = (-1.5, -0.5, 0.0, 1e-9, 0.3, 1.0, 2.0)
Y = np.random.default_rng(0).lognormal(1.0, 0.6, 50)
MAPS = [power_of(Y, power) for power in POWERS]
beyond = np.geomspace(0.3 * Y.min(), 3.0 * Y.max(), 60)  # of the data to both sides


@pytest.mark.parametrize("transform", MAPS, ids=map(str, POWERS))
def test_maps_lead_there_and_back_and_upwards(transform: Transform) -> None:
    t = transform.forward(beyond)
    assert np.all(np.diff(t) > 0.0)
    assert transform.back(t) == pytest.approx(beyond, rel=1e-7)
    assert Transform.from_json(transform.to_json()) == transform


@pytest.mark.parametrize("transform", MAPS, ids=map(str, POWERS))
def test_the_slope_is_the_derivative(transform: Transform) -> None:
    step = 1e-6 * beyond
    numeric = (transform.forward(beyond + step) - transform.forward(beyond - step)) / (2.0 * step)
    assert np.exp(transform.log_slope(beyond)) == pytest.approx(numeric, rel=1e-5)


@pytest.mark.parametrize("transform", MAPS, ids=map(str, POWERS))
def test_the_usual_level_stays_with_a_slope_of_one(transform: Transform) -> None:
    centre = np.array([transform.scale])
    assert transform.forward(centre) == pytest.approx(centre)
    assert transform.log_slope(centre) == pytest.approx([0.0], abs=1e-12)


@pytest.mark.parametrize("transform", MAPS, ids=map(str, POWERS))
def test_whatever_a_normal_variable_is_comes_back_as_a_value(transform: Transform) -> None:
    back = transform.back(np.linspace(-1e4, 1e4, 201))
    assert np.all(np.isfinite(back))
    assert np.all(np.diff(back) >= 0.0)
    assert np.all(back > 0.0)


def test_a_density_adds_up_to_one() -> None:
    for transform in (power_of(Y, 0.5), power_of(Y, -0.8)):
        y = transform.back(np.linspace(-40.0, 40.0, 20_001))
        density = stats.norm(2.0, 3.0).pdf(transform.forward(y)) * np.exp(transform.log_slope(y))
        assert np.trapezoid(density, y) == pytest.approx(1.0, abs=1e-4)


@pytest.mark.parametrize("power", [-0.7, 0.0, 0.4, 1.3])
def test_the_likelihood_of_white_noise_is_that_of_scipy(power: float) -> None:
    """Of a mean and a variance at their best (Box and Cox 1964, equation 8)."""
    transform = power_of(Y, power)
    ours = -0.5 * len(Y) * np.log(np.var(transform.forward(Y))) + transform.log_jacobian(Y)
    assert ours == pytest.approx(stats.boxcox_llf(power, Y))


@pytest.mark.parametrize("transform", [MAPS[1], MAPS[4]], ids=str)
def test_moments_are_those_of_draws(transform: Transform) -> None:
    mean, sd = np.array([3.0]), np.array([0.6])
    draws = transform.back(3.0 + 0.6 * np.random.default_rng(1).standard_normal(400_000))
    middle, spread = transform.moments(mean, sd)
    assert middle == pytest.approx(draws.mean(), rel=5e-3)
    assert spread == pytest.approx(draws.std(), rel=2e-2)
    within, _ = transform.moments_within(mean, sd, 3.0, np.inf)
    assert within == pytest.approx(np.maximum(draws, 3.0).mean(), rel=5e-3)
    _, cov = transform.joint(np.array([3.0, 3.0]), np.array([[0.36, 0.18], [0.18, 0.36]]))
    assert np.sqrt(cov.diagonal()) == pytest.approx(float(spread[0]))


def test_zero_has_no_power() -> None:
    with pytest.raises(InputError, match="above zero for transform 'box-cox'"):
        power_of(np.array([0.0, 1.0]), 0.5)


@pytest.mark.parametrize("changes", [{"centre": -1.0}, {"edge": 0.0}, {"power": float("nan")}])
def test_a_map_that_cannot_be_is_not_read(changes: dict[str, float]) -> None:
    record = MAPS[0].to_json()
    with pytest.raises(ValueError, match="no power"):
        Transform.from_json(record | {"warp": record["warp"] | changes})
