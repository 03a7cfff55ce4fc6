"""Seasons by least squares: what is put in comes out, and what is not there is not seen."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.decompose.series.seasons import period_of, season_map

X = np.arange(96.0)
YEAR = 5.0 * np.cos(2.0 * np.pi * (X - 7.0) / 12.0)


def test_the_swing_of_a_season_is_that_of_all_its_phases_however_few_of_a_cycle_are_looked_at() -> None:
    places = np.sort(np.random.default_rng(0).choice(2000, 500, replace=False)).astype(float)
    curve = 10.0 * np.cos(2.0 * np.pi * (places - 4.0) / 7.0)
    swing = season_map(places, (7.0,), 1.0).swings(curve[None], 0)
    assert swing == pytest.approx(np.ptp(10.0 * np.cos(2.0 * np.pi * np.arange(7) / 7.0)), rel=0.01)


def test_swings_at_the_ends_are_those_of_the_thirds() -> None:
    growing = YEAR * (1.0 + X / 48.0)
    early, late = season_map(X, (12.0,), 1.0).end_swings(growing[None], 0, 1.0) or (0.0, 0.0)
    assert (early, late) == (pytest.approx(10.0 * 4 / 3, rel=0.1), pytest.approx(10.0 * 8 / 3, rel=0.1))
    assert season_map(X[:60], (12.0,), 1.0).end_swings(growing[None, :60], 0, 1.0) is None  # too few cycles


def test_a_season_beside_a_course_and_an_event_is_taken_off() -> None:
    event = np.where((X >= 40) & (X < 55), -60.0, 0.0)
    curve = 50.0 + 0.2 * X + YEAR + event
    seasons = season_map(X, (12.0,), 1.0, (event == 0.0).astype(float))
    np.testing.assert_allclose(seasons.rest(curve[None])[0], 50.0 + 0.2 * X + event, atol=0.2)


def test_two_seasons_come_apart() -> None:
    week = np.array([3.0, 0.0, 0.0, 0.0, 0.0, -1.0, -2.0])[X.astype(int) % 7]
    seasons = season_map(X, (7.0, 12.0), 1.0)
    found = seasons.season((week + YEAR)[None], 0, X)[0]
    np.testing.assert_allclose(found, week - week.mean(), atol=0.2)


@pytest.mark.parametrize("wandering", [False, True])
def test_a_season_is_seen_and_its_absence_too(wandering: bool) -> None:
    rng = np.random.default_rng(1)
    noise = rng.normal(size=96)
    values = np.cumsum(noise) if wandering else noise
    seasons = season_map(X, (12.0,), 1.0)
    assert seasons.p_value(values + YEAR, 0) < 1e-4
    assert seasons.p_value(values, 0) > 0.01


def test_p_values_of_nothing_are_hardly_ever_small() -> None:
    rng = np.random.default_rng(2)
    seasons = season_map(X, (12.0,), 1.0)
    small = sum(seasons.p_value(rng.normal(size=96), 0) < 0.01 for _ in range(200))
    assert small <= 8


def test_what_is_seen_less_than_twice_is_left_out() -> None:
    assert season_map(X, (60.0, 12.0, 1.0), 1.0).periods == (12.0,)


def test_a_cycle_that_drifts_is_followed() -> None:
    """One that comes later and later, and grows: in step with no calendar, as sunspots."""
    x = np.arange(240.0)
    cycle = (1.0 + x / 240.0) * np.cos(2.0 * np.pi * (x + 0.0002 * x**2) / 12.0)
    fixed, moving = season_map(x, (12.0,), 1.0), season_map(x, (12.0,), 1.0, drifting=(12.0,))
    assert moving.any_drifts
    assert not fixed.any_drifts
    left = [float(np.std(one.rest(cycle[None]))) for one in (fixed, moving)]
    assert left[0] > 0.5
    assert left[1] < 0.3
    assert float(moving.swings(cycle[None], 0)[0]) == pytest.approx(3.0, abs=0.3)
    np.testing.assert_allclose(moving.sum_of_drifting(cycle[None]), moving.seasons(cycle[None]))


def test_days_within_weeks_are_days() -> None:
    """The seventh wave of a week is the first of a day: it counts for the day alone."""
    hours = np.arange(24.0 * 42.0) / 24.0
    day, weekend = 80.0 * np.cos(2.0 * np.pi * hours), np.where(hours % 7.0 >= 5.0, -60.0, 0.0)
    seasons = season_map(hours, (1.0, 7.0), 1.0 / 24.0)
    both = (day + weekend)[None]
    assert float(seasons.swings(both, 0)[0]) == pytest.approx(160.0, rel=0.1)
    assert float(seasons.swings(both, 1)[0]) == pytest.approx(60.0, rel=0.35)
    assert seasons.p_value(both[0] + np.random.default_rng(0).normal(0.0, 5.0, len(hours)), 0) < 1e-6


def test_a_step_is_no_season() -> None:
    """Sixty months without a season, that step: harmonics beside a broken line would take a third of the step."""
    curve = 25.0 * (np.arange(60.0) >= 35.0)[None]
    x = np.arange(60.0)
    blind, seeing = season_map(x, (12.0,), 1.0), season_map(x, (12.0,), 1.0, steps=(35.0,))
    assert np.ptp(blind.seasons(curve)) > 4.0
    np.testing.assert_allclose(seeing.seasons(curve), 0.0, atol=1e-8)


LONG_X = np.arange(240.0)


def _draws(period: float) -> np.ndarray:
    rng = np.random.default_rng(0)
    year, bend = 8.0 * np.sin(2.0 * np.pi * LONG_X / 12.0), 0.001 * (LONG_X - 100.0) ** 2
    rough = np.cumsum(rng.normal(0.0, 0.1, (40, 240)), axis=1)
    return 5.0 * np.sin(2.0 * np.pi * LONG_X / period) + year + bend + rough


@pytest.mark.parametrize(("period", "modelled"), [(41.0, 38.5), (30.0, 31.0), (9.6, 10.0)])
def test_the_period_is_that_of_the_function(period: float, modelled: float) -> None:
    length = period_of(LONG_X, _draws(period), modelled, (12.0,), 1.0)
    assert length.number == pytest.approx(period, rel=0.015)
    assert length.low <= length.number <= length.high


def test_a_cycle_between_others_keeps_the_period_of_the_models() -> None:
    assert period_of(LONG_X, _draws(41.0), 12.0, (12.0, 9.5, 14.5, 11.0, 13.2, 10.3), 1.0).number == 12.0
