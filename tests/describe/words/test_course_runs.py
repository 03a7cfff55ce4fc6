"""Rises and falls one after the other, with the stretches in which they stand still."""

from __future__ import annotations

from tests.describe.spoken.course import UP, run

from autostatistician.describe.facts.function import RunOfCourse
from autostatistician.describe.words.course_runs import sure_tail


def test_only_what_is_sure_up_to_the_end_is_told() -> None:
    doubtful = run(1949.0, 1952.0, 100.0, 300.0)
    doubtful = RunOfCourse(**{**doubtful.__dict__, "told": False})
    assert sure_tail([UP, doubtful, UP]) == [UP]
    assert sure_tail([UP, doubtful]) == []
