"""Series or table, time, target and inputs: chosen as a person would, and said; what is refused."""

from collections.abc import Sequence
from io import BytesIO, StringIO

import numpy as np
import pytest
from tests.data.tables import csv_of, said

from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.data.load import load
from autostatistician.errors import InputError

RNG = np.random.default_rng(0)
N = 12


def _columns(*names: str) -> dict[str, list[object]]:
    return {name: RNG.permutation(N).tolist() for name in names}


def test_a_target_without_times_is_modelled_from_all_other_columns() -> None:
    data = load(csv_of(_columns("cement", "water", "strength")), target="strength")
    assert data.columns == ("cement", "water")
    assert data.axis is None
    assert said(data, "'strength' is modelled from all other columns of the table")


def test_a_row_count_and_names_of_rows_explain_nothing() -> None:
    columns = {"id": list(range(N)), **_columns("a", "b", "y"), "name": [f"row {k}" for k in range(N)]}
    data = load(csv_of(columns), target="y")
    assert data.columns == ("a", "b")
    assert said(data, "'id', 'name'")


def test_categories_explain_like_numbers() -> None:
    data = load(csv_of({**_columns("a", "y"), "kind": ["red", "blue"] * (N // 2)}), target="y")
    assert data.columns == ("a", "kind")
    assert data.levels == {"kind": ("blue", "red")}


@pytest.mark.parametrize(
    "columns",
    [
        {"day": [f"2020-01-{k + 1:02}" for k in range(N)], **_columns("a", "b", "y")},
        {"x": np.cumsum(np.arange(1, N + 1)).tolist(), **_columns("a", "b", "y")},
        {"rising": np.cumsum(np.arange(1, N + 1)).tolist(), **_columns("a", "b", "y")},
        {"x": RNG.permutation(N).tolist(), **_columns("y")},
    ],
    ids=["dates", "a name of times", "numbers that only rise", "x and y"],
)
def test_series_stay_series(columns: dict[str, list[object]]) -> None:
    data = load(csv_of(columns), target="y")
    assert data.axis is not None
    assert len(data.columns) == 1


@pytest.mark.parametrize("name", ["plot", "trial", "experiment"])
@pytest.mark.parametrize("alike", [False, True])
def test_numbers_that_count_the_rows_are_times_where_neighbours_are_alike(name: str, alike: bool) -> None:
    rng = np.random.default_rng(5)
    rows = rng.normal(size=(60, 3))
    y = np.cumsum(rows[:, 2]) if alike else rows[:, 2]
    columns = {name: list(range(1, 61)), "a": rows[:, 0].tolist(), "b": rows[:, 1].tolist(), "y": y.tolist()}
    assert (load(csv_of(columns)).axis is not None) is alike


# --- what people have, and what they would expect -------------------------------------------------------------------


MONTHS = [f"{year}-{month:02}" for year in (2020, 2021) for month in range(1, 13)]
DAYS = [f"2020-01-{day:02}" for day in range(1, 25)]


def _noise(size: int = 24) -> list[object]:
    return np.random.default_rng(size).normal(size=size).round(3).tolist()


def _mixed(*names: str) -> dict[str, list[object]]:
    rng = np.random.default_rng(1)
    return {name: rng.permutation(24).tolist() for name in names}


SERIES: list[tuple[str, dict[str, list[object]], str, str]] = [
    ("weeks", {"week": list(range(1, 25)), **_mixed("sales", "price"), "promo": [0, 1, 1] * 8}, "week", "sales"),
    ("prices", {"Date": DAYS, **_mixed("Open", "High", "Low", "Close", "Volume")}, "Date", "Close"),
    ("load", {"timestamp": DAYS, **_mixed("temperature", "wind", "consumption_kwh")}, "timestamp", "consumption_kwh"),
    ("a measurement", {"t_s": list(range(24)), **_mixed("voltage", "current")}, "t_s", "voltage"),
    ("a column for each thing", {"date": DAYS, **_mixed("A", "B", "C")}, "date", "A"),
    ("events", {"promo": [0, 1, 1] * 8, "date": DAYS, **_mixed("temp")}, "date", "temp"),
    ("an index", {"Unnamed: 0": list(range(24)), "level": _noise()}, "row", "level"),
    ("quarters", {"year": np.repeat(np.arange(2000, 2006), 4).tolist(), "quarter": ["Q1", "Q2", "Q3", "Q4"] * 6,
                  **_mixed("gdp")}, "year-quarter", "gdp"),
    ("weeks of years", {"year": [2020] * 12 + [2021] * 12, "week": [*range(1, 13)] * 2, **_mixed("cases")},
     "year-week", "cases"),
    ("hours of days", {"date": sorted(DAYS[:2] * 12), "hour": [*range(1, 13)] * 2, **_mixed("load", "wind")},
     "date hour", "load"),
    ("months without years", {"month": [*range(1, 13)] * 2, **_mixed("sales")}, "row", "sales"),
    ("weekdays", {"weekday": ["Mon", "Tue", "Wed", "Thu"] * 6, **_mixed("calls", "staff")}, "row", "calls"),
    ("dates last, and two of them", {"order_id": list(range(500, 524)), **_mixed("amount"), "shipped": DAYS,
                                     "order_date": DAYS}, "order_date", "amount"),
]  # fmt: skip


@pytest.mark.parametrize(("columns", "time", "target"), [one[1:] for one in SERIES], ids=[one[0] for one in SERIES])
def test_a_series_is_read_as_one(columns: dict[str, list[object]], time: str, target: str) -> None:
    data = load(csv_of(columns))
    assert data.axis is not None
    assert (data.columns, data.target) == ((time,), target)


TABLES: list[tuple[str, dict[str, list[object]], tuple[str, ...], str]] = [
    ("ten columns", _mixed(*[f"x{k}" for k in range(1, 11)], "y"), tuple(f"x{k}" for k in range(1, 11)), "y"),
    ("no name says it", _mixed("a", "b", "c"), ("a", "b"), "c"),
    ("the price first", _mixed("price", "area", "rooms"), ("area", "rooms"), "price"),
    ("currency signs", {**_mixed("area", "rooms"), "rent": [f"${k}000" for k in _mixed("z")["z"]]},
     ("area", "rooms"), "rent"),
    ("an answer", {**_mixed("age", "income"), "bought": ["yes", "no", "no"] * 8}, ("age", "income"), "bought"),
    ("one column", _mixed("age", "income"), ("age",), "income"),
    ("groups", {"group": ["a", "b", "c"] * 8, "value": _noise()}, ("group",), "value"),
    ("sorted by the target", {**_mixed("a", "b"), "price": list(range(24))}, ("a", "b"), "price"),
    ("sorted by another column", {"city": [f"c{k}" for k in range(24)], "people": [k * k for k in range(24)],
                                  **_mixed("area", "income")}, ("people", "area"), "income"),
    ("sorted by its first column", {"people": np.sort(_noise()).tolist(), **_mixed("area", "poverty", "income")},
     ("people", "area", "poverty"), "income"),
    ("things with names, one column", {"city": [f"c{k}" for k in range(24)], "people": [k * k for k in range(24)],
                                       **_mixed("income")}, ("people",), "income"),
    ("years of building", {**_mixed("area"), "year": [1950 + 7 * k % 10 for k in range(24)], **_mixed("price")},
     ("area", "year"), "price"),
    ("days of birth", {"name": [f"P{k}" for k in range(24)],
                       "born": [f"19{50 + 7 * k % 37}-0{1 + k % 7}-11" for k in range(24)],
                       **_mixed("height", "weight")}, ("height",), "weight"),
    ("many events a day", {"date": sorted(DAYS[:3] * 8), "carrier": ["x", "y", "x", "z"] * 6,
                           **_mixed("distance", "delay")}, ("carrier", "distance"), "delay"),
    ("places", {"lat": _noise(), "lon": _noise()[::-1], "temp": _mixed("a")["a"]}, ("lat", "lon"), "temp"),
    ("answers of five steps", {f"q{k}": np.random.default_rng(k).integers(1, 6, 24).tolist() for k in range(4)},
     ("q0", "q1", "q2"), "q3"),
    ("ids", {"customer_id": [1000 + 7 * k for k in range(24)], **_mixed("age", "spent")}, ("age",), "spent"),
    ("an experiment", {"temperature": [50, 60] * 12, "time": [10, 20, 30] * 8, "catalyst": [*"AABB"] * 6,
                       "yield": _noise()}, ("temperature", "time", "catalyst"), "yield"),
]  # fmt: skip


@pytest.mark.parametrize(("columns", "inputs", "target"), [one[1:] for one in TABLES], ids=[one[0] for one in TABLES])
def test_a_table_without_a_named_target_never_becomes_a_series(
    columns: dict[str, list[object]], inputs: tuple[str, ...], target: str
) -> None:
    data = load(csv_of(columns))
    assert (data.axis is None) == (len(inputs) > 1 or bool(data.levels))  # one column of numbers is an axis of its own
    assert (data.columns, data.target) == (inputs, target)
    assert data.choice == data.warnings[0]


def test_the_choice_and_the_runner_up_are_said_first() -> None:
    series = load(csv_of({"week": list(range(1, 25)), **_mixed("sales", "unit price"), "promo": [0, 1, 1] * 8}))
    assert series.warnings[0] == (
        "This was read as a series: column 'sales' is modelled over 'week'; 'unit price' could be modelled instead. "
        "Columns that may explain 'sales' besides time: 'unit price', 'promo'."
    )
    table = load(csv_of({**_mixed("area"), "year": [1950 + 7 * k % 10 for k in range(24)], "price": _noise()}))
    assert table.choice == (
        "This was read as a table, as no column orders the rows in time: column 'price' is modelled from 'area', "
        "'year'; 'area' could be modelled instead; it could be read as a series over 'year'."
    )
    assert load(csv_of(_mixed("age", "income"))).choice == (
        "This was read as a curve, as no column orders the rows in time: column 'income' is modelled over 'age'; "
        "'age' could be modelled instead."
    )
    assert load(csv_of({"month": MONTHS, "sales": _noise()})).choice == ""


def test_the_columns_beside_a_series_with_a_named_target_aresaid() -> None:
    columns = {"week": list(range(1, 25)), **_mixed("sales", "price")}
    assert said(load(csv_of(columns), target="sales"), "besides time: 'price'.")
    assert load(csv_of(columns), target="sales", inputs=["price"]).columns == ("price",)


def test_all_others_as_inputs_are_those_that_are_no_times() -> None:
    data = load(csv_of({"day": DAYS, **_mixed("sales", "price", "staff")}), target="sales", inputs=["*"])
    assert data.columns == ("price", "staff")
    assert said(data, "Not used, because they hold times: 'day'.")


def test_classes_in_the_last_column_are_modelled_where_classes_may_be() -> None:
    columns = {**_mixed("length", "width"), "species": ["setosa", "virginica", "versicolor"] * 8}
    number, either = load(csv_of(columns)), load(csv_of(columns), task="auto")
    assert (number.target, number.columns) == ("width", ("length", "species"))
    assert (either.target, either.columns) == ("species", ("length", "width"))
    assert said(either, "column 'species' is modelled from 'length', 'width'; 'width' could be modelled instead")


def test_classes_before_the_last_column_are_inputs_whatever_they_are_called() -> None:
    data = load(csv_of({"class": list("ABC") * 8, **_mixed("hours", "score")}))
    assert (data.target, data.columns) == ("score", ("class", "hours"))
    assert data.warnings[0].startswith("This was read as a table")


def test_two_values_are_said_to_be_answers() -> None:
    rain = load(csv_of({"day": DAYS, "rain": ["yes", "no", "no"] * 8}))
    assert said(rain, "Column 'rain' has two values only, 0 and 1")
    assert not said(load(csv_of({"day": DAYS, "rain": _noise()})), "two values")


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ([""] * 24, "found only missing values in column 'y'"),
        ([hex(7 * k) for k in range(24)], "found '0x0' in row 1 of column 'y'"),
        ([f"[{k} {k + 1}]" for k in range(24)], r"found '\[0 1\]' in row 1 of column 'y'"),
    ],
)
@pytest.mark.parametrize("names", [("t",), ("t", "z")])
def test_a_target_that_cannot_be_read_is_an_error(names: tuple[str, ...], cells: list[object], words: str) -> None:
    with pytest.raises(InputError, match=f"a column of numbers to model; {words}"):
        load(csv_of({name: list(range(24)) for name in names} | {"y": cells}))


@pytest.mark.parametrize("titles", [range(2000, 2012), [f"{year} [YR{year}]" for year in range(2000, 2012)]])
def test_years_as_names_of_columns_become_a_column(titles: Sequence[object]) -> None:
    countries = enumerate(("Chad", "Peru", "Oman"))
    rows = [["country", *titles], *([name, *np.arange(12) + 10 * k] for k, name in countries)]
    text = "\n".join(",".join(map(str, row)) for row in rows)
    with pytest.raises(InputError, match=r"times in 'year' that repeat, where 'country' looks like a key"):
        load(StringIO(text))
    data = load(StringIO(text), where={"country": "Peru"})
    assert (data.columns, data.target, data.y.tolist()) == (("year",), "value", np.arange(10.0, 22.0).tolist())


def test_times_alone_are_no_target_unless_they_are_named() -> None:
    with pytest.raises(InputError, match="only 't', whose name and order are those of times"):
        load(csv_of({"t": list(range(24))}))
    assert load(csv_of({"t": list(range(24))}), target="t").target == "t"
    assert load(csv_of(_mixed("time"))).target == "time"


def test_groups_of_two_digits_are_read_where_all_of_a_column_are_such() -> None:
    rows = "\n".join(f'{k},"{k + 10},34,567"' for k in range(10))
    assert load(BytesIO(f"t,y\n{rows}\n10,999".encode())).y[[0, -1]].tolist() == [1034567.0, 999.0]
    mixed = rows.replace('"11,34,567"', '"1,134,567"')
    with pytest.raises(InputError, match=r"found '10,34,567' in row 1 of column 'y'"):
        load(BytesIO(f"t,y\n{mixed}".encode()))


def test_names_of_rows_have_no_order() -> None:
    data = load(csv_of({"city": [f"c{k}" for k in range(24)], "people": _noise()}))
    assert said(data, "Column 'city' names the rows: if their order means nothing, neither does this series.")


def test_the_choice_is_kept_with_the_data() -> None:
    data = load(csv_of(_mixed("a", "b", "y")))
    assert data.choice
    assert Dataset.from_json(data.to_json()).choice == data.choice
    assert "choice" not in load("airline").to_json()


# --- what is refused --------------------------------------------------------------------------------------------------


def test_unknown_columns_come_with_a_suggestion() -> None:
    with pytest.raises(InputError, match="did you mean 'cement'"):
        load(csv_of(_columns("cement", "water", "y")), target="y", inputs=["cemnt"])


def test_a_constant_column_is_said_and_a_table_of_them_refused() -> None:
    X = np.column_stack([np.arange(5.0), np.ones(5)])
    assert said(from_arrays(X, np.arange(5.0), ("a", "b")), "the same value of column 'b'")
    with pytest.raises(InputError, match="an input column that varies; found one value each in 'a', 'b'"):
        from_arrays(np.ones((5, 2)), np.arange(5.0), ("a", "b"))


def test_more_columns_than_rows_are_refused() -> None:
    with pytest.raises(InputError, match=r"at least as many rows as columns; found 2 samples of 3 columns"):
        from_arrays(np.arange(6.0).reshape(2, 3), np.ones(2))


def test_more_than_a_million_rows_are_refused_with_a_word_on_what_to_do() -> None:
    X = np.broadcast_to(np.arange(1_000_001.0)[:, None], (1_000_001, 2))
    with pytest.raises(InputError, match="draw 666666 of the rows by chance"):
        from_arrays(X, X[:, 0])


@pytest.mark.parametrize("inputs", [None, ["dose"]])
def test_a_curve_of_a_file_is_in_the_order_of_its_places(inputs: list[str] | None) -> None:
    dose, effect = [30, 10, 20, 70, 10, 40], [1.5, 5.5, 2.0, 3.0, 1.0, 2.5]
    data = load(csv_of({"dose": [*dose], "effect": [*effect]}), inputs=inputs, target="effect" if inputs else None)
    assert data.x.tolist() == [10, 10, 20, 30, 40, 70]
    assert (data.y + data.offset).tolist() == [5.5, 1.0, 2.0, 1.5, 2.5, 3.0]


def test_the_span_of_rows_in_any_order_is_that_of_their_places() -> None:
    assert "(10 to 70)" in repr(from_arrays([30, 70, 10, 40], [1, 2, 3, 5]))
