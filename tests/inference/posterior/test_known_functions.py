"""Known functions beside a prior: against the formulas with dense matrices, and their limits."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.inference.basis import Basis
from autostatistician.inference.covariance.matrices import covariance
from autostatistician.inference.posterior.averages import ColumnPrior
from autostatistician.inference.posterior.known_functions import WithFunctions, with_functions
from autostatistician.language.kernel import leaf

RNG = np.random.default_rng(0)
X = np.sort(RNG.uniform(0.0, 5.0, 12))[:, None]
Y = 3.0 + 2.0 * X[:, 0] + np.sin(3.0 * X[:, 0]) + 0.1 * RNG.normal(size=12)
NEW = np.array([[0.3], [2.2], [9.0]])
SMOOTH, NOISE = leaf("SE", "x", lengthscale=0.6, sd=1.0), leaf("WN", sd=0.2)
PRIOR = ColumnPrior(("x",))


def _functions(rows: np.ndarray) -> np.ndarray:
    return np.column_stack([np.ones(len(rows)), 1000.0 * rows[:, 0]])  # of very different sizes


def _given(precisions: np.ndarray) -> WithFunctions:
    matrix = covariance(SMOOTH + NOISE, X, None, ("x",))
    found = with_functions(PRIOR, X, Y, matrix, Basis(_functions(X), precisions))
    assert found is not None
    return found


def test_with_a_prior_of_the_coefficients_it_is_one_gaussian_process() -> None:
    """The functions are then a part of the kernel: ``K + H B H'`` (Rasmussen and Williams 2006, equation 2.40)."""
    spread = np.array([2.0, 1e-3])
    found, H, Hn = _given(spread**-2.0), _functions(X), _functions(NEW)
    K = covariance(SMOOTH + NOISE, X, None, ("x",)) + (H * spread**2) @ H.T
    cross = covariance(SMOOTH, NEW, X, ("x",)) + (Hn * spread**2) @ H.T
    own = covariance(SMOOTH, NEW, None, ("x",)) + (Hn * spread**2) @ Hn.T
    known = found.project(SMOOTH, NEW, Hn)
    np.testing.assert_allclose(known.mean, cross @ np.linalg.solve(K, Y), rtol=1e-8)
    np.testing.assert_allclose(known.covariance(), own - cross @ np.linalg.solve(K, cross.T), atol=1e-8)
    np.testing.assert_allclose(known.variance, known.covariance().diagonal(), atol=1e-10)
    misfit = 0.5 * Y @ np.linalg.solve(K, Y) + 0.5 * np.linalg.slogdet(K)[1] + 6.0 * np.log(2.0 * np.pi)
    assert -found.log_evidence == pytest.approx(misfit)


def test_without_one_it_is_the_limit_of_wide_ones() -> None:
    vague, wide = _given(np.zeros(2)), _given(np.array([1e-8, 1e-14]))
    np.testing.assert_allclose(vague.coefficients, wide.coefficients, rtol=1e-5)
    one, other = (found.project(SMOOTH, NEW, _functions(NEW)) for found in (vague, wide))
    np.testing.assert_allclose(one.mean, other.mean, rtol=1e-5)
    np.testing.assert_allclose(one.covariance(), other.covariance(), rtol=1e-4, atol=1e-6)


def test_coefficients_are_those_of_generalised_least_squares() -> None:
    found, H = _given(np.zeros(2)), _functions(X)
    K = covariance(SMOOTH + NOISE, X, None, ("x",))
    information = H.T @ np.linalg.solve(K, H)
    np.testing.assert_allclose(found.coefficients, np.linalg.solve(information, H.T @ np.linalg.solve(K, Y)), rtol=1e-6)
    np.testing.assert_allclose(found.covariance, np.linalg.inv(information), rtol=1e-5)


def test_functions_that_are_the_same_cannot_be_told_apart() -> None:
    twice = Basis(np.ones((12, 2)), np.zeros(2))
    assert with_functions(PRIOR, X, Y, covariance(SMOOTH + NOISE, X, None, ("x",)), twice) is None
