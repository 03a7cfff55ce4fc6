"""Dates in the ways people write them."""

from datetime import date, datetime, timedelta

import numpy as np
import pytest
from babel.dates import format_date
from tests.there import there

from autostatistician.data.columns import DataColumn
from autostatistician.data.times.dates import parse_times
from autostatistician.data.times.forms import FORMS, DateForm, moment
from autostatistician.data.times.languages import folded, languages_of

DAYS = [date(2020, month, 3 * month) for month in range(1, 10)] + [
    date(2021, 10, 11),
    date(2021, 11, 30),
    date(2021, 12, 24),
]


@pytest.mark.parametrize(
    "code", ["de", "fr", "es", "it", "nl", "pl", "cs", "sv", "da", "fi", "ru", "uk", "el", "ro", "id"]
)
@pytest.mark.parametrize("width", ["medium", "long"])
def test_dates_as_babel_writes_them_are_read_back(code: str, width: str) -> None:
    parsed = there(parse_times([format_date(day, width, locale=code) for day in DAYS]))
    assert parsed.times.astype("M8[D]").tolist() == DAYS


def test_case_accents_widths_and_digits_do_not_matter() -> None:
    assert folded("FÉVR. ２０２１") == folded("févr. 2021") == "fevr. 2021"
    assert folded("١٢") == folded("१२") == "12"


def test_words_are_translated_by_the_language_that_knows_all_of_them() -> None:
    (german, *others) = languages_of(["3. März 2021", "5. Dez 2021"])
    assert {one.code[:2] for one in (german, *others)} == {"de"}
    assert german.translated(["3. März 2021", "5. Dez 2021"]) == ["3 Mar 2021", "5 Dec 2021"]
    assert german.order == "dmy"


@pytest.mark.parametrize("cells", [["red", "blue"], ["x1", "x2"], ["Bond 2020 film", "Jaws 1975 film"]])
def test_words_that_are_no_dates_have_no_language(cells: list[str]) -> None:
    assert languages_of(cells) == ()


def test_a_word_that_means_two_months_is_settled_by_the_order_of_the_rows() -> None:
    """In Croatian `listopad` is October, in Polish and Czech November."""
    assert parse_times(["1 listopad 2020", "1 listopad 2021"]) is None
    parsed = there(parse_times(["1 rujan 2020", "1 listopad 2020", "1 studeni 2020"]))
    assert parsed.times.astype("M8[M]").astype(str).tolist() == ["2020-09", "2020-10", "2020-11"]


EXAMPLES = {
    "years": "2000/01", "ymd": "2020-01-31",
    "ym": "2020-01", "dmy": "31/01/2020", "my": "01/2020", "m.y": "01.2020",
    "y.m": "2020.01", "yearmonth": "2020M01", "year": "FY2020", "quarter": "2020Q1", "half": "2020H1",
    "week": "2020-W05", "dname": "31 Jan 2020", "named": "Jan 31, 2020", "namey": "Jan 2020", "yname": "2020 Jan",
    "compact": "20200131", "day": "2020-D031",
}  # fmt: skip


def _of(name: str, text: str) -> tuple[DateForm, ...]:
    return tuple(form for form in FORMS if form.name == name and form.pattern.match(text))


def test_every_form_has_an_example_here_and_matches_it() -> None:
    assert {form.name for form in FORMS} == set(EXAMPLES)
    for name, text in EXAMPLES.items():
        assert _of(name, text), name


@pytest.mark.parametrize("text", ["12", "1.5", "-3", "1e5", "12,5", "Jan", "2020", "A-2020-1", "192.168.1.1", ""])
def test_numbers_and_names_look_like_no_date(text: str) -> None:
    assert [form.name for form in FORMS if form.pattern.match(text) and not form.strict] == []


def _moment(text: str, name: str) -> tuple[datetime, timedelta | None] | None:
    match = there(_of(name, text)[0].pattern.match(text))
    parts = match.groupdict()
    return moment(match, parts.get("m") or parts.get("b"), parts.get("d") or parts.get("a"))


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("day", "2020-D366", datetime(2020, 12, 31)),
        ("day", "2021-D366", None),
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
        ("ymd", "2019-02-29", None),  # what is not in the calendar is no moment
        ("ymd", "2020-13-01", None),
        ("ymd", "2020-01-01 25:00", None),
        ("week", "2019-W53", None),
        ("named", "Foo 3, 2020", None),
    ],
)
def test_moments(name: str, text: str, expected: datetime | None) -> None:
    assert _moment(text, name) == (None if expected is None else (expected, None))


@pytest.mark.parametrize(("zone", "minutes"), [("Z", 0), (" UTC", 0), ("+02:00", 120), ("-0530", -330), ("+01", 60)])
def test_zones_are_distances_from_utc(zone: str, minutes: int) -> None:
    found = _moment(f"2020-01-01T12:00{zone}", "ymd")
    assert found == (datetime(2020, 1, 1, 12), timedelta(minutes=minutes))


ONE_DATE = [
    ("2020-02-03", "2020-02-03"), ("2020/2/3", "2020-02-03"), ("2020.02.03", "2020-02-03"), ("2020-02", "2020-02-01"),
    ("03.02.2020", "2020-02-03"), ("13/02/2020", "2020-02-13"), ("02/13/2020", "2020-02-13"), ("2/2020", "2020-02-01"),
    ("3 Feb 2020", "2020-02-03"), ("3-Feb-20", "2020-02-03"), ("February 3, 2020", "2020-02-03"),
    ("Mon, 3 Feb 2020", "2020-02-03"), ("3rd February 2020", "2020-02-03"), ("Feb 2020", "2020-02-01"),
    ("Feb-49", "1949-02-01"), ("Feb-39", "2039-02-01"), ("2020 Feb", "2020-02-01"), ("Sept 2020", "2020-09-01"),
    ("2020M02", "2020-02-01"), ("2020Q2", "2020-04-01"), ("Q2 2020", "2020-04-01"), ("2020-W06", "2020-02-03"),
    ("20200203", "2020-02-03"), ("202002", "2020-02-01"), ("0001-01-01", "0001-01-01"), ("9999-12-31", "9999-12-31"),
    ("2020-02-03 24:00", "2020-02-04"),
]  # fmt: skip

ONE_TIME = [
    ("2020-02-03T04:05:06", "2020-02-03T04:05:06"), ("2020-02-03 04:05", "2020-02-03T04:05:00"),
    ("2/3/2020 4:05 PM", "2020-02-03T16:05:00"), ("20200203T040506", "2020-02-03T04:05:06"),
    ("2020-02-03T04:05:06.250", "2020-02-03T04:05:06.250000"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "time"), [*((text, f"{day}T00:00:00") for text, day in ONE_DATE), *ONE_TIME])
def test_dates_and_times_of_day(text: str, time: str) -> None:
    assert str(there(parse_times([text])).times[0]).removesuffix(".000000") == time


NO_DATES = ["1949", "1949.5", "12", "abc", "", "2020-13-01", "2020-02-30", "1,5", "Foo 2020", "5 %"]


@pytest.mark.parametrize("text", NO_DATES)
def test_other_text_is_no_date(text: str) -> None:
    assert parse_times([text]) is None


def test_the_order_of_day_and_month_is_settled_by_the_column() -> None:
    settled = there(parse_times(["01/02/2020", "13/02/2020"]))
    assert str(settled.times[0])[:10] == "2020-02-01"
    assert settled.notes == ()
    open_order = there(parse_times(["01/02/2020", "02/02/2020", "03/04/2020"]))
    assert "month/day/year" in open_order.notes[0]


def test_times_of_one_clock_are_local_those_of_several_become_utc_and_dates_stay_dates() -> None:
    hourly = there(parse_times(["2020-01-01T00:00+01:00", "2020-01-01T01:00+01:00"]))
    changing = there(parse_times(["2023-10-29T02:00+02:00", "2023-10-29T02:00+01:00", "2023-10-29T03:00+01:00"]))
    several = there(parse_times(["2020-01-01T00:00+01:00", "2020-01-01T01:00-05:00"]))
    daily = there(parse_times(["2020-03-29T00:00+01:00", "2020-03-30T00:00+02:00"]))
    assert str(hourly.times[0])[:16] == "2020-01-01T00:00"
    assert changing.times.astype("M8[h]").astype(str).tolist() == ["2023-10-29T02"] * 2 + ["2023-10-29T03"]
    assert changing.notes == hourly.notes
    assert hourly.notes == ("The times carry a time zone; they were read as the clock there shows them.",)
    assert several.times.astype("M8[h]").astype(str).tolist() == ["2019-12-31T23", "2020-01-01T06"]
    assert several.notes == ("The times carry a time zone; they were converted to UTC.",)
    assert daily.times.astype("M8[D]").astype(str).tolist() == ["2020-03-29", "2020-03-30"]


def test_few_unreadable_cells_are_named_many_make_it_text() -> None:
    cells = [f"2020-01-{day:02d}" for day in range(1, 31)]
    parsed = there(parse_times([*cells, "soon"]))
    assert parsed.bad == (30,)
    assert parse_times([*cells[:5], "soon"]) is None


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["1/2020", "2/2020", "3/2020"], "month"),
        (["2020-2", "2020-3", "2020-4"], "month"),
        ([f"{1 + k % 4}/{2020 + k // 4}" for k in range(8)], "quarter"),
    ],
)
def test_small_numbers_beside_a_year_are_said_to_be_months_or_quarters(cells: list[str], kind: str) -> None:
    assert there(parse_times(cells)).notes == (f"Cells such as {cells[0]!r} were read as {kind} and year.",)


CODES = {
    "S1-": ("01", "02", "03"), "Q1-": ("01", "02", "03"), "H1": ("01", "02", "03"), "A": ("10-11", "11-12", "12-13"),
    "": ("18/19", "20/21", "22/23", "24/25", "26/27"), "1001": ("01", "02", "03", "04", "05"), "V": ("10", "11", "12"),
    "Fall ": ("10", "12", "15"), "W12": ("01", "02", "03"),
}  # fmt: skip


@pytest.mark.parametrize("stem", CODES)
def test_codes_in_order_are_no_times(stem: str) -> None:
    assert parse_times([stem + rest for rest in CODES[stem]]) is None


SEASONS = [
    (["Schuljahr 2018/19", "Schuljahr 2019/20"], ["2018-01", "2019-01"]),
    (["16/17", "17/18", "18/19", "19/20", "20/21"], ["2016-01", "2017-01", "2018-01", "2019-01", "2020-01"]),
]


@pytest.mark.parametrize(("cells", "months"), SEASONS)
def test_school_years(cells: list[str], months: list[str]) -> None:
    assert there(parse_times(cells)).times.astype("M8[M]").astype(str).tolist() == months


def test_numbers_that_cannot_be_quarters_need_no_word() -> None:
    assert there(parse_times(["1/2020", "2/2020", "5/2020"])).notes == ()
    assert there(parse_times(["01/2020", "02/2020"])).notes == ()


def _of_year(days: np.ndarray, between: str = "") -> list[str]:
    return [f"{day:%Y}{between}{day:%j}" for day in days.tolist()]


@pytest.mark.parametrize("between", ["", "-", "/", " "])
@pytest.mark.parametrize(
    ("first", "step", "n"),
    [("2019-08-01", 1, 200), ("2019-12-20", 1, 30), ("2018-01-01", 16, 60), ("2019-11-01", 1, 40)],
)
def test_years_with_the_day_of_the_year_are_dates(between: str, first: str, step: int, n: int) -> None:
    days = np.datetime64(first) + np.arange(n) * step
    for cells, expected in ((_of_year(days, between), days), (_of_year(days[::-1], between), days[::-1])):
        parsed = there(parse_times(cells))
        assert np.array_equal(parsed.times.astype("M8[D]"), expected)
        assert parsed.notes == (f"Cells such as {cells[0]!r} were read as year and day of the year.",)
    there(parse_times(_of_year(days[np.arange(n) % 11 != 5], between)))  # a few without a row
    assert parse_times(_of_year(days[np.random.default_rng(0).permutation(n)], between)) is None


RUNNING = {
    "orders of each year": [f"{year}{k:03d}" for year in (2019, 2020, 2021) for k in range(1, 251)],
    "some orders": [f"{year}{k:03d}" for year in (2019, 2020, 2021) for k in (3, 41, 44, 150, 201, 333, 350)],
    "orders of a year": [f"2019{k:03d}" for k in range(1, 151)],
    "more than a year has days": [f"2019{k:03d}" for k in range(300, 400)],
    "months and a digit before": [f"{year}1{month:02d}" for year in (2019, 2020) for month in range(1, 13)],
    "months of one year so": [f"20191{month:02d}" for month in range(1, 13)],
    "months and a digit behind": [f"{year}{month:02d}0" for year in (2019, 2020) for month in range(1, 13)],
    "periods": [f"{year}0{month:02d}" for year in (2019, 2020) for month in range(1, 13)],
    "later periods": [f"20190{month:02d}" for month in range(5, 13)],
    "quantities": ["1500120", "1612250", "1750031", "1801199", "1990364", "2050005"],
}


@pytest.mark.parametrize("cells", RUNNING.values(), ids=RUNNING)
def test_running_numbers_and_months_are_no_days_of_the_year(cells: list[str]) -> None:
    assert parse_times(cells) is None


@pytest.mark.parametrize("mark", ["e", "f", " e", "F", "(e)", "*", "p"])
@pytest.mark.parametrize(
    "form", ["{0} - I trim.|{0} - II trim.|{0} - III trim.|{0} - IV trim.", "{0} Q1|{0} Q2|{0} Q3|{0} Q4"]
)
def test_marks_behind_parts_of_years_are_taken_off(form: str, mark: str) -> None:
    cells = [cell for year in range(2015, 2024) for cell in form.format(year).split("|")]
    if "trim" in form:
        mark = f" ({mark.strip('() ')})" if mark != "*" else mark
    marked = [cell + mark * (k > 30) for k, cell in enumerate(cells)]
    assert there(parse_times(marked)).times.tolist() == there(parse_times(cells)).times.tolist()


@pytest.mark.parametrize("marks", ["eee", "eff", "FFF", "EFF", "pef"])
def test_years_with_marks_of_estimates_are_years(marks: str) -> None:
    cells = [*map(str, range(1995, 2023)), *(f"{2023 + k}{mark}" for k, mark in enumerate(marks))]
    column = DataColumn("Year", tuple(cells))
    years = there(column.times).times.astype("M8[Y]").astype(int) + 1970
    assert years.tolist() == list(range(1995, 2026))
    assert column.are_years
    assert parse_times(["1995", "1500e", "2021f", "1710"]) is None
