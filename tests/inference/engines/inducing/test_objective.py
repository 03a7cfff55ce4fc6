"""The bound of an expression: the evidence where all rows are inducing points, below it elsewhere, a true gradient."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import numpy as np
import pytest
from hypothesis import given
from tests.strategies import kernels

from autostatistician.inference.engines.inducing.objective import InducingObjective
from autostatistician.inference.engines.several_columns import Blocks
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import Kernel, leaf, parameters
from autostatistician.language.text import parse

RNG = np.random.default_rng(8)
N = 50
X = np.column_stack([RNG.uniform(0.2, 3.0, (N, 2)), RNG.integers(0, 3, N)])
PROBLEM = Problem(X, RNG.normal(size=N), ("a", "b", "c"))
SYMBOLS = ("SE", "RQ", "Matern32", "Per", "Lin", "C", "WN")


def _check_slopes(objective: InducingObjective, values: tuple[float, ...]) -> None:
    value, slopes = objective.value_and_gradient(values)
    assert objective.value(values) == pytest.approx(value, rel=1e-9)
    for index, one in enumerate(parameters(objective.expr)):
        at = []
        for step in (-1e-5, 1e-5):
            moved = list(values)
            moved[index] = moved[index] * np.exp(step) if one.role.positive else moved[index] + step
            at.append(objective.value(tuple(moved)))
        expected = (at[1] - at[0]) / 2e-5
        assert slopes[index] == pytest.approx(expected, rel=1e-3, abs=1e-3 * (1.0 + float(np.abs(slopes).max())))


@pytest.mark.slow
@given(kernels(columns=("a", "b"), symbols=SYMBOLS, max_leaves=4))
def test_random_expressions(kernel: Kernel) -> None:
    whole = kernel + leaf("WN", sd=0.5)
    exact = Blocks().objective(whole.expr, PROBLEM).value(whole.values)
    few = InducingObjective(whole.expr, PROBLEM, 8)
    assert few.value(whole.values) >= exact - 1e-6 * abs(exact)
    assert few.points is not None
    assert len(few.points) <= 8
    _check_slopes(few, whole.values)
    every = InducingObjective(whole.expr, PROBLEM, N, points=PROBLEM.X).value(whole.values)
    scale = float(np.max(np.abs(Blocks().objective(whole.expr, PROBLEM).covariance(whole.values))))
    # the jitter of the inducing points is 1e-8 of their variance, and counts beside the noise
    assert every == pytest.approx(exact, rel=1e-6, abs=1e-4 + 1e-6 * scale * N / 0.25)


@pytest.mark.parametrize(
    "text", ["Cat3r2[c] * SE[a] + WN", "Cat3r2[c] * WN + SE[b]", "CP[a](SE[b] + WN, Lin[a]) + WN", "Wiener[a] + WN"]
)
def test_categories_changes_walks_and_noise_of_a_profile(text: str) -> None:
    expr = parse(text)
    values = tuple(0.3 + 0.1 * index for index in range(len(parameters(expr))))
    if text.startswith("Wiener"):
        values = (values[0], 0.0, values[2])
        exact = Blocks().objective(expr, PROBLEM).value(values)
        assert InducingObjective(expr, PROBLEM, N).value(values) == pytest.approx(exact, abs=1e-3)
        return
    _check_slopes(InducingObjective(expr, PROBLEM, 12), values)
    exact = Blocks().objective(expr, PROBLEM).value(values)
    assert InducingObjective(expr, PROBLEM, N, points=PROBLEM.X).value(values) == pytest.approx(exact, abs=1e-3)


@pytest.mark.parametrize("text", ["SE[a] + WN", "SE[a] * Lin[b] + C"])
def test_rows_with_noise_of_their_own(text: str) -> None:
    expr, problem = parse(text), replace(PROBLEM, noise=RNG.gamma(2.0, 0.3, N) + 0.05)
    values = tuple(0.4 + 0.1 * index for index in range(len(parameters(expr))))
    exact = Blocks().objective(expr, problem).value(values)
    assert InducingObjective(expr, problem, N, points=X).value(values) == pytest.approx(exact, abs=1e-3)
    assert InducingObjective(expr, problem, 8).value(values) >= exact
    _check_slopes(InducingObjective(expr, problem, 8), values)


def test_without_noise_there_is_no_bound() -> None:
    objective = InducingObjective(parse("SE[a] + WN"), PROBLEM, 10)
    assert objective.value((1.0, 1.0, 0.0)) == inf
    value, slopes = objective.value_and_gradient((1.0, inf, 1.0))
    assert value == inf
    assert not slopes.any()


def test_points_stay_where_they_are() -> None:
    objective = InducingObjective(parse("SE[a] + WN"), PROBLEM, 10)
    objective.value((0.3, 1.0, 0.1))
    first = objective.points
    objective.value((0.01, 1.0, 0.01))
    assert objective.points is first


def test_points_are_chosen_anew_where_that_says_more() -> None:
    rng = np.random.default_rng(11)
    inputs = rng.uniform(0.0, 1.0, (400, 2))
    problem = Problem(inputs, np.sin(30.0 * inputs[:, 0]) + 0.1 * rng.normal(size=400), ("a", "b"))
    objective = InducingObjective(parse("SE[a] + WN"), problem, 200)
    objective.value((5.0, 1.0, 1.0))  # nearly a constant
    sharp = (0.02, 1.0, 0.1)
    new = objective.renewed(sharp)
    assert new is not None
    assert new.value(sharp) < objective.value(sharp) - 10.0
    assert new.renewed(sharp) is None
