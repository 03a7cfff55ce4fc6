"""The function given sites is that of a plain inversion, also where sites say nothing."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF, ConstantKernel

from autostatistician.gp.classes.approximations import (
    APPROXIMATIONS,
    MOST_SWEEPS,
    SeparableWarning,
    expectation_propagation,
    is_flat,
    laplace,
    warn_of_separable,
)
from autostatistician.gp.classes.sites import SiteApproximation, conditioned_on_sites, given_sites, times
from autostatistician.gp.covariance import NotPositiveDefinite, covariance
from autostatistician.gp.likelihoods import Bernoulli
from autostatistician.gp.posterior.functionals import ColumnPrior
from autostatistician.kernels.kernel import leaf

X_LINE = np.linspace(-2.0, 2.0, 20)
K_LINE = covariance(leaf("Lin", sd=3.0, location=0.0), X_LINE)


@pytest.mark.parametrize("how", APPROXIMATIONS)
def test_a_line_that_separates_may_be_as_steep_as_it_likes(how: str) -> None:
    likelihood, classes = Bernoulli("logistic"), np.sign(X_LINE)
    mixed = np.where(np.arange(20) % 5 == 0, -classes, classes)
    found = [is_flat(K_LINE, y, likelihood, how, APPROXIMATIONS[how](K_LINE, y, likelihood)) for y in (classes, mixed)]
    assert found == [True, False]


def test_the_warning_says_what_to_do() -> None:
    with pytest.warns(SeparableWarning, match="rest on its weak prior.*give more rows, or fewer columns"):
        warn_of_separable(depth=2)


RNG = np.random.default_rng(0)
X_PLANE = RNG.standard_normal((40, 2))
Y_PLANE = np.where(X_PLANE[:, 0] + X_PLANE[:, 1] ** 2 + 0.5 * RNG.standard_normal(40) > 0.5, 1.0, -1.0)
KERNEL = leaf("SE", column="a", sd=2.0, lengthscale=0.7) * leaf("SE", column="b", sd=1.0, lengthscale=1.5)
K_PLANE = covariance(KERNEL, X_PLANE, None, ("a", "b"))


def test_the_value_of_scikit_learn() -> None:
    theirs = GaussianProcessClassifier(ConstantKernel(4.0) * RBF([0.7, 1.5]), optimizer=None).fit(X_PLANE, Y_PLANE)
    found = laplace(K_PLANE, Y_PLANE, Bernoulli("logistic"))
    assert found.log_evidence == pytest.approx(theirs.log_marginal_likelihood(), abs=1e-6)
    assert found.settled


@pytest.mark.parametrize("link", ["probit", "logistic"])
def test_at_the_mode_prior_and_data_balance(link: str) -> None:
    found, likelihood = laplace(K_PLANE, Y_PLANE, Bernoulli(link)), Bernoulli(link)
    np.testing.assert_allclose(found.given.alpha, likelihood.derivatives(Y_PLANE, found.given.mean)[0], atol=1e-9)


def test_laplace_the_value_does_not_hang_on_the_start() -> None:
    likelihood, large = Bernoulli(), 1e4 * K_PLANE
    plain = laplace(large, Y_PLANE, likelihood)
    sites = (large, np.full(40, 9.0), 90.0 * Y_PLANE), (K_PLANE, np.ones(40), -Y_PLANE)
    for start in (*(given_sites(*one) for one in sites), plain.given):
        found = laplace(large, Y_PLANE, likelihood, start)
        assert found.log_evidence == pytest.approx(plain.log_evidence, abs=1e-9)


RNG_WAVE = np.random.default_rng(0)
X = RNG_WAVE.standard_normal((40, 1))
Y = np.where(np.sin(3.0 * X[:, 0]) + 0.5 * RNG_WAVE.standard_normal(40) > 0.0, 1.0, -1.0)
K_WAVE = covariance(leaf("SE", sd=2.0, lengthscale=0.5), X)
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
    exact = np.log(multivariate_normal(cov=np.outer(y, y) * (matrix + np.eye(4)), seed=0).cdf(np.zeros(4)))
    found = expectation_propagation(matrix, y, Bernoulli()).log_evidence
    assert found == pytest.approx(float(exact), abs=2e-3)


@LINKS
def test_the_value_does_not_hang_on_the_start(link: str) -> None:
    likelihood = Bernoulli(link)
    for size in (0.01, 1.0, 1e3):
        plain = expectation_propagation(size * K_WAVE, Y, likelihood)
        start = given_sites(K_WAVE, np.full(40, 0.1), 0.3 * Y)
        other = expectation_propagation(size * K_WAVE, Y, likelihood, start)
        assert plain.settled
        assert other.settled
        assert other.log_evidence == pytest.approx(plain.log_evidence, abs=1e-7)


def test_too_few_sweeps_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST_SWEEPS == 100
    monkeypatch.setattr("autostatistician.gp.classes.approximations.MOST_SWEEPS", 2)
    found = expectation_propagation(K_WAVE, Y, Bernoulli())
    assert not found.settled
    assert np.isfinite(found.log_evidence)


def test_short_plain_moves_lead_there_too(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = expectation_propagation(K_WAVE, Y, Bernoulli()).log_evidence
    monkeypatch.setattr("autostatistician.gp.classes.approximations.PLAIN_AFTER", 0)
    found = expectation_propagation(K_WAVE, Y, Bernoulli())
    assert found.settled
    assert found.log_evidence == pytest.approx(expected, abs=1e-9)


RNG_OF_SITES = np.random.default_rng(0)
ROOT = RNG_OF_SITES.standard_normal((30, 30))
K = ROOT @ ROOT.T / 30.0 + np.eye(30)
PRECISION = np.abs(RNG_OF_SITES.standard_normal(30))
PRECISION[[0, 7]] = 0.0, 1e-9
NATURAL = RNG_OF_SITES.standard_normal(30) * PRECISION


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
    known = conditioned_on_sites(prior, np.arange(30.0)[:, None], SiteApproximation(-7.0, found, True))
    assert known.log_evidence == -7.0
    assert known.leave_one_out()[0] == pytest.approx(found.cavity[0])
    assert known.leave_one_out()[1] - 1.0 / strong == pytest.approx(found.cavity[1])


def test_no_covariance_is_refused() -> None:
    with pytest.raises(NotPositiveDefinite):
        given_sites(-9.0 * np.eye(2), np.ones(2), np.ones(2))
