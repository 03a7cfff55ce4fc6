"""Rows that are out because something happened there are told from single values."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician.search.before.events import overshoots, together

X = np.arange(120.0)
NOISE = np.random.default_rng(4).normal(size=120)
NONE: list[int] = []


def at(*rows: int) -> NDArray[np.bool_]:
    return np.isin(X, rows)


@pytest.mark.parametrize("out", [(40,), (53,), (40, 53), (41, 47)])
def test_a_run_that_lies_off_together_is_found_from_any_of_its_rows(out: tuple[int, ...]) -> None:
    expected = 300.0 + np.tile([30.0, 20.0, 10.0, 15.0, 40.0, -50.0, -65.0], 18)[:120]
    y = np.where((X >= 40.0) & (X < 54.0), 40.0, expected) + 8.0 * NOISE
    assert np.flatnonzero(together(y, at(*out))).tolist() == list(range(40, 54))


def test_what_overshoots_next_to_a_step_belongs_to_it() -> None:
    expected = np.where(X < 60.0, 30.0, 48.0)
    y = expected + 2.0 * NOISE + 14.0 * at(60, 61)
    assert np.flatnonzero(overshoots(y, expected, at(60, 61))).tolist() == [60, 61]
    below = y - 28.0 * at(60, 61)
    assert np.flatnonzero(overshoots(below, expected, at(60, 61))).tolist() == NONE


@pytest.mark.parametrize(
    "curve", [0.0 * X, 0.5 * X, 8.0 * np.sin(X / 4.0), 10.0 * (X % 12.0 == 11.0), 9.0 * (X > 90.0)]
)
@pytest.mark.parametrize("row", [30, 50, 63])
def test_single_values_belong_to_nothing(curve: NDArray[np.float64], row: int) -> None:
    for y in (curve + NOISE + 9.0 * at(row), curve + NOISE - 9.0 * at(row)):
        assert not together(y, at(row)).any()
        assert not overshoots(y, curve, at(row)).any()
