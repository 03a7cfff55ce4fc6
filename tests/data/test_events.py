"""Calendars that users name: countries, files and mappings of own events; and what is said of those that are none."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from autostatistician.data.events import calendar_from, country_holidays, own_events, own_holidays
from autostatistician.data.holidays import CalendarDays, Holidays
from autostatistician.data.times.axes import Axis
from autostatistician.errors import InputError

DAY = Axis("day", "day", "day", 1.0, "2020-01-01")
DAYS = np.arange(4 * 365.0)
MONTH = Axis("month", "year", "month", 1 / 12)
MONTHS = 2012 + np.arange(144) / 12


def _dates(calendar: Any, name: str, axis: Axis = DAY, x: Any = DAYS) -> list[str]:
    (column,) = [column for column in calendar.columns(x) if column.name == name]
    return np.asarray(axis.times(x[column.values > 0])).astype("M8[D]").astype(str).tolist()


def test_a_country_has_its_holidays_under_names_that_do_not_change() -> None:
    (germany,) = calendar_from("DE", DAY, DAYS)
    assert _dates(germany, "Easter Monday") == ["2020-04-13", "2021-04-05", "2022-04-18", "2023-04-10"]
    assert _dates(germany, "Labor Day, 1 day before") == ["2020-04-30", "2021-04-30", "2022-04-30", "2023-04-30"]
    (bavaria,) = calendar_from("de-by", DAY, DAYS)
    assert _dates(bavaria, "Epiphany") == ["2020-01-06", "2021-01-06", "2022-01-06", "2023-01-06"]
    assert "Epiphany" not in {column.name for column in germany.columns(DAYS)}


def test_days_that_stand_for_a_holiday_bear_its_name_and_those_estimated_too() -> None:
    (america,) = calendar_from("US", DAY, DAYS)
    assert _dates(america, "Christmas Day") == [
        "2020-12-25", "2021-12-24", "2021-12-25", "2022-12-25", "2022-12-26", "2023-12-25",
    ]  # fmt: skip
    (turkey,) = calendar_from("TR", DAY, DAYS)
    names = {column.event for column in turkey.columns(DAYS)}
    assert "Eid al-Fitr" in names
    assert not any("(" in name for name in names)


@pytest.mark.parametrize("name", ["Germany", "DEU", "germany", "DE-Bayern", "DE-BY"])
def test_countries_and_parts_go_by_their_names_too(name: str) -> None:
    (calendar,) = calendar_from(name, DAY, DAYS)
    assert isinstance(calendar, Holidays)
    assert {"Good Friday", "Christmas Day"} <= {column.event for column in calendar.columns(DAYS)}


def test_months_have_the_moving_holidays_and_the_working_days() -> None:
    holidays, days = country_holidays("GB", MONTH, MONTHS)
    assert isinstance(days, CalendarDays)
    names = [column.name for column in holidays.columns(MONTHS)]
    assert "Good Friday" in names
    assert not {"Christmas Day", "New Year's Day"} & set(names)
    working = days.columns(MONTHS)[0].values
    assert working[11] == 19.0  # December 2012: 21 weekdays less two holidays
    (plain,) = calendar_from("workdays", MONTH, MONTHS)
    assert plain.columns(MONTHS)[0].values[11] == 21.0


def test_a_record_knows_years_ahead_and_says_where_it_ends() -> None:
    (germany,) = calendar_from("DE", DAY, DAYS)
    ahead = np.array([29 * 365.25])
    assert len(germany.columns(ahead)) == len(germany.columns(DAYS))
    with pytest.raises(InputError, match="years from 2019 to 2053, for which the holidays of 'DE' are known"):
        germany.columns(np.array([40 * 365.25]))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Germny", r"'Germny'; did you mean Germany \(DE\)"),
        ("DE-ZZ", r"a part of DE whose holidays are known; found 'ZZ'; there is 'BB', 'BE'"),
        ("DE-Bayrn", "did you mean 'BY'"),
        ("VA-XX", "a part of VA whose holidays are known; found 'XX'; there is the whole country alone"),
        ("Q9Q9Q9", "give a code of two letters, or the path of a file"),
        ("nowhere.csv", "an existing file; found nothing at 'nowhere.csv'"),
        (" , ", "such as DE, DE-BY or events.csv"),
        ("DE,DE-BY", '"New Year\'s Day" in two calendars; name each calendar once'),
    ],
)
def test_what_is_unknown_is_named_with_its_neighbours(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        calendar_from(text, DAY, DAYS)


def test_years_before_those_of_the_package_are_refused() -> None:
    with pytest.raises(InputError, match=r"years from 19\d\d to 2\d\d\d, .* found 1950; give later rows"):
        country_holidays("DE", MONTH, 1950 + np.arange(121) / 12)


def test_without_the_package_the_command_that_brings_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "holidays", None)
    with pytest.raises(InputError, match=r"pip install holidays, or give a file of events"):
        calendar_from("DE", DAY, DAYS)


def test_a_file_of_events_beside_a_country(tmp_path: Path) -> None:
    path = tmp_path / "events.csv"
    path.write_text("Name;Date;Before;After\nsale;29.11.2020;2;\nsale;26.11.2021;2;1\nmove;3.5.2022;;\n", "utf-8")
    germany, ours = calendar_from(f"DE, {path}", DAY, DAYS)
    assert {column.group for column in (*germany.columns(DAYS), *ours.columns(DAYS))} == {"holidays"}
    assert [column.name for column in ours.columns(DAYS)] == [
        "sale", "sale, 1 day before", "sale, 2 days before", "sale, 1 day after", "move",
    ]  # fmt: skip
    assert _dates(ours, "sale, 2 days before") == ["2020-11-27", "2021-11-24"]
    assert _dates(ours, "move") == ["2022-05-03"]


def test_prophets_frame_of_holidays_means_the_same() -> None:
    frame = pd.DataFrame(
        {
            "holiday": ["playoff", "playoff"],
            "ds": pd.to_datetime(["2020-01-13", "2021-01-03"]),
            "lower_window": [-1, 0],
            "upper_window": [0, 2],
        }
    )
    (playoff,) = own_events(frame)
    assert (playoff.name, playoff.before, playoff.after, playoff.days.size) == ("playoff", 1, 2, 2)


def test_events_of_several_days_in_tables_and_mappings() -> None:
    table = {"name": ["fair", "fair"], "start": ["2020-05-01", "2021-05-03"], "end": ["2020-05-04", "2021-05-03"]}
    mapping = {"fair": [("2020-05-01", "2020-05-04"), "2021-05-03"]}
    for source in (table, mapping):
        (fair,) = own_events(source)
        assert fair.days.astype(str).tolist() == [
            "2020-05-01", "2020-05-02", "2020-05-03", "2020-05-04", "2021-05-03",
        ]  # fmt: skip
    (strike,) = own_events({"strike": "2020-05-01"})
    assert strike.starts.astype(str).tolist() == ["2020-05-01"]
    calendar = own_holidays(mapping, DAY, DAYS)
    assert [column.name for column in calendar.columns(DAYS)] == ["fair"]
    assert calendar.source == "your events"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ({"name": ["a"], "start": ["2020-05-04"], "end": ["2020-05-01"]}, "found 2020-05-01 after 2020-05-04 in row 1"),
        ({"name": ["a", "b"], "date": ["2020-05-04", "soon"]}, "found 'soon' in row 2; write them as 2024-12-25"),
        ({"name": ["a", None], "date": ["2020-05-04", "2020-05-05"]}, "a name of every event; found nothing in row 2"),
        ({"name": ["a"], "when": ["2020-05-04"]}, "columns name and date, or name, start and end; found the columns"),
        ({"name": ["a"], "date": ["2020-05-04"], "before": [1.5]}, "whole numbers of days up to 366 days in column"),
        ({"name": ["a"], "date": ["2020-05-04"], "after": ["two"]}, "found 'two' in row 1; correct it"),
        (np.array([1.0, 2.0]), "a table of events"),
    ],
)
def test_tables_that_are_no_events_are_refused(source: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        own_events(source)
