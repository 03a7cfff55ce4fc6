"""One factorisation gives what the definitions of the normal distribution give by brute force."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from autostatistician.inference.covariance.matrices import covariance
from autostatistician.inference.posterior.averages import ColumnPrior
from autostatistician.inference.posterior.conditioning import conditioned
from autostatistician.inference.posterior.places import Centred, Values
from autostatistician.language.kernel import leaf

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
    known = KNOWN.project(SIGNAL, Centred(Values(at), level))
    joint = KNOWN.project(SIGNAL, np.vstack([at, X]))
    weights = np.hstack([np.eye(2), np.full((2, 8), -1.0 / 8.0)])
    np.testing.assert_allclose(known.mean, weights @ joint.mean, atol=1e-10)
    np.testing.assert_allclose(known.covariance(), weights @ joint.covariance() @ weights.T, atol=1e-10)
    assert largest == pytest.approx(1.3**2)
