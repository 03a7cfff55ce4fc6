"""The function given sites is that of a plain inversion, also where sites say nothing."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.inference.classes.sites import (
    Approximation,
    conditioned_on_sites,
    given_sites,
    times,
    triangular_inverse,
)
from autostatistician.inference.covariance.factor import NotPositiveDefinite
from autostatistician.inference.posterior.averages import ColumnPrior

RNG = np.random.default_rng(0)
ROOT = RNG.standard_normal((30, 30))
K = ROOT @ ROOT.T / 30.0 + np.eye(30)
PRECISION = np.abs(RNG.standard_normal(30))
PRECISION[[0, 7]] = 0.0, 1e-9
NATURAL = RNG.standard_normal(30) * PRECISION


def test_as_plain_algebra() -> None:
    upper = np.triu(K) + np.tril(np.full_like(K, np.nan), -1)
    found = given_sites(K, PRECISION, NATURAL)
    covariance = np.linalg.inv(np.linalg.inv(K) + np.diag(PRECISION))
    np.testing.assert_allclose(found.mean, covariance @ NATURAL, atol=1e-12)
    np.testing.assert_allclose(found.variance, covariance.diagonal(), atol=1e-12)
    np.testing.assert_allclose(found.alpha, np.linalg.solve(K, found.mean), atol=1e-12)
    resolvent = np.diag(PRECISION) - PRECISION[:, None] * covariance * PRECISION
    np.testing.assert_allclose(np.triu(found.resolvent()), np.triu(resolvent), atol=1e-12)
    B = np.eye(30) + np.sqrt(PRECISION)[:, None] * K * np.sqrt(PRECISION)
    assert found.half_logdet == pytest.approx(0.5 * np.linalg.slogdet(B)[1])
    np.testing.assert_array_equal(given_sites(upper, PRECISION, NATURAL).variance, found.variance)
    np.testing.assert_allclose(times(upper, NATURAL), K @ NATURAL)


def test_as_normal_data() -> None:
    strong = np.maximum(PRECISION, 0.1)
    found = given_sites(K, strong, NATURAL)
    targets, factor = found.as_normal_data()
    np.testing.assert_allclose(factor.lower @ factor.lower.T, K + np.diag(1.0 / strong))
    np.testing.assert_allclose(factor.solve(targets), found.alpha, atol=1e-12)
    prior = ColumnPrior(("x",))
    known = conditioned_on_sites(prior, np.arange(30.0)[:, None], Approximation(-7.0, found, True))
    assert known.log_evidence == -7.0
    assert known.leave_one_out()[0] == pytest.approx(found.cavity[0])
    assert known.leave_one_out()[1] - 1.0 / strong == pytest.approx(found.cavity[1])


def test_no_covariance_is_refused() -> None:
    with pytest.raises(NotPositiveDefinite):
        given_sites(-9.0 * np.eye(2), np.ones(2), np.ones(2))


@pytest.mark.parametrize("n", [1, 64, 65, 301])
def test_a_triangle_and_its_inverse(n: int) -> None:
    lower = np.asfortranarray(np.tril(RNG.standard_normal((n, n))) / n + np.eye(n))
    found = triangular_inverse(lower)
    np.testing.assert_allclose(found @ lower, np.eye(n), atol=1e-11)
    assert not np.triu(found, 1).any()
