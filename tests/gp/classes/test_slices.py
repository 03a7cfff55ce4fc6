"""Chains of functions and their numbers, beside integrals."""

import numpy as np
import pytest
from scipy.special import expit

from autostatistician.gp.classes import expectation_propagation
from autostatistician.gp.classes.slice_sampling import Normal, Target, elliptical, sampled
from autostatistician.gp.covariance import NotPositiveDefinite
from autostatistician.gp.likelihoods import Bernoulli

Array = np.ndarray
LOGISTIC = Bernoulli("logistic")
WIDE = np.full(1, -20.0), np.full(1, 20.0)
TWO = np.ones((2, 2)) + 1e-6 * np.eye(2)  # two rows at one place, so to speak


def _size(u: Array) -> Array:
    return np.asarray(np.exp(2.0 * u[0]) * TWO)


def _target(y: Array, *, sites: bool) -> Target:
    given = expectation_propagation(_size(np.zeros(1)), y, LOGISTIC).given
    kept = (given.precision, given.natural) if sites else None
    return Target(_size, Normal(np.zeros(1), np.eye(1)), WIDE, y, LOGISTIC, kept)


@pytest.mark.slow
@pytest.mark.parametrize(("y", "sites"), [(np.array([1.0, -1.0]), False), (np.array([1.0, 1.0]), True)])
def test_numbers_and_function_are_drawn_from_their_posterior(y: Array, sites: bool) -> None:
    # What is known of the logarithm of the size, and of the chance, follows from two integrals.
    grid, z = np.linspace(-5.0, 5.0, 301), np.linspace(-8.0, 8.0, 401)
    f = np.exp(grid)[:, None] * z
    density = np.exp(LOGISTIC.log_density(y[0] * np.ones(1), f) + LOGISTIC.log_density(y[1] * np.ones(1), f))
    density *= np.exp(-0.5 * (z**2 + grid[:, None] ** 2))
    density /= density.sum()
    chain = sampled(_target(y, sites=sites), np.zeros(1), np.random.default_rng(0), count=400)
    assert chain.numbers.mean() == pytest.approx(float((grid @ density).sum()), abs=0.2)
    assert chain.numbers.std() == pytest.approx(
        np.sqrt((grid**2 @ density).sum() - (grid @ density).sum() ** 2), rel=0.12
    )
    assert expit(chain.functions[:, 0]).mean() == pytest.approx(float((expit(f) * density).sum()), abs=0.03)
    assert chain.functions.shape == (400, 2)
    assert chain.levels[7] == pytest.approx(LOGISTIC.log_density(y, chain.functions[7]).sum())


@pytest.mark.slow
def test_sites_make_chains_shorter() -> None:
    rng, place = np.random.default_rng(1), np.linspace(-3.0, 3.0, 40)
    K = 9.0 * np.exp(-0.5 * np.subtract.outer(place, place) ** 2) + 1e-8 * np.eye(40)
    y = np.where(rng.random(40) < expit(4.0 * np.sin(place)), 1.0, -1.0)
    given, nothing = expectation_propagation(K, y, LOGISTIC).given, np.zeros(0)

    def steps(sites: tuple[Array, Array] | None) -> float:
        """How much of a value is left in the next one, on the mean over rows."""
        target = Target(lambda _: K.copy(), Normal(nothing, np.zeros((0, 0))), (nothing, nothing), y, LOGISTIC, sites)
        f = sampled(target, nothing, np.random.default_rng(0), count=120).functions
        return float(np.mean([np.corrcoef(row[1:], row[:-1])[0, 1] for row in f.T]))

    assert steps((given.precision, given.natural)) < 0.4 < steps(None)


def test_limits_hold_and_what_has_no_covariance_is_left_out() -> None:
    def matrix(u: Array) -> Array:
        if u[0] > 0.3:
            raise NotPositiveDefinite("beyond")
        return np.asarray(np.exp(2.0 * u[0]) * np.eye(1))

    limits = np.full(1, -0.5), np.full(1, 9.0)
    target = Target(matrix, Normal(np.zeros(1), np.eye(1)), limits, np.ones(1), LOGISTIC)
    chain = sampled(target, np.zeros(1), np.random.default_rng(0), count=60, warm_up=60)
    assert -0.5 <= chain.numbers.min() < -0.35
    assert 0.15 < chain.numbers.max() <= 0.3
    with pytest.raises(NotPositiveDefinite):
        sampled(target, np.ones(1), np.random.default_rng(0))
    again = sampled(target, np.zeros(1), np.random.default_rng(0), count=60, warm_up=60)
    np.testing.assert_array_equal(again.functions, chain.functions)


def test_an_ellipse_leaves_the_prior_as_it_is() -> None:
    rng = np.random.default_rng(0)
    f = rng.standard_normal((4000, 1))
    turned, level, _ = elliptical(f, rng.standard_normal(f.shape), np.zeros(4000), lambda g: np.zeros(len(g)), rng)
    assert turned.std() == pytest.approx(1.0, abs=0.03)
    assert abs(np.corrcoef(turned[:, 0], f[:, 0])[0, 1]) < 0.05
    assert not level.any()
