"""Laplace and EP for any expression: gradients by differences, parts that add up, rows left out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from tests.strategies import kernels

from autostatistician.inference.engines.approximate import EP, ApproximateEngine, ApproximatePosterior, Laplace
from autostatistician.inference.engines.choice import condition
from autostatistician.inference.likelihoods.bernoulli import Bernoulli
from autostatistician.inference.problem import Problem
from autostatistician.language.count import held_values
from autostatistician.language.kernel import Kernel, leaf, parameters

RNG = np.random.default_rng(0)
X = RNG.uniform(0.0, 5.0, (25, 2))
Y = np.where(np.sin(2.0 * X[:, 0]) + 0.3 * X[:, 1] + 0.3 * RNG.standard_normal(25) > 0.6, 1.0, -1.0)
PLANE = Problem(X, Y, ("a", "b"), likelihood=Bernoulli())
LINE = Problem(X[:, :1], Y, ("a",), likelihood=Bernoulli("logistic"))
WAVES = leaf("SE", column="a", sd=2.0, lengthscale=0.7)
SLOPE = leaf("Lin", column="b", sd=0.7, location=1.0)
KERNEL = WAVES + SLOPE + leaf("C", sd=0.4)
ENGINES = pytest.mark.parametrize("engine", [Laplace(), EP()], ids=["laplace", "ep"])


def _differences(engine: ApproximateEngine, kernel: Kernel, problem: Problem, step: float = 1e-4) -> list[float]:
    found, objective = [], engine.objective(kernel.expr, problem)
    for index, one in enumerate(parameters(kernel.expr)):
        both = []
        for sign in (1.0, -1.0):
            values = list(kernel.values)
            values[index] += sign * step * (values[index] if one.role.positive else 1.0)
            both.append(objective.value(tuple(values)))
        found.append((both[0] - both[1]) / (2.0 * step))
    return found


@ENGINES
@pytest.mark.parametrize("problem", [PLANE, replace(PLANE, likelihood=Bernoulli("logistic"))])
def test_gradients_on_several_columns(engine: ApproximateEngine, problem: Problem) -> None:
    kernel = KERNEL + leaf("RQ", column="b", lengthscale=1.0, sd=0.8, alpha=0.5) * WAVES
    value, gradient = engine.objective(kernel.expr, problem).value_and_gradient(kernel.values)
    np.testing.assert_allclose(gradient, _differences(engine, kernel, problem), atol=2e-5)
    assert value == pytest.approx(-engine.condition(kernel, problem).log_evidence, abs=1e-8)


@pytest.mark.slow
@given(kernels(symbols=("SE", "Per", "Lin", "C", "RQ", "Wiener"), max_leaves=4))
def test_gradients_of_any_expression(kernel: Kernel) -> None:
    for engine in (Laplace(), EP()):
        value, gradient = engine.objective(kernel.expr, LINE).value_and_gradient(kernel.values)
        if np.isfinite(value):
            scale = 1.0 + float(np.abs(gradient).max())
            free = [index for index in range(len(gradient)) if index not in held_values(kernel.expr)]
            expected = np.array(_differences(engine, kernel, LINE))
            np.testing.assert_allclose(gradient[free], expected[free], atol=2e-4 * scale)


@ENGINES
def test_warm_starts_change_nothing(engine: ApproximateEngine) -> None:
    objective = engine.objective(KERNEL.expr, PLANE)
    first = objective.value(KERNEL.values)
    for factor in (0.2, 3.0, 30.0):
        objective.value_and_gradient(tuple(factor * one for one in KERNEL.values))
    assert objective.value(KERNEL.values) == pytest.approx(first, abs=1e-8)
    assert objective.evaluations == 5


@ENGINES
def test_parts_add_up(engine: ApproximateEngine) -> None:
    posterior, at = engine.condition(KERNEL, PLANE), X[:5] + 0.3
    parts = [posterior.project(part, at).mean for part in KERNEL.parts]
    mean, sd = posterior.signal(at)
    np.testing.assert_allclose(np.sum(parts, axis=0), mean, atol=1e-10)
    np.testing.assert_allclose(posterior.signal()[0], posterior.approximation.given.mean, atol=1e-9)
    np.testing.assert_allclose(posterior.signal()[1] ** 2, posterior.approximation.given.variance, atol=1e-9)
    assert np.std(posterior.samples(at, np.random.default_rng(0), count=2000), axis=0) == pytest.approx(sd, rel=0.1)


def test_probabilities_are_observed_classes() -> None:
    posterior = EP().condition(KERNEL, PLANE)
    p = posterior.probability()
    assert ((p > 0.5) == (Y > 0.0)).mean() > 0.8
    mean, sd = posterior.observations()
    np.testing.assert_allclose(mean**2 + sd**2, 1.0)
    np.testing.assert_allclose(posterior.noise_variance(), sd**2)
    np.testing.assert_allclose(posterior.residual(), Y - mean)
    assert posterior.settled


@ENGINES
def test_leaving_one_out_is_near_to_refitting_without_it(engine: ApproximateEngine) -> None:
    posterior = engine.condition(KERNEL, PLANE)
    mean, variance, density = posterior.leave_one_out()
    np.testing.assert_allclose(np.exp(density), 0.5 * (1.0 + Y * mean))
    np.testing.assert_allclose(mean**2 + variance, 1.0)
    for row in (0, 9, 20):
        expected = posterior.without(np.array([row])).observations(X[[row]])[0][0]
        assert mean[row] == pytest.approx(expected, abs=0.06)


def test_further_rows_and_noise() -> None:
    posterior = EP().condition(KERNEL, PLANE)
    halves = EP().condition(KERNEL, PLANE.rows(np.arange(15))).updated(X[15:], Y[15:])
    assert halves.log_evidence == pytest.approx(posterior.log_evidence, abs=1e-9)
    blind = posterior.noisier(np.full(25, 1e6))
    assert np.abs(blind.signal()[0]).max() < 0.1


def test_by_the_choice() -> None:
    posterior = condition(KERNEL, PLANE)
    assert isinstance(posterior, ApproximatePosterior)
    assert posterior.engine.name == "ep"


def test_an_impossible_covariance_has_no_value() -> None:
    objective = EP().objective(KERNEL.expr, PLANE)
    values = (*KERNEL.values[:-1], np.inf)
    with np.errstate(invalid="ignore"):
        assert objective.value(values) == np.inf
        assert objective.value_and_gradient(values)[0] == np.inf
