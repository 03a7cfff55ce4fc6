"""On which rows a search goes on: parts that show the long and the short, each within the next."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autostatistician.data.dataset import Dataset
from autostatistician.language.languages import LANGUAGES
from autostatistician.search.constants import FIRST_ROWS, GROWTH
from autostatistician.search.stages.rows import rows_of_stages, sample_of_series


def _series(n: int, columns: int = 1) -> Dataset:
    x = np.random.default_rng(0).permutation(float(n) * np.linspace(0.0, 1.0, n * columns)).reshape(n, columns)
    return Dataset(x, np.ones(n), tuple("ab"[:columns]), "y", None)


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
