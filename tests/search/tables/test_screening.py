"""Which of many columns a search for classes looks at."""

from __future__ import annotations

import numpy as np

from autostatistician.inference import Problem
from autostatistician.inference.likelihoods.bernoulli import Bernoulli
from autostatistician.search.tables.screening import MOST_COLUMNS, entering_columns

RNG = np.random.default_rng(0)
NAMES = tuple(f"x{place}" for place in range(16))


def _classes(X: np.ndarray, function: np.ndarray) -> Problem:
    y = np.where(function + 0.5 * RNG.standard_normal(len(X)) > 0.0, 1.0, -1.0)
    return Problem(X, y, NAMES, likelihood=Bernoulli())


def test_columns_that_matter_are_among_those_that_enter_whatever_their_units() -> None:
    X = RNG.standard_normal((300, len(NAMES)))
    problem = _classes(X * np.logspace(-3, 3, len(NAMES)), X[:, 2] + X[:, 9] ** 2 - 1.0)
    entering = entering_columns(problem, frozenset(), 3)
    assert {"x2", "x9"} < set(entering)
    assert list(entering) == sorted(entering, key=NAMES.index)


def test_a_copy_of_a_column_leaves_room_for_others() -> None:
    X = RNG.standard_normal((300, len(NAMES)))
    X[:, 1] = X[:, 0] + 0.01 * RNG.standard_normal(300)
    assert "x5" in entering_columns(_classes(X, 2.0 * X[:, 0] + X[:, 5]), frozenset(), 2)


def test_categories_enter_too() -> None:
    X = RNG.standard_normal((300, len(NAMES)))
    X[:, 4] = RNG.integers(0, 3, 300)
    assert entering_columns(_classes(X, np.where(X[:, 4] == 1.0, 1.5, -1.0)), frozenset({"x4"}), 1) == ("x4",)


def test_all_columns_of_narrow_tables_and_of_numbers_enter() -> None:
    X = RNG.standard_normal((40, len(NAMES)))
    assert entering_columns(Problem(X, X[:, 0], NAMES), frozenset()) == NAMES
    assert len(entering_columns(_classes(X, X[:, 0]), frozenset())) == MOST_COLUMNS
    narrow = Problem(X[:, :3], np.sign(X[:, 0]), NAMES[:3], likelihood=Bernoulli())
    assert entering_columns(narrow, frozenset()) == NAMES[:3]
