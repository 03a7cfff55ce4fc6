"""Learning of priors on tables: what the corpus is, and that a column without effect is left out."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autostatistician.data.dataset import Kind, from_arrays
from autostatistician.inference.parameters.learned import Place
from autostatistician.language.traits import columns_of
from autostatistician.search.starting.standardisation import standard

NAMES = ("a", "b", "idle")
RNG = np.random.default_rng(2)
X = RNG.uniform(size=(60, 3))
Y = np.sin(5.0 * X[:, 0]) + X[:, 1] + 0.1 * RNG.normal(size=60)


@pytest.fixture
def learn(folder: Path) -> Any:
    pytest.importorskip("statsmodels")
    return import_module("learn_table_prior")


def test_the_corpus_has_none_of_the_sets_that_it_is_judged_by(learn: Any) -> None:
    every = {one.name: one for one in learn.tables()}
    assert {name.split(":")[0] for name in every} == {*learn.OF_STATSMODELS, *learn.OF_SKLEARN}
    judged = import_module("folds").SETS
    assert not any(name.startswith((*judged, "boston", "california")) for name in every)
    assert all(one.kind is Kind.TABLE and 10 < one.n <= learn.MOST_ROWS for one in every.values())
    assert all(np.isfinite(one.X).all() and np.ptp(one.y) > 0.0 for one in every.values())


def test_a_table_tells_of_its_noise(learn: Any) -> None:
    seen = learn.lesson(from_arrays(X, Y, NAMES), learn.first_guess("first_table_numbers.csv"))
    noise = [moments for key, moments in seen if key == ("WN", "sd", Place.TERM)]
    assert sum(moments.weight for moments in noise) == pytest.approx(1.0, abs=0.05)
    found = sum(moments.r - moments.u for moments in noise)
    assert found == pytest.approx(np.log(0.1 / np.std(Y)), abs=0.3)


def test_a_product_is_fitted_with_and_without_the_column_that_has_no_effect(learn: Any) -> None:
    _, problem, scales = standard(from_arrays(X, Y, NAMES), priors=learn.first_guess("first_table_numbers.csv"))
    start = next(one for one in learn.starts(NAMES, scales) if str(one) == "SE[a] * SE[b] * SE[idle] + C + WN")
    found = [one for one, _ in learn.fitted(start, problem, scales)]
    assert [columns_of(one.expr) for one in found] == [{*NAMES}, {"a", "b"}]
