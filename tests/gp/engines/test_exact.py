"""What exact engines share: whole covariances, posteriors, and the number of rows that they can bear."""

import gc
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from weakref import ref

import numpy as np
import pytest
from hypothesis import given
from tests import oracles
from tests.gp.numeric import differences, misfit
from tests.strategies import kernels

from autostatistician.errors import InputError
from autostatistician.gp.covariance import covariance, prior_variance
from autostatistician.gp.engines.choice import objective_of
from autostatistician.gp.engines.exact import MOST_ROWS, Blocks, ExactEngine, check_rows, workspace_of
from autostatistician.gp.engines.geometry import UpperTriangle
from autostatistician.gp.engines.lag_space import LagSpace
from autostatistician.gp.problem import Problem
from autostatistician.kernels import covariance as matrix
from autostatistician.kernels.covariance import CrossCovariance, DenseCovariance
from autostatistician.kernels.kernel import Kernel, leaf, size
from autostatistician.kernels.text import parse, parse_kernel


def test_diagonals_are_read_without_a_copy() -> None:
    triangle = UpperTriangle(4)
    triangle.matrix[...] = np.triu(np.arange(1.0, 17.0).reshape(4, 4))
    for lag in range(4):
        expected = np.append(np.diagonal(triangle.matrix, lag), np.zeros(lag))
        np.testing.assert_array_equal(triangle.diagonals[:, lag], expected)
    triangle.main += 100.0
    assert (np.diagonal(triangle.matrix) > 100.0).all()
    assert np.shares_memory(triangle.diagonals, triangle.matrix)


def _problem() -> Problem:
    return Problem(np.arange(4.0)[:, None], np.ones(4), ("x",))


def test_evaluations_of_a_problem_share_a_space_and_other_problems_have_another() -> None:
    one, other = _problem(), _problem()
    assert workspace_of(one) is workspace_of(one)
    assert workspace_of(one) is not workspace_of(other)


def test_threads_that_share_a_problem_do_not_share_its_space() -> None:
    problem = _problem()
    with ThreadPoolExecutor(1) as pool:
        elsewhere = pool.submit(workspace_of, problem).result()
    assert elsewhere is not workspace_of(problem)


@pytest.mark.slow
def test_a_space_goes_with_its_problem() -> None:
    problem = _problem()
    space = ref(workspace_of(problem))
    del problem
    gc.collect()
    assert space() is None


RNG = np.random.default_rng(0)
X_PLANE = np.column_stack([RNG.normal(size=120), RNG.normal(size=120)])
PROBLEM = Problem(X_PLANE, np.sin(X_PLANE[:, 0]) + X_PLANE[:, 1], ("a", "b"))
KERNELS_PLANE = [
    leaf("SE", "a", sd=1.0, lengthscale=0.8) * leaf("SE", "b", sd=1.0, lengthscale=1.4) + leaf("WN", sd=0.3),
    leaf("Lin", "b", sd=0.9, location=0.1) + leaf("Matern32", "a", sd=0.7, lengthscale=0.5) + leaf("WN", sd=0.3),
]


@pytest.mark.parametrize("kernel", KERNELS_PLANE, ids=str)
def test_several_columns_values_and_slopes(kernel: Kernel) -> None:
    objective = Blocks().objective(kernel.expr, PROBLEM)
    K = covariance(kernel, X_PLANE, None, ("a", "b"))
    np.testing.assert_allclose(objective.covariance(kernel.values), K, rtol=1e-9, atol=1e-12)
    value, gradient = objective.value_and_gradient(kernel.values)
    assert value == pytest.approx(misfit(K, PROBLEM.y))
    assert gradient == pytest.approx(differences(objective.value, kernel), rel=1e-4, abs=1e-4)


NAMES = ("a", "b")
RNG_OF_BLOCKS = np.random.default_rng(3)
ROWS = 40
X_OF_BLOCKS, Y = RNG_OF_BLOCKS.uniform(-1.0, 1.0, (ROWS, 2)), RNG_OF_BLOCKS.normal(size=ROWS)

TEXTS = (
    "SE[a] * SE[b] + WN",
    "SE[a] * SE[b] * (Lin[a] + C) + WN * Lin[b]",
    "Matern12[a] * Per[b] * (SE[a] + WN) + RQ[b] + WN",
    "CP[a](SE[b] + Lin[b] * WN, C) + WN",
    "CW[b](WN, SE[b] * Matern32[a]) * SE[a] + WN",
    "WN * WN + C",
)


@pytest.fixture
def _several_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matrix, "CELLS_PER_BLOCK", 7 * ROWS)


def _kernel(text: str) -> Kernel:
    expr = parse(text)
    return Kernel(expr, tuple(np.random.default_rng(size(expr)).uniform(0.4, 1.2, size(expr))))


@pytest.mark.usefixtures("_several_blocks")
@pytest.mark.parametrize("text", TEXTS)
def test_the_matrix_is_that_of_the_covariance(text: str) -> None:
    kernel, triangle = _kernel(text), UpperTriangle(len(X_OF_BLOCKS))
    DenseCovariance(kernel.expr, NAMES).fill(kernel.values, X_OF_BLOCKS, triangle.matrix, triangle.main)
    expected = np.triu(oracles.covariance(kernel, X_OF_BLOCKS, None, NAMES))
    np.testing.assert_allclose(np.triu(triangle.matrix), expected, rtol=1e-12, atol=1e-14)


@pytest.mark.usefixtures("_several_blocks")
@pytest.mark.parametrize("text", TEXTS)
def test_the_gradient_is_that_of_differences(text: str) -> None:
    kernel = _kernel(text)
    evidence = objective_of(kernel.expr, Problem(X_OF_BLOCKS, Y, NAMES))
    _, gradient = evidence.value_and_gradient(kernel.values)
    assert gradient == pytest.approx(differences(evidence.value, kernel), rel=1e-5, abs=1e-5)


def test_blocks_cover_the_triangle_once() -> None:
    found = list(matrix.triangle_rows(ROWS, 7 * ROWS))
    assert len(found) > 3
    assert [row for rows in found for row in range(rows.start, rows.stop)] == list(range(ROWS))


RNG_OF_CROSS = np.random.default_rng(4)
X_OF_CROSS, Z = RNG_OF_CROSS.uniform(0.2, 3.0, (40, 2)), RNG_OF_CROSS.uniform(0.2, 3.0, (9, 2))
WEIGHTS = RNG_OF_CROSS.normal(size=(40, 9))
SYMBOLS = ("SE", "RQ", "Matern32", "Per", "Deep2", "Lin", "C", "WN")


@given(kernels(columns=("a", "b"), symbols=SYMBOLS, max_leaves=5))
def test_values_and_slopes(kernel: Kernel) -> None:
    cross = CrossCovariance(kernel.expr, ("a", "b"))
    np.testing.assert_allclose(
        cross.filled(kernel.values, X_OF_CROSS, Z),
        oracles.covariance(kernel, X_OF_CROSS, Z, ("a", "b")),
        rtol=1e-9,
        atol=1e-10,
    )
    slopes = np.asarray(cross.gradient(kernel.values, X_OF_CROSS, Z, WEIGHTS))
    size = 1.0 + float(np.abs(cross.filled(kernel.values, X_OF_CROSS, Z)).sum())
    expected = differences(lambda values: np.sum(WEIGHTS * cross.filled(values, X_OF_CROSS, Z)), kernel, 1e-6)
    assert np.all(np.abs(slopes - expected) < 1e-4 * size * (1.0 + np.abs(slopes) / size))


def test_covariances_with_one_point_are_worked_out_many_rows_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    # row by row they took a thousand times as long, and with them the choice of inducing points
    kernel = parse_kernel("SE[a](lengthscale=1, sd=2) + Per[b](lengthscale=1, period=1.5, sd=1)")
    rows: list[slice] = []
    made = matrix._CrossBlock

    def counted(*given: Any, **more: Any) -> matrix.Block:
        rows.append(given[0])
        return made(*given, **more)

    monkeypatch.setattr(matrix, "_CrossBlock", counted)
    found = CrossCovariance(kernel.expr, COLUMNS).filled(kernel.values, np.ones((4000, 2)), X2[:1])
    assert len(rows) == 1
    np.testing.assert_allclose(found[0], covariance(kernel, np.ones((1, 2)), X2[:1], COLUMNS)[0])


RNG_OF_DENSE = np.random.default_rng(3)
X, X2 = RNG_OF_DENSE.normal(size=(7, 2)), RNG_OF_DENSE.normal(size=(3, 2))
COLUMNS = ("a", "b")
KERNELS_OF_DENSE = [
    "SE[a](lengthscale=1, sd=2) * SE[b](lengthscale=2, sd=0.8) + C(sd=0.5)",
    "Per[a](lengthscale=1, period=1.5, sd=1) * Lin[b](sd=0.5, location=0.3) + RQ[a](lengthscale=1, sd=1, alpha=2)",
]


@pytest.mark.parametrize("text", KERNELS_OF_DENSE)
def test_the_matrix_is_that_of_the_plain_definition(text: str) -> None:
    kernel = parse_kernel(text + " + WN(sd=0.3)")
    found = DenseCovariance(kernel.expr, COLUMNS).filled(kernel.values, X)
    np.testing.assert_allclose(found, oracles.covariance(kernel, X, None, COLUMNS), atol=1e-12)


@pytest.mark.parametrize("text", KERNELS_OF_DENSE)
def test_gradient_by_the_numbers(text: str) -> None:
    kernel, weights = parse_kernel(text + " + WN(sd=0.3)"), RNG_OF_DENSE.normal(size=(7, 7))
    weights = weights + weights.T
    found = DenseCovariance(kernel.expr, COLUMNS).gradient(kernel.values, X, weights)

    def total(values: tuple[float, ...]) -> float:
        return float((weights * covariance(Kernel(kernel.expr, values), X, None, COLUMNS)).sum())

    np.testing.assert_allclose(found, differences(total, kernel, 1e-6), atol=1e-4)


@pytest.mark.parametrize("text", KERNELS_OF_DENSE)
def test_gradient_of_cross_covariances_and_variances(text: str) -> None:
    kernel, weights, own = parse_kernel(text), RNG_OF_DENSE.normal(size=(7, 3)), RNG_OF_DENSE.normal(size=7)
    found = DenseCovariance(kernel.expr, COLUMNS).cross_gradient(kernel.values, X, X2, weights, own)

    def total(values: tuple[float, ...]) -> float:
        at = Kernel(kernel.expr, values)
        return float((weights * covariance(at, X, X2, COLUMNS)).sum() + own @ prior_variance(at, X, COLUMNS))

    np.testing.assert_allclose(found, differences(total, kernel, 1e-6), atol=1e-4)


SMOOTH, LINE, NOISE = leaf("SE", sd=1.1, lengthscale=0.4), leaf("Lin", sd=0.7, location=0.2), leaf("WN", sd=0.3)
KERNELS = [SMOOTH + NOISE, SMOOTH * LINE + NOISE, Kernel.change_point(SMOOTH, LINE, 0.5, 4.0) + NOISE]
RNG_OF_EXACT = np.random.default_rng(0)
PLACES = {
    "grid": np.linspace(0.0, 1.0, 40),
    "scattered": RNG_OF_EXACT.uniform(size=40),
    "repeated": np.repeat(np.linspace(0, 1, 20), 2),
}


@pytest.mark.parametrize("engine", [LagSpace(), Blocks()], ids=lambda one: one.name)
@pytest.mark.parametrize("case", PLACES)
@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_both_triangles_are_those_of_the_kernel(engine: ExactEngine, case: str, kernel: Kernel) -> None:
    problem = Problem(PLACES[case], np.sin(9.0 * PLACES[case]))
    found = engine.objective(kernel.expr, problem).covariance(kernel.values)
    np.testing.assert_allclose(found, covariance(kernel, problem.X), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("engine", [LagSpace(), Blocks()], ids=lambda one: one.name)
def test_the_evidence_of_a_posterior_is_the_value_of_the_objective(engine: ExactEngine) -> None:
    problem = Problem(PLACES["scattered"], np.sin(9.0 * PLACES["scattered"]))
    for kernel in KERNELS:
        value = engine.objective(kernel.expr, problem).value(kernel.values)
        assert -engine.condition(kernel, problem).log_evidence == pytest.approx(value, rel=1e-10)


def test_more_rows_than_a_matrix_holds_are_refused() -> None:
    check_rows(MOST_ROWS)
    with pytest.raises(InputError, match="at most 5000 rows; found 5001; give a random sample of the rows"):
        check_rows(MOST_ROWS + 1)
    large = Problem(np.arange(MOST_ROWS + 1.0), np.ones(MOST_ROWS + 1))
    assert LagSpace().cost(NOISE.expr, large) is None
    assert Blocks().cost(NOISE.expr, large) is None
