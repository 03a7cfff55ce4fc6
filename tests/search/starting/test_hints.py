"""What the data suggest: periods and places of change, on grids, with gaps and scattered."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician.search.starting import hints as hints_module
from autostatistician.search.starting.hints import (
    FEWEST_CYCLES,
    MOST_CHANGES,
    MOST_PERIODS,
    OVERSAMPLING,
    distinct_frequencies,
    hints,
)

Array = NDArray[np.float64]

RNG = np.random.default_rng(0)
POSITIONS: dict[str, Array] = {
    "grid": np.arange(80.0) / 80.0,
    "gaps": np.sort(RNG.choice(100, 80, replace=False)) / 100.0,
    "scattered": np.sort(RNG.uniform(0.0, 1.0, 80)),
    "unsorted": RNG.permutation(80) / 80.0,
}
NOISE = 0.2 * RNG.normal(size=80)


@pytest.mark.parametrize("case", sorted(POSITIONS))
@pytest.mark.parametrize("period", [0.05, 0.12, 0.31, 0.6])
def test_the_strongest_period_comes_first(case: str, period: float) -> None:
    x = POSITIONS[case]
    found = hints(x, np.sin(2.0 * np.pi * x / period) + NOISE, detrend=False)
    assert 0 < len(found.periods) <= MOST_PERIODS
    assert found.periods[0] == pytest.approx(period, rel=0.05)


def test_a_trend_does_not_hide_a_period() -> None:
    x = POSITIONS["grid"]
    found = hints(x, 50.0 * x**2 + np.sin(2.0 * np.pi * x / 0.12) + NOISE, detrend=True)
    assert found.periods[0] == pytest.approx(0.12, rel=0.05)


@pytest.mark.parametrize("kind", ["level", "roughness"])
def test_a_change_is_among_the_places(kind: str) -> None:
    x = POSITIONS["grid"]
    later = x > 0.4
    y = np.where(later, 2.0, 0.0) + NOISE if kind == "level" else np.where(later, 5.0 * NOISE, NOISE)
    found = hints(x, y, detrend=False)
    assert 0 < len(found.changes) <= MOST_CHANGES
    assert min(abs(place - 0.4) for place in found.changes) < 0.05
    assert kind == "roughness" or abs(found.changes[0] - 0.4) < 0.05


def test_sizes() -> None:
    x = np.arange(400.0) / 400.0
    noise = 0.3 * np.random.default_rng(1).normal(size=400)
    found = hints(x, np.sin(3.0 * x) + noise, detrend=True)
    assert found.sd == pytest.approx(0.3, rel=0.15)
    assert found.roughness == pytest.approx(0.3, rel=0.15)


@pytest.mark.parametrize("n", [3, 4, 5, 8, 9, 19])
@pytest.mark.parametrize("detrend", [True, False])
def test_few_data_suggest_nothing_wrong(n: int, detrend: bool) -> None:
    found = hints(np.arange(float(n)) / n, np.random.default_rng(7).normal(size=n), detrend=detrend)
    assert all(0.0 < period <= 1.0 for period in found.periods)
    assert found.changes == ()
    assert np.isfinite([found.sd, found.roughness]).all()


@pytest.mark.parametrize("y", [np.zeros(30), np.full(30, 3.0)])
def test_constant_data_suggest_no_period(y: Array) -> None:
    found = hints(np.arange(30.0) / 30.0, y, detrend=False)
    assert found.periods == ()
    assert found.sd == 0.0


def test_one_place_suggests_nothing() -> None:
    found = hints(np.zeros(30), np.random.default_rng(7).normal(size=30), detrend=False)
    assert found.periods == ()


def test_the_order_of_rows_does_not_matter() -> None:
    x, y = POSITIONS["grid"], np.sin(40.0 * POSITIONS["grid"]) + NOISE
    order = np.random.default_rng(7).permutation(80)
    assert hints(x[order], y[order], detrend=True) == hints(x, y, detrend=True)


@pytest.mark.parametrize("places", [1, 2, 3])
def test_many_values_at_few_places_raise_no_warning(places: int) -> None:
    x = np.repeat(np.arange(float(places)), 12)
    found = hints(x, x + np.random.default_rng(7).normal(size=x.size), detrend=True)
    assert 0.5 < found.sd < 1.5


def test_so_many_frequencies_differ_along_a_column() -> None:
    scattered = POSITIONS["scattered"]
    assert distinct_frequencies(POSITIONS["unsorted"]) == pytest.approx(39.5 - FEWEST_CYCLES)  # half of a grid's steps
    assert distinct_frequencies(10.0 * scattered + 3.0) == pytest.approx(distinct_frequencies(scattered))
    assert distinct_frequencies(scattered, 20) == pytest.approx(20 / OVERSAMPLING - FEWEST_CYCLES)
    assert distinct_frequencies(np.repeat([0.0, 1.0, 2.0, 3.0], 20)) == 0.0
    assert distinct_frequencies(np.ones(80)) == 0.0


@pytest.mark.parametrize("kept", [1500, 900])
def test_the_quick_periodogram_of_many_rows_is_that_of_the_definition(
    kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(4)
    rows = np.sort(rng.choice(1500, kept, replace=False))
    x = rows / 1499.0
    y = np.sin(2.0 * np.pi * rows / 24.0) + 0.5 * np.cos(2.0 * np.pi * rows / 168.0) + rng.standard_normal(kept)
    slow = hints(x, y, detrend=True).periods
    monkeypatch.setattr(hints_module, "MOST_WAVES", 0)
    quick = hints(x, y, detrend=True).periods
    assert 1499.0 * quick[0] == pytest.approx(24.0, rel=2e-3)
    assert min(abs(1499.0 * one - 168.0) for one in quick) < 2.0
    assert quick[0] == pytest.approx(slow[0], rel=1e-4)
