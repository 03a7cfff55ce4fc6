"""One factorisation gives what the definitions of the normal distribution give by brute force."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from tests.gp.numeric import misfit

from autostatistician.gp.covariance import covariance
from autostatistician.gp.engines.choice import condition
from autostatistician.gp.posterior import given_before
from autostatistician.gp.posterior.functionals import CentredFunctional, ColumnPrior, Values
from autostatistician.gp.posterior.posterior import WithFunctions, conditioned, with_functions
from autostatistician.gp.problem import Basis, Problem
from autostatistician.kernels.kernel import leaf

RNG_RISING = np.random.default_rng(0)
X_RISING = np.sort(RNG_RISING.uniform(0.0, 5.0, 12))[:, None]
Y_RISING = 3.0 + 2.0 * X_RISING[:, 0] + np.sin(3.0 * X_RISING[:, 0]) + 0.1 * RNG_RISING.normal(size=12)
NEW = np.array([[0.3], [2.2], [9.0]])
SMOOTH, NOISE_RISING = leaf("SE", "x", lengthscale=0.6, sd=1.0), leaf("WN", sd=0.2)
PRIOR = ColumnPrior(("x",))
K_RISING = covariance(SMOOTH + NOISE_RISING, X_RISING, None, ("x",))


def _functions(rows: np.ndarray) -> np.ndarray:
    return np.column_stack([np.ones(len(rows)), 1000.0 * rows[:, 0]])  # of very different sizes


def _given(precisions: np.ndarray) -> WithFunctions:
    found = with_functions(PRIOR, X_RISING, Y_RISING, K_RISING.copy(), Basis(_functions(X_RISING), precisions))
    assert found is not None
    return found


def test_with_a_prior_of_the_coefficients_it_is_one_gaussian_process() -> None:
    """The functions are then a part of the kernel: ``K + H B H'`` (Rasmussen and Williams 2006, equation 2.40)."""
    spread = np.array([2.0, 1e-3])
    found, H, Hn = _given(spread**-2.0), _functions(X_RISING), _functions(NEW)
    K = K_RISING + (H * spread**2) @ H.T
    cross = covariance(SMOOTH, NEW, X_RISING, ("x",)) + (Hn * spread**2) @ H.T
    own = covariance(SMOOTH, NEW, None, ("x",)) + (Hn * spread**2) @ Hn.T
    known = found.project(SMOOTH, NEW, Hn)
    np.testing.assert_allclose(known.mean, cross @ np.linalg.solve(K, Y_RISING), rtol=1e-8)
    np.testing.assert_allclose(known.covariance(), own - cross @ np.linalg.solve(K, cross.T), atol=1e-8)
    np.testing.assert_allclose(known.variance, known.covariance().diagonal(), atol=1e-10)
    assert -found.log_evidence == pytest.approx(misfit(K, Y_RISING))


def test_without_one_it_is_the_limit_of_wide_ones() -> None:
    vague, wide = _given(np.zeros(2)), _given(np.array([1e-8, 1e-14]))
    np.testing.assert_allclose(vague.coefficients, wide.coefficients, rtol=1e-5)
    one, other = (found.project(SMOOTH, NEW, _functions(NEW)) for found in (vague, wide))
    np.testing.assert_allclose(one.mean, other.mean, rtol=1e-5)
    np.testing.assert_allclose(one.covariance(), other.covariance(), rtol=1e-4, atol=1e-6)


def test_coefficients_are_those_of_generalised_least_squares() -> None:
    found, H = _given(np.zeros(2)), _functions(X_RISING)
    information = H.T @ np.linalg.solve(K_RISING, H)
    expected = np.linalg.solve(information, H.T @ np.linalg.solve(K_RISING, Y_RISING))
    np.testing.assert_allclose(found.coefficients, expected, rtol=1e-6)
    np.testing.assert_allclose(found.covariance, np.linalg.inv(information), rtol=1e-5)


def test_functions_that_are_the_same_cannot_be_told_apart() -> None:
    twice = Basis(np.ones((12, 2)), np.zeros(2))
    assert with_functions(PRIOR, X_RISING, Y_RISING, K_RISING.copy(), twice) is None


X_WAVE = np.sort(np.random.default_rng(0).uniform(0.0, 10.0, 40))[:, None]
Y_WAVE = np.sin(X_WAVE[:, 0]) + 0.1 * np.random.default_rng(1).standard_normal(40)


def test_each_is_predicted_from_all_before() -> None:
    kernel = leaf("SE", lengthscale=1.0, sd=1.0) + leaf("WN", sd=0.1)
    posterior = condition(kernel, Problem(X_WAVE[:30], Y_WAVE[:30], ("x",)))
    means, sds = given_before(Y_WAVE[30:], *posterior.observations_joint(X_WAVE[30:]))
    for row in range(30, 40):
        mean, sd = condition(kernel, Problem(X_WAVE[:row], Y_WAVE[:row], ("x",))).observations(X_WAVE[[row]])
        np.testing.assert_allclose([means[row - 30], sds[row - 30]], [mean[0], sd[0]], rtol=1e-7)


RNG = np.random.default_rng(1)
X, Y = np.sort(RNG.uniform(0.0, 5.0, 8))[:, None], RNG.normal(size=8)
SIGNAL, NOISE = leaf("SE", sd=1.3, lengthscale=0.9), leaf("WN", sd=0.4)
K = covariance(SIGNAL + NOISE, X)
KNOWN = conditioned(ColumnPrior(("x",)), X, Y, K.copy())


def test_the_evidence_is_the_density() -> None:
    assert KNOWN.log_evidence == pytest.approx(multivariate_normal(np.zeros(8), K).logpdf(Y), rel=1e-10)
    assert KNOWN.jitter == 0.0


def test_leaving_one_out_is_conditioning_on_the_others() -> None:
    mean, variance, density = KNOWN.leave_one_out()
    for row in range(8):
        rest = np.delete(np.arange(8), row)
        weights = np.linalg.solve(K[np.ix_(rest, rest)], K[rest, row])
        assert mean[row] == pytest.approx(weights @ Y[rest])
        assert variance[row] == pytest.approx(K[row, row] - weights @ K[rest, row])
        assert density[row] == pytest.approx(multivariate_normal(mean[row], variance[row]).logpdf(Y[row]))


def test_innovations_are_errors_of_predicting_from_those_before() -> None:
    last, rest = 7, np.arange(7)
    weights = np.linalg.solve(K[np.ix_(rest, rest)], K[rest, last])
    sd = np.sqrt(K[last, last] - weights @ K[rest, last])
    assert KNOWN.innovation_sd[last] == pytest.approx(sd)
    assert KNOWN.innovations()[last] == pytest.approx((Y[last] - weights @ Y[rest]) / sd)


def test_least_squares_of_whitened_values_are_generalised() -> None:
    h = np.arange(8.0)
    white_h, white_y = KNOWN.whitened(h), KNOWN.whitened(Y)
    inverse = np.linalg.inv(K)
    assert white_h @ white_y / (white_h @ white_h) == pytest.approx(h @ inverse @ Y / (h @ inverse @ h))


def test_simulated_errors_have_the_covariance_of_the_true_ones() -> None:
    inverse = np.linalg.inv(K)
    scale = 1.0 / np.sqrt(inverse.diagonal())
    expected = inverse * np.outer(scale, scale)
    found = KNOWN.simulated_leave_one_out(40_000, np.random.default_rng(0))
    np.testing.assert_allclose(np.cov(found.T), expected, atol=0.03)


def test_a_part_less_its_mean_over_the_data() -> None:
    at = np.array([[0.5], [4.5]])
    level, largest = KNOWN.level(SIGNAL)
    known = KNOWN.project(SIGNAL, CentredFunctional(Values(at), level))
    joint = KNOWN.project(SIGNAL, np.vstack([at, X]))
    weights = np.hstack([np.eye(2), np.full((2, 8), -1.0 / 8.0)])
    np.testing.assert_allclose(known.mean, weights @ joint.mean, atol=1e-10)
    np.testing.assert_allclose(known.covariance(), weights @ joint.covariance() @ weights.T, atol=1e-10)
    assert largest == pytest.approx(1.3**2)
