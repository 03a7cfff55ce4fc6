"""Whether values run at one pace."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician.decompose.series.bends import bends

YEARS = np.array([1984, 1989, 1993, 1997, 1998, 2000, 2001, 2003, 2007, *range(2009, 2019)], dtype=float)
S_SHAPE = 8.0 + 86.0 / (1.0 + np.exp(-0.19 * (YEARS - 1999.5)))


@pytest.mark.parametrize(
    ("curve", "bent"),
    [
        (S_SHAPE, True),
        (2.5 * YEARS, False),
        (-2.5 * YEARS, False),
        (0.05 * (YEARS - 1980.0) ** 2, True),
        (100.0 - 0.05 * (YEARS - 1980.0) ** 2, True),
        (2.5 * YEARS + 0.01 * (YEARS - 2001.0) ** 2, False),  # clearly, but by little
    ],
)
def test_an_s_shape_bends_and_a_line_does_not(curve: NDArray[np.float64], bent: bool) -> None:
    assert bends(YEARS, curve + 0.05 * np.random.default_rng(1).normal(size=len(YEARS))) is bent


def test_noise_about_a_line_hardly_ever_bends() -> None:
    rng, x = np.random.default_rng(2), np.arange(60.0)
    assert np.mean([bends(x, 0.3 * x + 4.0 * rng.normal(size=60)) for _ in range(300)]) <= 0.03


def test_exact_lines_and_few_rows_do_not_bend() -> None:
    assert not bends(np.arange(30.0), 0.1 * np.arange(30.0))
    assert not bends(np.arange(30.0), np.zeros(30))
    assert not bends(np.arange(6.0), np.arange(6.0) ** 2)
