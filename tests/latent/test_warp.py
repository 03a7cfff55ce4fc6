"""Functions from latent coordinates: evidence and predictions against other libraries, slopes against differences."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

from autostatistician.inference.covariance import NotPositiveDefinite
from autostatistician.latent import warp
from autostatistician.latent.warp import FLOOR, JITTER, SparseWarp, Warp, smooth_covariance, spread_rows

RNG_OF_SPARSE_WARP = np.random.default_rng(0)

X_OF_SPARSE_WARP, Y_OF_SPARSE_WARP, AT_OF_SPARSE_WARP = (
    RNG_OF_SPARSE_WARP.normal(size=(9, 2)),
    RNG_OF_SPARSE_WARP.normal(size=(9, 3)),
    RNG_OF_SPARSE_WARP.normal(size=(4, 2)),
)

PARAMETERS = np.log([1.3, 0.8, 0.3])

INDUCING = np.array([1, 4, 6, 7])


def dense(at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The covariance of rows, and theirs with functions at other places, as written in the head of the module."""
    U = smooth_covariance(
        X_OF_SPARSE_WARP[INDUCING], X_OF_SPARSE_WARP[INDUCING], PARAMETERS
    ) + JITTER * 1.3**2 * np.eye(4)
    C, A = (smooth_covariance(X_OF_SPARSE_WARP[INDUCING], place, PARAMETERS) for place in (X_OF_SPARSE_WARP, at))
    Q = C.T @ np.linalg.solve(U, C)
    return Q + np.diag(1.3**2 - np.diag(Q) + 0.3**2 + FLOOR), C.T @ np.linalg.solve(U, A)


def test_the_evidence_is_that_of_the_whole_covariance() -> None:
    wanted = sum(
        multivariate_normal(np.zeros(9), dense(AT_OF_SPARSE_WARP)[0]).logpdf(column) for column in Y_OF_SPARSE_WARP.T
    )
    assert SparseWarp.at(X_OF_SPARSE_WARP, PARAMETERS, Y_OF_SPARSE_WARP, INDUCING).log_evidence == pytest.approx(wanted)


def test_the_slope_is_that_of_differences() -> None:
    by_place, by_parameter = SparseWarp.at(X_OF_SPARSE_WARP, PARAMETERS, Y_OF_SPARSE_WARP, INDUCING).slope()

    def level(u: np.ndarray) -> float:
        return SparseWarp.at(u[:-3].reshape(9, 2), u[-3:], Y_OF_SPARSE_WARP, INDUCING).log_evidence

    u, step = np.append(X_OF_SPARSE_WARP.ravel(), PARAMETERS), 1e-5
    found = np.append(by_place.ravel(), by_parameter)
    for k, slope in enumerate(found):
        change = step * (np.arange(len(u)) == k)
        assert slope == pytest.approx((level(u + change) - level(u - change)) / (2.0 * step), rel=1e-4, abs=1e-4)


def test_predictions_are_those_of_the_whole_covariance() -> None:
    K, cross = dense(AT_OF_SPARSE_WARP)
    mean, variance = SparseWarp.at(X_OF_SPARSE_WARP, PARAMETERS, Y_OF_SPARSE_WARP, INDUCING).predict(AT_OF_SPARSE_WARP)
    np.testing.assert_allclose(mean, cross.T @ np.linalg.solve(K, Y_OF_SPARSE_WARP), atol=1e-8)
    less = np.einsum("nm,nm->m", cross, np.linalg.solve(K, cross))
    np.testing.assert_allclose(variance, 1.3**2 - less + 0.3**2 + FLOOR, atol=1e-8)


def test_with_all_rows_it_is_the_exact_warp() -> None:
    exact, sparse = (
        Warp.at(X_OF_SPARSE_WARP, PARAMETERS, Y_OF_SPARSE_WARP),
        SparseWarp.at(X_OF_SPARSE_WARP, PARAMETERS, Y_OF_SPARSE_WARP, np.arange(9)),
    )
    assert sparse.log_evidence == pytest.approx(exact.log_evidence, abs=1e-3)
    for one, other in zip(exact.slope(), sparse.slope(), strict=True):
        np.testing.assert_allclose(other, one, atol=1e-2)
    for one, other in zip(exact.predict(AT_OF_SPARSE_WARP), sparse.predict(AT_OF_SPARSE_WARP), strict=True):
        np.testing.assert_allclose(other, one, atol=1e-3)


def test_what_is_not_finite_has_no_factor() -> None:
    with pytest.raises(NotPositiveDefinite), np.errstate(all="ignore"):
        SparseWarp.at(X_OF_SPARSE_WARP, np.array([1000.0, 0.0, 0.0]), Y_OF_SPARSE_WARP, INDUCING)
    with pytest.raises(NotPositiveDefinite), np.errstate(all="ignore"):
        SparseWarp.at(np.full_like(X_OF_SPARSE_WARP, np.nan), PARAMETERS, Y_OF_SPARSE_WARP, INDUCING)


def test_inducing_rows_are_far_from_each_other_and_no_more_than_there_are() -> None:
    assert sorted(spread_rows(np.arange(11.0)[:, None], 3).tolist()) == [0, 5, 10]
    assert len(set(spread_rows(Y_OF_SPARSE_WARP, 50).tolist())) == 9


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
