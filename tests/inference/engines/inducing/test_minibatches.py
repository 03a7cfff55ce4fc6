"""Estimates of the bound of an expression from some rows."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from autostatistician.inference.engines.inducing.minibatches import Minibatches
from autostatistician.inference.engines.inducing.objective import InducingObjective
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import parameters
from autostatistician.language.text import parse

RNG = np.random.default_rng(13)
X = np.column_stack([RNG.uniform(0.2, 3.0, (60, 2)), RNG.integers(0, 3, 60)])
PROBLEM = Problem(X, np.sin(2.0 * X[:, 0]) + 0.3 * RNG.normal(size=60), ("a", "b", "c"))
EVERY = np.arange(60)


@pytest.mark.parametrize("text", ["SE[a] * SE[b] + Lin[b] + WN", "Cat3r2[c] * SE[a] + WN + Lin[b] * WN"])
def test_with_all_rows_it_is_the_bound_with_its_gradient(text: str) -> None:
    expr = parse(text)
    values = tuple(0.4 + 0.1 * index for index in range(len(parameters(expr))))
    whole = InducingObjective(expr, PROBLEM, 12)
    found = Minibatches(whole, rows=60).estimate(values, EVERY)
    assert found is not None
    value, slopes = whole.value_and_gradient(values)
    assert found[0] == pytest.approx(value, rel=1e-9)
    np.testing.assert_allclose(found[1], slopes, rtol=1e-5, atol=1e-6 * np.abs(slopes).max())


def test_derivatives_at_a_belief_that_is_not_the_best() -> None:
    expr, values, rows = parse("SE[a] * SE[b] + Lin[b] + WN"), (0.9, 1.1, 1.2, 1.0, 0.7, 0.4, 0.5), np.arange(0, 60, 4)

    def estimate(at: tuple[float, ...]) -> tuple[float, np.ndarray]:
        batches = Minibatches(whole, rows=15)
        batches.belief = belief
        found = batches.estimate(at, rows)
        assert found is not None
        return found

    whole = InducingObjective(expr, PROBLEM, 12)
    begun = Minibatches(whole, rows=15)
    begun.value_and_gradient((0.5, 0.8, 0.9, 1.3, 0.6, 0.1, 0.7))
    belief = begun.belief
    slopes = estimate(values)[1]
    for index, one in enumerate(parameters(expr)):
        moved = [
            tuple(
                (v * np.exp(step) if one.role.positive else v + step) if place == index else v
                for place, v in enumerate(values)
            )
            for step in (-1e-5, 1e-5)
        ]
        back, there = (estimate(at)[0] for at in moved)
        assert slopes[index] == pytest.approx((there - back) / 2e-5, rel=1e-4, abs=1e-4 * np.abs(slopes).max())


def test_a_value_is_of_all_rows_and_rows_come_in_the_same_order() -> None:
    expr, values = parse("SE[a] + WN"), (1.0, 1.0, 0.3)
    one, other = (Minibatches(InducingObjective(expr, PROBLEM, 12), rows=7) for _ in range(2))
    assert one.value(values) == InducingObjective(expr, PROBLEM, 12).value(values)
    for _ in range(12):
        np.testing.assert_array_equal(one.value_and_gradient(values)[1], other.value_and_gradient(values)[1])


def test_without_noise_there_is_no_estimate() -> None:
    objective = Minibatches(InducingObjective(parse("SE[a] + WN"), PROBLEM, 10))
    assert objective.value_and_gradient((1.0, 1.0, 0.0))[0] == inf
    assert not objective.value_and_gradient((1.0, inf, 1.0))[1].any()
