"""Races on tables: what they find, on which rows, and that it repeats."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.inference.engines.choice import objective_of
from autostatistician.inference.problem import Problem
from autostatistician.language.languages import LANGUAGES
from autostatistician.language.traits import columns_of
from autostatistician.search.racing import tasks
from autostatistician.search.run import Settings, search
from autostatistician.search.state import SearchResult

NAMES = ("a", "b", "c")
RNG = np.random.default_rng(5)
X = RNG.uniform(-2.0, 2.0, (90, 3))
NOISE = RNG.normal(size=90)
QUICK = Settings(max_depth=2, restarts=5, n_jobs=1)


@pytest.fixture(scope="module")
def product() -> SearchResult:
    return search(_product(), LANGUAGES["full"], QUICK)


def _product() -> Dataset:
    return from_arrays(X, np.sin(2.0 * X[:, 0]) * np.cos(1.5 * X[:, 1]) + 0.1 * NOISE, NAMES)


def test_a_product_of_two_columns_is_found_and_the_third_left_out(product: SearchResult) -> None:
    assert sorted(columns_of(product.best.kernel.expr)) == ["a", "b"]
    assert product.best.kernel.values[-1] == pytest.approx(0.1, rel=0.4)
    assert product.evaluations < 1600  # nothing that is whole already is freed again and again


def test_a_sum_is_found() -> None:
    y = np.sin(2.0 * X[:, 0]) + np.cos(3.0 * X[:, 2]) + 0.1 * NOISE
    found = search(from_arrays(X, y, NAMES), LANGUAGES["full"], Settings(max_depth=1, restarts=5, n_jobs=1))
    assert str(found.best.kernel) == "SE[a] + SE[c] + WN"


def test_what_is_found_on_parts_is_judged_on_all_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "SUBSET_ROWS", 20)
    monkeypatch.setattr(tasks, "LARGER_SUBSET_ROWS", 40)
    monkeypatch.setattr(tasks, "VERY_MANY_ROWS", 60)
    data = _product()
    data = Dataset(data.X[:88], data.y[:88], data.columns, data.target, None)  # not the subsets of another test
    found = search(data, LANGUAGES["full"], Settings(max_depth=1, restarts=5, n_jobs=1))
    for one in found.frontier:
        expected = objective_of(one.kernel.expr, Problem(data.X, data.y, NAMES)).value(one.kernel.values)
        assert one.nll == pytest.approx(expected, rel=1e-6, abs=1e-6)


def test_the_number_of_workers_changes_nothing(product: SearchResult) -> None:
    found = search(_product(), LANGUAGES["full"], Settings(max_depth=2, restarts=5, n_jobs=2))
    assert [(one.kernel, one.nll) for one in found.frontier] == [(one.kernel, one.nll) for one in product.frontier]
    assert found.evaluations == product.evaluations
