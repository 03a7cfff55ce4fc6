"""The log marginal likelihood against scikit-learn, and its gradient against differences."""

import numpy as np
import pytest
from scipy.linalg import solve_triangular
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, WhiteKernel

from autostatistician import GPRegressor, log_marginal_likelihood
from autostatistician.errors import InputError
from autostatistician.kernels import parse_kernel

RNG = np.random.default_rng(0)
X = np.sort(RNG.uniform(0.0, 10.0, 15))
Y = np.sin(X)


def test_it_is_that_of_scikit_learn() -> None:
    peer = GaussianProcessRegressor(4.0 * RBF(1.5) + WhiteKernel(0.09), optimizer=None).fit(X[:, None], Y)
    ours = log_marginal_likelihood("SE(lengthscale=1.5, sd=2) + WN(sd=0.3)", X, Y)
    assert ours == pytest.approx(peer.log_marginal_likelihood_value_, abs=1e-6)


def test_the_gradient_is_by_logarithms() -> None:
    def value(length: float, sd: float, noise: float) -> float:
        return float(log_marginal_likelihood(f"SE(lengthscale={length}, sd={sd}) + WN(sd={noise})", X, Y))

    at, step = np.log([1.5, 2.0, 0.3]), 1e-5
    text = "SE(lengthscale=1.5, sd=2) + WN(sd=0.3)"
    gradient = log_marginal_likelihood(text, X, Y, return_gradient=True)[1]
    moved = [(value(*np.exp(at + step * e)) - value(*np.exp(at - step * e))) / (2.0 * step) for e in np.eye(3)]
    assert gradient == pytest.approx(moved, rel=1e-4)


def test_what_does_not_fit_together_is_said() -> None:
    with pytest.raises(InputError, match="15 finite observations"):
        log_marginal_likelihood("WN(sd=1)", X, Y[:3])
    with pytest.raises(InputError, match=r"15 finite observations.* with 1 that are not"):
        log_marginal_likelihood("WN(sd=1)", X, np.append(Y[:14], np.nan))
    with pytest.raises(InputError, match="a number for each parameter"):
        log_marginal_likelihood("SE + WN", X, Y)
    with pytest.raises(InputError, match="column"):
        log_marginal_likelihood("SE[a](lengthscale=1, sd=1) + WN(sd=1)", X, Y)


def test_digits_that_no_engine_keeps_are_said() -> None:
    places = np.arange(5600.0) ** 1.001
    with pytest.warns(RuntimeWarning, match="digits of 5600 rows"):
        log_marginal_likelihood("SE(lengthscale=100, sd=1) + WN(sd=1e-7)", places, np.sin(places / 70.0))


def test_a_smooth_function_of_many_scattered_rows_with_hardly_any_noise_has_the_evidence_of_one_matrix() -> None:
    places = np.sort(np.random.default_rng(5).uniform(0.0, 6000.0, 5600))
    observed = np.sin(places / 70.0) + 3e-5 * np.random.default_rng(6).normal(size=5600)
    found = log_marginal_likelihood("SE(lengthscale=100, sd=1) + WN(sd=3e-5)", places, observed)
    assert found == pytest.approx(49172.94, abs=0.05)  # of one matrix


def test_thousands_of_rows_of_several_columns_have_the_evidence_of_one_matrix() -> None:
    rows = np.random.default_rng(0).uniform(0.0, 10.0, (2001, 2))
    kernel = parse_kernel("SE[x1](lengthscale=0.3, sd=1) * SE[x2](lengthscale=0.3, sd=1) + WN(sd=0.1)")
    observed = np.sin(rows[:, 0]) + 0.1 * np.random.default_rng(1).normal(size=2001)
    L = np.linalg.cholesky(kernel.matrix(rows))
    half = solve_triangular(L, observed, lower=True)
    exact = -0.5 * half @ half - np.log(L.diagonal()).sum() - 0.5 * 2001 * np.log(2.0 * np.pi)
    assert log_marginal_likelihood(kernel, rows, observed) == pytest.approx(exact, abs=1e-4)
    model = GPRegressor(kernel, n_restarts=0).fit(rows, observed)
    assert model.log_evidence_ == pytest.approx(exact, abs=1e-4) == model.evidence()


def test_a_bound_is_said_to_be_one() -> None:
    rows = np.random.default_rng(0).uniform(size=(5001, 2))
    with pytest.warns(RuntimeWarning, match="of 5001 rows of several columns the value is a lower bound"):
        log_marginal_likelihood("Lin[x1](sd=1, location=0) + WN(sd=1)", rows, rows[:, 0])
