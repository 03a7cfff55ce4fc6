"""Profiles of single columns."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.data.columns import DataColumn
from autostatistician.data.roles.profiles import Profile


def _profile(name: str, *cells: str) -> Profile:
    return Profile(DataColumn(name, cells))


COUNT = ("1", "2", "3", "4")


@pytest.mark.parametrize(
    ("profile", "names"),
    [
        (_profile("", *COUNT), True),
        (_profile("Unnamed: 0", "0", "1", "2"), True),
        (_profile("customer_id", "17", "4", "99"), True),
        (_profile("id", "17", "17", "99"), False),
        (_profile("id", "1.5", "2", "3"), False),
        (_profile("age", *COUNT), False),
    ],
)
def test_counts_and_names_of_rows(profile: Profile, names: bool) -> None:
    assert profile.names_rows is names
    assert profile.explains is not names


def test_words_of_a_name_are_split_as_people_join_them() -> None:
    assert _profile("UnitPrice (USD)", "1").words == ("unit", "price", "usd")
    assert _profile(" Day_of-week ", "1").words == ("day", "of", "week")
    assert _profile(" Year ", "1").name == "year"


def test_categories_that_name_every_row_are_no_classes() -> None:
    assert _profile("shop", *"ABAB").is_class
    assert not _profile("shop", *"ABCD").is_class
    assert _profile("shop", *"ABCD").is_category
    assert not _profile("shop", "", "n/a").is_class


@pytest.mark.parametrize(
    ("cells", "monotone", "even"),
    [(COUNT, True, True), (COUNT[::-1], True, True), (("1", "2", "4"), True, False), (("1", "1", "2"), False, False)],
)
def test_order(cells: tuple[str, ...], monotone: bool, even: bool) -> None:
    assert (_profile("x", *cells).is_monotone, _profile("x", *cells).is_even) == (monotone, even)


def test_a_cycle_starts_again_and_has_a_name_of_the_calendar() -> None:
    week = ("Mo", "Tu", "We")
    assert _profile("weekday", *week * 4).is_cycle
    assert _profile("day of week", *week * 4).is_cycle
    assert not _profile("colour", *week * 4).is_cycle
    assert not _profile("weekday", *week).is_cycle
    assert not _profile("weekday", *sorted(week * 4)).is_cycle


def test_what_varies_and_what_has_two_values() -> None:
    assert [_profile("x", *cells).varies for cells in (("1", "1"), ("1", "2"), ("a", "a"), ("a", "b"))] == [
        False, True, False, True,
    ]  # fmt: skip
    assert _profile("x", "0", "1", "1").is_two_valued
    assert not _profile("x", "0", "1", "2").is_two_valued


@pytest.mark.parametrize(
    ("name", "times", "place"),
    [
        ("created_at", True, False),
        ("Jahr", True, False),
        ("step", True, False),
        ("LAT", False, True),
        ("y", False, False),
    ],
)
def test_names_of_times_and_places(name: str, times: bool, place: bool) -> None:
    profile = _profile(name, "1", "2")
    assert (profile.has_time_name, profile.is_place) == (times, place)


def test_dates_are_no_numbers_and_empty_columns_nothing() -> None:
    dates = _profile("x", "2020-01-01", "2020-01-02")
    assert dates.times is not None
    assert not dates.is_number
    empty = Profile(DataColumn("x", np.full(3, np.nan)))
    assert (empty.is_empty, empty.is_number, empty.times, empty.finite.size) == (True, False, None, 0)
