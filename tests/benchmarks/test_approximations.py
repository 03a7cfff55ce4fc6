"""The approximations that are only compared with: right on average, as their papers say."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autostatistician.inference.engines.choice import objective_of
from autostatistician.inference.problem import Problem

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 2))
Y = np.sin(2.0 * X[:, 0]) + 0.3 * RNG.normal(size=40)
NUMBERS = np.log([0.9, 1.5, 1.1, 0.4])


@pytest.fixture
def numbers(folder: Path) -> Any:
    return import_module("ard").Numbers.of(NUMBERS)


def test_ulisse_estimates_the_gradient_of_the_evidence(numbers: Any) -> None:
    made = import_module("unbiased_solves")
    system = made.Ulisse.at(numbers, X, X[:10])
    found = np.array([made.unbiased_gradient(system, Y, np.random.default_rng(seed), 0.5) for seed in range(400)])
    expr = import_module("ard").expression(("a", "b"))
    _, slopes = objective_of(expr, Problem(X, Y, ("a", "b"))).value_and_gradient((0.9, 1.1, 1.5, 1.0, 0.4))
    exact = -slopes[[0, 2, 1, 4]]
    error = found.std(axis=0) / np.sqrt(len(found))
    assert np.all(np.abs(found.mean(axis=0) - exact) < 4.5 * error)
    assert np.all(error < 0.08 * np.abs(exact).max())


def test_solutions_are_exact_without_chance(numbers: Any) -> None:
    made = import_module("unbiased_solves")
    system = made.Ulisse.at(numbers, X, X[:10])
    found = made.unbiased_solution(lambda p: system.K @ p, Y, system.eased, None)
    np.testing.assert_allclose(found, np.linalg.solve(system.K, Y), rtol=1e-6, atol=1e-7)


def test_random_features_come_near_the_mean_of_the_posterior(numbers: Any) -> None:
    K = numbers.covariance(X, X) + numbers.noise * np.eye(len(X))
    new = RNG.normal(size=(10, 2))
    exact = numbers.covariance(new, X) @ np.linalg.solve(K, Y)
    made = import_module("random_features")
    few, many = (made.predicted(numbers, X, Y, new, np.random.default_rng(1), steps) for steps in (30, 500))
    errors = [float(np.sqrt(np.mean((one - exact) ** 2))) for one in (few, many)]
    assert errors[1] < 0.15 * exact.std()
    assert errors[1] < errors[0]
