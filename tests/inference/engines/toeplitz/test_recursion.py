"""The inverse of a Toeplitz matrix against the one that LAPACK finds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.linalg import toeplitz

from autostatistician.inference.engines.toeplitz.recursion import Inverse, inverted

Array = NDArray[np.float64]


def _row(n: int, noise: float, lengthscale: float) -> Array:
    lags = np.arange(float(n))
    row: Array = np.exp(-0.5 * (lags / lengthscale) ** 2) + 0.5 * np.cos(lags) * np.exp(-lags / 20.0)
    row[0] += noise**2
    return row


def _smooth(n: int, noise: float, lengthscale: float) -> Array:
    row: Array = np.exp(-0.5 * (np.arange(float(n)) / lengthscale) ** 2)
    row[0] += noise**2
    return row


def _of(row: Array) -> tuple[Array, Inverse]:
    found = inverted(row)
    assert found is not None
    return np.linalg.inv(toeplitz(row)), found


@given(st.integers(1, 60), st.floats(0.03, 2.0), st.floats(0.3, 30.0), st.integers(0, 99))
def test_it_is_the_inverse(n: int, noise: float, lengthscale: float, seed: int) -> None:
    row = _row(n, noise, lengthscale)
    inverse, found = _of(row)
    size = np.abs(inverse).max()
    b = np.random.default_rng(seed).normal(size=(n, 3))
    solved, error = found.solve(b)
    np.testing.assert_allclose(found.x, inverse[0], atol=1e-8 * size)
    assert found.log_determinant == pytest.approx(np.linalg.slogdet(toeplitz(row))[1], abs=1e-7)
    np.testing.assert_allclose(solved, inverse @ b, atol=1e-7 * size)
    np.testing.assert_allclose(found.times(b), toeplitz(row) @ b, atol=1e-10)
    np.testing.assert_allclose(found.sums, [np.trace(inverse, k) for k in range(n)], atol=1e-8 * size * n)
    np.testing.assert_allclose(found.alike(b), [np.trace(b @ b.T, k) for k in range(n)], atol=1e-10)
    assert error < 1e-6
    assert found.trace_error < 1e-7


def test_one_solution_is_improved_once() -> None:
    """Where rounding counts, what is left gets smaller."""
    found = inverted(_smooth(400, 1e-3, 100.0))
    assert found is not None
    b = np.random.default_rng(0).normal(size=400)
    solved, error = found.solve(b)
    assert np.linalg.norm(b - found.times(solved)) < 0.1 * error * np.linalg.norm(b)
    assert error > 1e-10


@pytest.mark.parametrize("row", [[1.0, 2.0], [0.0, 0.0], [np.nan, 1.0], [1.0, np.nan, 0.0], [-1.0, 0.5], [1.0, 1.0]])
def test_what_is_not_positive_definite_has_none(row: list[float]) -> None:
    assert inverted(np.array(row)) is None


def test_rounding_shows_in_the_trace() -> None:
    """Without noise a smooth function is known from its neighbours to the last digit: that is not believed."""
    found = inverted(_smooth(1000, 1e-6, 200.0))
    assert found is None or found.trace_error > 1e-4 or found.solve(np.ones(1000))[1] > 1e-6
