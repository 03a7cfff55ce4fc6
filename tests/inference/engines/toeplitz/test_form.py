"""Which matrices are constant along their diagonals: the covariance itself shows it."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.inference.engines.choice import prior_covariances
from autostatistician.inference.engines.toeplitz.form import MOST_EMPTY, cells_of, is_bordered
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import parameters
from autostatistician.language.text import parse

GRID = Problem(np.arange(30.0), np.zeros(30))


@pytest.mark.parametrize(
    "text", ["SE + WN", "SE * Per + C", "Matern12 * Cos + RQ", "CP(SE, C)", "Wiener + SE", "WN * Lin"]
)
def test_what_is_bordered_without_lines_is_the_same_along_each_diagonal(text: str) -> None:
    expr = parse(text)
    K = prior_covariances(expr, GRID, [tuple(0.7 + 0.1 * k for k in range(len(parameters(expr))))])[0]
    alike = all(np.ptp(K.diagonal(k)) < 1e-12 for k in range(len(K)))
    assert is_bordered(expr) is alike


def test_lines_stand_beside() -> None:
    assert is_bordered(parse("Lin * Lin + C * Lin + SE"))
    assert not is_bordered(parse("Lin * SE"))


def test_rows_stand_in_cells_few_of_which_are_empty() -> None:
    expr = parse("SE + WN")
    found = cells_of(expr, GRID.rows(np.delete(np.arange(30), [3, 4])))
    assert found is not None
    assert found[0].tolist() == [0, 1, 2, *range(5, 30)]
    assert found[1] == pytest.approx(1.0)
    last = 200.0 + MOST_EMPTY
    few, many = (Problem(np.append(np.arange(200.0), at), np.zeros(201)) for at in (last, last + 1.0))
    assert cells_of(expr, few) is not None
    assert cells_of(expr, many) is None
