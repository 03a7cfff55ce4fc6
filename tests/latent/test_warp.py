"""Functions from latent coordinates: evidence and predictions against other libraries, slopes against differences."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

from autostatistician.latent import warp
from autostatistician.latent.warp import FLOOR, Warp

RNG = np.random.default_rng(5)
X, Y, AT = RNG.standard_normal((9, 2)), RNG.standard_normal((9, 3)), RNG.standard_normal((4, 2))
NUMBERS = np.log([1.3, 0.8, 0.2])


def test_the_evidence_is_that_of_independent_columns() -> None:
    at = Warp.at(X, NUMBERS, Y)
    K = at.smooth + (0.04 + FLOOR) * np.eye(9)
    wanted = multivariate_normal(np.zeros(9), K).logpdf(Y.T).sum()
    assert at.columns.log_evidence == pytest.approx(wanted)


def test_slopes_are_those_of_differences() -> None:
    by_place, by_number = Warp.at(X, NUMBERS, Y).slope()
    step = 1e-5
    for n, q in np.ndindex(X.shape):
        move = np.zeros_like(X)
        move[n, q] = step
        both = [Warp.at(X + sign * move, NUMBERS, Y).columns.log_evidence for sign in (1.0, -1.0)]
        assert by_place[n, q] == pytest.approx((both[0] - both[1]) / (2.0 * step), abs=1e-5)
    for k in range(3):
        change = step * (np.arange(3) == k)
        both = [Warp.at(X, NUMBERS + sign * change, Y).columns.log_evidence for sign in (1.0, -1.0)]
        assert by_number[k] == pytest.approx((both[0] - both[1]) / (2.0 * step), abs=1e-5)


def test_predictions_are_those_of_scikit_learn() -> None:
    kernel = ConstantKernel(1.3**2) * RBF(0.8) + WhiteKernel(0.04 + FLOOR)
    other = GaussianProcessRegressor(kernel, alpha=0.0, optimizer=None).fit(X, Y)
    mean, deviation = other.predict(AT, return_std=True)
    found = Warp.at(X, NUMBERS, Y).predict(AT)
    np.testing.assert_allclose(found[0], mean)
    np.testing.assert_allclose(found[1], deviation[:, 0] ** 2)


def test_the_prior_has_the_slope_of_its_density_and_draws_from_it() -> None:
    value, slope = warp.log_prior(NUMBERS)
    for k in range(3):
        change = 1e-6 * (np.arange(3) == k)
        assert slope[k] == pytest.approx((warp.log_prior(NUMBERS + change)[0] - value) / 1e-6, abs=1e-4)
    rng = np.random.default_rng(0)
    drawn = np.array([warp.prior_draw(rng) for _ in range(4000)])
    np.testing.assert_allclose(drawn.mean(axis=0), warp.PRIOR_MEANS, atol=0.1)
    np.testing.assert_allclose(drawn.std(axis=0), warp.PRIOR_DEVIATIONS, rtol=0.06)
