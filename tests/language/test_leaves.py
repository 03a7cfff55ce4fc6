"""Laws of the table of leaves: what a row claims of its leaf is true of its covariance."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.oracles import covariance

from autostatistician.language.expr import Leaf
from autostatistician.language.kernel import Kernel
from autostatistician.language.leaf_row import LeafKind, LeafRow, Role, Unit
from autostatistician.language.leaves import (
    LEAVES,
    category_symbol,
    is_leaf_of,
    lag_function,
    own_parameters,
)

Array = NDArray[np.float64]

X = np.array([0.0, 0.3, 0.5, 1.1, 1.9, 2.0, 3.7])
OF_LAG = [symbol for symbol, row in LEAVES.items() if row.of_lag is not None]
DECAYING = [symbol for symbol, row in LEAVES.items() if row.decay is not None]
DIVISIBLE = [symbol for symbol, row in LEAVES.items() if row.divisible]


def _correlation(symbol: str, lags: Array) -> Array:
    """The leaf with unit numbers, by its row."""
    return lag_function(symbol).value(lags, *(1.0 for _ in LEAVES[symbol].parameters))


@pytest.mark.parametrize("symbol", LEAVES)
def test_a_row_is_whole(symbol: str) -> None:
    row = LEAVES[symbol]
    assert row.name
    assert row.noun
    assert row.names_and_roles == tuple((number.name, number.role) for number in row.parameters)
    assert len({number.name for number in row.parameters}) == len(row.parameters)
    assert all(number.meaning for number in row.parameters)
    assert all(row.parameter(number.name) is number for number in row.parameters)


@pytest.mark.parametrize("symbol", LEAVES)
def test_bounds_are_in_units_that_fit_the_roles(symbol: str) -> None:
    fitting = {
        Role.SD: {Unit.SIZE, Unit.NOISE_FLOOR},
        Role.SLOPE: {Unit.SIZE_PER_RANGE},
        Role.DIFFUSION: {Unit.SIZE_PER_ROOT_RANGE},
        Role.LENGTH: {Unit.SPACING, Unit.RANGE, Unit.SHORTEST_PERIOD, Unit.LONGEST_PERIOD},
        Role.SHAPE: {Unit.ONE},
        Role.LOCATION: {Unit.RANGES_BELOW, Unit.RANGES_ABOVE},
    }
    for number in LEAVES[symbol].parameters:
        assert {number.lowest.unit, number.highest.unit} <= fitting[number.role]
        assert number.lowest.value > 0.0 or number.held
        if number.lowest.unit is number.highest.unit and not number.held:
            assert number.lowest.value < number.highest.value


@pytest.mark.parametrize("symbol", LEAVES)
def test_stationary_leaves_depend_on_the_lag_alone(symbol: str) -> None:
    kernel = Kernel(Leaf(symbol), (1.0,) * len(LEAVES[symbol].parameters))
    moved = np.allclose(covariance(kernel, X), covariance(kernel, X + 0.25))
    assert moved == LEAVES[symbol].stationary


@pytest.mark.parametrize("symbol", DECAYING)
def test_correlations_fall_as_their_decay_says(symbol: str) -> None:
    decay, near = LEAVES[symbol].decay, 1e-3
    assert decay is not None
    assert LEAVES[symbol].parameters[0].role is Role.LENGTH
    fall = 1.0 - _correlation(symbol, np.array([near]))[0]
    assert fall == pytest.approx(decay.rate * near**decay.power, rel=5e-3)
    exact = np.allclose(_correlation(symbol, X), np.exp(-decay.rate * X**decay.power), rtol=1e-12)
    assert exact == decay.exponential


@pytest.mark.parametrize("symbol", DECAYING)
def test_rough_leaves_alone_have_a_kink(symbol: str) -> None:
    decay, step = LEAVES[symbol].decay, 1e-6
    assert decay is not None
    slope = lag_function(symbol).slope(np.array([step]), *(1.0 for _ in LEAVES[symbol].parameters))[0]
    assert (abs(slope) > 0.5) == (decay.power == 1)


@pytest.mark.parametrize("symbol", OF_LAG)
def test_divisible_leaves_and_no_others_stay_covariances_at_small_powers(symbol: str) -> None:
    correlations = _correlation(symbol, np.subtract.outer(X, X))
    positive = bool((correlations > 0.0).all())
    powers = (
        [np.linalg.eigvalsh(correlations**power).min() > -1e-9 for power in (0.1, 0.5, 1.5)] if positive else [False]
    )
    assert all(powers) == LEAVES[symbol].divisible


def test_spellings_lead_to_one_leaf() -> None:
    spellings = [name for row in LEAVES.values() for name in row.spellings]
    assert len(set(spellings)) == len(spellings)
    assert all(name == name.lower() for name in spellings)


def test_leaves_without_a_form_of_the_lag_are_refused() -> None:
    assert lag_function("SE") is LEAVES["SE"].of_lag
    for symbol in ("Lin", "Cat3r1", "none of ours"):
        with pytest.raises(KeyError):
            lag_function(symbol)
    with pytest.raises(KeyError, match="period"):
        LEAVES["SE"].parameter("period")


def test_kinds_are_asked_of_single_leaves() -> None:
    assert is_leaf_of(Leaf("Cat4r2", "a"), LeafKind.CATEGORIES, LeafKind.NOISE)
    assert not is_leaf_of(Leaf("Cat4r2", "a"), LeafKind.NOISE)
    assert not is_leaf_of(Leaf("WN") + Leaf("WN"), LeafKind.NOISE)


# Full covariances of categories ------------------------------------------------------------------------------


@pytest.mark.parametrize(("levels", "rank"), [(1, 0), (3, 1), (5, 5), (99, 2)])
def test_every_full_covariance_of_categories_has_a_row(levels: int, rank: int) -> None:
    symbol = category_symbol(levels, rank)
    assert symbol in LEAVES
    row: LeafRow = LEAVES[symbol]
    assert row.shape == (levels, rank)
    roles = [role for _, role in row.names_and_roles]
    assert roles.count(Role.SD) == levels
    assert roles.count(Role.WEIGHT) == sum(min(level, rank) for level in range(1, levels + 1))
    assert row.scale_index is None
    floors = {number.lowest.unit for number in row.parameters if number.role is Role.SD}
    assert floors == {Unit.SIZE if rank else Unit.NOISE_FLOOR}


@pytest.mark.parametrize("symbol", ["Cat0r0", "Cat2r3", "Cat100r1", "Cat2r", "Cat02r1", "cat2r1", ""])
def test_what_is_no_such_symbol_is_no_leaf(symbol: str) -> None:
    assert symbol not in LEAVES
    with pytest.raises(KeyError):
        LEAVES[symbol]


def test_operators_have_the_numbers_of_their_edges() -> None:
    assert [name for name, _ in own_parameters(Leaf("C") + Leaf("C"))] == []
    assert [name for name, _ in own_parameters(Leaf("C") * Leaf("C"))] == []
