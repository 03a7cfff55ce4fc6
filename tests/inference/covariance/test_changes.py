"""The weight of the first operand of a change: its sides, and its derivatives by finite differences."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.inference.covariance.changes import change_weights, weights_and_slopes
from autostatistician.language.expr import ChangePoint, ChangeWindow, Leaf

X = np.linspace(-3.0, 5.0, 9)
CASES = [(ChangePoint(Leaf("C"), Leaf("SE")), (0.7, 2.0)), (ChangeWindow(Leaf("C"), Leaf("SE")), (0.7, 2.0, 3.0))]


@pytest.mark.parametrize(("expr", "own"), CASES, ids=["point", "window"])
def test_derivatives(expr: ChangePoint | ChangeWindow, own: tuple[float, ...]) -> None:
    for index, derivative in enumerate(weights_and_slopes(expr, X, own)[1]):
        moved = [list(own), list(own)]
        for sign, numbers in zip((-1.0, 1.0), moved, strict=True):  # the location as it is, the others as logarithms
            numbers[index] = numbers[index] + sign * 1e-6 if index == 0 else numbers[index] * np.exp(sign * 1e-6)
        low, high = (change_weights(expr, X, tuple(numbers))[0] for numbers in moved)
        np.testing.assert_allclose(derivative, (high - low) / 2e-6, atol=1e-8)


def test_sides() -> None:
    point, window = (change_weights(expr, np.array([-9.0, 0.7, 9.0]), own)[0] for expr, own in CASES)
    np.testing.assert_allclose(point, [1.0, 0.5, 0.0], atol=1e-9)
    assert window[[0, 2]] == pytest.approx(1.0, abs=1e-9)
    assert window[1] < 0.01


def test_weights_follow_the_tanh_and_keep_their_digits_far_away() -> None:
    (point, _), (window, _) = CASES
    before, after = change_weights(point, X, (1.0, 2.0))
    np.testing.assert_allclose(before, 0.5 * (1.0 - np.tanh(2.0 * (X - 1.0))))
    np.testing.assert_allclose(before + after, 1.0)
    assert 0.0 < change_weights(point, np.array([30.0]), (1.0, 2.0))[0][0] < 1e-49
    outside, inside = change_weights(window, X, (1.0, 2.0, 3.0))
    rise, fall = np.tanh(2.0 * (X + 0.5)), np.tanh(2.0 * (X - 2.5))
    np.testing.assert_allclose(inside, 0.25 * (1.0 + rise) * (1.0 - fall), atol=1e-15)
    np.testing.assert_allclose(outside + inside, 1.0)
    assert 0.0 < change_weights(window, np.array([2.5]), (2.5, 10.0, 8.0))[0][0] < 1e-34
