"""Quasi-Newton steps from several starts."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician.inference.covariance.factor import NotPositiveDefinite
from autostatistician.inference.fitting.descent import lowest, wandered

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


def test_a_walk_along_noisy_slopes_comes_near_and_stays_inside() -> None:
    rng = np.random.default_rng(0)

    def estimate(u: Array) -> tuple[float, Array]:
        return float(np.sum((u - 2.0) ** 2)), 2.0 * (u - 2.0) + rng.normal(size=2)

    places = wandered(estimate, np.zeros(2), (np.full(2, -5.0), np.array([5.0, 1.0])), 400, 0.05)
    assert len(places) == 401
    assert np.mean(places[-100:], axis=0) == pytest.approx([2.0, 1.0], abs=0.1)
    assert max(place[1] for place in places) <= 1.0


def test_a_walk_ends_before_a_place_without_a_value() -> None:
    def estimate(u: Array) -> tuple[float, Array]:
        return (float("inf") if u[0] > 0.25 else -float(u[0])), np.array([-1.0])

    places = wandered(estimate, np.zeros(1), (np.full(1, -9.0), np.full(1, 9.0)), 50, 0.1)
    assert places[-1][0] == pytest.approx(0.2)
    assert wandered(lambda u: (float("nan"), u), np.ones(1), (np.zeros(1), np.ones(1)), 5, 0.1) == [np.ones(1)]
