"""Stacks against the same kernels one by one, on random expressions, and what does not concern the others."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.strategies import ALL_LEAVES, expressions, with_numbers

from autostatistician.inference.engines.lag_space import LagSpace
from autostatistician.inference.problem import Problem
from autostatistician.inference.stacked import StackedObjective
from autostatistician.language.expr import Expr, Leaf
from autostatistician.language.kernel import parameters
from autostatistician.language.text import parse

Array = NDArray[np.float64]
MEMBERS, ROWS = 4, 12
POINTS = {
    "grid": np.linspace(0.0, 2.0, ROWS),
    "gaps": np.delete(np.linspace(0.0, 2.0, ROWS + 3), [2, 7, 8]),
    "scattered": np.sort(np.random.default_rng(1).uniform(0.0, 2.0, ROWS)),
}


def problem_on(points: Array) -> Problem:
    return Problem(points[:, None], np.random.default_rng(0).standard_normal(ROWS))


@st.composite
def stacks(draw: st.DrawFn) -> tuple[Expr, Array]:
    expr = draw(expressions(symbols=ALL_LEAVES, max_leaves=6)) + Leaf("WN")
    values = [draw(with_numbers(expr)).values for _ in range(MEMBERS)]
    return expr, np.array(values)


@pytest.mark.parametrize("kind", POINTS)
@given(stacks())
def test_a_stack_is_its_members_one_by_one(kind: str, stack: tuple[Expr, Array]) -> None:
    expr, values = stack
    problem = problem_on(POINTS[kind])
    if not LagSpace.takes(expr, problem):
        return
    objective = StackedObjective(expr, problem)
    nll, gradient = objective.value_and_gradient(values)
    assert objective.value(values) == pytest.approx(nll, rel=1e-9)
    alone = LagSpace().objective(expr, problem)
    for member in range(MEMBERS):
        value, slopes = alone.value_and_gradient(tuple(values[member].tolist()))
        assert nll[member] == pytest.approx(value, rel=1e-9, abs=1e-9)
        size = max(1.0, float(np.abs(slopes).max(initial=0.0)))
        assert gradient[member] / size == pytest.approx(slopes / size, abs=1e-7)


def test_no_byte_of_a_member_depends_on_the_others() -> None:
    expr = parse("SE * Per + CP(Wiener + C, Lin * SE) + IOU + WN")
    rng = np.random.default_rng(2)
    values = np.exp(rng.normal(-0.5, 0.4, (MEMBERS, len(parameters(expr)))))
    objective = StackedObjective(expr, problem_on(POINTS["grid"]))
    together, slopes = objective.value_and_gradient(values)
    for member in range(MEMBERS):
        value, slope = objective.value_and_gradient(values[[member]])
        assert value[0] == together[member]
        assert slope[0].tolist() == slopes[member].tolist()


def test_members_without_a_covariance_are_infinite_and_do_no_harm() -> None:
    objective = StackedObjective(parse("SE + WN"), problem_on(POINTS["grid"]))
    values = np.tile([0.3, 1.0, 0.1], (MEMBERS, 1))
    sound, slopes = objective.value_and_gradient(values)
    values[1] = np.inf
    nll, gradient = objective.value_and_gradient(values)
    assert np.isinf(nll).tolist() == [False, True, False, False]
    assert gradient[1].tolist() == [0.0, 0.0, 0.0]
    assert nll[[0, 2, 3]].tolist() == sound[[0, 2, 3]].tolist()
    assert gradient[[0, 2, 3]].tolist() == slopes[[0, 2, 3]].tolist()
