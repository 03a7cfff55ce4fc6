"""Fits: inside the bounds, never worse than their start, and at the right place when there is one."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import inf, isfinite

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import Bounds, OptimizeResult, minimize
from tests.gp.numeric import differences
from tests.strategies import kernels

from autostatistician.gp import fitting as optimise
from autostatistician.gp.covariance import NotPositiveDefinite, covariance
from autostatistician.gp.engines.choice import objective_of
from autostatistician.gp.engines.exact import ExactObjective
from autostatistician.gp.evidence import log_evidence
from autostatistician.gp.fitting import Fit, Outcome, adam, fit, information, lowest, penalised
from autostatistician.gp.parameters.bounds import balanced, bounds, cycles_of
from autostatistician.gp.parameters.free import FreeParameters, admissible
from autostatistician.gp.parameters.scales import Scales, learned_priors, measure
from autostatistician.gp.problem import FEW_ROWS, Problem
from autostatistician.kernels.kernel import Kernel, leaf, parameters, unset
from autostatistician.kernels.text import parse, parse_kernel
from autostatistician.kernels.traits import held_values
from autostatistician.search.starting.starts import at_centre

Array = NDArray[np.float64]
LIMITS = [(-2.0, 2.0)]


def _valleys(u: Array) -> tuple[float, Array]:
    """The lower of two valleys is below zero."""
    return float((u[0] ** 2 - 1.0) ** 2 + u[0]), 4.0 * u * (u**2 - 1.0) + 1.0


def test_the_lowest_of_several_starts_wins() -> None:
    both = [np.array([1.0]), np.array([-1.0])]
    assert lowest(_valleys, both, LIMITS, [(30, 1)])[0] == pytest.approx(-1.10715, abs=1e-4)
    assert lowest(_valleys, both[:1], LIMITS, [(30, 1)])[0] == pytest.approx(0.83756, abs=1e-4)
    assert lowest(_valleys, both[1:], [(-1.05, 2.0)], [(30, 1)])[0] == -1.05
    assert lowest(_valleys, [np.zeros(0)], [], [(30, 1)]).shape == (0,)  # without coordinates there is one place


def _watched(u: Array, asked: list[float]) -> tuple[float, Array]:
    asked.append(float(u[0]))
    return _valleys(u)


def test_steps_are_those_of_scipy_with_one_evaluation_a_place() -> None:
    asked, start, box = list[float](), np.array([1.9]), Bounds(*np.array(LIMITS).T)
    found, count = optimise.quasi_newton(partial(_watched, asked=asked), start, box, 20), len(asked)
    known = minimize(_watched, start, (asked,), jac=True, method="L-BFGS-B", bounds=box, options={"maxcor": 20})
    assert (found.x, found.fun, found.nit) == (known.x, known.fun, known.nit)
    assert (asked, len(set(asked)), found.nfev) == (2 * asked[:count], count, count)


def test_only_what_is_left_goes_on() -> None:
    asked: list[float] = []
    lowest(partial(_watched, asked=asked), [np.array([1.0]), np.array([-1.0])], LIMITS, [(2, 1), (30, 1)])
    last = max(index for index, place in enumerate(asked) if place > 0.0)
    assert asked[last + 1] == -1.0
    assert len(asked) > last + 5


def test_places_without_a_value_are_left() -> None:
    def partly(u: Array) -> tuple[float, Array]:
        if u[0] < -0.5:
            raise NotPositiveDefinite
        return _valleys(u)

    both = [np.array([-1.0]), np.array([1.0])]
    assert lowest(partly, both, LIMITS, [(30, 1)])[0] == pytest.approx(0.83756, abs=1e-4)


def test_a_walk_along_noisy_slopes_comes_near_and_stays_inside() -> None:
    rng = np.random.default_rng(0)

    def estimate(u: Array) -> tuple[float, Array]:
        return float(np.sum((u - 2.0) ** 2)), 2.0 * (u - 2.0) + rng.normal(size=2)

    places = adam(estimate, np.zeros(2), (np.full(2, -5.0), np.array([5.0, 1.0])), 400, 0.05)
    assert len(places) == 401
    assert np.mean(places[-100:], axis=0) == pytest.approx([2.0, 1.0], abs=0.1)
    assert max(place[1] for place in places) <= 1.0


def test_a_walk_ends_before_a_place_without_a_value() -> None:
    def estimate(u: Array) -> tuple[float, Array]:
        return (float("inf") if u[0] > 0.25 else -float(u[0])), np.array([-1.0])

    places = adam(estimate, np.zeros(1), (np.full(1, -9.0), np.full(1, 9.0)), 50, 0.1)
    assert places[-1][0] == pytest.approx(0.2)
    assert adam(lambda u: (float("nan"), u), np.ones(1), (np.zeros(1), np.ones(1)), 5, 0.1) == [np.ones(1)]


X_LEVEL = np.linspace(0.0, 1.0, 30)[:, None]
Y_LEVEL = 3.0 + np.cumsum(np.random.default_rng(5).normal(size=30))
PROBLEM = Problem(X_LEVEL, Y_LEVEL, ("x",))
KNOWN, UNKNOWN = (measure(X_LEVEL, Y_LEVEL, ("x",), priors=priors) for priors in (learned_priors(), None))


@pytest.mark.parametrize("text", ["C + WN", "Lin + Wiener + WN", "SE * Per + IOU + WN"])
def test_gradients_are_those_of_differences(text: str) -> None:
    kernel = at_centre(unset(parse(text)), KNOWN, 0.25)
    objective = penalised(objective_of(kernel.expr, PROBLEM), kernel, KNOWN)
    _, gradient = objective.value_and_gradient(kernel.values)
    free = gradient != 0.0
    assert gradient[free] == pytest.approx(differences(objective.value, kernel)[free], rel=1e-3, abs=1e-4)


def test_with_priors_noise_does_not_vanish_from_few_rows() -> None:
    x, y = np.linspace(0.0, 1.0, 6)[:, None], 5.0 + np.sin(np.linspace(0.0, 3.0, 6))
    problem = Problem(x, y, ("x",))
    sizes = {}
    for name, priors in (("known", learned_priors()), ("unknown", None)):
        scales = measure(x, y, ("x",), priors=priors)
        start = at_centre(unset(parse("C + SE + WN")), measure(x, y, ("x",), priors=learned_priors()), 1.0)
        sizes[name] = fit(start, problem, scales).kernel.values[-1]
    assert sizes["unknown"] < 0.2 * sizes["known"]


def test_a_fit_with_priors_is_the_lowest_place_of_both_together() -> None:
    start = at_centre(unset(parse("C + Wiener + WN")), KNOWN, 1.0)
    found = fit(start, PROBLEM, KNOWN)
    objective = penalised(objective_of(start.expr, PROBLEM), start, KNOWN)
    assert found.loss == pytest.approx(objective.value(found.kernel.values), abs=1e-8)
    assert found.loss > found.nll > fit(start, PROBLEM, UNKNOWN).nll - 1e-6
    assert found.loss < objective.value(start.values)


def test_the_evidence_of_one_number_is_its_integral() -> None:
    y, expr = Y_LEVEL - Y_LEVEL.mean(), parse("WN")
    problem, scales = Problem(X_LEVEL, y, ("x",)), measure(X_LEVEL, y, ("x",), priors=learned_priors())
    start = at_centre(unset(expr), scales, 1.0)
    found = fit(start, problem, scales)
    objective = penalised(objective_of(expr, problem), start, scales)
    width = learned_priors().rows[("WN", "sd", next(iter(learned_priors().rows))[2])].width
    logs = np.linspace(-6.0, 6.0, 4001)
    heights = np.array([-objective.value((found.kernel.values[0] * float(np.exp(u)),)) for u in logs])
    top = heights.max()
    integral = top + np.log(np.trapezoid(np.exp(heights - top), logs) / (np.sqrt(2.0 * np.pi) * width))
    assert log_evidence(found.kernel, found.nll, problem, scales) == pytest.approx(integral, abs=0.05)


DAYS = np.arange(0.0, 731.0, 4.0)
WEATHER = np.convolve(np.random.default_rng(5).normal(size=DAYS.size + 9), np.ones(10) / 2.0, mode="valid")


@pytest.mark.parametrize(("true", "named"), [(365.25, 365.25), (39.3, 40.0)])
def test_a_period_that_the_data_cannot_tell_from_the_calendars_is_the_calendars(true: float, named: float) -> None:
    """Two warm autumns make a year of 372 days likelier; in 18 turns, 39 days are seen not to be 40."""
    y = 9.0 * np.cos(2.0 * np.pi * DAYS / true) + WEATHER
    problem, scales = Problem(DAYS[:, None], y, ("day",)), measure(DAYS[:, None], y, ("day",), (named,))
    start = leaf("Per", sd=6.0, lengthscale=1.5, period=0.99 * true) + leaf("WN", sd=2.0)
    assert fit(start, problem, scales, calendar=True).kernel.values[1] == pytest.approx(true, rel=0.006)


X_WAVE = np.sort(np.random.default_rng(0).uniform(size=FEW_ROWS))[:, None]
Y_WAVE = np.sin(20.0 * X_WAVE[:, 0])


def _of(kernel: Kernel, points: Problem) -> Array:
    positive, values = [parameter.role.positive for parameter in parameters(kernel.expr)], np.array(kernel.values)
    place = np.where(positive, np.log(np.where(positive, values, 1.0)), values)
    return information(kernel.expr, points, lambda u: tuple(np.where(positive, np.exp(u), u).tolist()), place)


def _scores(kernel: Kernel, points: Problem, count: int) -> Array:
    """Gradients (count, p) for data that are drawn from the model itself."""
    rng, cov = np.random.default_rng(1), covariance(kernel, points.X, columns=("x",))
    found = []
    for _ in range(count):
        drawn = Problem(points.X, rng.multivariate_normal(np.zeros(points.n), cov, method="cholesky"), ("x",))
        found.append(objective_of(kernel.expr, drawn).value_and_gradient(kernel.values)[1])
    return np.array(found)


@pytest.mark.slow
def test_it_is_the_variance_of_the_gradient() -> None:
    kernel = leaf("SE", lengthscale=0.2, sd=1.0) * leaf("Lin", location=0.3, sd=1.5) + leaf("WN", sd=0.3)
    points = Problem(X_WAVE, Y_WAVE, ("x",))
    np.testing.assert_allclose(_scores(kernel, points, 2000).var(axis=0), _of(kernel, points), rtol=0.15)


@given(kernels(max_leaves=4))
def test_it_is_finite_and_not_negative(kernel: Kernel) -> None:
    points, scales = _prepared(X_WAVE, Y_WAVE)
    found = _of(balanced(kernel + leaf("WN", sd=0.3), scales), points)
    assert np.all(np.isfinite(found))
    assert np.all(found >= 0.0)


def test_many_rows_tell_as_much_as_a_few_of_them_each() -> None:
    x = np.linspace(0.0, 1.0, 5 * FEW_ROWS)[:, None]
    points = Problem(x, np.sin(20.0 * x[:, 0]), ("x",))
    assert _of(leaf("WN", sd=0.3), points)[0] == pytest.approx(2.0 * points.n, rel=1e-3)
    assert points.few.n == FEW_ROWS
    assert Problem(X_WAVE, Y_WAVE, ("x",)).few.n == FEW_ROWS


def test_where_there_is_no_covariance_nothing_is_known() -> None:
    kernel = leaf("SE", lengthscale=np.nan, sd=1.0)
    points = Problem(X_WAVE, Y_WAVE, ("x",))
    assert information(kernel.expr, points, lambda _: kernel.values, np.zeros(2)).tolist() == [0.0, 0.0]


def test_a_sharp_period_is_found_in_few_steps() -> None:
    x = np.arange(120.0)[:, None] / 119.0
    y = np.sin(2.0 * np.pi * x[:, 0] / 0.05) + 0.1 * np.random.default_rng(3).normal(size=120)
    start = leaf("Per", lengthscale=1.0, period=0.0495, sd=0.5) + leaf("WN", sd=0.5)
    points, scales = Problem(x, y, ("x",)), measure(x, y, ("x",))
    few, many = (fit(start, points, scales, steps) for steps in (15, 200))
    assert few.nll - many.nll < 0.5


X = np.arange(30.0)[:, None] / 10.0 - 1.5
Y = np.sin(10.0 * X[:, 0]) + 0.3 * X[:, 0] + 0.1 * np.random.default_rng(2).normal(size=30)


def _prepared(X: Array = X, y: Array = Y) -> tuple[Problem, Scales]:
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

    def look(objective: Callable[[Array], tuple[float, Array]], z: Array, *_: object, **__: object) -> OptimizeResult:
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
    def nowhere(self: ExactObjective, values: tuple[float, ...]) -> tuple[float, Array]:
        return inf, np.zeros(len(values))

    monkeypatch.setattr(ExactObjective, "value_and_gradient", nowhere)
    start = leaf("SE", lengthscale=1.0, sd=1.0) + leaf("WN", sd=1.0)
    found = fit(start, *_prepared())
    assert found == Fit(start, inf, Outcome.FAILED, found.evaluations)


def test_a_fit_survives_places_that_cannot_be_evaluated(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = ExactObjective.value_and_gradient

    def with_hole(self: ExactObjective, values: tuple[float, ...]) -> tuple[float, Array]:
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


def _far_from_a_wave() -> tuple[Kernel, Problem, Scales]:
    x = np.linspace(0.0, 1.0, 40)[:, None]
    y = np.sin(9.0 * x[:, 0]) + 0.1 * np.random.default_rng(0).normal(size=40)
    return leaf("SE", lengthscale=2.0, sd=1.0) + leaf("WN", sd=1.0), *_prepared(x, y)


def test_a_fit_ends_when_it_is_told_and_keeps_the_best() -> None:
    start, points, scales = _far_from_a_wave()
    whole, asked = fit(start, points, scales), iter([False, False, True])
    cut = fit(start, points, scales, stop=lambda: next(asked))
    assert whole.nll < cut.nll < fit(start, points, scales, 0).nll
    assert cut.outcome is Outcome.STOPPED
    assert fit(start, points, scales, stop=lambda: False) == whole


@pytest.mark.parametrize("most", [1, 2, 7])
def test_a_fit_that_is_told_to_end_evaluates_no_more(most: int) -> None:
    asked = iter([False] * (most - 1) + [True])  # also within one line search
    cut = fit(*_far_from_a_wave(), stop=lambda: next(asked))
    assert (cut.evaluations, cut.outcome) == (most, Outcome.STOPPED)
    assert np.isfinite(cut.nll)
