"""What a function does: estimates, growth, scatter, seasons and shape."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import norm

from autostatistician.decompose.records.function import Estimate, FunctionDraws, believed
from autostatistician.decompose.series.components import OPEN_WEIGHT, shape_of, window_weight
from autostatistician.decompose.series.departures import sudden_changes
from autostatistician.decompose.series.estimates import bends, estimate, robust_sd, witness
from autostatistician.decompose.series.function import change_between, function_course, modelled_periods
from autostatistician.decompose.series.scatter import homoscedasticity, scatter_change
from autostatistician.decompose.series.season_draws import changing_seasons
from autostatistician.decompose.series.seasons import period_of, season_map
from autostatistician.gp.covariance import prior_variance
from autostatistician.kernels.kernel import Kernel, leaf

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
    assert course.homoscedasticity > 0.05


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


def thirds_apart(curve: NDArray[np.float64], values: NDArray[np.float64]) -> Estimate:
    """By how much the last third of 156 rows lies above the first, by draws of a curve that are nearly sure."""
    x, rows = np.arange(156.0), np.arange(52)
    curves = curve + np.random.default_rng(5).normal(0.0, 0.01, size=(200, 1))
    some = FunctionDraws(x, curves, np.full((200, 156), 0.1), values, np.full(156, 0.1))
    return change_between(some, [], (), 1.0, lambda values: values, (rows, rows + 104))


def test_what_wanders_makes_a_difference_between_two_stretches_open() -> None:
    """A model that follows every value knows the means exactly; all but one series rose or fell for sure."""
    rng, sure = np.random.default_rng(0), {0.0: 0, 0.06: 0}
    for _ in range(12):
        wandering = np.linalg.solve(np.eye(156) - 0.75 * np.eye(156, k=-1), rng.normal(size=156))
        for slope in sure:
            change = thirds_apart(wandering + slope * np.arange(156.0), wandering + slope * np.arange(156.0))
            sure[slope] += change.low * change.high > 0.0
    assert sure[0.0] <= 2
    assert sure[0.06] >= 11


def test_a_difference_between_two_stretches_is_without_an_event_that_has_passed() -> None:
    x, rng = np.arange(156.0), np.random.default_rng(1)
    curve = 50.0 + 0.02 * x - 40.0 * ((x >= 20.0) & (x < 26.0))
    change = thirds_apart(curve, curve + rng.normal(0.0, 0.5, size=156))
    assert change.number == pytest.approx(0.02 * 104.0, abs=0.1)


def test_a_pace_beside_a_step_is_as_open_as_the_size_of_the_step() -> None:
    """One size for all draws left a range a third as wide, beside the truth in six of 16 series."""
    rng = np.random.default_rng(4)
    x, more = np.arange(80.0), rng.normal(0.0, 3.0, size=(200, 1))
    step = x >= 40.0
    curves = (0.5 - 0.01875 * more) * x + (20.0 + more) * step
    values = 0.5 * x + 20.0 * step + rng.normal(0.0, 2.0, size=80)
    some = FunctionDraws(x, curves, np.full((200, 80), 2.0), values, np.full(80, 2.0))
    course = function_course(some, [], (), 1.0, lambda values: values)
    assert course is not None
    assert [change.until for change in course.sudden] == [None]
    assert (course.pace.high - course.pace.low) / 3.92 == pytest.approx(0.01875 * 3.0, rel=0.2)


def test_a_fall_is_not_back_where_a_falling_line_would_be() -> None:
    """Housing starts of 2008 were "back" in 2011, where they lay a third lower: they had been falling before."""
    rows = np.arange(200.0)
    curve = np.interp(rows, [0.0, 70.0, 99.0, 100.0, 125.0, 145.0, 199.0], [170, 170, 80, 48, 48, 90, 95])
    values = curve + np.random.default_rng(6).normal(0.0, 1.5, size=200)
    (fall,) = [change for change in sudden_changes(rows, np.tile(curve, (40, 1)), values) if change.at == 100.0]
    assert fall.until is None or curve[int(fall.until)] > 64.0


def test_an_event_is_as_large_as_its_rows_on_average() -> None:
    """Of one that eases, the first rows are no size: its range was beside the truth in four of ten."""
    rng, rows = np.random.default_rng(5), np.arange(120)
    event = np.interp(rows, [58, 60, 64, 70], [0.0, -40.0, -20.0, 0.0])
    curves = 100.0 + event + rng.normal(0.0, 1.0, size=(200, 1)) * (event < 0.0)
    values = 100.0 + event + rng.normal(0.0, 2.0, size=120)
    some = FunctionDraws(rows.astype(float), curves, np.full((200, 120), 2.0), values, np.full(120, 2.0))
    course = function_course(some, [], (), 1.0, lambda values: values)
    assert course is not None
    (change,) = course.sudden
    inside = (rows >= change.at) & (rows < (change.until or 0.0))
    assert change.size.low < event[inside].mean() < change.size.high
    assert change.size.number == pytest.approx(event[inside].mean(), abs=1.0)


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


@pytest.mark.parametrize("later", [4, 0])
def test_a_season_with_other_months_of_late_is_told_as_it_was_at_first(later: int) -> None:
    x = np.arange(120.0) / 12.0
    early, late = (10.0 * np.cos(2.0 * np.pi * (x - month / 12.0)) for month in (3, 3 + later))
    rng = np.random.default_rng(3)
    curves = np.where(x < 5.0, early, late) + rng.normal(0.0, 0.2, size=(100, 120))
    values = np.median(curves, axis=0) + 0.3 * rng.normal(size=120)
    some = FunctionDraws(x, curves, np.ones(curves.shape), values, rng.normal(size=120))
    course = function_course(some, [(1.0, 1.0)], (1.0,), 1 / 12, lambda values: values)
    assert course is not None
    season = course.seasons[0]
    tops = [tuple(round(12 * top) for top in each) for each in (season.first.tops if season.first else (), season.tops)]
    assert tops == [(3,) if later else (), (3 + later,)]


@pytest.mark.slow
@pytest.mark.parametrize(("years", "step"), [(2, 2.0), (2, -2.0), (4, 2.0)])
def test_a_fall_from_a_warm_first_week_is_none_where_the_second_year_is_the_warmer(years: int, step: float) -> None:
    """The ends of two years of daily weather are a few days of it: whole years are compared."""
    x = np.arange(np.ceil(365.2425 * years))
    weather = 6.0 * np.exp(-x / 12.0)
    curve = 15.0 - 9.0 * np.cos(2.0 * np.pi * x / 365.2425) + weather + np.linspace(0.0, step, len(x))
    rng = np.random.default_rng(4)
    errors = rng.normal(0.0, 2.0, size=len(x))
    curves = curve + rng.normal(0.0, 0.3, size=(100, 1))
    some = FunctionDraws(x, curves, np.full(curves.shape, 2.0), curve + errors, errors)
    course = function_course(some, [(365.2425, 1.0)], (365.2425,), 1.0, lambda values: values)
    assert course is not None
    assert course.rise.number == pytest.approx((curve[-366:] - curve[:366]).mean(), abs=0.05)
    assert course.rise.number * step > 0.0
    assert course.rise_witness.agrees


def test_few_rows_are_asked_nothing() -> None:
    assert function_course(draws(3), [], (1.0,), 1 / 12, lambda values: values) is None


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


def test_the_range_holds_what_it_says() -> None:
    draws = np.random.default_rng(0).normal(2.0, 1.0, size=20_000)
    known = estimate(draws)
    assert (known.number, known.low, known.high) == pytest.approx((2.0, 0.04, 3.96), abs=0.05)
    assert known.probability == pytest.approx(believed(0.977), abs=0.05)  # 4.6 % by chance where there is nothing


def test_the_range_holds_as_much_of_further_values_where_draws_are_few() -> None:
    known = [estimate(np.random.default_rng(seed).normal(size=60)) for seed in range(400)]
    held = [norm.cdf(one.high) - norm.cdf(one.low) for one in known]
    assert float(np.mean(held)) == pytest.approx(0.95, abs=0.006)


def test_the_robust_size_of_normal_values_is_their_standard_deviation() -> None:
    values = np.random.default_rng(0).normal(0.0, 3.0, size=20_000)
    assert robust_sd(values) == pytest.approx(3.0, rel=0.03)


@pytest.mark.parametrize(("number", "agrees"), [(5.0, True), (1.0, False)])
def test_a_witness_agrees_where_ranges_have_a_common_part(number: float, agrees: bool) -> None:
    assert witness("medians", number, 0.5, Estimate(6.0, 5.5, 6.5, 1.0)).agrees is agrees


def test_a_witness_of_array_numbers_agrees_as_plain_values_do() -> None:
    number, error = np.array([6.0, 0.5])
    assert witness("medians", number, error, Estimate(6.0, 5.5, 6.5, 1.0)).agrees is True  # a record is plain JSON


X_OF_GROWTH = np.arange(144.0)
WAVE = np.cos(2.0 * np.pi * X_OF_GROWTH / 12.0)


@pytest.mark.parametrize(
    ("size", "stretches"),
    [(np.linspace(5.0, 20.0, 144), 1), (10.0 - 0.1 * np.abs(X_OF_GROWTH - 72.0), 2), (np.full(144, 9.0), 0)],
)
def test_sizes_are_as_bent_as_the_data_show(size: np.ndarray, stretches: int) -> None:
    values = size * WAVE + np.random.default_rng(4).normal(size=144)
    found = changing_seasons(X_OF_GROWTH, values, season_map(X_OF_GROWTH, (12.0,), 1.0), 1.0, (12.0,))
    assert found == ({12.0: stretches} if stretches else {})


def test_a_level_that_wanders_makes_no_season_grow() -> None:
    rng = np.random.default_rng(5)
    flat = season_map(X_OF_GROWTH, (12.0,), 1.0)
    walks = [np.cumsum(rng.normal(size=144)) + 8.0 * WAVE for _ in range(40)]
    assert sum(bool(changing_seasons(X_OF_GROWTH, walk, flat, 1.0, (12.0,))) for walk in walks) <= 2


def test_two_cycles_are_too_few() -> None:
    some = slice(0, 36)
    flat = season_map(X_OF_GROWTH[some], (12.0,), 1.0)
    assert changing_seasons(X_OF_GROWTH[some], X_OF_GROWTH[some] * WAVE[some], flat, 1.0, (12.0,)) == {}


Array = NDArray[np.float64]
N = 200


def draws_of_scatter(errors: Array, sds: Array) -> FunctionDraws:
    x = np.arange(float(N))
    return FunctionDraws(x, np.zeros((50, N)), np.tile(sds, (50, 1)), errors, errors)


def test_a_scatter_four_times_as_large_is_found_where_it_begins() -> None:
    sds = np.where(np.arange(N) < 110, 2.0, 8.0)
    errors = sds * np.random.default_rng(3).normal(size=N)
    change = scatter_change(draws_of_scatter(errors, sds), errors)
    assert change is not None
    assert change.at == pytest.approx(110.0, abs=8.0)
    assert np.exp(change.witness.low) < 4.0 < np.exp(change.witness.high)
    assert change.witness.agrees
    assert homoscedasticity(errors) < 1e-6


@pytest.mark.parametrize(("before", "growing", "few"), [(1.0, False, True), (4.0, True, False)])
def test_where_a_scatter_changes_is_known_closely_only_where_it_does_so_at_once(
    before: float, growing: bool, few: bool
) -> None:
    rng, rows = np.random.default_rng(6), np.arange(N)
    for _ in range(10):
        sds = np.interp(rows, [60.0, 140.0], [before, 8.0]) if growing else np.where(rows < 110, before, 8.0)
        errors = sds * rng.normal(size=N)
        change = scatter_change(draws_of_scatter(errors, sds), errors)
        if change is not None:
            assert change.span is not None
            first, last, count = change.span
            assert first <= change.at <= last
            assert (count <= 8) is few
            assert growing or first <= 110.0 <= last


def test_models_of_one_noise_do_not_agree_with_it() -> None:
    errors = np.where(np.arange(N) < 110, 2.0, 8.0) * np.random.default_rng(3).normal(size=N)
    change = scatter_change(draws_of_scatter(errors, np.ones(N)), errors)
    assert change is not None
    assert not change.witness.agrees


@pytest.mark.parametrize("tails", [None, 3.0])
def test_noise_of_one_size_is_hardly_ever_two(tails: float | None) -> None:
    rng = np.random.default_rng(4)
    found = 0
    for _ in range(60):
        errors = rng.normal(size=N) if tails is None else rng.standard_t(tails, size=N)
        found += scatter_change(draws_of_scatter(errors, np.ones(N)), errors) is not None
    assert found <= 3


def test_noise_that_differs_by_the_phase_of_a_cycle_is_not_steady_and_even_noise_hardly_ever_fails() -> None:
    rng, months = np.random.default_rng(5), 1990.0 + np.arange(120) / 12.0
    sizes = np.where(np.arange(120) % 12 < 4, 4.0, 1.0)  # scatter in winter
    assert homoscedasticity(sizes * rng.normal(size=120), months, (1.0,), 1.0 / 12.0) < 0.01
    fails = [homoscedasticity(rng.normal(size=120), months, (1.0,), 1.0 / 12.0) < 0.05 for _ in range(200)]
    assert np.mean(fails) < 0.08


X_OF_SEASONS = np.arange(96.0)
YEAR = 5.0 * np.cos(2.0 * np.pi * (X_OF_SEASONS - 7.0) / 12.0)


def test_the_swing_of_a_season_is_that_of_all_its_phases_however_few_of_a_cycle_are_looked_at() -> None:
    places = np.sort(np.random.default_rng(0).choice(2000, 500, replace=False)).astype(float)
    curve = 10.0 * np.cos(2.0 * np.pi * (places - 4.0) / 7.0)
    swing = season_map(places, (7.0,), 1.0).swings(curve[None], 0)
    assert swing == pytest.approx(np.ptp(10.0 * np.cos(2.0 * np.pi * np.arange(7) / 7.0)), rel=0.01)


def test_swings_at_the_ends_are_those_of_the_thirds() -> None:
    growing = YEAR * (1.0 + X_OF_SEASONS / 48.0)
    early, late = season_map(X_OF_SEASONS, (12.0,), 1.0).end_swings(growing[None], 0, 1.0) or (0.0, 0.0)
    assert (early, late) == (pytest.approx(10.0 * 4 / 3, rel=0.1), pytest.approx(10.0 * 8 / 3, rel=0.1))
    assert season_map(X_OF_SEASONS[:60], (12.0,), 1.0).end_swings(growing[None, :60], 0, 1.0) is None  # too few cycles


def test_a_season_beside_a_course_and_an_event_is_taken_off() -> None:
    event = np.where((X_OF_SEASONS >= 40) & (X_OF_SEASONS < 55), -60.0, 0.0)
    curve = 50.0 + 0.2 * X_OF_SEASONS + YEAR + event
    seasons = season_map(X_OF_SEASONS, (12.0,), 1.0, (event == 0.0).astype(float))
    np.testing.assert_allclose(seasons.rest(curve[None])[0], 50.0 + 0.2 * X_OF_SEASONS + event, atol=0.2)


def test_two_seasons_come_apart() -> None:
    week = np.array([3.0, 0.0, 0.0, 0.0, 0.0, -1.0, -2.0])[X_OF_SEASONS.astype(int) % 7]
    seasons = season_map(X_OF_SEASONS, (7.0, 12.0), 1.0)
    found = seasons.season((week + YEAR)[None], 0, X_OF_SEASONS)[0]
    np.testing.assert_allclose(found, week - week.mean(), atol=0.2)


@pytest.mark.parametrize("wandering", [False, True])
def test_a_season_is_seen_and_its_absence_too(wandering: bool) -> None:
    rng = np.random.default_rng(1)
    noise = rng.normal(size=96)
    values = np.cumsum(noise) if wandering else noise
    seasons = season_map(X_OF_SEASONS, (12.0,), 1.0)
    assert seasons.p_value(values + YEAR, 0) < 1e-4
    assert seasons.p_value(values, 0) > 0.01


def test_p_values_of_nothing_are_hardly_ever_small() -> None:
    rng = np.random.default_rng(2)
    seasons = season_map(X_OF_SEASONS, (12.0,), 1.0)
    small = sum(seasons.p_value(rng.normal(size=96), 0) < 0.01 for _ in range(200))
    assert small <= 8


def test_what_is_seen_less_than_twice_is_left_out() -> None:
    assert season_map(X_OF_SEASONS, (60.0, 12.0, 1.0), 1.0).periods == (12.0,)


def test_a_cycle_that_drifts_is_followed() -> None:
    """One that comes later and later, and grows: in step with no calendar, as sunspots."""
    x = np.arange(240.0)
    cycle = (1.0 + x / 240.0) * np.cos(2.0 * np.pi * (x + 0.0002 * x**2) / 12.0)
    fixed = season_map(x, (12.0,), 1.0)
    stretches = changing_seasons(x, cycle, fixed, 1.0, ())
    moving = season_map(x, (12.0,), 1.0, drifting=(12.0,), stretches=stretches)
    assert moving.any_drifts
    assert not fixed.any_drifts
    left = [float(np.std(one.rest(cycle[None]))) for one in (fixed, moving)]
    assert left[0] > 0.5
    assert left[1] < 0.3
    assert float(moving.swings(cycle[None], 0)[0]) == pytest.approx(3.0, abs=0.3)
    np.testing.assert_allclose(moving.sum_of_drifting(cycle[None]), moving.seasons(cycle[None]))


def test_a_cycle_that_drifts_is_no_wave_of_another() -> None:
    """The weekdays of months have a cycle of 2.32 months: the map took their yearly pattern for it, thrice as large."""
    rng, x = np.random.default_rng(0), np.arange(285.0)
    year, days = 40.0 * np.exp(-2.0 * (x % 12.0 - 11.0) ** 2), 4.0 * np.cos(2.0 * np.pi * x / 2.317)
    values = year + days + 2.0 * rng.normal(size=285)
    curves = (year + days)[None] + rng.normal(size=(100, 285))
    draws = FunctionDraws(x, curves, np.full((100, 285), 2.0), values, values - year - days)
    course = function_course(draws, ((12.0, 1.0), (2.317, 1.0)), (12.0,), 1.0, lambda level: level)
    assert course is not None
    assert [season.swing.number for season in course.seasons] == pytest.approx([8.0, 40.0], rel=0.15)
    assert all(season.witness.agrees for season in course.seasons)


def _changing_share(values: Array, curve: Array) -> float:
    draws = np.random.default_rng(1).normal(scale=0.3, size=(100, len(curve))) + curve
    return season_map(np.arange(float(len(curve))), (12.0,), 1.0).shape_change(draws, values, 0)


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_a_shape_changes_where_the_function_and_the_data_say_so(seed: int) -> None:
    x = np.arange(96.0)
    noise = np.random.default_rng(seed).normal(size=96)
    fixed = 5.0 * np.cos(2.0 * np.pi * x / 12.0)
    moves = 5.0 * np.cos(2.0 * np.pi * (x / 12.0 + 0.3 * x / 96.0))
    assert _changing_share(fixed + noise, moves) == 0.0
    assert _changing_share(moves + noise, fixed) == 0.0
    assert _changing_share(moves + noise, moves) == 1.0
    assert _changing_share((1.0 + x / 96.0) * fixed + noise, (1.0 + x / 96.0) * fixed) == 0.0  # it has its shape


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


ONE, ZERO = leaf("C", sd=1.0), leaf("0")
X_OF_SHAPE = np.linspace(0.0, 10.0, 41)


@pytest.mark.parametrize(
    "part",
    [
        ONE,
        Kernel.change_point(ONE, ZERO, 4.0, 2.0),
        Kernel.change_point(ZERO, ONE, 4.0, 2.0),
        Kernel.change_window(ZERO, ONE, 5.0, 3.0, 4.0),
        Kernel.change_window(ONE, ZERO, 5.0, 3.0, 4.0),
        Kernel.change_point(ZERO, Kernel.change_window(ZERO, ONE, 5.0, 3.0, 4.0), 4.0, 2.0),
    ],
    ids=str,
)
def test_the_window_is_the_prior_of_a_unit_constant_in_it(part: Kernel) -> None:
    np.testing.assert_allclose(
        window_weight(part, X_OF_SHAPE[:, None]), np.sqrt(prior_variance(part, X_OF_SHAPE[:, None])), atol=1e-12
    )


def test_leaves_inside_do_not_matter() -> None:
    inside = leaf("SE", lengthscale=1.0, sd=5.0) * leaf("Lin", sd=1.0, location=3.0) + leaf("WN", sd=2.0)
    found = window_weight(Kernel.change_point(inside, ZERO, 4.0, 2.0), X_OF_SHAPE[:, None])
    np.testing.assert_allclose(found, window_weight(Kernel.change_point(ONE, ZERO, 4.0, 2.0), X_OF_SHAPE[:, None]))


def test_only_open_data_count() -> None:
    mean = np.where(X_OF_SHAPE < 5.0, X_OF_SHAPE, 10.0 - X_OF_SHAPE)
    active, slope = shape_of(X_OF_SHAPE, mean, np.where(X_OF_SHAPE < 4.0, 1.0, OPEN_WEIGHT))
    assert (active, slope) == ((0.0, 3.75), pytest.approx(1.0))


def test_a_closed_window_leaves_nothing() -> None:
    assert shape_of(X_OF_SHAPE, X_OF_SHAPE, np.full(41, 0.5)) == (None, 0.0)


def test_a_single_position_has_no_slope() -> None:
    assert shape_of(np.ones(3), np.ones(3), np.ones(3)) == ((1.0, 1.0), 0.0)


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


@pytest.mark.parametrize("length", [5, 10])
def test_the_way_back_of_an_event_that_is_soon_over_is_no_step(length: int) -> None:
    """Both of its ends lie within the rows that are looked at beside one, and the clearer one may be the second."""
    for seed in range(8):
        rng, rows = np.random.default_rng(seed), np.arange(120.0)
        level = 6.0 * ((rows >= 50.0) & (rows < 50.0 + length))
        curves = level + rng.normal(0.0, 0.3, (60, 1)) + rng.normal(0.0, 0.05, (60, 120))
        (change,) = sudden_changes(rows, curves, level + rng.normal(size=120))
        assert (change.at, change.until) == (pytest.approx(50.0, abs=1.0), pytest.approx(50.0 + length, abs=1.0))
