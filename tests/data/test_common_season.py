"""The season that series have in common: what each says of it, whether there is one, and its column at any date."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.there import there

from autostatistician.data.common_season import CommonSeason, Profiles, cycle_of, phases_of, profile_of
from autostatistician.data.holidays import calendar_from_json
from autostatistician.data.times.axes import Axis
from autostatistician.errors import InputError

MONTH = Axis("month", "year", "month", 1 / 12, gap=1 / 12)
QUARTER = Axis("quarter", "year", "quarter", 0.25, gap=0.25)
DAY = Axis("day", "day", "day", 1.0, "2024-01-01")
BUSINESS = Axis("day", "business day", "business day", 1.0, "2024-01-01")
HOUR = Axis("hour", "hour", "hour", 1.0, "2024-01-01T05:00:00")
WAVE = np.cos(2.0 * np.pi * np.arange(12) / 12)  # highest in January


def months(rows: int, first: int = 0) -> NDArray[np.float64]:
    return np.asarray(2020.0 + (first + np.arange(rows)) / 12)


def series(seed: int, rows: int = 30, swing: float = 0.2) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    rng, x = np.random.default_rng(seed), months(rows)
    values = rng.uniform(10.0, 900.0) * np.exp(0.01 * np.arange(rows) + swing * WAVE[np.arange(rows) % 12])
    return x, np.asarray(values * np.exp(0.05 * rng.normal(size=rows)))


def profiles(count: int, swing: float = 0.2, rows: int = 30) -> Profiles:
    made = [profile_of(MONTH, *series(seed, rows, swing)) for seed in range(count)]
    return Profiles(np.array([profile for profile in made if profile is not None]))


@pytest.mark.parametrize(
    ("axis", "name", "phases"),
    [(MONTH, "yearly", 12), (QUARTER, "yearly", 4), (DAY, "weekly", 7), (BUSINESS, "weekly", 5), (HOUR, "daily", 24)],
)
def test_steps_are_phases_of_the_calendar(axis: Axis, name: str, phases: int) -> None:
    cycle = there(cycle_of(axis))
    assert (cycle.name, cycle.phases) == (name, phases)
    x = axis.future(2024.0 if axis.unit == "year" else 0.0, 2 * phases)
    seen = phases_of(axis, x)
    assert sorted(seen[:phases]) == list(range(phases))
    np.testing.assert_array_equal(seen[:phases], seen[phases:])


@pytest.mark.parametrize(
    "axis", [Axis("t", "", "", 1.0), Axis("t", "day", "week", 7.0, "2024-01-01"),
                                  Axis("t", "year", "year", 1.0), Axis("t", "day", "", None, "2024-01-01")],
)  # fmt: skip
def test_other_steps_have_no_phases(axis: Axis) -> None:
    assert cycle_of(axis) is None
    assert profile_of(axis, np.arange(40.0), np.sin(np.arange(40.0))) is None


def test_phases_have_the_names_of_the_calendar() -> None:
    assert phases_of(MONTH, months(3, first=10)).tolist() == [10, 11, 0]
    assert phases_of(DAY, np.arange(3.0)).tolist() == [0, 1, 2]  # the first of January 2024 is a Monday
    assert phases_of(HOUR, np.arange(3.0)).tolist() == [5, 6, 7]


@pytest.mark.parametrize("rows", [18, 30, 60])
def test_a_profile_is_that_of_the_series_whatever_its_trend_and_unit(rows: int) -> None:
    x = months(rows)
    plain = WAVE[np.arange(rows) % 12]
    profile = there(profile_of(MONTH, x, 3.0 * plain + 40.0 * (x - 2020.0) - 1000.0))
    assert np.corrcoef(profile, WAVE)[0, 1] > 0.99
    scaled = profile_of(MONTH, x, 1000.0 * (3.0 * plain + 40.0 * (x - 2020.0) - 1000.0))
    np.testing.assert_allclose(scaled, profile, atol=1e-9)


def test_of_values_above_zero_it_is_that_of_factors() -> None:
    x = months(36)
    grown = 100.0 * np.exp(0.2 * WAVE[np.arange(36) % 12] + 0.5 * (x - 2020.0))
    np.testing.assert_allclose(profile_of(MONTH, x, grown), profile_of(MONTH, x, np.log(grown) - 9.0), atol=1e-9)


@pytest.mark.parametrize("y", [np.full(30, 7.0), np.arange(30.0), np.zeros(30)])
def test_what_does_not_vary_about_its_trend_says_nothing(y: NDArray[np.float64]) -> None:
    assert profile_of(MONTH, months(30), y) is None


def test_too_few_rows_say_nothing() -> None:
    assert profile_of(MONTH, *series(0, rows=12)) is None


def test_what_all_show_is_common() -> None:
    season = there(profiles(8).common(MONTH))
    values = np.array(season.values)
    assert np.corrcoef(values, WAVE)[0, 1] > 0.98
    assert np.ptp(values) == pytest.approx(1.0, abs=0.002)
    assert np.median(values) == pytest.approx(0.0, abs=0.002)


def test_chance_is_not_common() -> None:
    found = [profiles_of_noise(seed).common(MONTH) for seed in range(40)]
    assert sum(season is not None for season in found) <= 1


def profiles_of_noise(seed: int) -> Profiles:
    rng = np.random.default_rng(seed)
    made = [profile_of(MONTH, months(30), rng.normal(size=30)) for _ in range(20)]
    return Profiles(np.array([profile for profile in made if profile is not None]))


def test_too_few_series_have_nothing_in_common() -> None:
    assert profiles(4).common(MONTH) is None
    assert profiles(5).common(MONTH) is not None


def test_a_series_is_told_of_the_others_alone() -> None:
    several = profiles(6)
    own = np.where(np.arange(12) == 6, 3.0, several.values[0])
    with_own = Profiles(np.array([own, *several.values[1:]]))
    others = Profiles(several.values[1:]).common(MONTH)
    assert with_own.common(MONTH, own) == others or vars_of(with_own.common(MONTH, own)) == vars_of(others)
    assert vars_of(with_own.common(MONTH)) != vars_of(others)


def vars_of(season: CommonSeason | None) -> Any:
    return None if season is None else season.values


def test_a_record_gives_the_same_season() -> None:
    season = CommonSeason(QUARTER, (0.5, -0.5, 0.2, -0.2))
    again = calendar_from_json(season.to_json())
    x = np.array([2024.0, 2024.25, 2024.75])
    assert again.columns(x)[0].values.tolist() == season.columns(x)[0].values.tolist() == [0.5, -0.5, -0.2]
    with pytest.raises(InputError, match="expected the record of a calendar"):
        calendar_from_json({**season.to_json(), "values": [1.0]})
