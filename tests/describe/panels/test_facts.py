"""What the series of a panel share."""

from __future__ import annotations

import pytest
from tests.describe.panels.made import made_records

from autostatistician.describe.panels.facts import panel_facts
from autostatistician.describe.panels.traits import SeriesTraits, traits_of


def test_everything_of_a_made_panel() -> None:
    every = [traits_of(record) for record in made_records(300)]
    facts = panel_facts(every)
    assert (facts.series, facts.done) == (300, 296)
    assert sum(number for _, number in facts.ways) == 296
    assert facts.way("rises") > 200
    assert facts.growth is not None
    assert facts.growth.low < 0.03 < facts.growth.high
    (season,) = facts.seasons
    assert (season.name, season.tops[0][0]) == ("yearly", "in December")
    assert facts.changes[0].stretch == "2023-03"
    assert {surprise.name for surprise in facts.surprises} >= {"store 1/item 21", "store 2/item 16"}
    (failure,) = facts.failures
    assert len(failure.names) == 4
    (note,) = facts.notes
    assert len(note.names) == sum(bool(traits.notes) for traits in every)


def test_groups_are_by_what_is_claimed_the_largest_first() -> None:
    facts = panel_facts([traits_of(record) for record in made_records(300)])
    sizes = [len(group.names) for group in facts.groups]
    assert sizes == sorted(sizes, reverse=True)
    assert len(sizes) <= 8
    assert (facts.groups[0].way, facts.groups[0].seasons, facts.groups[0].stepped) == ("rises", ("yearly",), False)
    names = [name for group in facts.groups for name in group.names]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("every", [[], [SeriesTraits("a", False, "no")], [SeriesTraits("a", True)]])
def test_nothing_is_borne(every: list[SeriesTraits]) -> None:
    facts = panel_facts(every)
    assert (facts.series, facts.growth, facts.surprises, facts.changes) == (len(every), None, (), ())


def test_texts_that_differ_by_numbers_and_names_are_one_kind() -> None:
    reasons = ("Expected 4 rows, got 2 in 'a'.", "Expected 4 rows, got 3 in 'b'.", "The disk is full.")
    facts = panel_facts([SeriesTraits(str(index), False, reason) for index, reason in enumerate(reasons)])
    assert [(kind.text, kind.names) for kind in facts.failures] == [(reasons[0], ("0", "1")), (reasons[2], ("2",))]
