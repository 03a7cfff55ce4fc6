"""The most probable numbers: their priors, bounds and starts."""

import numpy as np
import pytest

from autostatistician.errors import InputError
from autostatistician.gp.engines.approximate import ApproximateObjective
from autostatistician.gp.engines.choice import objective_of
from autostatistician.gp.likelihoods import Bernoulli
from autostatistician.gp.map_estimate import SOME_ROWS, fit_shared, held_numbers, most_probable, prior_of, weak_numbers
from autostatistician.gp.parameters.free import FreeParameters
from autostatistician.gp.parameters.scales import measure
from autostatistician.gp.problem import Problem
from autostatistician.kernels.expr import Expr
from autostatistician.kernels.kernel import Kernel, leaf, unset
from autostatistician.kernels.text import parse

RNG = np.random.default_rng(0)
COLUMNS = ("a", "b", "c")
X_TABLE = RNG.standard_normal((120, 3)) * [1.0, 10.0, 1.0]
LINES, CURVES = parse("Lin[a] + Lin[b] + Lin[c] + C"), parse("SE[a] + SE[b] + SE[c] + C")


def _problem(function: np.ndarray) -> Problem:
    y = np.where(function + RNG.standard_normal(len(X_TABLE)) > 0.0, 1.0, -1.0)
    return Problem(X_TABLE, y, COLUMNS, likelihood=Bernoulli())


def _evidence(expr: Expr, problem: Problem) -> float:
    return fit_shared(expr, problem, measure(problem.X, problem.y, COLUMNS)).log_evidence


def test_parameters_of_one_kind_move_together_in_units_of_their_columns() -> None:
    problem = _problem(2.0 * X_TABLE[:, 0])
    fit = fit_shared(CURVES, problem, measure(problem.X, problem.y, COLUMNS))
    lengths = [part.named()["lengthscale"] for part in fit.kernel.parts[:3]]
    spread = X_TABLE.std(axis=0)
    np.testing.assert_allclose(np.divide(lengths, spread), lengths[0] / spread[0], rtol=1e-6)
    sds = [part.named()["sd"] for part in fit.kernel.parts[:3]]
    np.testing.assert_allclose(sds, sds[0], rtol=1e-6)


def test_evidence_says_whether_functions_are_lines() -> None:
    straight = _problem(X_TABLE @ [1.0, 0.1, -1.0])
    curved = _problem(2.0 * np.cos(2.0 * X_TABLE[:, 0]) + np.sin(0.3 * X_TABLE[:, 1]))
    assert _evidence(LINES, straight) > _evidence(CURVES, straight)
    assert _evidence(CURVES, curved) > _evidence(LINES, curved)


def test_the_fit_is_one_of_the_lowest_losses() -> None:
    problem = _problem(2.0 * X_TABLE[:, 0])
    fit = fit_shared(LINES, problem, measure(problem.X, problem.y, COLUMNS))
    assert -fit.log_evidence > objective_of(LINES, problem).value(fit.kernel.values)
    assert fit.kernel.parts[0].named()["location"] == pytest.approx(X_TABLE[:, 0].mean(), abs=1e-6)


X_PLANE = np.random.default_rng(0).normal(size=(20, 2))
SCALES_PLANE = measure(X_PLANE, np.ones(20), ("a", "b"))
KERNEL = leaf("SE", column="a", lengthscale=0.7, sd=1.3) * leaf("SE", column="b", lengthscale=1.7, sd=1.0)


def test_the_prior_is_that_of_the_fit() -> None:
    numbers, rng = weak_numbers(KERNEL, SCALES_PLANE), np.random.default_rng(1)
    prior = prior_of(KERNEL.expr, FreeParameters.of(KERNEL.expr, SCALES_PLANE).priors(), SCALES_PLANE)
    one, other = (numbers.start + rng.normal(size=3) for _ in range(2))
    gap = numbers.prior.log_density(one) - numbers.prior.log_density(other)
    assert gap == pytest.approx(prior.penalty(other)[0] - prior.penalty(one)[0])
    assert numbers.values(numbers.start) == pytest.approx(KERNEL.values)
    assert np.all((numbers.low <= numbers.start) & (numbers.start <= numbers.high))


def test_numbers_that_are_held_have_no_coordinates() -> None:
    numbers = held_numbers(KERNEL)
    assert numbers.start.shape == (0,)
    assert numbers.prior.log_density(numbers.start) == 0.0


RNG_OF_PROBABLE = np.random.default_rng(0)
X = RNG_OF_PROBABLE.standard_normal((60, 2))
Y = np.where(np.sin(2.0 * X[:, 0]) + 0.4 * RNG_OF_PROBABLE.standard_normal(60) > 0.0, 1.0, -1.0)
PROBLEM = Problem(X, Y, ("a", "b"), likelihood=Bernoulli())
SCALES = measure(X, Y, ("a", "b"))
EXPR = parse("SE[a] * SE[b] + C")


def _misfit(kernel: Kernel) -> float:
    known = FreeParameters.of(kernel.expr, SCALES).priors()
    u = np.array([one.coordinate(kernel.values[one.index]) for one in known])
    value = objective_of(kernel.expr, PROBLEM).value(kernel.values)
    return value + prior_of(kernel.expr, known, SCALES).penalty(u)[0]


def test_no_number_can_be_moved_for_the_better() -> None:
    found = most_probable(unset(EXPR), PROBLEM, SCALES, 1, np.random.default_rng(0))
    best = _misfit(found)
    for index in (0, 1, 2, 4):
        for factor in (0.9, 1.1):
            values = list(found.values)
            values[index] *= factor
            assert _misfit(Kernel(EXPR, tuple(values))) > best - 1e-3
    assert found.values[2] > 1.5 * found.values[0]  # b does not matter


def test_lengthscales_that_are_multiplied_are_longer_and_alike() -> None:
    known = FreeParameters.of(EXPR, SCALES).priors()
    prior = prior_of(EXPR, known, SCALES)
    lengths = [place for place, one in enumerate(known) if one.index in (0, 2)]
    np.testing.assert_allclose(prior.mean[lengths], 0.5 * np.log(2.0) + np.log(X.std(axis=0)))
    assert prior.alike.tolist() == [place in lengths for place in range(len(known))]
    single = parse("SE[a] + SE[b] + Lin[a]")
    alone = prior_of(single, FreeParameters.of(single, SCALES).priors(), SCALES)
    assert alone.mean[0] == pytest.approx(np.log(X[:, 0].std()))


def test_more_starts_on_some_rows_end_no_worse() -> None:
    one, more = (most_probable(unset(EXPR), PROBLEM, SCALES, k, np.random.default_rng(1), "laplace") for k in (1, 3))
    values = [objective_of(EXPR, PROBLEM, "laplace").value(kernel.values) for kernel in (one, more)]
    assert values[1] < values[0] + 0.05
    assert len(Y) < SOME_ROWS


def test_numbers_that_are_known_are_where_it_begins() -> None:
    known = leaf("SE", column="a", sd=1.7, lengthscale=0.7)
    found = most_probable(known, PROBLEM, SCALES, 1, np.random.default_rng(0))
    assert found.values != known.values
    assert _misfit(found) < _misfit(known)


def test_what_cannot_be_computed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ApproximateObjective, "_found", lambda *_, **__: None)
    with pytest.raises(InputError, match="none that works"):
        most_probable(unset(EXPR), PROBLEM, SCALES, 1, np.random.default_rng(0))
