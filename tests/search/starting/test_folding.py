"""Cycles of a long series by folding it, against series whose cycles are known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from autostatistician.search.starting.folding import cycles, fold

Array = NDArray[np.float64]

HOURS = np.arange(1500.0)


def _pattern(period: float, harmonics: int, rng: np.random.Generator) -> Array:
    turns = 2.0 * np.pi * np.arange(1, harmonics + 1)[:, None] * (HOURS / period + rng.random((harmonics, 1)))
    wave: Array = (np.cos(turns) / np.sqrt(np.arange(1, harmonics + 1))[:, None]).sum(0)
    return wave / wave.std()


@given(st.integers(0, 1000), st.floats(10.0, 40.0))
def test_a_cycle_of_any_shape_is_found_whole(seed: int, period: float) -> None:
    rng = np.random.default_rng(seed)
    found = cycles(HOURS, _pattern(period, 3, rng) + 0.3 * rng.normal(size=1500) + 0.01 * HOURS)
    assert found[0] == pytest.approx(period, rel=0.02)


def test_a_slow_cycle_of_pulses_beside_a_quick_one_is_found_although_its_harmonics_are_stronger() -> None:
    rng = np.random.default_rng(1)
    weekend = 3.0 * (HOURS % 168.0 < 36.0)
    wandering = np.cumsum(rng.normal(size=1500)) * 0.03
    values = np.cos(2.0 * np.pi * HOURS / 24.0) - weekend + wandering + 0.3 * rng.normal(size=1500)
    shuffled = rng.permutation(1500)
    assert sorted(round(one) for one in cycles(HOURS[shuffled], values[shuffled])) == [24, 168]


@pytest.mark.parametrize("seed", range(5))
def test_noise_has_no_cycle(seed: int) -> None:
    assert cycles(HOURS, np.random.default_rng(seed).normal(size=1500)) == ()


def test_where_a_calendar_names_cycles_these_are_looked_at_alone() -> None:
    values = np.sin(2.0 * np.pi * HOURS / 24.0) + np.sin(2.0 * np.pi * HOURS / 100.0)
    assert cycles(HOURS, values, (24.0, 168.0)) == (24.0,)
    assert cycles(HOURS, np.sin(2.0 * np.pi * HOURS / 100.0), (24.0,)) == ()


def test_a_fold_is_the_average_of_its_phases() -> None:
    x, y = np.arange(400.0), np.tile([1.0, 2.0, 3.0, 6.0], 100)
    found = fold(x, y, 4.0)
    within = slice(4, -4)  # windows of a whole period
    assert np.allclose((found.pattern + found.rest)[within], y[within] - 3.0)
    for place in range(4):
        assert np.allclose(found.pattern[place::4], y[place] - 3.0, atol=0.1)
    assert found.gain > 1000.0
    assert fold(x, np.zeros(400), 4.0).gain == 0.0
