"""The misfit without a matrix of all rows against the one with it."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.gp.numeric import numbered
from tests.strategies import kernels

from autostatistician.gp.engines.choice import Toeplitz, engine_for, prior_covariances
from autostatistician.gp.engines.lag_space import LagSpace
from autostatistician.gp.engines.toeplitz import MOST_EMPTY, ToeplitzObjective, cells_of, inverted, is_bordered
from autostatistician.gp.likelihoods import Bernoulli
from autostatistician.gp.problem import Basis, Problem
from autostatistician.kernels.kernel import Kernel, leaf
from autostatistician.kernels.leaves import LEAVES
from autostatistician.kernels.text import parse, parse_kernel

GRID_OF_FORM = Problem(np.arange(30.0), np.zeros(30))


@pytest.mark.parametrize(
    "text", ["SE + WN", "SE * Per + C", "Matern12 * Cos + RQ", "CP(SE, C)", "Wiener + SE", "WN * Lin"]
)
def test_what_is_bordered_without_lines_is_the_same_along_each_diagonal(text: str) -> None:
    expr = parse(text)
    K = prior_covariances(expr, GRID_OF_FORM, [numbered(expr, 0.7).values])[0]
    alike = all(np.ptp(K.diagonal(k)) < 1e-12 for k in range(len(K)))
    assert is_bordered(expr) is alike


def test_lines_stand_beside() -> None:
    assert is_bordered(parse("Lin * Lin + C * Lin + SE"))
    assert not is_bordered(parse("Lin * SE"))


def test_rows_stand_in_cells_few_of_which_are_empty() -> None:
    expr = parse("SE + WN")
    found = cells_of(expr, GRID_OF_FORM.rows(np.delete(np.arange(30), [3, 4])))
    assert found is not None
    assert found[0].tolist() == [0, 1, 2, *range(5, 30)]
    assert found[1] == pytest.approx(1.0)
    last = 200.0 + MOST_EMPTY
    few, many = (Problem(np.append(np.arange(200.0), at), np.zeros(201)) for at in (last, last + 1.0))
    assert cells_of(expr, few) is not None
    assert cells_of(expr, many) is None


GRID = Problem(np.arange(600.0), np.sin(np.arange(600.0)))


def test_a_model_of_many_waves_on_a_grid_is_its() -> None:
    text = parse("SE * Per + Matern12 + Lin + WN")
    assert engine_for(text, GRID).name == "Toeplitz"
    assert engine_for(text, GRID.rows(np.delete(np.arange(600), [7, 90]))).name == "Toeplitz"
    many_empty = np.flatnonzero(np.arange(600) % 4)
    assert Toeplitz().cost(text, GRID.rows(many_empty)) is None
    assert engine_for(text, GRID.rows(np.arange(100))).name == "lag space"


@pytest.mark.parametrize("text", ["CP(SE, C) + WN", "Wiener + WN", "Lin * SE + WN", "Lin * WN", "(Lin + C) * SE"])
def test_changes_and_changing_sizes_are_not(text: str) -> None:
    assert not is_bordered(parse(text))
    assert Toeplitz().cost(parse(text), GRID) is None


def test_other_data_are_not() -> None:
    n = GRID.n
    others = [
        Problem(GRID.X[::-1], GRID.y),
        Problem(GRID.X**1.5, GRID.y),
        Problem(np.zeros(n), GRID.y),
        Problem(np.stack([GRID.X[:, 0]] * 2, axis=1), GRID.y, ("a", "b")),
        Problem(GRID.X, GRID.y, basis=Basis(np.ones((n, 1)), np.zeros(1))),
        Problem(GRID.X, np.sign(GRID.y), likelihood=Bernoulli()),
    ]
    assert [Toeplitz().cost(parse("C + WN"), one) for one in others] == [None] * len(others)


def test_cost_grows_with_rows_and_numbers() -> None:
    def cost(text: str, n: int) -> float:
        found = Toeplitz().cost(parse(text), Problem(np.arange(float(n)), np.zeros(n)))
        assert found is not None
        return found

    assert cost("SE + WN", 100) < cost("SE + WN", 1000) < cost("SE + Per + WN", 1000)
    assert 50.0 < cost("SE + WN", 100_000) / cost("SE + WN", 10_000) < 100.0


def test_a_posterior_is_that_of_another_engine() -> None:
    kernel = parse_kernel("SE(lengthscale=3, sd=1) + WN(sd=0.3)")
    found = Toeplitz().condition(kernel, GRID)
    misfit = Toeplitz().objective(kernel.expr, GRID).value(kernel.values)
    assert found.log_evidence == pytest.approx(-misfit, abs=0.05)


Array = NDArray[np.float64]


def _smooth(n: int, noise: float, lengthscale: float) -> Array:
    row: Array = np.exp(-0.5 * (np.arange(float(n)) / lengthscale) ** 2)
    row[0] += noise**2
    return row


@pytest.mark.parametrize("row", [[1.0, 2.0], [0.0, 0.0], [np.nan, 1.0], [1.0, np.nan, 0.0], [-1.0, 0.5], [1.0, 1.0]])
def test_what_is_not_positive_definite_has_none(row: list[float]) -> None:
    assert inverted(np.array(row)) is None


def test_rounding_shows_in_the_trace() -> None:
    """Without noise a smooth function is known from its neighbours to the last digit: that is not believed."""
    found = inverted(_smooth(1000, 1e-6, 200.0))
    assert found is None or found.trace_error > 1e-4 or found.solve(np.ones(1000))[1] > 1e-6


SYMBOLS = tuple(symbol for symbol in LEAVES if symbol not in ("Cat", "0") and not LEAVES[symbol].of_increments)
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


@pytest.mark.parametrize("empty", [[], [5, 6, 40]])
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
def test_nothing_else_is_asked_also_with_empty_cells(text: str, empty: list[int]) -> None:
    kernel, problem = parse_kernel(text), PROBLEM.rows(np.delete(np.arange(N), empty))
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
