"""The parts with their words."""

from __future__ import annotations

import pytest
from tests.describe import factory

from autostatistician.describe.document.series.story import changes_of, story_of
from autostatistician.describe.observe.series.findings import series_findings
from autostatistician.describe.observe.series.parts import units_for

SOLAR = factory.solar()
STORY = story_of(series_findings(SOLAR), units_for(SOLAR))


def test_a_statement_begins_with_the_summary() -> None:
    for part in STORY.parts:
        assert part.statement.startswith(part.summary.removesuffix("."))
        assert part.gist[:1].islower()


def test_changes_are_the_edges_of_the_window() -> None:
    assert sorted(changes_of(STORY.parts)) == pytest.approx([1679.4 - 73.1 / 2, 1679.4 + 73.1 / 2])
    assert changes_of(STORY.parts[:1]) == frozenset()  # the first part goes on throughout
