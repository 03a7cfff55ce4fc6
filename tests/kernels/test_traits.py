"""What the structure of an expression alone says."""

import pytest

from autostatistician.errors import InputError
from autostatistician.kernels.expr import ChangePoint, ChangeWindow, Expr, Leaf
from autostatistician.kernels.grammar import LANGUAGES, Language, Operator, sums
from autostatistician.kernels.kernel import Kernel, leaf, operands
from autostatistician.kernels.leaves import LEAVES
from autostatistician.kernels.text import parse
from autostatistician.kernels.traits import always_noisy, columns_of, has_changes, has_structure, is_noise, showable


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
