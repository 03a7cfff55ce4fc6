"""Laplace's approximation: its mode, its value beside scikit-learn's, and the same from wherever it begins."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF, ConstantKernel

from autostatistician.inference.classes.laplace import laplace
from autostatistician.inference.classes.sites import given_sites
from autostatistician.inference.covariance.matrices import covariance
from autostatistician.inference.likelihoods.bernoulli import Bernoulli
from autostatistician.language.kernel import leaf

RNG = np.random.default_rng(0)
X = RNG.standard_normal((40, 2))
Y = np.where(X[:, 0] + X[:, 1] ** 2 + 0.5 * RNG.standard_normal(40) > 0.5, 1.0, -1.0)
KERNEL = leaf("SE", column="a", sd=2.0, lengthscale=0.7) * leaf("SE", column="b", sd=1.0, lengthscale=1.5)
K = covariance(KERNEL, X, None, ("a", "b"))


def test_the_value_of_scikit_learn() -> None:
    theirs = GaussianProcessClassifier(ConstantKernel(4.0) * RBF([0.7, 1.5]), optimizer=None).fit(X, Y)
    found = laplace(K, Y, Bernoulli("logistic"))
    assert found.log_evidence == pytest.approx(theirs.log_marginal_likelihood(), abs=1e-6)
    assert found.settled


@pytest.mark.parametrize("link", ["probit", "logistic"])
def test_at_the_mode_prior_and_data_balance(link: str) -> None:
    found, likelihood = laplace(K, Y, Bernoulli(link)), Bernoulli(link)
    np.testing.assert_allclose(found.given.alpha, likelihood.derivatives(Y, found.given.mean)[0], atol=1e-9)


def test_the_value_does_not_hang_on_the_start() -> None:
    likelihood, large = Bernoulli(), 1e4 * K
    plain = laplace(large, Y, likelihood)
    for start in (given_sites(large, np.full(40, 9.0), 90.0 * Y), given_sites(K, np.ones(40), -Y), plain.given):
        assert laplace(large, Y, likelihood, start).log_evidence == pytest.approx(plain.log_evidence, abs=1e-9)
