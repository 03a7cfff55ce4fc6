"""What a function does, from draws of it and from the data."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.decompose.records.function import FunctionDraws
from autostatistician.decompose.series.function import function_course, modelled_periods
from autostatistician.language.kernel import leaf

X = 2015.0 + np.arange(96) / 12.0
LOCKED = (X >= 2020.16) & (X < 2021.41)
CURVE = 900.0 + 48.0 * (X - 2015.0) + 120.0 * np.cos(2.0 * np.pi * (X - 7.0 / 12.0))
VALUES = np.where(LOCKED, 0.25, 1.0) * CURVE


def draws(rows: int = 96) -> FunctionDraws:
    rng = np.random.default_rng(0)
    curves = VALUES + rng.normal(0.0, 3.0, size=(200, 1))
    errors = rng.normal(0.0, 25.0, size=96)
    some = slice(0, rows)
    return FunctionDraws(X[some], curves[:, some], np.full((200, rows), 25.0), (VALUES + errors)[some], errors[some])


def test_a_gap_a_season_and_a_rise_are_each_what_they_are() -> None:
    course = function_course(draws(), [(1.0003, 0.97)], (1.0,), 1 / 12, lambda values: values)
    assert course is not None
    (event,) = course.sudden
    assert (event.at, event.until) == (pytest.approx(2020 + 2 / 12), pytest.approx(2021 + 5 / 12))
    (season,) = course.seasons
    assert (season.period, season.modelled) == (1.0, 0.97)
    assert season.swing.number == pytest.approx(240.0, rel=0.05)
    assert X[0] + season.top[0] == pytest.approx(2015 + 7 / 12, abs=1 / 11)
    assert course.pace.number == pytest.approx(48.0, rel=0.05)
    assert course.growth == course.pace  # on a scale that is that of the data
    assert len(course.stretches) == 1
    assert course.rise_witness.agrees
    assert course.scatter is None
    assert course.steadiness > 0.05


def test_an_outage_without_its_weekly_pattern_is_an_event_and_no_course() -> None:
    """What the pattern would have added there is no movement beside it."""
    x = np.arange(364.0)
    out = (x >= 200.0) & (x < 214.0)
    curve = np.where(out, 40.0, 300.0 + np.tile([30.0, 20.0, 10.0, 15.0, 40.0, -50.0, -65.0], 52))
    rng = np.random.default_rng(2)
    noise = rng.normal(0.0, 12.0, size=364)
    curves = curve + rng.normal(0.0, 3.0, size=(200, 1))
    some = FunctionDraws(x, curves, np.full((200, 364), 12.0), curve + noise, noise)
    course = function_course(some, [(7.0, 1.0)], (7.0, 365.2425), 1.0, lambda values: values)
    assert course is not None
    (event,) = course.sudden
    assert (event.at, event.until, event.rows) == (200.0, 214.0, 14)
    assert event.probability > 0.95
    assert event.level == pytest.approx(300.0, abs=3.0)
    assert event.level + event.size.number == pytest.approx(40.0, abs=15.0)
    assert [abs(run.last - run.first) < 5.0 for run in course.stretches] == [True]


@pytest.mark.parametrize(("drift", "named"), [(0.0, False), (1.5, True)])
def test_a_fitted_period_near_a_year_is_a_year_where_the_data_say_so_too(drift: float, named: bool) -> None:
    x = np.arange(240) / 12.0
    rng = np.random.default_rng(3)
    turns = x if drift else x / 0.975  # a year whose time of the peak comes and goes, or another cycle
    values = np.cos(2.0 * np.pi * turns + drift * np.sin(2.0 * np.pi * x / 9.0)) + rng.normal(0.0, 0.3, size=240)
    some = FunctionDraws(x, np.tile(values, (20, 1)), np.full((20, 240), 0.3), values, np.full(240, 0.3))
    course = function_course(some, [(0.975, 0.99)], (1.0,), 1 / 12, lambda values: values)
    assert course is not None
    assert (course.seasons[0].period == 1.0) is named


@pytest.mark.parametrize(("per_cycle", "sizes"), [(12, (5.0, 65.0)), (12, (50.0, 8.0)), (7, (2.0, 20.0))])
def test_a_season_whose_swing_changes_is_no_course_and_no_event(per_cycle: int, sizes: tuple[float, float]) -> None:
    """Its average was taken off, and what was left went up and down, and changed suddenly in every high season."""
    x = np.arange(13.0 * per_cycle) / per_cycle
    line = 300.0 + 3.5 * x
    curve = line + np.linspace(*sizes, len(x)) * np.cos(2.0 * np.pi * x)
    rng = np.random.default_rng(8)
    errors = rng.normal(0.0, 4.0, size=len(x))
    curves = curve + rng.normal(0.0, 1.0, size=(200, 1))
    some = FunctionDraws(x, curves, np.full(curves.shape, 4.0), curve + errors, errors)
    course = function_course(some, [(1.0, 1.0)], (1.0,), 1.0 / per_cycle, lambda values: values)
    assert course is not None
    assert course.sudden == ()
    assert course.bounds == (pytest.approx(line[0], abs=3.0), pytest.approx(line[-1], abs=3.0))
    assert course.wander < 0.02
    assert course.last.height.number == pytest.approx(line[-1], abs=2.0)


@pytest.mark.parametrize(("years", "step", "agrees"), [(2, 2.0, False), (2, -2.0, True), (4, 2.0, True)])
def test_a_fall_from_a_warm_first_week_is_none_where_the_second_year_is_the_warmer(
    years: int, step: float, agrees: bool
) -> None:
    """The ends of two years of daily weather are a few days of it."""
    x = np.arange(np.ceil(365.2425 * years))
    weather = 6.0 * np.exp(-x / 12.0)
    curve = 15.0 - 9.0 * np.cos(2.0 * np.pi * x / 365.2425) + weather + np.linspace(0.0, step, len(x))
    rng = np.random.default_rng(4)
    errors = rng.normal(0.0, 2.0, size=len(x))
    curves = curve + rng.normal(0.0, 0.3, size=(100, 1))
    some = FunctionDraws(x, curves, np.full(curves.shape, 2.0), curve + errors, errors)
    course = function_course(some, [(365.2425, 1.0)], (365.2425,), 1.0, lambda values: values)
    assert course is not None
    if years == 2:
        assert course.rise.number < -2.0
        assert course.rise_witness.statistic.endswith("whole season") is not agrees
        assert (course.rise_witness.number > 0.0) is not agrees
    assert course.rise_witness.agrees is agrees


def test_few_rows_are_asked_nothing() -> None:
    assert function_course(draws(7), [], (1.0,), 1 / 12, lambda values: values) is None


def test_a_season_that_no_model_holds_and_the_data_do_not_show_is_none() -> None:
    rng = np.random.default_rng(5)
    noise = rng.normal(size=96)
    plain = FunctionDraws(X, np.zeros((50, 96)), np.ones((50, 96)), noise, noise)
    course = function_course(plain, [], (1.0,), 1 / 12, lambda values: values)
    assert course is not None
    assert course.seasons == ()


def test_periods_of_models_add_up_where_they_are_about_the_same() -> None:
    one = leaf("Per", "t", period=1.0, sd=1.0, lengthscale=1.0) + leaf("WN", sd=1.0)
    other = leaf("Per", "t", period=1.02, sd=1.0, lengthscale=1.0) + leaf("WN", sd=1.0)
    assert modelled_periods([(one, 0.5), (other, 0.3), (leaf("WN", sd=1.0), 0.2)]) == [(1.0, pytest.approx(0.8))]


def test_a_quick_fall_that_is_no_event_belongs_to_the_course() -> None:
    x = 2006.0 + np.arange(120) / 12.0
    fall = 14300.0 - 2800.0 / (1.0 + np.exp(-(x - 2009.0) / 0.15)) + 150.0 * np.maximum(x - 2010.0, 0.0)
    rng = np.random.default_rng(1)
    curves = (
        fall + rng.normal(0.0, 3.0, size=(200, 1)) + np.cumsum(rng.normal(0.0, 1.0, size=(200, 120)), axis=1) / 10.0
    )
    errors = rng.normal(0.0, 5.0, 120)
    some = FunctionDraws(x, curves, np.full((200, 120), 5.0), fall + errors, errors)
    course = function_course(some, [], (1.0,), 1 / 12, lambda values: values)
    assert course is not None
    first, second = course.stretches
    assert first.stop == pytest.approx(2010.0, abs=0.2)
    assert first.last < 11900.0
    assert first.change.number < 0.0 < second.change.number


@pytest.mark.slow
def test_seasons_and_ends_of_a_long_series_are_those_of_all_its_rows() -> None:
    """Irregular movement at the few rows that are looked at has no part in either."""
    rng = np.random.default_rng(3)
    x = np.arange(4000.0)
    week, year = 1.0 * (x % 7 < 2), 9.0 * np.cos(2.0 * np.pi * x / 365.2425)
    values = 15.0 + week + year + 3.0 * rng.normal(size=4000)
    some = np.sort(rng.choice(np.arange(1, 4000), 499, replace=False))
    some = np.unique([0, *some])
    curves = values[some] + rng.normal(0.0, 0.02, size=(100, len(some)))
    few = FunctionDraws(x[some], curves, np.full(curves.shape, 0.02), values[some], np.zeros(len(some)), (x, values))
    course = function_course(few, [(7.0, 1.0), (365.2425, 1.0)], (7.0, 365.2425), 1.0, lambda level: level)
    assert course is not None
    weekly = next(season for season in course.seasons if season.period == 7.0)
    plain = [values[x % 7 == day].mean() - values.mean() for day in range(7)]
    np.testing.assert_allclose(weekly.course, plain, atol=0.15)
    at_some = [values[some][x[some] % 7 == day].mean() - values[some].mean() for day in range(7)]
    assert np.abs(np.array(at_some) - plain).max() > 0.5
    assert abs(course.rise.number) < 0.8
    assert weekly.ends is None
