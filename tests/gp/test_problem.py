"""A problem is what is asked, and no more: it allocates nothing and gives parts of itself."""

import tracemalloc

import numpy as np
import pytest
from scipy.special import logsumexp
from tests.gp.numeric import differences, misfit

from autostatistician.data.transform import Transform
from autostatistician.gp.classes import laplace
from autostatistician.gp.count_approximations import at_mode, expectation_propagation
from autostatistician.gp.count_likelihoods import Poisson
from autostatistician.gp.covariance import covariance
from autostatistician.gp.engines.choice import objective_of
from autostatistician.gp.likelihoods import GAUSSIAN
from autostatistician.gp.problem import FEW_ROWS, Basis, Problem
from autostatistician.kernels.kernel import Kernel, leaf
from autostatistician.kernels.text import parse_kernel

KERNEL = parse_kernel("C(sd=2) + Matern12(lengthscale=15, sd=0.7) + WN(sd=0.3)")


def counts(n: int, level: float) -> tuple[Problem, Poisson]:
    rng = np.random.default_rng(n)
    y = rng.poisson(level * np.exp(np.cumsum(0.1 * rng.standard_normal(n)))).astype(float)
    return Problem(np.arange(float(n)), y), Poisson(Transform("log", level, 2.0, 0.5))


@pytest.mark.parametrize("level", [0.2, 3.0, 1000.0])
def test_it_is_laplace_with_one_matrix(level: float) -> None:
    problem, likelihood = counts(80, level)
    found = at_mode(KERNEL, problem, likelihood, likelihood.transform.forward(problem.y))
    reference = laplace(covariance(KERNEL, problem.X, None, problem.columns), problem.y, likelihood)
    assert found.settled
    assert found.log_evidence == pytest.approx(reference.log_evidence, abs=1e-6)
    assert found.function == pytest.approx(reference.given.mean, abs=1e-5)


def test_the_start_does_not_matter() -> None:
    problem, likelihood = counts(80, 3.0)
    starts = likelihood.transform.forward(problem.y), np.full(80, -3.0), np.full(80, 6.0)
    first, *others = (at_mode(KERNEL, problem, likelihood, start) for start in starts)
    for other in others:
        assert other.log_evidence == pytest.approx(first.log_evidence, abs=1e-6)


def test_many_rows_take_an_engine_that_grows_with_them() -> None:
    problem, likelihood = counts(3000, 3.0)
    found = at_mode(KERNEL, problem, likelihood, likelihood.transform.forward(problem.y))
    assert found.settled
    assert type(found.posterior).__name__ == "SemiseparablePosterior"


@pytest.mark.parametrize("level", [0.5, 3.0, 30.0])
def test_sites_by_expectation_give_the_probability_itself(level: float) -> None:
    problem, likelihood = counts(25, level)
    found = expectation_propagation(KERNEL, problem, likelihood, likelihood.transform.forward(problem.y))
    assert found.settled
    covariance_after = found.posterior.project(KERNEL).covariance() + 1e-10 * np.eye(25)
    prior = np.linalg.cholesky(covariance(KERNEL, problem.X, None, problem.columns))
    root = np.linalg.cholesky(covariance_after)
    z = 1.05 * np.random.default_rng(0).standard_normal((25, 100_000))
    f = found.posterior.project(KERNEL).mean[:, None] + root @ z
    log_prior = -0.5 * (np.linalg.solve(prior, f) ** 2).sum(0) - np.log(prior.diagonal()).sum()
    log_guide = -0.5 * (z**2).sum(0) / 1.05**2 - np.log(1.05 * root.diagonal()).sum()
    weights = likelihood.log_density(problem.y[:, None], f).sum(0) + log_prior - log_guide
    exact = float(logsumexp(weights)) - np.log(z.shape[1])
    assert found.log_evidence == pytest.approx(exact, abs=0.02)


@pytest.mark.parametrize("sd", [0.3, 1.0, 2.5])
def test_scatter_far_beyond_chance_is_no_matter(sd: float) -> None:
    problem, likelihood = counts(40, 0.3)
    found = expectation_propagation(leaf("WN", sd=sd), problem, likelihood, likelihood.transform.forward(problem.y))
    exact = likelihood.tilted(problem.y, np.zeros(40), np.full(40, sd**2))[0].sum()  # rows are independent
    assert found.log_evidence == pytest.approx(float(exact), abs=1e-3)


N = 25
RNG = np.random.default_rng(4)
LINE = np.arange(N, dtype=float)[:, None]
PLANE = RNG.uniform(0.0, 3.0, (N, 2))
TARGET = RNG.standard_normal(N)
H = np.column_stack([np.ones(N), np.linspace(-1.0, 1.0, N) ** 2])
ON_LINE = leaf("SE", lengthscale=3.0, sd=1.2) + leaf("WN", sd=0.5)
IN_PLANE = leaf("SE", "a", lengthscale=0.8, sd=1.2) * leaf("SE", "b", lengthscale=2.0, sd=1.0) + leaf("WN", sd=0.5)
CASES = [(ON_LINE, LINE, ("x",)), (IN_PLANE, PLANE, ("a", "b"))]


@pytest.mark.parametrize(("kernel", "X", "columns"), CASES)
def test_value_is_that_of_the_whole_covariance(kernel: Kernel, X: np.ndarray, columns: tuple[str, ...]) -> None:
    evidence = objective_of(kernel.expr, Problem(X, TARGET, columns, Basis(H, np.array([0.25, 4.0]))))
    expected = misfit(covariance(kernel, X, None, columns) + H @ np.diag([4.0, 0.25]) @ H.T, TARGET)
    assert evidence.value_and_gradient(kernel.values)[0] == pytest.approx(expected, rel=1e-11)
    assert evidence.value(kernel.values) == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize(("kernel", "X", "columns"), CASES)
@pytest.mark.parametrize("precisions", [(0.25, 4.0), (0.0, 0.0), (0.0, 2.0)])
def test_gradient_is_that_of_differences(
    kernel: Kernel, X: np.ndarray, columns: tuple[str, ...], precisions: tuple[float, float]
) -> None:
    evidence = objective_of(kernel.expr, Problem(X, TARGET, columns, Basis(H, np.array(precisions))))
    numeric = differences(evidence.value, kernel, 1e-6)
    np.testing.assert_allclose(evidence.value_and_gradient(kernel.values)[1], numeric, atol=1e-4)


def test_the_vague_prior_is_the_limit_of_wide_ones() -> None:
    wide = 1e-9
    problems = (Problem(LINE, TARGET, ("x",), Basis(H, np.full(2, precision))) for precision in (0.0, wide))
    vague, near = (objective_of(ON_LINE.expr, problem).value(ON_LINE.values) for problem in problems)
    assert near + np.log(wide) - np.log(2 * np.pi) == pytest.approx(vague, abs=1e-5)


def test_functions_that_are_one_another_have_no_likelihood() -> None:
    twice = Problem(LINE, TARGET, ("x",), Basis(np.ones((N, 2)), np.zeros(2)))
    value, gradient = objective_of(ON_LINE.expr, twice).value_and_gradient(ON_LINE.values)
    assert not np.isfinite(value)
    assert gradient.tolist() == [0.0, 0.0, 0.0]


X, Y = np.arange(100.0)[:, None], np.sin(np.arange(100.0))


def test_a_problem_of_many_rows_takes_no_matrix() -> None:
    X = np.arange(20_000.0)[:, None]
    tracemalloc.start()
    problem = Problem(X, X[:, 0])
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert problem.n == 20_000
    assert most < 2e6  # one matrix would be 3.2e9


def test_rows_keep_what_belongs_to_them() -> None:
    basis = Basis(np.column_stack([np.ones(100), X[:, 0]]), np.array([0.0, 1.0]))
    part = Problem(X, Y, ("t",), basis).rows(np.array([3, 50]))
    assert part.y.tolist() == Y[[3, 50]].tolist()
    assert part.basis is not None
    assert part.basis.values.tolist() == [[1.0, 3.0], [1.0, 50.0]]
    assert (part.columns, part.likelihood) == (("t",), GAUSSIAN)


def test_a_few_rows_are_always_the_same_and_stand_for_all() -> None:
    first, second = Problem(X, Y).few, Problem(X, Y).few
    assert first.n == FEW_ROWS
    np.testing.assert_array_equal(first.X, second.X)
    assert np.ptp(first.X) > 80.0
    small = Problem(X[:5], Y[:5])
    assert small.few is small


def test_a_line_of_inputs_is_one_column() -> None:
    assert Problem(X[:, 0], Y).X.shape == (100, 1)
