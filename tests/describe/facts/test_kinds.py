"""Kinds are those that the records know, by the same names."""

from __future__ import annotations

from autostatistician.decompose.records.kinds import CheckKind as RecordedCheck
from autostatistician.decompose.records.kinds import ShapeKind
from autostatistician.describe.facts import kinds
from autostatistician.describe.facts.claim import BOUNDS
from autostatistician.describe.facts.kinds import CheckKind, ClaimKind, CourseKind, Phase


def test_facts_know_the_kinds_of_the_records_and_no_others() -> None:
    assert {one.value for one in CourseKind} == {one.value for one in ShapeKind}
    assert {one.value for one in CheckKind} == {one.value for one in RecordedCheck}


def test_values_are_told_apart() -> None:
    for name in kinds.__all__:
        values = [one.value for one in getattr(kinds, name)]
        assert len(values) == len(set(values))


def test_what_has_no_name_is_false() -> None:
    assert [one for one in Phase if not one] == [Phase.UNNAMED]
    assert BOUNDS == (ClaimKind.BEGINNING, ClaimKind.END)
