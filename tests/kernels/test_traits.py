"""What the structure of an expression alone says.

Counting: the published counts, and the law that a redundant scale is one the covariance can do without.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import Matrix, covariance
from tests.strategies import expressions, kernels

from autostatistician.errors import InputError
from autostatistician.kernels.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum
from autostatistician.kernels.grammar import LANGUAGES, Language, Operator, sums
from autostatistician.kernels.kernel import Kernel, leaf, operands, parameters, rescaled, size
from autostatistician.kernels.leaf_row import Role
from autostatistician.kernels.leaves import LEAVES
from autostatistician.kernels.text import parse
from autostatistician.kernels.traits import (
    always_noisy,
    columns_of,
    effective_parameters,
    has_changes,
    has_structure,
    held_values,
    is_noise,
    showable,
)


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=lambda language: str(language.name))
def test_languages_use_known_words(language: Language) -> None:
    assert LANGUAGES[language.name] is language
    assert all(_symbols(parse(base)) <= set(LEAVES) for base in language.bases)
    assert language.max_depth is None or language.max_depth >= 1
    hash(language)


def _symbols(expr: Expr) -> set[str]:
    symbol = getattr(expr, "symbol", None)
    return {symbol} if symbol else set().union(*(_symbols(part) for part in operands(expr)))


def test_unknown_languages_are_named_with_a_suggestion() -> None:
    with pytest.raises(InputError, match="found 'interpretble'; did you mean 'interpretable'"):
        LANGUAGES["interpretble"]
    assert "xx" not in LANGUAGES
    assert LANGUAGES.get("xx") is None


@pytest.mark.parametrize("name", LANGUAGES)
def test_sums_have_neither_products_nor_changes_and_keep_the_rest(name: str) -> None:
    whole, plain = LANGUAGES[name], sums(LANGUAGES[name])
    assert plain.operators == whole.operators & {Operator.ADD, Operator.REPLACE, Operator.DELETE}
    assert (plain.bases, plain.start, plain.categories) == (whole.bases, whole.start, whole.categories)
    assert plain.transforms == ("none",)


def test_every_operator_is_of_some_language() -> None:
    assert set(Operator) == set().union(*(language.operators for language in LANGUAGES.values()))


@pytest.mark.parametrize(
    ("text", "rows"),
    [(text, 20) for text in ("Per + WN", "SE * Lin + WN", "Matern12 + WN", "CP(SE, C) + WN", "CW(C, C) + WN")]
    + [(text, 50) for text in ("Lin + Lin * WN", "CP(WN, WN)", "CP(SE + WN, Lin + WN)")],
)
def test_parts_that_are_not_simple_and_sizes_of_noise_need_rows(text: str, rows: int) -> None:
    assert not showable(parse(text), rows - 1, series=True)
    assert showable(parse(text), rows, series=True)


@pytest.mark.parametrize(
    ("text", "rows", "series", "expected"),
    [
        ("Lin + CP(C, C) + WN", 12, True, True),  # one step
        ("CP(C, C) + CP(C, C) + WN", 12, True, False),
        ("CP(C, CP(C, C)) + WN", 12, True, False),
        ("C + Wiener + IOU + WN", 8, True, True),
        ("SE[a] * SE[b] + WN", 12, False, True),
        ("SE[a] * Per[b] + WN", 12, False, False),
    ],
)
def test_what_few_rows_can_show(text: str, rows: int, series: bool, expected: bool) -> None:
    assert showable(parse(text), rows, series=series) is expected


def test_noise_is_recognised_anywhere_in_an_expression() -> None:
    assert always_noisy((leaf("WN") * leaf("Lin") + leaf("SE")).expr)
    assert not always_noisy((leaf("C") * leaf("Lin") + leaf("SE")).expr)
    assert always_noisy(ChangePoint(Leaf("WN"), Leaf("SE") + Leaf("WN")))
    assert not always_noisy(ChangeWindow(Leaf("WN"), Leaf("SE")))


def test_noise_around_a_level_is_no_structure() -> None:
    assert not has_structure(parse("C + WN"))
    assert has_structure(parse("C * SE + WN"))
    assert has_structure(ChangePoint(Leaf("WN"), Leaf("WN")))


def test_changes_are_found_below_other_nodes() -> None:
    assert has_changes(Leaf("SE") + Leaf("Lin") * ChangeWindow(Leaf("C"), Leaf("SE")))
    assert not has_changes(parse("SE * Lin + WN"))


@pytest.mark.parametrize(
    ("text", "only", "expected"),
    [
        ("SE[age] * (Lin[water] + C) + WN", None, {"age", "water"}),
        ("SE + WN", None, set()),
        ("SE + WN", "age", {"age"}),
        ("C + WN", "age", set()),  # leaves that act on no column
    ],
)
def test_columns_are_those_that_leaves_act_on(text: str, only: str | None, expected: set[str]) -> None:
    assert columns_of(parse(text), only) == expected


def test_changes_act_on_a_column_too() -> None:
    assert columns_of(ChangePoint(Leaf("C"), Leaf("SE", "b"), "a")) == {"a", "b"}
    assert columns_of(ChangeWindow(Leaf("C"), Leaf("C")), "x") == {"x"}


def test_a_part_with_noise_anywhere_is_noise() -> None:
    assert is_noise(leaf("Lin") * (leaf("WN") + leaf("SE")))
    assert is_noise(ChangePoint(Leaf("SE"), Leaf("WN")))
    assert not is_noise(parse("C * SE"))


@pytest.mark.parametrize("symbol", LEAVES)
def test_only_white_noise_is_noise(symbol: str) -> None:
    nested = Kernel.change_point(leaf("C", sd=1.0), leaf(symbol) * leaf("C", sd=1.0), location=0.0, steepness=1.0)
    assert is_noise(nested) == is_noise(nested.expr) == (symbol == "WN")


X = np.array([-1.5, -0.4, 0.0, 0.0, 1.3])
UNITS = st.sampled_from([-3.0, -0.5, 0.25, 1.0, 12.0])


@given(kernels(), UNITS, st.sampled_from([0.0, -2.0, 50.0]), st.sampled_from([0.1, 1.0, 3.0]))
def test_rescaling_law(kernel: Kernel, a: float, b: float, s: float) -> None:
    wanted = s**2 * covariance(kernel, X)
    found = covariance(rescaled(kernel, a, b, s), a * X + b)
    assert np.allclose(found, wanted, rtol=0, atol=1e-9 * np.abs(wanted).max())


@given(kernels(), UNITS, st.sampled_from([0.0, 4.0]))
def test_there_and_back_again(kernel: Kernel, a: float, b: float) -> None:
    back = rescaled(rescaled(kernel, a, b, 2.0), 1 / a, -b / a, 0.5)
    assert back.expr == kernel.expr
    assert back.values == pytest.approx(kernel.values, abs=1e-12)


def test_only_the_named_columns_change() -> None:
    kernel = leaf("SE", "a", lengthscale=1.0, sd=1.0) + leaf("SE", "b", lengthscale=1.0, sd=1.0)
    assert rescaled(kernel, x_scale=5.0, columns=("b",)).values == (1.0, 1.0, 5.0, 1.0)


def test_a_turned_axis_swaps_before_and_after() -> None:
    kernel = Kernel.change_point(leaf("SE", lengthscale=1.0, sd=1.0), leaf("WN", sd=2.0), 3.0, 4.0)
    found = rescaled(kernel, x_scale=-2.0)
    assert str(found) == "CP(WN, SE)"
    assert found.values == (-6.0, 2.0, 2.0, 2.0, 1.0)


@pytest.mark.parametrize(("x_scale", "y_scale"), [(0.0, 1.0), (1.0, 0.0), (1.0, -1.0), (1.0, float("nan"))])
def test_scales_without_meaning_are_refused(x_scale: float, y_scale: float) -> None:
    with pytest.raises(ValueError, match="expected x_scale"):
        rescaled(leaf("WN", sd=1.0), x_scale, 0.0, y_scale)


SCALES = (Role.SD, Role.SLOPE, Role.DIFFUSION)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("C", 1), ("WN", 1), ("SE", 2), ("RQ", 3), ("Per", 3), ("Lin", 2), ("Cos", 2), ("SE * Cos", 3),
        ("Lin * Lin", 3), ("WN * Lin", 2), ("SE * (Per + C)", 5), ("CP(C, WN)", 4), ("CW(C, WN)", 5),
        ("CP(SE, 0)", 4), ("SE * 0", 2),
    ],
)  # fmt: skip
def test_counts_of_small_expressions(text: str, count: int) -> None:
    assert effective_parameters(parse(text)) == count


def _by_definition(expr: Expr) -> int:
    inside = sum(_by_definition(part) for part in operands(expr))
    match expr:
        case Leaf(symbol=symbol):
            return sum(not number.held for number in LEAVES[symbol].parameters)
        case Sum():
            return inside
        case Product(factors=factors):
            return inside - (len(factors) - 1)
        case ChangePoint():
            return inside + 2
        case ChangeWindow():
            return inside + 3


@given(expressions(columns=(None, "a"), max_leaves=12))
def test_count_agrees_with_its_definition(expr: Expr) -> None:
    assert effective_parameters(expr) == _by_definition(expr) == size(expr) - len(held_values(expr))


@given(expressions(max_leaves=12))
def test_redundant_scales_are_output_scales_and_other_held_values_those_of_rows(expr: Expr) -> None:
    found = parameters(expr)
    scales = {index for index in held_values(expr) if found[index].role in SCALES}
    leaves = ((index, one) for index, one in enumerate(found) if isinstance(one.node, Leaf))
    rows = {index for index, one in leaves if LEAVES[one.node.symbol].parameter(one.name).held}
    assert scales | rows == held_values(expr)
    assert not scales & rows


@given(kernels())
def test_the_other_scales_can_do_what_a_redundant_one_does(kernel: Kernel) -> None:
    scales = [i for i, p in enumerate(parameters(kernel.expr)) if p.role in SCALES]
    pinned = held_values(kernel.expr).intersection(scales)
    free = np.array([_by_log_scale(kernel, i) for i in scales if i not in pinned]).reshape(-1, 16).T
    for index in pinned:
        wanted = _by_log_scale(kernel, index)
        best = free @ np.linalg.lstsq(free, wanted, rcond=1e-8)[0]
        assert np.abs(best - wanted).max() <= 1e-5 * max(1.0, np.abs(free).max())


def _by_log_scale(kernel: Kernel, index: int, step: float = 1e-4) -> Matrix:
    """Derivative of the covariance with respect to the logarithm of one value, by central differences."""
    shifted = [
        Kernel(kernel.expr, tuple(v * np.exp(sign * step) if i == index else v for i, v in enumerate(kernel.values)))
        for sign in (1, -1)
    ]
    x = np.array([-1.2, -0.3, 0.5, 1.6])
    return np.ravel((covariance(shifted[0], x) - covariance(shifted[1], x)) / (2 * step))


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("SE * Per * WN", {1, 4}), ("SE * (Per + C)", {1}), ("(SE * Per + Lin) * (C + WN)", {4, 7}),
        ("(C + WN) * (SE * Per + Lin)", {3, 6}), ("WN * (Lin + C)", {0}), ("IOU * WN + Wiener", {1, 2, 5}),
    ],
)  # fmt: skip
def test_keepers(text: str, kept: set[int]) -> None:
    assert held_values(parse(text)) == kept
