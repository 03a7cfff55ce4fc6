"""Laws of simplification: exact rules preserve the covariance, approximate ones keep within the tolerance."""

from math import hypot, isnan, nan, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import Matrix, covariance
from tests.strategies import expressions, kernels

from autostatistician.kernels.expr import Expr
from autostatistician.kernels.kernel import Kernel, leaf, size, unset
from autostatistician.kernels.rewrite import canonical, sum_of_products
from autostatistician.kernels.simplify import (
    ABSENT_WEIGHT,
    CORRELATION_TOLERANCE,
    idle_changes,
    simplify,
)
from autostatistician.kernels.text import parse
from autostatistician.kernels.tree import from_kernel

X_OF_EDGES = np.linspace(0.0, 1.0, 21)
SPANS = {"x": (0.0, 1.0)}
FIRST, SECOND = leaf("Lin", sd=1.0, location=-0.5), leaf("SE", lengthscale=0.3, sd=2.0)


def window(location: float, width: float, steepness: float = 200.0) -> Kernel:
    return Kernel.change_window(FIRST, SECOND, location, steepness, width)


@pytest.mark.parametrize(
    ("kernel", "expected"),
    [
        (window(0.9, 0.5), "CP(Lin, SE)"),  # closes behind the data
        (window(0.1, 0.5), "CP(SE, Lin)"),  # opens before them
        (window(0.5, 1.5), "SE"),  # holds all of them
        (window(1.4, 0.3), "Lin"),  # lies behind them
        (window(-0.4, 0.3), "Lin"),  # lies before them
        (window(0.5, 0.3), "CW(Lin, SE)"),
        (Kernel.change_point(FIRST, SECOND, 1.2, 200.0), "Lin"),
        (Kernel.change_point(FIRST, SECOND, -0.2, 200.0), "SE"),
        (Kernel.change_point(FIRST, SECOND, 0.5, 200.0), "CP(Lin, SE)"),
        (Kernel.change_point(FIRST, SECOND, 1.0, 200.0), "CP(Lin, SE)"),  # the last datum is half behind it
    ],
)
def test_the_side_that_no_datum_is_on_is_left_out(kernel: Kernel, expected: str) -> None:
    found = simplify(kernel, SPANS)
    assert str(found) == expected
    assert idle_changes(from_kernel(kernel), SPANS) == (str(found) != str(kernel))


@pytest.mark.slow
@given(location=st.floats(-0.5, 1.5), width=st.floats(0.01, 2.0), steepness=st.floats(1.0, 500.0), point=st.booleans())
def test_on_the_data_nothing_changes(location: float, width: float, steepness: float, point: bool) -> None:
    given_ = Kernel.change_point(FIRST, SECOND, location, steepness) if point else window(location, width, steepness)
    found = simplify(given_, SPANS)
    largest = 4.0  # variance of the larger side
    difference = np.abs(covariance(found, X_OF_EDGES[:, None]) - covariance(given_, X_OF_EDGES[:, None]))
    assert difference.max() <= 4.0 * ABSENT_WEIGHT * largest


def test_changes_inside_of_others_are_found() -> None:
    inner = window(0.9, 0.5)
    outer = Kernel.change_point(inner + leaf("WN", sd=1.0), leaf("C", sd=1.0), 0.5, 200.0)
    assert str(simplify(outer, SPANS)) == "CP(WN + CP(Lin, SE), C)"
    assert idle_changes(from_kernel(outer), SPANS)


def test_open_numbers_and_other_columns_are_left_alone() -> None:
    assert simplify(unset(parse("CW(Lin, SE)")), SPANS).expr == parse("CW(Lin, SE)")
    other = Kernel.change_point(leaf("C", sd=1.0), leaf("C", sd=2.0), 1.2, 200.0, "b")
    assert not idle_changes(from_kernel(other), {"a": (0.0, 1.0)})


SPAN = {"x": (0.0, 2.0)}


@pytest.mark.parametrize(
    ("kernel", "after"),
    [
        (leaf("SE", lengthscale=101.0, sd=2.0), "C"),
        (leaf("RQ", lengthscale=101.0, sd=2.0, alpha=0.5), "C"),
        (leaf("RQ", lengthscale=0.5, sd=2.0, alpha=1400.0), "SE"),
        (leaf("Per", lengthscale=51.0, period=0.7, sd=2.0), "Cos"),
    ],
)
def test_approximate_rules_keep_within_the_tolerance(kernel: Kernel, after: str) -> None:
    x = np.linspace(0, 2, 30)
    found = simplify(kernel, SPAN)
    assert str(found) == after
    assert np.abs(covariance(found, x) - covariance(kernel, x)).max() <= 4.0 * CORRELATION_TOLERANCE * 1.001
    assert str(simplify(kernel)) == str(kernel)


@pytest.mark.parametrize(
    "kernel",
    [
        leaf("SE", lengthscale=99.0, sd=2.0),
        leaf("RQ", lengthscale=0.5, sd=2.0, alpha=1300.0),
        leaf("Per", lengthscale=49.0, period=0.7, sd=2.0),
        leaf("SE", lengthscale=nan, sd=2.0),
        leaf("SE", "other", lengthscale=1e9, sd=2.0),
    ],
)
def test_approximate_rules_leave_the_rest_alone(kernel: Kernel) -> None:
    assert simplify(kernel, SPAN) == kernel


def test_approximation_leads_to_exact_merging() -> None:
    kernel = leaf("SE", lengthscale=1e5, sd=3.0) * leaf("Lin", sd=2.0, location=0.0) + leaf("WN", sd=1.0)
    found = simplify(kernel, {"x": (0.0, 1.0)})
    assert str(found) == "Lin + WN"
    assert found.values == (6.0, 0.0, 1.0)


def test_a_single_span_serves_leaves_without_a_column() -> None:
    kernel = leaf("SE", lengthscale=1e5, sd=3.0)
    assert str(simplify(kernel, {"time": (0.0, 1.0)})) == "C"
    assert str(simplify(kernel, {"a": (0.0, 1.0), "b": (0.0, 1.0)})) == "SE"


def test_categories_that_are_all_alike_are_a_constant() -> None:
    alike = leaf("Cat", "colour", contrast=1e-5, sd=2.0)
    assert str(simplify(alike, span={"colour": (0.0, 1.0)})) == "C"
    assert str(simplify(leaf("Cat", "colour", contrast=0.1, sd=2.0), span={"colour": (0.0, 1.0)})) == "Cat[colour]"


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
    terms = (leaf("WN", sd=sd) * leaf("Lin", sd=1.0, location=place) for sd, place in ((0.0, 0.0), (3.0, 2.0)))
    found = simplify(Kernel.sum(tuple(terms)))
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


def test_two_contrasts_on_one_column_are_one() -> None:
    first, second = leaf("Cat", "colour", contrast=1.0, sd=2.0), leaf("Cat", "colour", contrast=3.0, sd=0.5)
    merged = simplify(first * second)
    assert str(merged) == "Cat[colour]"
    assert merged.values == (7.0, 1.0)  # correlations of 1/2 and 1/4 multiply
    assert str(simplify(first * leaf("Cat", "size", contrast=3.0, sd=0.5))) == "Cat[colour] * Cat[size]"
