"""Noise that rows have by themselves: the same by every exact engine, and as a covariance with that diagonal."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from tests.gp.numeric import differences

from autostatistician.gp.covariance import covariance
from autostatistician.gp.engines.choice import engine_for
from autostatistician.gp.engines.exact import Blocks, Engine
from autostatistician.gp.engines.lag_space import LagSpace
from autostatistician.gp.engines.semiseparable.engine import Semiseparable
from autostatistician.gp.problem import Problem
from autostatistician.kernels.text import parse_kernel

KERNEL = parse_kernel("Matern12(lengthscale=5, sd=1) + SE(lengthscale=20, sd=1) + WN(sd=0.3)")
ENGINES = (LagSpace(), Blocks(), Semiseparable())


def noisy_problem(n: int = 150) -> Problem:
    rng = np.random.default_rng(0)
    return Problem(rng.permutation(float(n) * np.arange(n) / n), rng.standard_normal(n), noise=rng.gamma(1.0, 1.0, n))


def reference(problem: Problem) -> float:
    K = covariance(KERNEL, problem.X, None, problem.columns)
    assert problem.noise is not None
    return float(multivariate_normal(np.zeros(problem.n), K + np.diag(problem.noise)).logpdf(problem.y))


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_evidence_and_gradient(engine: Engine) -> None:
    problem = noisy_problem()
    objective = engine.objective(KERNEL.expr, problem)
    value, gradient = objective.value_and_gradient(KERNEL.values)
    assert value == pytest.approx(-reference(problem), abs=1e-3)
    assert objective.value(KERNEL.values) == pytest.approx(value, abs=1e-9)
    assert gradient == pytest.approx(differences(objective.value, KERNEL), abs=1e-5)


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_posterior_and_what_is_made_of_it(engine: Engine) -> None:
    problem = noisy_problem()
    posterior = engine.condition(KERNEL, problem)
    assert posterior.log_evidence == pytest.approx(reference(problem), abs=1e-3)
    assert posterior.noise_variance() == pytest.approx(0.3**2 + problem.noise)
    assert posterior.noise_variance(np.array([[3.5]])) == pytest.approx([0.3**2])
    kept = np.arange(1, problem.n)
    assert posterior.without(np.array([0])).log_evidence == pytest.approx(reference(problem.rows(kept)), abs=1e-3)
    grown = posterior.updated(np.array([[200.0]]), np.array([0.5]))
    more = problem.with_more(np.array([[200.0]]), np.array([0.5]))
    assert grown.log_evidence == pytest.approx(reference(more), abs=1e-3)


def test_rows_take_their_noise_along_and_other_places_have_none() -> None:
    problem = noisy_problem()
    assert problem.noise is not None
    assert problem.rows(np.array([3, 1])).noise == pytest.approx(problem.noise[[3, 1]])
    assert problem.few.noise is not None
    assert problem.few.noise.shape == problem.few.y.shape
    assert problem.elsewhere(np.zeros((2, 1)), np.zeros(2)).noise is None


def test_a_grid_with_noise_by_row_is_none_for_lags_alone() -> None:
    n = 3000
    problem = Problem(np.arange(float(n)), np.zeros(n), noise=np.ones(n))
    assert engine_for(KERNEL.expr, problem).name == "semiseparable"
    assert Semiseparable().condition(KERNEL, problem).log_evidence < 0.0
