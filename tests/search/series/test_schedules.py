"""The race on a series: how the effort of a level is shared, and what is drawn again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from autostatistician.data.dataset import from_arrays
from autostatistician.inference.fitting.optimise import Fit
from autostatistician.language.languages import LANGUAGES
from autostatistician.search.racing.race import MOST_DRAWN_AT_ONCE
from autostatistician.search.racing.runner import Runner
from autostatistician.search.racing.tasks import Effort, Rows, Task
from autostatistician.search.run import Settings, search
from autostatistician.search.series import schedules
from autostatistician.search.series.schedules import (
    BETTER,
    DRAWN_AGAIN,
    FEWEST_PASSING,
    FITTED_ONE_IN,
    STARTS,
    STEPS,
    _first_round,
)
from autostatistician.search.stages import rows as stages
from autostatistician.search.stages.stage import TIMES_IF_THOROUGH
from autostatistician.search.starting.starts import Context

X = np.arange(40.0)
WAVE = np.sin(X / 4.0) + 0.05 * X + 0.1 * np.random.default_rng(2).normal(size=40)


def _run_tasks(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> list[list[Task]]:
    """The rounds of a search, each with its tasks."""
    rounds: list[list[Task]] = []
    fits = Runner.fits

    def watched(
        self: Runner, tasks: Sequence[Task], context: Context, stop: Callable[[], bool] | None = None
    ) -> list[Fit | None]:
        rounds.append(list(tasks))
        return fits(self, tasks, context, stop)

    monkeypatch.setattr(Runner, "fits", watched)
    search(from_arrays(X, WAVE), LANGUAGES["full"], settings)
    return rounds


def test_few_candidates_get_more_effort_each_than_many() -> None:
    few, many = _first_round(5, 10), _first_round(150, 10)
    assert (few.starts, few.fits, few.steps) > (many.starts, many.fits, many.steps)
    assert many.fits * 150 * 10 < 10 * few.fits * 5 * 150


def test_only_the_best_are_drawn_again_and_only_small_ones_from_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = _run_tasks(monkeypatch, Settings(max_depth=1, restarts=1, n_jobs=1))
    again = [task for tasks in rounds for task in tasks if task.key[2:] == (3,)]
    assert 1 <= len({task.kernel.expr for task in again}) <= DRAWN_AGAIN
    (fresh,) = [tasks for tasks in rounds if tasks and tasks[0].key[2:] == (4,)]
    assert all(np.isnan(task.kernel.values).all() for task in fresh)
    assert max(len(task.kernel.values) for task in fresh) <= MOST_DRAWN_AT_ONCE


def test_of_very_many_proposals_the_better_ones_enter_the_first_round(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedules, "MOST_UNSCREENED", FEWEST_PASSING)
    monkeypatch.setattr(schedules, "FEWEST_PASSING", 4)
    rounds = _run_tasks(monkeypatch, Settings(max_depth=2, restarts=1, n_jobs=1))
    screened, first = [tasks for tasks in rounds if tasks and tasks[0].key == (0, 2, 1) and tasks[0].effort.on_few]
    are_open = [bool(np.isnan(task.kernel.values).any()) for task in screened]
    assert len(first) == max(4, sum(are_open) // 8) < len(screened)
    places = [[task.kernel for task in screened].index(task.kernel) for task in first]
    assert places == sorted(places)  # in the order in which they were proposed


def test_after_a_stage_on_fewer_rows_looks_choose_what_is_fitted_on_few_and_the_best_are_on_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in (("MOST_AT_ONCE_IN_COMPARISON", 39), ("FIRST_ROWS", 30)):
        monkeypatch.setattr(stages, name, value)
    monkeypatch.setattr(schedules, "FEWEST_FITTED", 4)
    rounds = _run_tasks(monkeypatch, Settings(max_depth=5, restarts=2, n_jobs=1))
    efforts = {Effort(times * STARTS, 0, 0, rows=Rows.FEW): times for times in (1, TIMES_IF_THOROUGH)}
    places = [place for place, tasks in enumerate(rounds) if tasks and tasks[0].effort in efforts]
    order = [efforts[rounds[place][0].effort] for place in places]
    assert order[0] == TIMES_IF_THOROUGH  # of what is new to all rows
    for place in places:
        looks, fits, last = rounds[place : place + 3]
        assert len(looks) > len({task.kernel.expr for task in fits}) >= max(4, len(looks) // FITTED_ONE_IN)
        assert {(task.effort.fits, task.effort.rows) for task in fits} == {(1, Rows.FEW)}
        assert {(task.effort.steps, task.effort.rows) for task in last} == {(STEPS, Rows.ALL)}
        assert 1 <= len(last) <= efforts[looks[0].effort] * BETTER
