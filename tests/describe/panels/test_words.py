"""Sentences on panels: their order, and that any record gives whole ones (the words themselves: `spoken.panels`)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.describe.panels.made import made_records
from tests.describe.sentences import check_sentence, check_text

from autostatistician.describe.panels.facts import panel_facts
from autostatistician.describe.panels.reasons import reasons_text
from autostatistician.describe.panels.traits import traits_of
from autostatistician.describe.panels.words import group_text, shared_texts, standing_texts


@pytest.mark.parametrize("number", [1, 3, 12, 300])
def test_all_are_sentences(number: int) -> None:
    every = [replace(traits_of(record), name=f"series {index}") for index, record in enumerate(made_records(number))]
    facts = panel_facts(every)
    for text in (*shared_texts(facts), *standing_texts(facts), *map(reasons_text, facts.surprises)):
        check_sentence(text)
    for group in facts.groups:
        check_text(group_text(group))


def test_what_happened_comes_first() -> None:
    facts = panel_facts([traits_of(record) for record in made_records(300)])
    first, second = standing_texts(facts)
    assert first.startswith("In March 2023, 21 series fell suddenly, half of them by 40% or more; less than one would")
    assert second == "Six series stand out by more than chance would have among so many."
    assert shared_texts(facts)[0].startswith("Of 300 series, 296 have a model; of these, ")


def test_nothing_is_said_of_nothing() -> None:
    assert (shared_texts(panel_facts([])), standing_texts(panel_facts([]))) == ((), ())
