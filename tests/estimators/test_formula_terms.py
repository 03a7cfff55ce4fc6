"""Coefficients of the parametric terms: with all terms parametric they are the whole posterior."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.estimators.formula import coefficients, values
from autostatistician.inference import condition
from autostatistician.inference.problem import Problem
from autostatistician.language.text import parse_kernel

RNG = np.random.default_rng(0)
X = RNG.uniform(50.0, 60.0, (30, 2))
Y = 2.0 + 0.3 * (X[:, 0] - 55.0) * (X[:, 1] - 52.0) + np.cos(X[:, 1]) + 0.1 * RNG.normal(size=30)
FORMED = "C(sd=3) + Lin[a](sd=1, location=54) * Lin[b](sd=0.5, location=51) + Cos[b](period=6.3, sd=1)"


def test_they_are_the_posterior_of_the_kernel() -> None:
    kernel, problem, centres = parse_kernel(f"{FORMED} + WN(sd=0.2)"), Problem(X, Y, ("a", "b")), np.array([55.0, 52.0])
    found = coefficients(kernel, problem, centres)
    signal = condition(kernel, problem).project(parse_kernel(FORMED), X)
    shown = values(found.monomials, X - centres)
    assert shown @ found.mean == pytest.approx(signal.mean, rel=1e-6)
    assert ((shown @ found.covariance) * shown).sum(axis=1) == pytest.approx(signal.variance, rel=1e-4)
    assert found.remainder == ()


def test_what_has_no_formula_is_left() -> None:
    kernel = parse_kernel(f"{FORMED} + SE[a](lengthscale=1, sd=0.5) * C(sd=1) + WN(sd=0.2)")
    problem = Problem(X, Y, ("a", "b"))
    found = coefficients(kernel, problem, np.zeros(2))
    rest = condition(kernel, problem).project(parse_kernel("SE[a](lengthscale=1, sd=0.5)"), X)
    assert len(found.remainder) == 1
    assert found.remainder_size == pytest.approx(float(np.sqrt(np.mean(rest.mean**2))), rel=1e-4)
