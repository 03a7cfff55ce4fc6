"""A Gaussian process with a kernel that is given: the numbers of the textbook."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import multivariate_normal

from autostatistician import GPRegressor, log_marginal_likelihood, sample
from autostatistician.errors import InputError
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.text import parse_kernel

RNG = np.random.default_rng(0)
X = np.sort(RNG.uniform(0.0, 6.0, 30))[:, None]
Y = np.sin(X[:, 0]) + 0.1 * RNG.normal(size=30)
GIVEN = parse_kernel("SE(lengthscale=1.5, sd=1.2) * Lin(sd=1, location=-1) + WN(sd=0.3)")


@pytest.fixture(scope="module")
def given() -> GPRegressor:
    """The kernel as it is, given the data."""
    return GPRegressor(GIVEN, n_restarts=0).fit(X, Y)


def test_the_posterior_is_that_of_the_textbook(given: GPRegressor) -> None:
    new = np.array([[0.5], [7.0]])
    K, cross = GIVEN.matrix(X), GIVEN.matrix(new, X)
    mean, cov = given.predict(new, return_cov=True)
    np.testing.assert_allclose(mean, cross @ np.linalg.solve(K, Y), rtol=1e-8)
    np.testing.assert_allclose(cov, GIVEN.matrix(new) - cross @ np.linalg.solve(K, cross.T), atol=1e-8)
    np.testing.assert_allclose(given.predict(new, return_std=True)[1], np.sqrt(cov.diagonal()), rtol=1e-8)
    drawn = given.sample(new, 4000)
    np.testing.assert_allclose(drawn.mean(axis=1), mean, atol=0.1 * np.sqrt(cov.diagonal()).max())
    assert drawn.std(axis=1) == pytest.approx(np.sqrt(cov.diagonal() - 0.09), rel=0.1)


def test_the_evidence_is_the_density_of_the_data_and_has_its_gradient(given: GPRegressor) -> None:
    value, gradient = given.evidence(return_gradient=True)
    assert value == pytest.approx(multivariate_normal(np.zeros(30), GIVEN.matrix(X)).logpdf(Y))
    assert value == pytest.approx(log_marginal_likelihood(GIVEN, X, Y)) == given.log_evidence_
    assert list(gradient) == list(given.kernel_.parameters)
    for name, here in given.kernel_.parameters.items():
        ends = [given.evidence(given.kernel_.with_parameters({name: here + step})) for step in (1e-6, -1e-6)]
        assert gradient[name] == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-4, abs=1e-6)


def test_the_place_where_a_walk_begins_has_a_slope() -> None:
    """Though no fit moves it."""
    kernel = parse_kernel("Wiener(sd=1, location=-1) + IOU(lengthscale=2, sd=0.5, location=-1) + WN(sd=0.3)")
    model = GPRegressor(kernel, n_restarts=0).fit(X, Y)
    alpha, inverse = np.linalg.solve(kernel.matrix(X), Y), np.linalg.inv(kernel.matrix(X))
    slopes = model.evidence(return_gradient=True)[1]
    by_log = log_marginal_likelihood(kernel, X, Y, return_gradient=True)[1]
    for index, (name, slope) in enumerate(kernel.gradient(X).items()):
        exact = 0.5 * alpha @ slope @ alpha - 0.5 * np.sum(inverse * slope)
        assert slopes[name.replace(".", "[x].") if "WN" not in name else name] == pytest.approx(exact, rel=1e-4)
        scale = 1.0 if "location" in name else kernel.values[index]
        assert by_log[index] == pytest.approx(scale * exact, rel=1e-4)


def test_categories_of_new_rows_are_those_of_the_fit() -> None:
    table = pd.DataFrame({"a": X[:, 0], "c": ["u", "v", "w"] * 10})
    model = GPRegressor("SE[a] * Cat[c] + WN", n_restarts=1).fit(table, Y)
    assert log_marginal_likelihood(model, table, Y) == pytest.approx(model.log_evidence_)
    assert sample(model, table).shape == (1, 30)
    with pytest.raises(InputError, match="give categories as the numbers 0, 1"):
        model.kernel_.matrix(table)


def test_a_fit_climbs_and_other_data_change_no_parameter(given: GPRegressor) -> None:
    fitted = GPRegressor(GIVEN, n_restarts=2).fit(X, Y)
    assert fitted.log_evidence_ > given.log_evidence_
    other = fitted.condition(X[:5], Y[:5])
    assert other.kernel_ == fitted.kernel_
    np.testing.assert_allclose(
        other.predict(X[:3]), GPRegressor(fitted.kernel_, n_restarts=0).fit(X[:5], Y[:5]).predict(X[:3])
    )


def test_parameters_that_should_stay_must_be_there() -> None:
    with pytest.raises(InputError, match="a kernel with all its numbers; found open ones"):
        GPRegressor(Kernel.sum((GIVEN, parse_kernel("WN"))), n_restarts=0).fit(X, Y)
