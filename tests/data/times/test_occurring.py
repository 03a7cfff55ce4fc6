"""The calendar of a series: which places of the week, the month and the year its times take."""

import numpy as np
import pandas as pd
import pytest

from autostatistician.data.load import load
from autostatistician.data.times.axes import Axis
from autostatistician.data.times.calendar import Placed, place
from autostatistician.data.times.occurring import ALWAYS, Calendar
from autostatistician.errors import InputError
from autostatistician.fitted.settings import default_horizon

HOURS = pd.date_range("2023-03-06", "2023-04-16T23", freq="h")
HALF_HOURS = pd.date_range("2023-03-06", "2023-04-16T23:30", freq="30min")
DAYS = pd.date_range("2019-09-01", periods=4 * 365)
MONTHS = pd.date_range("2020-01-01", periods=36, freq="MS")
MIDDLE = MONTHS + pd.Timedelta(days=14)
WEEKS = pd.date_range("2021-01-04", periods=104, freq="7D")


def placed(times: pd.DatetimeIndex) -> Placed:
    return place(times.to_numpy().astype("M8[us]"), "t")


def ahead(axis: Axis, x: np.ndarray, steps: int) -> list[str]:
    return axis.times(axis.future(x.max(), steps)).astype("M8[m]").astype(str).tolist()


def in_minutes(times: pd.DatetimeIndex) -> np.ndarray:
    return np.asarray(times.hour * 60 + times.minute)


MINUTES = in_minutes(HALF_HOURS)
IN_TERM = ~((DAYS.month == 8) | ((DAYS.month == 7) & (DAYS.day > 10)))
DAY_OF_YEAR = DAYS.month * 100 + DAYS.day
TIMES = {
    "a shop from 9 to 18 but on Sundays": (
        HOURS[(HOURS.hour >= 9) & (HOURS.hour <= 18) & (HOURS.day_of_week < 6)],
        ("hour", ["2023-04-17T09:00", "2023-04-17T10:00"])
    ),
    "a shop that closes early on Saturdays": (
        HOURS[np.where(HOURS.day_of_week == 5, HOURS.hour < 13, HOURS.day_of_week < 5) & (HOURS.hour >= 9)
              & (HOURS.hour < 18)],
        ("hour", ["2023-04-17T09:00", "2023-04-17T10:00"])
    ),
    "an exchange from 9:30 to 16:00": (
        HALF_HOURS[(HALF_HOURS.day_of_week < 5) & (MINUTES >= 570) & (MINUTES <= 960)],
        ("30 minutes", ["2023-04-17T09:30", "2023-04-17T10:00"])
    ),
    "three times a day": (
        HOURS[np.isin(HOURS.hour, [8, 12, 18])], ("2 hours", ["2023-04-17T08:00", "2023-04-17T12:00"])
    ),
    "the 15th and the last day": (
        MIDDLE.union(MONTHS + pd.offsets.MonthEnd(1)), ("half-month", ["2023-01-15T00:00", "2023-01-31T00:00"])
    ),
    "the 15th and the 30th": (
        MIDDLE.union(np.minimum(MONTHS + pd.Timedelta(days=29), MONTHS + pd.offsets.MonthEnd(1))),
        ("half-month", ["2023-01-15T00:00", "2023-01-30T00:00"])
    ),
    "three days a month": (
        MONTHS.union(MONTHS + pd.Timedelta(days=10)).union(MONTHS + pd.Timedelta(days=20)),
        ("third of a month", ["2023-01-01T00:00", "2023-01-11T00:00"])
    ),
    "first Fridays": (
        pd.date_range("2020-01-01", periods=36, freq="WOM-1FRI"), ("month", ["2023-01-06T00:00", "2023-02-03T00:00"])
    ),
    "the last working day": (
        pd.date_range("2020-01-01", periods=36, freq="BME"), ("month", ["2023-01-31T00:00", "2023-02-28T00:00"])
    ),
    "the 15th or the working day before": (
        pd.DatetimeIndex(np.busday_offset(MIDDLE.to_numpy().astype("M8[D]"), 0, roll="backward")),
        ("month", ["2023-01-13T00:00", "2023-02-15T00:00"])
    ),
    "all days but Sundays": (DAYS[DAYS.day_of_week < 6], ("day", ["2023-08-31T00:00", "2023-09-01T00:00"])),
    "Tuesdays and Thursdays": (
        DAYS[np.isin(DAYS.day_of_week, [1, 3])], ("day", ["2023-08-31T00:00", "2023-09-05T00:00"])
    ),
    "days of school terms": (
        DAYS[IN_TERM & (DAYS.day_of_week < 5)], ("business day", ["2023-09-01T00:00", "2023-09-04T00:00"])
    ),
    "every day but Christmas and New Year": (
        DAYS[~np.isin(DAY_OF_YEAR, [1225, 101])], ("day", ["2023-08-31T00:00", "2023-09-01T00:00"])
    ),
    "working days but those about New Year": (
        DAYS[(DAYS.day_of_week < 5) & (DAY_OF_YEAR < 1224) & (DAY_OF_YEAR > 101)],
        ("business day", ["2023-08-31T00:00", "2023-09-01T00:00"])
    ),
    "months of a season": (
        MONTHS[(MONTHS.month < 5) | (MONTHS.month > 10)], ("month", ["2023-01-01T00:00", "2023-02-01T00:00"])
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TIMES)
def test_places_that_occur_are_the_steps_before_and_after_the_end(name: str) -> None:
    times, (frequency, following) = TIMES[name]
    axis, x = placed(times).axis, placed(times).x
    assert axis.frequency == frequency
    np.testing.assert_array_equal(axis.times(x).astype("M8[s]"), times.to_numpy().astype("M8[s]"))
    assert ahead(axis, x, 2) == following
    np.testing.assert_allclose(axis.grid(x.min(), x.max()), x, atol=1e-9)
    np.testing.assert_allclose(axis.future(x.max(), -3), x[-4:-1][::-1], atol=1e-9)
    assert Axis.from_json(axis.to_json()) == axis
    values = np.random.default_rng(0).normal(size=times.size)
    assert not any("no value" in note for note in load({"t": times, "y": values}).warnings)


@pytest.mark.parametrize("days", [-1, 1])
def test_weeks_of_which_some_are_dated_a_day_beside_are_weeks(days: int) -> None:
    moved = WEEKS.to_numpy().copy()
    moved[[0, 20, 50, 60, 90]] += np.timedelta64(days, "D")
    found = place(moved.astype("M8[us]"), "t")
    assert (found.axis.frequency, found.axis.step, np.unique(np.diff(found.x)).tolist()) == ("week", 7.0, [7.0])
    assert found.notes[0].startswith("5 dates lie beside the usual day of their step (the first is 2021-01-0")
    assert ahead(found.axis, found.x, 1) == ["2023-01-02T00:00"]


def test_months_of_which_some_are_dated_beside_their_day_are_months() -> None:
    dates = (MONTHS + pd.Timedelta(days=9)).to_numpy().copy()
    dates[[3, 17]] += np.timedelta64(2, "D")
    found = place(dates.astype("M8[us]"), "t")
    assert (found.axis.frequency, ahead(found.axis, found.x, 1)) == ("month", ["2023-01-10T00:00"])
    assert len(found.notes) == 1


def test_days_that_are_closed_each_year_have_no_steps_ahead() -> None:
    found = placed(TIMES["every day but Christmas and New Year"][0])
    assert set(found.axis.calendar.closed) == {(1225, 1225), (101, 101)}
    following = pd.DatetimeIndex(ahead(found.axis, found.x, 364))
    assert not following.isin(pd.to_datetime(["2023-12-25", "2024-01-01"])).any()


def test_a_day_that_was_open_once_is_not_closed() -> None:
    times = TIMES["every day but Christmas and New Year"][0].union(pd.DatetimeIndex(["2021-12-25"]))
    assert placed(times).axis.calendar.closed == ((101, 101),)


@pytest.mark.parametrize("seed", range(5))
def test_outages_and_bad_winters_are_no_closures(seed: int) -> None:
    rng = np.random.default_rng(seed)
    out = np.zeros(DAYS.size, dtype=bool)
    for start in rng.integers(DAYS.size, size=20):
        out[start : start + rng.integers(2, 40)] = True
    winter = np.isin(DAYS.month, [12, 1, 2]) & (rng.random(DAYS.size) < 0.5)
    for years in (2, 4):
        for missing in (out, winter, rng.random(DAYS.size) < 0.05):
            assert placed(DAYS[: 365 * years][~missing[: 365 * years]]).axis.calendar.closed == ()


@pytest.mark.parametrize("seed", range(5))
def test_gaps_by_chance_are_no_calendar(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for every, count in ((HOURS, 300), (DAYS, 200), (HALF_HOURS[:96], 60), (MONTHS, 20), (WEEKS, 60)):
        some = every[np.sort(rng.choice(every.size, count, replace=False))]
        assert placed(some).axis.calendar == ALWAYS


def test_a_closed_summer_has_no_steps_and_lacks_no_values() -> None:
    weeks = pd.date_range("2018-09-03", periods=4 * 52, freq="7D")
    found = placed(weeks[~((weeks.month == 8) | ((weeks.month == 7) & (weeks.day > 10)))])
    steps = pd.DatetimeIndex(ahead(found.axis, found.x, 45))
    assert found.axis.frequency == "week"
    assert not ((steps.month == 8) | ((steps.month == 7) & (steps.day > 18))).any()


def test_a_forecast_goes_on_for_a_week_of_open_hours() -> None:
    times = TIMES["a shop from 9 to 18 but on Sundays"][0]
    assert default_horizon(load({"t": times, "y": np.random.default_rng(0).normal(size=times.size)})) == 72


def test_a_calendar_that_is_always_closed_is_refused() -> None:
    axis = Axis("t", "day", "day", 1.0, "2020-01-01", calendar=Calendar(closed=((101, 1231),)))
    with pytest.raises(InputError, match="a calendar that is always closed"):
        Axis.from_json(axis.to_json())


# --- Places whose values are always one number ------------------------------------------------------------------------

LONG_HOURS, LONG_HALF_HOURS = HOURS[0] + pd.to_timedelta(np.arange(24 * 7 * 28), "h"), HALF_HOURS
AT_DAY = (LONG_HOURS.hour >= 9) & (LONG_HOURS.hour <= 18)
OPEN = {
    "shop hours": (LONG_HOURS, AT_DAY & (LONG_HOURS.day_of_week < 6), 0.0),
    "early on Saturdays": (
        LONG_HOURS,
        AT_DAY & np.where(LONG_HOURS.day_of_week == 5, LONG_HOURS.hour < 13, LONG_HOURS.day_of_week < 5),
        0.0,
    ),
    "nights": (LONG_HALF_HOURS, (MINUTES >= 300) & (MINUTES <= 1140), 0.0),
    "Sundays": (DAYS[:182], DAYS[:182].day_of_week < 6, 0.0),
    "Sundays of another number": (DAYS[:182], DAYS[:182].day_of_week < 6, 7.0),
    "week-ends": (DAYS, DAYS.day_of_week < 5, -1.0),
}  # fmt: skip


@pytest.mark.parametrize("name", OPEN)
def test_places_of_one_number_are_known_and_no_observations(name: str) -> None:
    times, is_open, value = OPEN[name]
    values = np.where(is_open, np.random.default_rng(0).normal(50.0, 9.0, times.size), value)
    data = load({"t": times, "y": values}, inputs=["none"])
    assert data.axis is not None
    assert data.constant is not None
    assert (data.n, data.constant.size, data.axis.calendar.value) == (is_open.sum(), (~is_open).sum(), value)
    np.testing.assert_array_equal(data.axis.are_constant(data.axis.positions(times.to_numpy())), ~is_open)
    assert Axis.from_json(data.axis.to_json()) == data.axis
    assert "lie at places of the week" in data.warnings[-1]
    assert not data.axis.lacking(data.x, data.x[0]).size


def test_a_place_that_was_open_now_and_then_has_one_number_and_those_rows_stay() -> None:
    values = np.where(DAYS.day_of_week < 6, np.random.default_rng(0).normal(50.0, 9.0, DAYS.size), 0.0)
    sundays = np.flatnonzero(DAYS.day_of_week == 6)
    values[sundays[[4, 60]]] = 60.0
    data = load({"t": DAYS, "y": values}, inputs=["none"])
    assert data.axis is not None
    assert data.constant is not None
    assert data.constant.size == sundays.size - 2
    assert data.axis.are_constant(data.x).sum() == 2
    values[sundays[-1]] = 60.0  # which may have begun
    assert load({"t": DAYS, "y": values}, inputs=["none"]).constant is None


@pytest.mark.parametrize("mean", [0.05, 0.3, 1.0, 3.0])
@pytest.mark.parametrize("times", [DAYS[:60], DAYS, LONG_HOURS[:1000]], ids=["few days", "days", "hours"])
def test_zeros_by_chance_are_no_closed_places(times: pd.DatetimeIndex, mean: float) -> None:
    for seed in range(5):
        values = np.random.default_rng(seed).poisson(mean, times.size).astype(float)
        values[0] = 1.0
        assert load({"t": times, "y": values}, time="t", target="y", inputs=["none"]).constant is None
