"""The most probable numbers: their priors, bounds and starts."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.errors import InputError
from autostatistician.inference.engines.approximate import ApproximateObjective
from autostatistician.inference.engines.choice import objective_of
from autostatistician.inference.fitting.probable import SOME_ROWS, most_probable, prior_of
from autostatistician.inference.likelihoods.bernoulli import Bernoulli
from autostatistician.inference.parameters.free import FreeParameters
from autostatistician.inference.parameters.scales import measure
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import Kernel, leaf, unset
from autostatistician.language.text import parse

RNG = np.random.default_rng(0)
X = RNG.standard_normal((60, 2))
Y = np.where(np.sin(2.0 * X[:, 0]) + 0.4 * RNG.standard_normal(60) > 0.0, 1.0, -1.0)
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
    assert prior_of(single, FreeParameters.of(single, SCALES).priors(), SCALES).mean[0] == pytest.approx(
        np.log(X[:, 0].std())
    )


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
