"""The grammar: neighbours are new, distinct, canonical and simple; the languages say what they may use."""

from dataclasses import replace
from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import GRAMMAR_LEAVES, kernels

from autostatistician.errors import InputError
from autostatistician.kernels.expr import format_expr
from autostatistician.kernels.grammar import LANGUAGES, RULES, Language, Operator, neighbours
from autostatistician.kernels.kernel import Kernel, leaf, unset
from autostatistician.kernels.rewrite import canonical, sum_of_products
from autostatistician.kernels.simplify import simplify
from autostatistician.kernels.text import parse

LANGUAGE = st.sampled_from(sorted(LANGUAGES)).map(LANGUAGES.__getitem__)


def texts(text: str, language: str = "full", columns: tuple[str | None, ...] = (None,)) -> list[str]:
    return [str(kernel) for kernel in neighbours(unset(parse(text)), LANGUAGES[language], columns)]


@given(kernels(symbols=GRAMMAR_LEAVES, max_leaves=5, open_numbers=True), LANGUAGE)
def test_neighbours_are_distinct_canonical_simple_and_new(kernel: Kernel, language: Language) -> None:
    found = neighbours(kernel, language)
    exprs = [candidate.expr for candidate in found]
    assert len(set(exprs)) == len(exprs)
    assert canonical(kernel).expr not in exprs
    assert simplify(unset(kernel.expr)).expr not in exprs
    for candidate in found:
        assert canonical(candidate) == candidate
        assert simplify(unset(candidate.expr)).expr == candidate.expr
        assert not language.additive or sum_of_products(candidate) == candidate


@given(kernels(symbols=GRAMMAR_LEAVES, max_leaves=4))
def test_neighbours_are_the_same_on_every_call_and_whatever_the_order_of_operands(kernel: Kernel) -> None:
    found = neighbours(kernel, LANGUAGES["full"])
    assert found == neighbours(kernel, LANGUAGES["full"])
    assert found == neighbours(canonical(kernel), LANGUAGES["full"])


def test_all_nine_rules_on_one_leaf() -> None:
    assert set(RULES) == set(Operator) == LANGUAGES["full"].operators
    assert set(texts("SE")) == {
        "SE + SE", "SE + Per", "SE + Lin", "SE + C", "SE + WN",
        "SE * Per", "SE * Lin", "WN", "Per", "Lin", "C",
        "SE * (SE + C)", "SE * (Per + C)", "SE * (Lin + C)", "SE * (C + WN)",
        "CP(SE, SE)", "CW(SE, SE)", "CW(SE, C)", "CW(C, SE)",
    }  # fmt: skip


def test_deletion_and_groups_of_operands() -> None:
    found = set(texts("SE + Per + WN"))
    assert {"SE + Per", "SE + WN", "Per + WN", "SE", "Per", "WN"} <= found
    assert {"C + WN", "Lin * (SE + Per) + WN", "WN + CP(SE + Per, SE + Per)", "Per + CW(C, SE + WN)"} <= found
    assert {"Per * CP(SE, SE)", "SE * Per * (Lin + C)", "SE", "Per", "SE * Lin"} <= set(texts("SE * Per"))
    assert {"SE", "Lin", "CP(SE, Lin + WN)", "CP(Per, Lin)"} <= set(texts("CP(SE, Lin)"))


def test_additive_languages_distribute() -> None:
    found = texts("SE + WN", "interpretable")
    assert "SE * Lin + Lin * WN" in found
    assert "SE + SE * Per + WN" in found
    assert not any("(" in text and "CP" not in text and "CW" not in text for text in found)


def test_numbers_are_inherited_and_new_ones_are_open() -> None:
    kernel = leaf("SE", lengthscale=2.0, sd=3.0) + leaf("WN", sd=0.5)
    found = {str(k): k for k in neighbours(kernel, LANGUAGES["interpretable"])}
    smooth, line, noise = found["SE + Lin + WN"].parts
    assert smooth.values == (2.0, 3.0)
    assert noise.values == (0.5,)
    assert all(map(isnan, line.values))
    change = found["CP(SE + WN, SE + WN)"]
    assert all(map(isnan, change.own))
    assert [part.values for part in change.parts] == [(2.0, 3.0, 0.5)] * 2
    assert found["SE"].values == (2.0, 3.0)
    assert found["SE + SE + WN"].values[-1] == 0.5


def test_no_second_walk_is_proposed_beside_a_walk() -> None:
    language = replace(LANGUAGES["interpretable"], bases=("Wiener", "IOU", "C", "WN"))
    kernel = leaf("Wiener", sd=3.0, location=0.0) + leaf("WN", sd=0.5)
    found = {str(k) for k in neighbours(kernel, language)}
    assert "Wiener + IOU + WN" in found
    assert not any(text.split(" + ").count("Wiener") > 1 for text in found)


def test_the_candidate_with_more_known_numbers_is_kept() -> None:
    kernel = leaf("SE", lengthscale=2.0, sd=3.0) * leaf("Lin", sd=1.0, location=0.0)
    found = {str(k): k for k in neighbours(kernel, LANGUAGES["full"])}
    assert found["SE"].values == (2.0, 3.0)  # by deletion, not by replacing the whole with a new SE


def test_bases_act_on_every_column_given() -> None:
    found = texts("WN", columns=("a", "b"))
    assert {"SE[a] + WN", "SE[b] + WN", "C + WN", "CP[a](WN, WN)", "CW[b](C, WN)"} <= set(found)
    assert len(found) == len(set(found))
    assert not any(text == "SE + WN" for text in found)


def test_large_sums_are_not_expanded_over_all_subsets() -> None:
    names = [f"SE[{name}]" for name in "abcdefghij"]
    found = texts(" + ".join(names), "mkl", ("z",))
    assert " + ".join(names[2:]) in found  # a pair left out
    assert " + ".join([*names[1:], "SE[z]"]) in found  # one replaced
    assert " + ".join([names[0], "SE[z]"]) in found  # all but one replaced
    assert " + ".join(names[3:]) not in found  # three left out
    assert len(found) == 1 + 2 * 10 + 2 * 45 + 2 * 10 + 1  # whole, singles, pairs, all but one; new SE, left out


def test_redundant_structures_never_come_out() -> None:
    assert "WN + WN" not in texts("WN")
    assert texts("C + WN", "linear") == ["Lin + C + WN"]
    assert "Lin + Lin + WN" not in texts("Lin + WN")
    assert "Lin + C + WN" in texts("Lin + WN")


@pytest.mark.parametrize(
    ("name", "start", "wanted"),
    [
        ("linear", "C + WN", ["Lin + C + WN"]),
        ("se", "WN", ["SE + WN"]),
        ("mkl", "WN", ["SE + WN", "SE"]),
        ("changepoint", "WN", ["SE + WN", "SE", "CP(WN, WN)"]),
        ("spectral", "WN", ["SE * Cos + WN", "SE * Cos"]),
        ("tci", "WN", ["SE + WN", "Per + WN", "SE", "Per"]),
    ],
)
def test_restricted_languages(name: str, start: str, wanted: list[str]) -> None:
    assert format_expr(LANGUAGES[name].start) == start
    assert texts(start, name) == wanted


def test_the_language_of_2013_has_constants_inside() -> None:
    assert {"Lin + C + WN", "Per + C + WN", "RQ + WN"} <= set(texts("WN", "cks2013"))
    assert "SE * (Lin + C)" in texts("SE", "cks2013")


TABLE = ("size", "colour")


def _proposed(text: str, language: str, columns: tuple[str, ...] = TABLE) -> list[str]:
    found = neighbours(unset(parse(text)), LANGUAGES[language], columns, categories=("colour",))
    return [str(kernel) for kernel in found]


@pytest.mark.parametrize("language", ["extended", "full", "interpretable"])
def test_categories_get_their_leaf_and_numbers_the_others(language: str) -> None:
    found = " ".join(_proposed("SE[size] + WN", language))
    assert "Cat[colour]" in found
    assert "[size]" in found.replace("SE[size]", "")
    assert "Cat[size]" not in found
    others = [word for word in found.split() if "[colour]" in word and "Cat[colour]" not in word]
    assert others == []


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_nothing_changes_at_a_place_between_categories(language: str) -> None:
    assert not any("CP[colour]" in text or "CW[colour]" in text for text in _proposed("SE[size] + WN", language))


def test_categories_alone_leave_levels_and_noise() -> None:
    found = neighbours(unset(parse("WN")), LANGUAGES["full"], ("colour",), categories=("colour",))
    assert sorted(str(kernel) for kernel in found) == ["C", "C + WN", "Cat[colour]", "Cat[colour] + WN"]


def test_without_categories_nothing_is_different() -> None:
    kernel = unset(parse("SE[size] + WN"))
    assert "Cat" not in " ".join(str(one) for one in neighbours(kernel, LANGUAGES["extended"], TABLE))


def test_what_is_no_kernel_or_no_language_is_said() -> None:
    language, kernel = LANGUAGES["mkl"], leaf("WN", sd=1.0)
    with pytest.raises(InputError, match="a Kernel and a Language; found Sum and Language"):
        neighbours(parse("SE + WN"), language)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="found Kernel and str"):
        neighbours(kernel, "mkl")  # type: ignore[arg-type]
