"""Stacks against the same kernels one by one, on random expressions, and what does not concern the others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.strategies import ALL_LEAVES, expressions, with_numbers

from autostatistician.inference.engines.lag_space import LagSpace
from autostatistician.inference.parameters import FreeParameters, learned_priors, measure
from autostatistician.inference.problem import Problem
from autostatistician.inference.stacked import StackedObjective, stacked_differences
from autostatistician.inference.stacked.evidence import StackedPriors
from autostatistician.inference.stacked.lags import is_stackable, shared_lags, triangles_for
from autostatistician.language.expr import Expr, Leaf
from autostatistician.language.kernel import leaf, parameters
from autostatistician.language.text import parse, parse_kernel


def test_they_are_those_of_one_kernel() -> None:
    kernel = parse_kernel("Per(lengthscale=1, period=0.2, sd=0.5) + Lin(sd=1, location=0.4) + WN(sd=0.3)")
    scales = measure(np.linspace(0, 1, 40)[:, None], np.sin(np.arange(40.0)), ("x",), (), learned_priors())
    priors, others = FreeParameters.of(kernel.expr, scales).priors(kernel.values), np.array(kernel.values)
    stack, gradient = StackedPriors(priors), np.arange(1.0, 7.0)
    here = stack.coordinates(others)
    assert here == pytest.approx(priors.coordinates(kernel.values))
    u = here + np.array([[0.0], [0.1]])
    values, slopes = stack.values(u, others), stack.by_coordinates(np.tile(gradient, (2, 1)), u)
    for member, place in enumerate(u):
        assert values[member] == pytest.approx(priors.values(place, kernel.values))
        assert slopes[member] == pytest.approx(priors.by_coordinates(gradient, place))


def test_noise_turns_as_is_known() -> None:
    x, y, noise = np.arange(4.0)[:, None], np.array([1.0, -1.0, 1.0, -1.0]), leaf("WN", sd=1.0)
    priors = FreeParameters.of(noise.expr, measure(x, y, ("x",))).priors()
    free, data = np.ones(1, dtype=bool), Problem(x, y)
    for one_sided in (False, True):
        second = stacked_differences(noise, priors, free, data, 1e-4, one_sided=one_sided)
        assert second.round(2).tolist() == [[8.0]]


def test_collapsing_is_the_adjoint_of_expanding() -> None:
    for x in (np.arange(5.0), np.array([0.0, 1.0, 3.0, 4.0, 9.0]), np.array([0.0, 1.0, 2.7, 3.1, 9.0])):
        lags, (work, _) = shared_lags(Problem(x, np.ones(5))), triangles_for(5)
        values = np.random.default_rng(0).normal(size=(2, lags.lags.shape[1]))
        lags.expand(values, work.matrices[:2])
        full = work.matrices[:2] + np.triu(work.matrices[:2], 1).transpose(0, 2, 1)
        assert np.allclose((values * lags.collapse(work, 2)).sum(axis=1), (full**2).sum(axis=(1, 2)))


def test_rows_with_a_noise_of_their_own_are_not_stacked() -> None:
    problem = Problem(np.arange(8.0), np.ones(8), ("x",))
    assert is_stackable(parse("SE + WN"), problem)
    assert not is_stackable(parse("SE + WN"), replace(problem, noise=np.full(8, 0.5)))


def test_a_singular_covariance_is_helped_by_jitter_as_alone() -> None:
    objective = StackedObjective(parse("C"), Problem(np.arange(4.0), np.ones(4)))
    nll, gradient = objective.value_and_gradient(np.array([[1.0], [2.0]]))
    assert np.isfinite(nll).all()
    assert np.isfinite(gradient).all()


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
