"""The effects of a table with their words, and the columns that do not matter."""

from __future__ import annotations

from dataclasses import replace

from tests.describe.spoken.tables import FOUND
from tests.describe.spoken.tables import SCALE_OF_TABLE_STORY as SCALE

from autostatistician.describe.document.table.story import story_of


def test_only_effects_that_are_told_have_words() -> None:
    first, *rest = FOUND.parts
    story = story_of(replace(FOUND, parts=(replace(first, told=False), *rest)), SCALE)
    assert [told.effect for told in story.effects] == rest
    assert all(told.sentence.endswith(".") for told in story.effects)
