"""Inducing points that move: true derivatives, never a lower bound, and codes that stay codes."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.moved_points import moved, negative_bound_by_points
from hypothesis import given
from tests.strategies import kernels

from autostatistician.inference.engines.inducing.objective import InducingObjective
from autostatistician.inference.engines.several_columns import Blocks
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import Kernel, leaf
from autostatistician.language.text import parse, parse_kernel

RNG = np.random.default_rng(14)
N = 40
X = np.column_stack([RNG.uniform(0.2, 3.0, (N, 2)), RNG.integers(0, 3, N)])
PROBLEM = Problem(X, np.sin(2.0 * X[:, 0]) + 0.3 * RNG.normal(size=N), ("a", "b", "c"))
POINTS = np.column_stack([RNG.uniform(0.2, 3.0, (6, 2)), RNG.integers(0, 3, 6)])


def _check(kernel: Kernel) -> None:
    objective = InducingObjective(kernel.expr, PROBLEM, 6, POINTS)
    slopes = negative_bound_by_points(objective, kernel.values, POINTS)[1]
    step = np.random.default_rng(3).normal(size=POINTS.shape) * np.array([1.0, 1.0, 0.0])
    back, there = (
        negative_bound_by_points(objective, kernel.values, POINTS + size * step)[0] for size in (-1e-6, 1e-6)
    )
    expected, scale = (there - back) / 2e-6, float(np.abs(slopes).max())
    assert np.sum(slopes * step) == pytest.approx(expected, rel=1e-3, abs=1e-3 * (1.0 + scale))


@given(kernels(columns=("a", "b"), symbols=("SE", "RQ", "Matern32", "Lin", "C"), max_leaves=4))
def test_random_expressions(kernel: Kernel) -> None:
    _check(kernel + leaf("WN", sd=0.5))


def test_categories_changes_and_walks() -> None:
    _check(parse_kernel("Wiener[a](sd=0.7, location=0) + SE[b](lengthscale=0.6, sd=1) + WN(sd=0.4)"))
    kernel = Kernel(parse("Cat3r1[c] * SE[a] + WN"), (0.9, 0.5, -0.4, 0.3, 0.4, 0.2, 0.6, 1.0, 0.4))
    _check(kernel)
    objective = InducingObjective(kernel.expr, PROBLEM, 6, POINTS)
    better = moved(objective, kernel.values)
    assert better.points is not None
    np.testing.assert_array_equal(better.points[:, 2], POINTS[:, 2])
    np.testing.assert_array_equal(better.points[:, 1], POINTS[:, 1])  # of which the expression says nothing


def test_the_bound_rises_and_stays_one() -> None:
    kernel = parse_kernel("SE[a](lengthscale=0.5, sd=1) * SE[b](lengthscale=1, sd=1) + WN(sd=0.3)")
    objective = InducingObjective(kernel.expr, PROBLEM, 6, POINTS)
    exact = Blocks().objective(kernel.expr, PROBLEM).value(kernel.values)
    better = moved(objective, kernel.values)
    assert exact < better.value(kernel.values) < objective.value(kernel.values) - 10.0
