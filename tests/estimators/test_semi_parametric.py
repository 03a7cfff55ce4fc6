"""Known functions beside a Gaussian process: Bayesian linear regression, the double loop, and the limit of no prior."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from tests import oracles

from autostatistician import SemiParametricGPRegressor
from autostatistician.errors import InputError
from autostatistician.kernels.kernel import Kernel, leaf

Array = NDArray[np.float64]
RNG = np.random.default_rng(0)
X = np.sort(RNG.uniform(0.0, 10.0, 30))[:, None]
Y = 5.0 + 2.0 * X[:, 0] + np.sin(2.0 * X[:, 0]) + 0.1 * RNG.standard_normal(30)
NEW = np.array([[-1.0], [4.2], [12.0]])
KERNEL = leaf("SE", lengthscale=0.8, sd=1.1) + leaf("WN", sd=0.2)
NOISE = leaf("WN", sd=0.5)


def _line(rows: Array) -> Array:
    return np.column_stack([np.ones(len(rows)), rows])


def test_with_noise_alone_it_is_bayesian_linear_regression() -> None:
    b, sds, H = np.array([1.0, 0.5]), np.array([2.0, 3.0]), _line(X)
    model = SemiParametricGPRegressor(NOISE, n_restarts=0, prior_mean=b, prior_sd=sds).fit(X, Y)
    A = H.T @ H / 0.25 + np.diag(sds**-2.0)
    expected = np.linalg.solve(A, H.T @ Y / 0.25 + b / sds**2)
    np.testing.assert_allclose(model.coefficients_["mean"], expected, rtol=1e-9)
    np.testing.assert_allclose(model.coefficients_["sd"], np.sqrt(np.linalg.inv(A).diagonal()), rtol=1e-9)
    mean, sd = model.predict(NEW, return_std=True)
    np.testing.assert_allclose(mean, _line(NEW) @ expected, rtol=1e-9)
    variance = np.einsum("ij,jk,ik->i", _line(NEW), np.linalg.inv(A), _line(NEW)) + 0.25
    np.testing.assert_allclose(sd, np.sqrt(variance), rtol=1e-9)


def test_without_a_prior_and_with_noise_alone_it_is_least_squares() -> None:
    model = SemiParametricGPRegressor(NOISE, n_restarts=0).fit(X, Y)
    np.testing.assert_allclose(model.coefficients_["mean"], np.linalg.lstsq(_line(X), Y)[0], rtol=1e-9)
    expected = np.linalg.inv(_line(X).T @ _line(X)) * 0.25
    np.testing.assert_allclose(model.coefficients_["sd"], np.sqrt(expected.diagonal()), rtol=1e-9)


def _by_double_loop(kernel: Kernel, b: Array, B: Array) -> tuple[Array, Array, float]:
    """Predictions and evidence of the Gaussian process with mean h'b and covariance k + h B h', by plain algebra."""
    H, new = _line(X), _line(NEW)
    K = oracles.covariance(kernel, X[:, 0]) + H @ B @ H.T
    signal = kernel.parts[0]
    cross = oracles.covariance(signal, NEW[:, 0], X[:, 0]) + new @ B @ H.T
    prior = oracles.covariance(kernel, NEW[:, 0]) + new @ B @ new.T
    left = Y - H @ b
    mean = new @ b + cross @ np.linalg.solve(K, left)
    cov = prior - cross @ np.linalg.solve(K, cross.T)
    evidence = -0.5 * (left @ np.linalg.solve(K, left) + np.linalg.slogdet(K)[1] + len(Y) * np.log(2 * np.pi))
    return mean, cov, float(evidence)


def test_it_is_the_process_with_the_added_covariance() -> None:
    b, sds = np.array([1.0, 0.5]), np.array([2.0, 3.0])
    model = SemiParametricGPRegressor(KERNEL, n_restarts=0, prior_mean=b, prior_sd=sds).fit(X, Y)
    mean, cov, evidence = _by_double_loop(KERNEL, b, np.diag(sds**2))
    found, found_cov = model.predict(NEW, return_cov=True)
    np.testing.assert_allclose(found, mean, rtol=1e-8)
    np.testing.assert_allclose(found_cov, cov, atol=1e-8 * cov.max())
    np.testing.assert_allclose(model.predict(NEW, return_std=True)[1], np.sqrt(cov.diagonal()), rtol=1e-7)
    assert model.log_evidence_ == pytest.approx(evidence, rel=1e-10)


def test_no_prior_is_the_limit_of_wide_ones() -> None:
    model = SemiParametricGPRegressor(KERNEL, n_restarts=0).fit(X, Y)
    wide = 1e8
    mean, cov, evidence = _by_double_loop(KERNEL, np.zeros(2), np.diag([wide, wide]))
    found, sd = model.predict(NEW, return_std=True)
    np.testing.assert_allclose(found, mean, rtol=1e-5)
    np.testing.assert_allclose(sd, np.sqrt(cov.diagonal()), rtol=1e-3)
    # each coefficient adds log(sd) + log(2 pi) / 2 to the limit
    assert model.log_evidence_ == pytest.approx(evidence + np.log(wide) + np.log(2 * np.pi), abs=1e-3)


def test_the_fit_finds_the_line_and_carries_it_on() -> None:
    model = SemiParametricGPRegressor(n_restarts=2).fit(X, Y)
    mean, sd = model.coefficients_["mean"][1], model.coefficients_["sd"][1]
    assert abs(mean - 2.0) < 2.0 * sd < 1.0
    assert 90.0 < model.parametric_share_ < 100.0
    far = np.array([[30.0]])
    line, width = model.predict_parametric(far, return_std=True)
    assert model.predict(far)[0] == pytest.approx(line[0], rel=1e-3)
    assert model.predict(far, return_std=True)[1][0] > width[0] > 0.0


def test_a_better_start_is_no_worse_in_evidence() -> None:
    fitted = SemiParametricGPRegressor(n_restarts=2).fit(X, Y)
    assert fitted.log_evidence_ >= SemiParametricGPRegressor(KERNEL, n_restarts=0).fit(X, Y).log_evidence_ - 1e-6


def test_a_known_mean_is_taken_off_and_added() -> None:
    plain = SemiParametricGPRegressor(KERNEL, n_restarts=0, basis="constant").fit(X, Y - 3.0 * X[:, 0])
    known = SemiParametricGPRegressor(KERNEL, n_restarts=0, basis="constant", mean=lambda rows: 3.0 * rows[:, 0])
    np.testing.assert_allclose(known.fit(X, Y).predict(NEW), plain.predict(NEW) + 3.0 * NEW[:, 0], rtol=1e-9)


def test_functions_of_the_caller_and_units_of_any_size() -> None:
    def waves(rows: Array) -> Array:
        return np.column_stack([1e6 * np.sin(2.0 * rows[:, 0]), np.ones(len(rows)), 1e-5 * rows[:, 0]])

    model = SemiParametricGPRegressor(NOISE, n_restarts=0, basis=waves).fit(X, Y)
    assert model.coefficients_["name"].tolist() == ["b1", "b2", "b3"]
    np.testing.assert_allclose(model.coefficients_["mean"] * [1e6, 1.0, 1e-5], [1.0, 5.0, 2.0], atol=0.1)


def test_squares_and_categories() -> None:
    colour = np.where(np.arange(30) % 2, "red", "blue")
    frame = pd.DataFrame({"x": X[:, 0], "colour": colour})
    y = X[:, 0] ** 2 + np.where(colour == "red", 3.0, 0.0) + 0.1 * RNG.standard_normal(30)
    model = SemiParametricGPRegressor("Cat[colour] + WN", basis="quadratic", n_restarts=2).fit(frame, y)
    assert model.coefficients_["name"].tolist() == ["1", "x", "x^2"]
    assert model.coefficients_["mean"][2] == pytest.approx(1.0, abs=0.05)
    two = model.predict(pd.DataFrame({"x": [1.0, 1.0], "colour": ["blue", "red"]}))
    assert two[1] - two[0] == pytest.approx(3.0, abs=0.2)
    with pytest.raises(InputError, match="'blue', 'red'"):
        model.predict(pd.DataFrame({"x": [1.0], "colour": ["pink"]}))
    mean, sd = model.set_params(unseen="new").predict(pd.DataFrame({"x": [1.0], "colour": ["pink"]}), return_std=True)
    assert sd[0] > 1.0
    assert two[0] < mean[0] < two[1]


def test_a_full_covariance_of_categories_as_an_option() -> None:
    x = np.tile(np.linspace(0.0, 6.0, 20), 3)
    town = np.repeat(["a", "b", "c"], 20)
    sign = np.repeat([1.0, -1.0, 1.0], 20)
    y = sign * np.sin(x) + 0.05 * np.random.default_rng(1).standard_normal(60)
    frame = pd.DataFrame({"x": x, "town": town})
    full = SemiParametricGPRegressor("SE[x] * Cat[town] + WN", basis="none", rank=1, n_restarts=2).fit(frame, y)
    simple = SemiParametricGPRegressor("SE[x] * Cat[town] + WN", basis="none", n_restarts=2).fit(frame, y)
    assert str(full.kernel_) == "SE[x] * Cat3r1[town] + WN"
    assert full.log_evidence_ > simple.log_evidence_ + 10.0  # opposite categories are beyond one correlation


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"basis": "cubic"}, "a basis among"),
        ({"basis": lambda rows: np.ones((len(rows), 2))}, "basis functions that differ"),
        ({"basis": lambda rows: np.ones(3)}, "a row for each of 30"),
        ({"mean": lambda rows: rows[:, 0] * np.nan}, "not finite"),
        ({"prior_sd": [1.0, 2.0, 3.0]}, "as one number or 2"),
        ({"prior_sd": -1.0}, "above 0"),
        ({"n_restarts": -1}, "whole number from 0"),
        ({"n_restarts": 0}, "with all its numbers"),
        ({"rank": 0.5}, "rank as a whole number"),
        ({"kernel": "Cat + WN"}, "Cat on a column of categories"),
        ({"kernel": leaf("SE", lengthscale=1e9, sd=1e-200), "n_restarts": 0, "basis": "none"}, "add WN"),
    ],
)
def test_mistakes_are_said(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        SemiParametricGPRegressor(**options).fit(X, Y)
