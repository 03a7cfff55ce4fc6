"""Places of changes and numbers at bounds are integrated as quadrature does."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from scipy.special import logsumexp, ndtr

from autostatistician.inference.engines.choice import objective_of
from autostatistician.inference.fitting.optimise import fit
from autostatistician.inference.parameters.balance import balanced
from autostatistician.inference.parameters.free import FreeParameters
from autostatistician.inference.parameters.learned import LearnedPriors
from autostatistician.inference.parameters.priors import ParameterPrior
from autostatistician.inference.parameters.scales import Scales, measure
from autostatistician.inference.problem import Problem
from autostatistician.inference.uncertainty.sums import log_over_held, log_over_places, places_of_changes
from autostatistician.language.kernel import Kernel, leaf

N = 30
LEVEL, NOISE = leaf("C", sd=1.0), leaf("WN", sd=1.0)
STEP = Kernel.change_point(LEVEL, LEVEL, location=17.5, steepness=2.0) + NOISE
WINDOW = Kernel.change_window(LEVEL, LEVEL, location=16.5, steepness=2.0, width=6.0) + NOISE


def fitted(start: Kernel, jump: float) -> tuple[Kernel, Problem, Scales]:
    x = np.arange(float(N))[:, None]
    inside = (x[:, 0] > 13.5) & (x[:, 0] < 19.5) if start is WINDOW else x[:, 0] > 17.5
    y = np.random.default_rng(5).normal(size=N) + jump * inside
    problem, scales = Problem(x, y, ("x",)), measure(x, y, ("x",), priors=LearnedPriors({}))
    return balanced(fit(start, problem, scales).kernel, scales), problem, scales


def height(kernel: Kernel, problem: Problem, values: dict[int, float]) -> float:
    """Minus the log likelihood with some values changed."""
    changed = tuple(values.get(index, known) for index, known in enumerate(kernel.values))
    return objective_of(kernel.expr, problem).value(changed)


def steps(number: ParameterPrior, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Fine steps through the range of a number, and the prior probability of each."""
    edges = np.linspace(number.low, number.high, count + 1)
    values = np.array([number.value(one) for one in 0.5 * (edges[1:] + edges[:-1])])
    return values, np.diff(ndtr((edges - number.mean) / number.width))


@pytest.mark.parametrize("jump", [0.5, 2.0, 6.0])
def test_the_place_of_a_step_is_integrated_as_quadrature_does(jump: float) -> None:
    kernel, problem, scales = fitted(STEP, jump)
    ((place,),) = places_of_changes(kernel, FreeParameters.of(kernel.expr, scales).priors(kernel.values))
    values, masses = steps(place, 2000)
    best = height(kernel, problem, {})
    gains = [best - height(kernel, problem, {place.index: one}) for one in values]
    found = log_over_places((place,), kernel, problem, objective_of(kernel.expr, problem))
    assert found == pytest.approx(logsumexp(gains, b=masses), abs=0.05)


@pytest.mark.slow
def test_the_edges_of_a_clear_window_are_integrated_as_quadrature_over_both_does() -> None:
    kernel, problem, scales = fitted(WINDOW, 6.0)
    ((place, width),) = places_of_changes(kernel, FreeParameters.of(kernel.expr, scales).priors(kernel.values))
    (places, of_places), (widths, of_widths) = steps(place, 300), steps(width, 60)
    best = height(kernel, problem, {})
    gains = [[best - height(kernel, problem, {place.index: a, width.index: b}) for b in widths] for a in places]
    found = log_over_places((place, width), kernel, problem, objective_of(kernel.expr, problem))
    assert found == pytest.approx(logsumexp(gains, b=np.outer(of_places, of_widths)), abs=0.15)


def test_what_lies_beyond_a_bound_counts_as_if_it_lay_there() -> None:
    kernel, problem, _ = fitted(STEP, 2.0)
    number = ParameterPrior(4, None, 0.0, 1.0, -1.0, 1.0)  # the noise, of which e^-1 to e are allowed
    kernel = Kernel(kernel.expr, (*kernel.values[:4], number.value(-1.0)))
    values, masses = steps(number, 2000)
    values = np.array([number.value(-1.0), *values, number.value(1.0)])
    masses = np.array([ndtr(-1.0), *masses, ndtr(-1.0)])
    gains = [height(kernel, problem, {}) - height(kernel, problem, {4: one}) for one in values]
    found = log_over_held(number, kernel, objective_of(kernel.expr, problem))
    assert found == pytest.approx(logsumexp(gains, b=masses), abs=0.1)


def test_a_number_without_effect_costs_nothing() -> None:
    kernel, problem, _ = fitted(STEP, 2.0)
    step = Kernel(kernel.expr, (100.0, *kernel.values[1:]))  # beyond the data: the second level has no effect
    (index,) = (k for k, one in enumerate(step.values) if one == kernel.values[3])
    number = ParameterPrior(index, None, 0.0, 1.0, log(kernel.values[3]), 5.0)
    assert log_over_held(number, step, objective_of(step.expr, problem)) == pytest.approx(0.0, abs=1e-6)
