"""Leaves as exponential terms: what they and their derivatives are at lags, against the leaves themselves."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician.language.exponentials import Exponentials
from autostatistician.language.leaves import LEAVES, increments_of
from autostatistician.language.state_space import Accuracy, Derivative, LeafTerms

Array = NDArray[np.float64]

SHORTEST, LONGEST = 0.1, 50.0
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
    function, sign = increments_of(symbol), -1.0
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
    function = LEAVES["SE"].of_lag
    assert function is not None
    value, derivatives = function.value_and_derivatives(LAGS, *own)
    assert np.abs(found.at(LAGS) - value).max() <= 1e-14
    for by, derivative in zip(moved, derivatives, strict=True):
        assert np.abs(_moved(found, by) - derivative).max() <= 1e-14


def test_all_leaves_of_one_column_of_numbers_have_terms() -> None:
    assert {symbol for symbol, row in LEAVES.items() if row.state_space is None} == {"Cat"}


def test_leaves_are_exact_whatever_is_asked_or_say_how_fine_they_can_be() -> None:
    for symbol in NUMBERS:
        form = LEAVES[symbol].state_space
        assert form is not None
        assert (form.finest is None) == (symbol in EXACT)


def test_a_fit_takes_few_columns() -> None:
    for own in NUMBERS["RQ"]:
        found, _ = _terms("RQ", own, Accuracy(1e-6, SHORTEST, LONGEST))
        assert found.columns <= 40
