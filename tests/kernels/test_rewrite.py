"""Laws of rewriting: the covariance is preserved, normal forms are reached and stay."""

from collections.abc import Sequence
from math import isnan, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import Matrix, covariance
from tests.strategies import expressions, kernels

from autostatistician.kernels.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum, format_expr
from autostatistician.kernels.kernel import Kernel, leaf, operands, unset
from autostatistician.kernels.lag_functions import NO_TERMS, Accuracy, Exponentials, joined
from autostatistician.kernels.rewrite import canonical, components, sum_of_products
from autostatistician.kernels.simplify import simplify
from autostatistician.kernels.text import parse
from autostatistician.kernels.tree import (
    CHANGES,
    Node,
    at_scale,
    from_kernel,
    leaf_node,
    node_values,
    open_count,
    output_scale,
    plus,
    rebuilt,
    renewed,
    scaled_node,
    times,
    to_kernel,
)

PLACES = np.array([-1.0, 0.0, 0.4, 1.5])


def _nodes(node: Node) -> list[Node]:
    return [node, *(below for part in node.parts for below in _nodes(part))]


@given(kernels(max_leaves=8))
def test_a_tree_has_the_covariance_of_its_kernel(kernel: Kernel) -> None:
    again = to_kernel(from_kernel(kernel))
    size = 1.0 + np.abs(covariance(kernel, PLACES)).max()
    np.testing.assert_allclose(covariance(again, PLACES), covariance(kernel, PLACES), atol=1e-9 * size)
    assert to_kernel(from_kernel(again)) == again


@given(kernels(max_leaves=10, open_numbers=True))
def test_sums_and_products_are_flat_and_sorted_by_structure(kernel: Kernel) -> None:
    tree = from_kernel(kernel)
    for node in _nodes(tree):
        assert all(part.head != node.head for part in node.parts) or node.head in CHANGES
        if node.head in ("+", "*"):
            keys = [part.key for part in node.parts]
            assert keys == sorted(keys)
            assert len(keys) > 1
    assert open_count(tree) == sum(map(isnan, kernel.values))
    assert sorted(map(repr, node_values(tree))) == sorted(map(repr, kernel.values))


@given(kernels(max_leaves=6), st.sampled_from([0.5, 2.0, 3.0]))
def test_scaling_multiplies_the_covariance_by_the_square(kernel: Kernel, factor: float) -> None:
    scaled = to_kernel(scaled_node(from_kernel(kernel), factor))
    before = covariance(kernel, PLACES)
    allowed = 1e-8 * (1.0 + np.abs(before).max())
    np.testing.assert_allclose(covariance(scaled, PLACES), factor**2 * before, atol=allowed)


@given(kernels(max_leaves=4, changes=False), st.sampled_from([0.25, 2.0]))
def test_a_term_can_be_set_to_a_scale(kernel: Kernel, scale: float) -> None:
    term = from_kernel(kernel)
    if term.head == "+":  # sums have no scale of their own
        assert output_scale(term) == 1.0
    else:
        assert output_scale(at_scale(term, scale)) == pytest.approx(scale)


def test_numbers_break_ties_of_structure_and_open_ones_come_last() -> None:
    parts = [leaf_node("WN", None, (value,)) for value in (nan, 2.0, 1.0)]
    found = node_values(plus(parts))
    assert found[:2] == [1.0, 2.0]
    assert isnan(found[2])


def test_a_single_operand_is_itself_and_leaves_without_columns_lose_the_name() -> None:
    node = leaf_node("SE", "a", (1.0, 1.0))
    assert plus([node]) is node
    assert times([node]) is node
    assert leaf_node("C", "a", (1.0,)).column is None
    assert node.column == "a"


def test_what_does_not_change_is_not_made_again() -> None:
    whole = from_kernel(leaf("SE", lengthscale=1.0, sd=1.0) + leaf("WN", sd=1.0))
    assert renewed(whole, list(whole.parts)) is whole
    assert renewed(whole, [whole.parts[0], leaf_node("WN", None, (2.0,))]) is not whole
    assert rebuilt(whole.parts[0], []) is whole.parts[0]


def test_full_covariances_of_categories_stand_behind_everything_by_their_size() -> None:
    symbols = ["Cat10r1", "Cat2r1", "Cat2r0", "CP", "WN"]
    nodes = [from_kernel(leaf(symbol)) for symbol in symbols if symbol != "CP"]
    nodes.append(from_kernel(Kernel.change_point(leaf("C"), leaf("SE"), location=0.0, steepness=1.0)))
    assert [part.head for part in plus(nodes).parts] == ["WN", "CP", "Cat2r0", "Cat2r1", "Cat10r1"]


LINE = Exponentials.of([[1.0, -0.5]], [0.3], real=True)
TURNING = Exponentials.of([1.0 + 0.5j, 0.7], [0.2 + 3.0j, 1.0j], real=False)
LAGS = np.array([0.5, 2.0])


def test_a_sum_is_that_of_the_values() -> None:
    np.testing.assert_allclose(LINE.at(LAGS), (1.0 - 0.5 * LAGS) * np.exp(-0.3 * LAGS))
    first = np.exp(-0.2 * LAGS) * (np.cos(3.0 * LAGS) + 0.5 * np.sin(3.0 * LAGS))
    np.testing.assert_allclose(TURNING.at(LAGS), first + 0.7 * np.cos(LAGS))
    np.testing.assert_allclose(joined([LINE, TURNING]).at(LAGS), LINE.at(LAGS) + TURNING.at(LAGS))


def test_frequencies_and_powers_take_columns() -> None:
    assert [one.columns for one in (LINE, TURNING, NO_TERMS, joined([LINE, TURNING]))] == [2, 4, 0, 6]


def test_lags_are_in_lengthscales_and_never_shorter_than_is_of_use() -> None:
    assert Accuracy(1e-6, 1.0, 30.0).lags(10.0) == pytest.approx((0.1, 3.0))
    assert Accuracy(1e-6, 0.0, 30.0).lags(10.0) == pytest.approx((1e-3, 3.0))
    assert Accuracy(1e-6, 1.0, 30.0).lags(1e6) == pytest.approx((1e-3, 2e-3))


X = np.array([-1.5, -0.4, 0.0, 0.0, 1.3])
XY = np.column_stack([X, X[::-1] ** 2])
COLUMNS = ("a", "b")


def same(found: Matrix, wanted: Matrix) -> bool:
    return bool(np.allclose(found, wanted, rtol=0, atol=1e-10 * max(1e-12, np.abs(wanted).max())))


def matrix(kernel: Kernel, columns: Sequence[str | None] = COLUMNS) -> Matrix:
    return covariance(kernel, XY if len(columns) == 2 else X, columns=columns)


@given(kernels(columns=COLUMNS))
def test_canonical_preserves_the_covariance_and_is_idempotent(kernel: Kernel) -> None:
    found = canonical(kernel)
    assert same(matrix(found), matrix(kernel))
    assert canonical(found) == found
    assert canonical(unset(kernel.expr)).expr == found.expr


@given(kernels(open_numbers=True))
def test_canonical_ignores_the_order_of_operands(kernel: Kernel) -> None:
    assert canonical(_turned(kernel)) == canonical(kernel)


def _turned(kernel: Kernel) -> Kernel:
    parts = tuple(_turned(part) for part in kernel.parts)
    return kernel.rebuilt(parts[::-1] if isinstance(kernel.expr, Sum | Product) else parts)


@given(kernels(columns=COLUMNS))
def test_sum_of_products_preserves_the_covariance(kernel: Kernel) -> None:
    found = sum_of_products(kernel)
    assert same(matrix(found), matrix(kernel))
    assert sum_of_products(found) == found
    assert canonical(found) == found


@given(expressions())
def test_sum_of_products_has_no_sum_or_change_inside_a_product(expr: Expr) -> None:
    assert all(isinstance(factor, Leaf) for factor in _factors(sum_of_products(unset(expr)).expr))


def _factors(expr: Expr) -> list[Expr]:
    inside = list(expr.factors) if isinstance(expr, Product) else []
    return inside + [factor for part in operands(expr) for factor in _factors(part)]


@given(kernels(columns=COLUMNS))
def test_components_add_up_to_the_total(kernel: Kernel) -> None:
    assert same(sum(map(matrix, components(kernel)), np.zeros((5, 5))), matrix(kernel))


@given(kernels(open_numbers=True))
def test_components_are_single_products_in_windows(kernel: Kernel) -> None:
    for part in components(kernel):
        assert canonical(part) == part
        for expr in part.expr.terms if isinstance(part.expr, Sum) else (part.expr,):  # a level and what stands on it
            while isinstance(expr, ChangePoint | ChangeWindow):
                assert (operands(expr)[0] == Leaf("0")) != (operands(expr)[1] == Leaf("0"))
                expr = next(operand for operand in operands(expr) if operand != Leaf("0"))
            factors = expr.factors if isinstance(expr, Product) else (expr,)
            assert all(isinstance(factor, Leaf) and factor.symbol != "0" for factor in factors)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("SE * (Per + C)", ["SE", "SE * Per"]),
        ("Lin * CP(SE, WN + Per)", ["CP(SE * Lin, 0)", "CP(0, Per * Lin)", "CP(0, Lin * WN)"]),
        ("WN * (SE + C)", ["WN"]),
        ("SE * (WN * Lin + CP(C, Per))", ["Lin * WN", "CP(SE, 0)", "CP(0, SE * Per)"]),
        ("CP(CW(SE, C), WN)", ["CP(CW(SE, 0), 0)", "CP(CW(0, C), 0)", "CP(0, WN)"]),
        # a level stays with the line unless it is not the level of all
        ("Lin + C + WN", ["Lin + C", "WN"]),
        ("Lin * Lin + C", ["Lin * Lin + C"]),
        ("Lin[a] + C", ["Lin[a]", "C"]),
        ("Lin + Wiener + C", ["Lin", "Wiener + C"]),
        ("Lin + C + CP(C, 0)", ["Lin", "C + CP(C, 0)"]),
        ("CP(C, C) + WN", ["CP(C, 0) + CP(0, C)", "WN"]),
        ("CW(C, SE) + Wiener + C", ["CW(C, 0)", "CW(0, SE)", "Wiener + C"]),
    ],
)
def test_worked_conversions_of_the_paper_and_levels(text: str, parts: list[str]) -> None:
    assert {format_expr(part.expr) for part in components(unset(parse(text)))} == set(parts)


def test_scales_multiply_when_factors_are_copied() -> None:
    inner = leaf("Per", lengthscale=1.0, period=1.0, sd=3.0) + leaf("C", sd=5.0)
    parts = components(leaf("SE", lengthscale=1.0, sd=2.0) * inner)
    assert [format_expr(part.expr) for part in parts] == ["SE", "SE * Per"]
    assert parts[0].named() == {"lengthscale": 1.0, "sd": 10.0}


def test_noise_in_equal_windows_is_merged_and_in_different_windows_is_not() -> None:
    noise = leaf("WN", sd=3.0), leaf("WN", sd=4.0)
    lines = leaf("Lin", sd=1.0, location=0.0), leaf("SE", lengthscale=1.0, sd=1.0)
    equal = Kernel.change_point(noise[0], lines[0], 0.0, 1.0) + Kernel.change_point(noise[1], lines[1], 0.0, 1.0)
    found = components(equal)
    assert [str(part) for part in found] == ["CP(WN, 0)", "CP(0, SE)", "CP(0, Lin)"]
    assert found[0].parts[0].values == (5.0,)
    other = Kernel.change_point(noise[0], lines[0], 0.0, 1.0) + Kernel.change_point(noise[1], lines[1], 0.5, 1.0)
    assert [str(part) for part in components(other)].count("CP(WN, 0)") == 2


def test_windows_with_open_numbers_are_not_taken_for_equal() -> None:
    parts = [str(part) for part in components(unset(parse("CP(WN, C) + CP(WN, SE)")))]
    assert parts.count("CP(WN, 0)") == 2


def test_changes_take_priority_over_sums() -> None:
    found = str(sum_of_products(unset(parse("CP(SE, WN) * (Lin + Per)"))))
    assert found == "CP(SE * Per + SE * Lin, Per * WN + Lin * WN)"


def test_order_of_operands() -> None:
    text = "WN + CP(C, SE) + Lin + SE * Per + SE + C + Cos + RQ + Per"
    assert str(canonical(unset(parse(text)))) == "SE + SE * Per + RQ + Per + Cos + Lin + C + WN + CP(C, SE)"
    assert str(canonical(unset(parse("SE[b] * SE * SE[a]")))) == "SE * SE[a] * SE[b]"
    shuffled = leaf("WN", sd=2.0) + leaf("WN", sd=1.0)
    assert canonical(shuffled).values == (1.0, 2.0)


def test_nothing_but_zero_has_the_component_zero() -> None:
    assert [str(part) for part in components(unset(parse("SE * 0 + CP(0, 0)")))] == ["0"]
    assert str(simplify(unset(parse("SE * 0 + CP(0, 0)")))) == "0"


def test_deep_nesting_is_no_trouble() -> None:
    expr: Expr = Leaf("SE")
    for level in range(60):
        expr = Product((Leaf("Lin"), Sum((Leaf("C"), expr)))) if level % 2 else ChangePoint(expr, Leaf("WN"))
    assert canonical(canonical(unset(expr))) == canonical(unset(expr))
