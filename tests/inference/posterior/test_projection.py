"""Projections add up, know one another, and compute nothing that is not asked for."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.errors import InputError
from autostatistician.inference.engines.choice import condition
from autostatistician.inference.posterior.projection import Dense, Projection, draw, total
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import leaf

X = np.linspace(0.0, 4.0, 15)[:, None]
SMOOTH, LINE = leaf("SE", sd=1.0, lengthscale=0.7), leaf("Lin", sd=0.5, location=2.0)
POSTERIOR = condition(SMOOTH + LINE + leaf("WN", sd=0.3), Problem(X, np.sin(2.0 * X[:, 0]) + X[:, 0]))
AT = np.linspace(-0.5, 4.5, 6)[:, None]
PARTS = [POSTERIOR.project(part, AT) for part in (SMOOTH, LINE)]


def test_a_sum_of_projections_is_the_projection_of_the_sum() -> None:
    both, expected = total(PARTS), POSTERIOR.project(SMOOTH + LINE, AT)
    np.testing.assert_allclose(both.mean, expected.mean, atol=1e-10)
    np.testing.assert_allclose(both.covariance(), expected.covariance(), atol=1e-10)
    np.testing.assert_allclose(both.sd**2, both.variance, atol=1e-12)


def test_covariances_between_parts_make_up_that_of_their_sum() -> None:
    one, other = PARTS
    cross = one.between(other)
    whole = one.covariance() + other.covariance() + cross + cross.T
    np.testing.assert_allclose(whole, POSTERIOR.project(SMOOTH + LINE, AT).covariance(), atol=1e-10)


def test_what_is_not_asked_for_is_not_computed() -> None:
    def never() -> np.ndarray:
        raise AssertionError("nobody asked")

    known = Projection(np.ones(2), never, never, never)
    assert known.mean.tolist() == [1.0, 1.0]
    assert total([known, known]).mean.tolist() == [2.0, 2.0]
    assert known.shifted(np.ones(2)).mean.tolist() == [2.0, 2.0]
    with pytest.raises(AssertionError, match="nobody asked"):
        known.sd  # noqa: B018


def test_draws_have_the_moments_of_the_projection() -> None:
    drawn = PARTS[1].draws(np.random.default_rng(0), 20_000)
    np.testing.assert_allclose(drawn.mean(axis=0), PARTS[1].mean, atol=0.02)
    np.testing.assert_allclose(np.cov(drawn.T), PARTS[1].covariance(), atol=0.02)


def test_what_is_left_by_rounding_is_not_drawn() -> None:
    cov = np.diag([1.0, 1e-15])
    assert np.abs(draw(np.zeros(2), cov, np.random.default_rng(0), scale=1.0, count=50)[:, 1]).max() < 1e-12


def test_covariances_of_too_many_values_are_refused() -> None:
    many = Projection(np.zeros(20_001), lambda: np.ones(1), lambda: Dense(np.zeros((1, 1))), lambda: np.ones((1, 1)))
    with pytest.raises(InputError, match="covariances between at most 20000 values; found 20001; ask for standard"):
        many.covariance()
