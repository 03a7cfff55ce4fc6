"""A problem is what is asked, and no more: it allocates nothing and gives parts of itself."""

from __future__ import annotations

import tracemalloc

import numpy as np

from autostatistician.inference.basis import Basis
from autostatistician.inference.likelihoods.gaussian import GAUSSIAN
from autostatistician.inference.problem import FEW_ROWS, Problem

X, Y = np.arange(100.0)[:, None], np.sin(np.arange(100.0))


def test_a_problem_of_many_rows_takes_no_matrix() -> None:
    X = np.arange(20_000.0)[:, None]
    tracemalloc.start()
    problem = Problem(X, X[:, 0])
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert problem.n == 20_000
    assert most < 2e6  # one matrix would be 3.2e9


def test_rows_keep_what_belongs_to_them() -> None:
    basis = Basis(np.column_stack([np.ones(100), X[:, 0]]), np.array([0.0, 1.0]))
    part = Problem(X, Y, ("t",), basis).rows(np.array([3, 50]))
    assert part.y.tolist() == Y[[3, 50]].tolist()
    assert part.basis is not None
    assert part.basis.values.tolist() == [[1.0, 3.0], [1.0, 50.0]]
    assert (part.columns, part.likelihood) == (("t",), GAUSSIAN)


def test_a_few_rows_are_always_the_same_and_stand_for_all() -> None:
    first, second = Problem(X, Y).few, Problem(X, Y).few
    assert first.n == FEW_ROWS
    np.testing.assert_array_equal(first.X, second.X)
    assert np.ptp(first.X) > 80.0
    small = Problem(X[:5], Y[:5])
    assert small.few is small


def test_a_line_of_inputs_is_one_column() -> None:
    assert Problem(X[:, 0], Y).X.shape == (100, 1)
