"""Sudden changes: steps and events are found where they are, and slow changes are none."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician.decompose.series.sudden import sudden_changes

Array = NDArray[np.float64]

X = np.arange(100.0)
NOISE = np.random.default_rng(0).normal(size=100)


def around(curve: Array) -> Array:
    return curve + 0.1 * np.random.default_rng(1).normal(size=(200, 1))


def test_what_goes_half_the_way_back_is_not_back() -> None:
    """Though the line before it would be there by then."""
    line = 5.0 + 0.15 * np.maximum(X - 36.0, 0.0)
    values = np.where(X < 60.0, line, np.where(X < 66.0, 12.6, 11.0)) + 0.1 * NOISE
    change = max(sudden_changes(X, around(values), values), key=lambda one: abs(one.size.number))
    assert (change.at, change.until) == (60.0, None)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_recovery_by_half_is_a_step_of_its_own(seed: int) -> None:
    rows = np.arange(208.0)
    curve = np.where(rows < 90.0, 200.0, np.where(rows < 140.0, 160.0, 180.0))
    values = curve + 6.0 * np.random.default_rng(seed).normal(size=208)
    fall, rise = sudden_changes(rows, around(curve), values)
    assert (fall.at, fall.until, round(fall.level + fall.size.number)) == (90.0, None, 160)
    assert (rise.at, rise.until, round(rise.level + rise.size.number)) == (140.0, None, 180)


def test_a_step_on_a_line_lasts() -> None:
    curve = 0.3 * X - 12.0 * (X >= 50)
    (change,) = sudden_changes(X, around(curve), curve + NOISE)
    assert (change.before, change.at, change.until) == (49.0, 50.0, None)
    assert change.size.number == pytest.approx(-11.7, abs=0.7)
    assert change.probability == 1.0
    assert not change.stays  # the line goes on, to where it was before and beyond
    assert change.witness.number < 0.0


def test_a_step_between_levels_stays() -> None:
    curve = -12.0 * (X >= 50)
    (change,) = sudden_changes(X, around(curve), curve + NOISE)
    assert change.stays


def test_a_ramp_of_several_rows_is_not_sudden() -> None:
    """Readers of the server's log would look for what happened in that minute."""
    curve = 60.0 / (1.0 + np.exp(-(X - 50.0) / 1.5))
    assert all(change.probability < 0.5 for change in sudden_changes(X, around(curve), curve + NOISE))


def test_what_wears_off_slowly_does_not_stay() -> None:
    curve = np.where(X >= 30, 20.0 * np.exp(-(X - 30.0) / 45.0), 0.0)
    (change,) = sudden_changes(X, around(curve), curve + 0.5 * NOISE)
    assert (change.at, change.until) == (30.0, None)
    assert not change.stays


def test_an_event_is_told_with_its_end() -> None:
    curve = 0.2 * X - 30.0 * ((X >= 40) & (X < 55))
    (change,) = sudden_changes(X, around(curve), curve + NOISE)
    assert (change.at, change.until, change.rows) == (40.0, 55.0, 15)
    assert change.lasting == 45


@pytest.mark.parametrize("curve", [0.5 * X, 20.0 / (1.0 + np.exp(-(X - 50.0) / 8.0)), 5.0 * np.sin(X / 6.0)])
def test_slow_courses_are_not_sudden(curve: Array) -> None:
    assert all(change.probability < 0.5 for change in sudden_changes(X, around(curve), curve + NOISE))


def test_what_happens_in_every_cycle_is_the_course() -> None:
    """A rise and a fall every twenty rows, of which one pair is larger by half."""
    rows = np.arange(200.0)
    curve = np.where(rows % 20.0 < 10.0, 3.0, 0.0) * (1.0 + 0.5 * (rows // 20.0 == 6.0))
    found = sudden_changes(rows, around(curve), curve + 0.2 * np.random.default_rng(0).normal(size=200))
    assert found
    assert all(change.probability < 0.5 for change in found)


@pytest.mark.slow
def test_noise_is_hardly_ever_a_change() -> None:
    rng = np.random.default_rng(2)
    flat = np.zeros((50, 100))
    found = [change for _ in range(100) for change in sudden_changes(X, flat, rng.normal(size=100))]
    assert all(change.probability == 0.0 for change in found)
    assert len(found) <= 5


def test_few_or_equal_values_show_none() -> None:
    assert sudden_changes(X[:10], np.zeros((5, 10)), NOISE[:10]) == ()
    assert sudden_changes(X, np.zeros((5, 100)), np.ones(100)) == ()
