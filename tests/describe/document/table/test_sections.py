"""Sections that reports of numbers and of classes share."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.decompose.table.classes import decomposition as of_classes
from tests.decompose.table.tables import dataset, decomposition, model

from autostatistician.decompose.records.table import ByPoints
from autostatistician.describe.document.document import Paragraph, Section
from autostatistician.describe.document.table.page import table_page
from autostatistician.describe.document.table.sections import (
    columns_section,
    effects_section,
    found_section,
    main_columns_text,
    sureness_sections,
)
from autostatistician.describe.document.table.story import TableStory, story_of
from autostatistician.describe.observe.table.findings import class_findings, scale_for, table_findings


def _first(section: Section) -> str:
    return next(block.text for block in section.blocks if isinstance(block, Paragraph))


@pytest.mark.slow
def test_numbers_have_scatter_and_classes_have_none() -> None:
    table, classes = decomposition(model(), dataset()), of_classes()
    numbers: TableStory = story_of(table_findings(table), scale_for(table))
    chances: TableStory = story_of(class_findings(classes), scale_for(classes))
    assert "two effects and random scatter" in _first(effects_section(numbers)[0])
    assert "two effects. They come" in _first(effects_section(chances)[0])
    assert "the variation in the data" in str(columns_section(numbers).blocks[-1])
    assert "all that decides on a class" in str(columns_section(chances).blocks[-1])
    assert main_columns_text(numbers).startswith("Most of 'y' depends on")
    assert "SE[age]" in _first(found_section(chances))


@pytest.mark.slow
def test_most_is_said_only_above_half() -> None:
    table = decomposition(model(), dataset())
    story = story_of(table_findings(table), scale_for(table))
    half = tuple(replace(told, effect=replace(told.effect, share=0.13)) for told in story.effects)
    assert main_columns_text(replace(story, effects=half)).startswith("Of the columns, 'y' depends most on ")


@pytest.mark.slow
def test_where_every_column_is_open_none_is_said_to_matter_or_not() -> None:
    table = decomposition(model(), dataset())
    unsure = tuple(replace(column, probability=0.7) for column in table.columns if column.used)
    story = story_of(table_findings(replace(table, columns=unsure)), scale_for(table))
    assert main_columns_text(story) == "It is open whether 'y' depends on 'b', 'c', and 'a'."


@pytest.mark.slow
def test_a_row_that_carries_an_effect_is_named_in_the_lead() -> None:
    table = decomposition(model(), dataset())
    story = story_of(table_findings(table), scale_for(table))
    carried = tuple(replace(fact, carried=9 if fact.column == "a" else None) for fact in story.findings.columns)
    told = main_columns_text(replace(story, findings=replace(story.findings, columns=carried)))
    assert "What is seen of 'a' rests on row 9 alone." in told
    assert "rests on" not in main_columns_text(story)


@pytest.mark.slow
def test_of_what_is_open_no_table_says_that_it_acts_together() -> None:
    table = decomposition(model(), dataset())
    other = (table.alternatives[1][0], 0.1)
    shaky = replace(table, alternatives=((table.alternatives[0][0], 0.9), other))
    assert "act together" not in repr(sureness_sections(story_of(table_findings(shaky), scale_for(shaky))))


@pytest.mark.slow
def test_inducing_points_are_told_with_how_far_from_exact_they_are() -> None:
    table = decomposition(model(), dataset())
    inexact = replace(table, by_points=ByPoints(182, 1000, 0.314159), stages=(50, 120))
    told = [_first(found_section(story_of(table_findings(one), scale_for(one)))) for one in (table, inexact)]
    assert "inducing" not in told[0]
    assert told[1].endswith(
        "The search looked for structure on 50 of the 120 rows, drawn by chance. The best models were then judged on "
        "all rows: every score and probability is of these."
    )
    assert (
        "With 120 rows, the function is made to stand on its values at 182 of them (inducing points; Titsias 2009). "
        "On 1,000 rows, of which it can be computed exactly as well, that takes 0.314 off the logarithm of the "
        "evidence."
    ) in told[1]
    page = table_page(table_findings(inexact), scale_for(inexact))
    assert [fact.number for fact in page.facts if fact.id == "model/exactness"] == [0.314159]
