"""Plans of stages: what is chosen by kind, criterion, stage and rows."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.inference.likelihoods.bernoulli import Bernoulli
from autostatistician.inference.likelihoods.gaussian import GAUSSIAN
from autostatistician.language.languages import LANGUAGES
from autostatistician.search.racing.race import Sizes
from autostatistician.search.series import schedules
from autostatistician.search.settings import Settings
from autostatistician.search.stages.plan import StagePlan, stage_plans
from autostatistician.search.tables.schedules import of_table

SERIES = from_arrays(np.arange(9.0), np.arange(9.0))
TABLE = from_arrays(np.arange(18.0).reshape(9, 2), np.arange(9.0), ("a", "b"))


def _plans(*rows: int, dataset: Dataset = SERIES, criterion: str = "bic") -> tuple[StagePlan, ...]:
    return stage_plans(dataset, LANGUAGES["extended"], Settings(criterion=criterion, restarts=10), GAUSSIAN, rows)


def test_one_stage_of_a_series_has_several_incumbents_and_by_bic_a_second_look() -> None:
    (by_bic,), (by_evidence,) = _plans(300), _plans(300, criterion="evidence")
    assert (by_bic.beam, by_bic.patience, by_bic.schedule) == (3, 2, schedules.from_scratch)
    assert (by_evidence.beam, by_evidence.patience, by_evidence.schedule) == (2, 1, schedules.by_evidence)
    assert (by_bic.integrates, by_evidence.integrates) == (False, True)


def test_a_long_series_begins_by_evidence_and_ends_by_bic() -> None:
    first, between, last = _plans(250, 1700, 10_000)
    assert [one.criterion for one in (first, between, last)] == ["evidence", "bic", "bic"]
    assert [one.schedule for one in (first, between, last)] == [schedules.by_evidence, *[schedules.onwards] * 2]
    assert [one.most_levels is None for one in (first, between, last)] == [True, False, True]
    assert first.improvement == between.improvement > last.improvement
    assert {one.beam for one in (first, between, last)} == {1}
    assert {one.restarts for one in (first, between, last)} == {5}


@pytest.mark.parametrize(
    ("rows", "schedule", "patience"),
    [
        (700, schedules.by_starts, 2),
        (701, schedules.onwards, 2),
        (2000, schedules.onwards, 2),
        (2001, schedules.onwards, 1),
    ],
)
def test_the_more_rows_the_less_is_asked_of_them(rows: int, schedule: object, patience: int) -> None:
    last = _plans(250, rows)[-1]
    assert (last.schedule, last.patience) == (schedule, patience)
    assert last.samples is (rows <= 700)


def test_a_table_has_one_incumbent_and_takes_fewer_along_to_more_rows() -> None:
    counts = [_plans(1000, rows, dataset=TABLE)[-1].taken_along for rows in (2000, 2001, 20_000, 20_001)]
    assert counts == [8, 4, 4, 3]
    (only,) = _plans(90, dataset=TABLE)
    assert (only.schedule, only.beam, only.patience, only.samples) == (of_table, 1, 1, True)


def test_classes_integrate_parameters_and_stay_by_their_criterion() -> None:
    settings = Settings(criterion="evidence", restarts=10)
    for dataset in (SERIES, TABLE):
        (only,) = stage_plans(dataset, LANGUAGES["extended"], settings, Bernoulli(), (90,))
        assert only.integrates
        assert only.schedule is not schedules.by_evidence


def test_a_schedule_is_a_value() -> None:
    sizes = Sizes(100, 0, 200, 200, 200, restarts=4)
    for plan in (*_plans(250, 1700, 10_000), *_plans(90, dataset=TABLE)):
        assert plan.schedule(sizes) == plan.schedule(sizes)
        assert hash(plan.entry) == hash(plan.entry)
