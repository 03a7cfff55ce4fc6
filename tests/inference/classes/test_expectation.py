"""Expectation propagation: exact where it must be, settled where it says so, and the same from wherever it begins."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from autostatistician.inference.classes.expectation import MOST_SWEEPS, expectation_propagation
from autostatistician.inference.classes.sites import given_sites
from autostatistician.inference.covariance.matrices import covariance
from autostatistician.inference.likelihoods.bernoulli import Bernoulli
from autostatistician.language.kernel import leaf

RNG = np.random.default_rng(0)
X = RNG.standard_normal((40, 1))
Y = np.where(np.sin(3.0 * X[:, 0]) + 0.5 * RNG.standard_normal(40) > 0.0, 1.0, -1.0)
K = covariance(leaf("SE", sd=2.0, lengthscale=0.5), X)
LINKS = pytest.mark.parametrize("link", ["probit", "logistic"])


@LINKS
def test_independent_functions_are_exact(link: str) -> None:
    likelihood, variances = Bernoulli(link), np.array([0.5, 2.0, 30.0])
    found = expectation_propagation(np.diag(variances), Y[:3], likelihood)
    assert found.log_evidence == pytest.approx(3.0 * np.log(0.5), abs=1e-9)
    _, first, second = likelihood.tilted(Y[:3], np.zeros(3), variances)
    np.testing.assert_allclose(found.given.mean, variances * first, atol=1e-6)
    np.testing.assert_allclose(found.given.variance, variances + variances**2 * second, atol=1e-5)


def test_near_the_probability_of_an_orthant() -> None:
    # The probability of classes under a probit is that of a normal orthant.
    points = np.array([[0.0], [0.4], [1.1], [1.3]])
    y, matrix = np.array([1.0, 1.0, -1.0, 1.0]), covariance(leaf("SE", sd=1.5, lengthscale=1.0), points)
    exact = np.log(multivariate_normal.cdf(np.zeros(4), cov=np.outer(y, y) * (matrix + np.eye(4)), rng=0))
    found = expectation_propagation(matrix, y, Bernoulli()).log_evidence
    assert found == pytest.approx(float(exact), abs=2e-3)


@LINKS
def test_the_value_does_not_hang_on_the_start(link: str) -> None:
    likelihood = Bernoulli(link)
    for size in (0.01, 1.0, 1e3):
        plain = expectation_propagation(size * K, Y, likelihood)
        start = given_sites(K, np.full(40, 0.1), 0.3 * Y)
        other = expectation_propagation(size * K, Y, likelihood, start)
        assert plain.settled
        assert other.settled
        assert other.log_evidence == pytest.approx(plain.log_evidence, abs=1e-7)


def test_too_few_sweeps_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST_SWEEPS == 100
    monkeypatch.setattr("autostatistician.inference.classes.expectation.MOST_SWEEPS", 2)
    found = expectation_propagation(K, Y, Bernoulli())
    assert not found.settled
    assert np.isfinite(found.log_evidence)


def test_short_plain_moves_lead_there_too(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = expectation_propagation(K, Y, Bernoulli()).log_evidence
    monkeypatch.setattr("autostatistician.inference.classes.expectation.PLAIN_AFTER", 0)
    found = expectation_propagation(K, Y, Bernoulli())
    assert found.settled
    assert found.log_evidence == pytest.approx(expected, abs=1e-9)
