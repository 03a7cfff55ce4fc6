"""The warp by inducing rows: against dense matrices, differences, and the exact warp where all rows are inducing."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from autostatistician.inference.covariance import NotPositiveDefinite
from autostatistician.latent.sparse_warp import JITTER, SparseWarp, spread_rows
from autostatistician.latent.warp import FLOOR, Warp, smooth_covariance

RNG = np.random.default_rng(0)
X, Y, AT = RNG.normal(size=(9, 2)), RNG.normal(size=(9, 3)), RNG.normal(size=(4, 2))
PARAMETERS = np.log([1.3, 0.8, 0.3])
INDUCING = np.array([1, 4, 6, 7])


def dense(at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The covariance of rows, and theirs with functions at other places, as written in the head of the module."""
    U = smooth_covariance(X[INDUCING], X[INDUCING], PARAMETERS) + JITTER * 1.3**2 * np.eye(4)
    C, A = (smooth_covariance(X[INDUCING], place, PARAMETERS) for place in (X, at))
    Q = C.T @ np.linalg.solve(U, C)
    return Q + np.diag(1.3**2 - np.diag(Q) + 0.3**2 + FLOOR), C.T @ np.linalg.solve(U, A)


def test_the_evidence_is_that_of_the_whole_covariance() -> None:
    wanted = sum(multivariate_normal(np.zeros(9), dense(AT)[0]).logpdf(column) for column in Y.T)
    assert SparseWarp.at(X, PARAMETERS, Y, INDUCING).log_evidence == pytest.approx(wanted)


def test_the_slope_is_that_of_differences() -> None:
    by_place, by_parameter = SparseWarp.at(X, PARAMETERS, Y, INDUCING).slope()

    def level(u: np.ndarray) -> float:
        return SparseWarp.at(u[:-3].reshape(9, 2), u[-3:], Y, INDUCING).log_evidence

    u, step = np.append(X.ravel(), PARAMETERS), 1e-5
    found = np.append(by_place.ravel(), by_parameter)
    for k, slope in enumerate(found):
        change = step * (np.arange(len(u)) == k)
        assert slope == pytest.approx((level(u + change) - level(u - change)) / (2.0 * step), rel=1e-4, abs=1e-4)


def test_predictions_are_those_of_the_whole_covariance() -> None:
    K, cross = dense(AT)
    mean, variance = SparseWarp.at(X, PARAMETERS, Y, INDUCING).predict(AT)
    np.testing.assert_allclose(mean, cross.T @ np.linalg.solve(K, Y), atol=1e-8)
    less = np.einsum("nm,nm->m", cross, np.linalg.solve(K, cross))
    np.testing.assert_allclose(variance, 1.3**2 - less + 0.3**2 + FLOOR, atol=1e-8)


def test_with_all_rows_it_is_the_exact_warp() -> None:
    exact, sparse = Warp.at(X, PARAMETERS, Y), SparseWarp.at(X, PARAMETERS, Y, np.arange(9))
    assert sparse.log_evidence == pytest.approx(exact.log_evidence, abs=1e-3)
    for one, other in zip(exact.slope(), sparse.slope(), strict=True):
        np.testing.assert_allclose(other, one, atol=1e-2)
    for one, other in zip(exact.predict(AT), sparse.predict(AT), strict=True):
        np.testing.assert_allclose(other, one, atol=1e-3)


def test_what_is_not_finite_has_no_factor() -> None:
    with pytest.raises(NotPositiveDefinite), np.errstate(all="ignore"):
        SparseWarp.at(X, np.array([1000.0, 0.0, 0.0]), Y, INDUCING)
    with pytest.raises(NotPositiveDefinite), np.errstate(all="ignore"):
        SparseWarp.at(np.full_like(X, np.nan), PARAMETERS, Y, INDUCING)


def test_inducing_rows_are_far_from_each_other_and_no_more_than_there_are() -> None:
    assert sorted(spread_rows(np.arange(11.0)[:, None], 3).tolist()) == [0, 5, 10]
    assert len(set(spread_rows(Y, 50).tolist())) == 9
