"""How a course runs: ends, slopes and turns of curves that are known."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician.decompose.series.course import (
    bounds,
    end_levels,
    ends,
    pace,
    slope_of_late,
    smoothed,
    stretches,
    wandering_share,
)

Array = NDArray[np.float64]

X = np.arange(100.0)


def same(values: Array) -> Array:
    return values


def around(curve: Array, sd: float = 0.2) -> Array:
    shifts = np.random.default_rng(0).normal(0.0, sd, size=(200, 1))
    return curve + shifts


def test_a_line_rises_at_its_slope_and_has_one_run() -> None:
    curves = around(3.0 + 0.5 * X)
    both = ends(X, curves, 3.0 + 0.5 * X, (10.0, 10.0), same, end_levels(X, curves, 0.0)[0])
    assert both.rise.number == pytest.approx(49.5)
    assert both.last.height.number - both.first.height.number == pytest.approx(49.5)
    assert both.witness.agrees
    assert both.witness.number == pytest.approx(45.0)  # of whole stretches
    assert pace(X, curves, same).number == pytest.approx(0.5)
    slope, seen = slope_of_late(X, curves, 3.0 + 0.5 * X, 10.0, same)
    assert (slope.number, seen.number, seen.agrees) == (pytest.approx(0.5), pytest.approx(0.5), True)
    assert len(stretches(X, curves, smoothed(X, curves), 3.0 + 0.5 * X, same, 0.0)) == 1
    assert wandering_share(X, curves) < 1e-9


@pytest.mark.parametrize("drifts", [False, True])
def test_remains_of_a_cycle_do_not_tilt_the_levels_of_the_ends(drifts: bool) -> None:
    wave = 5.0 * np.sin(2.0 * np.pi * X / 20.0)
    both = ends(X, around(wave), wave, (20.0, 20.0), same, end_levels(X, around(wave), 20.0, drifts=drifts)[0])
    assert both.first.height.number == pytest.approx(0.0, abs=0.1)
    assert both.last.height.number == pytest.approx(0.0, abs=0.1)


def test_the_level_of_the_end_is_that_of_the_last_row_where_a_course_bends() -> None:
    """A mean over a tenth of the rows would lag behind, and a line through them go on with a rise that has ended."""
    bent = np.where(X < 96.0, X, 192.0 - X)[None]
    assert [level[0] for level in end_levels(X, bent, 0.0)[0]] == [0.0, 93.0]
    assert [level[0] for level in end_levels(X, 2.0 * X[None], 12.0)[0]] == pytest.approx([0.0, 198.0])


@pytest.mark.parametrize("remains", [0.0, 1.0])
def test_a_fall_within_the_last_season_ends_where_it_ends(remains: float) -> None:
    """The mean of that season is far above: a demand that had fallen for months was told as still rising."""
    wave = remains * np.sin(2.0 * np.pi * X / 24.0)
    bent = np.where(X < 86.0, 0.5 * X, 43.0 - 1.5 * (X - 86.0)) + wave
    levels, lengths = end_levels(X, around(bent), 24.0, 1.0)
    assert float(np.median(levels[1])) == pytest.approx(23.5, abs=1.5)
    assert lengths[1] < 24.0 == lengths[0]


def test_a_cycle_that_drifts_ends_at_the_mean_of_its_last_season() -> None:
    """What is left of it at the ends looked like a bend: sunspots began at 7 instead of 18."""
    left = 3.0 + 8.0 * np.exp(-0.5 * ((X - X[-1]) / 3.0) ** 2)
    for drifts, level in ((False, left[-1]), (True, left[-20:].mean())):
        (_, last), _ = end_levels(X, around(left), 20.0, drifts=drifts)
        assert np.median(last) == pytest.approx(level, abs=0.5)


def test_an_end_that_only_some_curves_bend_to_is_that_of_the_last_season() -> None:
    bends = np.random.default_rng(7).normal(1.0, 2.0, size=(200, 1)) * np.maximum(X - 90.0, 0.0) / 9.0
    levels, lengths = end_levels(X, bends, 24.0)
    assert abs(float(np.median(levels[1]))) < 0.7
    assert lengths == (24.0, 24.0)


def test_a_roof_has_two_runs_and_its_top_where_it_is() -> None:
    roof = np.where(X < 60, X, 120.0 - X)
    up, down = stretches(X, around(roof), smoothed(X, around(roof)), roof, same, 0.0)
    assert up.change.number > 0.0 > down.change.number
    assert up.witness.agrees
    assert down.witness.agrees
    assert down.start_range[0] - 3.0 <= 60.0 <= down.start_range[1] + 3.0
    assert up.stop == down.start


def test_the_level_of_a_sharp_top_is_that_of_the_top() -> None:
    """Smoothed levels told 3,200 of a price that reached 4,900."""
    peak = 1000.0 + 4000.0 * np.exp(-np.abs(X - 60.0) / 8.0)
    up, down = stretches(X, around(peak), smoothed(X, around(peak)), peak, same, 0.0)
    assert up.last == down.first == pytest.approx(5000.0, rel=0.01)


def test_a_run_that_the_data_do_not_show_has_no_witness() -> None:
    roof = np.where(X < 60, X, 120.0 - X)
    falls = stretches(X, around(roof), smoothed(X, around(roof)), np.minimum(X, 60.0), same, 0.0)[1]
    assert not falls.witness.agrees


def test_a_slope_of_late_that_is_not_in_the_data_has_no_witness() -> None:
    noise = np.random.default_rng(3).normal(0.0, 3.0, size=100)
    curves = around(np.where(X < 90.0, 0.0, 90.0 - X))
    assert slope_of_late(X, curves, np.where(X < 90.0, 0.0, 90.0 - X) + 0.1 * noise, 10.0, same)[1].agrees
    assert not slope_of_late(X, curves, noise, 10.0, same)[1].agrees


def test_remains_of_a_cycle_are_no_part_of_the_level_of_a_top() -> None:
    roof = np.where(X < 60, X, 120.0 - X) + 5.0 * np.sin(2.0 * np.pi * X / 10.0)
    up, _ = stretches(X, around(roof), smoothed(X, around(roof)), roof, same, 10.0)
    assert up.last == pytest.approx(57.5, abs=1.5)


def test_wiggles_within_the_doubt_are_no_turns() -> None:
    rng = np.random.default_rng(1)
    curves = 0.3 * X + 3.0 * rng.normal(size=(200, 1)) * np.sin(X / 8.0)
    assert len(stretches(X, curves, smoothed(X, curves), 0.3 * X, same, 0.0)) == 1


def test_levels_are_told_in_the_units_of_the_data() -> None:
    logs = around(np.log(100.0) + 0.01 * X, 1e-6)
    both = ends(X, logs, logs[0], (10.0, 10.0), np.exp, end_levels(X, logs, 0.0)[0])
    assert both.first.height.number == pytest.approx(100.0, rel=1e-3)
    assert bounds(logs, np.exp)[1] == pytest.approx(100.0 * np.exp(0.99), rel=1e-3)
