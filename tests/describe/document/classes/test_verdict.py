"""The verdict on a model of classes: never more than its facts say."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.decompose.table.classes import decomposition, nothing

from autostatistician.describe.document.classes.verdict import class_verdict
from autostatistician.describe.facts.classes import SurprisingRow
from autostatistician.describe.facts.fact import SHARE
from autostatistician.describe.facts.findings import ClassFindings
from autostatistician.describe.facts.kinds import SearchCut
from autostatistician.describe.observe.table.findings import class_findings, scale_for


@pytest.fixture(scope="module")
def found() -> ClassFindings:
    return class_findings(decomposition())


def _told(found: ClassFindings) -> tuple[str, str, str]:
    verdict = class_verdict(found, scale_for(decomposition()))
    return " ".join(verdict.rely), " ".join(verdict.doubt), " ".join(verdict.next)


def test_what_is_sure_is_relied_on(found: ClassFindings) -> None:
    rely, doubt, after = _told(found)
    assert "That 'age' and 'kind' matter" in rely
    assert "Chances for rows like those at hand" in rely
    assert "are what they say" in rely
    assert "only" not in doubt
    assert "Leave out 'idle'" in after


def test_no_gain_is_no_ground(found: ClassFindings) -> None:
    unsure = replace(found, foresight=replace(found.foresight, gain_interval=(-0.1, 0.2)))
    rely, doubt, _ = _told(unsure)
    assert "Chances for rows" not in rely
    assert "do not clearly come out better" in doubt


def test_few_rows_of_a_class_extreme_chances_and_surprises(found: ClassFindings) -> None:
    surprise = SurprisingRow(id="s", number=0.01, unit=SHARE, evidence="e", row=1, came=True, expected=0.5)
    bad = replace(
        found,
        foresight=replace(found.foresight, came=12),
        calibration=replace(found.calibration, number=4.0),
        surprises=tuple(replace(surprise, row=row) for row in range(1, 6)),
        search=replace(found.search, cut=SearchCut.BUDGET),
    )
    rely, doubt, after = _told(bad)
    assert "matter" not in rely
    assert "there are only 12 rows of 'yes'" in doubt
    assert "too near to 0%" in doubt
    assert "had been given a chance of less than 5%" in doubt
    assert "Collect more rows of 'yes'" in after
    assert "correct mistakes" in after
    assert "larger time budget" in after


def test_where_nothing_was_found_other_columns_are_wanted() -> None:
    rely, _, after = _told(class_findings(nothing()))
    assert rely == ""
    assert "Look for other columns that may tell about 'survived'" in after
