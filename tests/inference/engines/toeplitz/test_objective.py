"""The misfit without a matrix of all rows against the one with it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.strategies import kernels

from autostatistician.inference.engines.lag_space import LagSpace
from autostatistician.inference.engines.toeplitz.engine import Toeplitz
from autostatistician.inference.engines.toeplitz.form import is_bordered
from autostatistician.inference.engines.toeplitz.objective import ToeplitzObjective
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import Kernel, leaf
from autostatistician.language.leaves import LEAVES, increments_of
from autostatistician.language.text import parse, parse_kernel

SYMBOLS = tuple(symbol for symbol in LEAVES if symbol not in ("Cat", "0") and not increments_of(symbol))
N = 70
X = np.arange(N) / 8.0 - 3.0
Y = np.sin(X) + np.random.default_rng(0).normal(size=N)
PROBLEM = Problem(X, Y)


def _engine(kernel: Kernel, problem: Problem = PROBLEM) -> ToeplitzObjective:
    return Toeplitz().objective(kernel.expr, problem)


@pytest.mark.slow
@given(kernels(symbols=SYMBOLS, max_leaves=4), st.sampled_from([0.03, 0.3, 1.0]), st.booleans())
def test_value_and_gradient_are_those_of_one_matrix(kernel: Kernel, noise: float, holes: bool) -> None:
    whole = kernel + leaf("WN", sd=noise)
    assume(is_bordered(whole.expr))
    problem = PROBLEM.rows(np.delete(np.arange(N), [1, 2, 30, N - 2])) if holes else PROBLEM
    exact = LagSpace().objective(whole.expr, problem)
    value, gradient = exact.value_and_gradient(whole.values)
    assume(np.isfinite(value))
    found = _engine(whole, problem)
    own, own_gradient = found.value_and_gradient(whole.values)
    assert own == pytest.approx(value, rel=1e-6, abs=1e-4)
    np.testing.assert_allclose(own_gradient, gradient, rtol=1e-4, atol=1e-5 * max(1.0, np.abs(gradient).max()))
    assert found.value(whole.values) == pytest.approx(value, rel=1e-6, abs=1e-4)
    assert found.evaluations == 2


@pytest.mark.parametrize(
    "text",
    [
        "SE(lengthscale=2, sd=1) + WN(sd=0.1)",
        "Lin(sd=1, location=2) + WN(sd=0.1)",
        "Lin(sd=1, location=2) * Lin(sd=0.3, location=-1) + C(sd=2) * Lin(sd=3, location=1) + WN(sd=0.1)",
        "Lin(sd=1e-200, location=2) + Per(lengthscale=1, period=2, sd=1) + WN(sd=0.1)",
        "C(sd=2) + WN(sd=1)",
    ],
)
def test_nothing_else_is_asked(text: str) -> None:
    kernel = parse_kernel(text)
    found = _engine(kernel)
    value, gradient = found.value_and_gradient(kernel.values)
    exact = LagSpace().objective(kernel.expr, PROBLEM).value_and_gradient(kernel.values)
    assert value == pytest.approx(exact[0], rel=1e-9)
    np.testing.assert_allclose(gradient, exact[1], rtol=1e-6, atol=1e-8)
    assert "other" not in vars(found)


@pytest.mark.parametrize("text", ["SE(lengthscale=2, sd=1) + WN(sd=0.1)", "Lin(sd=1, location=2) + WN(sd=0.1)"])
def test_empty_cells_are_no_rows(text: str) -> None:
    kernel, problem = parse_kernel(text), PROBLEM.rows(np.delete(np.arange(N), [5, 6, 40]))
    found = _engine(kernel, problem)
    value, gradient = found.value_and_gradient(kernel.values)
    exact = LagSpace().objective(kernel.expr, problem).value_and_gradient(kernel.values)
    assert value == pytest.approx(exact[0], rel=1e-9)
    np.testing.assert_allclose(gradient, exact[1], rtol=1e-6, atol=1e-8)
    assert "other" not in vars(found)


def test_where_rounding_counts_one_matrix_is_asked() -> None:
    kernel = parse_kernel("SE(lengthscale=60, sd=1) + WN(sd=1e-7)")
    problem = Problem(np.arange(300.0), np.sin(np.arange(300.0) / 60.0))
    found = _engine(kernel, problem)
    exact = LagSpace().objective(kernel.expr, problem)
    assert found.value(kernel.values) == exact.value(kernel.values)
    assert found.value_and_gradient(kernel.values)[0] == exact.value_and_gradient(kernel.values)[0]


@pytest.mark.parametrize("sd", [1e150, np.inf, np.nan])
@pytest.mark.parametrize("text", ["C + WN", "Lin + WN", "SE + Lin + WN"])
def test_what_overflows_is_no_number_or_infinite(text: str, sd: float) -> None:
    names = {"SE": (1.0, sd), "C": (sd,), "Lin": (sd, 0.0), "WN": (1.0,)}
    values = tuple(number for part in text.split(" + ") for number in names[part])
    with np.errstate(over="ignore", invalid="ignore"):  # of the leaves
        found = Toeplitz().objective(parse(text), PROBLEM)
        assert found.value(values) > -np.inf
        value, gradient = found.value_and_gradient(values)
    assert value > -np.inf
    assert not np.isnan(gradient).any() or value == np.inf


def test_nothing_is_chosen_anew() -> None:
    _engine(leaf("WN", sd=1.0)).renewed((1.0,))
