"""The strategies: one for each kind of data, and what a search does by their plan."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.inference.parameters.scales import measure
from autostatistician.inference.problem import Problem
from autostatistician.language.languages import LANGUAGES
from autostatistician.search.run import Settings, search
from autostatistician.search.series.strategy import SeriesStrategy
from autostatistician.search.stages import stage
from autostatistician.search.stages.plan import StagePlan, stage_plans
from autostatistician.search.tables.proposals import TableGrammar
from autostatistician.search.tables.strategy import TableStrategy

X = np.arange(40.0)
NOISE = np.random.default_rng(4).normal(size=40)
QUICK = Settings(max_depth=4, restarts=1, n_jobs=1)
KINDS = Dataset((X % 3)[:, None], 4.0 * (X % 3 == 1) + NOISE, ("kind",), "y", None, levels={"kind": ("p", "q", "r")})


def _planned(monkeypatch: pytest.MonkeyPatch, **changes: int) -> None:
    def plans(*about: Any) -> tuple[StagePlan, ...]:
        return tuple(replace(one, **changes) for one in stage_plans(*about))

    monkeypatch.setattr(stage, "stage_plans", plans)


def test_a_column_of_categories_is_searched_as_a_table() -> None:
    found = search(KINDS, LANGUAGES["extended"], QUICK)
    assert str(found.best.kernel) == "Cat[kind] + WN"
    assert {str(one.kernel) for one in found.frontier if one.level == 0} == {"WN"}


@pytest.mark.parametrize(("patience", "levels"), [(2, 2), (1, 1)])
def test_a_level_without_improvement_is_drawn_again_where_the_plan_says_so(
    patience: int, levels: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    _planned(monkeypatch, patience=patience)
    found = search(from_arrays(X, NOISE), LANGUAGES["mkl"], QUICK)
    assert len(found.trace) - 1 == levels


@pytest.mark.parametrize("beam", [1, 3])
def test_neighbours_of_so_many_incumbents_are_proposed(beam: int, monkeypatch: pytest.MonkeyPatch) -> None:
    _planned(monkeypatch, beam=beam)
    found = search(from_arrays(X, np.sin(X / 4.0) + 0.2 * NOISE), LANGUAGES["tci"], replace(QUICK, max_depth=2))
    parents = {one.parent for one in found.frontier if one.level == 2}
    assert (len(parents) > 1) == (beam > 1)


def test_only_tables_begin_from_above() -> None:
    plane = np.column_stack([X, X[::-1] ** 2])
    series = SeriesStrategy(LANGUAGES["mkl"], Problem(X[:, None], NOISE, ("x",)))
    grammar = TableGrammar(LANGUAGES["mkl"], ("a", "b"), frozenset())
    table = TableStrategy(grammar, Problem(plane, NOISE, ("a", "b")), measure(plane, NOISE, ("a", "b")))
    assert list(series.complete_kernels()) == []
    assert {str(kernel) for kernel in table.complete_kernels()} == {"SE[a] + SE[b] + WN"}
