"""Whole pages and sentences, word for word: what a change of the words changes is seen in full."""

from collections.abc import Iterable
from typing import Any

import pytest
from tests.describe.golden import CLUSTERS, MODELS, TRANSLATED, page, page_text, path_of
from tests.describe.sentences import check_document, check_sentence, check_text
from tests.describe.spoken.lines import MODULES, SLOW, held_lines, spoken_lines

from autostatistician.i18n.messages import spoken_in

NAMES = (*MODELS, *CLUSTERS)
MEANT = "if that is meant: python -m tests.describe.golden"
# Of seconds. The guard of sentences runs all of this file, these too (tests/guards/test_messages.py): once is enough.
HEAVY = ("several classes", "several classes of noise", "classes over time", "classes of noise", *SLOW)


def _params(names: Iterable[str]) -> list[Any]:
    return [pytest.param(name, marks=[pytest.mark.long] * (name in HEAVY)) for name in names]


@pytest.mark.parametrize("name", _params(NAMES))
def test_a_page_says_what_it_said_and_its_sentences_are_sentences(name: str) -> None:
    assert page_text(name).splitlines() == path_of(name).read_text(encoding="utf-8").splitlines(), MEANT
    made, told = page(name)
    check_document(made)
    for sentence in told:
        check_sentence(sentence)


@pytest.mark.parametrize(("spoken", "name"), [(spoken, name) for spoken in TRANSLATED for name in TRANSLATED[spoken]])
def test_a_translated_page_says_what_it_said(spoken: str, name: str) -> None:
    with spoken_in(spoken):
        assert page_text(name).splitlines() == path_of(name).read_text(encoding="utf-8").splitlines(), MEANT


@pytest.mark.parametrize("module", _params(MODULES))
def test_sentences_are_what_they_were_and_are_sentences(module: str) -> None:
    told = spoken_lines(module)
    assert told == held_lines(path_of("sentences").read_text(encoding="utf-8"), module), MEANT
    for text in told:
        check_text(text)


@pytest.mark.parametrize("module", [one for one in MODULES if one not in SLOW])
def test_sentences_are_translated_as_they_were(module: str) -> None:
    with spoken_in("de"):
        assert spoken_lines(module) == held_lines(path_of("sentences").read_text(encoding="utf-8"), module), MEANT
