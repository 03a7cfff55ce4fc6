"""A search in stages: structure from few rows, scores of all, whatever ends it and wherever it is resumed."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.data.load import load
from autostatistician.gp.criteria import bic
from autostatistician.gp.engines.choice import condition
from autostatistician.gp.fitting import Fit
from autostatistician.gp.likelihoods import GAUSSIAN, Bernoulli
from autostatistician.gp.problem import Problem
from autostatistician.kernels.grammar import LANGUAGES
from autostatistician.search import settings as settings_module
from autostatistician.search.constants import FIRST_ROWS, GROWTH
from autostatistician.search.racing.race import ScheduleSizes
from autostatistician.search.racing.tasks import Task
from autostatistician.search.racing.workers import Runner
from autostatistician.search.run import Settings, search
from autostatistician.search.series import schedules
from autostatistician.search.series.evidence import sums
from autostatistician.search.stages import plan, rows
from autostatistician.search.stages.plan import StagePlan, stage_plans
from autostatistician.search.stages.planned import PlannedRace, planned
from autostatistician.search.stages.rows import rows_of_stages, sample_of_series
from autostatistician.search.state import OUT_OF_TIME, SearchResult, Watched
from autostatistician.search.tables.schedules import of_table

RNG = np.random.default_rng(2)
PLACES = np.arange(60.0)
SHORT = from_arrays(PLACES, np.sin(PLACES / 4.0) + 0.2 * RNG.normal(size=60))
INPUTS = RNG.uniform(size=(60, 2))
PLANE = from_arrays(INPUTS, INPUTS[:, 0] + 0.1 * RNG.normal(size=60), ("a", "b"))


def _long(n: int) -> Dataset:
    return from_arrays(np.arange(float(n)), np.sin(np.arange(n) / 9.0) + 0.2 * RNG.normal(size=n))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("dataset", "language", "criterion"),
    [(SHORT, "interpretable", "bic"), (SHORT, "extended", "evidence"), (PLANE, "interpretable", "bic")],
)
def test_the_first_level_does_what_was_planned(
    dataset: Dataset, language: str, criterion: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[int, int, int]] = []
    fits = Runner.fits

    def counted(self: Runner, tasks: Sequence[Task], *others: Any) -> list[Fit | None]:
        if tasks and tasks[0].key != (0, 0):  # the start
            asked.append((len(tasks), tasks[0].effort.fits, tasks[0].effort.steps))
        return fits(self, tasks, *others)

    settings = Settings(max_depth=1, restarts=2, n_jobs=1, criterion=criterion)
    (stage,) = planned(dataset, language, settings).stages
    monkeypatch.setattr(Runner, "fits", counted)
    steps: list[Watched] = []
    grammar = LANGUAGES[language].with_priors if criterion == "evidence" else LANGUAGES[language]
    search(dataset, grammar, settings, steps.append)
    first = stage.races[0].rounds[0]
    assert (first.candidates, first.fits, first.steps) in asked
    assert sum(one.candidates for one in stage.races[0].rounds) <= 3 * sum(count for count, _, _ in asked)


@pytest.mark.slow
def test_a_long_series_has_stages_on_more_and_more_rows_and_takes_longer() -> None:
    short, long = (planned(_long(n), "extended", Settings(n_jobs=1)) for n in (300, 2000))
    assert [stage.rows for stage in short.stages] == [300]
    assert [(stage.rows, stage.criterion) for stage in long.stages] == [(250, "evidence"), (790, "bic"), (2000, "bic")]
    assert long.stages[1].levels < long.stages[0].levels
    assert [stage.races[0].name for stage in long.stages] == ["First level", *["The best of the stage before"] * 2]
    assert "The search has 3 stages." in long.lines


def test_classes_are_planned_by_evidence() -> None:
    frame = pd.DataFrame({"a": INPUTS[:, 0], "b": INPUTS[:, 1], "kind": np.where(INPUTS[:, 0] > 0.5, "yes", "no")})
    (stage,) = planned(load(frame, target="kind", task="class"), "extended", Settings(n_jobs=1)).stages
    assert stage.criterion == "evidence"


def test_more_workers_take_less_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def seconds(workers: int) -> float:
        monkeypatch.setattr("autostatistician.search.stages.planned.worker_count", lambda asked: workers)
        races: Sequence[PlannedRace] = planned(PLANE, "full", Settings()).stages[0].races
        return sum(one.seconds for one in races)

    assert seconds(4) == pytest.approx(seconds(1) / 4.0)


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


@pytest.mark.parametrize(("rows", "schedule"), [(700, schedules.by_starts), (701, schedules.onwards)])
def test_the_more_rows_the_less_is_asked_of_them(rows: int, schedule: object) -> None:
    last = _plans(250, rows)[-1]
    assert (last.schedule, last.patience) == (schedule, 1)
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
    sizes = ScheduleSizes(100, 0, 200, 200, 200, restarts=4)
    for made in (*_plans(250, 1700, 10_000), *_plans(90, dataset=TABLE)):
        assert made.schedule(sizes) == made.schedule(sizes)
        assert hash(made.entry) == hash(made.entry)


def _series(n: int, columns: int = 1) -> Dataset:
    x = np.random.default_rng(0).permutation(float(n) * np.linspace(0.0, 1.0, n * columns)).reshape(n, columns)
    return Dataset(x, np.ones(n), tuple("ab"[:columns]), "y", None)


@pytest.mark.slow
@given(st.integers(401, 100_000))
def test_every_stage_lies_within_the_next_and_none_grows_by_much_more_than_it_may(n: int) -> None:
    stages = rows_of_stages(_series(n), LANGUAGES["extended"], 1)
    assert len(stages[0]) == FIRST_ROWS
    assert (stages[-1] == np.arange(n)).all()
    for before, after in pairwise(stages):
        assert np.isin(before, after).all()
        assert len(before) < len(after) <= 1.6 * GROWTH * len(before)
        assert (np.diff(after) > 0).all()


@pytest.mark.parametrize(("n", "columns", "language"), [(400, 1, "extended"), (1000, 1, "full"), (2000, 2, "extended")])
def test_few_rows_tables_and_the_searches_of_the_paper_have_all_at_once(n: int, columns: int, language: str) -> None:
    assert len(rows_of_stages(_series(n, columns), LANGUAGES[language], 0)) == 1


def test_a_table_of_many_rows_begins_with_as_many_as_one_matrix_bears_with_ease() -> None:
    few, every = rows_of_stages(_series(5000, 2), LANGUAGES["extended"], 0)
    assert len(np.unique(few)) == 1000
    assert len(every) == 5000
    assert np.histogram(few, 5, (0, 5000))[0].min() > 100
    classes = replace(_series(5000, 2), classes=("no", "yes"))
    assert len(rows_of_stages(classes, LANGUAGES["extended"], 0)) == 1


def test_a_sample_has_neighbours_and_all_phases_of_any_season() -> None:
    x = np.random.default_rng(3).permutation(np.arange(8760.0))
    rows = sample_of_series(x, 400, np.random.default_rng(0))
    places = np.sort(x[rows])
    assert len(np.unique(rows)) == 400
    assert np.sum(np.diff(places) == 1.0) >= 4 * 49
    assert {0.0, 8759.0} <= set(places)
    for period in (24.0, 43.8, 168.0):  # the others are 43.8 rows apart on average
        single = places[np.append(np.diff(places), 2.0) > 1.0]
        assert np.histogram(single % period, 6, (0.0, period))[0].min() > 15
    assert np.diff(places).max() < 120.0


def test_the_same_seed_draws_the_same_rows_and_another_others() -> None:
    one, same, other = (rows_of_stages(_series(5000), LANGUAGES["extended"], seed)[0] for seed in (0, 0, 1))
    assert (one == same).all()
    assert (one != other).any()


X = np.arange(240.0)
Y = 5.0 + np.sin(2.0 * np.pi * X / 12.0) + 0.3 * np.random.default_rng(0).standard_normal(240)
SETTINGS = Settings(max_depth=2, restarts=3, n_jobs=1, criterion="bic")


def _begin_on_few(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(rows, "MOST_AT_ONCE_IN_COMPARISON", 100)
    patch.setattr(rows, "FIRST_ROWS", 60)


@pytest.fixture
def _in_stages(monkeypatch: pytest.MonkeyPatch) -> None:
    _begin_on_few(monkeypatch)


def _data() -> Dataset:
    return from_arrays(X, Y)


def _search(
    settings: Settings = SETTINGS, steps: list[Watched] | None = None, path: Path | None = None
) -> SearchResult:
    return search(_data(), LANGUAGES["interpretable"], settings, None if steps is None else steps.append, path)


class Whole(NamedTuple):
    """A search in stages, what it told, and its checkpoint."""

    found: SearchResult
    told: list[Watched]
    kept: Path


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    told, kept = list[Watched](), tmp_path_factory.mktemp("whole") / "kept"
    with pytest.MonkeyPatch.context() as patch:
        _begin_on_few(patch)
        return Whole(_search(steps=told, path=kept), told, kept)


def _is_of_all_rows(found: SearchResult) -> bool:
    for one in found.frontier:
        exact = -condition(one.kernel, Problem.of(_data())).log_evidence
        if abs(one.nll - exact) > 1e-6 * abs(exact):
            return False
    return bool(found.frontier)


@pytest.mark.usefixtures("_in_stages")
@pytest.mark.slow
def test_structure_is_found_on_few_rows_and_scored_on_all(whole: Whole) -> None:
    found = whole.found
    assert "Per" in str(found.best.kernel)
    rows = [step.rows for step in whole.told]
    assert rows[0] == 60
    assert rows[-1] is None
    assert rows == sorted(rows, key=lambda one: one or 240)
    assert _is_of_all_rows(found)
    again = _search(path=whole.kept)
    assert (again.best, again.frontier) == (found.best, found.frontier)


@pytest.mark.usefixtures("_in_stages")
@pytest.mark.slow
def test_a_search_goes_on_in_the_stage_in_which_it_was_ended(whole: Whole, tmp_path: Path) -> None:
    def ends(step: Watched) -> None:
        if step.rows is None:
            raise KeyboardInterrupt

    part = search(_data(), LANGUAGES["interpretable"], SETTINGS, ends, tmp_path / "kept")
    assert part.interrupted
    assert _is_of_all_rows(part)
    resumed = _search(path=tmp_path / "kept")
    assert (resumed.best, resumed.frontier) == (whole.found.best, whole.found.frontier)


@pytest.mark.slow
@pytest.mark.usefixtures("_in_stages")
def test_what_ends_in_the_first_stage_is_told_of_all_rows() -> None:
    found = search(_data(), LANGUAGES["interpretable"], Settings(3, 3, "bic", 1e-9, 1))
    assert found.stopped == OUT_OF_TIME
    assert _is_of_all_rows(found)


@pytest.mark.slow
@pytest.mark.usefixtures("_in_stages")
def test_the_default_language_begins_on_few_rows_with_sums_and_ends_by_bic(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "MOST_AT_ONCE", 100)
    monkeypatch.setattr(settings_module, "MOST_ROWS_BY_EVIDENCE", 100)
    steps: list[Watched] = []
    found = search(_data(), LANGUAGES["extended"], Settings(1, 2, n_jobs=1), steps.append)
    assert [step.rows for step in steps] == [60, 60, None]
    assert steps[0].score != pytest.approx(steps[0].bic, abs=5.0)  # all its numbers integrated out
    sums_of_first_level = len(list(sums(LANGUAGES["extended"])))
    assert steps[1].candidates == sums_of_first_level
    assert found.best.score == pytest.approx(bic(found.best.nll, found.best.kernel.expr, 240), abs=10.0)
    assert "Per" in str(found.best.kernel)
    assert _is_of_all_rows(found)


@pytest.mark.usefixtures("_in_stages")
@pytest.mark.slow
def test_a_stage_between_takes_few_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "GROWTH", 2.0)
    monkeypatch.setattr(plan, "MOST_LEVELS_BETWEEN", 0)
    steps: list[Watched] = []
    _search(Settings(3, 2, n_jobs=1, criterion="bic"), steps)
    between = {step.rows for step in steps} - {60, None}
    assert between
    assert all(sum(step.rows == rows for step in steps) == 1 for rows in between)
