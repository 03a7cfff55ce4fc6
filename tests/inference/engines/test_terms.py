"""Sums and products of terms against matrices, and the way back by finite differences."""

from __future__ import annotations

from copy import deepcopy

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician.inference.engines.terms import (
    BLOCK_LENGTH,
    Slot,
    Terms,
    added,
    multiplied,
    product_adjoint,
    total,
    with_factor,
)

Vector = NDArray[np.float64]
LAGS = np.array([3.0, 2.0, 1.0])  # of which the first is that of a point with itself


class Memory:
    """Fresh memory."""

    def __init__(self) -> None:
        self.asked = 0

    def scratch(self, length: int) -> Vector:
        self.asked += 1
        return np.full(length, np.nan)


ONE: Terms = {(): Slot(LAGS.copy(), 0.5), (0,): Slot(2.0)}
OTHER: Terms = {(): Slot(0.0, 4.0), (1,): Slot(LAGS**2, 0.25)}


def _on_diagonal(terms: Terms) -> float:
    """The variance of a point at which all profiles are one."""
    return sum(slot.at_zero() + slot.d for slot in terms.values())


def _apart(terms: Terms) -> Vector:
    """Covariances of points apart."""
    return sum(((np.zeros(3) + slot.v)[1:] for slot in terms.values()), np.zeros(2))


def test_sums_and_products_are_those_of_the_covariances() -> None:
    memory = Memory()
    assert _on_diagonal(added([ONE, OTHER], memory)) == _on_diagonal(ONE) + _on_diagonal(OTHER)
    assert _on_diagonal(multiplied(ONE, OTHER, memory)) == _on_diagonal(ONE) * _on_diagonal(OTHER)
    np.testing.assert_allclose(_apart(multiplied(ONE, OTHER, memory)), _apart(ONE) * _apart(OTHER))
    assert set(multiplied(ONE, OTHER, memory)) == {(), (0,), (1,), (0, 1)}
    assert memory.asked == 0


def test_long_vectors_come_from_the_memory() -> None:
    memory, long = Memory(), np.linspace(0.0, 1.0, BLOCK_LENGTH + 1)
    found = multiplied({(): Slot(long)}, {(): Slot(long)}, memory)[()].v
    np.testing.assert_array_equal(found, long**2)
    assert memory.asked == 1


def _measure(terms: Terms) -> float:
    """A linear function of terms, with another weight on every part of them."""
    return sum(
        (index + 1.0) * (total(slot.v * np.array([1.0, -2.0, 0.5])) + 3.0 * slot.d)
        for index, (_, slot) in enumerate(sorted(terms.items()))
    )


def test_the_way_back_is_the_derivative() -> None:
    """In steps of one: a product is linear in each factor, so differences are derivatives."""
    memory, whole = Memory(), multiplied(ONE, OTHER, Memory())
    weights = {
        key: Slot((index + 1.0) * np.array([1.0, -2.0, 0.5]), (index + 1.0) * 3.0)
        for index, key in enumerate(sorted(whole))
    }
    found = product_adjoint(ONE, OTHER, weights, memory)
    moved = deepcopy(ONE)
    moved[()].d += 1.0
    assert found[()].d == pytest.approx(_measure(multiplied(moved, OTHER, memory)) - _measure(whole))
    for lag in range(3):
        moved = deepcopy(ONE)
        moved[()].v = np.asarray(moved[()].v) + np.eye(3)[lag]
        assert np.asarray(found[()].v)[lag] == pytest.approx(
            _measure(multiplied(moved, OTHER, memory)) - _measure(whole)
        )
    moved = deepcopy(ONE)
    moved[(0,)].v = 3.0
    assert found[(0,)].v == pytest.approx(_measure(multiplied(moved, OTHER, memory)) - _measure(whole))


def test_a_profile_keeps_its_factors_in_order() -> None:
    assert with_factor((1, 3), 2) == (1, 2, 3)
