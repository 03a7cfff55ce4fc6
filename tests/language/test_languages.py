"""The languages of the search: known by name, of known words, and what their sums leave out."""

from __future__ import annotations

import pytest

from autostatistician.errors import InputError
from autostatistician.language.expr import Expr
from autostatistician.language.kernel import operands
from autostatistician.language.languages import LANGUAGES, Language, Operator, sums
from autostatistician.language.leaves import LEAVES
from autostatistician.language.text import parse


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
