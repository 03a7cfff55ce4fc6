"""Where a function goes: courses, levels, legs, seasons, sudden changes, anomalous_segments and standstills."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.signal import lfilter
from tests.decompose.series.series import decomposed

from autostatistician.data.dataset import Dataset
from autostatistician.data.transform import modelled, transform_of
from autostatistician.decompose.records.function import Estimate, FunctionCourse, FunctionDraws, LevelChange, Witness
from autostatistician.decompose.records.series import Decomposition, Fitted
from autostatistician.decompose.series.course import (
    cycle_means,
    ends,
    pace,
    plateau,
    slope_of_late,
    stretches,
    wandering_share,
)
from autostatistician.decompose.series.departures import _without_returns, anomalous_segments, sudden_changes
from autostatistician.decompose.series.estimates import Back, walks
from autostatistician.decompose.series.function import function_course
from autostatistician.forms import BAND_SDS
from autostatistician.gp.engines.choice import condition
from autostatistician.gp.problem import Problem
from autostatistician.kernels.kernel import Kernel, leaf

Array = NDArray[np.float64]
X = np.arange(100.0)


def same(values: Array) -> Array:
    return values


def around(curve: Array, sd: float = 0.2) -> Array:
    shifts = np.random.default_rng(0).normal(0.0, sd, size=(200, 1))
    return curve + shifts


def test_a_line_rises_at_its_slope_and_has_one_run() -> None:
    curves = around(3.0 + 0.5 * X)
    both = ends(X, curves, 3.0 + 0.5 * X, 10.0, same, curves)
    assert both.rise.number == pytest.approx(49.5)
    assert both.last.height.number - both.first.height.number == pytest.approx(49.5)
    assert both.witness.agrees
    assert both.witness.number == pytest.approx(45.0)  # of whole stretches
    assert pace(X, curves, same).number == pytest.approx(0.5)
    slope, seen = slope_of_late(X, curves, 3.0 + 0.5 * X, 10.0, same)
    assert (slope.number, seen.number, seen.agrees) == (pytest.approx(0.5), pytest.approx(0.5), True)
    assert len(stretches(X, curves, curves, 3.0 + 0.5 * X, same, 0.0)) == 1
    assert wandering_share(X, curves) < 1e-9


@pytest.mark.parametrize("span", [96, 100])
def test_beside_a_season_the_levels_are_means_over_its_first_and_its_last_whole_one(span: int) -> None:
    x = X[:span]
    wave = 2.0 * x + 5.0 * np.sin(2.0 * np.pi * x / 12.0)
    means = cycle_means(x, around(wave), 12.0)
    both = ends(x, around(wave), wave, 12.0, same, means)
    assert both.first.height.number == pytest.approx(wave[:12].mean(), abs=0.1)
    assert both.last.height.number == pytest.approx(wave[-12:].mean(), abs=0.1)
    assert both.rise.number == pytest.approx(2.0 * (span - 12.0), abs=1e-6)


def test_a_roof_has_two_runs_and_its_top_where_it_is() -> None:
    roof = np.where(X < 60, X, 120.0 - X)
    up, down = stretches(X, around(roof), around(roof), roof, same, 0.0)
    assert up.change.number > 0.0 > down.change.number
    assert up.witness.agrees
    assert down.witness.agrees
    assert down.start_range[0] - 3.0 <= 60.0 <= down.start_range[1] + 3.0
    assert up.stop == down.start


def test_the_level_of_a_sharp_top_is_that_of_the_top() -> None:
    """Smoothed levels told 3,200 of a price that reached 4,900."""
    peak = 1000.0 + 4000.0 * np.exp(-np.abs(X - 60.0) / 8.0)
    up, down = stretches(X, around(peak), around(peak), peak, same, 0.0)
    assert up.last == down.first == pytest.approx(5000.0, rel=0.01)


def test_a_crash_between_long_rises_is_a_run_though_it_is_short() -> None:
    """Three recessions of unemployment were one rise: smoothed over a year, those that are short were no turns."""
    crash = np.interp(X, [0.0, 50.0, 53.0, 56.0, 99.0], [0.0, 50.0, 20.0, 45.0, 90.0])
    runs = stretches(X, around(crash), around(crash), crash, same, 0.0)
    assert [(run.start, run.stop) for run in runs] == [(0.0, 50.0), (50.0, 53.0), (53.0, 99.0)]
    assert all(run.witness.agrees for run in runs)


def test_a_run_that_the_data_do_not_show_has_no_witness() -> None:
    roof = np.where(X < 60, X, 120.0 - X)
    falls = stretches(X, around(roof), around(roof), np.minimum(X, 60.0), same, 0.0)[1]
    assert not falls.witness.agrees


def test_a_slope_of_late_that_is_not_in_the_data_has_no_witness() -> None:
    noise = np.random.default_rng(3).normal(0.0, 3.0, size=100)
    curves = around(np.where(X < 90.0, 0.0, 90.0 - X))
    assert slope_of_late(X, curves, np.where(X < 90.0, 0.0, 90.0 - X) + 0.1 * noise, 10.0, same)[1].agrees
    assert not slope_of_late(X, curves, noise, 10.0, same)[1].agrees


def test_remains_of_a_cycle_are_no_part_of_the_level_of_a_top() -> None:
    roof = np.where(X < 60, X, 120.0 - X) + 5.0 * np.sin(2.0 * np.pi * X / 10.0)
    up, _ = stretches(X, around(roof), cycle_means(X, around(roof), 10.0), roof, same, 10.0)
    assert up.last == pytest.approx(57.5, abs=1.5)


def test_wiggles_within_the_doubt_are_no_turns() -> None:
    rng = np.random.default_rng(1)
    curves = 0.3 * X + 3.0 * rng.normal(size=(200, 1)) * np.sin(X / 8.0)
    assert len(stretches(X, curves, curves, 0.3 * X, same, 0.0)) == 1


def test_levels_are_told_in_the_units_of_the_data() -> None:
    logs = around(np.log(100.0) + 0.01 * X, 1e-6)
    both = ends(X, logs, logs[0], 10.0, np.exp, np.exp(logs))
    assert both.first.height.number == pytest.approx(100.0, rel=1e-3)
    assert both.last.height.number == pytest.approx(100.0 * np.exp(0.99), rel=1e-3)


X_OF_LEVEL = np.arange(60.0)
Y = np.exp(5.0 + 0.4 * np.sin(X_OF_LEVEL / 6.0) + 0.05 * np.random.default_rng(3).standard_normal(60))
SMOOTH, NOISE = leaf("SE", lengthscale=6.0, sd=2.0), leaf("WN", sd=0.05)
LOG = transform_of("log", Y)
CHANGE = Kernel.change_point(SMOOTH, leaf("Matern32", lengthscale=20.0, sd=3.0), location=29.5, steepness=2.0)


def _taken_apart(kernel: Kernel, y: np.ndarray = Y) -> Decomposition:
    data = modelled(Dataset(X_OF_LEVEL[:, None], y, ("x",), "y", None), LOG)
    return decomposed(kernel, data, fitted=Fitted(kernel, 0.0, 0.0, 1, 0.0, 1), horizon=5, transform=LOG)


@pytest.mark.slow
@pytest.mark.parametrize(
    "kernel",
    [
        SMOOTH,
        SMOOTH + leaf("C", sd=3.0),
        CHANGE,
        Kernel.change_window(SMOOTH, SMOOTH, location=30.0, steepness=1.0, width=9.0),
    ],
    ids=str,
)
def test_the_parts_add_up_to_the_data_about_their_level(kernel: Kernel) -> None:
    found = _taken_apart(kernel + NOISE)
    fit = sum(part.mean for part in found.components if not part.is_noise)
    centred = np.log(Y / LOG.scale)
    assert fit == pytest.approx(centred, abs=0.3)
    assert found.modelled == pytest.approx(centred)
    assert found.y == pytest.approx(Y)
    last = [part for part in found.components if not part.is_noise][-1]
    assert LOG.scale * np.exp(last.cumulative.mean[:50]).mean() == pytest.approx(
        found.signal.mean[:50].mean(), rel=0.01
    )


@pytest.mark.slow
def test_a_part_is_about_zero_where_its_window_is_closed() -> None:
    for part in _taken_apart(CHANGE + NOISE).components:
        if not part.is_noise:
            assert min(np.abs(part.mean[:25]).max(), np.abs(part.mean[35:]).max()) < 0.02


def test_the_forecast_is_that_of_the_model() -> None:
    found, data = _taken_apart(SMOOTH + NOISE), modelled(Dataset(X_OF_LEVEL[:, None], Y, ("x",), "y", None), LOG)
    mean, sd = condition(SMOOTH + NOISE, Problem.of(data)).observations(found.forecast.x[:, None])
    assert found.forecast.mean == pytest.approx(LOG.moments(mean, sd)[0])
    assert found.forecast.lower == pytest.approx(LOG.back(mean - BAND_SDS * sd))


def test_a_zero_of_the_data_is_left_alone() -> None:
    plain = decomposed(
        SMOOTH + NOISE,
        Dataset(X_OF_LEVEL[:, None], np.log(Y), ("x",), "y", None),
        fitted=Fitted(SMOOTH, 0.0, 0.0, 1, 0.0, 1),
        horizon=5,
    )
    assert plain.components[0].mean.mean() == pytest.approx(np.log(Y).mean(), rel=0.01)


X_OF_STANDSTILL = np.arange(80.0)


def around_of_standstill(curve: Array) -> Array:
    return curve + 0.2 * np.random.default_rng(0).normal(size=(200, 1))


def broken(*corners: tuple[float, float]) -> Array:
    return np.interp(X_OF_STANDSTILL, *zip(*corners, strict=True))


@pytest.mark.parametrize(
    ("curve", "stretch"),
    [
        (broken((0.0, 40.0), (45.0, 39.0), (79.0, 10.0)), (0.0, 45.0)),
        (broken((0.0, 10.0), (30.0, 50.0), (79.0, 51.0)), (30.0, 79.0)),
        (broken((0.0, 0.0), (20.0, 30.0), (50.0, 30.0), (79.0, 60.0)), (20.0, 50.0)),
    ],
)
def test_a_plateau_is_found_where_it_is(curve: Array, stretch: tuple[float, float]) -> None:
    still = plateau(
        X_OF_STANDSTILL,
        around_of_standstill(curve),
        curve + np.random.default_rng(1).normal(size=80),
        around_of_standstill(curve),
        0.27,
    )
    assert still is not None
    assert (still.start, still.stop) == stretch
    assert still.first == pytest.approx(curve[int(stretch[0])], abs=0.2)
    assert still.last == pytest.approx(curve[int(stretch[1])], abs=0.2)


@pytest.mark.parametrize(
    "curve",
    [0.5 * X_OF_STANDSTILL, X_OF_STANDSTILL**2 / 80.0, 40.0 * np.log1p(X_OF_STANDSTILL / 20.0), 0.0 * X_OF_STANDSTILL],
)
def test_what_only_bends_does_not_stand_still(curve: Array) -> None:
    assert plateau(X_OF_STANDSTILL, around_of_standstill(curve), curve, around_of_standstill(curve), 0.27) is None


def test_a_dip_that_is_made_up_for_is_part_of_it() -> None:
    curve = broken((0.0, 10.0), (20.0, 44.0), (40.0, 41.0), (55.0, 43.0), (79.0, 20.0))[20:]
    still = plateau(X_OF_STANDSTILL[20:], around_of_standstill(curve), curve, around_of_standstill(curve), 0.27)
    assert still is not None
    assert (still.start, still.stop) == (20.0, 55.0)


def test_what_goes_up_and_down_by_much_is_no_standstill() -> None:
    curve = broken((0.0, 40.0), (25.0, 22.0), (50.0, 39.0), (79.0, 10.0))
    assert plateau(X_OF_STANDSTILL, around_of_standstill(curve), curve, around_of_standstill(curve), 0.27) is None


def test_a_plateau_that_the_data_do_not_show_is_none() -> None:
    curve = broken((0.0, 40.0), (45.0, 39.0), (79.0, 10.0))
    assert (
        plateau(X_OF_STANDSTILL, around_of_standstill(curve), 40.0 - 0.4 * X_OF_STANDSTILL, curve[None], 0.27) is None
    )


def test_curves_of_many_paces_stand_still_nowhere() -> None:
    some = np.random.default_rng(2).normal(0.0, 6.0, size=(200, 3))
    curves = np.array([broken((0.0, 0.0), (25.0, 12.0 + a), (50.0, 14.0 + b), (79.0, 40.0 + c)) for a, b, c in some])
    assert plateau(X_OF_STANDSTILL, curves, np.median(curves, axis=0), curves, 0.27) is None


NOISE_OF_SUDDEN = np.random.default_rng(0).normal(size=100)
NO_WITNESS = Witness("", 0.0, 0.0, 0.0, True)


def around_of_sudden(curve: Array) -> Array:
    return curve + 0.1 * np.random.default_rng(1).normal(size=(200, 1))


def test_what_goes_half_the_way_back_is_not_back() -> None:
    """Though the line before it would be there by then."""
    line = 5.0 + 0.15 * np.maximum(X - 36.0, 0.0)
    values = np.where(X < 60.0, line, np.where(X < 66.0, 12.6, 11.0)) + 0.1 * NOISE_OF_SUDDEN
    change = max(sudden_changes(X, around_of_sudden(values), values), key=lambda one: abs(one.size.number))
    assert (change.at, change.until) == (60.0, None)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_recovery_by_half_is_a_step_of_its_own(seed: int) -> None:
    rows = np.arange(208.0)
    curve = np.where(rows < 90.0, 200.0, np.where(rows < 140.0, 160.0, 180.0))
    values = curve + 6.0 * np.random.default_rng(seed).normal(size=208)
    fall, rise = sudden_changes(rows, around_of_sudden(curve), values)
    assert (fall.at, fall.until, round(fall.level + fall.size.number)) == (90.0, None, 160)
    assert (rise.at, rise.until, round(rise.level + rise.size.number)) == (140.0, None, 180)


def test_a_second_step_that_draws_smooth_over_is_told_as_well() -> None:
    """Draws of a walk in noise have no steps, and leave both to the data."""
    rows, rng = np.arange(240.0), np.random.default_rng(104)
    first = rng.uniform(4.0, 7.0) * rng.choice([-1, 1])
    values = first * ((rows >= 80.0) + rng.uniform(0.5, 0.8) * (rows >= 160.0)) + rng.normal(size=240)
    walk = 0.35 * np.minimum.outer(rows, rows) + 100.0 * values.var()
    gain = walk @ np.linalg.inv(walk + np.eye(240))
    middle = gain @ (values - values.mean()) + values.mean()
    curves = np.random.default_rng(4).multivariate_normal(middle, walk - gain @ walk, 60, "ignore", method="eigh")
    assert [change.at for change in sudden_changes(rows, curves, values) if change.probability >= 0.7] == [80.0, 160.0]


def test_the_way_back_is_told_once() -> None:
    """A fall in June was the headline, and the rise in May that it took back another sentence."""
    event = LevelChange(139.0, 140.0, 175.0, Estimate(5.0, 4.0, 6.0, 1.0), 0.0, 0.97, 35, 105, False, NO_WITNESS)
    back = replace(event, before=176.0, at=177.0, until=None, size=Estimate(-5.0, -6.0, -4.0, 1.0), probability=1.0)
    assert _without_returns([event, replace(back, begins=(169.0, 185.0))]) == [event]
    later = replace(back, begins=(176.0, 178.0))
    assert _without_returns([event, later]) == [event, later]


def test_a_step_on_a_line_lasts() -> None:
    curve = 0.3 * X - 12.0 * (X >= 50)
    (change,) = sudden_changes(X, around_of_sudden(curve), curve + NOISE_OF_SUDDEN)
    assert (change.before, change.at, change.until) == (49.0, 50.0, None)
    assert change.size.number == pytest.approx(-11.7, abs=0.7)
    assert change.probability == 1.0
    assert not change.stays  # the line goes on, to where it was before and beyond
    assert change.witness.number < 0.0


def test_what_goes_on_in_its_direction_does_not_stay() -> None:
    curve = -12.0 * (X >= 50) - 0.5 * np.maximum(X - 52.0, 0.0)
    change = next(change for change in sudden_changes(X, around_of_sudden(curve), curve + NOISE_OF_SUDDEN))
    assert (change.at, change.until) == (50.0, None)
    assert not change.stays


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_a_walk_that_jumps_as_far_elsewhere_has_no_step(seed: int) -> None:
    """A fall of 34 % in the sales of oil was told, while other quarters had moved about as much."""
    rng = np.random.default_rng(seed)
    walk = np.cumsum(rng.normal(size=127)) - 3.0 * (np.arange(127) >= 75)
    found = sudden_changes(np.arange(127.0), walk + 0.2 * rng.normal(size=(200, 127)), walk)
    assert all(change.probability < 0.7 for change in found)


def test_a_step_between_levels_stays() -> None:
    curve = -12.0 * (X >= 50)
    (change,) = sudden_changes(X, around_of_sudden(curve), curve + NOISE_OF_SUDDEN)
    assert change.stays


def test_a_ramp_of_several_rows_is_not_sudden() -> None:
    """Readers of the server's log would look for what happened in that minute."""
    curve = 60.0 / (1.0 + np.exp(-(X - 50.0) / 1.5))
    assert all(
        change.probability < 0.5 for change in sudden_changes(X, around_of_sudden(curve), curve + NOISE_OF_SUDDEN)
    )


def test_what_wears_off_slowly_does_not_stay() -> None:
    curve = np.where(X >= 30, 20.0 * np.exp(-(X - 30.0) / 45.0), 0.0)
    (change,) = sudden_changes(X, around_of_sudden(curve), curve + 0.5 * NOISE_OF_SUDDEN)
    assert (change.at, change.until) == (30.0, None)
    assert not change.stays


def test_an_event_is_told_with_its_end() -> None:
    curve = 0.2 * X - 30.0 * ((X >= 40) & (X < 55))
    (change,) = sudden_changes(X, around_of_sudden(curve), curve + NOISE_OF_SUDDEN)
    assert (change.at, change.until, change.rows) == (40.0, 55.0, 15)
    assert change.lasting == 45


@pytest.mark.parametrize("curve", [0.5 * X, 20.0 / (1.0 + np.exp(-(X - 50.0) / 8.0)), 5.0 * np.sin(X / 6.0)])
def test_slow_courses_are_not_sudden(curve: Array) -> None:
    assert all(
        change.probability < 0.5 for change in sudden_changes(X, around_of_sudden(curve), curve + NOISE_OF_SUDDEN)
    )


def test_what_happens_in_every_cycle_is_the_course() -> None:
    """A rise and a fall every twenty rows, of which one pair is larger by half."""
    rows = np.arange(200.0)
    curve = np.where(rows % 20.0 < 10.0, 3.0, 0.0) * (1.0 + 0.5 * (rows // 20.0 == 6.0))
    noise = 0.2 * np.random.default_rng(0).normal(size=200)
    found = sudden_changes(rows, around_of_sudden(curve), curve + noise)
    assert all(change.probability < 0.5 for change in found)
    once = 4.5 * (rows >= 120.0)  # the same step, where nothing else moves
    assert [change.at for change in sudden_changes(rows, around_of_sudden(once), once + noise)] == [120.0]


@pytest.mark.slow
def test_noise_is_hardly_ever_a_change() -> None:
    rng = np.random.default_rng(2)
    flat = np.zeros((50, 100))
    found = [change for _ in range(100) for change in sudden_changes(X, flat, rng.normal(size=100))]
    assert all(change.probability == 0.0 for change in found)
    assert len(found) <= 5


def test_few_or_equal_values_show_none() -> None:
    assert sudden_changes(X[:10], np.zeros((5, 10)), NOISE_OF_SUDDEN[:10]) == ()
    assert sudden_changes(X, np.zeros((5, 100)), np.ones(100)) == ()


WEEKS = np.arange(156) / 52.0
YEAR = 10.0 * np.cos(2.0 * np.pi * WEEKS)
OUTAGE = np.zeros(156)
OUTAGE[92:96] = [-38.0, -12.0, -20.0, -36.0]


def as_it_is(values: Array, _out: NDArray[np.bool_]) -> Array:
    return values


@pytest.mark.parametrize("seed", range(3))
def test_what_fades_slowly_is_a_stretch_from_where_it_begins(seed: int) -> None:
    noise = np.random.default_rng(seed).normal(0.0, 9.0, size=600)
    noise[300:340] += 50.0 * np.exp(-np.arange(40) / 12.0)
    (segment,) = anomalous_segments(noise, as_it_is)
    assert 299 <= segment.first <= 301
    assert 308 <= segment.stop <= 340
    assert segment.size > 25.0
    assert segment.chance < 1e-5


@pytest.mark.parametrize("seed", range(4))
def test_noise_a_walk_and_what_comes_back_have_none(seed: int) -> None:
    rng = np.random.default_rng(seed)
    noise = rng.normal(size=400)
    again = noise + 8.0 * (np.arange(400) % 100 < 6)
    walks = [np.cumsum(noise + drift) for drift in (0.0, 0.5, 1.0)]
    for values in (noise, rng.standard_t(4, size=400), *walks, again, np.zeros(400), noise[:30]):
        assert anomalous_segments(values, as_it_is) == ()


def test_a_level_that_lasts_and_the_end_of_the_data_are_none() -> None:
    noise = np.random.default_rng(5).normal(size=200)
    assert anomalous_segments(noise + 9.0 * (np.arange(200) >= 100), as_it_is) == ()
    assert anomalous_segments(noise + 9.0 * (np.arange(200) >= 195), as_it_is) == ()


def seen(values: Array, curve: Array) -> FunctionDraws:
    rng = np.random.default_rng(3)
    curves = curve + rng.normal(0.0, 0.5, size=(100, 1))
    return FunctionDraws(WEEKS, curves, np.full(curves.shape, 2.0), values, values - curve)


def test_an_outage_of_one_autumn_is_told_and_is_no_part_of_the_year_nor_of_the_course() -> None:
    noise = np.random.default_rng(1).normal(0.0, 2.0, size=156)
    curve = 90.0 + YEAR + OUTAGE
    course = function_course(seen(curve + noise, curve), [(1.0, 1.0)], (1.0,), 1 / 52, lambda values: values)
    assert course is not None
    (event,) = course.sudden
    assert (event.at, event.until, event.rows) == (*WEEKS[[92, 96]], 4)  # both of its ends are sudden
    assert event.size.number == pytest.approx(OUTAGE[92:96].mean(), abs=2.0)
    (season,) = course.seasons
    october = int(np.argmin(np.abs(np.array(season.phases) - 40 / 52)))
    assert season.course[october] == pytest.approx(YEAR[40], abs=1.0)  # a third of the outage were -9 more
    assert course.bounds[0] > 85.0


def _stretches(values: Array, curve: Array) -> list[tuple[float, float | None, float]]:
    course = function_course(seen(values, curve), [(1.0, 1.0)], (1.0,), 1 / 52, lambda values: values)
    assert course is not None
    return [(event.at, event.until, event.size.number) for event in course.sudden if event.segment]


def test_what_models_take_for_noise_is_an_event_where_it_lies_off_the_levels_that_they_have_beside_it() -> None:
    """Data are one witness, the models the other: these need not follow what lies far off, and may do so too widely."""
    noise = np.random.default_rng(1).normal(0.0, 2.0, size=156)
    curve = 90.0 + YEAR
    ((at, until, size),) = _stretches(curve + OUTAGE + noise, curve)
    assert (at, until) == tuple(WEEKS[[92, 96]])
    assert size == pytest.approx(OUTAGE[92:96].mean(), abs=2.0)
    low = curve + np.where((np.arange(156) > 70) & (np.arange(156) < 120), OUTAGE[92:96].mean(), 0.0)
    assert _stretches(curve + OUTAGE + noise, low) == []


def test_neighbours_that_the_models_were_made_without_are_one_stretch() -> None:
    noise = np.random.default_rng(1).normal(0.0, 2.0, size=156)
    curve = 90.0 + YEAR
    values, without = curve + noise, np.isin(np.arange(156), (92, 93))
    values[without] -= 25.0
    draws = seen(values, curve)
    kept = {name: getattr(draws, name)[..., ~without] for name in ("x", "curves", "noise", "values", "errors")}
    aside = WEEKS[without], values[without]
    draws = replace(draws, **kept, aside=aside)
    course = function_course(draws, [(1.0, 1.0)], (1.0,), 1 / 52, lambda values: values)
    assert course is not None
    (event,) = course.sudden
    assert event.segment is not None
    assert (event.at, event.segment.last, event.until, event.rows) == (*WEEKS[[92, 93, 94]], 2)
    assert event.segment.usual == pytest.approx(curve[92:94].mean(), abs=2.0)
    assert event.segment.mean == pytest.approx(values[92:94].mean())
    assert event.segment.value == values[92:94].min()


def test_a_rise_beside_a_season_is_that_of_the_averages_of_whole_seasons() -> None:
    """Also of a level that went up and came back within the last year: this is what a reader can work out."""
    noise = np.random.default_rng(2).normal(0.0, 1.0, size=156)
    bump = 12.0 * np.exp(-0.5 * ((np.arange(156) - 120) / 9.0) ** 2)
    curve = 90.0 + YEAR + bump
    course = function_course(seen(curve + noise, curve), [(1.0, 1.0)], (1.0,), 1 / 52, lambda values: values)
    assert course is not None
    assert course.rise.number == pytest.approx((curve[-52:] - curve[:52]).mean(), abs=0.1)
    assert course.averaged == 1.0


def _course_of(
    level: Array, errors: float, periods: list[tuple[float, float]], back: Back = np.asarray
) -> FunctionCourse:
    """The course of a level (m,) that draws know well, with errors about it; 12 and 52 rows may make a year."""
    rng, x, size = np.random.default_rng(0), np.arange(float(len(level))), (100, len(level))
    noise, curves = rng.normal(0.0, errors, len(level)), level + rng.normal(0.0, 0.5, (100, 1))
    shown = FunctionDraws(x, curves, np.full(size, errors), level + noise, noise)
    course = function_course(shown, periods, (12.0, 52.0), 1.0, back)
    assert course is not None
    return course


HILLS = np.interp(np.arange(150.0), [0.0, 30.0, 60.0, 82.0, 112.0, 149.0], [100.0, 160.0, 110.0, 140.0, 70.0, 90.0])


def test_a_year_that_is_no_sure_season_is_a_part_of_the_course() -> None:
    course = _course_of(HILLS, 3.0, [(52.0, 0.69)])
    assert course.seasons == ()
    assert [run.start for run in course.stretches] == pytest.approx([0.0, 30.0, 60.0, 82.0, 112.0], abs=2.0)


def test_a_season_of_the_calendar_that_noise_hides_is_no_part_of_the_course() -> None:
    x = np.arange(72.0)
    course = _course_of(3.0 * np.cos(2.0 * np.pi * x / 12.0), 6.0, [(12.0, 1.0)])
    assert not any(season.witness.agrees for season in course.seasons)
    assert len(course.stretches) <= 1


def test_a_late_turn_beside_a_season_is_dated_where_it_is() -> None:
    x = np.arange(150.0)
    season = 12.0 * np.cos(2.0 * np.pi * x / 12.0)
    course = _course_of(np.minimum(x, 3.5 * 136.0 - 2.5 * x) + season, 3.0, [(12.0, 1.0)])
    assert len(course.seasons) == 1
    assert course.stretches[-1].start == pytest.approx(136.0, abs=1.0)


def test_a_line_that_turns_once_is_no_random_walk() -> None:
    x = np.arange(150.0)
    turning = np.minimum(0.6 * x, 126.0 - 0.8 * x)
    assert _course_of(turning, 5.0, []).step is None
    paths = [np.cumsum(np.random.default_rng(seed).normal(0.0, 3.0, 150)) for seed in range(6)]
    steps = [step for path in paths if (step := _course_of(path, 0.1, []).step) is not None]
    assert len(steps) >= 4  # some look like a line that steps or bends
    assert steps == pytest.approx([2.0] * len(steps), rel=0.3)  # the median of steps is 0.67 of their sd
    step = _course_of(0.01 * paths[0], 0.001, [], np.exp).step  # of the data, not at their end
    assert step == pytest.approx(np.median(np.abs(np.diff(np.exp(0.01 * paths[0])))), rel=0.1)


@pytest.mark.parametrize("memory", [0.0, 0.5])
def test_levels_with_steps_and_noise_that_remembers_are_no_random_walk(memory: float) -> None:
    for seed in range(8):
        rng = np.random.default_rng(seed)
        noise = lfilter([1.0], [1.0, -memory], rng.normal(size=120))
        for size in (0.0, 4.0, 10.0):
            assert not walks(size * (np.arange(120) > rng.integers(20, 100)) + noise)


def test_weekends_with_hours_of_their_own_are_a_week_of_days_and_no_course() -> None:
    """The ends are those of whole weeks, and what is said of the week is of the means of its days."""
    hours, rng = np.arange(504.0), np.random.default_rng(1)
    day, weekday = hours % 24.0, hours // 24.0 % 7.0
    works = np.where(weekday < 5.0, 1.0, 0.2)
    curve = 40.0 + 5.0 * works + works * 20.0 * (np.abs(day - 14.0) < 5.0) + 1.5 * (weekday == 1.0)
    curves = curve + rng.normal(0.0, 0.2, size=(100, 1))
    values = curve + rng.normal(size=504)
    draws = FunctionDraws(hours, curves, np.ones(curves.shape), values, values - curve)
    course = function_course(draws, [(24.0, 1.0), (168.0, 1.0)], (24.0, 168.0), 1.0, lambda level: level)
    assert course is not None
    assert course.rise.number == pytest.approx(0.0, abs=0.5)
    assert len(course.stretches) == 1
    assert np.ptp(course.bounds) < 2.0
    means = curve.reshape(21, 24).mean(axis=1)[:7]
    week = course.seasons[1]
    assert np.array(week.course) == pytest.approx(means - means.mean(), abs=0.6)
    assert week.swing.number == pytest.approx(max(week.course) - min(week.course), abs=0.1)
    assert (week.tops, week.phases) == ((1.5 / 7,), tuple((np.arange(7) + 0.5) / 7))


@pytest.mark.parametrize("seed", range(3))
def test_wiggles_of_noise_that_remembers_are_no_turns_though_all_curves_follow_them(seed: int) -> None:
    rng, x = np.random.default_rng(seed), np.arange(240.0)
    noise = lfilter([1.0], [1.0, -0.4], rng.normal(size=240))
    roofs = 40.0 - np.abs(x % 120.0 - 60.0) * 40.0 / 60.0
    for values, count in ((noise, 1), (roofs + noise, 4)):
        curves = values + rng.normal(0.0, 0.2, size=(100, 240))
        assert len(stretches(x, curves, curves, values, lambda levels: levels, 0.0)) == count


@pytest.mark.parametrize("size", [-6.0, 6.0])
def test_a_ramp_of_a_tenth_of_the_rows_that_comes_back_is_one_stretch(size: float) -> None:
    values = np.random.default_rng(0).normal(size=200)
    values[90:110] += size * np.concatenate([np.arange(1, 11), np.arange(10, 0, -1)]) / 10.0
    (segment,) = anomalous_segments(values, lambda values, out: values)
    assert 90 <= segment.first <= 95
    assert 105 <= segment.stop <= 110


def test_the_steep_part_of_a_curve_is_no_step_and_a_step_beside_a_slope_is_one() -> None:
    x = np.arange(40.0)
    noise = np.random.default_rng(3).normal(size=40)
    for curve in (90.0 / (1.0 + np.exp(-0.6 * (x - 20.0))), 80.0 * np.exp(-x / 8.0), 3.0 * x):
        assert not any(
            change.probability >= 0.5 for change in sudden_changes(x, around_of_sudden(curve), curve + noise)
        )
    x, noise = np.arange(120.0), np.random.default_rng(3).normal(size=120)
    step = x + np.where(x >= 60.0, 10.0, 0.0)
    (change,) = sudden_changes(x, around_of_sudden(step), step + noise)
    assert (change.at, change.probability) == (60.0, 1.0)
    assert change.size.number == pytest.approx(10.0, abs=2.0)
