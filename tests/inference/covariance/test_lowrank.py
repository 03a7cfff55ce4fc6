"""Full covariances of categories: their formula by hand, gradients by differences, and the rules of products."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import approx_fprime

from autostatistician.inference.covariance.lowrank import between, category_matrix, loadings
from autostatistician.inference.covariance.matrices import covariance, prior_variance
from autostatistician.inference.engines.choice import objective_of
from autostatistician.inference.fitting.optimise import fit
from autostatistician.inference.parameters.balance import balanced
from autostatistician.inference.parameters.scales import measure
from autostatistician.inference.problem import Problem
from autostatistician.language.count import effective_parameters, held_values
from autostatistician.language.expr import Leaf
from autostatistician.language.json_form import kernel_from_json, kernel_to_json
from autostatistician.language.kernel import Kernel, leaf, parameters
from autostatistician.language.leaves import LEAVES, category_symbol
from autostatistician.language.text import format_kernel, parse
from autostatistician.language.units import rescaled

COLUMNS = ("x", "c")
RNG = np.random.default_rng(0)
X = np.column_stack([RNG.uniform(0.0, 3.0, 24), RNG.integers(0, 3, 24)])
Y = np.sin(X[:, 0]) * (X[:, 1] - 0.5) + 0.1 * RNG.standard_normal(24)


def _kernel(text: str, seed: int = 1) -> Kernel:
    expr = parse(text)
    draws = np.random.default_rng(seed).uniform(0.4, 1.5, len(parameters(expr)))
    signs = np.where(np.random.default_rng(seed + 1).random(len(draws)) < 0.5, -1.0, 1.0)
    roles = [parameter.role.positive for parameter in parameters(expr)]
    return Kernel(expr, tuple(float(d if p else s * d) for d, s, p in zip(draws, signs, roles, strict=True)))


@given(st.integers(1, 5), st.data())
def test_it_is_the_formula(levels: int, data: st.DataObject) -> None:
    rank = data.draw(st.integers(0, levels))
    names = [name for name, _ in LEAVES[category_symbol(levels, rank)].names_and_roles]
    own = tuple(np.random.default_rng(levels).standard_normal(len(names)))
    by_name = dict(zip(names, own, strict=True))
    for a in range(levels):
        for b in range(levels):
            each = [
                by_name.get(f"w{a + 1}" if rank == 1 else f"w{a + 1}_{k + 1}", 0.0)
                * by_name.get(f"w{b + 1}" if rank == 1 else f"w{b + 1}_{k + 1}", 0.0)
                for k in range(rank)
            ]
            expected = sum(each) + (by_name[f"sd{a + 1}"] ** 2 if a == b else 0.0)
            assert between((levels, rank), own)[a, b] == pytest.approx(expected)


@pytest.mark.parametrize("symbol", ["Cat0r0", "Cat3r4", "Cat100r1", "Cat3", "Cat03r1", "Cat3r01", "cat3r1", "Cat3r1x"])
def test_other_symbols_are_no_leaves(symbol: str) -> None:
    assert symbol not in LEAVES


def test_text_and_json_come_back() -> None:
    kernel = _kernel("SE[x] * Cat3r2[c] + WN * Cat3r0[c]")
    assert parse(str(kernel)) == kernel.expr
    assert kernel_from_json(kernel_to_json(kernel)) == kernel
    assert "w3_2=" in format_kernel(kernel)


@pytest.mark.parametrize(
    "text",
    ["SE[x] * Cat3r1[c] + WN", "SE[x] * Cat3r2[c] + WN * Cat3r0[c]", "Lin[x] * Cat3r3[c] + Cat[c] * SE[x] + WN",
     "CP[x](Cat3r1[c], SE[x]) + WN"],
)  # fmt: skip
def test_value_and_gradient_are_those_of_dense_algebra(text: str) -> None:
    kernel, points = _kernel(text), Problem(X, Y, COLUMNS)
    evidence, values = objective_of(kernel.expr, points), np.array(kernel.values)
    K = covariance(kernel, X, None, COLUMNS)
    expected = 0.5 * Y @ np.linalg.solve(K, Y) + 0.5 * np.linalg.slogdet(K)[1] + 12 * np.log(2 * np.pi)
    value, gradient = evidence.value_and_gradient(kernel.values)
    assert value == pytest.approx(expected, rel=1e-10)
    positive = np.array([parameter.role.positive for parameter in parameters(kernel.expr)])

    def shifted(u: np.ndarray) -> float:
        return evidence.value(tuple(np.where(positive, values * np.exp(np.where(positive, u, 0.0)), values + u)))

    numeric = approx_fprime(np.zeros(len(values)), shifted, 1e-6)
    np.testing.assert_allclose(gradient, numeric, atol=2e-4 * np.abs(numeric).max())


def test_on_one_column_too() -> None:
    kernel = _kernel("Cat3r1 + WN")
    points = Problem(X[:, 1:], Y, ("c",))
    K = covariance(kernel, X[:, 1:])
    expected = 0.5 * Y @ np.linalg.solve(K, Y) + 0.5 * np.linalg.slogdet(K)[1] + 12 * np.log(2 * np.pi)
    assert objective_of(kernel.expr, points).value_and_gradient(kernel.values)[0] == pytest.approx(expected, rel=1e-10)


def test_the_diagonal_is_that_of_the_matrix() -> None:
    kernel = _kernel("SE[x] * Cat3r1[c] + WN * Cat3r0[c]")
    matrix = covariance(kernel, X, None, COLUMNS)
    np.testing.assert_allclose(prior_variance(kernel, X, COLUMNS), matrix.diagonal(), rtol=1e-12)


def test_unseen_categories_share_nothing() -> None:
    own = (1.0, 2.0, 0.5, 0.5)
    found = category_matrix((2, 1), own, np.array([0.0, 2.0, 3.0]), np.array([0.0, 1.0, 2.0, 3.0]))
    mean = (1.25 + 4.25) / 2
    assert found.tolist() == [[1.25, 2.0, 0.0, 0.0], [0.0, 0.0, mean, 0.0], [0.0, 0.0, 0.0, mean]]


def test_the_scale_of_a_product_lies_in_the_categories() -> None:
    expr = parse("SE[x] * Cat3r1[c]")
    assert [parameters(expr)[index].name for index in held_values(expr)] == ["sd"]
    assert effective_parameters(expr) == 1 + 3 + 3
    kernel = Kernel(expr, (0.7, 3.0, 1.0, -1.0, 2.0, 0.1, 0.2, 0.3))
    even = balanced(kernel, measure(X, Y, COLUMNS))
    assert even.values[1] == pytest.approx(1.0)
    np.testing.assert_allclose(covariance(even, X, None, COLUMNS), covariance(kernel, X, None, COLUMNS), rtol=1e-12)


def test_other_units_of_the_output() -> None:
    kernel = _kernel("SE[x] * Cat3r1[c] + Cat3r0[c]")
    larger = covariance(rescaled(kernel, y_scale=3.0), X, None, COLUMNS)
    np.testing.assert_allclose(larger, 9.0 * covariance(kernel, X, None, COLUMNS), rtol=1e-12)


def test_a_fit_finds_that_two_categories_are_opposite() -> None:
    x = np.repeat(np.linspace(0.0, 6.0, 30), 2)
    code = np.tile([0.0, 1.0], 30)
    y = np.sin(x) * np.where(code == 0.0, 1.0, -1.0) + 0.05 * np.random.default_rng(3).standard_normal(60)
    inputs, columns = np.column_stack([x, code]), ("x", "c")
    start = leaf("SE", "x", lengthscale=1.0, sd=1.0) * Kernel(Leaf("Cat2r1", "c"), (0.5, -0.1, 0.3, 0.3))
    start = start + leaf("WN", sd=0.1)
    found = fit(start, Problem(inputs, y, columns), measure(inputs, y, columns))
    place = [str(part) for part in found.kernel.parts].index("SE[x] * Cat2r1[c]")
    B = between((2, 1), found.kernel.parts[place].parts[1].own)
    assert B[0, 1] / np.sqrt(B[0, 0] * B[1, 1]) < -0.95
    weights, _ = loadings((2, 1), found.kernel.parts[place].parts[1].own)
    assert weights[0, 0] * weights[1, 0] < 0.0
