"""The cheapest engine that can is taken, by expression and sizes alone."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from numpy.typing import NDArray
from tests.gp.numeric import differences, numbered
from tests.strategies import kernels

from autostatistician.errors import InputError
from autostatistician.gp.covariance import covariance
from autostatistician.gp.engines.approximate import EP, ApproximateEngine, ApproximatePosterior, Laplace
from autostatistician.gp.engines.choice import ENGINES, EXACT, condition, engine_for, objective_of, prior_covariances
from autostatistician.gp.engines.exact import Engine, Objective
from autostatistician.gp.likelihoods import Bernoulli
from autostatistician.gp.posterior.posterior import Posterior
from autostatistician.gp.problem import Basis, Problem
from autostatistician.kernels.kernel import Kernel, leaf
from autostatistician.kernels.leaves import category_symbol
from autostatistician.kernels.text import parse
from autostatistician.kernels.traits import held_values

Array = NDArray[np.float64]
RNG = np.random.default_rng(0)
X = RNG.uniform(0.0, 5.0, (25, 2))
Y = np.where(np.sin(2.0 * X[:, 0]) + 0.3 * X[:, 1] + 0.3 * RNG.standard_normal(25) > 0.6, 1.0, -1.0)
CLASSES_PLANE = Problem(X, Y, ("a", "b"), likelihood=Bernoulli())
CLASSES_LINE = Problem(X[:, :1], Y, ("a",), likelihood=Bernoulli("logistic"))
WAVES = leaf("SE", column="a", sd=2.0, lengthscale=0.7)
SLOPE = leaf("Lin", column="b", sd=0.7, location=1.0)
KERNEL = WAVES + SLOPE + leaf("C", sd=0.4)
APPROXIMATE = pytest.mark.parametrize("engine", [Laplace(), EP()], ids=["laplace", "ep"])


def _differences(engine: ApproximateEngine, kernel: Kernel, problem: Problem) -> Array:
    return differences(engine.objective(kernel.expr, problem).value, kernel, 1e-4)


@APPROXIMATE
@pytest.mark.parametrize("problem", [CLASSES_PLANE, replace(CLASSES_PLANE, likelihood=Bernoulli("logistic"))])
def test_gradients_on_several_columns(engine: ApproximateEngine, problem: Problem) -> None:
    kernel = KERNEL + leaf("RQ", column="b", lengthscale=1.0, sd=0.8, alpha=0.5) * WAVES
    value, gradient = engine.objective(kernel.expr, problem).value_and_gradient(kernel.values)
    np.testing.assert_allclose(gradient, _differences(engine, kernel, problem), atol=2e-5)
    assert value == pytest.approx(-engine.condition(kernel, problem).log_evidence, abs=1e-8)


@pytest.mark.slow
@given(kernels(symbols=("SE", "Per", "Lin", "C", "RQ", "Wiener"), max_leaves=4))
def test_gradients_of_any_expression(kernel: Kernel) -> None:
    for engine in (Laplace(), EP()):
        value, gradient = engine.objective(kernel.expr, CLASSES_LINE).value_and_gradient(kernel.values)
        if np.isfinite(value):
            scale = 1.0 + float(np.abs(gradient).max())
            free = [index for index in range(len(gradient)) if index not in held_values(kernel.expr)]
            expected = _differences(engine, kernel, CLASSES_LINE)
            np.testing.assert_allclose(gradient[free], expected[free], atol=2e-4 * scale)


@APPROXIMATE
def test_warm_starts_change_nothing(engine: ApproximateEngine) -> None:
    objective = engine.objective(KERNEL.expr, CLASSES_PLANE)
    first = objective.value(KERNEL.values)
    for factor in (0.2, 3.0, 30.0):
        objective.value_and_gradient(tuple(factor * one for one in KERNEL.values))
    assert objective.value(KERNEL.values) == pytest.approx(first, abs=1e-8)
    assert objective.evaluations == 5


@APPROXIMATE
def test_parts_add_up(engine: ApproximateEngine) -> None:
    posterior, at = engine.condition(KERNEL, CLASSES_PLANE), X[:5] + 0.3
    parts = [posterior.project(part, at).mean for part in KERNEL.parts]
    mean, sd = posterior.signal(at)
    np.testing.assert_allclose(np.sum(parts, axis=0), mean, atol=1e-10)
    np.testing.assert_allclose(posterior.signal()[0], posterior.approximation.given.mean, atol=1e-9)
    np.testing.assert_allclose(posterior.signal()[1] ** 2, posterior.approximation.given.variance, atol=1e-9)
    assert np.std(posterior.samples(at, np.random.default_rng(0), count=2000), axis=0) == pytest.approx(sd, rel=0.1)


def test_probabilities_are_observed_classes() -> None:
    posterior = EP().condition(KERNEL, CLASSES_PLANE)
    p = posterior.probability()
    assert ((p > 0.5) == (Y > 0.0)).mean() > 0.8
    mean, sd = posterior.observations()
    np.testing.assert_allclose(mean**2 + sd**2, 1.0)
    np.testing.assert_allclose(posterior.noise_variance(), sd**2)
    np.testing.assert_allclose(posterior.residual(), Y - mean)
    assert posterior.settled


@APPROXIMATE
def test_leaving_one_out_is_near_to_refitting_without_it(engine: ApproximateEngine) -> None:
    posterior = engine.condition(KERNEL, CLASSES_PLANE)
    mean, variance, density = posterior.leave_one_out()
    np.testing.assert_allclose(np.exp(density), 0.5 * (1.0 + Y * mean))
    np.testing.assert_allclose(mean**2 + variance, 1.0)
    for row in (0, 9, 20):
        expected = posterior.without(np.array([row])).observations(X[[row]])[0][0]
        assert mean[row] == pytest.approx(expected, abs=0.06)


def test_further_rows_and_noise() -> None:
    posterior = EP().condition(KERNEL, CLASSES_PLANE)
    halves = EP().condition(KERNEL, CLASSES_PLANE.rows(np.arange(15))).updated(X[15:], Y[15:])
    assert halves.log_evidence == pytest.approx(posterior.log_evidence, abs=1e-9)
    blind = posterior.noisier(np.full(25, 1e6))
    assert np.abs(blind.signal()[0]).max() < 0.1


def test_by_the_choice() -> None:
    posterior = condition(KERNEL, CLASSES_PLANE)
    assert isinstance(posterior, ApproximatePosterior)
    assert posterior.engine.name == "ep"


def test_an_impossible_covariance_has_no_value() -> None:
    objective = EP().objective(KERNEL.expr, CLASSES_PLANE)
    values = (*KERNEL.values[:-1], np.inf)
    with np.errstate(invalid="ignore"):
        assert objective.value(values) == np.inf
        assert objective.value_and_gradient(values)[0] == np.inf


NUMBERS = leaf("WN", sd=1.0), Problem(np.arange(3.0), np.ones(3))
TABLE = leaf("WN", sd=1.0), Problem(np.eye(3), np.ones(3), ("a", "b", "c"))
CLASSES = leaf("SE", lengthscale=1.0, sd=1.0), Problem(np.arange(3.0), np.ones(3), likelihood=Bernoulli())


def _asked(protocol: type) -> set[str]:
    return {name for name in (*vars(protocol), *protocol.__annotations__) if not name.startswith("_")}


@pytest.mark.parametrize("engine", ENGINES, ids=lambda one: one.name)
def test_nothing_is_missing(engine: Engine) -> None:
    assert _asked(Engine) == {"name", "is_exact", "cost", "objective", "condition"}
    cases = (NUMBERS, TABLE, CLASSES)
    kernel, problem = next(one for one in cases if engine.cost(one[0].expr, one[1]) is not None)
    answers = {
        Engine: engine,
        Objective: engine.objective(kernel.expr, problem),
        Posterior: engine.condition(kernel, problem),
    }
    missing = {
        f"{protocol.__name__}.{name}"
        for protocol, one in answers.items()
        for name in _asked(protocol)
        if not hasattr(one, name)
    }
    assert missing == set()


def test_engines_have_names_of_their_own() -> None:
    assert len({one.name for one in ENGINES}) == len(ENGINES)


LINE, PLANE = Problem(np.arange(9.0), np.ones(9)), Problem(np.ones((9, 2)), np.ones(9), ("a", "b"))
TALL = Problem(np.arange(5001.0), np.ones(5001), basis=Basis(np.ones((5001, 1)), np.zeros(1)))


def test_lags_where_there_are_lags() -> None:
    assert engine_for(parse("SE * Per + WN"), LINE).name == "lag space"
    assert engine_for(parse("SE[a] + WN"), PLANE).name == "blocks"
    assert engine_for(parse("Cat + WN"), LINE).name == "lag space"
    assert engine_for(parse(f"{category_symbol(2, 1)} + WN"), LINE).name == "blocks"


def test_many_rows_of_one_column_block_by_block() -> None:
    """Few rows stay with one matrix, whatever is searched for; what is no wave, or has several columns, too."""
    few, many, most = (Problem(np.arange(n) ** 1.1, np.ones(n)) for n in (250, 1000, 100_000))
    for text in ("C + WN", "SE + WN", "Matern32 + Lin + WN", "SE * Per + Lin + SE + WN"):
        assert engine_for(parse(text), few).name == "lag space"
        assert engine_for(parse(text), most).name == "semiseparable"
    assert engine_for(parse("SE + Lin + WN"), many).name == "semiseparable"
    assert engine_for(parse("Cat + WN"), many).name == "lag space"


def test_a_preferred_engine_gives_the_same_values() -> None:
    kernel = leaf("SE", sd=1.0, lengthscale=2.0) + leaf("WN", sd=0.5)
    values = [objective_of(kernel.expr, LINE, one.name).value_and_gradient(kernel.values) for one in EXACT]
    for value, gradient in values[1:]:
        assert value == pytest.approx(values[0][0])
        np.testing.assert_allclose(gradient, values[0][1], rtol=1e-8)
    evidence = [condition(kernel, LINE, one.name).log_evidence for one in EXACT]
    assert evidence == pytest.approx([-values[0][0]] * len(EXACT))


@pytest.mark.parametrize("engine", EXACT, ids=lambda one: one.name)
def test_costs_grow_with_rows_and_numbers(engine: Engine) -> None:
    asked = (("SE + WN", 50), ("SE + WN", 500), ("SE * Per + Lin + WN", 500))
    few, many, longer = (engine.cost(parse(text), Problem(np.arange(float(n)), np.ones(n))) or 0.0 for text, n in asked)
    assert 0.0 < few < many < longer


@pytest.mark.parametrize(
    ("problem", "prefer", "message"),
    [
        (TALL, "auto", "at most 5000 rows; found 5001; give a random sample"),
        (PLANE, "lag space", "an engine 'lag space' that can"),
        (LINE, "quantum", "an engine 'quantum' that can"),
    ],
)
def test_what_no_engine_can_bear_is_refused(problem: Problem, prefer: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        engine_for(parse("WN"), problem, prefer)


def test_many_rows_of_a_table_by_inducing_points_whatever_the_expression() -> None:
    for text in ("WN", "SE[a] * SE[b] + WN", "SE[a] + SE[b] + Lin[a] * Per[b] + WN"):
        few, many = (Problem(np.zeros((n, 2)), np.zeros(n), ("a", "b")) for n in (2000, 2001))
        assert engine_for(parse(text), few).name == "blocks"
        assert engine_for(parse(text), many, often=True).name == engine_for(parse(text), many).name == "inducing points"
    assert engine_for(parse("WN"), many, "blocks").name == "blocks"
    most, more = (Problem(np.zeros((n, 2)), np.zeros(n), ("a", "b")) for n in (1_000_000, 1_000_001))
    assert engine_for(parse("WN"), most).name == "inducing points"
    with pytest.raises(InputError, match="at most 1000000 rows; found 1000001"):
        engine_for(parse("WN"), more)


def test_classes_by_the_best_approximation_that_is_bearable() -> None:
    few, many = (Problem(np.arange(float(n)), np.ones(n), likelihood=Bernoulli()) for n in (100, 1500))
    assert engine_for(parse("SE"), few).name == "ep"
    assert engine_for(parse("SE"), many).name == "laplace"
    assert engine_for(parse("SE"), many, "ep").name == "ep"
    with pytest.raises(InputError, match="an engine 'lag space' that can"):
        engine_for(parse("SE"), few, "lag space")


@pytest.mark.parametrize(("text", "problem"), [("SE + WN", LINE), ("SE[a] * SE[b] + WN", PLANE)])
def test_prior_covariances_are_those_of_the_kernel(text: str, problem: Problem) -> None:
    kernel = numbered(text, 0.5)
    (found,) = prior_covariances(kernel.expr, problem, [kernel.values])
    np.testing.assert_allclose(found, covariance(kernel, problem.X, None, problem.columns), rtol=1e-12)
