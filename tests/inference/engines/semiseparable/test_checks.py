"""Innovations and leave-one-out against the posterior of one matrix."""

from __future__ import annotations

import numpy as np

from autostatistician.inference.engines.choice import condition
from autostatistician.inference.engines.semiseparable.checks import innovations, leave_one_out
from autostatistician.inference.engines.semiseparable.objective import SemiseparableObjective
from autostatistician.inference.engines.semiseparable.recursion import backward, forward
from autostatistician.inference.problem import Problem
from autostatistician.language.text import parse_kernel

KERNEL = parse_kernel("Matern32(lengthscale=3, sd=1) * Lin(sd=0.2, location=-4) + WN(sd=0.3)")


def test_they_are_those_of_one_matrix() -> None:
    rng = np.random.default_rng(3)
    problem = Problem(np.sort(rng.uniform(0.0, 20.0, 50)), rng.normal(size=50))
    objective = SemiseparableObjective(KERNEL.expr, problem, block=8)
    at = objective.at(KERNEL.values)
    assert at is not None
    found = forward(at.blocks, problem.n)
    assert found is not None
    errors, sizes = (objective.cut.flat(one) for one in innovations(found))
    mean, variance = (objective.cut.flat(one) for one in leave_one_out(at.blocks.y, backward(at.blocks, found)))
    exact = condition(KERNEL, problem)
    np.testing.assert_allclose(errors, exact.innovations(), atol=1e-9)
    np.testing.assert_allclose(sizes, exact.innovation_sd, atol=1e-9)
    np.testing.assert_allclose(mean, exact.leave_one_out()[0], atol=1e-9)
    np.testing.assert_allclose(variance, exact.leave_one_out()[1], atol=1e-9)
