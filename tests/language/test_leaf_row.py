"""What follows from a row without being stated in it."""

from __future__ import annotations

import pytest

from autostatistician.language.lag_functions import SQUARED_EXPONENTIAL
from autostatistician.language.leaf_row import Amount, LeafKind, LeafRow, Number, Role, Start


def _number(name: str, role: Role) -> Number:
    return Number(name, role, name, Amount(0.1), Amount(1.0), Start.SHAPE)


def test_the_output_scale_is_the_number_of_that_name() -> None:
    """Of numbers that are all sizes (a full covariance of categories) none is the scale of the leaf."""
    length, size = _number("lengthscale", Role.LENGTH), _number("sd", Role.SD)
    assert LeafRow("k", "n", LeafKind.SMOOTH, (length, size)).scale_index == 1
    origin = _number("location", Role.LOCATION)
    assert LeafRow("k", "n", LeafKind.LINE, (_number("sd", Role.SLOPE), origin)).scale_index == 0
    assert (
        LeafRow("k", "n", LeafKind.CATEGORIES, (_number("sd1", Role.SD), _number("sd2", Role.SD))).scale_index is None
    )


@pytest.mark.parametrize("kind", LeafKind)
def test_what_acts_on_no_column_is_stationary_and_what_does_needs_a_function_of_the_lag(kind: LeafKind) -> None:
    placeless = kind in (LeafKind.CONSTANT, LeafKind.NOISE, LeafKind.ZERO)
    numbers = tuple(_number(name, Role.SHAPE) for name in kind.numbers)
    row = LeafRow("k", "n", kind, numbers)
    assert row.has_column == (not placeless)
    assert row.stationary == placeless
    assert LeafRow("k", "n", kind, numbers, SQUARED_EXPONENTIAL).stationary


@pytest.mark.parametrize("kind", [kind for kind in LeafKind if kind.numbers])
def test_a_leaf_has_the_numbers_of_its_kind(kind: LeafKind) -> None:
    numbers = tuple(_number(name, Role.SHAPE) for name in kind.numbers)
    with pytest.raises(ValueError, match=f"to have \\['{kind.numbers[-1]}'\\]"):
        LeafRow("k", "n", kind, numbers[:-1])


def test_only_positions_and_weights_may_be_negative() -> None:
    assert [role for role in Role if not role.positive] == [Role.LOCATION, Role.WEIGHT]
