"""Products with the exact matrix of a first-order kernel, column by column."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.additive.base import base_of
from autostatistician.additive.column_products import ColumnProducts, exact_evidence, has_products
from autostatistician.additive.evidence import negative_log_evidence
from autostatistician.additive.first_order import chosen_places, negative_bound_of_columns
from autostatistician.additive.kernel import AdditiveKernel, Layout

RNG = np.random.default_rng(0)
X = np.column_stack([RNG.normal(size=(200, 2)), RNG.normal(size=200).round(1)])  # the last column has ties
Y = np.sin(2.0 * X).sum(axis=1) + 0.3 * RNG.normal(size=200)


def kernel_of(*symbols: str) -> AdditiveKernel:
    layout = Layout(tuple(map(base_of, symbols)), (1,))
    return AdditiveKernel(layout, np.random.default_rng(1).normal(-0.5, 0.3, layout.size))


@pytest.mark.parametrize("symbols", [("SE", "Matern12", "Matern32"), ("Per", "SE", "SE")])
def test_products_are_those_of_the_matrix(symbols: tuple[str, ...]) -> None:
    kernel, values = kernel_of(*symbols), RNG.normal(size=(200, 2))
    K = kernel.matrix(X) + kernel.noise_variance * np.eye(200)
    assert ColumnProducts.of(kernel, X).times(values) == pytest.approx(K @ values, abs=1e-7)


@pytest.mark.parametrize("symbol", ["SE", "Matern12"])
def test_the_evidence_is_that_of_the_matrix(symbol: str) -> None:
    """Where places say all (smooth functions) and where they do not."""
    kernel = kernel_of(symbol, symbol, symbol)
    places = chosen_places(kernel, X, 60)
    found = exact_evidence(kernel, X, Y, places, np.random.default_rng(2))
    true = -negative_log_evidence(kernel.layout, kernel.u, X, Y)[0]
    bound = -negative_bound_of_columns(kernel.layout, kernel.u, X, Y, places)[0]
    assert found.value == pytest.approx(true, abs=1e-3 + 3.0 * found.error)
    assert found.error < 1e-3 + 0.1 * (true - bound)
    K = kernel.matrix(X) + kernel.noise_variance * np.eye(200)
    assert found.alpha == pytest.approx(np.linalg.solve(K, Y), abs=1e-4)


def test_lines_of_categories_have_none() -> None:
    assert has_products(kernel_of("SE", "Per", "RQ").layout)
    assert not has_products(kernel_of("SE", "Cat", "SE").layout)
    assert not has_products(Layout((base_of("SE"),) * 2, (1, 2)))
