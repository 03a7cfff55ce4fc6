"""The cheapest engine that can is taken, by expression and sizes alone."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.errors import InputError
from autostatistician.inference.basis import Basis
from autostatistician.inference.covariance.matrices import covariance
from autostatistician.inference.engines import choice
from autostatistician.inference.engines.choice import EXACT, condition, engine_for, objective_of, prior_covariances
from autostatistician.inference.engines.inducing import engine
from autostatistician.inference.likelihoods.bernoulli import Bernoulli
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import leaf
from autostatistician.language.leaves import category_symbol
from autostatistician.language.text import parse

STOCHASTIC = "stochastic inducing points"
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


def test_costs_grow_with_rows_and_numbers() -> None:
    small, large = Problem(np.arange(50.0), np.ones(50)), Problem(np.arange(500.0), np.ones(500))
    for one in EXACT:
        few, many = one.cost(parse("SE + WN"), small), one.cost(parse("SE + WN"), large)
        longer = one.cost(parse("SE * Per + Lin + WN"), large)
        assert few is not None
        assert many is not None
        assert longer is not None
        assert few < many < longer


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


def test_many_rows_of_a_table_by_inducing_points_whatever_the_expression(monkeypatch: pytest.MonkeyPatch) -> None:
    for text in ("WN", "SE[a] * SE[b] + WN", "SE[a] + SE[b] + Lin[a] * Per[b] + WN"):
        few, many = (Problem(np.zeros((n, 2)), np.zeros(n), ("a", "b")) for n in (2000, 2001))
        assert engine_for(parse(text), few).name == "blocks"
        assert engine_for(parse(text), many, often=True).name == engine_for(parse(text), many).name == "inducing points"
    assert engine_for(parse("WN"), many, "blocks").name == "blocks"
    most = Problem(np.zeros((1_000_001, 2)), np.zeros(1_000_001), ("a", "b"))
    assert engine_for(parse("WN"), most, often=True).name == engine_for(parse("WN"), most).name == STOCHASTIC
    assert engine_for(parse("WN"), many, STOCHASTIC).name == STOCHASTIC
    monkeypatch.setattr(choice, "MOST_ROWS_BY_ESTIMATES", 2000)
    monkeypatch.setattr(engine, "MOST_ROWS_BY_ESTIMATES", 2000)
    with pytest.raises(InputError, match="at most 2000 rows; found 1000001"):
        engine_for(parse("WN"), most)


def test_classes_by_the_best_approximation_that_is_bearable() -> None:
    few, many = (Problem(np.arange(float(n)), np.ones(n), likelihood=Bernoulli()) for n in (100, 1500))
    assert engine_for(parse("SE"), few).name == "ep"
    assert engine_for(parse("SE"), many).name == "laplace"
    assert engine_for(parse("SE"), many, "ep").name == "ep"
    with pytest.raises(InputError, match="an engine 'lag space' that can"):
        engine_for(parse("SE"), few, "lag space")


def test_prior_covariances_are_those_of_the_kernel() -> None:
    for text, problem in (("SE + WN", LINE), ("SE[a] * SE[b] + WN", PLANE)):
        expr = parse(text)
        kernel = leaf("SE", problem.columns[0] if problem is PLANE else None, sd=1.0, lengthscale=2.0)
        kernel = kernel * leaf("SE", "b", sd=1.0, lengthscale=2.0) if problem is PLANE else kernel
        kernel = kernel + leaf("WN", sd=0.5)
        assert kernel.expr == expr
        (found,) = prior_covariances(expr, problem, [kernel.values])
        np.testing.assert_allclose(found, covariance(kernel, problem.X, None, problem.columns), rtol=1e-12)
