"""The findings of a series hold all that its records say, each part under its own name."""

from __future__ import annotations

from dataclasses import replace

from tests.describe import factory
from tests.describe.checks import ERRORS, FINE, trial

from autostatistician.decompose.records.series import Checks
from autostatistician.describe.observe.series.findings import series_findings


def test_parts_are_numbered_and_their_facts_carry_their_names() -> None:
    found = series_findings(factory.airline())
    assert [part.number for part in found.parts] == [1, 2, 3, 4]
    for part in found.parts:
        assert all(fact.id.startswith(f"{part.id}/") for fact in part.facts)
    ids = [fact.id for part in found.parts for fact in part.facts] + [fact.id for fact in found.facts]
    assert len(ids) == len(set(ids))


def test_what_was_not_asked_for_is_missing() -> None:
    bare = series_findings(factory.airline())
    assert (bare.checks, bare.test, bare.claims) == (None, None, ())
    tested = series_findings(replace(factory.airline(), checks=Checks((FINE,), ERRORS), calibration=trial(0.9)))
    assert tested.checks is not None
    assert tested.test is not None
    assert tested.checks.errors is ERRORS
