"""Coefficients integrated out: against the covariance K + H B H' itself, and its limit for a vague prior."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from autostatistician.inference.basis import Basis
from autostatistician.inference.covariance.matrices import covariance
from autostatistician.inference.engines.choice import objective_of
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import Kernel, leaf

N = 25
RNG = np.random.default_rng(4)
LINE = np.arange(N, dtype=float)[:, None]
PLANE = RNG.uniform(0.0, 3.0, (N, 2))
Y = RNG.standard_normal(N)
H = np.column_stack([np.ones(N), np.linspace(-1.0, 1.0, N) ** 2])
ON_LINE = leaf("SE", lengthscale=3.0, sd=1.2) + leaf("WN", sd=0.5)
IN_PLANE = leaf("SE", "a", lengthscale=0.8, sd=1.2) * leaf("SE", "b", lengthscale=2.0, sd=1.0) + leaf("WN", sd=0.5)
CASES = [(ON_LINE, LINE, ("x",)), (IN_PLANE, PLANE, ("a", "b"))]


def _dense(K: np.ndarray) -> float:
    return float(0.5 * Y @ np.linalg.solve(K, Y) + 0.5 * np.linalg.slogdet(K)[1] + 0.5 * N * np.log(2 * np.pi))


@pytest.mark.parametrize(("kernel", "X", "columns"), CASES)
def test_value_is_that_of_the_whole_covariance(kernel: Kernel, X: np.ndarray, columns: tuple[str, ...]) -> None:
    evidence = objective_of(kernel.expr, Problem(X, Y, columns, Basis(H, np.array([0.25, 4.0]))))
    expected = _dense(covariance(kernel, X, None, columns) + H @ np.diag([4.0, 0.25]) @ H.T)
    assert evidence.value_and_gradient(kernel.values)[0] == pytest.approx(expected, rel=1e-11)
    assert evidence.value(kernel.values) == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize(("kernel", "X", "columns"), CASES)
@pytest.mark.parametrize("precisions", [(0.25, 4.0), (0.0, 0.0), (0.0, 2.0)])
def test_gradient_is_that_of_differences(
    kernel: Kernel, X: np.ndarray, columns: tuple[str, ...], precisions: tuple[float, float]
) -> None:
    evidence = objective_of(kernel.expr, Problem(X, Y, columns, Basis(H, np.array(precisions))))
    values = np.array(kernel.values)
    numeric = approx_fprime(np.zeros(len(values)), lambda u: evidence.value(tuple(values * np.exp(u))), 1e-6)
    np.testing.assert_allclose(evidence.value_and_gradient(kernel.values)[1], numeric, atol=1e-4)


def test_the_vague_prior_is_the_limit_of_wide_ones() -> None:
    vague = objective_of(ON_LINE.expr, Problem(LINE, Y, ("x",), Basis(H, np.zeros(2)))).value(ON_LINE.values)
    wide = 1e-9
    near = objective_of(ON_LINE.expr, Problem(LINE, Y, ("x",), Basis(H, np.full(2, wide)))).value(ON_LINE.values)
    assert near + np.log(wide) - np.log(2 * np.pi) == pytest.approx(vague, abs=1e-5)


def test_functions_that_are_one_another_have_no_likelihood() -> None:
    twice = Problem(LINE, Y, ("x",), Basis(np.ones((N, 2)), np.zeros(2)))
    value, gradient = objective_of(ON_LINE.expr, twice).value_and_gradient(ON_LINE.values)
    assert not np.isfinite(value)
    assert gradient.tolist() == [0.0, 0.0, 0.0]
