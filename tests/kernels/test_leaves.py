"""Laws of the table of leaves: what a row claims of its leaf is true of its covariance.

Every row of the table is whole, and a row that lacks a piece is told which one.
"""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.kernels.leaf_pieces import MATERN_52, lacking
from tests.oracles import covariance

from autostatistician.kernels.expr import Leaf
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.lag_functions import Accuracy, Derivative, Exponentials, LeafTerms, fit
from autostatistician.kernels.leaf_row import Amount, Decay, LeafKind, LeafParameter, LeafRow, Role, Start, Unit
from autostatistician.kernels.leaves import (
    LEAVES,
    category_symbol,
    is_leaf_of,
    lag_function,
    own_parameters,
)

Array = NDArray[np.float64]
SHORTEST, LONGEST = 0.1, 50.0
RQ, MATERN_32 = lag_function("RQ"), lag_function("Matern32")
LAGS = np.unique(np.concatenate([np.geomspace(SHORTEST, LONGEST, 300), np.linspace(SHORTEST, LONGEST, 300)]))

NUMBERS = {
    "SE": [(1.3, 0.7)],
    "RQ": [(1.0, 1.0, 0.05), (3.0, 1.0, 2.0), (100.0, 1.0, 0.3), (0.1, 1.0, 1.0), (10.0, 1.0, 100.0)],
    "Deep2": [(1.0, 1.0)],
    "Deep3": [(20.0, 1.0)],
    "Deep": [(1.0, 1.0)],
    "Matern12": [(2.0, 0.5)],
    "Matern32": [(2.0, 0.5)],
    "Cos": [(2.0, 0.5)],
    "Per": [(0.2, 3.0, 1.0), (1.0, 3.0, 1.0), (1e6, 3.0, 1.0)],
    "Wiener": [(0.7,)],
    "IOU": [(2.0, 0.7), (30.0, 1.0)],
}

EXACT = ("Matern12", "Matern32", "Cos", "Wiener", "IOU")


def _terms(symbol: str, own: tuple[float, ...], accuracy: Accuracy) -> LeafTerms:
    form = LEAVES[symbol].state_space
    assert form is not None
    return form.terms(own, accuracy)


def _moved(found: Exponentials, by: Derivative) -> Array:
    powers = LAGS[:, None, None] ** np.arange(found.weight.shape[1])
    change = (powers * by[0]).sum(-1) - LAGS[:, None] * (powers * found.weight).sum(-1) * by[1]
    return np.asarray((change * np.exp(-LAGS[:, None] * found.rate)).sum(-1).real)


@pytest.mark.parametrize(("symbol", "own"), [(symbol, own) for symbol, all_own in NUMBERS.items() for own in all_own])
def test_terms_are_the_leaf(symbol: str, own: tuple[float, ...]) -> None:
    function, sign = LEAVES[symbol].of_increments, -1.0
    if function is None:
        function, sign = LEAVES[symbol].of_lag, 1.0
    assert function is not None
    value, derivatives = function.value_and_derivatives(LAGS, *own)
    largest = np.abs(value).max()
    for error in (1e-3, 1e-6, 1e-8):
        found, moved = _terms(symbol, own, Accuracy(error, SHORTEST, LONGEST))
        allowed = 1e-12 if symbol in EXACT else error
        assert np.abs(sign * found.at(LAGS) - value).max() <= 1.01 * allowed * largest
        for by, derivative in zip(moved, derivatives, strict=True):
            # Derivatives of what is left out grow with lags over periods, or with rates.
            assert np.abs(sign * _moved(found, by) - derivative).max() <= 2e3 * allowed * largest


@pytest.mark.parametrize("lengthscale", [50.0, 300.0, 1e5])
def test_a_squared_exponential_longer_than_the_data_is_exact(lengthscale: float) -> None:
    own = lengthscale, 0.7
    found, moved = _terms("SE", own, Accuracy(0.0, SHORTEST, LONGEST))
    value, derivatives = lag_function("SE").value_and_derivatives(LAGS, *own)
    assert np.abs(found.at(LAGS) - value).max() <= 1e-14
    for by, derivative in zip(moved, derivatives, strict=True):
        assert np.abs(_moved(found, by) - derivative).max() <= 1e-14


def test_all_leaves_of_one_column_of_numbers_have_terms() -> None:
    assert {symbol for symbol, row in LEAVES.items() if row.state_space is None} == {"Cat"}


def test_leaves_are_exact_whatever_is_asked_or_say_how_fine_they_can_be() -> None:
    forms = {symbol: LEAVES[symbol].state_space for symbol in NUMBERS}
    assert {symbol for symbol, form in forms.items() if form is not None and form.finest is None} == set(EXACT)


def test_a_fit_takes_few_columns() -> None:
    for own in NUMBERS["RQ"]:
        found, _ = _terms("RQ", own, Accuracy(1e-6, SHORTEST, LONGEST))
        assert found.columns <= 40


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
    assert LeafRow("k", "n", kind, parameters, lag_function("SE")).stationary


@pytest.mark.parametrize("kind", [kind for kind in LeafKind if kind.parameters])
def test_a_leaf_has_the_parameters_of_its_kind(kind: LeafKind) -> None:
    parameters = tuple(_parameter(name, Role.SHAPE) for name in kind.parameters)
    with pytest.raises(ValueError, match=f"to have \\['{kind.parameters[-1]}'\\]"):
        LeafRow("k", "n", kind, parameters[:-1])


def test_only_positions_and_weights_may_be_negative() -> None:
    assert [role for role in Role if not role.positive] == [Role.LOCATION, Role.WEIGHT]


def test_one_choice_of_terms_serves_all_shapes_nearby() -> None:
    shapes = np.exp(np.linspace(-0.099, 0.099, 5))
    fits = [fit(RQ, (shape,), 0.05, 30.0, 1e-7) for shape in shapes]
    assert len({id(found) for found in fits}) == 1
    for shape, found in zip(shapes, fits, strict=True):
        lags = np.linspace(0.05, 30.0, 1000)
        values = np.exp(-np.outer(lags, found.rates)) @ found.weights(RQ.value(found.lags, 1.0, 1.0, float(shape)))
        assert np.abs(values.real - RQ.value(lags, 1.0, 1.0, float(shape))).max() < 1e-6


def test_terms_without_frequency_come_first() -> None:
    found = fit(lag_function("Deep"), (), 0.05, 30.0, 1e-6)
    assert (found.rates[: found.real].imag == 0.0).all()
    assert (found.rates[found.real :].imag > 0.0).all()
    assert (found.weights(np.ones(len(found.lags)))[: found.real].imag == 0.0).all()


X = np.array([0.0, 0.3, 0.5, 1.1, 1.9, 2.0, 3.7])
OF_LAG = [symbol for symbol, row in LEAVES.items() if row.of_lag is not None]
DECAYING = [symbol for symbol, row in LEAVES.items() if row.decay is not None]


def _correlation(symbol: str, lags: Array) -> Array:
    """The leaf with unit numbers, by its row."""
    return lag_function(symbol).value(lags, *(1.0 for _ in LEAVES[symbol].parameters))


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


@pytest.mark.parametrize(
    "symbol", ["Cat0r0", "Cat2r3", "Cat100r1", "Cat2r", "Cat3", "Cat02r1", "Cat3r01", "Cat3r1x", "cat2r1", ""]
)
def test_what_is_no_such_symbol_is_no_leaf(symbol: str) -> None:
    assert symbol not in LEAVES
    with pytest.raises(KeyError):
        LEAVES[symbol]


def test_operators_have_the_numbers_of_their_edges() -> None:
    assert [name for name, _ in own_parameters(Leaf("C") + Leaf("C"))] == []
    assert [name for name, _ in own_parameters(Leaf("C") * Leaf("C"))] == []


OWN = MATERN_52.of_lag
assert OWN is not None


@pytest.mark.parametrize("symbol", LEAVES)
def test_rows_of_the_table_are_whole(symbol: str) -> None:
    assert lacking(LEAVES[symbol]) == []


@pytest.mark.parametrize(
    ("row", "missing"),
    [
        (MATERN_52, []),
        (replace(MATERN_52, noun=""), ["noun"]),
        (replace(MATERN_52, of_lag=None), ["of_lag"]),
        (replace(MATERN_52, decay=None), ["decay"]),
        (replace(MATERN_52, decay=Decay(1.5, 2)), ["decay"]),
        (replace(MATERN_52, state_space=None), ["state_space"]),
        (replace(MATERN_52, state_space=LEAVES["Matern32"].state_space), ["terms"]),
        (replace(MATERN_52, of_lag=replace(OWN, slope=lambda lag, *own: np.zeros(5))), ["slope"]),
        (
            replace(MATERN_52, of_lag=replace(OWN, value_and_derivatives=MATERN_32.value_and_derivatives)),
            ["derivatives"],
        ),
    ],
)
def test_what_a_row_lacks_is_named(row: LeafRow, missing: list[str]) -> None:
    assert lacking(row) == missing


def test_a_row_without_a_number_of_its_kind_cannot_be_made() -> None:
    with pytest.raises(ValueError, match=r"\['lengthscale'\]"):
        replace(MATERN_52, parameters=MATERN_52.parameters[1:])
