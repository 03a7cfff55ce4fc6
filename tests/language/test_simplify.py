"""Laws of simplification: exact rules preserve the covariance, approximate ones keep within the tolerance."""

from __future__ import annotations

from math import hypot, isnan, sqrt

import numpy as np
import pytest
from hypothesis import given
from tests.oracles import Matrix, covariance
from tests.strategies import expressions, kernels

from autostatistician.language.approximate import APPROXIMATE
from autostatistician.language.expr import Expr
from autostatistician.language.kernel import Kernel, leaf, size, unset
from autostatistician.language.rewrite import canonical, sum_of_products
from autostatistician.language.simplify import PRODUCT_RULES, SUM_RULES, scaled, simplify
from autostatistician.language.text import parse

X = np.array([-1.5, -0.4, 0.0, 0.0, 1.3])
XY = np.column_stack([X, X[::-1] ** 2])
COLUMNS = ("a", "b")


def same(found: Matrix, wanted: Matrix) -> bool:
    return bool(np.allclose(found, wanted, rtol=0, atol=1e-10 * np.abs(wanted).max()))


@given(kernels(columns=COLUMNS))
def test_exact_rules_preserve_the_covariance_and_reach_a_fixed_point(kernel: Kernel) -> None:
    found = simplify(kernel)
    assert same(covariance(found, XY, columns=COLUMNS), covariance(kernel, XY, columns=COLUMNS))
    assert simplify(found) == found
    assert canonical(found) == found
    assert size(found.expr) <= size(kernel.expr)


@given(kernels())
def test_the_additive_form_simplifies_exactly_and_stays_additive(kernel: Kernel) -> None:
    found = simplify(sum_of_products(kernel))
    assert same(covariance(found, X), covariance(kernel, X))
    assert sum_of_products(found) == found


@given(expressions())
def test_structure_simplifies_without_numbers(expr: Expr) -> None:
    found = simplify(unset(expr))
    assert simplify(found) == found
    assert all(map(isnan, found.values))


@given(kernels(max_leaves=4))
def test_scaled_multiplies_the_covariance(kernel: Kernel) -> None:
    assert same(covariance(scaled(kernel, 3.0), X), 9 * covariance(kernel, X))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("WN + WN + C + C", "C + WN"),
        ("SE * SE[a] * SE", "SE * SE[a]"),
        ("C * C", "C"),
        ("C * SE * C", "SE"),
        ("C * (SE + Per)", "SE + Per"),
        ("WN * SE * Per * Cos * RQ", "WN"),
        ("WN * (SE * Per + C)", "WN"),
        ("WN * Lin * SE", "Lin * WN"),
        ("WN * CP(SE, C)", "WN * CP(SE, C)"),
        ("WN * (SE + Lin)", "WN * (SE + Lin)"),
        ("Lin + Lin", "Lin + C"),
        ("Lin + Lin + C + Lin", "Lin + C"),
        ("Lin[a] + Lin[b]", "Lin[a] + Lin[b]"),
        ("WN * Lin + WN * Lin", "Lin * WN + WN"),
        ("Lin * Lin", "Lin * Lin"),
        ("SE + SE", "SE + SE"),
        ("Per * Per", "Per * Per"),
        ("SE + 0", "SE"),
        ("SE * 0", "0"),
        ("CP(0, 0) + WN", "WN"),
        ("CP(SE + 0, C * 0)", "CP(SE, 0)"),
        ("SE * (WN + WN)", "WN"),
    ],
)
def test_exact_rules_on_structure(before: str, after: str) -> None:
    assert str(simplify(unset(parse(before)))) == after


def test_two_lines_are_one_line_and_a_constant() -> None:
    found = simplify(leaf("Lin", sd=3.0, location=0.0) + leaf("Lin", sd=4.0, location=1.0))
    assert str(found) == "Lin + C"
    assert found.values == pytest.approx((5.0, 16 / 25, sqrt(9 * 0.64**2 + 16 * 0.36**2)))


def test_equal_terms_are_merged() -> None:
    term = leaf("SE", lengthscale=1.0, sd=3.0) * leaf("Lin", sd=1.0, location=0.5)
    other = leaf("SE", lengthscale=1.0, sd=2.0) * leaf("Lin", sd=2.0, location=0.5)
    found = simplify(term + other)
    assert str(found) == "SE * Lin"
    assert found.values[1] * found.values[2] == pytest.approx(5.0)
    different = simplify(term + leaf("SE", lengthscale=1.5, sd=2.0) * leaf("Lin", sd=2.0, location=0.5))
    assert str(different) == "SE * Lin + SE * Lin"


def test_a_square_of_one_line_stays() -> None:
    line = leaf("Lin", sd=2.0, location=1.0)
    assert simplify(line * line) == line * line


def test_terms_without_scale_do_no_harm() -> None:
    kernel = leaf("WN", sd=0.0) * leaf("Lin", sd=1.0, location=0.0) + leaf("WN", sd=3.0) * leaf(
        "Lin", sd=1.0, location=2.0
    )
    found = simplify(kernel)
    assert str(found) == "Lin * WN"
    assert found.values == (1.0, 2.0, 3.0)


def test_lines_that_share_a_factor_are_merged() -> None:
    smooth = leaf("SE", lengthscale=1.0, sd=1.0)
    found = simplify(smooth * leaf("Lin", sd=1.0, location=-1.0) + smooth * leaf("Lin", sd=1.0, location=1.0))
    assert str(found) == "SE + SE * Lin"
    assert found.parts[0].values == pytest.approx((1.0, hypot(1, 1)))


def test_known_numbers_survive_beside_open_ones() -> None:
    found = simplify(leaf("SE", lengthscale=2.0, sd=3.0) * leaf("C") + leaf("WN", sd=1.0))
    assert str(found) == "SE + WN"
    assert found.values[0] == 2.0
    assert isnan(found.values[1])
    assert found.values[2] == 1.0


def test_walks_that_begin_together_are_one() -> None:
    known = leaf("Wiener", sd=3.0, location=2.0)
    merged = simplify(known + leaf("Wiener", sd=4.0) + leaf("IOU", lengthscale=1.0, sd=1.0))
    assert str(merged) == "Wiener + IOU"
    assert merged.values[:2] == (5.0, 2.0)
    assert isnan(merged.values[4])  # of another kind
    apart = simplify(known + leaf("Wiener", sd=4.0, location=2.5))
    assert str(apart) == "Wiener + Wiener"


def test_every_rule_says_what_it_does() -> None:
    rules = [*SUM_RULES, *PRODUCT_RULES, *APPROXIMATE]
    assert all("=" in rule.statement or "->" in rule.statement or "become" in rule.statement for rule in rules)
    assert len({rule.name for rule in rules}) == len(rules)


def test_two_contrasts_on_one_column_are_one() -> None:
    first, second = leaf("Cat", "colour", contrast=1.0, sd=2.0), leaf("Cat", "colour", contrast=3.0, sd=0.5)
    merged = simplify(first * second)
    assert str(merged) == "Cat[colour]"
    assert merged.values == (7.0, 1.0)  # correlations of 1/2 and 1/4 multiply
    assert str(simplify(first * leaf("Cat", "size", contrast=3.0, sd=0.5))) == "Cat[colour] * Cat[size]"
