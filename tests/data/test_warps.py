"""Maps of a target whose shape is learned: their laws, and likelihoods that others give."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from autostatistician.data.transform import LEARNED, Transform, warped
from autostatistician.errors import InputError

POWERS = (-1.5, -0.5, 0.0, 1e-9, 0.3, 1.0, 2.0)
SHAPES = ((0.0, 0.0), (0.8, 0.0), (-0.4, 0.6), (1.5, -1.5))
Y = np.random.default_rng(0).lognormal(1.0, 0.6, 50)
MAPS = [warped("box-cox", Y, (power,)) for power in POWERS] + [warped("sinh-arcsinh", Y - 3.0, s) for s in SHAPES]
NAMES = [f"{transform.name}{transform.warp.numbers}" for transform in MAPS if transform.warp is not None]
beyond = np.geomspace(0.3 * Y.min(), 3.0 * Y.max(), 60)  # of the data to both sides


@pytest.mark.parametrize("transform", MAPS, ids=NAMES)
def test_maps_lead_there_and_back_and_upwards(transform: Transform) -> None:
    t = transform.forward(beyond)
    assert np.all(np.diff(t) > 0.0)
    assert transform.back(t) == pytest.approx(beyond, rel=1e-7)
    assert Transform.from_json(transform.to_json()) == transform


@pytest.mark.parametrize("transform", MAPS, ids=NAMES)
def test_the_slope_is_the_derivative(transform: Transform) -> None:
    step = 1e-6 * beyond
    numeric = (transform.forward(beyond + step) - transform.forward(beyond - step)) / (2.0 * step)
    assert np.exp(transform.log_slope(beyond)) == pytest.approx(numeric, rel=1e-5)


@pytest.mark.parametrize("transform", MAPS, ids=NAMES)
def test_the_usual_level_stays_with_a_slope_of_one(transform: Transform) -> None:
    assert transform.warp is not None
    centre = np.array([transform.warp.centre])
    assert transform.forward(centre) == pytest.approx(centre)
    assert transform.log_slope(centre) == pytest.approx([0.0], abs=1e-12)


@pytest.mark.parametrize("transform", MAPS, ids=NAMES)
def test_whatever_a_normal_variable_is_comes_back_as_a_value(transform: Transform) -> None:
    back = transform.back(np.linspace(-1e4, 1e4, 201))
    assert np.all(np.isfinite(back))
    assert np.all(np.diff(back) >= 0.0)
    assert not transform.is_positive or np.all(back > 0.0)


@given(st.floats(-1.5, 1.5), st.floats(-1.0, 1.0), st.floats(-20.0, 20.0))
def test_any_value_of_either_sign_comes_back(skew: float, tail: float, value: float) -> None:
    transform = warped("sinh-arcsinh", np.array([-1.0, 0.0, 2.0]), (skew, tail))
    assert transform.back(transform.forward(np.array([value]))) == pytest.approx([value], rel=1e-6, abs=1e-6)


def test_a_density_adds_up_to_one() -> None:
    for transform in (warped("box-cox", Y, (0.5,)), warped("box-cox", Y, (-0.8,)), MAPS[-2]):
        y = transform.back(np.linspace(-40.0, 40.0, 20_001))
        density = stats.norm(2.0, 3.0).pdf(transform.forward(y)) * np.exp(transform.log_slope(y))
        assert np.trapezoid(density, y) == pytest.approx(1.0, abs=1e-4)


@pytest.mark.parametrize("power", [-0.7, 0.0, 0.4, 1.3])
def test_the_likelihood_of_white_noise_is_that_of_scipy(power: float) -> None:
    """Of a mean and a variance at their best (Box and Cox 1964, equation 8)."""
    transform = warped("box-cox", Y, (power,))
    ours = -0.5 * len(Y) * np.log(np.var(transform.forward(Y))) + transform.log_jacobian(Y)
    assert ours == pytest.approx(stats.boxcox_llf(power, Y))


def test_no_other_density_is_the_sinh_arcsinh_distribution() -> None:
    """Jones and Pewsey (2009, equation 2), written out."""
    skew, tail = 0.6, np.exp(-0.3)
    transform = warped("sinh-arcsinh", Y, (skew, -0.3))
    assert transform.warp is not None
    z = (Y - transform.warp.centre) / transform.warp.width
    s, c = np.sinh(tail * np.arcsinh(z) - skew), np.cosh(tail * np.arcsinh(z) - skew)
    by_hand = np.exp(-0.5 * s**2) * c * tail / np.sqrt(2.0 * np.pi * (1.0 + z**2)) / transform.warp.width
    unit = transform.warp.width / (tail * np.cosh(skew))  # of the map: its slope at the centre is one
    on_scale = stats.norm(transform.warp.centre + unit * np.sinh(skew), unit).logpdf(transform.forward(Y))
    assert on_scale + transform.log_slope(Y) == pytest.approx(np.log(by_hand))


@pytest.mark.parametrize("transform", [MAPS[1], MAPS[4], MAPS[8]], ids=str)
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
        warped("box-cox", np.array([0.0, 1.0]), (0.5,))


@pytest.mark.parametrize("changes", [{"centre": -1.0}, {"edge": 0.0}, {"power": float("nan")}])
def test_a_map_that_cannot_be_is_not_read(changes: dict[str, float]) -> None:
    record = MAPS[0].to_json()
    with pytest.raises(ValueError, match="no map"):
        Transform.from_json(record | {"warp": record["warp"] | changes})


def test_numbers_count() -> None:
    assert [
        warped(name, Y, numbers).parameters for name, numbers in zip(LEARNED, ((1.0,), (0.0, 0.0)), strict=True)
    ] == [1, 2]
