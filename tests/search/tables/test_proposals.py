"""What is proposed on a table: changes of an expression, and products and sums over all columns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from autostatistician.inference.parameters.scales import measure
from autostatistician.language.kernel import Kernel, leaf, size
from autostatistician.language.languages import LANGUAGES, Operator
from autostatistician.language.text import parse
from autostatistician.language.traits import columns_of
from autostatistician.search.tables.proposals import TableGrammar, without

NAMES = ("a", "b", "c")
SCALES = measure(np.random.default_rng(5).uniform(-2.0, 2.0, (90, 3)), np.random.default_rng(6).normal(size=90), NAMES)


def _kernel(text: str) -> Kernel:
    expr = parse(text)
    return Kernel(expr, tuple(np.linspace(0.5, 1.0, size(expr))))


def _table(language: str, columns: tuple[str, ...] = NAMES, categories: frozenset[str] = frozenset()) -> TableGrammar:
    return TableGrammar(LANGUAGES[language], columns, categories)


def _texts(kernels: list[Kernel]) -> set[str]:
    return {str(kernel) for kernel in kernels}


def test_a_column_enters_as_a_smooth_function_anywhere() -> None:
    found = _texts(_table("full").neighbours(_kernel("SE[a] * SE[b] + WN")))
    assert {
        "SE[a] * SE[b] * SE[c] + WN",
        "SE[a] * (SE[b] + SE[c]) + WN",
        "SE[a] * SE[b] + SE[c] + WN",
        "SE[a] * SE[c] + WN",
        "SE[a] + WN",
    } <= found
    assert "SE[a] * SE[b] * Per[c] + WN" not in found


def test_a_leaf_becomes_another_on_its_column() -> None:
    found = {str(one): one for one in _table("extended").neighbours(_kernel("SE[a] * SE[b] + WN"))}
    assert {"SE[b] * Per[a] + WN", "SE[b] * Lin[a] + WN", "SE[b] * Matern32[a] + WN"} <= set(found)
    kept = found["SE[b] * Matern32[a] + WN"].values
    assert not np.isnan(kept).any()  # the numbers of the leaf in whose place it comes


def test_a_leaf_without_lengthscale_gives_no_numbers_away() -> None:
    kernel = leaf("Lin", "a", sd=1.0, location=0.0) + leaf("WN", sd=1.0)
    found = {str(one): one for one in _table("full").neighbours(kernel)}
    assert np.isnan(found["SE[a] + WN"].values[:2]).all()


def test_all_of_the_signal_is_multiplied() -> None:
    assert "SE[c] * (SE[a] + SE[b]) + WN" in _texts(_table("full").neighbours(_kernel("SE[a] + SE[b] + WN")))


def test_a_cycle_that_changes_along_another_column_comes_at_once() -> None:
    found = _texts(_table("full").neighbours(_kernel("SE[a] + WN")))
    assert {"SE[a] + SE[b] * Per[c] + WN", "SE[a] + SE[c] * Per[b] + WN"} <= found
    assert not any("Per" in text for text in _texts(_table("mkl").neighbours(_kernel("SE[a] + WN"))))


def test_a_table_has_no_changes_and_one_noise() -> None:
    found = _texts(_table("extended").neighbours(_kernel("SE[a] + WN")))
    assert not any("CP" in text or "CW" in text or "* WN" in text for text in found)
    assert all(text.endswith("WN") for text in found)


@pytest.mark.parametrize("language", ["mkl", "linear", "cks2013"])
def test_a_language_says_what_may_be_proposed(language: str) -> None:
    found = _texts(_table(language).neighbours(_kernel("Lin[a] + WN")))
    assert any("*" in text for text in found) == (Operator.MULTIPLY in LANGUAGES[language].operators)
    assert ("WN" in found) == (Operator.DELETE in LANGUAGES[language].operators)


def test_categories_have_their_own_leaf() -> None:
    table = _table("full", ("a", "b"), frozenset("b"))
    found = _texts(table.neighbours(_kernel("SE[a] + WN")))
    assert "SE[a] * Cat[b] + WN" in found
    assert not any("SE[b]" in text or "Lin[b]" in text for text in found)
    assert all("Cat[b]" in text for text in _texts(table.over_all_columns(SCALES)))


def test_products_and_sums_over_all_columns() -> None:
    assert _texts(_table("full").over_all_columns(SCALES)) == {
        "SE[a] * SE[b] * SE[c] + C + WN",
        "SE[a] + SE[b] + SE[c] + C + WN",
    }
    assert _texts(_table("mkl").over_all_columns(SCALES)) == {"SE[a] + SE[b] + SE[c] + WN"}
    assert _table("linear").over_all_columns(SCALES) == []


def test_what_is_left_without_a_column() -> None:
    kernel = _kernel("SE[a] * (SE[b] + C) + SE[c] + WN")
    assert sorted(columns_of(kernel.expr)) == ["a", "b", "c"]
    assert [str(without(kernel, [name])) for name in NAMES] == [
        "SE[b] + SE[c] + C + WN",
        "SE[a] + SE[c] + WN",
        "SE[a] * (SE[b] + C) + WN",
    ]
    assert str(without(kernel, NAMES)) == "C + WN"


def test_on_a_table_nothing_wanders_off() -> None:
    language = replace(LANGUAGES["extended"], bases=(*LANGUAGES["extended"].bases, "Wiener", "IOU", "SE * IOU"))
    table = TableGrammar(language, NAMES, frozenset())
    kernel = _kernel("SE[a] + WN")
    found = _texts(table.neighbours(kernel))
    assert found == _texts(_table("extended").neighbours(kernel))


@pytest.mark.slow
def test_a_column_stands_in_the_place_of_one_that_is_nearly_the_same() -> None:
    table = TableGrammar(LANGUAGES["extended"], NAMES, frozenset(), alike=(("a", "c"),))
    kernel = _kernel("SE[a] * SE[b] + Lin[a] + WN")
    found = {str(one): one for one in table.neighbours(kernel)}
    swapped = found["SE[b] * SE[c] + Lin[c] + WN"]
    assert sorted(swapped.values) == sorted(kernel.values)
    assert str(swapped) not in _texts(_table("extended").neighbours(kernel))
