"""The weight of the first operand of a change: its sides, and its derivatives by finite differences."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.inference.covariance.changes import change_weight
from autostatistician.language.expr import ChangePoint, ChangeWindow, Expr, Leaf

X = np.linspace(-3.0, 5.0, 9)
CASES = [(ChangePoint(Leaf("C"), Leaf("SE")), (0.7, 2.0)), (ChangeWindow(Leaf("C"), Leaf("SE")), (0.7, 2.0, 3.0))]


@pytest.mark.parametrize(("expr", "own"), CASES, ids=["point", "window"])
def test_derivatives(expr: Expr, own: tuple[float, ...]) -> None:
    _, found = change_weight(expr, X, own)
    for index, derivative in enumerate(found):
        moved = [list(own), list(own)]
        for sign, numbers in zip((-1.0, 1.0), moved, strict=True):  # the location as it is, the others as logarithms
            numbers[index] = numbers[index] + sign * 1e-6 if index == 0 else numbers[index] * np.exp(sign * 1e-6)
        low, high = (change_weight(expr, X, tuple(numbers))[0] for numbers in moved)
        np.testing.assert_allclose(derivative, (high - low) / 2e-6, atol=1e-8)


def test_sides() -> None:
    point, window = (change_weight(expr, np.array([-9.0, 0.7, 9.0]), own)[0] for expr, own in CASES)
    np.testing.assert_allclose(point, [1.0, 0.5, 0.0], atol=1e-9)
    assert window[[0, 2]] == pytest.approx(1.0, abs=1e-9)
    assert window[1] < 0.01
