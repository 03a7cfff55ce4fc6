"""Plans of searches: what they foretell of stages, rounds and times, beside what searches then do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest

from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.data.load import load
from autostatistician.inference.fitting.optimise import Fit
from autostatistician.language.languages import LANGUAGES
from autostatistician.search.racing.runner import Runner
from autostatistician.search.racing.tasks import Task
from autostatistician.search.run import search
from autostatistician.search.settings import Settings
from autostatistician.search.stages.planned import PlannedRace, planned
from autostatistician.search.state import Watched

RNG = np.random.default_rng(2)
X = np.arange(60.0)
SERIES = from_arrays(X, np.sin(X / 4.0) + 0.2 * RNG.normal(size=60))
INPUTS = RNG.uniform(size=(60, 2))
TABLE = from_arrays(INPUTS, INPUTS[:, 0] + 0.1 * RNG.normal(size=60), ("a", "b"))


def _long(n: int) -> Dataset:
    return from_arrays(np.arange(float(n)), np.sin(np.arange(n) / 9.0) + 0.2 * RNG.normal(size=n))


@pytest.mark.parametrize(
    ("dataset", "language", "criterion"),
    [(SERIES, "interpretable", "bic"), (SERIES, "extended", "evidence"), (TABLE, "interpretable", "bic")],
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
        races: Sequence[PlannedRace] = planned(TABLE, "full", Settings()).stages[0].races
        return sum(one.seconds for one in races)

    assert seconds(4) == pytest.approx(seconds(1) / 4.0)
