"""What follows from a row without being stated in it."""

from __future__ import annotations

import pytest

from autostatistician.language.lag_functions import SQUARED_EXPONENTIAL
from autostatistician.language.leaf_row import Amount, LeafKind, LeafParameter, LeafRow, Role, Start


def _parameter(name: str, role: Role) -> LeafParameter:
    return LeafParameter(name, role, name, Amount(0.1), Amount(1.0), Start.SHAPE)


def test_the_output_scale_is_the_number_of_that_name() -> None:
    """Of parameters that are all sizes (a full covariance of categories) none is the scale of the leaf."""
    length, size = _parameter("lengthscale", Role.LENGTH), _parameter("sd", Role.SD)
    assert LeafRow("k", "n", LeafKind.SMOOTH, (length, size)).scale_index == 1
    origin = _parameter("location", Role.LOCATION)
    assert LeafRow("k", "n", LeafKind.LINE, (_parameter("sd", Role.SLOPE), origin)).scale_index == 0
    of_categories = (_parameter("sd1", Role.SD), _parameter("sd2", Role.SD))
    assert LeafRow("k", "n", LeafKind.CATEGORIES, of_categories).scale_index is None


@pytest.mark.parametrize("kind", LeafKind)
def test_what_acts_on_no_column_is_stationary_and_what_does_needs_a_function_of_the_lag(kind: LeafKind) -> None:
    placeless = kind in (LeafKind.CONSTANT, LeafKind.NOISE, LeafKind.ZERO)
    parameters = tuple(_parameter(name, Role.SHAPE) for name in kind.parameters)
    row = LeafRow("k", "n", kind, parameters)
    assert row.has_column == (not placeless)
    assert row.stationary == placeless
    assert LeafRow("k", "n", kind, parameters, SQUARED_EXPONENTIAL).stationary


@pytest.mark.parametrize("kind", [kind for kind in LeafKind if kind.parameters])
def test_a_leaf_has_the_parameters_of_its_kind(kind: LeafKind) -> None:
    parameters = tuple(_parameter(name, Role.SHAPE) for name in kind.parameters)
    with pytest.raises(ValueError, match=f"to have \\['{kind.parameters[-1]}'\\]"):
        LeafRow("k", "n", kind, parameters[:-1])


def test_only_positions_and_weights_may_be_negative() -> None:
    assert [role for role in Role if not role.positive] == [Role.LOCATION, Role.WEIGHT]
