"""The way to a model: what its search may say."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from autostatistician.data.dataset import from_arrays
from autostatistician.data.load import load
from autostatistician.language.traits import has_changes
from autostatistician.model import fitting
from autostatistician.model.fitting import fit_model
from autostatistician.search.run import Settings
from autostatistician.search.state import SearchResult

QUICK = Settings(max_depth=1, restarts=2, n_jobs=1)
X = np.arange(30.0)
DAYS = pd.date_range("2020-01-01", periods=30, freq="MS")


def test_negative_numbers_of_workers_count_from_the_cores() -> None:
    found = fit_model(from_arrays(X, np.sin(X)), "se", replace(QUICK, n_jobs=-1))
    same = fit_model(from_arrays(X, np.sin(X)), "se", QUICK)
    assert found.kernel == same.kernel
    assert len(found.search.trace) == 2
    assert found.settings.n_jobs == -1


def test_a_series_of_yes_and_no_gets_no_windows_of_noise() -> None:
    """A dry spell of a daily record of rain was told as two weeks without noise."""
    rain = (np.random.default_rng(3).uniform(size=80) < 0.4).astype(float)
    rain[30:50] = 0.0
    data = load(pd.Series(rain, index=pd.date_range("2021-01-01", periods=80), name="rain"))
    found = fit_model(data, "interpretable", replace(QUICK, max_depth=2))
    for one in found.search.frontier:
        assert not has_changes(one.kernel.expr)
        assert "*" not in str(one.kernel)
    assert any("two values only, 0 and 1" in warning for warning in data.warnings)


def test_one_step_of_a_series_with_two_values_is_a_step_all_the_same() -> None:
    step = from_arrays(X, np.where(X < 12.0, 3.0, 8.0))
    found = fit_model(step, "changepoint", replace(QUICK, max_depth=2, restarts=4))
    assert any(has_changes(one.kernel.expr) for one in found.search.frontier)


def test_what_comes_before_the_levels_takes_nothing_of_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    budgets: list[float | None] = []

    def watched(dataset: Any, language: Any, settings: Settings, *others: Any) -> SearchResult:
        budgets.append(settings.time_budget)
        return search(dataset, language, settings, *others)

    search = fitting.search
    monkeypatch.setattr(fitting, "search", watched)
    fit_model(from_arrays(X, X + np.sin(X)), "se", replace(QUICK, time_budget=100.0))
    assert budgets == [100.0]


@pytest.mark.slow
def test_a_report_of_a_small_budget_tells_what_was_tried() -> None:
    """White noise beside what a column adds was all that was fitted, and the column took the whole trend."""
    staff = np.random.default_rng(0).integers(8, 36, 30)
    sales = {"week": DAYS, "staff": staff, "sales": 100.0 * X + 5.0 * staff + np.random.default_rng(1).normal(size=30)}
    data = load(pd.DataFrame(sales), time="week", target="sales")
    found = fit_model(data, "extended", replace(QUICK, max_depth=3, time_budget=1e-6)).search
    assert (found.cut, [step.level for step in found.trace]) == ("budget", [0, 1])
    assert str(found.best.kernel) != "WN"
