"""Which column is modelled when none is named."""

from __future__ import annotations

import pytest

from autostatistician.data.columns import DataColumn
from autostatistician.data.roles.profiles import Profile
from autostatistician.data.roles.targets import is_wanted, ranked_targets, wanted_classes
from autostatistician.errors import InputError

CELLS = {"numbers": ("3", "1", "2", "5"), "classes": ("a", "b", "a", "b"), "yes": ("0", "1", "0", "0")}


def _profiles(**columns: str) -> list[Profile]:
    return [Profile(DataColumn(name, CELLS[kind])) for name, kind in columns.items()]


def _ranked(series: bool, **columns: str) -> list[str]:
    return [one.column.name for one in ranked_targets(_profiles(**columns), series=series)]


def test_names_come_before_places_and_clear_names_before_others() -> None:
    columns = {"a": "numbers", "price": "numbers", "target": "numbers", "unit_sales": "numbers", "b": "numbers"}
    assert _ranked(False, **columns)[:3] == ["target", "unit_sales", "price"]
    assert _ranked(True, **columns)[:3] == ["target", "unit_sales", "a"]


def test_without_names_it_is_the_first_of_a_series_and_the_last_of_a_table() -> None:
    assert _ranked(True, a="numbers", b="numbers", c="numbers") == ["a", "b", "c"]
    assert _ranked(False, a="numbers", b="numbers", c="numbers") == ["c", "b", "a"]


def test_answers_of_yes_and_no_come_last_in_a_series_alone() -> None:
    assert _ranked(True, a="yes", b="numbers") == ["b", "a"]
    assert _ranked(False, a="numbers", b="yes") == ["b", "a"]


def test_nobody_asks_about_places_and_the_calendar_when_there_is_something_else() -> None:
    assert _ranked(False, a="numbers", lat="numbers", month="numbers") == ["a"]
    assert _ranked(False, lat="numbers", lon="numbers") == ["lon", "lat"]


def test_classes_are_asked_about_by_name_or_as_the_last_of_a_table() -> None:
    profiles = _profiles(a="numbers", b="numbers", kind="classes")
    chosen = profiles[1]
    assert wanted_classes(profiles, chosen, series=False) is profiles[2]
    assert wanted_classes(profiles, chosen, series=True) is None
    assert wanted_classes(profiles[::-1], profiles[0], series=False) is None
    named = _profiles(outcome="classes", a="numbers", b="numbers", c="classes")
    assert wanted_classes(named, named[1], series=False) is named[0]
    assert is_wanted(named[0])
    assert not is_wanted(named[1])


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ((), "besides the time axis; found none"),
        ((DataColumn("a", ("", "n/a")),), "only missing values in column 'a'"),
        ((DataColumn("a", ("x", "y", "z")),), "found 'x' in row 1 of column 'a'; name the column to model"),
        ((DataColumn("a", CELLS["numbers"]), DataColumn("y", ("x1", "y1", "3", "z1"))), "'x1' in row 1 of column 'y'"),
        ((DataColumn("year", ("1990", "1991", "1993")),), "only 'year', whose name and order are those of times"),
    ],
)
def test_what_cannot_be_modelled_is_said(columns: tuple[DataColumn, ...], words: str) -> None:
    with pytest.raises(InputError, match=words):
        ranked_targets([Profile(column) for column in columns], series=False)
