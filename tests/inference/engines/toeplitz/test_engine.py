"""When the engine for grids can be asked, and what it costs."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.inference.basis import Basis
from autostatistician.inference.engines.choice import engine_for
from autostatistician.inference.engines.toeplitz.engine import Toeplitz
from autostatistician.inference.engines.toeplitz.form import is_bordered
from autostatistician.inference.likelihoods.bernoulli import Bernoulli
from autostatistician.inference.problem import Problem
from autostatistician.language.text import parse, parse_kernel

GRID = Problem(np.arange(600.0), np.sin(np.arange(600.0)))


def test_a_model_of_many_waves_on_a_grid_is_its() -> None:
    text = parse("SE * Per + Matern12 + Lin + WN")
    assert engine_for(text, GRID).name == "Toeplitz"
    assert engine_for(text, GRID.rows(np.delete(np.arange(600), [7, 90]))).name == "Toeplitz"
    many_empty = np.flatnonzero(np.arange(600) % 4)
    assert Toeplitz().cost(text, GRID.rows(many_empty)) is None
    assert engine_for(text, GRID.rows(np.arange(100))).name == "lag space"


@pytest.mark.parametrize("text", ["CP(SE, C) + WN", "Wiener + WN", "Lin * SE + WN", "Lin * WN", "(Lin + C) * SE"])
def test_changes_and_changing_sizes_are_not(text: str) -> None:
    assert not is_bordered(parse(text))
    assert Toeplitz().cost(parse(text), GRID) is None


def test_other_data_are_not() -> None:
    n = GRID.n
    others = [
        Problem(GRID.X[::-1], GRID.y),
        Problem(GRID.X**1.5, GRID.y),
        Problem(np.zeros(n), GRID.y),
        Problem(np.stack([GRID.X[:, 0]] * 2, axis=1), GRID.y, ("a", "b")),
        Problem(GRID.X, GRID.y, basis=Basis(np.ones((n, 1)), np.zeros(1))),
        Problem(GRID.X, np.sign(GRID.y), likelihood=Bernoulli()),
    ]
    assert [Toeplitz().cost(parse("C + WN"), one) for one in others] == [None] * len(others)


def test_cost_grows_with_rows_and_numbers() -> None:
    def cost(text: str, n: int) -> float:
        found = Toeplitz().cost(parse(text), Problem(np.arange(float(n)), np.zeros(n)))
        assert found is not None
        return found

    assert cost("SE + WN", 100) < cost("SE + WN", 1000) < cost("SE + Per + WN", 1000)
    assert 50.0 < cost("SE + WN", 100_000) / cost("SE + WN", 10_000) < 100.0


def test_a_posterior_is_that_of_another_engine() -> None:
    kernel = parse_kernel("SE(lengthscale=3, sd=1) + WN(sd=0.3)")
    found = Toeplitz().condition(kernel, GRID)
    misfit = Toeplitz().objective(kernel.expr, GRID).value(kernel.values)
    assert found.log_evidence == pytest.approx(-misfit, abs=0.05)
