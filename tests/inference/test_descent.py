"""Quasi-Newton steps from several starts."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician.inference.descent import lowest
from autostatistician.inference.factor import NotPositiveDefinite

Array = NDArray[np.float64]
LIMITS = [(-2.0, 2.0)]


def _valleys(u: Array) -> tuple[float, Array]:
    """The lower of two valleys is below zero."""
    return float((u[0] ** 2 - 1.0) ** 2 + u[0]), 4.0 * u * (u**2 - 1.0) + 1.0


def test_the_lowest_of_several_starts_wins() -> None:
    both = [np.array([1.0]), np.array([-1.0])]
    assert lowest(_valleys, both, LIMITS, [(30, 1)])[0] == pytest.approx(-1.10715, abs=1e-4)
    assert lowest(_valleys, both[:1], LIMITS, [(30, 1)])[0] == pytest.approx(0.83756, abs=1e-4)
    assert lowest(_valleys, both[1:], [(-1.05, 2.0)], [(30, 1)])[0] == -1.05


def test_only_what_is_left_goes_on() -> None:
    asked: list[float] = []

    def watched(u: Array) -> tuple[float, Array]:
        asked.append(float(u[0]))
        return _valleys(u)

    lowest(watched, [np.array([1.0]), np.array([-1.0])], LIMITS, [(2, 1), (30, 1)])
    last = max(index for index, place in enumerate(asked) if place > 0.0)
    assert asked[last + 1] == -1.0
    assert len(asked) > last + 5


def test_places_without_a_value_are_left() -> None:
    def partly(u: Array) -> tuple[float, Array]:
        if u[0] < -0.5:
            raise NotPositiveDefinite
        return _valleys(u)

    both = [np.array([-1.0]), np.array([1.0])]
    assert lowest(partly, both, LIMITS, [(30, 1)])[0] == pytest.approx(0.83756, abs=1e-4)


def test_without_coordinates_there_is_one_place() -> None:
    assert lowest(_valleys, [np.zeros(0)], [], [(30, 1)]).shape == (0,)
