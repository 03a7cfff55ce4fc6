"""The forms of dates: what looks like each, and which moments exist."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from autostatistician.data.times.date_forms import FORMS, Form, moment

EXAMPLES = {
    "season": "2000/01", "ymd": "2020-01-31", "ym": "2020-01", "dmy": "31/01/2020", "my": "01/2020", "m.y": "01.2020",
    "y.m": "2020.01", "yearmonth": "2020M01", "year": "FY2020", "quarter": "2020Q1", "half": "2020H1",
    "week": "2020-W05", "dname": "31 Jan 2020", "named": "Jan 31, 2020", "namey": "Jan 2020", "yname": "2020 Jan",
    "compact": "20200131",
}  # fmt: skip


def _of(name: str, text: str) -> tuple[Form, ...]:
    return tuple(form for form in FORMS if form.name == name and form.pattern.match(text))


def test_every_form_has_an_example_here_and_matches_it() -> None:
    assert {form.name for form in FORMS} == set(EXAMPLES)
    for name, text in EXAMPLES.items():
        assert _of(name, text), name


@pytest.mark.parametrize("text", ["12", "1.5", "-3", "1e5", "12,5", "Jan", "2020", "A-2020-1", "192.168.1.1", ""])
def test_numbers_and_names_look_like_no_date(text: str) -> None:
    assert [form.name for form in FORMS if form.pattern.match(text) and not form.strict] == []


def _moment(text: str, name: str) -> tuple[datetime, timedelta | None] | None:
    match = _of(name, text)[0].pattern.match(text)
    assert match is not None
    parts = match.groupdict()
    return moment(match, parts.get("m") or parts.get("b"), parts.get("d") or parts.get("a"))


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("ymd", "2020-02-29 24:00", datetime(2020, 3, 1)),
        ("ymd", "2020-02-29T13:05:07.25", datetime(2020, 2, 29, 13, 5, 7, 250_000)),
        ("ymd", "2020-02-29 12:30 am", datetime(2020, 2, 29, 0, 30)),
        ("ymd", "2020-02-29 12:30 PM", datetime(2020, 2, 29, 12, 30)),
        ("dmy", "5.3.39", datetime(2039, 3, 5)),
        ("dmy", "5.3.40", datetime(1940, 3, 5)),
        ("quarter", "Q3 2020", datetime(2020, 7, 1)),
        ("half", "2020H2", datetime(2020, 7, 1)),
        ("week", "2020-W53", datetime(2020, 12, 28)),
        ("named", "Sept 3, 2020", datetime(2020, 9, 3)),
        ("m.y", "10.202", datetime(2020, 10, 1)),
    ],
)
def test_moments(name: str, text: str, expected: datetime) -> None:
    assert _moment(text, name) == (expected, None)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ymd", "2019-02-29"),
        ("ymd", "2020-13-01"),
        ("ymd", "2020-01-01 25:00"),
        ("week", "2019-W53"),
        ("named", "Foo 3, 2020"),
    ],
)
def test_what_is_not_in_the_calendar_is_no_moment(name: str, text: str) -> None:
    assert _moment(text, name) is None


@pytest.mark.parametrize(("zone", "minutes"), [("Z", 0), (" UTC", 0), ("+02:00", 120), ("-0530", -330), ("+01", 60)])
def test_zones_are_distances_from_utc(zone: str, minutes: int) -> None:
    found = _moment(f"2020-01-01T12:00{zone}", "ymd")
    assert found == (datetime(2020, 1, 1, 12), timedelta(minutes=minutes))
