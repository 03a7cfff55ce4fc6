"""Reconciliation by MinT: its formula, the shrinkage of the covariance, and draws."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_array

from autostatistician.panel.mint import FEWEST_ERRORS, ErrorModel, Reconciliation, error_model

Array = NDArray[np.float64]

# Two regions of three and two stores, and all.
A = np.array([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0], [0, 0, 0, 1, 1]], dtype=np.float64)
S = np.vstack([A, np.eye(5)])


def _errors(count: int = 40, seed: int = 0) -> Array:
    """Errors (T, 8) of all nodes: those of the series have much in common."""
    rng = np.random.default_rng(seed)
    below = rng.standard_normal((count, 1)) * [1.0, 2.0, 0.5, 1.0, 3.0] + rng.standard_normal((count, 5))
    return np.hstack([below @ A.T + rng.standard_normal((count, 3)), below])


def _covariance(model: ErrorModel) -> Array:
    return model.times(np.eye(len(model.sds)))


def test_reconciled_forecasts_are_those_of_the_formula() -> None:
    model, forecasts = error_model(_errors(), np.ones(8)), np.random.default_rng(1).normal(10.0, 5.0, (8, 4))
    inverse = np.linalg.inv(_covariance(model))
    by_formula = np.linalg.solve(S.T @ inverse @ S, S.T @ inverse @ forecasts)
    assert np.allclose(Reconciliation(csr_array(A), model).series(forecasts), by_formula, rtol=1e-9)


def test_forecasts_that_add_up_stay() -> None:
    forecasts = S @ np.random.default_rng(1).normal(10.0, 5.0, (5, 4))
    fitting = Reconciliation(csr_array(A), error_model(_errors(), np.ones(8)))
    assert np.allclose(fitting.series(forecasts), forecasts[3:], rtol=1e-12)


def test_the_covariance_is_shrunk_as_the_authors_do() -> None:
    errors = _errors(25)
    model = error_model(errors, np.ones(8))
    count = len(errors)
    x = (errors - errors.mean(axis=0)) / errors.std(axis=0, ddof=1)
    products = x[:, :, None] * x[:, None, :]
    variances = count / (count - 1.0) ** 3 * ((products - products.mean(axis=0)) ** 2).sum(axis=0)
    correlations = products.sum(axis=0) / (count - 1.0)
    others = ~np.eye(8, dtype=bool)
    share = variances[others].sum() / (correlations[others] ** 2).sum()
    assert model.shrinkage == pytest.approx(share, rel=1e-10)
    sample = np.cov(errors.T)
    assert np.allclose(_covariance(model), (1.0 - share) * sample + share * np.diag(np.diag(sample)))


def test_errors_without_anything_in_common_are_shrunk_far() -> None:
    apart = error_model(np.random.default_rng(0).standard_normal((30, 20)), np.ones(20))
    assert apart.shrinkage > 0.8
    assert error_model(np.repeat(_errors()[:, :1], 3, axis=1), np.ones(3)).shrinkage < 0.1


def test_few_errors_are_weighted_least_squares() -> None:
    usual = np.arange(1.0, 9.0)
    model = error_model(_errors(FEWEST_ERRORS - 1), usual)
    assert np.allclose(_covariance(model), np.diag(usual**2))
    assert np.allclose(_covariance(error_model(np.empty((0, 8)), usual)), np.diag(usual**2))


def test_a_node_with_few_errors_stands_alone_and_the_others_do_not() -> None:
    errors = _errors()
    errors[5:, 7] = np.nan
    covariance = _covariance(error_model(errors, np.full(8, 9.0)))
    assert covariance[7, 7] == pytest.approx(81.0)
    assert np.allclose(covariance[7, :7], 0.0)
    assert covariance[3, 4] > 0.5


def test_errors_that_are_not_known_count_for_nothing() -> None:
    errors = _errors(40)
    errors[3, 2] = np.nan
    model = error_model(errors, np.ones(8))
    assert model.sds[2] == pytest.approx(np.nanstd(errors[:, 2], ddof=1))
    assert np.allclose(np.diag(_covariance(model)), model.sds**2)


def test_certain_series_stay_as_they_are() -> None:
    errors = _errors()
    errors[:, 3] = 0.0
    model = error_model(errors, np.zeros(8))
    forecasts = np.random.default_rng(1).normal(10.0, 5.0, (8, 1))
    reconciled = Reconciliation(csr_array(A), model).series(forecasts)
    assert reconciled[0, 0] == pytest.approx(forecasts[3, 0], abs=1e-6)
    assert np.isfinite(error_model(np.zeros((20, 8)), np.zeros(8)).sds).all()


def test_sums_without_a_forecast_of_their_own_change_nothing() -> None:
    forecasts = np.random.default_rng(1).normal(10.0, 5.0, (5, 2))
    fitting = Reconciliation(csr_array(np.zeros((0, 5))), error_model(_errors()[:, 3:], np.ones(5)))
    assert np.allclose(fitting.series(forecasts), forecasts)


def test_draws_have_the_correlations_of_the_sample() -> None:
    errors = _errors()
    fitting = Reconciliation(csr_array(A), error_model(errors, np.ones(8)))
    drawn = fitting.normals(np.random.default_rng(0), 20_000)
    assert np.allclose(np.corrcoef(drawn), np.corrcoef(errors.T), atol=0.03)
    assert np.allclose(drawn.std(axis=1), 1.0, atol=0.03)


def test_without_known_errors_sums_err_as_their_series_together() -> None:
    usual = np.array([5.0, 4.0, 3.0, 1.0, 2.0, 3.0, 1.0, 1.0])
    drawn = Reconciliation(csr_array(A), error_model(np.empty((0, 8)), usual)).normals(np.random.default_rng(0), 20_000)
    assert np.allclose(np.corrcoef(drawn[3:]), np.eye(5), atol=0.03)
    together = A @ (usual[3:, None] * drawn[3:])
    assert np.allclose([np.corrcoef(drawn[row], together[row])[0, 1] for row in range(3)], 1.0)
    assert np.allclose(drawn.std(axis=1), 1.0, atol=0.03)


@pytest.mark.parametrize(("method", "errors"), [("mint_shrink", _errors(60, 3)), ("mint_shrink", _errors(13, 4))])
def test_others_reconcile_alike(method: str, errors: Array) -> None:
    methods = pytest.importorskip("hierarchicalforecast.methods")
    forecasts = np.random.default_rng(1).normal(10.0, 5.0, (8, 4))
    made = methods.MinTrace(method=method).fit_predict(
        S=S, y_hat=forecasts, y_insample=np.zeros((8, len(errors))), y_hat_insample=-errors.T
    )  # fmt: skip
    ours = Reconciliation(csr_array(A), error_model(errors, np.ones(8))).series(forecasts)
    assert np.allclose(S @ ours, made["mean"], rtol=1e-6)
