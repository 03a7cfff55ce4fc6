"""The posterior of a part: at the data, at rows held out, and on the grid."""

from __future__ import annotations

import numpy as np
import pytest
from tests.decompose.series.series import LEVEL, MODEL, NOISE, SMOOTH, TREND, X, Y

from autostatistician.decompose.series.order import fold_rows
from autostatistician.decompose.series.parts import Part, part_of
from autostatistician.inference.covariance.matrices import covariance
from autostatistician.inference.engines.choice import condition
from autostatistician.inference.problem import Problem

ROWS = fold_rows(len(X))
GRID = np.linspace(-1.0, 12.0, 7)[:, None]


@pytest.fixture(scope="module")
def parts() -> list[Part]:
    posterior = condition(MODEL, Problem(X, Y))
    others = [posterior.without(held_out) for held_out in ROWS]
    return [part_of(kernel, posterior, others, ROWS, GRID) for kernel in (SMOOTH, TREND, LEVEL, NOISE)]


def test_held_out_rows_are_predicted_from_the_others_alone(parts: list[Part]) -> None:
    for part in parts:
        for held_out, prediction in zip(ROWS, part.held_out, strict=True):
            rest = np.setdiff1d(np.arange(len(X)), held_out)
            K = covariance(MODEL, X[rest, None])
            cross = covariance(part.kernel, X[held_out, None], X[rest, None])
            np.testing.assert_allclose(prediction, cross @ np.linalg.solve(K, Y[rest]), atol=1e-8)


def test_noise_is_known_at_the_data_and_nowhere_else(parts: list[Part]) -> None:
    assert [part.is_noise for part in parts] == [False, False, False, True]
    noise = parts[-1]
    np.testing.assert_allclose(noise.mean, Y - sum(part.mean for part in parts[:-1]), atol=1e-8)
    assert not noise.grid.mean.any()
    assert not np.concatenate(noise.held_out).any()
    np.testing.assert_allclose(noise.grid.sd, 0.2)


def test_the_grid_holds_the_posterior_by_the_dense_formula(parts: list[Part]) -> None:
    K = covariance(MODEL, X[:, None])
    for part in parts[:-1]:
        cross = covariance(part.kernel, GRID, X[:, None])
        np.testing.assert_allclose(part.grid.mean, cross @ np.linalg.solve(K, Y), atol=1e-8)
        left = covariance(part.kernel, GRID, GRID) - cross @ np.linalg.solve(K, cross.T)
        np.testing.assert_allclose(part.grid.covariance(), left, atol=1e-8)
