"""Laws of rewriting: the covariance is preserved, normal forms are reached and stay."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given
from tests.oracles import Matrix, covariance
from tests.strategies import expressions, kernels

from autostatistician.language.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum
from autostatistician.language.format import format_expr
from autostatistician.language.kernel import Kernel, leaf, operands, unset
from autostatistician.language.rewrite import canonical, components, sum_of_products
from autostatistician.language.simplify import simplify
from autostatistician.language.text import parse

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


def test_worked_conversions_of_the_paper() -> None:
    cases = {
        "SE * (Per + C)": ["SE", "SE * Per"],
        "Lin * CP(SE, WN + Per)": ["CP(SE * Lin, 0)", "CP(0, Per * Lin)", "CP(0, Lin * WN)"],
        "WN * (SE + C)": ["WN"],
        "SE * (WN * Lin + CP(C, Per))": ["Lin * WN", "CP(SE, 0)", "CP(0, SE * Per)"],
        "CP(CW(SE, C), WN)": ["CP(CW(SE, 0), 0)", "CP(CW(0, C), 0)", "CP(0, WN)"],
    }
    for text, parts in cases.items():
        assert {format_expr(part.expr) for part in components(unset(parse(text)))} == set(parts)


def test_a_level_stays_with_the_line_unless_it_is_not_the_level_of_all() -> None:
    for text, parts in (
        ("Lin + C + WN", ["Lin + C", "WN"]),
        ("Lin * Lin + C", ["Lin * Lin + C"]),
        ("Lin[a] + C", ["Lin[a]", "C"]),
        ("Lin + Wiener + C", ["Lin", "Wiener + C"]),
        ("Lin + C + CP(C, 0)", ["Lin", "C + CP(C, 0)"]),
        ("CP(C, C) + WN", ["CP(C, 0) + CP(0, C)", "WN"]),
        ("CW(C, SE) + Wiener + C", ["CW(C, 0)", "CW(0, SE)", "Wiener + C"]),
    ):
        assert {format_expr(part.expr) for part in components(unset(parse(text)))} == set(parts)


def test_scales_multiply_when_factors_are_copied() -> None:
    kernel = leaf("SE", lengthscale=1.0, sd=2.0) * (
        leaf("Per", lengthscale=1.0, period=1.0, sd=3.0) + leaf("C", sd=5.0)
    )
    parts = components(kernel)
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
