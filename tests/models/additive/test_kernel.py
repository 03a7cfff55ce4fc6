"""The additive kernel against the published identities."""

from itertools import combinations, product
from math import exp, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import approx_fprime
from tests.models.additive.categories import SHARES, orthogonal, plain

from autostatistician.models.additive.base import base_of, base_of_categories
from autostatistician.models.additive.evidence import negative_log_evidence
from autostatistician.models.additive.kernel import AdditiveKernel, Layout, polynomials
from autostatistician.models.additive.many_rows import (
    ColumnProducts,
    chosen_places,
    exact_evidence,
    has_products,
    negative_bound_of_columns,
)

RNG = np.random.default_rng(0)
ROWS = np.column_stack([RNG.normal(size=(200, 2)), RNG.normal(size=200).round(1)])  # the last column has ties
Y = np.sin(2.0 * ROWS).sum(axis=1) + 0.3 * RNG.normal(size=200)


def kernel_of(*symbols: str) -> AdditiveKernel:
    layout = Layout(tuple(map(base_of, symbols)), (1,))
    return AdditiveKernel(layout, np.random.default_rng(1).normal(-0.5, 0.3, layout.size))


@pytest.mark.parametrize("symbols", [("SE", "Matern12", "Matern32"), ("Per", "SE", "SE")])
def test_products_are_those_of_the_matrix(symbols: tuple[str, ...]) -> None:
    kernel, values = kernel_of(*symbols), RNG.normal(size=(200, 2))
    K = kernel.matrix(ROWS) + kernel.noise_variance * np.eye(200)
    assert ColumnProducts.of(kernel, ROWS).times(values) == pytest.approx(K @ values, abs=1e-7)


@pytest.mark.parametrize("symbol", ["SE", "Matern12"])
def test_the_evidence_is_that_of_the_matrix(symbol: str) -> None:
    """Where places say all (smooth functions) and where they do not."""
    kernel = kernel_of(symbol, symbol, symbol)
    places = chosen_places(kernel, ROWS, 60)
    found = exact_evidence(kernel, ROWS, Y, places, np.random.default_rng(2))
    true = -negative_log_evidence(kernel.layout, kernel.u, ROWS, Y)[0]
    bound = -negative_bound_of_columns(kernel.layout, kernel.u, ROWS, Y, places)[0]
    assert found.value == pytest.approx(true, abs=1e-3 + 3.0 * found.error)
    assert found.error < 1e-3 + 0.1 * (true - bound)
    K = kernel.matrix(ROWS) + kernel.noise_variance * np.eye(200)
    assert found.alpha == pytest.approx(np.linalg.solve(K, Y), abs=1e-4)


def test_lines_of_categories_have_none() -> None:
    assert has_products(kernel_of("SE", "Per", "RQ").layout)
    assert not has_products(kernel_of("SE", "Cat", "SE").layout)
    assert not has_products(Layout((base_of("SE"),) * 2, (1, 2)))


@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 99))
def test_polynomials_are_sums_over_subsets(columns: int, order: int, seed: int) -> None:
    z = np.random.default_rng(seed).uniform(-1.0, 1.0, (columns, 4))
    slow = [sum(np.prod(z[list(one)], axis=0) for one in combinations(range(columns), r)) for r in range(order + 1)]
    assert polynomials(z, order) == pytest.approx(np.array([np.broadcast_to(one, 4) for one in slow]), abs=1e-12)


RNG_OF_KERNEL = np.random.default_rng(0)
X = RNG_OF_KERNEL.normal(size=(25, 3))


def test_the_highest_order_of_se_is_the_product_of_all_columns() -> None:
    layout = Layout((base_of("SE"),) * 3, (3,))
    kernel = AdditiveKernel(layout, np.array([0.1, -0.2, 0.3, 0.0, -2.0]))
    lengths = np.exp([0.1, -0.2, 0.3])
    expected = np.exp(-0.5 * (((X[:, None] - X[None]) / lengths) ** 2).sum(axis=2))
    assert kernel.matrix(X) == pytest.approx(expected)
    assert kernel.covariance(X[:4], X) == pytest.approx(expected[:4])
    assert kernel.variance(X) == pytest.approx(1.0)


def test_all_subsets_is_a_product_and_dropping_inputs_makes_it() -> None:
    """Input dropout with probability 1/2 averages over all subsets: 2^-D prod_d (1 + k_d) (Duvenaud 2014)."""
    layout = Layout((base_of("SE"),) * 3, (0, 1, 2, 3), tied=True)
    u = np.array([0.1, -0.2, 0.3, -3.0 * np.log(2.0), 0.0, -2.0])
    each = [np.exp(-0.5 * ((X[:, None, d] - X[None, :, d]) / np.exp(u[d])) ** 2) for d in range(3)]
    masks = [prod((each[d] for d in range(3) if mask >> d & 1), start=np.ones((25, 25))) for mask in range(8)]
    assert AdditiveKernel(layout, u).matrix(X) == pytest.approx(np.mean(masks, axis=0))
    assert AdditiveKernel(layout, u).matrix(X) == pytest.approx(np.prod([1.0 + k for k in each], axis=0) / 8.0)


def test_the_matrix_is_the_sum_over_subsets_of_columns() -> None:
    bases = (base_of("SE"), base_of("Cat"), base_of_categories(SHARES))
    u = np.array([0.2, -0.4, 0.6, 0.1, -0.3, 0.5, -1.0])
    codes = RNG_OF_KERNEL.integers(0, [2, 4], (7, 2))
    rows = np.column_stack([RNG_OF_KERNEL.normal(size=7), codes])
    expected = np.zeros((7, 7))
    for (i, x), (j, z) in product(enumerate(rows), repeat=2):
        k = [exp(-0.5 * ((x[0] - z[0]) / exp(0.2)) ** 2), plain(x[1], z[1], exp(-0.4))]
        k.append(orthogonal(x[2], z[2], exp(0.6)))
        sums = [sum(np.prod([k[d] for d in chosen]) for chosen in combinations(range(3), r)) for r in (1, 2, 3)]
        expected[i, j] = sum(exp(v) / count * one for v, count, one in zip(u[3:6], (3, 3, 1), sums, strict=True))
    layout = Layout(bases, (1, 2, 3))
    assert AdditiveKernel(layout, u).matrix(rows) == pytest.approx(expected)
    y = RNG_OF_KERNEL.normal(size=7)
    slope = approx_fprime(u, lambda v: negative_log_evidence(layout, v, rows, y)[0], 1e-6)
    assert negative_log_evidence(layout, u, rows, y)[1] == pytest.approx(slope, rel=1e-3, abs=1e-3)
