"""The effects of a table with their words, and the columns that do not matter."""

from __future__ import annotations

from dataclasses import replace

from tests.decompose.table.tables import dataset, decomposition, model

from autostatistician.describe.axis.scale import Scale
from autostatistician.describe.document.table.story import story_of
from autostatistician.describe.observe.table.findings import table_findings

FOUND = table_findings(decomposition(model(), dataset(60)))
SCALE = Scale(target="y")


def test_only_effects_that_are_told_have_words() -> None:
    first, *rest = FOUND.parts
    story = story_of(replace(FOUND, parts=(replace(first, told=False), *rest)), SCALE)
    assert [told.effect for told in story.effects] == rest
    assert all(told.sentence.endswith(".") for told in story.effects)


def test_titles_name_the_columns() -> None:
    assert sorted(told.title for told in story_of(FOUND, SCALE).effects) == ["'a'", "'b' and 'c' together"]


def test_idle_columns_are_those_that_no_effect_and_no_scatter_holds() -> None:
    assert [fact.column for fact in story_of(FOUND, SCALE).idle] == ["d"]
    scattering = tuple(replace(fact, scatter=fact.column == "d", interval=None) for fact in FOUND.columns)
    assert story_of(replace(FOUND, columns=scattering), SCALE).idle == ()
