"""Matrices made in several blocks: every part of the language against dense algebra and finite differences."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician.inference.covariance.matrices import covariance
from autostatistician.inference.engines import blocks
from autostatistician.inference.engines.choice import objective_of
from autostatistician.inference.engines.triangle import Triangle
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import Kernel, parameters, size
from autostatistician.language.text import parse

Array = NDArray[np.float64]

NAMES = ("a", "b")
RNG = np.random.default_rng(3)
ROWS = 40
X, Y = RNG.uniform(-1.0, 1.0, (ROWS, 2)), RNG.normal(size=ROWS)
TEXTS = (
    "SE[a] * SE[b] + WN",
    "SE[a] * SE[b] * (Lin[a] + C) + WN * Lin[b]",
    "Matern12[a] * Per[b] * (SE[a] + WN) + RQ[b] + WN",
    "CP[a](SE[b] + Lin[b] * WN, C) + WN",
    "CW[b](WN, SE[b] * Matern32[a]) * SE[a] + WN",
    "WN * WN + C",
)


@pytest.fixture(autouse=True)
def _several_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "CELLS_PER_BLOCK", 7 * ROWS)


def _kernel(text: str) -> Kernel:
    expr = parse(text)
    return Kernel(expr, tuple(np.random.default_rng(size(expr)).uniform(0.4, 1.2, size(expr))))


@pytest.mark.parametrize("text", TEXTS)
def test_the_matrix_is_that_of_the_covariance(text: str) -> None:
    kernel, triangle = _kernel(text), Triangle(len(X))
    blocks.fill(blocks.blocked(kernel.expr), kernel.values, X, NAMES, triangle.matrix, triangle.main)
    expected = np.triu(covariance(kernel, X, columns=NAMES))
    np.testing.assert_allclose(np.triu(triangle.matrix), expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("text", TEXTS)
def test_the_gradient_is_that_of_differences(text: str) -> None:
    kernel = _kernel(text)
    evidence = objective_of(kernel.expr, Problem(X, Y, NAMES))
    _, gradient = evidence.value_and_gradient(kernel.values)
    for index, parameter in enumerate(parameters(kernel.expr)):
        values = [list(kernel.values), list(kernel.values)]
        for sign, shifted in zip((1e-5, -1e-5), values, strict=True):
            shifted[index] = shifted[index] * np.exp(sign) if parameter.role.positive else shifted[index] + sign
        above, below = (evidence.value(tuple(shifted)) for shifted in values)
        assert gradient[index] == pytest.approx((above - below) / 2e-5, rel=1e-5, abs=1e-5)


def test_blocks_cover_the_triangle_once() -> None:
    found = [block.rows for block in blocks.blocks(X, {"a": 0, "b": 1}, (), [])]
    assert len(found) > 3
    assert [row for rows in found for row in range(rows.start, rows.stop)] == list(range(ROWS))
