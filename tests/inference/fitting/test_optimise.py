"""Fits: inside the bounds, never worse than their start, and at the right place when there is one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import inf, isfinite

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import OptimizeResult
from tests.strategies import kernels

from autostatistician.inference.covariance.matrices import covariance
from autostatistician.inference.engines.choice import objective_of
from autostatistician.inference.engines.exact import ExactObjective
from autostatistician.inference.fitting import optimise
from autostatistician.inference.fitting.optimise import Fit, Outcome, fit
from autostatistician.inference.parameters.bounds import bounds, cycles_of
from autostatistician.inference.parameters.free import FreeParameters, admissible
from autostatistician.inference.parameters.scales import Scales, measure
from autostatistician.inference.problem import Problem
from autostatistician.language.count import held_values
from autostatistician.language.kernel import Kernel, leaf, parameters
from autostatistician.language.text import parse_kernel

Vector = NDArray[np.float64]

X = np.arange(30.0)[:, None] / 10.0 - 1.5
Y = np.sin(10.0 * X[:, 0]) + 0.3 * X[:, 0] + 0.1 * np.random.default_rng(2).normal(size=30)


def _prepared(X: Vector = X, y: Vector = Y) -> tuple[Problem, Scales]:
    return Problem(X, y, ("x",)), measure(X, y, ("x",))


def _inside(kernel: Kernel, scales: Scales) -> Kernel:
    return Kernel(kernel.expr, FreeParameters.of(kernel.expr, scales).inside(kernel.values))


def _is_inside(kernel: Kernel, scales: Scales, free_only: bool = True) -> bool:
    held = held_values(kernel.expr) if free_only else frozenset()
    for index, (parameter, value) in enumerate(zip(parameters(kernel.expr), kernel.values, strict=True)):
        low, high = bounds(parameter, scales)
        if low == high:  # held by its row: the data have no say
            continue
        rounding = 1e-12 * (abs(low) + abs(high))
        if index not in held and not low - rounding <= value <= high + rounding:
            return False
    values = _inside(kernel, scales).values
    return [values[index] for index, _ in cycles_of(kernel.expr)] == pytest.approx(
        [kernel.values[index] for index, _ in cycles_of(kernel.expr)], rel=1e-12
    )


def test_a_slow_wave_is_no_overtone_of_a_fast_one() -> None:
    # 2.9 waves over 40 places: a period of 2.16 places has an overtone that agrees with them at every place.
    x = np.arange(40.0)[:, None]
    y = np.sin(2.0 * np.pi * x[:, 0] * 2.9 / 40.0) + 0.1 * np.random.default_rng(4000).normal(size=40)
    points, scales = _prepared(x, y)
    noise = leaf("WN", sd=0.1)
    slow = fit(leaf("Per", lengthscale=1.5, period=13.0, sd=1.0) + noise, points, scales)
    fast = fit(leaf("Per", lengthscale=1.4, period=2.156, sd=1.2) + noise, points, scales)
    assert slow.kernel.values[1] == pytest.approx(40.0 / 2.9, rel=0.02)
    assert fast.nll > slow.nll + 5.0


def test_the_gradient_of_a_cycle_counts_what_its_period_does_to_the_shortest_shape(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    points, scales = _prepared()
    kernel = leaf("Per", lengthscale=3.0, period=0.35, sd=1.0) + leaf("WN", sd=0.3)
    seen: list[tuple[float, float]] = []

    def look(
        objective: Callable[[Vector], tuple[float, Vector]], z: Vector, *_: object, **__: object
    ) -> OptimizeResult:
        value, gradient = objective(z)
        for index, step in enumerate(1e-5 * np.eye(len(z))):
            seen.append((float(gradient[index]), (objective(z + step)[0] - objective(z - step)[0]) / 2e-5))
        return OptimizeResult(x=z, fun=value, status=0)

    monkeypatch.setattr(optimise, "quasi_newton", look)
    fit(kernel, points, scales)
    np.testing.assert_allclose(*zip(*seen, strict=True), rtol=1e-5, atol=1e-6)


@given(kernels(max_leaves=5), st.integers(1, 30))
def test_a_fit_stays_inside_and_is_never_worse_than_its_start(kernel: Kernel, steps: int) -> None:
    points, scales = _prepared()
    start = _inside(kernel + leaf("WN", sd=0.3), scales)
    before = objective_of(start.expr, points).value(start.values)
    found = fit(start, points, scales, steps)
    assert isfinite(before)
    assert found.outcome is not Outcome.FAILED
    assert found.nll <= before + 1e-6 * (1.0 + abs(before))
    assert _is_inside(found.kernel, scales)
    assert objective_of(start.expr, points).value(found.kernel.values) == pytest.approx(found.nll, rel=1e-6)


@given(kernels(max_leaves=5))
def test_redundant_scales_stay_as_they_are(kernel: Kernel) -> None:
    points, scales = _prepared()
    assume(held_values(kernel.expr))
    start = admissible(kernel, scales)
    found = fit(start, points, scales, 5)
    assert found.kernel.expr == kernel.expr
    for index in held_values(kernel.expr):
        assert found.kernel.values[index] == pytest.approx(start.values[index], rel=1e-9)


@given(kernels(max_leaves=6))
def test_inside_moves_only_what_is_outside(kernel: Kernel) -> None:
    _, scales = _prepared()
    moved = _inside(kernel, scales)
    assert _is_inside(moved, scales, free_only=False)
    assert _inside(moved, scales) == moved
    for parameter, old, new in zip(parameters(kernel.expr), kernel.values, moved.values, strict=True):
        low, high = bounds(parameter, scales)
        assert new == old or (new in (low, high) and not low <= old <= high)


def test_places_that_rows_hold_stay_and_open_ones_are_where_the_data_begin() -> None:
    points, scales = _prepared()
    start = parse_kernel("Wiener(sd=1, location=-7) + IOU(lengthscale=1, sd=1) + WN(sd=0.1)")
    assert _inside(start, scales).values[:5] == (1.0, -7.0, 1.0, 1.0, -1.5)
    found = fit(start, points, scales)
    assert (found.kernel.values[1], found.kernel.values[4]) == (-7.0, -1.5)
    assert found.kernel.values[0] != 1.0


def test_the_generating_numbers_are_found() -> None:
    truth = leaf("SE", lengthscale=2.0, sd=3.0) + leaf("WN", sd=0.5)
    x = np.arange(300.0)[:, None] / 4.0
    y = np.linalg.cholesky(covariance(truth, x)) @ np.random.default_rng(0).normal(size=300)
    start = leaf("SE", lengthscale=6.0, sd=1.0) + leaf("WN", sd=2.0)
    found = fit(start, *_prepared(x, y))
    assert found.outcome is Outcome.CONVERGED
    np.testing.assert_allclose(found.kernel.values, truth.values, rtol=0.3)
    assert found.nll < objective_of(truth.expr, Problem(x, y, ("x",))).value(truth.values)


def test_the_noise_of_pure_noise_is_known_in_closed_form() -> None:
    found = fit(leaf("WN", sd=5.0), *_prepared())
    assert found.kernel.values[0] == pytest.approx(np.sqrt(np.mean(Y**2)), rel=1e-4)
    assert found.outcome is Outcome.CONVERGED


def test_a_period_is_found_from_nearby() -> None:
    start = leaf("Per", lengthscale=1.0, period=0.6, sd=1.0) + leaf("Lin", sd=1.0, location=0.1) + leaf("WN", sd=0.2)
    found = fit(start, *_prepared())
    assert found.kernel.parts[0].named()["period"] == pytest.approx(2.0 * np.pi / 10.0, rel=0.02)


def test_a_start_that_cannot_be_evaluated_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(self: ExactObjective, values: tuple[float, ...]) -> tuple[float, Vector]:
        return inf, np.zeros(len(values))

    monkeypatch.setattr(ExactObjective, "value_and_gradient", nowhere)
    start = leaf("SE", lengthscale=1.0, sd=1.0) + leaf("WN", sd=1.0)
    found = fit(start, *_prepared())
    assert found == Fit(start, inf, Outcome.FAILED, found.evaluations)


def test_a_fit_survives_places_that_cannot_be_evaluated(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = ExactObjective.value_and_gradient

    def with_hole(self: ExactObjective, values: tuple[float, ...]) -> tuple[float, Vector]:
        """Nothing can be evaluated where the noise is small."""
        return whole(self, values) if values[0] > 0.9 else (inf, np.zeros(1))

    monkeypatch.setattr(ExactObjective, "value_and_gradient", with_hole)
    points, scales = _prepared()
    start = leaf("WN", sd=5.0)
    found = fit(start, points, scales)
    assert found.kernel.values[0] > 0.9
    assert found.nll <= objective_of(start.expr, points).value(start.values)


def test_few_steps_are_few_evaluations() -> None:
    start = leaf("SE", lengthscale=1.0, sd=1.0) + leaf("WN", sd=1.0)
    one, many = (fit(start, *_prepared(), steps) for steps in (1, 200))
    assert one.outcome is Outcome.STOPPED
    assert one.evaluations < many.evaluations
    assert one.nll > many.nll


def test_the_same_start_gives_the_same_fit() -> None:
    start = leaf("SE", lengthscale=1.0, sd=1.0) * leaf("Lin", sd=1.0, location=0.3) + leaf("WN", sd=1.0)
    points, scales = _prepared()
    first = fit(start, points, scales)
    again = fit(start, points, scales)
    assert replace(first, evaluations=0) == replace(again, evaluations=0)


def test_a_fit_ends_when_it_is_told_and_keeps_the_best() -> None:
    x = np.linspace(0.0, 1.0, 40)[:, None]
    y = np.sin(9.0 * x[:, 0]) + 0.1 * np.random.default_rng(0).normal(size=40)
    points, scales = Problem(x, y, ("x",)), measure(x, y, ("x",))
    start = leaf("SE", lengthscale=2.0, sd=1.0) + leaf("WN", sd=1.0)
    whole, asked = fit(start, points, scales), iter([False, False, True])
    cut = fit(start, points, scales, stop=lambda: next(asked))
    assert whole.nll < cut.nll < fit(start, points, scales, 0).nll
    assert cut.outcome is Outcome.STOPPED
    assert fit(start, points, scales, stop=lambda: False) == whole


@pytest.mark.parametrize("most", [1, 2, 7])
def test_a_fit_that_is_told_to_end_evaluates_no_more(most: int) -> None:
    x = np.linspace(0.0, 1.0, 40)[:, None]
    y = np.sin(9.0 * x[:, 0]) + 0.1 * np.random.default_rng(0).normal(size=40)
    asked = iter([False] * (most - 1) + [True])  # also within one line search
    start = leaf("SE", lengthscale=2.0, sd=1.0) + leaf("WN", sd=1.0)
    cut = fit(start, Problem(x, y, ("x",)), measure(x, y, ("x",)), stop=lambda: next(asked))
    assert (cut.evaluations, cut.outcome) == (most, Outcome.STOPPED)
    assert np.isfinite(cut.nll)
