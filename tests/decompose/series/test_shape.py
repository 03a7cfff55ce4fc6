"""Where a part applies, and whether it rises or falls there."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.decompose.series.shape import OPEN_WEIGHT, shape_of, window_weight
from autostatistician.inference.covariance.matrices import prior_variance
from autostatistician.language.kernel import Kernel, leaf

ONE, ZERO = leaf("C", sd=1.0), leaf("0")
X = np.linspace(0.0, 10.0, 41)
OPENED = np.ones(41)


@pytest.mark.parametrize(
    "part",
    [
        ONE,
        Kernel.change_point(ONE, ZERO, 4.0, 2.0),
        Kernel.change_point(ZERO, ONE, 4.0, 2.0),
        Kernel.change_window(ZERO, ONE, 5.0, 3.0, 4.0),
        Kernel.change_window(ONE, ZERO, 5.0, 3.0, 4.0),
        Kernel.change_point(ZERO, Kernel.change_window(ZERO, ONE, 5.0, 3.0, 4.0), 4.0, 2.0),
    ],
    ids=str,
)
def test_the_window_is_the_prior_of_a_unit_constant_in_it(part: Kernel) -> None:
    np.testing.assert_allclose(window_weight(part, X[:, None]), np.sqrt(prior_variance(part, X[:, None])), atol=1e-12)


def test_leaves_inside_do_not_matter() -> None:
    inside = leaf("SE", lengthscale=1.0, sd=5.0) * leaf("Lin", sd=1.0, location=3.0) + leaf("WN", sd=2.0)
    found = window_weight(Kernel.change_point(inside, ZERO, 4.0, 2.0), X[:, None])
    np.testing.assert_allclose(found, window_weight(Kernel.change_point(ONE, ZERO, 4.0, 2.0), X[:, None]))


@pytest.mark.parametrize(
    ("mean", "expected"),
    [(X, 1), (-X, -1), (np.sin(X), 0), (np.ones(41), 0), (1e9 + 1e-9 * np.sin(X), 0), (np.tanh(9.0 * (X - 5.0)), 1)],
)
def test_monotonic(mean: np.ndarray, expected: int) -> None:
    assert shape_of(X, mean, OPENED).monotonic == expected


def test_only_open_data_count() -> None:
    mean = np.where(X < 5.0, X, 10.0 - X)
    shape = shape_of(X, mean, np.where(X < 4.0, 1.0, OPEN_WEIGHT))
    assert (shape.active, shape.monotonic, shape.slope) == ((0.0, 3.75), 1, pytest.approx(1.0))
    assert (shape.low, shape.high) == (0.0, 3.75)


def test_a_closed_window_leaves_nothing_but_the_extremes() -> None:
    shape = shape_of(X, X, np.full(41, 0.5))
    assert (shape.active, shape.rows, shape.monotonic, shape.slope) == (None, None, 0, 0.0)
    assert (shape.low, shape.high) == (0.0, 10.0)


def test_repeated_and_single_positions() -> None:
    x = np.array([0.0, 0.0, 1.0, 1.0])
    assert shape_of(x, 2.0 * x, np.ones(4)).monotonic == 1
    alone = shape_of(np.ones(3), np.ones(3), np.ones(3))
    assert (alone.active, alone.monotonic, alone.slope) == ((1.0, 1.0), 0, 0.0)
