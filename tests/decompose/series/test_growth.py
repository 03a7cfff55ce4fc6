"""Which seasons change their sizes along the data."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.decompose.series.growth import growing_seasons
from autostatistician.decompose.series.seasons import season_map

X = np.arange(144.0)
WAVE = np.cos(2.0 * np.pi * X / 12.0)


@pytest.mark.parametrize(
    ("size", "stretches"),
    [(np.linspace(5.0, 20.0, 144), 1), (10.0 - 0.1 * np.abs(X - 72.0), 2), (np.full(144, 9.0), 0)],
)
def test_sizes_are_as_bent_as_the_data_show(size: np.ndarray, stretches: int) -> None:
    values = size * WAVE + np.random.default_rng(4).normal(size=144)
    found = growing_seasons(X, values, season_map(X, (12.0,), 1.0), 1.0)
    assert found == ({12.0: stretches} if stretches else {})


def test_a_level_that_wanders_makes_no_season_grow() -> None:
    rng = np.random.default_rng(5)
    flat = season_map(X, (12.0,), 1.0)
    walks = [np.cumsum(rng.normal(size=144)) + 8.0 * WAVE for _ in range(40)]
    assert sum(bool(growing_seasons(X, walk, flat, 1.0)) for walk in walks) <= 2


def test_two_cycles_are_too_few() -> None:
    some = slice(0, 36)
    flat = season_map(X[some], (12.0,), 1.0)
    assert growing_seasons(X[some], X[some] * WAVE[some], flat, 1.0) == {}
