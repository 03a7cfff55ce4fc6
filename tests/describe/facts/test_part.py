"""Pieces of facts on parts: rises and falls."""

from __future__ import annotations

from dataclasses import fields

from autostatistician.decompose.records import series as records
from autostatistician.describe.facts.part import Leg


def test_a_leg_rises_or_falls_by_the_difference_of_its_ends() -> None:
    up, down = Leg(0.0, 1.0, 2.0, 5.0, (0.2, 0.6), 2.0), Leg(1.0, 2.0, 5.0, 4.5, (1.2, 1.6), -0.4)
    assert (up.change, up.rises) == (3.0, True)
    assert (down.change, down.rises) == (-0.5, False)


def test_legs_are_taken_over_from_records_field_by_field() -> None:
    assert [one.name for one in fields(Leg)] == [one.name for one in fields(records.Leg)]
