"""The engine of many rows of a table behind the seam."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.inference.engines.inducing.engine import MOST_POINTS, Inducing
from autostatistician.inference.likelihoods.bernoulli import Bernoulli
from autostatistician.inference.problem import Problem
from autostatistician.language.text import parse, parse_kernel

RNG = np.random.default_rng(10)
X = RNG.uniform(0.0, 1.0, (3000, 4))
SIGNAL = np.sin(6.0 * X[:, 0]) + X[:, 1] * X[:, 2]
PROBLEM = Problem(X, SIGNAL + 0.1 * RNG.normal(size=3000), ("a", "b", "c", "d"))


def test_what_it_takes() -> None:
    engine, noisy = Inducing(), parse("SE[a] + WN")
    assert engine.cost(noisy, PROBLEM) is not None
    assert engine.cost(parse("SE[a]"), PROBLEM) is None
    assert engine.cost(noisy, Problem(X, np.sign(PROBLEM.y), PROBLEM.columns, likelihood=Bernoulli())) is None
    assert engine.cost(parse("SE + WN"), Problem(X[:, :1], PROBLEM.y)) is None


def test_predictions_come_near_the_function() -> None:
    kernel = parse_kernel(
        "SE[a](lengthscale=0.4, sd=1) + SE[b](lengthscale=1, sd=1) * SE[c](lengthscale=1, sd=1) + WN(sd=0.1)"
    )
    posterior = Inducing().condition(kernel, PROBLEM)
    assert len(posterior.points) <= 2 * MOST_POINTS
    mean, sd = posterior.signal()
    assert float(np.sqrt(np.mean((mean - SIGNAL) ** 2))) < 0.03
    assert float(np.mean(np.abs(mean - SIGNAL) < 2.0 * sd)) == pytest.approx(0.95, abs=0.1)
    gap = posterior.bound.trace
    assert 0.0 <= gap < 1.0
