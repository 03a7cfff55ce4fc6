"""Facts of deep processes."""

from __future__ import annotations

from tests.describe.deep_cases import CASES

from autostatistician.describe.observe.deep import deep_findings


def test_columns_come_by_how_far_the_prediction_moves() -> None:
    findings = deep_findings(CASES["deep of one layer"])
    assert [move.number for move in findings.moves] == [14.0, 12.0, 10.0, 8.0, 6.0, 4.0, 2.0, 0.0]
    assert [course.column for course in findings.courses] == [move.column for move in findings.moves]
    assert findings.moves[0].lowest == (0.0, -7.0)
    assert findings.moves[0].highest == (6.0, 7.0)
    assert all(course.rows is None for course in findings.courses)


def test_what_was_not_done_is_not_told() -> None:
    assert deep_findings(CASES["deep as told"]).foreseen is None
    step = deep_findings(CASES["deep"])
    assert step.foreseen is not None
    assert step.foreseen.error_share == 0.21
    assert step.courses[0].rows is not None
