"""Laplace's approximation by pseudo-targets: that of one matrix, and on long series by another engine."""

import numpy as np
import pytest
from scipy.special import logsumexp

from autostatistician.data.transform import Transform
from autostatistician.inference.classes import laplace
from autostatistician.inference.covariance import covariance
from autostatistician.inference.likelihoods.poisson import Poisson
from autostatistician.inference.problem import Problem
from autostatistician.inference.sites_at_mode import at_mode, by_expectation
from autostatistician.language.kernel import leaf
from autostatistician.language.text import parse_kernel

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
    found = by_expectation(KERNEL, problem, likelihood, likelihood.transform.forward(problem.y))
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
    found = by_expectation(leaf("WN", sd=sd), problem, likelihood, likelihood.transform.forward(problem.y))
    exact = likelihood.tilted(problem.y, np.zeros(40), np.full(40, sd**2))[0].sum()  # rows are independent
    assert found.log_evidence == pytest.approx(float(exact), abs=1e-3)
