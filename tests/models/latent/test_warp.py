"""Functions from latent coordinates: evidence and predictions against other libraries, slopes against differences."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from tests.models.latent.small_cases import slopes

from autostatistician.gp.covariance import NotPositiveDefinite
from autostatistician.models.latent import warp
from autostatistician.models.latent.warp import FLOOR, JITTER, SparseWarp, Warp, smooth_covariance, spread_rows

RNG_NINE = np.random.default_rng(0)
X_NINE, Y_NINE, AT_NINE = (RNG_NINE.normal(size=shape) for shape in ((9, 2), (9, 3), (4, 2)))
PARAMETERS = np.log([1.3, 0.8, 0.3])
INDUCING = np.array([1, 4, 6, 7])


def dense(at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The covariance of rows, and theirs with functions at other places, as written in the head of the module."""
    Z = X_NINE[INDUCING]
    U, C, A = (smooth_covariance(Z, place, PARAMETERS) for place in (Z, X_NINE, at))
    U += JITTER * 1.3**2 * np.eye(4)
    Q = C.T @ np.linalg.solve(U, C)
    return Q + np.diag(1.3**2 - np.diag(Q) + 0.3**2 + FLOOR), C.T @ np.linalg.solve(U, A)


def test_the_evidence_is_that_of_the_whole_covariance() -> None:
    wanted = multivariate_normal(np.zeros(9), dense(AT_NINE)[0]).logpdf(Y_NINE.T).sum()
    assert SparseWarp.at(X_NINE, PARAMETERS, Y_NINE, INDUCING).log_evidence == pytest.approx(wanted)


def test_the_slope_is_that_of_differences() -> None:
    def level(u: np.ndarray) -> float:
        return SparseWarp.at(u[:-3].reshape(9, 2), u[-3:], Y_NINE, INDUCING).log_evidence

    found = np.append(*map(np.ravel, SparseWarp.at(X_NINE, PARAMETERS, Y_NINE, INDUCING).slope()))
    assert found == pytest.approx(slopes(level, np.append(X_NINE.ravel(), PARAMETERS)), rel=1e-4, abs=1e-4)


def test_predictions_are_those_of_the_whole_covariance() -> None:
    K, cross = dense(AT_NINE)
    mean, variance = SparseWarp.at(X_NINE, PARAMETERS, Y_NINE, INDUCING).predict(AT_NINE)
    np.testing.assert_allclose(mean, cross.T @ np.linalg.solve(K, Y_NINE), atol=1e-8)
    less = np.einsum("nm,nm->m", cross, np.linalg.solve(K, cross))
    np.testing.assert_allclose(variance, 1.3**2 - less + 0.3**2 + FLOOR, atol=1e-8)


def test_with_all_rows_it_is_the_exact_warp() -> None:
    exact = Warp.at(X_NINE, PARAMETERS, Y_NINE)
    sparse = SparseWarp.at(X_NINE, PARAMETERS, Y_NINE, np.arange(9))
    assert sparse.log_evidence == pytest.approx(exact.log_evidence, abs=1e-3)
    for one, other in zip(exact.slope(), sparse.slope(), strict=True):
        np.testing.assert_allclose(other, one, atol=1e-2)
    for one, other in zip(exact.predict(AT_NINE), sparse.predict(AT_NINE), strict=True):
        np.testing.assert_allclose(other, one, atol=1e-3)


def test_what_is_not_finite_has_no_factor() -> None:
    for places, numbers in ((X_NINE, np.array([1000.0, 0.0, 0.0])), (np.full_like(X_NINE, np.nan), PARAMETERS)):
        with pytest.raises(NotPositiveDefinite), np.errstate(all="ignore"):
            SparseWarp.at(places, numbers, Y_NINE, INDUCING)


def test_inducing_rows_are_far_from_each_other_and_no_more_than_there_are() -> None:
    assert sorted(spread_rows(np.arange(11.0)[:, None], 3).tolist()) == [0, 5, 10]
    assert len(set(spread_rows(Y_NINE, 50).tolist())) == 9


RNG = np.random.default_rng(5)
X, Y, AT = RNG.standard_normal((9, 2)), RNG.standard_normal((9, 3)), RNG.standard_normal((4, 2))
NUMBERS = np.log([1.3, 0.8, 0.2])


def test_the_evidence_is_that_of_independent_columns() -> None:
    at = Warp.at(X, NUMBERS, Y)
    K = at.smooth + (0.04 + FLOOR) * np.eye(9)
    wanted = multivariate_normal(np.zeros(9), K).logpdf(Y.T).sum()
    assert at.columns.log_evidence == pytest.approx(wanted)


def test_slopes_are_those_of_differences() -> None:
    def level(u: np.ndarray) -> float:
        return Warp.at(u[:-3].reshape(9, 2), u[-3:], Y).columns.log_evidence

    found = np.append(*map(np.ravel, Warp.at(X, NUMBERS, Y).slope()))
    assert found == pytest.approx(slopes(level, np.append(X.ravel(), NUMBERS)), abs=1e-5)


def test_predictions_are_those_of_scikit_learn() -> None:
    kernel = ConstantKernel(1.3**2) * RBF(0.8) + WhiteKernel(0.04 + FLOOR)
    other = GaussianProcessRegressor(kernel, alpha=0.0, optimizer=None).fit(X, Y)
    mean, deviation = other.predict(AT, return_std=True)
    found = Warp.at(X, NUMBERS, Y).predict(AT)
    np.testing.assert_allclose(found[0], mean)
    np.testing.assert_allclose(found[1], deviation[:, 0] ** 2)


def test_the_prior_has_the_slope_of_its_density() -> None:
    value, slope = warp.log_prior(NUMBERS)
    for k in range(3):
        change = 1e-6 * (np.arange(3) == k)
        assert slope[k] == pytest.approx((warp.log_prior(NUMBERS + change)[0] - value) / 1e-6, abs=1e-4)
