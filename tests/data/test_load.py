"""From anything to a data set: roles, missing and unusual rows, frames of all libraries, round trips."""

import io
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.data.tables import said
from tests.there import there

from autostatistician.data.dataset import Dataset, from_arrays, time_labels
from autostatistician.data.load import load, with_holidays
from autostatistician.data.new_rows import model_positions
from autostatistician.data.numbers import parse_numbers
from autostatistician.data.row_limits import RowLimits
from autostatistician.data.times.dates import parse_times
from autostatistician.errors import InputError

RNG = np.random.default_rng(0)
SALES = RNG.gamma(9.0, size=60).round(2)

TABLE = pd.DataFrame({
    "week": pd.date_range("2023-01-02", periods=60, freq="W-MON"), "sales": SALES, "price": RNG.standard_normal(60),
    "euros": 1.19 * SALES,
}).assign(cents=lambda frame: 100.0 * frame["price"])  # fmt: skip


def test_leaks_and_copies_are_left_out_with_a_sentence() -> None:
    data = load(TABLE, target="sales")
    assert there(data.covariates).names == ("price",)
    said = " ".join(data.warnings)
    assert "Column 'euros' is the target in other units" in said
    assert "Column 'cents' says the same as 'price'" in said
    assert "It is left out unless it is allowed." in said


def test_they_are_taken_where_they_are_allowed_or_named() -> None:
    allowed = load(TABLE, target="sales", allow_leaks=["euros", "cents"])
    named = load(TABLE, time="week", target="sales", inputs=["euros"])
    assert there(allowed.covariates).names == ("price", "euros", "cents")
    assert there(named.covariates).names == ("euros",)
    assert not any("left out" in warning for warning in (*allowed.warnings, *named.warnings))
    with pytest.raises(InputError, match="'pounds'"):
        load(TABLE, target="sales", allow_leaks=["pounds"])


def test_where_all_columns_leak_there_are_none() -> None:
    assert load(TABLE[["week", "sales", "euros"]], target="sales").covariates is None


def test_holidays_are_columns() -> None:
    days = pd.DataFrame({"day": pd.date_range("2020-01-01", periods=800), "y": RNG.standard_normal(800)})
    data = load(days, target="y", holidays="DE")
    assert "Christmas Day" in there(data.covariates).names
    own = load(days, target="y", holidays={"fair": ["2020-05-01", "2021-05-02"]})
    assert there(own.covariates).names == ("fair",)
    beside = load(days.assign(wind=RNG.standard_normal(800)), target="y", holidays={"fair": ["2020-05-01"]})
    assert there(beside.covariates).names == ("wind", "fair")


def test_holidays_need_dates_and_are_known() -> None:
    with pytest.raises(InputError):
        with_holidays(from_arrays(np.arange(9.0), np.arange(9.0)), "DE")
    with pytest.raises(InputError, match="for holidays"):
        with_holidays(from_arrays(RNG.standard_normal((9, 2)), np.arange(9.0)), "DE")
    with pytest.raises(InputError, match="'XX'"):
        load(TABLE, target="sales", holidays="XX")
    assert load("airline", holidays="workdays").covariates is not None


def test_what_is_left_of_totals_is_no_column() -> None:
    rng = np.random.default_rng(0)
    trains = rng.integers(20, 40, 40)
    late = rng.binomial(trains, 0.2)
    given = {"day": np.arange(40.0), "late": late, "trains": trains, "on_time": trains - late, "rain": rng.random(40)}
    data = load(given, time="day", target="late", totals="trains")
    assert [column.name for column in there(data.covariates).table] == ["rain"]
    assert "Column 'on_time' is what is left of 'trains', so it is left out." in data.warnings
    alone = load(given, time="day", target="late", totals="trains", inputs=["none"])
    assert alone.covariates is None


DAYS = [f"2020-01-{day:02d}" for day in range(1, 31)]


def table(header: str, *rows: str) -> io.StringIO:
    return io.StringIO("\n".join([header, *rows]))


ROLES = [
    ("month,sales\n1949-01,1\n1949-02,2\n1949-03,3", "month", "sales"),
    ("sales,when\n1,1949-01\n2,1949-02\n3,1949-03", "when", "sales"),
    ("id,value,ds\n1,1,2020-01-01\n2,4,2020-01-02\n3,2,2020-01-03", "ds", "value"),
    ("a,y,b,date\n5,1,7,2020-01-01\n4,4,8,2020-01-02\n7,2,5,2020-01-03", "date", "y"),
    ("a,b\n1,5\n2,4\n4,6", "a", "b"),
    ("b,a\n5,1\n4,2\n6,4", "a", "b"),
    ("x,b\n5,1\n4,2\n6,4", "x", "b"),
    ("year,month,v\n2020,1,5\n2020,2,7\n2020,4,6", "year-month", "v"),
    ("Year,Month,Day,v\n2020,1,1,5\n2020,1,2,7\n2020,1,4,6", "Year-Month-Day", "v"),
    ("year,month,v\n2020,Jan,5\n2020,Feb,7\n2020,March,6", "year-month", "v"),
    ("index,v\n0,3\n1,5\n2,4", "row", "v"),
    ("v\n3\n5\n4", "row", "v"),
    ("date,name,v,flag\n2020-01-01,x,4,1\n2020-01-02,y,5,0\n2020-01-03,z,9,1", "date", "v"),
]


@pytest.mark.parametrize(("text", "time", "target"), ROLES)
def test_roles_are_guessed(text: str, time: str, target: str) -> None:
    data = load(io.StringIO(text))
    assert (data.columns, data.target) == ((time,), target)
    assert data.warnings


def test_named_roles_are_taken_and_not_remarked() -> None:
    data = load(table("date,a", "2020-01-01,1", "2020-01-02,2", "2020-01-03,4"), time="Date", target="a")
    assert (data.target, data.warnings) == ("a", ())


@pytest.mark.parametrize("name", ["read", "name", "dtype", "values", "categories"])
def test_a_column_may_be_called_as_what_files_and_frames_have(name: str) -> None:
    frame = pd.DataFrame({name: [3.0, 1.0, 2.0, 5.0], "write": [1.0, 4.0, 2.0, 2.0], "score": [1.0, 2.0, 3.0, 5.0]})
    assert load(frame, target="score").columns == (name, "write")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"time": "dat"}, "did you mean 'date'"),
        ({"target": "zzz"}, "the columns 'date', 'a'"),
        ({"target": ""}, "a column '' for the target"),
        ({"time": "a", "target": "a"}, "different columns"),
        ({"target": "date"}, "numbers in column 'date'"),
        ({"axis": "cooked"}, "axis='calendar' or axis='raw'"),
    ],
)
def test_wrong_names_get_a_hint(options: dict[str, str], words: str) -> None:
    with pytest.raises(InputError, match=words):
        load(table("date,a", "2020-01-01,1", "2020-01-02,2", "2020-01-03,4"), **options)  # type: ignore[arg-type]


def test_rows_that_cannot_be_used_are_counted_and_named() -> None:
    rows = [f"{day},{k}" for k, day in enumerate(DAYS)]
    data = load(table("date,y", *rows, "2020-02-01,oops", "2020-02-02,n/a", "2020-02-03,inf", "?,5"))
    assert data.n == 30
    assert said(data, "1 row without a number in column 'y' left out (the first is 'oops' in row 31).")
    assert said(data, "1 row without a value in column 'y' left out.")
    assert said(data, "1 row with an infinite value in column 'y' left out.")
    assert said(data, "1 row without a readable time in column 'date' left out")


def test_order_copies_and_repeats() -> None:
    data = load(table("date,y", "2020-01-03,1", "2020-01-01,2", "2020-01-01,2", "2020-01-01,3", "2020-01-02,4"))
    assert data.x.tolist() == [0.0, 0.0, 1.0, 2.0]
    assert data.y.tolist() == [2.0, 3.0, 4.0, 1.0]
    assert said(data, "not in the order of time and were sorted")
    assert said(data, "1 row with the date and value of another row left out.")
    assert said(data, "1 row repeats a date with another value; all are kept.")
    numbers = load(np.array([1.0, 1.0, 2.0]), np.array([5.0, 5.0, 6.0]))
    assert numbers.n == 3


def test_backwards_rows_are_turned_round() -> None:
    data = load(table("date,y", "2020-01-03,1", "2020-01-02,2", "2020-01-01,3"))
    assert data.y.tolist() == [3.0, 2.0, 1.0]
    assert said(data, "turned round")


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (["2020-01-01,1", "2020-01-02,2"], "at least 3 rows with a time and a value; found 2 of 2"),
        (["2020-01-01,1", "2020-01-02,2", "2020-01-03,"], "at least 3 rows with a time and a value; found 2 of 3"),
        (
            ["2020-01-01,1", "2020-01-01,2", "2020-01-01,3"],
            "at least two different times; found only one; check column 'date'",
        ),
        (["2020-01-01,a", "2020-01-02,b", "2020-01-03,c"], "a column of numbers to model; found 'a' in row 1"),
        (["2020-01-01,1", "2020-01-02,b", "2020-01-03,3", "2020-01-04,4"], "numbers in column 'y'; found 'b' in row 2"),
    ],
)
def test_data_that_cannot_be_used_get_one_line(rows: list[str], words: str) -> None:
    with pytest.raises(InputError, match=words):
        load(table("date,y", *rows))


def test_remarkable_values_are_said() -> None:
    constant = load(np.arange(4.0), np.full(4, 7.0))
    assert said(constant, "All values of column 'y' are the same.")
    assert constant.offset == 0.0
    hidden = load(np.arange(5.0), np.array([310.0, 311.0, -99.99, 312.0, 309.0]))
    assert hidden.n == 4
    assert said(hidden, "1 cell of column 'y' with '-99.99' was taken as missing.")
    assert not load(np.arange(5.0), np.array([-9.0, -8.0, -7.0, -5.0, -9.0])).warnings
    assert not said(load(np.arange(4.0), 1e15 + np.array([0.0, 10.0, 20.0, 5.0])), "less than rounding")
    assert said(load(np.arange(4.0), 1.0 + np.array([0.0, 1e-15, 0.0, 1e-15])), "less than rounding")


@pytest.mark.parametrize("scale", [1e-139, 1e-12, 1e12, 1e140])
def test_any_scale_loads(scale: float) -> None:
    y = scale * np.array([1.0, 3.0, -2.0, 5.0])
    assert load(np.arange(4.0), y).y.tolist() == y.tolist()


@pytest.mark.parametrize(("scale", "found"), [(1e-200, "none beyond 5e-200"), (1e200, "a value beyond 1e150")])
def test_scales_whose_squares_are_no_numbers_are_refused(scale: float, found: str) -> None:
    with pytest.raises(InputError, match=found):
        load(np.arange(4.0), scale * np.array([1.0, 3.0, -2.0, 5.0]))


@pytest.mark.parametrize("size", [1e300, 1e155, 1e-200, 5e-310])
@pytest.mark.parametrize("odd", ["a", "b", "c", "depth"])
def test_columns_of_tables_whose_squares_are_no_numbers_are_refused(odd: str, size: float) -> None:
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(12, 3)), columns=["a", "b", "c"])
    if odd == "depth":
        frame = frame[["a", "b"]].rename(columns={"a": "depth"})  # a curve
    frame[odd] *= size
    found = f"a value beyond 1e150 in column '{odd}'" if size > 1.0 else f"values of usual size in column '{odd}'"
    with pytest.raises(InputError, match=found):
        load(frame, target="b")
    with pytest.raises(InputError):
        load(frame.drop(columns="b").to_numpy(), frame["b"].to_numpy())


def test_rows_of_tables_whose_squares_are_no_numbers_are_left_out() -> None:
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(12, 3)), columns=["a", "b", "c"])
    frame.loc[3, "a"], frame.loc[5, "b"] = 1e300, np.nan
    data = load(frame, target="b")
    assert data.n == 10
    assert data.rows == (1, 2, 3, 5, 7, 8, 9, 10, 11, 12)
    assert said(data, "1 row with missing or infinite values left out: 1 in 'b'.")
    assert said(data, "1 row with a value beyond 1e150 in column 'a' left out.")


def test_many_rows_get_a_warning_and_too_many_an_error() -> None:
    assert not load(np.arange(2999.0), np.ones(2999)).warnings[1:]
    assert said(load(np.arange(3000.0), np.arange(3000.0)), "With 3,000 rows a search takes some 2 minutes")
    with pytest.raises(InputError, match="at most 200000 rows; found 200001; take means over longer steps"):
        load(np.arange(200_001.0), np.arange(200_001.0))
    assert load(np.arange(6002.0).reshape(-1, 2), np.arange(3001.0)).n == 3001
    drawn = np.random.default_rng(0).normal(size=(3001, 2))
    classes = pd.DataFrame(drawn, columns=["a", "b"]).assign(c=np.where(drawn[:, 0] > 0.0, "x", "y"))
    with pytest.raises(InputError, match="at most 3000 rows with classes; found 3001; draw 2000 of the rows by chance"):
        load(classes, target="c", task="class")


def test_dates_and_clock_times_in_two_columns_are_one_axis() -> None:
    data = load(table("date,clock,v", "2020-01-01,22:00,1", "2020-01-01,23:00,2", "2020-01-02,0:00,4"))
    assert data.columns == ("date clock",)
    assert data.x.tolist() == [0.0, 1.0, 2.0]
    assert said(data, "Columns 'date' and 'clock' were combined into column 'date clock'.")


@pytest.mark.parametrize(
    ("header", "cell", "words"),
    [
        ("date", "day {} of spring", "'day 1 of spring' in row 1"),
        ("when", "eve of 202{}", "'eve of 2021' in row 1"),
        ("年月", "令和{}年3月", "'令和1年3月' in row 1"),
    ],
)
def test_a_column_that_is_nearly_a_time_axis_is_named(header: str, cell: str, words: str) -> None:
    data = load(table(f"{header},v", *[f"{cell.format(k)},{k * k}" for k in (1, 2, 3)], "soon,5"))
    assert data.columns == ("row",)
    assert said(data, f"because column {header!r} cannot be read as times (such as {words})")


@pytest.mark.parametrize(("header", "cell"), [("date", "1. Januar 2020"), ("name", "2020-01-0{}")])
def test_a_column_most_of_whose_cells_are_dates_is_asked_about(header: str, cell: str) -> None:
    rows = [f"{cell.format(k)},{k * k}" for k in (1, 2, 3)]
    with pytest.raises(InputError, match=f"dates of one form in column '{header}'; found 'soon' in row 4"):
        load(table(f"{header},v", *rows, "soon,5"))


@pytest.mark.parametrize("cells", [["", "", ""], ["n/a", "?", "NULL"]])
def test_a_column_without_any_value_is_said(cells: list[str]) -> None:
    rows = [f"{day},{cell}" for day, cell in zip(DAYS, cells, strict=False)]
    with pytest.raises(InputError, match="only missing values in column 'v'"):
        load(table("date,v", *rows))
    with pytest.raises(InputError, match=r"0 of 3; give more data\. 3 rows without a value in column 'v' left out"):
        load(table("date,v", *rows), target="v")


FRAMES = [
    pd.DataFrame({"d": pd.to_datetime(DAYS[:4]), "v": [1.0, 2.0, np.nan, 4.0]}),
    pd.DataFrame({"d": DAYS[:4], "v": [1, 2, None, 4]}),
    pd.DataFrame({"d": pd.to_datetime(DAYS[:4]), "v": pd.array([1, 2, None, 4], dtype="Int64")}),
    pd.DataFrame({"d": pd.to_datetime(DAYS[:4]), "v": pd.array([1, 2, None, 4], dtype="int64[pyarrow]")}),
    pd.DataFrame({"d": [date(2020, 1, k) for k in range(1, 5)], "v": [Decimal(1), Decimal(2), None, Decimal(4)]}),
    pd.DataFrame({"v": [1.0, 2.0, np.nan, 4.0]}, index=pd.DatetimeIndex(DAYS[:4], name="d")),
    pd.Series([1.0, 2.0, np.nan, 4.0], index=pd.DatetimeIndex(DAYS[:4], name="d"), name="v"),
    pd.Series([1.0, 2.0, np.nan, 4.0], index=pd.PeriodIndex(DAYS[:4], freq="D", name="d"), name="v"),
    pd.Series([1.0, 2.0, np.nan, 4.0], index=pd.Index(DAYS[:4], name="d"), name="v"),
    pl.DataFrame({"d": [date(2020, 1, k) for k in range(1, 5)], "v": [1, 2, None, 4]}),
    pl.DataFrame({"d": [datetime(2020, 1, k) for k in range(1, 5)], "v": ["1", "2", "", "4"]}),
    pl.DataFrame({"d": DAYS[:4], "v": [1.0, 2.0, None, 4.0]}).lazy(),
    {"d": DAYS[:4], "v": [1, 2, None, 4]},
]


@pytest.mark.parametrize("frame", FRAMES, ids=range(len(FRAMES)))
def test_the_kind_of_frame_changes_nothing(frame: object) -> None:
    data = load(frame)
    assert (data.columns, data.target) == (("d",), "v")
    assert data.x.tolist() == [0.0, 1.0, 3.0]
    assert data.y.tolist() == [1.0, 2.0, 4.0]
    assert (there(data.axis).frequency, there(data.axis).origin) == ("day", "2020-01-01")


def test_the_caller_s_objects_are_not_changed() -> None:
    frame = pd.DataFrame({"d": DAYS[:4][::-1], "v": ["1", "2", "n/a", "4 %"]})
    copy = frame.copy(deep=True)
    x, y = np.array([3.0, 1.0, 2.0]), np.array([1.0, np.nan, 3.0])
    load(frame)
    with pytest.raises(InputError):
        load(x, y)
    pd.testing.assert_frame_equal(frame, copy)
    assert x.tolist() == [3.0, 1.0, 2.0]
    assert x.flags.writeable


def test_arrays_of_all_shapes() -> None:
    y = np.array([1.0, 4.0, 2.0, 8.0])
    for x in (np.arange(4), np.arange(4)[:, None], [0, 1, 2, 3], pd.Series(range(4)), pd.DataFrame({"x": range(4)})):
        assert load(x, y).x.tolist() == [0.0, 1.0, 2.0, 3.0]
    assert load(y).columns == ("row",)
    assert load(np.column_stack([np.arange(4), y])).y.tolist() == y.tolist()
    several = load(np.random.default_rng(0).normal(size=(4, 3)), y)
    assert several.columns == ("x1", "x2", "x3")
    with pytest.raises(InputError, match="data with one input"):
        _ = several.x
    dated = load(np.array(DAYS[:4], dtype="M8[D]"), y)
    assert there(dated.axis).frequency == "day"


def test_masked_values_are_missing() -> None:
    y = np.ma.masked_array([1, 2, 99, 4, 6], mask=[0, 0, 1, 0, 0])
    assert load(y).x.tolist() == [0.0, 1.0, 3.0, 4.0]
    assert load(np.arange(5), y).y.tolist() == [1.0, 2.0, 4.0, 6.0]


def test_a_closed_file_gets_one_line() -> None:
    file = io.StringIO("x,y")
    file.close()
    with pytest.raises(InputError, match="an open file that can be read"):
        load(file)


NO_DATA = [None, 5, object(), np.zeros((2, 2, 2)), np.array([1j, 2, 3]), [[1], [1, 2]], {"a": [1], "b": []}]


@pytest.mark.parametrize("data", NO_DATA, ids=range(len(NO_DATA)))
def test_what_is_no_data_gets_one_line(data: object) -> None:
    with pytest.raises(InputError):
        load(data)


def test_shapes_that_differ_are_said() -> None:
    with pytest.raises(InputError, match="shapes"):
        from_arrays(np.zeros((4, 2)), np.zeros(3))


@pytest.mark.parametrize(("freq", "words"), [("h", "converted to UTC"), ("D", "read as local dates")])
def test_time_zones(freq: str, words: str) -> None:
    times = pd.date_range("2020-03-28", periods=50, freq=freq, tz="Europe/Berlin")
    data = load(pd.Series(np.arange(50.0), index=times))
    assert np.diff(data.x).tolist() == [1.0] * 49
    assert said(data, words)


def test_results_come_back_in_the_terms_of_the_caller() -> None:
    ends = pd.date_range("2020-01-31", periods=12, freq="ME")
    data = load(pd.Series(np.arange(12.0), index=ends))
    following = time_labels(data, there(data.axis).future(data.x[-1], 2))
    assert following.astype("M8[D]").astype(str).tolist() == ["2021-01-31", "2021-02-28"]
    assert model_positions(data, ends).tolist() == data.x.tolist()
    assert model_positions(data, pd.DataFrame({"time": ends, "other": 1})).tolist() == data.x.tolist()
    with pytest.raises(InputError, match="times for the axis 'time' in every row"):
        model_positions(data, ["2021-01-31", "soon"])
    with pytest.raises(InputError, match="dates"):
        model_positions(data, [1.0, 2.0])


def test_raw_axes_leave_numbers_alone() -> None:
    x = 1949 + np.arange(24) / 12
    raw, calendar = load(x, np.sin(x), axis="raw"), load(x, np.sin(x))
    assert (there(raw.axis).unit, there(calendar.axis).unit) == ("", "year")
    assert raw.x.tolist() == x.tolist()
    counted = load({"date": 44_087.0 + np.arange(4.0), "y": [1.0, 2.0, 4.0, 3.0]}, axis="raw")  # days of a spreadsheet
    assert counted.x.tolist() == [44_087.0, 44_088.0, 44_089.0, 44_090.0]
    dated = load(pd.Series([1.0, 2.0, 4.0], index=pd.to_datetime(DAYS[:3])), axis="raw")
    assert said(dated, "Dates have no raw numbers")


def test_data_sets_are_read_only_and_round_trip() -> None:
    data = load("airline")
    with pytest.raises(ValueError, match="read-only"):
        data.y[0] = 1.0
    assert Dataset.from_json(data.to_json()).to_json() == data.to_json()
    assert repr(data).startswith("Dataset 'airline': 144 rows")
    for record in ({}, {**data.to_json(), "y": [1.0]}, {**data.to_json(), "columns": 5}):
        with pytest.raises(InputError, match="the record of a data set"):
            Dataset.from_json(record)


def loaded_or_refused(source: object) -> Dataset | None:
    """The data set, or None for an error of one line; any other error fails the test."""
    message = ""
    try:
        return load(source)
    except InputError as error:
        message = str(error)
    assert message.count("; ") >= 2
    assert "\n" not in message
    return None


@given(st.binary(max_size=300))
def test_random_bytes_load_or_are_refused(raw: bytes) -> None:
    data = loaded_or_refused(io.BytesIO(raw))
    assert data is None or np.isfinite(data.X).all()


CELLS = st.one_of(
    st.text(alphabet="0123456789-/.:, TZeE%$aJn?é\"'", max_size=12),
    st.dates().map(str),
    st.integers(-(10**6), 10**6).map(str),
    st.floats().map(repr),
    st.sampled_from(["", "n/a", "1949", "1949.5", "2020-01", "1e400", "-99.99", "9" * 400]),
)

NAMES = st.lists(st.sampled_from(["year", "month", "x", "y", "date", "id", "", "\x00", "a,b"]), min_size=1, max_size=4)


@pytest.mark.slow
@given(st.data(), NAMES, st.integers(0, 12))
def test_random_tables_load_or_are_refused(data: st.DataObject, names: list[str], n: int) -> None:
    rows = [[data.draw(CELLS) for _ in names] for _ in range(n)]
    text = "\n".join(";".join(row) for row in [names, *rows])
    loaded = loaded_or_refused(io.StringIO(text))
    if loaded is None:
        return
    assert np.isfinite(loaded.X).all()
    assert np.isfinite(loaded.y).all()
    assert Dataset.from_json(loaded.to_json()).to_json() == loaded.to_json()
    if loaded.axis is not None:
        assert np.all(np.diff(loaded.x) >= 0)
        assert time_labels(loaded, loaded.x).shape == loaded.x.shape
        return
    assert len(loaded.columns) > 1 or loaded.levels, "one column of numbers has an axis"
    assert len({*loaded.columns, loaded.target}) == len(loaded.columns) + 1 <= len(names)
    assert loaded.choice == loaded.warnings[0], "nobody named a target, so the choice is said, and first"


def test_a_file_named_like_an_example_is_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "nile").write_text("x,y\n1,2\n2,3\n4,5\n")
    monkeypatch.chdir(tmp_path)
    assert load("nile").n == 3


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, lambda columns: np.column_stack([*columns.values()])])
def test_tables_of_very_many_rows_are_refused_before_they_are_looked_at(
    kind: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autostatistician.data.row_limits.ROW_LIMITS", RowLimits(read=20_000))
    many = kind({"a": ["red", "blue"] * 10_001, "y": ["1", "2"] * 10_001})
    monkeypatch.setattr("autostatistician.data.frames.columns_of", None)
    with pytest.raises(InputError, match="at most 1000000 rows; found 20002; take"):
        load(many)


def test_a_cell_of_many_numbers_is_no_number_and_takes_no_time() -> None:
    long = " ".join(str(100 + k) for k in range(40)) + " **** ****"
    assert parse_numbers([long, "5 000 000"]).bad == (0,)
    assert parse_numbers(["3", "83 " + 50 * "*" + " 8"]).bad == (1,)


def test_a_line_that_begins_with_a_letter_of_an_era_is_no_year() -> None:
    assert parse_times(["Year Jan Feb", "2018 51 75"]) is None


def test_two_nines_below_zero_are_a_code_where_no_other_number_is() -> None:
    ages, changes = ["18", "40", "-99", "75", "33"], ["18", "-40", "-99", "75", "33"]
    for cells, read in ((ages, 4), (changes, 5)):
        data = load({"day": [f"2024-01-0{k}" for k in range(1, 6)], "age": cells})
        assert np.isfinite(data.y).sum() == read


def test_halves_of_an_unfinished_year_are_sums_of_months() -> None:
    months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    rows = [[2019 + year, *range(12 * year + 5, 12 * year + 17)] for year in range(4)]
    lines = [[*row, sum(row[1:7]) / 6, sum(row[7:]) / 6] for row in rows]
    lines[-1][10:] = ["", "", "", lines[-1][13], ""]
    text = "\n".join(",".join(map(str, line)) for line in [["Year", *months, "HALF1", "HALF2"], *lines])
    assert load(io.BytesIO(text.encode())).n == 45


def test_brackets_about_a_time_are_taken_off() -> None:
    parsed = parse_times(["[10/Oct/2023:13:55:36 +0200]", "[10/Oct/2023:13:56:13 +0200]"])
    assert parsed is not None
