"""A search in stages: structure from few rows, scores of all, whatever ends it and wherever it is resumed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.inference.criteria import bic
from autostatistician.inference.engines.choice import condition
from autostatistician.inference.problem import Problem
from autostatistician.language.languages import LANGUAGES
from autostatistician.search import settings as settings_module
from autostatistician.search.run import Settings, search
from autostatistician.search.series.evidence import sums
from autostatistician.search.stages import plan, rows
from autostatistician.search.state import OUT_OF_TIME, SearchResult, Watched

X = np.arange(240.0)
Y = 5.0 + np.sin(2.0 * np.pi * X / 12.0) + 0.3 * np.random.default_rng(0).standard_normal(240)
SETTINGS = Settings(max_depth=2, restarts=3, n_jobs=1, criterion="bic")


@pytest.fixture(autouse=True)
def _in_stages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "MOST_AT_ONCE_IN_COMPARISON", 100)
    monkeypatch.setattr(rows, "FIRST_ROWS", 60)


def _data() -> Dataset:
    return from_arrays(X, Y)


def _search(
    settings: Settings = SETTINGS, steps: list[Watched] | None = None, path: Path | None = None
) -> SearchResult:
    return search(_data(), LANGUAGES["interpretable"], settings, None if steps is None else steps.append, path)


def _is_of_all_rows(found: SearchResult) -> bool:
    for one in found.frontier:
        exact = -condition(one.kernel, Problem.of(_data())).log_evidence
        if abs(one.nll - exact) > 1e-6 * abs(exact):
            return False
    return bool(found.frontier)


@pytest.mark.slow
def test_structure_is_found_on_few_rows_and_scored_on_all(tmp_path: Path) -> None:
    steps: list[Watched] = []
    found = _search(steps=steps, path=tmp_path / "kept")
    assert "Per" in str(found.best.kernel)
    rows = [step.rows for step in steps]
    assert rows[0] == 60
    assert rows[-1] is None
    assert rows == sorted(rows, key=lambda one: one or 240)
    assert _is_of_all_rows(found)
    again = _search(path=tmp_path / "kept")
    assert (again.best, again.frontier) == (found.best, found.frontier)


@pytest.mark.slow
def test_a_search_goes_on_in_the_stage_in_which_it_was_ended(tmp_path: Path) -> None:
    whole = _search()

    def ends(step: Watched) -> None:
        if step.rows is None:
            raise KeyboardInterrupt

    part = search(_data(), LANGUAGES["interpretable"], SETTINGS, ends, tmp_path / "kept")
    assert part.interrupted
    assert _is_of_all_rows(part)
    resumed = _search(path=tmp_path / "kept")
    assert (resumed.best, resumed.frontier) == (whole.best, whole.frontier)


def test_what_ends_in_the_first_stage_is_told_of_all_rows() -> None:
    found = search(_data(), LANGUAGES["interpretable"], Settings(3, 3, "bic", 1e-9, 1))
    assert found.stopped == OUT_OF_TIME
    assert _is_of_all_rows(found)


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


@pytest.mark.slow
def test_a_stage_between_takes_few_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "GROWTH", 2.0)
    monkeypatch.setattr(plan, "MOST_LEVELS_BETWEEN", 0)
    steps: list[Watched] = []
    _search(Settings(3, 2, n_jobs=1, criterion="bic"), steps)
    between = {step.rows for step in steps} - {60, None}
    assert between
    assert all(sum(step.rows == rows for step in steps) == 1 for rows in between)
