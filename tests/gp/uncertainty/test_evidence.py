"""The evidence of a structure, with its numbers integrated out, against quadrature.

The curvature of a likelihood is that of its values, in widths of the prior.
"""

from math import log

import numpy as np
import pytest
from scipy.special import logsumexp, ndtr
from scipy.stats import multivariate_t

from autostatistician.gp import evidence
from autostatistician.gp.engines.choice import objective_of
from autostatistician.gp.evidence import (
    curvature,
    log_evidence,
    log_over_held,
    log_over_places,
    places_of_changes,
    refined_log_evidence,
)
from autostatistician.gp.fitting import fit
from autostatistician.gp.parameters.bounds import balanced
from autostatistician.gp.parameters.free import FreeParameters
from autostatistician.gp.parameters.priors import ParameterPrior
from autostatistician.gp.parameters.scales import LearnedPriors, Scales, learned_priors, measure
from autostatistician.gp.problem import Problem
from autostatistician.kernels.kernel import Kernel, leaf, unset
from autostatistician.kernels.text import parse
from autostatistician.search.starting.starts import at_centre

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


PRIORS = learned_priors()
SUMS = (
    "C + Wiener + WN", "C + IOU + WN", "C + SE + WN", "C + Lin + Wiener + WN", "C + Wiener + IOU + WN",
    "C + Wiener + SE * Per + WN",
)  # fmt: skip


def drawn(text: str, n: int) -> tuple[Kernel, Problem, Scales, float]:
    """A fit under learned priors to a wandering series with a cycle: kernel, data, scales, misfit."""
    rng, t = np.random.default_rng(n), np.arange(float(n))
    y = 20.0 + np.cumsum(rng.normal(size=n)) + rng.normal(size=n) + 3.0 * np.sin(2.0 * np.pi * t / 12.0)
    x = t[:, None] / (n - 1)
    problem = Problem(x, y / np.sqrt(np.mean(y**2)), ("x",))
    scales = measure(x, problem.y, ("x",), (12.0 / (n - 1),), PRIORS)
    best = fit(at_centre(unset(parse(text)), scales, 12.0 / (n - 1)), problem, scales)
    return best.kernel, problem, scales, best.nll


def sampled(kernel: Kernel, problem: Problem, scales: Scales, draws: int) -> tuple[float, float]:
    """The log evidence by importance sampling with a Student t around the fit, and the effective share of the draws."""
    around, rng = curvature(kernel, problem, scales), np.random.default_rng(0)
    free, size = around.free, len(around.free)
    root = np.linalg.cholesky(np.linalg.inv(np.eye(size) + _positive(around.hessian)) * 1.4)
    steps, spread = rng.standard_normal((draws, size)), np.sqrt(rng.chisquare(5.0, draws) / 5.0)
    places = around.place + (steps / spread[:, None]) @ root.T
    density = multivariate_t(around.place, root @ root.T, df=5.0).logpdf(places)
    objective = objective_of(around.kernel.expr, problem)
    limits = np.array([[one.low, one.high] for one in free])
    means, widths = np.array([one.mean for one in free]), np.array([one.width for one in free])
    inside = np.clip(means + widths * places, *limits.T)
    heights = [-objective.value(free.values(one, around.kernel.values)) for one in inside]
    logs = np.array(heights) - 0.5 * np.sum(places**2, axis=1) - 0.5 * size * log(2.0 * np.pi) - density
    return float(logsumexp(logs)) - log(draws), float(np.exp(2.0 * logsumexp(logs) - logsumexp(2.0 * logs)) / draws)


def _positive(hessian: np.ndarray) -> np.ndarray:
    values, axes = np.linalg.eigh(hessian)
    return np.asarray(axes * np.maximum(values, -0.5) @ axes.T)


@pytest.mark.parametrize(
    ("n", "text"), [(n, text) for n in (15, 40, 100) for text in SUMS if n > 15 or "Per" not in text]
)
def test_sums_are_integrated_as_long_importance_sampling_does(n: int, text: str) -> None:
    """A quarter of a nat; the plain approximation is up to 0.9 lower here."""
    kernel, problem, scales, nll = drawn(text, n)
    draws = 6000
    whole, effective = sampled(kernel, problem, scales, draws)
    assert draws * effective > 200.0
    assert refined_log_evidence(kernel, nll, problem, scales) == pytest.approx(whole, abs=0.25)


def test_one_number_is_refined_as_quadrature_does_where_its_posterior_is_not_normal() -> None:
    """A wandering level that is hardly there: its size could be anything below what the data exclude."""
    rng = np.random.default_rng(1)
    x, y = np.linspace(0.0, 1.0, 20)[:, None], rng.normal(size=20)
    problem, scales = Problem(x, y, ("x",)), measure(x, y, ("x",), priors=PRIORS)
    best = fit(at_centre(unset(parse("Wiener + WN")), scales, 1.0), problem, scales)
    free = FreeParameters.of(best.kernel.expr, scales).priors(best.kernel.values)
    objective = objective_of(best.kernel.expr, problem)
    grid = np.linspace(-5.0, 5.0, 81)
    around = curvature(best.kernel, problem, scales)
    logs = []
    for a in grid:
        for b in grid:
            ends = [
                (min(max(one.mean + one.width * z, one.low), one.high)) for one, z in zip(free, (a, b), strict=True)
            ]
            logs.append(-objective.value(free.values(np.array(ends), around.kernel.values)) - 0.5 * (a * a + b * b))
    whole = logsumexp(logs) + 2.0 * log(grid[1] - grid[0]) - log(2.0 * np.pi)
    refined, plain = (f(best.kernel, best.nll, problem, scales) for f in (refined_log_evidence, log_evidence))
    assert refined == pytest.approx(whole, abs=0.1)
    assert abs(refined - whole) < abs(plain - whole)


X = np.linspace(0.0, 1.0, 25)[:, None]
Y = np.sin(9.0 * X[:, 0]) + 0.2 * np.random.default_rng(0).normal(size=25)
PROBLEM, SCALES = Problem(X, Y), measure(X, Y, ("x",))
KERNEL = leaf("SE", sd=0.8, lengthscale=0.2) + leaf("WN", sd=0.2)


def test_the_hessian_is_that_of_second_differences_of_values() -> None:
    around = curvature(KERNEL, PROBLEM, SCALES)
    widths, step = np.array([one.width for one in around.free]), 1e-3
    place = np.array([one.mean for one in around.free]) + widths * around.place
    objective = objective_of(KERNEL.expr, PROBLEM)

    def value(moved: np.ndarray) -> float:
        return objective.value(around.free.values(place + moved, around.kernel.values))

    eye = step * np.eye(len(place))
    for i in range(len(place)):
        for j in range(len(place)):
            four = value(eye[i] + eye[j]) - value(eye[i] - eye[j]) - value(eye[j] - eye[i]) + value(-eye[i] - eye[j])
            expected = four / (4.0 * step**2) * widths[i] * widths[j]
            assert around.hessian[i, j] == pytest.approx(expected, rel=1e-2, abs=0.05)


@pytest.mark.parametrize("one_sided", [True, False])
def test_where_a_covariance_is_nearly_singular_derivatives_say_nothing(
    one_sided: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of a stretch of equal values, whose noise goes to zero: the likelihood is large, its gradient no number."""

    class Overflown:
        def value_and_gradient(self, values: tuple[float, ...]) -> tuple[float, np.ndarray]:
            return -300.0, np.full(len(values), np.nan)

    monkeypatch.setattr(evidence, "objective_of", lambda expr, problem: Overflown())
    x, y = np.arange(4.0)[:, None], np.array([1.0, -1.0, 1.0, -1.0])
    around = curvature(leaf("WN", sd=1.0), Problem(x, y, ("x",)), measure(x, y, ("x",)), one_sided=one_sided)
    assert around.hessian.tolist() == [[0.0]]


def test_differences_to_one_side_are_off_by_little() -> None:
    both, one = (curvature(KERNEL, PROBLEM, SCALES, one_sided=one_sided).hessian for one_sided in (False, True))
    assert (both != one).any()
    np.testing.assert_allclose(one, both, rtol=1e-3, atol=1e-3 * np.abs(both).max())


def test_numbers_at_a_bound_are_held() -> None:
    loud = leaf("SE", sd=0.8, lengthscale=0.2) + leaf("WN", sd=SCALES.noise_floor)
    around = curvature(loud, PROBLEM, SCALES)
    assert around.held == 1
    assert len(around.free) == len(FreeParameters.of(loud.expr, SCALES).priors(loud.values)) - 1


def test_axes_give_the_size_of_negative_curvatures() -> None:
    sizes, axes = curvature(KERNEL, PROBLEM, SCALES).axes()
    assert (sizes >= 0.0).all()
    np.testing.assert_allclose(axes @ axes.T, np.eye(len(sizes)), atol=1e-12)
