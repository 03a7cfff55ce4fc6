"""What is no outlier is left alone, whatever the structure; what is one is found and set aside."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.data.outliers import Outlier, Screening
from autostatistician.data.times.axes import Axis
from autostatistician.data.times.calendar_days import CalendarDay
from autostatistician.data.times.periods import hold
from autostatistician.search.preprocessing.outliers import LASTING, Ending, ended, possible_counts, screened
from autostatistician.search.preprocessing.returning import returning


def _end(*sizes: float, singles: int = 0, steps: int = 0, inside: int = 0) -> Ending | None:
    errors = np.random.default_rng(4).normal(size=100)
    out = np.zeros(100, dtype=bool)
    places = np.arange(5, 5 + 9 * inside, 9)
    errors[places], out[places] = 9.0, True
    errors[100 - len(sizes) :], out[100 - len(sizes) :] = sizes, True
    return ended(errors, out, singles, steps)


def _lasting(*sizes: float, singles: int = 0, steps: int = 0, inside: int = 0) -> float:
    end = _end(*sizes, singles=singles, steps=steps, inside=inside)
    assert end is not None
    return end.lasting


def test_one_row_lasts_as_often_as_in_other_series_and_events_before_have_a_say() -> None:
    assert _lasting(9.0) == pytest.approx(LASTING[0], abs=1e-9)
    odds = LASTING[0] / (1.0 - LASTING[0])
    assert _lasting(9.0, singles=5, inside=5) == pytest.approx(odds / (6.0 + odds), abs=1e-9)
    assert _lasting(9.0, steps=2) == pytest.approx(3.0 * odds / (1.0 + 3.0 * odds), abs=1e-9)


def test_rows_that_are_alike_are_a_level_and_others_are_outliers() -> None:
    alike, unlike = _end(9.0, 9.2, singles=5, inside=5), _end(9.0, -9.0, singles=5, inside=5)
    assert (alike.first, unlike.first) == (98, 99)
    assert 0.45 < alike.lasting < LASTING[1]
    assert unlike.lasting < 0.12
    less = [_lasting(9.0, 9.0 + apart, singles=5, inside=5) for apart in (0.0, 3.0, 6.0)]
    assert less == sorted(less, reverse=True)


def test_more_rows_on_one_level_last_more_probably() -> None:
    found = [_lasting(*[9.0] * rows) for rows in (1, 2, 3)]
    assert found == sorted(found)
    assert found[2] == pytest.approx(LASTING[2], abs=0.02)


def test_many_rows_and_a_usual_last_row_are_no_end() -> None:
    assert _end(9.0, 9.0, 9.0, 9.0) is None
    assert _end(inside=3) is None
    assert ended(np.zeros(30), np.zeros(30, dtype=bool), 0, 0) is None


DAILY = Axis("day", "day", "day", 1.0, "2021-01-01")
DAYS = np.arange(1095.0)
NONE = np.zeros(len(DAYS))


def found(errors: np.ndarray, axis: Axis | None = DAILY) -> dict[str, int]:
    out = np.abs(errors) > 5.0
    days = returning(axis, DAYS[: len(errors)], errors, out, out)
    return {day.text: int(rows.sum()) for day, rows in days}


@pytest.mark.parametrize(
    "day",
    [
        CalendarDay("date", 12, 25),
        CalendarDay("weekday", 11, 3, 4),
        CalendarDay("weekday", 5, 0, -1),
        CalendarDay("end"),
        CalendarDay("date", 0, 15),
    ],
)
def test_each_kind_of_day_is_found_with_all_its_rows(day: CalendarDay) -> None:
    rows = DAILY.are(day, DAYS)
    assert found(np.where(rows, 9.0, 0.5)) == {day.text: int(rows.sum())}


def test_several_days_in_two_years_are_found() -> None:
    days = [CalendarDay("date", 12, 24), CalendarDay("date", 12, 25), CalendarDay("date", 1, 1)]
    rows = np.logical_or.reduce([DAILY.are(day, DAYS[:730]) for day in days])
    assert found(np.where(rows, -9.0, 0.0)) == {day.text: 2 for day in days}


def test_values_off_to_different_sides_or_only_in_some_years_do_not_return() -> None:
    christmas = np.flatnonzero(DAILY.are(CalendarDay("date", 12, 25), DAYS))
    errors = NONE.copy()
    errors[christmas] = [9.0, -9.0, 9.0]
    assert found(errors) == {}
    errors[christmas] = [9.0, 9.0, 0.0]
    assert found(errors) == {}


@pytest.mark.slow
def test_many_values_off_at_random_meet_on_no_day() -> None:
    for seed in range(20):
        off = np.random.default_rng(seed).choice(len(DAYS), 40, replace=False)
        assert found(np.where(np.isin(np.arange(len(DAYS)), off), 9.0, 0.0)) == {}


WEEKLY = Axis("week", "day", "week", 7.0, "2021-01-04")
WEEKS = 7.0 * np.arange(156.0)


def weekly(y: NDArray[np.float64]) -> dict[str, list[int]]:
    """The weeks that come back by their day, with their rows."""
    found = screened(Dataset(WEEKS[:, None], y, ("week",), "y", WEEKLY))[1]
    return {day.text: [round(row.x / 7.0) for row in rows] for day, rows in found.returning.items()}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("day", "cycle"),
    [(CalendarDay("week", 12, 25), 0.0), (CalendarDay("easter"), 6.0), (CalendarDay("week", 7, 28), 6.0)],
)
def test_a_week_far_off_each_year_comes_back_beside_any_cycle(day: CalendarDay, cycle: float) -> None:
    course = 100.0 + 0.1 * np.arange(156.0) + cycle * np.sin(2.0 * np.pi * WEEKS / 365.25) + 2.0 * noise(3, 156)
    rows = hold(WEEKLY, day, WEEKS)
    assert weekly(np.where(rows, 70.0, course)) == {day.text: np.flatnonzero(rows).tolist()}


@pytest.mark.slow
def test_weeks_beside_each_other_come_back_each_by_itself_also_where_the_data_end() -> None:
    rows = {day.text: hold(WEEKLY, day, WEEKS) for day in (CalendarDay("week", 12, 25), CalendarDay("week", 1, 1))}
    christmas, new_year = rows.values()
    found = weekly(100.0 + 2.0 * noise(4, 156) - 30.0 * christmas - 25.0 * new_year)
    assert found == {day: np.flatnonzero(there).tolist() for day, there in rows.items()}


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
def test_seasons_of_several_weeks_and_values_off_at_random_do_not_come_back(seed: int) -> None:
    place = np.arange(156.0) % 52.18
    assert weekly(100.0 - 30.0 * ((place > 22.0) & (place < 27.0)) + 2.0 * noise(seed, 156)) == {}
    assert weekly(100.0 + 30.0 * np.exp(-0.5 * ((place - 20.0) / 2.0) ** 2) + 2.0 * noise(seed, 156)) == {}
    off = np.random.default_rng(seed).choice(156, 5, replace=False)
    assert weekly(with_added(100.0 + 2.0 * noise(seed, 156), off, -25.0)) == {}


@pytest.mark.slow
def test_a_month_far_off_each_year_comes_back() -> None:
    found = screened(monthly(50.0 + 2.0 * noise(5) + 25.0 * (X % 12.0 == 11.0)))[1]
    assert {day.text: months(rows) for day, rows in found.returning.items()} == {
        "December each year": [11, 23, 35, 47, 59]
    }


def test_every_sunday_is_a_cycle_and_other_axes_have_no_days() -> None:
    assert found(np.where(DAYS % 7 == 2, 9.0, 0.0)) == {}
    assert found(np.where(DAYS % 365 == 358, 9.0, 0.0), None) == {}


def test_draws_of_a_negative_binomial_are_possible_and_a_hundred_means_are_not() -> None:
    rng = np.random.default_rng(0)
    y = rng.negative_binomial(1.0, 0.25, size=400).astype(float)
    usual = y < np.quantile(y, 0.99)
    assert possible_counts(y, np.full(400, 3.0), usual, 1e-5).all()
    y[7], usual[7] = 300.0, False
    assert np.flatnonzero(~possible_counts(y, np.full(400, 3.0), usual, 1e-5)).tolist() == [7]


Array = NDArray[np.float64]
ENDS = Path(__file__).resolve().parents[3] / "benchmarks" / "results" / "ends.csv"
N = 60
X = np.arange(float(N))
MONTHLY = Axis("month", "year", "month", 1 / 12, gap=1 / 12)
SEASON = 5.0 * np.sin(2.0 * np.pi * X / 12.0) + 2.0 * np.cos(4.0 * np.pi * X / 12.0)

CLEAN = {
    "noise": lambda noise: noise,
    "trend and season": lambda noise: 50.0 + 0.1 * X + SEASON + noise,
    "random walk": lambda noise: 100.0 + np.cumsum(noise),
    "smooth wave": lambda noise: 8.0 * np.sin(2.0 * np.pi * X * 2.3 / N) + noise,
    "step": lambda noise: 8.0 * (X > 36.0) + noise,
    "growth that ends": lambda noise: 100.0 * np.minimum(X, 36.0) / N + noise,
    "peaks each December": lambda noise: 20.0 + 10.0 * (X % 12 == 11) + noise,
    "lognormal": lambda noise: np.exp(2.0 + 0.7 * noise),
    "noise that grows": lambda noise: 50.0 + (0.2 + 3.0 * X / N) * noise,
    "noise that changes its size": lambda noise: 50.0 + np.where(X < 36.0, 1.0, 5.0) * noise,
}


def monthly(y: Array) -> Dataset:
    return Dataset((2011.0 + np.arange(len(y)) / 12.0)[:, None], y, ("month",), "y", MONTHLY)


def noise(seed: int, n: int = N) -> Array:
    return np.random.default_rng(seed).normal(size=n)


def with_added(y: Array, places: object, sizes: object) -> Array:
    """Values, some of them off."""
    spoilt = y.copy()
    spoilt[places] += sizes
    return spoilt


def months(rows: Iterable[Outlier]) -> list[int]:
    """The rows of a monthly series."""
    return [round(12.0 * (one.x - 2011.0)) for one in rows]


@pytest.mark.parametrize("kind", CLEAN)
def test_structure_and_skewed_noise_are_no_outliers(kind: str) -> None:
    data = monthly(CLEAN[kind](noise(7)))
    kept, found = screened(data)
    assert kept is data
    assert found.rows == ()


@pytest.mark.parametrize("kind", ["noise", "trend and season", "smooth wave", "step"])
def test_values_far_off_are_found_with_what_was_expected(kind: str) -> None:
    y = CLEAN[kind](noise(7))
    spoilt = with_added(y, [20, 46], [8.0, -8.0])
    kept, found = screened(monthly(spoilt))
    assert months(found.aside) == [20, 46]
    assert kept.n == N - 2
    assert np.allclose([one.y for one in found.rows], spoilt[[20, 46]])
    assert np.allclose([one.expected for one in found.rows], (y - noise(7))[[20, 46]], atol=1.5)
    assert found.gain > 0.0


@pytest.mark.slow
def test_zeros_among_small_counts_are_no_outliers() -> None:
    alarms = 0
    for seed in range(8):
        counts = np.random.default_rng(seed).poisson(3.2, size=60).astype(float)
        alarms += len(screened(monthly(counts))[1].rows)
    assert alarms == 0
    counts[30] = 25.0
    assert months(screened(monthly(counts))[1].aside) == [30]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 2, 4])
def test_counts_that_are_large_now_and_then_are_none_and_impossible_ones_are(seed: int) -> None:
    rng = np.random.default_rng(seed)
    y = rng.negative_binomial(0.6, 0.25, size=80).astype(float)
    assert screened(monthly(y))[1] == Screening()
    y[40] = 400.0
    assert [one.y for one in screened(monthly(y))[1].aside] == [400.0]


@pytest.mark.slow
def test_large_noise_after_small_noise_is_no_outlier_and_a_value_far_off_in_the_small_is() -> None:
    rows = np.arange(80.0)
    for seed in range(4):
        y = 20.0 + np.where(rows < 44.0, 1.0, 4.0) * noise(seed, 80)
        assert screened(monthly(y))[1].rows == ()
    y[20] += 9.0
    assert months(screened(monthly(y))[1].aside) == [20]


def test_a_value_that_begins_the_data_is_set_aside_as_others_are() -> None:
    y = noise(0)
    y[0] = 12.0
    kept, found = screened(monthly(y))
    assert kept.n == len(y) - 1
    assert [(one.y, one.aside, one.ending) for one in found.rows] == [(12.0, True, False)]
    assert found.lasting == 0.0


@pytest.mark.slow
def test_a_value_that_ends_the_data_is_set_aside_with_the_odds_that_it_lasts() -> None:
    y = with_added(50.0 + SEASON + noise(3), -1, -30.0)
    kept, found = screened(monthly(y))
    assert kept.n == N - 1
    assert [(one.y, one.aside, one.ending) for one in found.rows] == [(y[-1], True, True)]
    assert found.lasting == pytest.approx(LASTING[0], abs=1e-6)
    assert found.rows[0].chance == pytest.approx(1.0 - LASTING[0], abs=1e-6)


@pytest.mark.slow
def test_several_values_at_the_end_last_more_likely_and_many_are_a_change() -> None:
    assert list(LASTING) == sorted(LASTING)
    assert screened(monthly(with_added(noise(3), slice(-6, None), 12.0)))[1].ending == ()


def test_the_odds_are_those_of_the_benchmark() -> None:
    table = np.loadtxt(ENDS, delimiter=",", skiprows=1)
    assert tuple(table[:, 3]) == LASTING
    assert (table[:, 4] < table[:, 7]).all()  # events before tell more than none


@pytest.mark.parametrize(
    "y",
    [
        with_added(noise(3), slice(30, 34), 12.0),  # a stretch of several values
        np.ones(40),
        np.tile([0.0, 1.0], 20),
        np.r_[np.zeros(14), 9.0],
        *(  # a peak next to a step
            with_added(np.where(X < 30.0, 30.0, 48.0) + 1.5 * noise(k) + 0.7 * np.cumsum(noise(k + 50)), [30, 31, 32],
                       [-7.0, 10.0, 13.0])
            for k in (6, 7)
        ),
    ],
)  # fmt: skip
def test_events_peaks_next_to_steps_and_what_tells_nothing_stay_as_they_are(y: Array) -> None:
    data = monthly(y)
    assert screened(data)[0] is data


@pytest.mark.slow
def test_many_extreme_values_are_heavy_tails() -> None:
    y = np.random.default_rng(2).standard_t(1.5, size=120)
    kept, found = screened(monthly(y))
    assert kept.n == 120
    assert found.heavy > 0
    assert found.rows == ()


def test_rows_in_any_order_and_equal_places_lose_only_the_outlier() -> None:
    y = with_added(noise(5), 30, 12.0)
    order = np.random.default_rng(0).permutation(N)
    x = np.repeat(np.arange(N / 2), 2)
    kept, found = screened(from_arrays(x[order], y[order]))
    assert kept.n == N - 1
    assert found.aside[0].x == 15.0
    left = order[order != 30]
    assert np.array_equal(kept.x, x[left])
    assert np.array_equal(kept.y, y[left])


@pytest.mark.slow
def test_a_long_series_is_looked_at_piece_by_piece() -> None:
    y = with_added(noise(1, 320) + np.sin(np.arange(320.0) / 40.0), [100, 250], 9.0)
    found = screened(monthly(y))[1]
    assert months(found.aside) == [100, 250]


@pytest.mark.long
def test_false_alarms_are_rare_and_six_deviations_are_found() -> None:
    kinds = ("noise", "trend and season", "random walk", "step", "growth that ends")
    false = hits = 0
    for seed in range(30):
        y = CLEAN[kinds[seed % len(kinds)]](noise(1000 + seed))
        false += bool(screened(monthly(y))[1].rows)
        spoilt = CLEAN[kinds[seed % 2]](noise(1000 + seed))
        place = 3 + seed % (N - 6)
        spoilt[place] += 6.0 * (-1.0) ** seed
        hits += place in months(screened(monthly(spoilt))[1].aside)
    assert false <= 1
    assert hits >= 23  # 44 of 60 beside a trend and a season, 54 of 60 in noise


@pytest.mark.slow
def test_a_closure_on_a_date_of_each_year_comes_back_and_a_value_off_once_does_not() -> None:
    axis = Axis("day", "business day", "business day", 1.0, "2022-01-03")
    x = np.arange(560.0)
    closed = axis.are(CalendarDay("date", 12, 26), x)
    y = 100.0 + 3.0 * noise(2, 560) - 80.0 * closed - 40.0 * (x == 70.0)
    kept, found = screened(Dataset(x[:, None], y, ("day",), "y", axis))
    assert {day.text: [one.x for one in rows] for day, rows in found.returning.items()} == {
        "26 December each year": x[closed].tolist()
    }
    assert [one.x for one in found.rows if not one.returns] == [70.0]
    assert kept.n == 560 - 1 - closed.sum()


def test_three_values_far_from_quiet_noise_are_outliers_and_not_heavy_tails() -> None:
    kept, found = screened(monthly(with_added(50.0 + noise(7), [12, 25, 41], [-10.0, 12.0, -15.0])))
    assert (len(found.aside), found.heavy, found.tails) == (3, 0, 0.0)
    assert kept.n == N - 3


@pytest.mark.slow
def test_two_neighbours_off_to_either_side_are_a_change_and_no_outliers() -> None:
    k = np.arange(132.0)
    swing = 700.0 * np.cos(2.0 * np.pi * (k - 7.0) / 12.0) * (1.0 + k / 200.0)
    event = (k >= 75.0) & (k < 84.0)
    rides = 5200.0 + 22.0 * k + swing - 2600.0 * event + np.random.default_rng(901).normal(0.0, 180.0, 132)
    kept, found = screened(monthly(rides))
    assert (kept.n, found.aside) == (132, ())


@pytest.mark.slow
def test_rows_at_the_ends_of_an_event_are_no_heavy_tails() -> None:
    event = (X >= 30.0) & (X < 42.0)
    _, found = screened(monthly(900.0 + 4.0 * X - 700.0 * event + 20.0 * noise(3)))
    assert found.tails < 3.0


@pytest.mark.slow
def test_an_outage_of_a_fortnight_is_no_heavy_tails_and_keeps_its_rows() -> None:
    """The reference models bend into it, and so miss rows here and there."""
    x = np.arange(364.0)
    week = np.tile([30.0, 20.0, 10.0, 15.0, 40.0, -50.0, -65.0], 52)
    out = (x >= 200.0) & (x < 214.0)
    data = from_arrays(x, np.where(out, 40.0, 300.0 + week) + 12.0 * noise(3, 364))
    kept, found = screened(data)
    assert kept is data
    assert (found.heavy, found.rows) == (0, ())


@pytest.mark.slow
def test_heavy_tails_are_told_with_what_they_gain() -> None:
    """Of 40 such series 31 are told as heavy tails, three have values set aside, six are taken for normal."""
    told = 0
    for seed in range(5):
        y = 50.0 + 3.0 * np.random.default_rng(seed).standard_t(2.0, size=130)
        kept, found = screened(monthly(y))
        assert found.heavy == len(found.far)
        assert Screening.from_json(found.to_json()) == found
        if found.heavy:
            assert kept.n == 130
            assert found.tails > 10.0
            told += 1
    assert told >= 3


@pytest.mark.slow
def test_values_that_are_ordinary_on_a_scale_as_probable_as_another_are_no_outliers() -> None:
    """Noise of one size around high values is smaller on their logarithm than noise around low ones."""
    rows = np.arange(120.0)
    y = 40.0 + 60.0 / (1.0 + np.exp(6.0 - 0.1 * rows)) + 3.0 * noise(17, 120)
    assert screened(from_arrays(rows, y))[1] == Screening()


def test_many_values_far_to_one_side_are_events_and_no_heavy_tails() -> None:
    events = np.isin(np.arange(100), [7, 19, 30, 44, 58, 66, 81, 90])
    kept, found = screened(from_arrays(np.arange(100.0), 200.0 + 5.0 * noise(400, 100) - 50.0 * events))
    assert [outlier.x for outlier in found.aside] == np.flatnonzero(events).tolist()
    assert (kept.n, found.heavy, found.tails) == (92, 0, 0.0)


@pytest.mark.slow
@pytest.mark.parametrize("size", [8.0, 30.0, 90.0, 300.0])
def test_one_value_far_off_is_an_outlier_however_far_and_no_heavy_tails(size: float) -> None:
    """The others have errors that are a little heavy by chance."""
    y = 3.0 + 0.6 * np.random.default_rng(1).normal(size=N)
    y[33] = size
    found = screened(from_arrays(X, y))[1]
    assert (found.heavy, [one.x for one in found.aside]) == (0, [33.0])
    assert found.rows[0].chance > 0.99


@pytest.mark.parametrize("size", [15.0, -40.0, 200.0, 1e5])
def test_one_value_however_far_off_hides_no_structure_and_shows_no_heavy_tails(size: float) -> None:
    """Reference models that were drawn to it follow the others badly, whose errors then are of all sizes."""
    rows = np.arange(50.0)
    y = np.sin(rows / 3.0) + 0.1 * np.random.default_rng(3).normal(size=50)
    y[20] = size
    found = screened(from_arrays(rows, y))[1]
    assert (found.heavy, [one.x for one in found.aside]) == (0, [20.0])
    assert found.rows[0].expected == pytest.approx(np.sin(20.0 / 3.0), abs=0.2)


def test_values_that_are_far_off_on_a_scale_that_suits_the_others_alone_are_none() -> None:
    """Without the largest values, the others look normal; with them, their logarithms do."""
    y = np.exp(np.random.default_rng([7, 50, 10]).normal(size=50))
    assert screened(from_arrays(np.arange(50.0), y))[1] == Screening()


def test_many_outliers_of_one_row_each_are_named_also_neighbours_to_either_side() -> None:
    places = [8, 31, 32, 55, 70, 96]
    found = screened(monthly(with_added(50.0 + noise(3, 120), places, [9.0, -12.0, 8.0, 7.0, -10.0, 14.0])))[1]
    assert months(found.aside) == places
    assert found.heavy == 0


@pytest.mark.slow
def test_outliers_before_make_a_last_value_one_as_well() -> None:
    y = with_added(50.0 + noise(3, 120), [8, 31, 55, 70, 96, -1], [9.0, -12.0, 7.0, -10.0, 14.0, 11.0])
    found = screened(monthly(y))[1]
    assert [one.y for one in found.ending] == [y[-1]]
    assert found.lasting == pytest.approx(0.107, abs=0.02)
    assert found.ending[0].chance == 1.0 - found.lasting
    assert Screening.from_json(found.to_json()) == found


@pytest.mark.slow
def test_neighbours_to_either_side_count_as_outliers_of_one_row_each_before_the_end() -> None:
    quiet = 50.0 + noise(3, 120)
    both = (with_added(quiet, [31, second, -1], [-12.0, 12.0, 11.0]) for second in (32, 40))
    lasting = [screened(monthly(y))[1].lasting for y in both]
    assert lasting == pytest.approx([0.194] * 2, abs=0.01)


# --- Days of the month ------------------------------------------------------------------------------------------------

NO_DAYS = np.zeros(455, dtype=bool)
PAY_DAYS = (CalendarDay("date", day=15), CalendarDay("end"))


def errors_of(days: tuple[CalendarDay, ...], size: float, seed: int) -> np.ndarray:
    x, errors = DAYS[:455], np.random.default_rng(seed).normal(size=455)
    return errors + size * np.sum([DAILY.are(day, x) for day in days], axis=0)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    "days",
    [
        PAY_DAYS, (CalendarDay("working", which=1),), (CalendarDay("before", day=15),), (CalendarDay("end", day=1),),
        (CalendarDay("weekday", day=4, which=1),),
    ],
)  # fmt: skip
def test_days_of_the_month_are_found_beside_each_other(days: tuple[CalendarDay, ...], seed: int) -> None:
    errors = errors_of(days, 4.0, seed)
    found = returning(DAILY, DAYS[:455], errors, NO_DAYS, NO_DAYS)
    assert {day for day, _ in found} >= set(days)
    assert len(found) <= len(days) + 1


def test_noise_and_a_few_far_values_have_no_days_of_the_month() -> None:
    for seed in range(20):
        errors = errors_of((), 0.0, seed)
        errors[np.random.default_rng(seed).integers(0, 455, 3)] += 20.0
        assert returning(DAILY, DAYS[:455], errors, NO_DAYS, NO_DAYS) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", ["day", "business day"])
def test_days_of_the_month_beside_each_other_have_their_sizes_and_invent_no_others(name: str, seed: int) -> None:
    axis = Axis("day", name, name, 1.0, "2023-09-01")
    x = np.arange(240.0)
    days = {CalendarDay("end", day=day) for day in range(3)}
    special = np.logical_or.reduce([axis.are(day, x) for day in days])
    _, found = screened(Dataset(x[:, None], 3200.0 + 170.0 * noise(seed, 240) + 1400.0 * special, ("day",), "y", axis))
    off = {day: np.mean([row.y - row.expected for row in rows]) for day, rows in found.returning.items()}
    assert set(off) == days
    assert list(off.values()) == pytest.approx([1400.0] * 3, rel=0.15)
